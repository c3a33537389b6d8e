// The searches of mcts.h that differ by their formula: UCT, PUCT, ExIt and base MCTS.
#include "search/mcts.h"

namespace athenan {
namespace {

template <Formula formula>
std::unique_ptr<Search> make_mcts(SearchSettings settings, const Parameters& given) {
  MctsConfig config;
  config.formula = formula;
  config.exploration = given.real("c");
  config.transpositions = given.flag("transpositions");
  if (formula != Formula::uct) config.temperature = given.real("temperature");
  if (formula == Formula::puct) {
    config.noise = given.real("noise");
    config.concentration = given.real("alpha");
  }
  if (formula == Formula::exit) {
    config.rollouts = given.flag("rollouts");
    config.policy_weight = given.real("policy_weight");
    config.value_weight = given.real("value_weight");
  }
  return std::make_unique<Mcts>(std::move(settings), config);
}

std::unique_ptr<Search> make_base_mcts(SearchSettings settings, const Parameters& given) {
  MctsConfig config;
  config.exploration = given.real("c");
  config.rollouts = true;
  config.rollouts_per_leaf = given.integer("rollouts");
  config.threads = given.integer("threads");
  config.transpositions = given.flag("transpositions");
  return std::make_unique<Mcts>(std::move(settings), config);
}

}  // namespace

Parameter exploration_parameter(double value) {
  return Parameter::real("c", value, 0, 1e6, "exploration constant");
}
Parameter temperature_parameter(double value) {
  return Parameter::real("temperature", value, 1e-6, 1e6, "of the softmax over the policy");
}

AlgorithmEntry uct() {
  return {"uct",
          "Monte Carlo tree search with the network at the leaves",
          true,
          asks_nothing,
          {exploration_parameter(0.4), transpositions_parameter()},
          make_mcts<Formula::uct>};
}
AlgorithmEntry puct() {
  return {"puct",
          "Monte Carlo tree search with value and policy, as in AlphaZero",
          true,
          asks_policy,
          {exploration_parameter(1.25), temperature_parameter(1),
           Parameter::real("noise", 0, 0, 1,
                           "part of Dirichlet noise in the policy of the root: 0.25 in self-play"),
           Parameter::real("alpha", 0, 0, 1e6,
                           "of the Dirichlet noise; 0: ten divided by the number of moves"),
           transpositions_parameter()},
          make_mcts<Formula::puct>};
}
AlgorithmEntry expert_iteration() {
  return {"exit",
          "Monte Carlo tree search with value and policy, as in Expert Iteration",
          true,
          asks_policy,
          {exploration_parameter(0.05),
           Parameter::flag("rollouts", true, "add a random match at each leaf"),
           Parameter::real("policy_weight", 100, 0, 1e6, "w_a"),
           Parameter::real("value_weight", 0.75, 0, 1e6, "w_v"), temperature_parameter(0.1),
           transpositions_parameter()},
          make_mcts<Formula::exit>};
}
AlgorithmEntry base_mcts() {
  return {"mcts",
          "Base MCTS: UCT with random matches, no network",
          false,
          asks_nothing,
          {exploration_parameter(std::sqrt(2.0)),
           Parameter::integer("rollouts", 1, 1, 10'000, "random matches per leaf"),
           Parameter::integer("threads", 1, 0, 1024,
                              "for the random matches of one leaf; 0: one per core"),
           transpositions_parameter()},
          make_base_mcts};
}

}  // namespace athenan
