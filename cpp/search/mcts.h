// Monte Carlo tree search. The value of a new leaf comes from the network (UCT, PUCT, ExIt, Gumbel)
// or from a uniformly random match ("base MCTS"). Labels live on edges; states reached by several
// paths share them through the transposition table.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "games/bulk.h"
#include "search/algorithms.h"
#include "search/decision.h"
#include "search/draws.h"
#include "search/tree_search.h"

namespace athenan {

// A tree that is searched out would otherwise be walked for ever.
inline constexpr std::uint32_t max_idle_iterations = 1000;

enum class Formula : std::uint8_t { uct, puct, exit, gumbel };

struct MctsConfig {
  Formula formula = Formula::uct;
  double exploration = 0.4;  // C of UCT, c_puct of PUCT
  bool rollouts = false;     // base MCTS: leaves valued by random matches
  int rollouts_per_leaf = 1;
  int threads = 1;  // for the rollouts of one leaf
  // ExIt: UCT + w_a * policy / (n + 1) + w_v * mean network value.
  double policy_weight = 100;
  double value_weight = 0.75;
  double temperature = 1;  // of the softmax over the legal moves' logits
  bool transpositions = true;
  // PUCT: the part of Dirichlet noise in the policy of the root, and its parameter for each move,
  // where 0 stands for ten divided by the number of moves.
  double noise = 0;
  double concentration = 0;
};

struct MctsEdge {
  Move move = 0;
  NodeId child = no_node;  // until the move is first followed
  double sum = 0;          // of the values backed up, first player's point of view
  double network_sum = 0;  // of the network's values alone: ExIt's Q hat
  double policy = 0;       // its probability; of Gumbel search the logarithm of it
  std::uint32_t count = 0;
};

struct MctsLabel {
  float evaluation = 0;      // f_θ(s), the rollouts' mean, or f_t(s)
  std::uint32_t visits = 0;  // the sum of the counts of the edges
  bool visited = false;      // base MCTS: valued, its edges still to come
};

class Mcts : public TreeSearch<MctsEdge, MctsLabel> {
 public:
  Mcts(SearchSettings settings, MctsConfig config)
      : TreeSearch(std::move(settings), config.transpositions),
        config_(config),
        scratch_(game().state_size() / 8) {
    if (!config_.rollouts) return;
    const TerminalEvaluation& evaluation = settings_.terminal_evaluation;
    if (evaluation.depends_on_path() ||
        (config_.rollouts_per_leaf > 1 && evaluation.name() != "classic"))
      throw ParameterError(
          "random rollouts do not support the terminal evaluation " + evaluation.name() +
          (config_.rollouts_per_leaf > 1 ? " with several rollouts per leaf" : "") +
          "; use classic");
  }

  bool wants_logits() const override { return config_.formula != Formula::uct; }
  float root_value() const override { return value_of(node(root_)); }
  Move decide() override {
    const auto moves = root_moves();
    return moves[most_visited(moves, node(root_).to_move, random_)].move;
  }

 protected:
  using Edge = MctsEdge;
  struct Step {
    NodeId node;
    std::uint32_t edge;
  };

  // A move never tried is the worst for its player.
  MoveLabel label_of(const Node& s, const Edge& e) const override {
    const double worst = (s.to_move == 0 ? -1 : 1) * std::numeric_limits<double>::infinity();
    const double mean = e.count ? e.sum / e.count : worst;
    return {e.move, static_cast<float>(mean), 0, 0, e.count};
  }
  const Edge* preferred(const Node& s) const override {
    const Edge* best = std::max_element(
        s.begin(), s.end(), [](const Edge& a, const Edge& b) { return a.count < b.count; });
    return best->count ? best : nullptr;
  }
  float value_of(const Node& s) const override {
    if (s.kind != Kind::expanded || s.label.visits == 0) return s.label.evaluation;
    double sum = 0;
    for (const Edge& e : s) sum += e.sum;
    return static_cast<float>(sum / s.label.visits);
  }
  // The value of a state that no iteration went below is the network's own.
  bool is_valued(const Node& s) const override {
    return s.kind == Kind::terminal || s.label.visits > 0;
  }
  void label_terminal(Node& child, float value, Result) override { child.label.evaluation = value; }

  void clear() override {
    TreeSearch::clear();
    current_ = no_node;
    awaiting_ = false;
  }
  void set_root(const std::byte* root) override {
    TreeSearch::set_root(root);
    awaiting_ = false;
    idle_iterations_ = 0;
    noise_.clear();
  }
  void work() override {
    while (true) {
      if (search_is_over()) {
        done_ = true;
        return;
      }
      current_ = root_;
      path_.clear();
      descend();
      if (awaiting_ || time_is_up()) return;
    }
  }
  void take_values(const float* values, const float* logits) override {
    awaiting_ = false;
    Node& leaf = node(current_);
    leaf.label.evaluation = values[0];
    if (logits) set_policy(leaf, logits);
    back_up(config_.rollouts ? rollout_value(leaf.state) : values[0], values[0]);
  }

  bool search_is_over() {
    if (memory_full_) return true;
    if (node(root_).kind == Kind::leaf) return false;  // a move needs the root's edges
    return is_late_for_another() ||
           (!budget().iterations && idle_iterations_ >= max_idle_iterations);
  }
  bool drop_expansion() override {
    if (current_ == root_) return false;
    tree_.remove_edges(current_);
    awaiting_ = false;
    return true;
  }
  // One iteration: down to a state without edges, its value, and back up.
  void descend() {
    while (true) {
      while (node(current_).kind == Kind::expanded) {
        const Node& s = node(current_);
        const std::uint32_t chosen = config_.formula == Formula::uct ? choose_uct(s) : choose(s);
        path_.push_back({current_, chosen});
        check_path(path_.size());
        just_followed_ = false;
        current_ = follow(current_, chosen);
        if (current_ == no_node) return;  // the memory is full
      }
      if (node(current_).kind == Kind::terminal) {
        const float value = node(current_).label.evaluation;
        ++idle_iterations_;
        return back_up(value, value);
      }
      if (!waits_for_second_visit()) break;
      if (!node(current_).label.visited) return visit_leaf();
      if (!open_current()) return;
    }
    if (!open_current()) return;
    if (config_.rollouts && config_.formula == Formula::uct) return visit_leaf();
    add_waiting(state());
    awaiting_ = true;
  }
  // Makes the edges of current_, whose children come later; false if the memory cap forbids it.
  bool open_current() {
    load_current();
    game().moves(state(), moves_);
    // The root is always expanded: without its edges there is no move to play.
    if (current_ != root_ && !has_room(moves_.size())) return false;
    open(current_, moves_.size());
    Node& leaf = node(current_);
    for (std::size_t i = 0; i < moves_.size(); ++i) leaf.edges[i].move = moves_[i];
    leaf.kind = Kind::expanded;
    idle_iterations_ = 0;
    return true;
  }
  // The node that a move leads to, made when the move is first followed.
  NodeId follow(NodeId id, std::uint32_t edge) {
    Node& s = node(id);
    if (s.edges[edge].child != no_node) return s.edges[edge].child;
    load_child(s, s.edges[edge]);
    const std::uint64_t key = key_of(state());
    NodeId child = tree_.find(key);
    if (child != no_node)
      spent_.transpositions += 1;
    else if (has_room(1))
      child = new_node(key, state(), game().result(state()));
    else
      return no_node;
    just_followed_ = true;
    return s.edges[edge].child = child;
  }
  // Puts the state of current_ into state().
  void load_current() {
    const Node& s = node(current_);
    if (!s.state && just_followed_) return;
    const Step* last = path_.empty() ? nullptr : &path_.back();
    load_state(s, last ? &node(last->node) : nullptr,
               last ? &node(last->node).edges[last->edge] : nullptr);
  }
  // In base MCTS the edges of a state are not needed before its second visit, and most states have
  // none: the same search with a tenth of the memory.
  bool waits_for_second_visit() const {
    return config_.rollouts && config_.formula == Formula::uct && current_ != root_;
  }
  // The first visit of base MCTS: a random match from here.
  void visit_leaf() {
    Node& leaf = node(current_);
    if (leaf.kind == Kind::leaf) load_current();
    leaf.label.visited = true;
    leaf.label.evaluation = rollout_value(state());
    idle_iterations_ = 0;
    back_up(leaf.label.evaluation, leaf.label.evaluation);
  }
  // A random one of the moves never tried; edge_count if there is none.
  std::uint32_t untried_edge(const Node& s) {
    std::uint32_t untried = 0;
    for (const Edge& edge : s) untried += edge.count == 0;
    if (untried == 0) return s.edge_count;
    std::uint32_t skip = untried == 1 ? 0 : random_.below(untried);
    for (std::uint32_t i = 0;; ++i)
      if (s.edges[i].count == 0 && skip-- == 0) return i;
  }
  // The same as choose, for the formula that runs millions of times a second.
  std::uint32_t choose_uct(const Node& s) {
    const std::uint32_t untried = untried_edge(s);
    return untried < s.edge_count ? untried : greatest_uct(s, std::log(s.label.visits));
  }
  std::uint32_t greatest_uct(const Node& s, double log_visits) {
    const double sign = s.to_move == 0 ? 1 : -1;
    double best = -std::numeric_limits<double>::infinity();
    std::uint32_t chosen = 0, ties = 0;
    urgencies_.resize(s.edge_count);
    for (std::uint32_t i = 0; i < s.edge_count; ++i) {
      const double n = s.edges[i].count;
      const double here = urgencies_[i] =
          sign * s.edges[i].sum / n + config_.exploration * std::sqrt(log_visits / n);
      if (here > best) {
        best = here;
        chosen = i;
        ties = 0;
      }
      ties += here == best;
    }
    if (ties <= 1) return chosen;
    std::uint32_t skip = random_.below(ties);
    for (std::uint32_t i = chosen;; ++i)
      if (urgencies_[i] == best && skip-- == 0) return i;
  }
  virtual std::uint32_t choose(const Node& s) {
    if (config_.noise > 0 && &s == &node(root_) && noise_.empty()) draw_noise(s.edge_count);
    const double log_visits = std::log(s.label.visits);
    std::pair<double, double> best{-std::numeric_limits<double>::infinity(), 0};
    candidates_.clear();
    for (std::uint32_t i = 0; i < s.edge_count; ++i) {
      const auto here = urgency(s, s.edges[i], log_visits);
      if (here < best) continue;
      if (here > best) candidates_.clear();
      best = here;
      candidates_.push_back(i);
    }
    const auto ties = static_cast<std::uint32_t>(candidates_.size());
    return candidates_[ties == 1 ? 0 : random_.below(ties)];
  }
  // What the selection maximises, lexicographically.
  std::pair<double, double> urgency(const Node& s, const Edge& edge, double log_visits) const {
    const double sign = s.to_move == 0 ? 1 : -1;
    const double n = edge.count;
    const double mean = edge.count ? sign * edge.sum / n : 0;
    if (config_.formula == Formula::puct) {
      const double root = std::sqrt(std::max(1u, s.label.visits));
      return {mean + config_.exploration * prior(s, edge) * root / (1 + n), 0};
    }
    // Moves never tried come first; under ExIt the policy orders them.
    const double uct = edge.count ? mean + config_.exploration * std::sqrt(log_visits / n)
                                  : std::numeric_limits<double>::infinity();
    double bonus = config_.policy_weight * edge.policy / (n + 1);
    if (edge.count) bonus += config_.value_weight * sign * edge.network_sum / n;
    return {uct + bonus, edge.count ? 0 : bonus};
  }
  // P(a), and at the root with its part of noise.
  double prior(const Node& s, const Edge& edge) const {
    if (noise_.empty() || &s != &node(root_)) return edge.policy;
    return (1 - config_.noise) * edge.policy + config_.noise * noise_[&edge - s.edges];
  }
  void draw_noise(std::size_t moves) {
    const double shape =
        config_.concentration > 0 ? config_.concentration : 10 / static_cast<double>(moves);
    double sum = 0;
    for (std::size_t i = 0; i < moves; ++i) sum += noise_.emplace_back(gamma(shape, random_));
    for (double& share : noise_) share = sum > 0 ? share / sum : 1 / static_cast<double>(moves);
  }
  // The logits are one per edge.
  virtual void set_policy(Node& s, const float* logits) {
    double greatest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::uint32_t i = 0; i < s.edge_count; ++i)
      greatest = std::max<double>(greatest, logits[i]);
    for (Edge& e : s) {
      e.policy = std::exp((logits[&e - s.edges] - greatest) / config_.temperature);
      sum += e.policy;
    }
    for (Edge& e : s) e.policy /= sum;
  }
  float rollout_value(const std::byte* state) {
    if (config_.rollouts_per_leaf == 1) {
      auto* scratch = reinterpret_cast<std::byte*>(scratch_.data());
      std::memcpy(scratch, state, game().live_size(state));
      const Playout end = game().playout(scratch, random_);
      return settings_.terminal_evaluation.name() == "classic"
                 ? static_cast<float>(end.result)
                 : settings_.terminal_evaluation(game(), scratch, end.result);
    }
    const auto tally =
        random_playouts(game(), state, config_.rollouts_per_leaf, random_.next(), config_.threads);
    const double wins =
        static_cast<double>(tally.first_wins) - static_cast<double>(tally.second_wins);
    return static_cast<float>(wins / config_.rollouts_per_leaf);
  }
  void back_up(float value, float network) {
    spent_.iterations += 1;
    for (const Step& step : path_) {
      Node& s = node(step.node);
      s.edges[step.edge].count += 1;
      s.edges[step.edge].sum += value;
      s.edges[step.edge].network_sum += network;
      s.label.visits += 1;
    }
  }

  MctsConfig config_;
  NodeId current_ = no_node;
  std::vector<Step> path_;
  std::vector<std::uint64_t> scratch_;
  MoveList moves_;
  std::vector<std::uint32_t> candidates_;  // scratch of choose
  std::vector<double> urgencies_;          // likewise
  std::vector<double> noise_;              // of each move of the root, once it is drawn
  bool awaiting_ = false;
  bool just_followed_ = false;         // state() is the state of current_
  std::uint32_t idle_iterations_ = 0;  // in a row that expanded nothing
};

// Options that several of these searches take.
Parameter exploration_parameter(double value);
Parameter temperature_parameter(double value);

}  // namespace athenan
