#include "search/alpha_beta.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"

namespace athenan {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

AlphaBeta::AlphaBeta(SearchSettings settings, AlphaBetaConfig config)
    : Search(std::move(settings)),
      config_(config),
      tree_(config.transpositions),
      state_(game().state_size() / 8) {
  if (!config_.deepening && config_.max_depth < 1)
    throw ParameterError("a search without deepening needs a depth of at least 1");
}

void AlphaBeta::clear() {
  tree_.clear();
  stack_.clear();
  root_ = no_node;
}

void AlphaBeta::set_root(const std::byte* root) {
  root_ = tree_.find_or_add(game().key(root, settings_.terminal_evaluation.needs_ply()));
  if (!node(root_).state) tree_.store_state(root_, root, game().live_size(root));
  stack_.clear();
  waiting_nodes_.clear();
  depth_ = completed_depth_ = 0;
  solved_ = in_iteration_ = false;
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
  }
}

void AlphaBeta::step() {
  Frame& frame = stack_.back();
  if (node(frame.node).kind == Kind::leaf) {
    if (may_be_interrupted() && out_of_budget())
      done_ = true;  // the last completed iteration stands
    else
      expand(frame.node);
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

void AlphaBeta::expand(NodeId id) {
  auto* state = reinterpret_cast<std::byte*>(state_.data());
  if (node(id).state) {
    std::memcpy(state, node(id).state, game().live_size(node(id).state));
  } else {
    const Frame& above = stack_[stack_.size() - 2];
    const Node& parent = node(above.node);
    std::memcpy(state, parent.state, game().live_size(parent.state));
    game().apply(state, parent.edges[above.next_edge].move, parent.edge_count);
  }
  game().expand(state, expansion_, settings_.terminal_evaluation.needs_ply());
  const std::size_t count = expansion_.moves.size(), cap = settings_.memory_cap;
  if (cap && completed_depth_ > 0 &&
      tree_.bytes() + tree_.growth_for(count, game().live_size(state)) > cap) {
    memory_full_ = done_ = true;
    return;
  }
  if (!node(id).state) tree_.store_state(id, state, game().live_size(state));
  Edge* edges = tree_.add_edges(id, count);
  for (std::size_t i = 0; i < count; ++i) {
    edges[i].move = expansion_.moves[i];
    edges[i].index = static_cast<std::uint32_t>(i);
    edges[i].child = child_of_expansion(i);
  }
  Node& s = node(id);
  s.to_move = static_cast<std::uint8_t>(game().to_move(state));
  s.kind = Kind::expanded;
  spent_.expansions += 1;
  if (waiting_nodes_.empty()) label_edges(s);
}

NodeId AlphaBeta::child_of_expansion(std::size_t i) {
  const std::byte* state = expansion_.children.data() + i * game().state_size();
  NodeId id = tree_.find(expansion_.keys[i]);
  if (id == no_node) {
    id = tree_.add(expansion_.keys[i]);
    if (expansion_.results[i] != Result::ongoing) {
      node(id).kind = Kind::terminal;
      node(id).label.evaluation =
          settings_.terminal_evaluation(game(), state, expansion_.results[i]);
      if (settings_.keep_terminals) tree_.store_state(id, state, game().live_size(state));
    }
  } else {
    spent_.transpositions += 1;
  }
  NodeLabel& label = node(id).label;
  if (node(id).kind != Kind::terminal && !label.evaluated && !label.waiting) {
    label.waiting = true;
    waiting_nodes_.push_back(id);
    add_waiting(state);
  }
  return id;
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

std::vector<MoveLabel> AlphaBeta::root_moves() const { return root_moves_; }

Move AlphaBeta::decide() { return line_.front(); }

std::int8_t AlphaBeta::root_completion() const {
  if (!solved_ || game().datasheet().players == 1) return 0;
  return static_cast<std::int8_t>((root_value_ > 0) - (root_value_ < 0));
}

std::vector<StateLabels> AlphaBeta::all_labels() const {
  std::vector<StateLabels> out;
  for (NodeId id = 0; id < tree_.size(); ++id) {
    const Node& s = node(id);
    if (s.kind != Kind::expanded) continue;
    StateLabels labels{s.key, std::vector<MoveLabel>(s.edge_count)};
    for (const Edge& e : s) labels.moves[e.index] = {e.move, e.value, 0, 0, 0};
    out.push_back(std::move(labels));
  }
  return out;
}

void AlphaBeta::collect_targets(Targets& out) const {
  for (NodeId id = 0; id < tree_.size(); ++id) {
    const Node& s = node(id);
    const bool visited = s.kind == Kind::expanded && s.label.bound != Bound::none;
    if (!s.state || (s.kind != Kind::terminal && !visited)) continue;
    out.states.insert(out.states.end(), s.state, s.state + game().packed_size());
    out.values.push_back(s.kind == Kind::terminal ? s.label.evaluation : s.label.value);
  }
}

}  // namespace athenan
