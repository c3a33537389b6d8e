// Iterative-deepening alpha-beta, and minimax at a fixed depth, on the same resumable contract.
// Values are the first player's; the first player maximises. Children are evaluated in one batch at
// the frontier, each state once per match. An iteration that the budget interrupts is discarded;
// what it stored in the table stays, and is sound.
#pragma once

#include <vector>

#include "search/tree_search.h"

namespace athenan {

struct AlphaBetaConfig {
  int max_depth = 0;      // 0: as deep as the budget allows
  bool deepening = true;  // false: straight to max_depth (minimax with pruning)
  bool transpositions = true;
};

enum class Bound : std::uint8_t { none, exact, lower, upper };

struct AlphaBetaEdge {
  Move move = 0;
  NodeId child = no_node;
  float value = 0;          // found by the last visit that looked at it; orders the moves
  std::uint32_t index = 0;  // in the order of the legal moves
};

struct AlphaBetaLabel {
  float evaluation = 0;  // f_θ(s) or f_t(s)
  float value = 0;       // of the last visit, exact or fail-soft
  std::int16_t depth = -1;
  Bound bound = Bound::none;
  bool evaluated = false;
  bool waiting = false;
  bool open = false;  // the value rests on an evaluated, not ended, frontier
  std::uint32_t best = 0;
};

class AlphaBeta final : public TreeSearch<AlphaBetaEdge, AlphaBetaLabel> {
 public:
  AlphaBeta(SearchSettings settings, AlphaBetaConfig config);

  std::vector<MoveLabel> root_moves() const override;
  float root_value() const override { return root_value_; }
  Move decide() override;
  bool root_resolved() const override { return solved_; }
  std::int8_t root_completion() const override;
  std::vector<Move> principal_variation() const override { return line_; }

 private:
  using Edge = AlphaBetaEdge;
  using NodeLabel = AlphaBetaLabel;
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

  MoveLabel label_of(const Node&, const Edge& e) const override {
    return {e.move, e.value, 0, 0, 0};
  }
  float value_of(const Node& s) const override {
    return s.kind == Kind::terminal ? s.label.evaluation : s.label.value;
  }
  bool is_valued(const Node& s) const override {
    return s.kind == Kind::terminal || s.label.bound != Bound::none;
  }
  std::size_t index_of(const Node&, const Edge& edge) const override { return edge.index; }
  void label_terminal(Node& child, float value, Result) override { child.label.evaluation = value; }
  bool wants_value(Node& child) override;

  void clear() override;
  void set_root(const std::byte* root) override;
  void work() override;
  void take_values(const float* values, const float* logits) override;

  bool search_is_over() const;
  void complete_iteration();
  // One step of the state on top of the stack: expand it, look at its next move, or finish it.
  void step();
  // Visits a state: pushes a frame, or hands a value that is known to the frame above.
  void visit(NodeId id, int depth, float alpha, float beta);
  void hand_up(float value, bool open);
  void finish();
  void expand_top();
  void label_edges(Node& s);
  void order_moves(Node& s);
  void value_frontier(Frame& frame);
  // Whether there is a move to play already, so that a limit may end the search.
  bool may_be_interrupted() const {
    return (completed_depth_ > 0 && config_.deepening) ||
           (is_ending() && node(root_).kind == Kind::expanded);
  }

  AlphaBetaConfig config_;
  std::vector<Frame> stack_;
  std::vector<MoveLabel> root_moves_;  // of the last completed iteration
  std::vector<Move> line_;
  float root_value_ = 0;
  int depth_ = 0, completed_depth_ = 0;
  bool solved_ = false;
  bool in_iteration_ = false;
};

}  // namespace athenan
