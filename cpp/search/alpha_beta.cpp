// Iterative-deepening alpha-beta, and minimax at a fixed depth, on the same resumable contract.
// Values are the first player's; the first player maximises. Children are evaluated in one batch at
// the frontier, each state once per match. An iteration that the budget interrupts decides
// nothing; what it stored in the table stays, and is sound, each value for its depth.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"
#include "search/algorithms.h"
#include "search/decision.h"
#include "search/tree_search.h"

namespace athenan {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

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
  AlphaBeta(SearchSettings settings, AlphaBetaConfig config)
      : TreeSearch(std::move(settings), config.transpositions), config_(config) {
    if (!config_.deepening && config_.max_depth < 1)
      throw ParameterError("a search without deepening needs a depth of at least 1");
  }

  // Asked to stop before any iteration was complete, it goes by what is known of each move.
  std::vector<MoveLabel> root_moves() const override {
    return root_moves_.empty() ? TreeSearch::root_moves() : root_moves_;
  }
  float root_value() const override { return root_value_; }
  Move decide() override {
    if (!line_.empty()) return line_.front();
    const auto moves = root_moves();
    return moves[best_action(moves, node(root_).to_move, false, random_)].move;
  }
  bool root_resolved() const override { return solved_; }
  std::int8_t root_completion() const override {
    if (!solved_ || game().datasheet().players == 1) return 0;
    return static_cast<std::int8_t>((root_value_ > 0) - (root_value_ < 0));
  }
  std::vector<Move> principal_variation() const override { return line_; }
  // What follows other moves is only a refutation, or not searched to the end.
  std::vector<Move> line_after(Move move) const override {
    return !line_.empty() && line_.front() == move ? line_ : std::vector<Move>{move};
  }

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
  bool wants_value(Node& child) override {
    if (child.kind == Kind::terminal || child.label.evaluated || child.label.waiting) return false;
    return child.label.waiting = true;
  }

  const Edge* preferred(const Node& s) const override { return &s.edges[s.label.best]; }
  void clear() override {
    TreeSearch::clear();
    stack_.clear();
  }
  void set_root(const std::byte* root) override {
    TreeSearch::set_root(root);
    stack_.clear();
    waiting_nodes_.clear();
    depth_ = completed_depth_ = 0;
    solved_ = in_iteration_ = false;
    root_value_ = 0;
    root_moves_.clear();
    line_.clear();
  }
  void work() override {
    while (true) {
      if (!in_iteration_) {
        if (search_is_over()) {
          done_ = true;
          return;
        }
        in_iteration_ = true;
        depth_ = config_.deepening ? completed_depth_ + 1 : config_.max_depth;
        if (!config_.max_depth) check_path(depth_);
        stack_.push_back({root_, depth_, -infinity, infinity, -infinity, infinity});
      }
      step();
      if (done_ || !waiting_nodes_.empty()) return;
      if (stack_.empty()) complete_iteration();
      if (time_is_up()) return;
    }
  }
  void take_values(const float* values, const float*) override {
    for (std::size_t i = 0; i < waiting_nodes_.size(); ++i) {
      NodeLabel& label = node(waiting_nodes_[i]).label;
      label.evaluation = values[i];
      label.evaluated = true;
      label.waiting = false;
    }
    waiting_nodes_.clear();
    label_edges(node(stack_.back().node));
  }
  bool drop_expansion() override {
    if (stack_.size() == 1) return false;
    for (const NodeId id : waiting_nodes_) node(id).label.waiting = false;
    waiting_nodes_.clear();
    tree_.remove_edges(stack_.back().node);
    return true;  // the last completed iteration stands
  }

  bool search_is_over() const {
    if (completed_depth_ == 0) return false;
    return solved_ || memory_full_ ||
           (config_.max_depth && completed_depth_ >= config_.max_depth) || out_of_budget();
  }
  void complete_iteration() {
    in_iteration_ = false;
    completed_depth_ = depth_;
    spent_.iterations += 1;
    const Node& root = node(root_);
    root_value_ = root.label.value;
    solved_ = !root.label.open;
    root_moves_.assign(root.edge_count, {});
    const float worse = root.to_move == 0 ? -infinity : infinity;
    for (std::uint32_t i = 0; i < root.edge_count; ++i) {
      const Edge& edge = root.edges[i];
      // Of a refuted move only a bound is known: one that equals the best value must not tie with
      // it.
      const bool only_bound = i != root.label.best && edge.value == root.label.value;
      const float value = only_bound ? std::nextafter(edge.value, worse) : edge.value;
      root_moves_[edge.index] = {edge.move, value, 0, 0, i == root.label.best};
    }
    line_.clear();
    NodeId id = root_;
    for (int k = 0; k < depth_ && node(id).kind == Kind::expanded; ++k) {
      const Edge* edge = preferred(node(id));
      line_.push_back(edge->move);
      id = edge->child;
    }
  }
  // One step of the state on top of the stack: expand it, look at its next move, or finish it.
  void step() {
    Frame& frame = stack_.back();
    if (node(frame.node).kind == Kind::leaf) {
      if (may_be_interrupted() && out_of_budget())
        done_ = true;  // the last completed iteration stands
      else
        expand_top();
      return;
    }
    Node& s = node(frame.node);
    if (frame.depth == 1) {
      value_frontier(frame);
      return finish();
    }
    if (frame.next_edge == 0) order_moves(s);
    if (frame.next_edge == s.edge_count || frame.alpha >= frame.beta) return finish();
    visit(s.edges[frame.next_edge].child, frame.depth - 1, frame.alpha, frame.beta);
  }
  // Visits a state: pushes a frame, or hands a value that is known to the frame above.
  void visit(NodeId id, int depth, float alpha, float beta) {
    const Node& s = node(id);
    const NodeLabel& known = s.label;
    if (s.kind == Kind::terminal) return hand_up(known.evaluation, false);
    const bool decisive = known.bound == Bound::exact ||
                          (known.bound == Bound::lower && known.value >= beta) ||
                          (known.bound == Bound::upper && known.value <= alpha);
    if (known.depth == depth && decisive) return hand_up(known.value, known.open);
    stack_.push_back({id, depth, alpha, beta, alpha, beta});
  }
  // The value of the move that the top frame is looking at.
  void hand_up(float value, bool open) {
    Frame& frame = stack_.back();
    Node& s = node(frame.node);
    s.edges[frame.next_edge].value = value;
    const bool maximises = s.to_move == 0;
    const bool better =
        frame.next_edge == 0 || (maximises ? value > frame.best : value < frame.best);
    if (better) {
      frame.best = value;
      frame.best_edge = frame.next_edge;
    }
    (maximises ? frame.alpha : frame.beta) =
        maximises ? std::max(frame.alpha, frame.best) : std::min(frame.beta, frame.best);
    frame.open |= open;
    ++frame.next_edge;
  }
  void finish() {
    const Frame frame = stack_.back();
    stack_.pop_back();
    NodeLabel& label = node(frame.node).label;
    label.value = frame.best;
    label.depth = static_cast<std::int16_t>(frame.depth);
    label.best = frame.best_edge;
    label.open = frame.open;
    label.bound = frame.best <= frame.alpha_before  ? Bound::upper
                  : frame.best >= frame.beta_before ? Bound::lower
                                                    : Bound::exact;
    if (!stack_.empty()) hand_up(frame.best, frame.open);
  }
  void expand_top() {
    const NodeId id = stack_.back().node;
    const Frame* above = stack_.size() > 1 ? &stack_[stack_.size() - 2] : nullptr;
    load_state(node(id), above ? &node(above->node) : nullptr,
               above ? &node(above->node).edges[above->next_edge] : nullptr);
    if (!expand(id, id == root_)) {
      done_ = true;
      return;
    }
    Node& s = node(id);
    for (std::uint32_t i = 0; i < s.edge_count; ++i) s.edges[i].index = i;
    s.kind = Kind::expanded;
    if (waiting_nodes_.empty()) label_edges(s);
  }
  // Before the first visit, moves are ordered by the evaluations of the children.
  void label_edges(Node& s) {
    for (Edge& edge : s) edge.value = node(edge.child).label.evaluation;
  }
  // Best first by the values found last; equals stay as they were.
  void order_moves(Node& s) {
    const bool maximises = s.to_move == 0;
    std::stable_sort(s.begin(), s.end(), [&](const Edge& a, const Edge& b) {
      return maximises ? a.value > b.value : a.value < b.value;
    });
  }
  // At remaining depth 1 the children have been evaluated together; nothing is cut off.
  void value_frontier(Frame& frame) {
    Node& s = node(frame.node);
    for (Edge& edge : s) {
      const Node& child = node(edge.child);
      edge.value = child.label.evaluation;
      frame.open |= child.kind != Kind::terminal;
    }
    order_moves(s);
    frame.best = s.edges[0].value;
    frame.alpha_before = -infinity;  // the value is exact whatever the window
    frame.beta_before = infinity;
  }
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

template <bool deepening>
std::unique_ptr<Search> make_alpha_beta(SearchSettings settings, const Parameters& given) {
  const AlphaBetaConfig config{given.integer("depth"), deepening, given.flag("transpositions")};
  return std::make_unique<AlphaBeta>(std::move(settings), config);
}

}  // namespace

AlgorithmEntry alpha_beta() {
  return {"alphabeta",
          "Iterative-deepening alpha-beta",
          true,
          asks_nothing,
          {depth_parameter(0, 0, "greatest depth; 0 for no limit"), transpositions_parameter()},
          make_alpha_beta<true>};
}
AlgorithmEntry minimax() {
  return {"minimax",
          "Minimax with pruning at a fixed depth; budgets do not interrupt it",
          true,
          asks_nothing,
          {depth_parameter(1, 1, "depth"), transpositions_parameter()},
          make_alpha_beta<false>};
}

}  // namespace athenan
