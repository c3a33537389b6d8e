#include "search/alpha_beta.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "search/algorithms.h"
#include "search/decision.h"

namespace athenan {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

AlphaBeta::AlphaBeta(SearchSettings settings, AlphaBetaConfig config)
    : TreeSearch(std::move(settings), config.transpositions), config_(config) {
  if (!config_.deepening && config_.max_depth < 1)
    throw ParameterError("a search without deepening needs a depth of at least 1");
}

void AlphaBeta::clear() {
  TreeSearch::clear();
  stack_.clear();
}

void AlphaBeta::set_root(const std::byte* root) {
  TreeSearch::set_root(root);
  stack_.clear();
  waiting_nodes_.clear();
  depth_ = completed_depth_ = 0;
  solved_ = in_iteration_ = false;
  root_moves_.clear();
  line_.clear();
}

bool AlphaBeta::search_is_over() const {
  if (completed_depth_ == 0) return false;
  return solved_ || memory_full_ || (config_.max_depth && completed_depth_ >= config_.max_depth) ||
         out_of_budget();
}

void AlphaBeta::work() {
  while (true) {
    if (!in_iteration_) {
      if (search_is_over()) {
        done_ = true;
        return;
      }
      in_iteration_ = true;
      depth_ = config_.deepening ? completed_depth_ + 1 : config_.max_depth;
      stack_.push_back({root_, depth_, -infinity, infinity, -infinity, infinity});
    }
    step();
    if (done_ || !waiting_nodes_.empty()) return;
    if (stack_.empty()) complete_iteration();
    if (time_is_up()) return;
  }
}

void AlphaBeta::step() {
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

void AlphaBeta::visit(NodeId id, int depth, float alpha, float beta) {
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
void AlphaBeta::hand_up(float value, bool open) {
  Frame& frame = stack_.back();
  Node& s = node(frame.node);
  s.edges[frame.next_edge].value = value;
  const bool maximises = s.to_move == 0;
  const bool better = frame.next_edge == 0 || (maximises ? value > frame.best : value < frame.best);
  if (better) {
    frame.best = value;
    frame.best_edge = frame.next_edge;
  }
  (maximises ? frame.alpha : frame.beta) =
      maximises ? std::max(frame.alpha, frame.best) : std::min(frame.beta, frame.best);
  frame.open |= open;
  ++frame.next_edge;
}

void AlphaBeta::finish() {
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

void AlphaBeta::complete_iteration() {
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
    // Of a refuted move only a bound is known: one that equals the best value must not tie with it.
    const bool only_bound = i != root.label.best && edge.value == root.label.value;
    const float value = only_bound ? std::nextafter(edge.value, worse) : edge.value;
    root_moves_[edge.index] = {edge.move, value, 0, 0, i == root.label.best};
  }
  line_.clear();
  NodeId id = root_;
  for (int k = 0; k < depth_ && node(id).kind == Kind::expanded; ++k) {
    const Edge& edge = node(id).edges[node(id).label.best];
    line_.push_back(edge.move);
    id = edge.child;
  }
}

// At remaining depth 1 the children have been evaluated together; nothing is cut off.
void AlphaBeta::value_frontier(Frame& frame) {
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

// Best first by the values found last; equals stay as they were.
void AlphaBeta::order_moves(Node& s) {
  const bool maximises = s.to_move == 0;
  std::stable_sort(s.begin(), s.end(), [&](const Edge& a, const Edge& b) {
    return maximises ? a.value > b.value : a.value < b.value;
  });
}

void AlphaBeta::expand_top() {
  const NodeId id = stack_.back().node;
  const Frame* above = stack_.size() > 1 ? &stack_[stack_.size() - 2] : nullptr;
  load_state(node(id), above ? &node(above->node) : nullptr,
             above ? &node(above->node).edges[above->next_edge] : nullptr);
  if (!expand(id, completed_depth_ == 0)) {
    done_ = true;
    return;
  }
  Node& s = node(id);
  for (std::uint32_t i = 0; i < s.edge_count; ++i) s.edges[i].index = i;
  s.kind = Kind::expanded;
  if (waiting_nodes_.empty()) label_edges(s);
}

bool AlphaBeta::wants_value(Node& child) {
  if (child.kind == Kind::terminal || child.label.evaluated || child.label.waiting) return false;
  return child.label.waiting = true;
}

void AlphaBeta::take_values(const float* values, const float*) {
  for (std::size_t i = 0; i < waiting_nodes_.size(); ++i) {
    NodeLabel& label = node(waiting_nodes_[i]).label;
    label.evaluation = values[i];
    label.evaluated = true;
    label.waiting = false;
  }
  waiting_nodes_.clear();
  label_edges(node(stack_.back().node));
}

// Before the first visit, moves are ordered by the evaluations of the children.
void AlphaBeta::label_edges(Node& s) {
  for (Edge& edge : s) edge.value = node(edge.child).label.evaluation;
}

// Asked to stop before any iteration was complete, it goes by what is known of each move.
std::vector<MoveLabel> AlphaBeta::root_moves() const {
  return root_moves_.empty() ? TreeSearch::root_moves() : root_moves_;
}

Move AlphaBeta::decide() {
  if (!line_.empty()) return line_.front();
  const auto moves = root_moves();
  return moves[best_action(moves, node(root_).to_move, false, random_)].move;
}

std::int8_t AlphaBeta::root_completion() const {
  if (!solved_ || game().datasheet().players == 1) return 0;
  return static_cast<std::int8_t>((root_value_ > 0) - (root_value_ < 0));
}

namespace {

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
          false,
          {depth_parameter(0, 0, "greatest depth; 0 for no limit"), transpositions_parameter()},
          make_alpha_beta<true>};
}
AlgorithmEntry minimax() {
  return {"minimax",
          "Minimax with pruning at a fixed depth; budgets do not interrupt it",
          true,
          false,
          {depth_parameter(1, 1, "depth"), transpositions_parameter()},
          make_alpha_beta<false>};
}

}  // namespace athenan
