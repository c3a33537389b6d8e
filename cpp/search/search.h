// A search: one mind's thinking about one match. It is resumable: advance() works until it needs
// the values of some states, receive() takes them. Evaluation never happens inside.
//
//   search.begin(state, budget);
//   while (search.advance()) search.receive(evaluate(search.waiting()));
//   Move move = search.decide();
//
// The tree is kept from move to move; new_match() empties it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "games/game.h"
#include "search/budget.h"
#include "search/memory.h"
#include "search/terminal_evaluation.h"

namespace athenan {

using TimePoint = std::chrono::steady_clock::time_point;
// For how long a driver lets the engine work before it looks whether to stop.
constexpr std::chrono::milliseconds slice{10};

// The labels (c, v, r, n) of one move of the root, or of any expanded state.
struct MoveLabel {
  Move move = 0;
  float value = 0;
  std::int8_t completion = 0;
  std::uint8_t resolved = 0;
  std::uint64_t count = 0;
};

// The labels of one expanded state, for comparison with the reference and for display.
struct StateLabels {
  std::uint64_t key = 0;
  std::vector<MoveLabel> moves;
};

// What to learn of some moves of each of some states, in CSR form.
struct MoveTargets {
  std::vector<std::int64_t> offsets{0};  // the moves of state i are offsets[i]..offsets[i + 1]
  MoveList numbers;
  std::vector<float> targets;

  // Ends the moves of a state: those appended since the last call.
  void end_state() { offsets.push_back(static_cast<std::int64_t>(numbers.size())); }
};

// States with their values: packed_size bytes each, ready for learning.
struct Targets {
  std::vector<std::byte> states;
  std::vector<float> values;
  MoveTargets moves;  // of as many states; of none where values alone are learned
};

// What every search shares, whatever its algorithm.
struct SearchSettings {
  std::shared_ptr<const Game> game;
  TerminalEvaluation terminal_evaluation;
  std::size_t memory_cap = 0;   // bytes of the tree; 0: none
  bool keep_terminals = false;  // store terminal states: tree learning learns them
};

class Search {
 public:
  explicit Search(SearchSettings settings) : settings_(std::move(settings)), random_(0) {}
  virtual ~Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // Forgets the tree; all randomness of the match comes from this seed.
  void new_match(std::uint64_t seed) {
    random_ = Random(seed);
    forget();
  }
  // Consulted at expansion from now on; may be null. Not owned.
  void use_memory(const ResolvedMemory* memory);
  const ResolvedMemory* memory() const { return memory_; }

  // Starts to think about a state that is not ended. Throws Error while values are waited for.
  void begin(const std::byte* root, const Budget& budget);
  bool has_begun() const { return begun_; }
  // Works until values are needed and returns the number of waiting states. 0 when the search is
  // over, or when the time `until` has come: then is_over() is false and advance() goes on. After
  // an exception from the rules the tree is forgotten.
  std::size_t advance(TimePoint until = TimePoint::max());
  bool is_over() const { return done_; }
  // Ends the search as if its budget were spent. Values that are waited for are still needed.
  void end_soon() { ending_ = true; }
  // Ends it without the values that are waited for: the expansion that asked for them is taken
  // back. False, and end_soon(), if no move of the root would be known then: they are needed.
  bool cut();
  // Counts time of the processor that was spent elsewhere for this search.
  void charge(double cpu_seconds) { cpu_seconds_ += cpu_seconds; }
  // The waiting states, game.state_size() bytes each.
  const std::byte* waiting() const { return waiting_.data(); }
  std::size_t waiting_count() const { return waiting_count_; }
  // One value per waiting state. `logits`, where the search wants_logits(), holds one number per
  // legal move of each waiting state, one state after the other. Throws Error for a value that is
  // not a finite number. Values that are not `whole` are guesses among them: they decide on this
  // move, and the tree is forgotten before the next one.
  void receive(const float* values, const float* logits = nullptr, bool whole = true);
  // Whether the states that wait now need numbers for their moves too.
  virtual bool wants_logits() const { return false; }

  // Whether the moves of the root are known: only then may what follows be asked for.
  virtual bool has_moves() const = 0;
  virtual std::vector<MoveLabel> root_moves() const = 0;
  // The value v(s) of the root.
  virtual float root_value() const = 0;
  // The move this algorithm plays after its search.
  virtual Move decide() = 0;
  // What a policy is to learn of the root: a share for each of root_moves(), 1 in all. Here how
  // often each move was selected.
  virtual std::vector<float> root_policy() const;
  // Proven: the outcome of the root under best play is known.
  virtual bool root_resolved() const { return false; }
  virtual std::int8_t root_completion() const { return 0; }
  // The moves that both players prefer from the root on.
  virtual std::vector<Move> principal_variation() const = 0;
  // A move of the root and those that both players prefer after it, as far as the tree knows.
  virtual std::vector<Move> line_after(Move move) const { return {move}; }
  // The labels of the state that these moves lead to from the root; none if it was not expanded.
  virtual std::vector<MoveLabel> labels_after(const std::vector<Move>&) const { return {}; }
  // For each of these labels after how many plies, with its move, a proven win is over at the
  // latest
  // (`proof.h`); nothing where no win is proven. None of a search that proves nothing.
  virtual std::vector<std::optional<std::uint32_t>> proof_lengths_after(
      const std::vector<Move>&) const {
    return {};
  }

  virtual std::vector<StateLabels> all_labels() const = 0;
  // Every terminal state of the tree, and every one that has values from below, with its value: the
  // data of tree learning. With moves also the values of those moves of each that lead to a state
  // whose value is known; none of a search that keeps no such values.
  virtual void collect_targets(Targets& out, bool with_moves = false) const = 0;
  virtual std::size_t node_count() const = 0;
  virtual std::size_t tree_bytes() const = 0;
  // States resolved since the match began, for the memory of resolved states.
  virtual const std::vector<Resolved>& newly_resolved() const { return nothing_resolved_; }

  const Spent& spent() const { return spent_; }
  // The tree reached its memory cap, which ended the search.
  bool memory_full() const { return memory_full_; }
  const Game& game() const { return *settings_.game; }
  const SearchSettings& settings() const { return settings_; }
  Random& random() { return random_; }

 protected:
  virtual void clear() = 0;
  virtual void set_root(const std::byte* root) = 0;
  // Works until waiting states were added, the search is over (sets done_), or time_is_up().
  virtual void work() = 0;
  virtual void take_values(const float* values, const float* logits) = 0;
  // Takes back the expansion whose values are waited for, unless it is that of the root.
  virtual bool drop_expansion() { return false; }

  const Budget& budget() const { return budget_; }
  bool is_ending() const { return ending_; }
  bool out_of_budget() const {
    return ending_ || exhausted(budget_, spent_, clock_) ||
           (budget_.cpu_seconds > 0 &&
            cpu_seconds_ + thread_seconds() - entered_ >= budget_.cpu_seconds);
  }
  // Likewise before something that takes as long as the like of it did: it would end too late.
  bool is_late_for_another() { return out_of_budget() || (budget_.seconds > 0 && is_too_late()); }
  // To be asked once per step of work(); it looks at the clock every few steps.
  bool time_is_up() { return ++steps_ % 4 == 0 && std::chrono::steady_clock::now() >= until_; }
  void add_waiting(const std::byte* state);

  SearchSettings settings_;
  Random random_;
  const ResolvedMemory* memory_ = nullptr;
  Spent spent_;
  bool done_ = true;
  bool memory_full_ = false;

 private:
  // Runs a part of the search; what an exception leaves behind is no tree to go on with.
  template <class Work>
  void guarded(Work&& work) {
    try {
      work();
    } catch (...) {
      forget();
      throw;
    }
  }
  void forget();
  bool is_too_late();

  Budget budget_;
  Clock clock_;
  TimePoint until_;
  std::uint32_t steps_ = 0;
  bool begun_ = false;
  bool ending_ = false;
  bool guessed_ = false;     // some values of the tree are guesses
  double cpu_seconds_ = 0;   // of this search, up to the last call of advance()
  double entered_ = 0;       // the thread's, when advance() was called
  double looked_ = 0;        // when is_late_for_another() was asked last
  double longest_step_ = 0;  // seconds between two such questions; it fades
  std::vector<std::byte> waiting_;
  std::size_t waiting_count_ = 0;
  std::vector<Resolved> nothing_resolved_;
};

}  // namespace athenan
