#include "search/best_first.h"

#include <algorithm>
#include <cstring>

#include "search/decision.h"

namespace athenan {
namespace {

// Without completion a tie may make iterations go round among ended matches for ever.
constexpr std::uint32_t most_idle_iterations = 1000;

}  // namespace

BestFirst::BestFirst(SearchSettings settings, BestFirstConfig config)
    : Search(std::move(settings)),
      config_(config),
      tree_(config.transpositions),
      state_(game().state_size() / 8) {}

void BestFirst::clear() {
  tree_.clear();
  newly_resolved_.clear();
  root_ = current_ = no_node;
}

void BestFirst::set_root(const std::byte* root) {
  const std::uint64_t key = game().key(root, settings_.terminal_evaluation.needs_ply());
  NodeId known = tree_.find(key);
  if (!config_.transpositions && root_ != no_node)
    known = find_below(root_, key, game().ply(root) - game().ply(node(root_).state));
  root_ = known == no_node ? tree_.add(key) : known;
  if (!node(root_).state) tree_.store_state(root_, root, game().live_size(root));
  current_ = root_;
  path_.clear();
  in_iteration_ = false;
  expanded_ = tie_ = true;
  idle_iterations_ = 0;
}

bool BestFirst::search_is_over() {
  const Node& root = node(root_);
  if (root.kind == Kind::leaf && !memory_full_) return false;  // a move needs the root's edges
  if (root.label.resolved || memory_full_ || out_of_budget()) return true;
  if (config_.completion) return false;
  // Nothing was expanded and nothing can change: the fixed point of a search without completion.
  return (!expanded_ && !tie_) || idle_iterations_ >= most_idle_iterations;
}

void BestFirst::work() {
  while (true) {
    if (!in_iteration_) {
      if (search_is_over()) {
        done_ = true;
        return;
      }
      in_iteration_ = true;
      expanded_ = tie_ = false;
      current_is_new_ = false;
    }
    descend();
    if (!waiting_nodes_.empty()) return;
    end_iteration();
  }
}

// Follows completed_best_action_dual from current_ until the iteration ends: at a terminal or
// resolved state (Descent), or already after one expansion (UBFM).
void BestFirst::descend() {
  while (true) {
    if (node(current_).kind == Kind::terminal || memory_full_) return;
    if (node(current_).kind == Kind::leaf) {
      if (expanded_ && config_.iteration_end == IterationEnd::expansion) return;
      expand(current_);
      if (memory_full_ || !waiting_nodes_.empty()) return;
      finish_expansion();
    }
    if (expanded_ && config_.iteration_end == IterationEnd::expansion) return;
    Node& s = node(current_);
    if (s.label.resolved) return;
    const std::uint32_t chosen = completed_best_action_dual(s);
    s.edges[chosen].count += 1;
    path_.push_back({current_, chosen, current_is_new_});
    current_is_new_ = false;
    current_ = s.edges[chosen].child;
  }
}

void BestFirst::expand(NodeId id) {
  auto* state = reinterpret_cast<std::byte*>(state_.data());
  compute_state(id, state);
  game().expand(state, expansion_, settings_.terminal_evaluation.needs_ply());
  const std::size_t count = expansion_.moves.size();
  const std::size_t cap = settings_.memory_cap;
  if (cap && tree_.bytes() + tree_.growth_for(count, game().live_size(state)) > cap) {
    memory_full_ = true;
    return;
  }
  if (!node(id).state) tree_.store_state(id, state, game().live_size(state));
  node(id).to_move = static_cast<std::uint8_t>(game().to_move(state));
  Edge* edges = tree_.add_edges(id, count);
  for (std::size_t i = 0; i < count; ++i) {
    edges[i].move = expansion_.moves[i];
    edges[i].child = child_of_expansion(i);
  }
  spent_.expansions += 1;
  expanded_ = true;
}

// The node of the i-th child, made and labelled if it is new; asks for its evaluation if needed.
NodeId BestFirst::child_of_expansion(std::size_t i) {
  const std::uint64_t key = expansion_.keys[i];
  const std::byte* state = expansion_.children.data() + i * game().state_size();
  NodeId id = tree_.find(key);
  if (id == no_node) {
    id = tree_.add(key);
    Node& child = node(id);
    if (expansion_.results[i] != Result::ongoing) {
      child.kind = Kind::terminal;
      child.label.value = settings_.terminal_evaluation(game(), state, expansion_.results[i]);
      child.label.completion =
          config_.completion ? static_cast<std::int8_t>(expansion_.results[i]) : 0;
      child.label.resolved = config_.completion;
      if (settings_.keep_terminals) tree_.store_state(id, state, game().live_size(state));
    } else if (const auto* known = memory_ && config_.completion ? memory_->find(key) : nullptr) {
      child.label.value = known->value;
      child.label.completion = known->completion;
      child.label.resolved = 1;
    }
  } else {
    spent_.transpositions += 1;
  }
  Node& child = node(id);
  if (child.kind == Kind::terminal && settings_.terminal_evaluation.depends_on_path())
    child.label.value = settings_.terminal_evaluation(game(), state, expansion_.results[i]);
  const bool labelled = child.kind == Kind::terminal ||
                        (child.kind == Kind::leaf && child.label.resolved) ||
                        (child.kind == Kind::expanded && config_.reuse);
  if (!labelled && !child.label.evaluated && !child.label.waiting) {
    child.label.waiting = true;
    waiting_nodes_.push_back(id);
    add_waiting(state);
  }
  return id;
}

void BestFirst::take_values(const float* values, const float*) {
  for (std::size_t i = 0; i < waiting_nodes_.size(); ++i) {
    Node& leaf = node(waiting_nodes_[i]);
    leaf.label.evaluation = values[i];
    leaf.label.evaluated = true;
    leaf.label.waiting = false;
    if (leaf.kind == Kind::leaf) leaf.label.value = values[i];
  }
  waiting_nodes_.clear();
  finish_expansion();
}

// All children of current_ have their values: label its edges, then the state itself.
void BestFirst::finish_expansion() {
  Node& s = node(current_);
  for (Edge& edge : s) label_edge(edge);
  s.kind = Kind::expanded;
  s.label.resolved = 0;
  current_is_new_ = true;
  update(s);
}

void BestFirst::label_edge(Edge& edge) {
  const Node& child = node(edge.child);
  if (child.kind == Kind::expanded && !config_.reuse) {
    edge.value = child.label.evaluation;
    return;
  }
  edge.value = child.label.value;
  edge.completion = child.label.completion;
  edge.resolved = child.label.resolved;
}

// Hands the labels up the path. With early_stop, only as far as they change; the next iteration
// then starts below the first unchanged state instead of at the root.
void BestFirst::end_iteration() {
  in_iteration_ = false;
  spent_.iterations += 1;
  idle_iterations_ = expanded_ ? 0 : idle_iterations_ + 1;
  while (!path_.empty()) {
    const Step step = path_.back();
    path_.pop_back();
    const NodeLabel& below = node(current_).label;
    current_ = step.node;
    Node& s = node(current_);
    Edge& edge = s.edges[step.edge];
    edge.value = below.value;
    edge.completion = below.completion;
    edge.resolved = below.resolved;
    const bool changed = update(s) || step.is_new;
    if (config_.early_stop && !changed) return;
  }
}

std::uint32_t BestFirst::completed_best_action_dual(const Node& s) {
  const int sign = s.to_move == 0 ? 1 : -1;
  std::uint32_t best = 0, ties = 0, equals = 0;
  std::int8_t best_completion = 0;
  float best_value = 0;
  std::uint32_t least_count = 0;
  for (std::uint32_t i = 0; i < s.edge_count; ++i) {
    const Edge& edge = s.edges[i];
    if (edge.resolved) continue;
    const auto completion = static_cast<std::int8_t>(sign * edge.completion);
    const float value = static_cast<float>(sign) * edge.value;
    const bool better = equals == 0 || completion > best_completion ||
                        (completion == best_completion && value > best_value);
    const bool equal = !better && completion == best_completion && value == best_value;
    if (!better && !equal) continue;
    if (better) equals = 0;
    ++equals;
    if (better || edge.count < least_count) {
      best = i;
      ties = 1;
      best_completion = completion;
      best_value = value;
      least_count = edge.count;
    } else if (edge.count == least_count) {
      ++ties;
    }
  }
  if (equals > 1) tie_ = true;
  if (ties == 1) return best;
  std::uint32_t skip = random_.below(ties);
  for (std::uint32_t i = best;; ++i) {
    const Edge& edge = s.edges[i];
    if (!edge.resolved && edge.count == least_count && sign * edge.completion == best_completion &&
        static_cast<float>(sign) * edge.value == best_value && skip-- == 0)
      return i;
  }
}

// (c(s), v(s)) of completed_best_action and r(s) of backup_resolution; whether any changed.
bool BestFirst::update(Node& s) {
  const std::uint32_t best = preferred_edge(s);
  const NodeLabel before = s.label;
  s.label.value = s.edges[best].value;
  s.label.completion = s.edges[best].completion;
  if (config_.completion)
    s.label.resolved =
        s.label.completion != 0 ||
        std::all_of(s.begin(), s.end(), [](const Edge& edge) { return edge.resolved; });
  if (s.label.resolved && !before.resolved)
    newly_resolved_.push_back({s.key, s.label.value, s.label.completion});
  return before.value != s.label.value || before.completion != s.label.completion ||
         before.resolved != s.label.resolved;
}

// The first of the best moves by (c, v); the count n breaks no tie that matters to labels.
std::uint32_t BestFirst::preferred_edge(const Node& s) const {
  const int sign = s.to_move == 0 ? 1 : -1;
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < s.edge_count; ++i) {
    const Edge &a = s.edges[i], &b = s.edges[best];
    const int lead = sign * (a.completion - b.completion);
    if (lead > 0 ||
        (lead == 0 && static_cast<float>(sign) * a.value > static_cast<float>(sign) * b.value))
      best = i;
  }
  return best;
}

// The state of a node: stored, or one move after its predecessor on the path.
void BestFirst::compute_state(NodeId id, std::byte* out) const {
  if (const Node& s = node(id); s.state) {
    std::memcpy(out, s.state, game().live_size(s.state));
    return;
  }
  const Node& parent = node(path_.back().node);
  std::memcpy(out, parent.state, game().live_size(parent.state));
  game().apply(out, parent.edges[path_.back().edge].move, parent.edge_count);
}

NodeId BestFirst::find_below(NodeId from, std::uint64_t key, int plies) const {
  if (plies <= 0) return plies == 0 && node(from).key == key ? from : no_node;
  for (const Edge& edge : node(from))
    if (const NodeId found = find_below(edge.child, key, plies - 1); found != no_node) return found;
  return no_node;
}

std::vector<MoveLabel> BestFirst::root_moves() const {
  std::vector<MoveLabel> out;
  for (const Edge& e : node(root_))
    out.push_back({e.move, e.value, e.completion, e.resolved, e.count});
  return out;
}

Move BestFirst::decide() {
  const int player = node(root_).to_move;
  const auto moves = root_moves();
  const bool draw = config_.prefers_draw[player];
  const std::size_t chosen = config_.decision == Decision::best
                                 ? best_action(moves, player, draw, random_)
                                 : safest_action(moves, player, draw, random_);
  return moves[chosen].move;
}

std::vector<Move> BestFirst::principal_variation() const {
  std::vector<Move> line;
  for (NodeId id = root_; node(id).kind == Kind::expanded;) {
    const Edge& edge = node(id).edges[preferred_edge(node(id))];
    line.push_back(edge.move);
    id = edge.child;
  }
  return line;
}

std::vector<StateLabels> BestFirst::all_labels() const {
  std::vector<StateLabels> out;
  for (NodeId id = 0; id < tree_.size(); ++id) {
    const Node& s = node(id);
    if (s.kind != Kind::expanded) continue;
    StateLabels labels{s.key, {}};
    for (const Edge& e : s)
      labels.moves.push_back({e.move, e.value, e.completion, e.resolved, e.count});
    out.push_back(std::move(labels));
  }
  return out;
}

void BestFirst::collect_targets(Targets& out) const {
  for (NodeId id = 0; id < tree_.size(); ++id) {
    const Node& s = node(id);
    if (s.kind == Kind::leaf || !s.state) continue;
    out.states.insert(out.states.end(), s.state, s.state + game().packed_size());
    out.values.push_back(s.label.value);
  }
}

}  // namespace athenan
