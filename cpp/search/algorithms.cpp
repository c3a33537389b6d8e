#include "search/algorithms.h"

#include <cmath>

#include "base/error.h"
#include "search/alpha_beta.h"
#include "search/best_first.h"
#include "search/mcts.h"

namespace athenan {
namespace {

using ParameterList = std::vector<Parameter>;

constexpr long long most = 1'000'000'000'000;

// What every algorithm takes.
ParameterList with_common(ParameterList own) {
  ParameterList all{
      Parameter::real("seconds", 0, 0, 1e9, "thinking time per move; 0 for no limit"),
      Parameter::integer("expansions", 0, 0, most, "expansions per move; 0 for no limit"),
      Parameter::integer("evaluations", 0, 0, most, "state evaluations per move; 0 for no limit"),
      Parameter::integer("iterations", 0, 0, most, "iterations per move; 0 for no limit"),
      Parameter::word("terminal", "classic",
                      "terminal evaluation (reinforcement heuristic), one of those that the game "
                      "takes"),
      Parameter::integer("memory_mb", 0, 0, 1'000'000, "most memory of the tree; 0 for no limit"),
  };
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

const Parameter transpositions = Parameter::flag(
    "transpositions", true, "merge the states that are reached by several sequences of moves");

ParameterList best_first_parameters(const char* decision) {
  return with_common({
      Parameter::flag("completion", true, "use completion and resolution"),
      transpositions,
      Parameter::flag("reuse", true,
                      "at expansion a child that is already expanded takes its labels"),
      Parameter::flag("early_stop", false,
                      "stop the backup where nothing changes (Korf, Chickering)"),
      Parameter::choice("decision", decision, {"best", "safest"},
                        "the move to play: by value, or the most selected"),
      Parameter::choice("prefer_draws", "none", {"none", "first", "second", "both"},
                        "which player takes a proven draw over an unproven chance"),
  });
}

std::unique_ptr<Search> make_best_first(SearchSettings settings, const Parameters& given,
                                        IterationEnd end) {
  const std::string& draws = given.choice("prefer_draws");
  BestFirstConfig config;
  config.iteration_end = end;
  config.decision = given.choice("decision") == "best" ? Decision::best : Decision::safest;
  config.completion = given.flag("completion");
  config.prefers_draw[0] = draws == "first" || draws == "both";
  config.prefers_draw[1] = draws == "second" || draws == "both";
  config.transpositions = given.flag("transpositions");
  config.reuse = given.flag("reuse");
  config.early_stop = given.flag("early_stop");
  return std::make_unique<BestFirst>(std::move(settings), config);
}

std::unique_ptr<Search> make_descent(SearchSettings settings, const Parameters& given) {
  return make_best_first(std::move(settings), given, IterationEnd::terminal);
}

std::unique_ptr<Search> make_ubfm(SearchSettings settings, const Parameters& given) {
  return make_best_first(std::move(settings), given, IterationEnd::expansion);
}

std::unique_ptr<Search> make_alpha_beta(SearchSettings settings, const Parameters& given) {
  const AlphaBetaConfig config{given.integer("depth"), true, given.flag("transpositions")};
  return std::make_unique<AlphaBeta>(std::move(settings), config);
}

std::unique_ptr<Search> make_minimax(SearchSettings settings, const Parameters& given) {
  const AlphaBetaConfig config{given.integer("depth"), false, given.flag("transpositions")};
  return std::make_unique<AlphaBeta>(std::move(settings), config);
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

std::unique_ptr<Search> make_uct(SearchSettings settings, const Parameters& given) {
  MctsConfig config;
  config.exploration = given.real("c");
  config.transpositions = given.flag("transpositions");
  return std::make_unique<Mcts>(std::move(settings), config);
}

std::unique_ptr<Search> make_puct(SearchSettings settings, const Parameters& given) {
  MctsConfig config;
  config.formula = Formula::puct;
  config.exploration = given.real("c");
  config.temperature = given.real("temperature");
  config.transpositions = given.flag("transpositions");
  return std::make_unique<Mcts>(std::move(settings), config);
}

std::unique_ptr<Search> make_exit(SearchSettings settings, const Parameters& given) {
  MctsConfig config;
  config.formula = Formula::exit;
  config.exploration = given.real("c");
  config.rollouts = given.flag("rollouts");
  config.policy_weight = given.real("policy_weight");
  config.value_weight = given.real("value_weight");
  config.temperature = given.real("temperature");
  config.transpositions = given.flag("transpositions");
  return std::make_unique<Mcts>(std::move(settings), config);
}

Parameter exploration(double value) {
  return Parameter::real("c", value, 0, 1e6, "exploration constant");
}

Parameter temperature(double value) {
  return Parameter::real("temperature", value, 1e-6, 1e6, "of the softmax over the policy");
}

Parameter depth(int value, int lowest, const char* description) {
  return Parameter::integer("depth", value, lowest, 10'000, description);
}

}  // namespace

const std::vector<AlgorithmEntry>& algorithms() {
  static const std::vector<AlgorithmEntry> entries{
      {"descent", "Descent minimax: iterations go on to the end of the match", true,
       best_first_parameters("best"), make_descent},
      {"ubfm", "Unbounded best-first minimax: iterations end at an expansion", true,
       best_first_parameters("best"), make_ubfm},
      {"ubfm-safe", "Unbounded best-first minimax that plays the most selected move", true,
       best_first_parameters("safest"), make_ubfm},
      {"alphabeta", "Iterative-deepening alpha-beta", true,
       with_common({depth(0, 0, "greatest depth; 0 for no limit"), transpositions}),
       make_alpha_beta},
      {"minimax", "Minimax with pruning at a fixed depth; budgets do not interrupt it", true,
       with_common({depth(1, 1, "depth"), transpositions}), make_minimax},
      {"uct", "Monte Carlo tree search with the network at the leaves", true,
       with_common({exploration(0.4), transpositions}), make_uct},
      {"puct", "Monte Carlo tree search with value and policy, as in AlphaZero", true,
       with_common({exploration(1.25), temperature(1), transpositions}), make_puct},
      {"exit", "Monte Carlo tree search with value and policy, as in Expert Iteration", true,
       with_common({exploration(0.05),
                    Parameter::flag("rollouts", true, "add a random match at each leaf"),
                    Parameter::real("policy_weight", 100, 0, 1e6, "w_a"),
                    Parameter::real("value_weight", 0.75, 0, 1e6, "w_v"), temperature(0.1),
                    transpositions}),
       make_exit},
      {"mcts", "Base MCTS: UCT with random matches, no network", false,
       with_common({exploration(std::sqrt(2.0)),
                    Parameter::integer("rollouts", 1, 1, 1'000'000, "random matches per leaf"),
                    Parameter::integer("threads", 1, 0, 1024,
                                       "for the random matches of one leaf; 0: one per core"),
                    transpositions}),
       make_base_mcts},
  };
  return entries;
}

namespace {

const AlgorithmEntry& algorithm_named(std::string_view name) {
  std::string known;
  for (const auto& entry : algorithms()) {
    if (entry.name == name) return entry;
    known += (known.empty() ? "" : ", ") + entry.name;
  }
  throw ParameterError("there is no search algorithm " + quoted(name) + "; the algorithms are " +
                       known);
}

std::string_view after_colon(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon == std::string_view::npos ? "" : text.substr(colon + 1);
}

}  // namespace

SearchSpec::SearchSpec(std::string_view text)
    : entry_(&algorithm_named(text.substr(0, text.find(':')))),
      parameters_(entry_->name, entry_->parameters, after_colon(text)) {}

std::string SearchSpec::text() const { return entry_->name + ":" + parameters_.text(); }

Budget SearchSpec::budget() const {
  return {parameters_.real("seconds"), parameters_.count("expansions"),
          parameters_.count("evaluations"), parameters_.count("iterations")};
}

std::unique_ptr<Search> SearchSpec::make(std::shared_ptr<const Game> game,
                                         bool keep_terminals) const {
  TerminalEvaluation terminal(*game, parameters_.choice("terminal"));
  SearchSettings settings{std::move(game), std::move(terminal),
                          parameters_.count("memory_mb") << 20, keep_terminals};
  return entry_->make(std::move(settings), parameters_);
}

}  // namespace athenan
