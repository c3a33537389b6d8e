// The best-first minimax searches: Descent, UBFM and safe UBFM, each with or without completion.
// One core; the algorithms differ in where an iteration ends and in how the move is decided.
//
// An expansion asks for the value of each child; or, with values=moves, for the state itself and a
// number for each of its moves, q(s, a), which stands for the value of the child: a guess. Some of
// the guesses may then be judged: the values of these children are asked for in a second batch.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "search/algorithms.h"
#include "search/decision.h"
#include "search/proof.h"
#include "search/tree_search.h"

namespace athenan {
namespace {

// Without completion a tie may make iterations go round among ended matches for ever.
constexpr std::uint32_t max_idle_iterations = 1000;

enum class IterationEnd : std::uint8_t { terminal, expansion };  // Descent, UBFM

struct BestFirstConfig {
  IterationEnd iteration_end = IterationEnd::terminal;
  Decision decision = best_action;
  bool completion = true;
  // Who takes a proven draw over an unproven chance: index 0 the first player, 1 the second.
  bool prefers_draw[2] = {false, false};
  bool transpositions = true;
  bool reuse = true;          // at expansion a child that is expanded elsewhere takes its labels
  bool early_stop = false;    // Korf and Chickering: go on below the first unchanged ancestor
  bool guesses = false;       // values of moves instead of those of children; of these guesses
  std::uint32_t judged = 0;   // so many are judged, the best ones,
  std::uint32_t sampled = 0;  // and so many others, drawn at random;
  bool judge_best = false;    // and more, until the best move is no guess
};

// v(s,a), c(s,a), r(s,a), n(s,a).
struct BestFirstEdge {
  Move move = 0;
  NodeId child = no_node;
  float value = 0;
  std::uint32_t count = 0;
  std::int8_t completion = 0;
  std::uint8_t resolved = 0;
  bool guess = false;  // the value is what was said of the move; nothing is known of the child
};

// v(s), c(s), r(s); f_θ(s) where it was asked for.
struct BestFirstLabel {
  float value = 0;
  float evaluation = 0;
  std::int8_t completion = 0;
  std::uint8_t resolved = 0;
  bool evaluated = false;
  bool waiting = false;
};

class BestFirst final : public TreeSearch<BestFirstEdge, BestFirstLabel> {
 public:
  BestFirst(SearchSettings settings, BestFirstConfig config)
      : TreeSearch(std::move(settings), config.transpositions), config_(config) {}

  float root_value() const override { return node(root_).label.value; }
  Move decide() override {
    const int player = node(root_).to_move;
    auto moves = root_moves();
    if (!config_.completion && config_.decision == best_action)
      for (MoveLabel& move : moves) move.count = 0;  // the plain algorithms know no n
    return moves[config_.decision(moves, player, config_.prefers_draw[player], random_)].move;
  }
  bool wants_logits() const override { return asks_for_moves_; }
  bool root_resolved() const override { return node(root_).label.resolved; }
  std::int8_t root_completion() const override { return node(root_).label.completion; }
  const std::vector<Resolved>& newly_resolved() const override { return newly_resolved_; }
  std::vector<std::optional<std::uint32_t>> proof_lengths_after(
      const std::vector<Move>& moves) const override {
    std::vector<std::optional<std::uint32_t>> lengths;
    const NodeId at = node_after(moves);
    if (at == no_node) return lengths;
    ProofLengths<Nodes> length_of(tree_);
    for (const Edge& edge : node(at)) {
      lengths.push_back(length_of(edge.child));
      if (lengths.back()) *lengths.back() += 1;
    }
    return lengths;
  }

 private:
  using Edge = BestFirstEdge;
  using NodeLabel = BestFirstLabel;

  struct Step {
    NodeId node;
    std::uint32_t edge;
    bool is_new;  // expanded by this iteration
  };

  MoveLabel label_of(const Node&, const Edge& e) const override {
    return {e.move, e.value, e.completion, e.resolved, e.count};
  }
  const Edge* preferred(const Node& s) const override { return &s.edges[preferred_edge(s)]; }
  float value_of(const Node& s) const override { return s.label.value; }
  void label_terminal(Node& child, float value, Result result) override {
    child.label.value = value;
    child.label.completion = config_.completion ? static_cast<std::int8_t>(result) : 0;
    child.label.resolved = config_.completion;
  }
  void label_new(Node& child) override {
    const auto* known = memory_ && config_.completion ? memory_->find(child.key) : nullptr;
    if (!known) return;
    child.label.value = known->value;
    child.label.completion = known->completion;
    child.label.resolved = 1;
  }
  void meet_terminal_again(Node& child, const std::byte* state, Result result) override {
    if (settings_.terminal_evaluation.depends_on_path())
      child.label.value = settings_.terminal_evaluation(game(), state, result);
  }
  bool wants_value(Node& child) override {
    const bool labelled = child.kind == Kind::terminal ||
                          (child.kind == Kind::leaf && child.label.resolved) ||
                          (child.kind == Kind::expanded && config_.reuse);
    if (labelled || child.label.evaluated || child.label.waiting || config_.guesses) return false;
    return child.label.waiting = true;
  }
  bool is_known(const Edge& edge) const override { return !edge.guess; }

  void clear() override {
    TreeSearch::clear();
    newly_resolved_.clear();
    current_ = no_node;
    asks_for_moves_ = false;
    chosen_.clear();
  }
  void set_root(const std::byte* root) override {
    if (!chosen_.empty()) {  // left alone before its guesses were judged
      chosen_.clear();
      finish_expansion();
    }
    const std::uint64_t key = key_of(root);
    NodeId known = tree_.find(key);
    if (!config_.transpositions && root_ != no_node)
      known = find_below(root_, key, game().ply(root) - game().ply(node(root_).state));
    place_root(root, known);
    current_ = root_;
    path_.clear();
    in_iteration_ = false;
    expanded_ = tie_ = true;
    idle_iterations_ = 0;
  }
  void work() override {
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
      if (chosen_.empty() || !judge_chosen()) descend();
      if (!waiting_nodes_.empty()) return;
      end_iteration();
      if (time_is_up()) return;
    }
  }
  void take_values(const float* values, const float* logits) override {
    if (asks_for_moves_) {
      asks_for_moves_ = false;
      for (const std::uint32_t i : guesses_) {
        if (!std::isfinite(logits[i]))
          throw Error("the evaluator returned a value of a move that is not a finite number");
        node(current_).edges[i].value = logits[i];
      }
    }
    for (std::size_t i = 0; i < waiting_nodes_.size(); ++i) {
      Node& leaf = node(waiting_nodes_[i]);
      leaf.label.evaluation = values[i];
      leaf.label.evaluated = true;
      leaf.label.waiting = false;
      if (leaf.kind == Kind::leaf) leaf.label.value = values[i];
    }
    waiting_nodes_.clear();
    if (!config_.guesses || !choose_guesses()) finish_expansion();
  }
  bool drop_expansion() override {
    if (current_ == root_) return false;
    asks_for_moves_ = false;
    for (const NodeId id : waiting_nodes_) node(id).label.waiting = false;
    waiting_nodes_.clear();
    tree_.remove_edges(current_);
    const bool in_vain = std::none_of(path_.begin(), path_.end(), [](Step s) { return s.is_new; });
    if (!in_vain) {
      end_iteration();
      return true;
    }
    for (const Step& step : path_) node(step.node).edges[step.edge].count -= 1;
    in_iteration_ = false;
    return true;
  }

  bool search_is_over() {
    const Node& root = node(root_);
    if (root.kind == Kind::leaf) return false;  // a move needs the root's edges
    if (root.label.resolved || memory_full_ || out_of_budget()) return true;
    if (config_.completion) return false;
    // Nothing was expanded and nothing can change: the fixed point of a search without completion.
    return (!expanded_ && !tie_) || idle_iterations_ >= max_idle_iterations;
  }
  // Follows completed_best_action_dual from current_ until the iteration ends: at a terminal or
  // resolved state (Descent), or already after one expansion (UBFM); and where somebody ends the
  // search, wherever it is.
  void descend() {
    while (true) {
      if (node(current_).kind == Kind::terminal || memory_full_) return;
      if (node(current_).kind == Kind::leaf) {
        if (expanded_ && config_.iteration_end == IterationEnd::expansion) return;
        if (is_ending() && current_ != root_) return;
        expand_current();
        if (memory_full_ || !waiting_nodes_.empty()) return;
        finish_expansion();
      }
      if (expanded_ && config_.iteration_end == IterationEnd::expansion) return;
      Node& s = node(current_);
      if (s.label.resolved) return;
      const std::uint32_t chosen = completed_best_action_dual(s);
      s.edges[chosen].count += 1;
      path_.push_back({current_, chosen, current_is_new_});
      check_path(path_.size());
      current_is_new_ = false;
      current_ = s.edges[chosen].child;
    }
  }
  void expand_current() {
    const Step* last = path_.empty() ? nullptr : &path_.back();
    load_state(node(current_), last ? &node(last->node) : nullptr,
               last ? &node(last->node).edges[last->edge] : nullptr);
    // The root is always expanded: without its edges there is no move to play.
    expanded_ |= expand(current_, current_ == root_);
    if (config_.guesses && !memory_full_) ask_for_moves();
  }
  // Asks for v(s) and q(s, .) of current_, if there is a child of which nothing is known.
  void ask_for_moves() {
    Node& s = node(current_);
    guesses_.clear();
    for (std::uint32_t i = 0; i < s.edge_count; ++i) {
      s.edges[i].guess = !has_value(node(s.edges[i].child));
      if (s.edges[i].guess)
        guesses_.push_back(i);
      else
        label_edge(s.edges[i]);
    }
    if (guesses_.empty()) return;
    waiting_nodes_.push_back(current_);
    add_waiting(state());
    asks_for_moves_ = is_first_round_ = true;
  }
  // Labels the children that were judged, and chooses those to judge next, if there are any: the
  // best ones for the player to move, and at first some of the others.
  bool choose_guesses() {
    Node& s = node(current_);
    std::erase_if(guesses_, [&](std::uint32_t i) {
      Edge& edge = s.edges[i];
      edge.guess = !has_value(node(edge.child));
      if (!edge.guess) label_edge(edge);
      return !edge.guess;
    });
    const std::size_t sampled = is_first_round_ ? config_.sampled : 0;
    if (!is_first_round_ && !(config_.judge_best && s.edges[preferred_edge(s)].guess)) return false;
    is_first_round_ = false;
    if (config_.judged + sampled == 0) return false;
    const float sign = s.to_move == 0 ? 1.0f : -1.0f;
    chosen_ = guesses_;
    if (config_.judged)
      std::stable_sort(chosen_.begin(), chosen_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return sign * s.edges[a].value > sign * s.edges[b].value;
      });
    const std::size_t best = std::min<std::size_t>(config_.judged, chosen_.size());
    const std::size_t count = std::min(best + sampled, chosen_.size());
    std::sort(chosen_.begin() + static_cast<std::ptrdiff_t>(best), chosen_.end());
    for (std::size_t i = best; i < count; ++i)
      std::swap(chosen_[i],
                chosen_[i + random_.below(static_cast<std::uint32_t>(chosen_.size() - i))]);
    chosen_.resize(count);
    return count > 0;
  }
  // Asks for the values of the chosen children. False where somebody ends the search: then their
  // state is expanded as it is.
  bool judge_chosen() {
    if (is_ending()) {
      chosen_.clear();
      finish_expansion();
      return false;
    }
    for (const std::uint32_t i : chosen_) {
      const NodeId id = node(current_).edges[i].child;
      if (node(id).label.waiting) continue;  // two moves may lead to one state
      node(id).label.waiting = true;
      waiting_nodes_.push_back(id);
      add_waiting(expanded_child(i));
    }
    chosen_.clear();
    return true;
  }
  // Whether a child has a value of its own, and no guess is needed.
  bool has_value(const Node& child) const {
    return child.kind == Kind::terminal || child.label.evaluated ||
           (child.kind == Kind::leaf && child.label.resolved) ||
           (child.kind == Kind::expanded && config_.reuse);
  }
  // All children of current_ have their values: label its edges, then the state itself.
  void finish_expansion() {
    Node& s = node(current_);
    for (Edge& edge : s)
      if (!edge.guess) label_edge(edge);
    s.kind = Kind::expanded;
    s.label.resolved = 0;
    current_is_new_ = true;
    update(s);
  }
  void label_edge(Edge& edge) {
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
  void end_iteration() {
    in_iteration_ = false;
    spent_.iterations += 1;
    idle_iterations_ = expanded_ ? 0 : idle_iterations_ + 1;
    while (!path_.empty()) {
      const Step step = path_.back();
      path_.pop_back();
      const Node& below = node(current_);
      current_ = step.node;
      Node& s = node(current_);
      // A leaf that was guessed and not judged, because the search was ended, has nothing to say.
      if (below.kind != Kind::leaf || has_value(below)) {
        Edge& edge = s.edges[step.edge];
        edge.value = below.label.value;
        edge.completion = below.label.completion;
        edge.resolved = below.label.resolved;
        edge.guess = false;
      }
      const bool changed = update(s) || step.is_new;
      if (config_.early_stop && !changed) return;
    }
  }
  // The two choices of the paper: the move to follow, and the labels to hand up. Among equal moves
  // it follows the one least selected; without completion any, at random.
  std::uint32_t completed_best_action_dual(const Node& s) {
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
      const std::uint32_t count = config_.completion ? edge.count : 0;
      if (better || count < least_count) {
        best = i;
        ties = 1;
        best_completion = completion;
        best_value = value;
        least_count = count;
      } else if (count == least_count) {
        ++ties;
      }
    }
    if (equals > 1) tie_ = true;
    if (ties <= 1) return best;
    std::uint32_t skip = random_.below(ties);
    for (std::uint32_t i = best;; ++i) {
      const Edge& edge = s.edges[i];
      if (!edge.resolved && (!config_.completion || edge.count == least_count) &&
          sign * edge.completion == best_completion &&
          static_cast<float>(sign) * edge.value == best_value && skip-- == 0)
        return i;
    }
  }
  // (c(s), v(s)) of completed_best_action and r(s) of backup_resolution; whether any changed.
  bool update(Node& s) {
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
  std::uint32_t preferred_edge(const Node& s) const {
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
  // Where no table merges states: the node of a state some plies below another one.
  NodeId find_below(NodeId from, std::uint64_t key, int plies) const {
    if (plies <= 0) return plies == 0 && node(from).key == key ? from : no_node;
    for (const Edge& edge : node(from))
      if (const NodeId found = find_below(edge.child, key, plies - 1); found != no_node)
        return found;
    return no_node;
  }

  BestFirstConfig config_;
  NodeId current_ = no_node;  // where the iteration stands
  std::vector<Step> path_;    // from the root to current_
  std::vector<Resolved> newly_resolved_;
  bool in_iteration_ = false;
  bool expanded_ = false;        // this iteration expanded a state
  bool current_is_new_ = false;  // namely current_
  bool tie_ = false;             // some state on this iteration's path had several best moves
  std::uint32_t idle_iterations_ = 0;
  // With guesses: what is asked for of current_, and how far its expansion has come.
  bool asks_for_moves_ = false;         // v(s) and q(s, .), not values of children
  bool is_first_round_ = false;         // of judging
  std::vector<std::uint32_t> guesses_;  // the edges that are guesses,
  std::vector<std::uint32_t> chosen_;   // and those of them to be judged with the next batch
};

std::vector<Parameter> best_first_parameters(const char* decision) {
  return {
      Parameter::flag("completion", true, "use completion and resolution"),
      transpositions_parameter(),
      Parameter::flag("reuse", true,
                      "at expansion a child that is already expanded takes its labels"),
      Parameter::flag("early_stop", false,
                      "stop the backup where nothing changes (Korf, Chickering)"),
      Parameter::choice("decision", decision, decision_names(),
                        "the move to play: by value, or the most selected"),
      Parameter::choice("prefer_draws", "none", {"none", "first", "second", "both"},
                        "which player takes a proven draw over an unproven chance"),
      Parameter::choice("values", "states", {"states", "moves"},
                        "what is asked for at an expansion: the value of each child, or in one "
                        "pass those of all moves"),
      Parameter::integer("judged", 0, 0, 10'000,
                         "with values=moves: so many children, the best, are evaluated too"),
      Parameter::integer("sampled", 0, 0, 10'000,
                         "and so many others at random: in self-play, to learn from"),
      Parameter::flag("judge_best", false,
                      "and more of the best, until the best move is one of them"),
  };
}

// What a best-first search asks of moves, by its options.
MoveAnswers asks_of_moves(const Parameters& given) {
  return given.choice("values") == "moves" ? MoveAnswers::values : MoveAnswers::none;
}

void check_judging(const BestFirstConfig& config) {
  const bool judges = config.judged || config.sampled || config.judge_best;
  if (judges && !config.guesses)
    throw ParameterError(
        "judged, sampled and judge_best say which values of moves are checked, and with "
        "values=states there are none: add values=moves");
  if (config.judge_best && !config.judged)
    throw ParameterError("judge_best needs to know how many at a time: add judged=4 or so");
}

template <IterationEnd end>
std::unique_ptr<Search> make_best_first(SearchSettings settings, const Parameters& given) {
  const std::string& draws = given.choice("prefer_draws");
  BestFirstConfig config;
  config.iteration_end = end;
  config.decision = decision_named(given.choice("decision"));
  config.completion = given.flag("completion");
  config.prefers_draw[0] = draws == "first" || draws == "both";
  config.prefers_draw[1] = draws == "second" || draws == "both";
  config.transpositions = given.flag("transpositions");
  config.reuse = given.flag("reuse");
  config.early_stop = given.flag("early_stop");
  config.guesses = asks_of_moves(given) == MoveAnswers::values;
  config.judged = static_cast<std::uint32_t>(given.integer("judged"));
  config.sampled = static_cast<std::uint32_t>(given.integer("sampled"));
  config.judge_best = given.flag("judge_best");
  check_judging(config);
  return std::make_unique<BestFirst>(std::move(settings), config);
}

}  // namespace

AlgorithmEntry descent() {
  return {"descent",
          "Descent minimax: iterations go on to the end of the match",
          true,
          asks_of_moves,
          best_first_parameters("best"),
          make_best_first<IterationEnd::terminal>};
}
AlgorithmEntry ubfm() {
  return {"ubfm",
          "Unbounded best-first minimax: iterations end at an expansion",
          true,
          asks_of_moves,
          best_first_parameters("best"),
          make_best_first<IterationEnd::expansion>};
}
AlgorithmEntry safe_ubfm() {
  return {"ubfm-safe",
          "Unbounded best-first minimax that plays the most selected move",
          true,
          asks_of_moves,
          best_first_parameters("safest"),
          make_best_first<IterationEnd::expansion>};
}

}  // namespace athenan
