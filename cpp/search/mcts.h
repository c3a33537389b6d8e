// Monte Carlo tree search. The value of a new leaf comes from the network (UCT, PUCT, ExIt) or from
// a uniformly random match ("base MCTS"). Labels live on edges; states reached by several paths
// share them through the transposition table.
#pragma once

#include <utility>
#include <vector>

#include "search/tree_search.h"

namespace athenan {

enum class Formula : std::uint8_t { uct, puct, exit };

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
};

struct MctsEdge {
  Move move = 0;
  NodeId child = no_node;  // until the move is first followed
  double sum = 0;          // of the values backed up, first player's point of view
  double network_sum = 0;  // of the network's values alone: ExIt's Q hat
  double policy = 0;
  std::uint32_t count = 0;
};

struct MctsLabel {
  float evaluation = 0;      // f_θ(s), the rollouts' mean, or f_t(s)
  std::uint32_t visits = 0;  // the sum of the counts of the edges
  bool visited = false;      // base MCTS: valued, its edges still to come
};

class Mcts final : public TreeSearch<MctsEdge, MctsLabel> {
 public:
  Mcts(SearchSettings settings, MctsConfig config);

  bool wants_policy() const override { return config_.formula != Formula::uct; }
  float root_value() const override { return value_of(node(root_)); }
  Move decide() override;
  std::vector<Move> principal_variation() const override;

 private:
  using Edge = MctsEdge;
  struct Step {
    NodeId node;
    std::uint32_t edge;
  };

  MoveLabel label_of(const Node& s, const Edge& edge) const override;
  float value_of(const Node& s) const override;
  void label_terminal(Node& child, float value, Result) override { child.label.evaluation = value; }

  void clear() override;
  void set_root(const std::byte* root) override;
  void work() override;
  void take_values(const float* values, const float* logits) override;

  bool search_is_over() const;
  void descend();
  // Makes the edges of current_, whose children come later; false if the memory cap forbids it.
  bool open_current();
  // The node that a move leads to, made when the move is first followed.
  NodeId follow(NodeId id, std::uint32_t edge);
  void load_current();
  bool waits_for_second_visit() const;
  void visit_leaf();
  std::uint32_t untried_edge(const Node& s);
  std::uint32_t greatest_uct(const Node& s, double log_visits);
  std::uint32_t choose(const Node& s);
  // What the selection maximises, lexicographically.
  std::pair<double, double> urgency(const Node& s, const Edge& edge, double log_visits) const;
  void set_policy(Node& s, const float* logits);  // one per edge
  float rollout_value(const std::byte* state);
  void back_up(float value, float network);

  MctsConfig config_;
  NodeId current_ = no_node;
  std::vector<Step> path_;
  std::vector<std::uint64_t> scratch_;
  MoveList moves_;
  std::vector<std::uint32_t> candidates_;  // scratch of choose
  std::vector<double> urgencies_;          // likewise
  bool awaiting_ = false;
  bool just_followed_ = false;         // state() is the state of current_
  std::uint32_t idle_iterations_ = 0;  // in a row that expanded nothing
};

}  // namespace athenan
