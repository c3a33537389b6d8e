// Iterative-deepening alpha-beta, and minimax at a fixed depth, on the same resumable contract.
// Values are the first player's; the first player maximises. Children are evaluated in one batch at
// the frontier, each state once per match. An iteration that the budget interrupts is discarded;
// what it stored in the table stays, and is sound.
#pragma once

#include <vector>

#include "search/search.h"
#include "search/tree.h"

namespace athenan {

struct AlphaBetaConfig {
  int max_depth = 0;      // 0: as deep as the budget allows
  bool deepening = true;  // false: straight to max_depth (minimax with pruning)
  bool transpositions = true;
};

class AlphaBeta final : public Search {
 public:
  AlphaBeta(SearchSettings settings, AlphaBetaConfig config);

  std::vector<MoveLabel> root_moves() const override;
  float root_value() const override { return root_value_; }
  Move decide() override;
  bool root_resolved() const override { return solved_; }
  std::int8_t root_completion() const override;
  std::vector<Move> principal_variation() const override { return line_; }
  std::vector<StateLabels> all_labels() const override;
  void collect_targets(Targets& out) const override;
  std::size_t node_count() const override { return tree_.size(); }
  std::size_t tree_bytes() const override { return tree_.bytes(); }
  // The depth of the last completed iteration.
  int depth() const { return completed_depth_; }

 private:
  enum class Bound : std::uint8_t { none, exact, lower, upper };
  struct Edge {
    Move move = 0;
    NodeId child = no_node;
    float value = 0;          // found by the last visit that looked at it; orders the moves
    std::uint32_t index = 0;  // in the order of the legal moves
  };
  struct NodeLabel {
    float evaluation = 0;  // f_θ(s) or f_t(s)
    float value = 0;       // of the last visit, exact or fail-soft
    std::int16_t depth = -1;
    Bound bound = Bound::none;
    bool evaluated = false;
    bool waiting = false;
    bool open = false;  // the value rests on an evaluated, not ended, frontier
    std::uint32_t best = 0;
  };
  using Nodes = Tree<Edge, NodeLabel>;
  using Node = Nodes::Node;
  // One state on the way down, with its window and what was found so far.
  struct Frame {
    NodeId node;
    int depth;
    float alpha, beta;                // the window, narrowing
    float alpha_before, beta_before;  // the window as given
    float best = 0;
    std::uint32_t best_edge = 0;
    std::uint32_t next_edge = 0;
    bool open = false;
  };

  void clear() override;
  void set_root(const std::byte* root) override;
  void work() override;
  void take_values(const float* values, const float* policies) override;

  Node& node(NodeId id) { return tree_.node(id); }
  const Node& node(NodeId id) const { return tree_.node(id); }

  bool search_is_over() const;
  void complete_iteration();
  // One step of the state on top of the stack: expand it, look at its next move, or finish it.
  void step();
  // Visits a state: pushes a frame, or hands a value that is known to the frame above.
  void visit(NodeId id, int depth, float alpha, float beta);
  void hand_up(float value, bool open);
  void finish();
  void expand(NodeId id);
  NodeId child_of_expansion(std::size_t i);
  void label_edges(Node& s);
  void order_moves(Node& s);
  void value_frontier(Frame& frame);
  bool may_be_interrupted() const { return completed_depth_ > 0 && config_.deepening; }

  AlphaBetaConfig config_;
  Nodes tree_;
  NodeId root_ = no_node;
  std::vector<Frame> stack_;
  std::vector<std::uint64_t> state_;
  Expansion expansion_;
  std::vector<NodeId> waiting_nodes_;
  std::vector<MoveLabel> root_moves_;  // of the last completed iteration
  std::vector<Move> line_;
  float root_value_ = 0;
  int depth_ = 0, completed_depth_ = 0;
  bool solved_ = false;
  bool in_iteration_ = false;
};

}  // namespace athenan
