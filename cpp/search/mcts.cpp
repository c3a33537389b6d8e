#include "search/mcts.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "games/bulk.h"
#include "search/decision.h"

namespace athenan {
namespace {

// A tree that is searched out would otherwise be walked for ever.
constexpr std::uint32_t most_idle_iterations = 1000;

}  // namespace

Mcts::Mcts(SearchSettings settings, MctsConfig config)
    : Search(std::move(settings)),
      config_(config),
      tree_(config.transpositions),
      state_(game().state_size() / 8),
      scratch_(game().state_size() / 8) {
  if (!config_.rollouts) return;
  const TerminalEvaluation& evaluation = settings_.terminal_evaluation;
  if (evaluation.depends_on_path() ||
      (config_.rollouts_per_leaf > 1 && evaluation.name() != "classic"))
    throw ParameterError(
        "random rollouts do not support the terminal evaluation " + evaluation.name() +
        (config_.rollouts_per_leaf > 1 ? " with several rollouts per leaf" : "") + "; use classic");
}

void Mcts::clear() {
  tree_.clear();
  root_ = current_ = no_node;
  awaiting_ = false;
}

void Mcts::set_root(const std::byte* root) {
  root_ = tree_.find_or_add(game().key(root, settings_.terminal_evaluation.needs_ply()));
  if (!node(root_).state) tree_.store_state(root_, root, game().live_size(root));
  awaiting_ = false;
  idle_iterations_ = 0;
}

bool Mcts::search_is_over() const {
  if (memory_full_) return true;
  if (node(root_).kind == Kind::leaf) return false;  // a move needs the root's edges
  return out_of_budget() || (!budget().iterations && idle_iterations_ >= most_idle_iterations);
}

void Mcts::work() {
  while (true) {
    if (search_is_over()) {
      done_ = true;
      return;
    }
    current_ = root_;
    path_.clear();
    descend();
    if (awaiting_) return;
  }
}

// One iteration: down to a state without edges, its value, and back up.
void Mcts::descend() {
  while (true) {
    while (node(current_).kind == Kind::expanded) {
      const std::uint32_t chosen = choose(node(current_));
      path_.push_back({current_, chosen});
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
    if (!expand()) return;
  }
  if (!expand()) return;
  if (config_.rollouts && config_.formula == Formula::uct) return visit_leaf();
  add_waiting(state());
  awaiting_ = true;
}

// In base MCTS the edges of a state are not needed before its second visit, and most states have
// none: the same search with a tenth of the memory.
bool Mcts::waits_for_second_visit() const {
  return config_.rollouts && config_.formula == Formula::uct && current_ != root_;
}

// The first visit of base MCTS: a random match from here.
void Mcts::visit_leaf() {
  Node& leaf = node(current_);
  if (leaf.kind == Kind::leaf) load_state();
  leaf.label.visited = true;
  leaf.label.evaluation = rollout_value(state());
  idle_iterations_ = 0;
  back_up(leaf.label.evaluation, leaf.label.evaluation);
}

NodeId Mcts::follow(NodeId id, std::uint32_t edge) {
  Node& s = node(id);
  if (s.edges[edge].child != no_node) return s.edges[edge].child;
  compute_child(s, edge);
  const std::uint64_t key = game().key(state(), settings_.terminal_evaluation.needs_ply());
  NodeId child = tree_.find(key);
  if (child == no_node) {
    if (!has_room(1, game().live_size(state()))) return no_node;
    child = tree_.add(key);
    const Result result = game().result(state());
    if (result != Result::ongoing) {
      node(child).kind = Kind::terminal;
      node(child).label.evaluation = settings_.terminal_evaluation(game(), state(), result);
      if (settings_.keep_terminals) tree_.store_state(child, state(), game().live_size(state()));
    }
  } else {
    spent_.transpositions += 1;
  }
  just_followed_ = true;
  return s.edges[edge].child = child;
}

void Mcts::compute_child(const Node& s, std::uint32_t edge) {
  std::memcpy(state(), s.state, game().live_size(s.state));
  game().apply(state(), s.edges[edge].move, s.edge_count);
}

// Puts the state of current_ into state().
void Mcts::load_state() {
  const Node& s = node(current_);
  if (s.state)
    std::memcpy(state(), s.state, game().live_size(s.state));
  else if (!just_followed_)
    compute_child(node(path_.back().node), path_.back().edge);
}

bool Mcts::expand() {
  Node& leaf = node(current_);
  load_state();
  game().moves(state(), moves_);
  const std::size_t live = game().live_size(state());
  // The root is always expanded: without its edges there is no move to play.
  if (current_ != root_ && !has_room(moves_.size(), live)) return false;
  if (!leaf.state) tree_.store_state(current_, state(), live);
  Edge* edges = tree_.add_edges(current_, moves_.size());
  for (std::size_t i = 0; i < moves_.size(); ++i) edges[i].move = moves_[i];
  leaf.kind = Kind::expanded;
  leaf.to_move = static_cast<std::uint8_t>(game().to_move(state()));
  spent_.expansions += 1;
  idle_iterations_ = 0;
  return true;
}

bool Mcts::has_room(std::size_t children, std::size_t state_size) {
  const std::size_t cap = settings_.memory_cap;
  const std::size_t growth = cap ? tree_.growth_for(children, state_size) : 0;
  if (growth && tree_.bytes() + growth > cap) memory_full_ = true;
  return !memory_full_;
}

void Mcts::take_values(const float* values, const float* policies) {
  awaiting_ = false;
  Node& leaf = node(current_);
  leaf.label.evaluation = values[0];
  if (policies) set_policy(leaf, policies);
  back_up(config_.rollouts ? rollout_value(leaf.state) : values[0], values[0]);
}

void Mcts::set_policy(Node& s, const float* logits) {
  double greatest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const Edge& e : s) greatest = std::max<double>(greatest, logits[e.move]);
  for (Edge& e : s) {
    e.policy = std::exp((logits[e.move] - greatest) / config_.temperature);
    sum += e.policy;
  }
  for (Edge& e : s) e.policy /= sum;
}

float Mcts::rollout_value(const std::byte* state) {
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

void Mcts::back_up(float value, float network) {
  spent_.iterations += 1;
  for (const Step& step : path_) {
    Node& s = node(step.node);
    s.edges[step.edge].count += 1;
    s.edges[step.edge].sum += value;
    s.edges[step.edge].network_sum += network;
    s.label.visits += 1;
  }
}

std::pair<double, double> Mcts::urgency(const Node& s, const Edge& edge, double log_visits) const {
  const double sign = s.to_move == 0 ? 1 : -1;
  const double n = edge.count;
  const double mean = edge.count ? sign * edge.sum / n : 0;
  if (config_.formula == Formula::puct) {
    const double root = std::sqrt(std::max(1u, s.label.visits));
    return {mean + config_.exploration * edge.policy * root / (1 + n), 0};
  }
  // Moves never tried come first; under ExIt the policy orders them.
  const double uct = edge.count ? mean + config_.exploration * std::sqrt(log_visits / n)
                                : std::numeric_limits<double>::infinity();
  if (config_.formula == Formula::uct) return {uct, 0};
  double bonus = config_.policy_weight * edge.policy / (n + 1);
  if (edge.count) bonus += config_.value_weight * sign * edge.network_sum / n;
  return {uct + bonus, edge.count ? 0 : bonus};
}

std::uint32_t Mcts::choose(const Node& s) {
  const double log_visits = std::log(s.label.visits);
  if (config_.formula == Formula::uct) {
    const std::uint32_t untried = untried_edge(s);
    return untried < s.edge_count ? untried : greatest_uct(s, log_visits);
  }
  std::pair<double, double> best{-std::numeric_limits<double>::infinity(), 0};
  most_urgent_.clear();
  for (std::uint32_t i = 0; i < s.edge_count; ++i) {
    const auto here = urgency(s, s.edges[i], log_visits);
    if (here < best) continue;
    if (here > best) most_urgent_.clear();
    best = here;
    most_urgent_.push_back(i);
  }
  const auto ties = static_cast<std::uint32_t>(most_urgent_.size());
  return most_urgent_[ties == 1 ? 0 : random_.below(ties)];
}

// The same as the general case above, for the formula that runs millions of times a second.
std::uint32_t Mcts::greatest_uct(const Node& s, double log_visits) {
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
  if (ties == 1) return chosen;
  std::uint32_t skip = random_.below(ties);
  for (std::uint32_t i = chosen;; ++i)
    if (urgencies_[i] == best && skip-- == 0) return i;
}

// A random one of the moves never tried; edge_count if there is none.
std::uint32_t Mcts::untried_edge(const Node& s) {
  std::uint32_t untried = 0;
  for (const Edge& edge : s) untried += edge.count == 0;
  if (untried == 0) return s.edge_count;
  std::uint32_t skip = untried == 1 ? 0 : random_.below(untried);
  for (std::uint32_t i = 0;; ++i)
    if (s.edges[i].count == 0 && skip-- == 0) return i;
}

float Mcts::value_of(const Node& s) const {
  if (s.kind != Kind::expanded || s.label.visits == 0) return s.label.evaluation;
  double sum = 0;
  for (const Edge& e : s) sum += e.sum;
  return static_cast<float>(sum / s.label.visits);
}

// A move never tried is the worst for its player.
MoveLabel Mcts::label_of(const Node& s, const Edge& e) const {
  const double worst = (s.to_move == 0 ? -1 : 1) * std::numeric_limits<double>::infinity();
  const double mean = e.count ? e.sum / e.count : worst;
  return {e.move, static_cast<float>(mean), 0, 0, e.count};
}

std::vector<MoveLabel> Mcts::root_moves() const {
  std::vector<MoveLabel> out;
  for (const Edge& e : node(root_)) out.push_back(label_of(node(root_), e));
  return out;
}

Move Mcts::decide() {
  const auto moves = root_moves();
  return moves[most_visited(moves, node(root_).to_move, random_)].move;
}

std::vector<Move> Mcts::principal_variation() const {
  std::vector<Move> line;
  for (NodeId id = root_; node(id).kind == Kind::expanded;) {
    const Node& s = node(id);
    const Edge* best = std::max_element(
        s.begin(), s.end(), [](const Edge& a, const Edge& b) { return a.count < b.count; });
    if (best->count == 0) break;
    line.push_back(best->move);
    id = best->child;
  }
  return line;
}

std::vector<StateLabels> Mcts::all_labels() const {
  std::vector<StateLabels> out;
  for (NodeId id = 0; id < tree_.size(); ++id) {
    if (node(id).kind != Kind::expanded) continue;
    StateLabels labels{node(id).key, {}};
    for (const Edge& e : node(id)) labels.moves.push_back(label_of(node(id), e));
    out.push_back(std::move(labels));
  }
  return out;
}

void Mcts::collect_targets(Targets& out) const {
  for (NodeId id = 0; id < tree_.size(); ++id) {
    const Node& s = node(id);
    if (s.kind == Kind::leaf || !s.state) continue;
    out.states.insert(out.states.end(), s.state, s.state + game().packed_size());
    out.values.push_back(value_of(s));
  }
}

}  // namespace athenan
