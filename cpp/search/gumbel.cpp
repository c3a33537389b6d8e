// Gumbel AlphaZero (Danihelka, Guez, Schrittwieser and Silver 2022): at the root a few moves are
// drawn without replacement by Gumbel noise on the policy, and sequential halving finds the best of
// them; below, moves are selected so that their counts approach the improved policy. It improves on
// the policy with any number of simulations, also with two.
#include <cstdint>

#include "search/mcts.h"

namespace athenan {
namespace {

struct GumbelConfig {
  int considered = 16;       // moves of the root, at most
  double noise = 0;          // scale of the Gumbel noise: 1 in self-play, 0 to play best
  double visit_offset = 50;  // c_visit
  double scale = 1;          // c_scale
};

// Sequential halving: moves that have been tried equally often are all tried once more, again and
// again; when the share of a phase is spent, the better half goes on.
class Halving {
 public:
  Halving() = default;
  Halving(std::uint32_t moves, std::uint64_t simulations)
      : moves_(moves), left_(moves), simulations_(simulations) {
    while ((std::uint64_t{1} << phases_) < moves) ++phases_;
    begin_phase();
  }
  bool is_over() const { return done_ == simulations_; }
  // How often the move of the next simulation has been tried before.
  std::uint32_t next() {
    const std::uint32_t wanted = visits_;
    ++done_;
    if (++tried_ == left_) {
      tried_ = 0;
      ++visits_;
      if (--rounds_ == 0) {
        left_ = std::max(std::min(moves_, 2u), left_ / 2);
        begin_phase();
      }
    }
    return wanted;
  }

 private:
  void begin_phase() {
    rounds_ = moves_ <= 1
                  ? 1
                  : std::max<std::uint64_t>(1, simulations_ / (phases_ * std::uint64_t{left_}));
  }
  std::uint32_t moves_ = 0, left_ = 0;  // of the root; of this phase
  std::uint64_t simulations_ = 0, done_ = 0, phases_ = 0;
  std::uint64_t rounds_ = 0;              // of this phase, that are left
  std::uint32_t visits_ = 0, tried_ = 0;  // of each move; moves in this round
};

class Gumbel final : public Mcts {
 public:
  Gumbel(SearchSettings settings, MctsConfig config, GumbelConfig gumbel)
      : Mcts(std::move(settings), config), gumbel_(gumbel) {
    if (settings_.terminal_evaluation.name() != "classic")
      throw ParameterError("the search gumbel does not support the terminal evaluation " +
                           settings_.terminal_evaluation.name() +
                           ": its scale is that of values from -1 to 1; use classic");
  }

  // Of the moves tried most often in this search, the one that Gumbel noise, policy and value
  // together prefer.
  Move decide() override {
    const Node& root = node(root_);
    prepare(root);
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < root.edge_count; ++i) most = std::max(most, tried(root, i));
    return root.edges[best(root, [&](std::uint32_t i) { return tried(root, i) == most; })].move;
  }
  // The improved policy: softmax(logits + sigma(completed Q)).
  std::vector<float> root_policy() const override {
    const auto shares = improved_policy(node(root_));
    return {shares.begin(), shares.end()};
  }

 private:
  void set_root(const std::byte* root) override {
    Mcts::set_root(root);
    noise_.clear();
    before_.clear();
    halving_ = {};
    round_ = 0;
  }
  // The logarithm of the policy, in the place of the policy.
  void set_policy(Node& s, const float* logits) override {
    Mcts::set_policy(s, logits);
    double greatest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::uint32_t i = 0; i < s.edge_count; ++i)
      greatest = std::max(greatest, logits[i] / config_.temperature);
    for (std::uint32_t i = 0; i < s.edge_count; ++i)
      sum += std::exp(logits[i] / config_.temperature - greatest);
    for (std::uint32_t i = 0; i < s.edge_count; ++i)
      s.edges[i].policy = logits[i] / config_.temperature - greatest - std::log(sum);
  }
  std::uint32_t choose(const Node& s) override {
    if (&s == &node(root_)) return choose_at_root(s);
    // Deterministic: the counts follow the improved policy.
    const auto policy = improved_policy(s);
    std::uint32_t chosen = 0;
    double greatest = -std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < s.edge_count; ++i) {
      const double missing = policy[i] - s.edges[i].count / (1.0 + s.label.visits);
      if (missing > greatest) {
        greatest = missing;
        chosen = i;
      }
    }
    return chosen;
  }
  std::uint32_t choose_at_root(const Node& root) {
    prepare(root);
    if (halving_.is_over()) plan(root);
    const std::uint32_t wanted = halving_.next();
    return best(root,
                [&](std::uint32_t i) { return root.edges[i].count - round_start_[i] == wanted; });
  }
  // Draws the noise, and notes what earlier searches have done here.
  void prepare(const Node& root) {
    if (!noise_.empty()) return;
    for (std::uint32_t i = 0; i < root.edge_count; ++i) {
      noise_.push_back(gumbel_.noise > 0 ? gumbel_.noise * gumbel(random_) : 0);
      before_.push_back(root.edges[i].count);
    }
  }
  // Plans the simulations that are left; without a number of them rounds of twice as many each.
  void plan(const Node& root) {
    const Budget& limit = budget();
    const std::uint64_t left = limit.iterations    ? limit.iterations - spent_.iterations
                               : limit.expansions  ? limit.expansions - spent_.expansions
                               : limit.evaluations ? limit.evaluations - spent_.evaluations
                                                   : 0;
    const auto moves = std::min(static_cast<std::uint32_t>(gumbel_.considered), root.edge_count);
    halving_ = Halving(moves, left ? left : std::uint64_t{moves} << std::min(round_, 30));
    ++round_;
    round_start_.clear();
    for (const Edge& e : root) round_start_.push_back(e.count);
  }
  std::uint32_t tried(const Node& root, std::uint32_t i) const {
    return root.edges[i].count - before_[i];
  }
  // The move of the greatest noise + logit + sigma(completed Q) among those that are wanted.
  template <class Wanted>
  std::uint32_t best(const Node& root, Wanted&& wanted) const {
    const auto scores = improved_logits(root);
    std::uint32_t chosen = root.edge_count;
    for (std::uint32_t i = 0; i < root.edge_count; ++i)
      if (wanted(i) &&
          (chosen == root.edge_count || noise_[i] + scores[i] > noise_[chosen] + scores[chosen]))
        chosen = i;
    return chosen == root.edge_count ? 0 : chosen;
  }
  // logits + sigma(completed Q): moves without a simulation take the mixed value v_mix.
  std::vector<double> improved_logits(const Node& s) const {
    const double sign = s.to_move == 0 ? 1 : -1;
    double probability = 0, weighted = 0;
    std::uint32_t most = 0;
    for (const Edge& e : s) {
      most = std::max(most, e.count);
      if (e.count == 0) continue;
      const double share = std::exp(e.policy);
      probability += share;
      weighted += share * sign * e.sum / e.count;
    }
    const double n = s.label.visits;
    const double raw = sign * s.label.evaluation;
    const double mixed = probability > 0 ? (raw + n * weighted / probability) / (1 + n) : raw;
    std::vector<double> out;
    for (const Edge& e : s) {
      const double q = e.count ? sign * e.sum / e.count : mixed;
      // From [-1, 1] to [0, 1].
      out.push_back(e.policy + (gumbel_.visit_offset + most) * gumbel_.scale * (q + 1) / 2);
    }
    return out;
  }
  std::vector<double> improved_policy(const Node& s) const {
    std::vector<double> shares = improved_logits(s);
    const double greatest = *std::max_element(shares.begin(), shares.end());
    double sum = 0;
    for (double& share : shares) sum += share = std::exp(share - greatest);
    for (double& share : shares) share /= sum;
    return shares;
  }

  GumbelConfig gumbel_;
  std::vector<std::uint32_t> before_;       // counts of the root when the search began
  std::vector<std::uint32_t> round_start_;  // and when the current round began
  Halving halving_;                         // of the current round
  int round_ = 0;
};

std::unique_ptr<Search> make_gumbel(SearchSettings settings, const Parameters& given) {
  MctsConfig config;
  config.formula = Formula::gumbel;
  config.temperature = given.real("temperature");
  config.transpositions = given.flag("transpositions");
  const GumbelConfig gumbel{given.integer("considered"), given.real("noise"), given.real("c_visit"),
                            given.real("c_scale")};
  return std::make_unique<Gumbel>(std::move(settings), config, gumbel);
}

}  // namespace

AlgorithmEntry gumbel_search() {
  return {
      "gumbel",
      "Monte Carlo tree search with few simulations, as in Gumbel AlphaZero",
      true,
      asks_policy,
      {Parameter::integer("considered", 16, 1, 10'000, "moves of the root, at most"),
       Parameter::real("noise", 0, 0, 1e6, "scale of the Gumbel noise at the root: 1 in self-play"),
       Parameter::real("c_visit", 50, 0, 1e6, "c_visit"),
       Parameter::real("c_scale", 1, 0, 1e6, "c_scale"), temperature_parameter(1),
       transpositions_parameter()},
      make_gumbel};
}

}  // namespace athenan
