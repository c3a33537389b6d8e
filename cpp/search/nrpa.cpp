// Nested rollout policy adaptation (C. D. Rosin, "Nested Rollout Policy Adaptation for Monte Carlo
// Tree Search", IJCAI 2011), for games without an opponent. A playout draws its moves in proportion
// to weights, one for each move number. A search of level 1 makes playouts, one of level k makes
// searches of level k - 1 that begin with its weights; after each of them it moves its weights
// towards the best line that it has found.
//
// The recursion is unrolled, so that the search can be left and entered at any move. Of the whole
// only the best line is kept from move to move.
#include <algorithm>
#include <cmath>
#include <compare>
#include <cstring>
#include <limits>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "search/algorithms.h"

namespace athenan {
namespace {

struct NrpaConfig {
  int level = 4;
  int per_level = 100;  // N: playouts of level 1, searches of the level below elsewhere
  double alpha = 1;     // step of the adaptation
  int repetitions = 0;  // a search that has found its best moves so often again ends; 0: never
};

constexpr double infinity = std::numeric_limits<double>::infinity();

// What a line is worth: f_t of its end, and among equals the score.
struct Worth {
  double value = -infinity;
  double score = -infinity;
  auto operator<=>(const Worth&) const = default;
};

// The moves from the root to an end, with the legal moves before each of them.
class Line {
 public:
  Worth worth;

  std::size_t size() const { return chosen_.size(); }
  Move operator[](std::size_t ply) const { return legal_[begins_[ply] + chosen_[ply]]; }
  const Move* begin_of(std::size_t ply) const { return legal_.data() + begins_[ply]; }
  const Move* end_of(std::size_t ply) const { return legal_.data() + begins_[ply + 1]; }
  std::uint32_t count_of(std::size_t ply) const { return begins_[ply + 1] - begins_[ply]; }
  std::uint32_t chosen(std::size_t ply) const { return chosen_[ply]; }
  // Whether the moves are the same, in whatever order.
  bool has_moves_of(const Line& other) const {
    return size() == other.size() && sum_ == other.sum_;
  }

  void clear() {
    worth = {};
    sum_ = 0;
    legal_.clear();
    chosen_.clear();
    begins_.assign(1, 0);
  }
  void add(const MoveList& legal, std::uint32_t chosen) {
    legal_.insert(legal_.end(), legal.begin(), legal.end());
    begins_.push_back(static_cast<std::uint32_t>(legal_.size()));
    chosen_.push_back(chosen);
    sum_ += hashed(legal[chosen]);
  }
  void drop(std::size_t plies) {
    for (std::size_t ply = 0; ply < plies; ++ply) sum_ -= hashed((*this)[ply]);
    const std::uint32_t moves = begins_[plies];
    legal_.erase(legal_.begin(), legal_.begin() + moves);
    chosen_.erase(chosen_.begin(), chosen_.begin() + static_cast<std::ptrdiff_t>(plies));
    begins_.erase(begins_.begin(), begins_.begin() + static_cast<std::ptrdiff_t>(plies));
    for (std::uint32_t& begin : begins_) begin -= moves;
  }

 private:
  static std::uint64_t hashed(std::uint64_t move) { return splitmix64(move); }

  MoveList legal_;  // one state after the other
  std::vector<std::uint32_t> begins_{0};
  std::vector<std::uint32_t> chosen_;
  std::uint64_t sum_ = 0;  // of the moves, hashed
};

class Nrpa final : public Search {
 public:
  Nrpa(SearchSettings settings, NrpaConfig config)
      : Search(std::move(settings)),
        config_(config),
        rates_score_(game().datasheet().has_score),
        root_(game().state_size() / 8),
        state_(game().state_size() / 8) {}

  bool has_moves() const override { return !labels_.empty(); }
  // A move's value is that of the best playout that began with it, its count how many did.
  std::vector<MoveLabel> root_moves() const override { return labels_; }
  float root_value() const override {
    return best_.size() ? static_cast<float>(best_.worth.value) : 0;
  }
  // The first move of the best line; any move before the first playout is over.
  Move decide() override {
    if (best_.size()) return best_[0];
    return labels_[random_.below(static_cast<std::uint32_t>(labels_.size()))].move;
  }
  std::vector<Move> principal_variation() const override {
    std::vector<Move> line;
    for (std::size_t ply = 0; ply < best_.size(); ++ply) line.push_back(best_[ply]);
    return line;
  }
  std::vector<Move> line_after(Move move) const override {
    if (best_.size() && best_[0] == move) return principal_variation();
    return {move};
  }
  std::vector<MoveLabel> labels_after(const std::vector<Move>& moves) const override {
    return moves.empty() ? labels_ : std::vector<MoveLabel>{};
  }
  std::vector<StateLabels> all_labels() const override {
    if (!has_moves()) return {};
    return {{game().key(bytes(root_), settings_.terminal_evaluation.needs_ply()), labels_}};
  }
  // The states of the best line, each worth what its end is.
  void collect_targets(Targets& out, bool with_moves) const override {
    std::vector<std::uint64_t> words = root_;
    for (std::size_t ply = 0; best_.size() && ply <= best_.size(); ++ply) {
      const bool ended = ply == best_.size();
      if (ended && !settings_.keep_terminals) break;
      const std::byte* state = bytes(words);
      out.states.insert(out.states.end(), state, state + game().packed_size());
      out.values.push_back(static_cast<float>(best_.worth.value));
      if (with_moves && !ended) {
        out.moves.numbers.push_back(best_[ply]);
        out.moves.targets.push_back(static_cast<float>(best_.worth.value));
      }
      if (with_moves) out.moves.end_state();
      if (!ended) game().apply(bytes(words), best_[ply], best_.count_of(ply));
    }
  }
  // There is no tree: the states of the best line are those that it knows a value of.
  std::size_t node_count() const override { return best_.size() ? best_.size() + 1 : 0; }
  std::size_t tree_bytes() const override {
    return (levels_.size() + 1) * gradient_.size() * sizeof(double);
  }

 private:
  struct Level {
    std::vector<double> weights;  // exp of the policy of each move
    Line best;
    int done = 0;
    int repeated = 0;  // how often in a row the moves of the best line were found again
  };

  static std::byte* bytes(std::vector<std::uint64_t>& words) {
    return reinterpret_cast<std::byte*>(words.data());
  }
  static const std::byte* bytes(const std::vector<std::uint64_t>& words) {
    return reinterpret_cast<const std::byte*>(words.data());
  }

  void clear() override {
    labels_.clear();
    best_.clear();
  }
  void set_root(const std::byte* root) override {
    if (levels_.empty()) make_tables();
    keep_line_below(root);
    std::memcpy(root_.data(), root, game().live_size(root));
    list_moves(root);
    labels_.clear();
    for (const Move move : legal_)
      labels_.push_back({move, static_cast<float>(-infinity), 0, 0, 0});
    if (best_.size()) note_playout(best_);
    begin_run();
    playing_ = false;
  }
  // The best line goes on where this root lies on it; else it is of no use.
  void keep_line_below(const std::byte* root) {
    if (!best_.size()) return;
    std::size_t plies = 0;
    while (!game().equal(bytes(root_), root)) {
      if (plies + 1 == best_.size()) return best_.clear();
      game().apply(bytes(root_), best_[plies], best_.count_of(plies));
      ++plies;
    }
    best_.drop(plies);
  }
  void make_tables() {
    const std::size_t moves = game().move_count();
    const std::size_t needed = (config_.level + std::size_t{1}) * moves * sizeof(double);
    constexpr std::size_t most = std::size_t{4} << 30;
    const std::size_t cap = settings_.memory_cap ? settings_.memory_cap : most;
    if (needed > cap)
      throw ParameterError("a memory_mb of " + std::to_string(cap >> 20) +
                           " is too little: the weights of the " + std::to_string(moves) +
                           " moves of " + game().name() + " need " +
                           std::to_string((needed >> 20) + 1));
    levels_.resize(config_.level);
    gradient_.assign(moves, 0);
  }

  void work() override {
    while (true) {
      if (is_ending() || (!playing_ && search_is_over())) {
        done_ = true;
        return;
      }
      if (!playing_) begin_playout();
      play_a_move();
      if (time_is_up()) return;
    }
  }
  void take_values(const float*, const float*) override {}

  bool search_is_over() {
    if (!best_.size()) return false;  // a move needs a line
    return is_late_for_another() || cannot_improve() || (run_is_over_ && !is_limited());
  }
  // A win, where nothing tells wins apart.
  bool cannot_improve() const {
    return settings_.terminal_evaluation.name() == "classic" && !rates_score_ &&
           best_.worth.value == static_cast<double>(Result::first_wins);
  }
  bool is_limited() const {
    const Budget& limit = budget();
    return limit.seconds > 0 || limit.cpu_seconds > 0 || limit.expansions || limit.evaluations ||
           limit.iterations;
  }

  void begin_run() {
    levels_.back().weights.assign(gradient_.size(), 1);
    begin(levels_.back());
    begin_below(levels_.size() - 1);
    run_is_over_ = false;
  }
  void begin_below(std::size_t level) {
    for (std::size_t k = level; k-- > 0;) {
      levels_[k].weights = levels_[k + 1].weights;
      begin(levels_[k]);
    }
  }
  static void begin(Level& level) {
    level.best.clear();
    level.done = level.repeated = 0;
  }

  void begin_playout() {
    if (run_is_over_) begin_run();
    std::memcpy(state_.data(), root_.data(), game().live_size(bytes(root_)));
    line_.clear();
    playing_ = true;
  }
  void list_moves(const std::byte* state) {
    game().moves(state, legal_);
    if (legal_.empty())
      throw Error(game().name() + " has no legal move in a state that was not ended: " +
                  game().position_text(state));
  }
  void play_a_move() {
    list_moves(bytes(state_));
    const std::uint32_t chosen = draw();
    line_.add(legal_, chosen);
    game().apply(bytes(state_), legal_[chosen], static_cast<std::uint32_t>(legal_.size()));
    spent_.expansions += 1;
    const Result result = game().result(bytes(state_));
    if (result != Result::ongoing) end_playout(result);
  }
  // One of the legal moves, in proportion to the weights of level 1.
  std::uint32_t draw() {
    const std::vector<double>& weights = levels_[0].weights;
    double total = 0;
    for (const Move move : legal_) total += weights[move];
    double left = random_.uniform() * total;
    const auto last = static_cast<std::uint32_t>(legal_.size()) - 1;
    for (std::uint32_t i = 0; i < last; ++i) {
      left -= weights[legal_[i]];
      if (left < 0) return i;
    }
    return last;
  }
  void end_playout(Result result) {
    line_.worth.value = settings_.terminal_evaluation(game(), bytes(state_), result);
    line_.worth.score = rates_score_ ? game().score(bytes(state_)) : 0;
    note_playout(line_);
    if (line_.worth > best_.worth) best_ = line_;
    playing_ = false;
    spent_.iterations += 1;
    back_up();
  }
  void note_playout(const Line& line) {
    MoveLabel& label = labels_[line.chosen(0)];
    label.value = std::max(label.value, static_cast<float>(line.worth.value));
    label.count += 1;
  }

  // Gives the line to level 1, and the best line of each level that is through to the one above.
  void back_up() {
    Line* found = &line_;
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      Level& level = levels_[k];
      if (found->worth >= level.best.worth) {
        level.repeated = found->has_moves_of(level.best) ? level.repeated + 1 : 0;
        std::swap(level.best, *found);
      }
      ++level.done;
      if (!is_through(level)) {
        adapt(level.weights, level.best);
        return begin_below(k);
      }
      found = &level.best;
    }
    run_is_over_ = true;
  }
  bool is_through(const Level& level) const {
    return level.done == config_.per_level ||
           (config_.repetitions > 0 && level.repeated == config_.repetitions);
  }
  // A step of gradient ascent on the logarithm of the probability of a line.
  void adapt(std::vector<double>& weights, const Line& line) {
    for (std::size_t ply = 0; ply < line.size(); ++ply) {
      const Move *begin = line.begin_of(ply), *end = line.end_of(ply);
      double total = 0;
      for (const Move* move = begin; move != end; ++move) total += weights[*move];
      for (const Move* move = begin; move != end; ++move) {
        if (gradient_[*move] == 0) touched_.push_back(*move);
        gradient_[*move] -= config_.alpha * (weights[*move] / total);
      }
      gradient_[line[ply]] += config_.alpha;
    }
    // Beyond these weights a move is certain or out of the question; their sums stay finite.
    constexpr double highest = 1e260, lowest = 1e-260;
    for (const Move move : touched_) {
      weights[move] = std::clamp(weights[move] * std::exp(gradient_[move]), lowest, highest);
      gradient_[move] = 0;
    }
    touched_.clear();
  }

  NrpaConfig config_;
  bool rates_score_;
  std::vector<std::uint64_t> root_, state_;
  std::vector<MoveLabel> labels_;  // of the root
  std::vector<Level> levels_;      // level 1 first
  Line best_;                      // of all playouts from this root
  Line line_;                      // the playout that is going on, if playing_
  bool playing_ = false;
  bool run_is_over_ = false;  // the top level has made all its searches
  MoveList legal_;
  std::vector<double> gradient_;  // scratch of adapt: 0 in between
  MoveList touched_;
};

std::unique_ptr<Search> make_nrpa(SearchSettings settings, const Parameters& given) {
  const NrpaConfig config{given.integer("level"), given.integer("per_level"), given.real("alpha"),
                          given.integer("repetitions")};
  return std::make_unique<Nrpa>(std::move(settings), config);
}

}  // namespace

AlgorithmEntry nrpa() {
  return {.name = "nrpa",
          .description = "Nested rollout policy adaptation, for games for one player; no network",
          .needs_evaluator = false,
          .asks_of_moves = asks_nothing,
          .parameters = {Parameter::integer("level", 4, 1, 20, "how deeply searches are nested"),
                         Parameter::integer("per_level", 100, 1, 1'000'000,
                                            "playouts or searches of each level"),
                         Parameter::real("alpha", 1, 0, 100, "step of the adaptation"),
                         Parameter::integer("repetitions", 0, 0, 1'000'000,
                                            "a search that has found its best moves so often "
                                            "again, in any order, ends; 0 for never")},
          .make = make_nrpa,
          .for_one_player = true};
}

}  // namespace athenan
