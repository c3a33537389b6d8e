// Many matches advancing together on threads. collect() runs every match until it needs values and
// encodes all waiting states into one buffer per evaluator; resume() hands the values back. Each
// search stays sequential, so that a record depends on its plan alone.
#pragma once

#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/thread_pool.h"
#include "games/bulk.h"
#include "matches/match.h"

namespace athenan {

// A match was given up: an opening or a value was refused, or the rules threw an exception.
struct MatchFailed : std::exception {
  MatchFailed(std::uint64_t index, std::exception_ptr reason)
      : index(index), reason(std::move(reason)) {}
  const char* what() const noexcept override { return "a match was given up"; }

  std::uint64_t index;
  std::exception_ptr reason;
};

// A match as far as it has come: its moves, the opening included, and the values of the minds.
struct Glimpse {
  std::uint64_t index = 0;
  MoveList moves;
  std::vector<float> values;
};

class Pool {
 public:
  // `slots` matches at a time. The memory, if any, must not change during collect().
  Pool(std::shared_ptr<const Game> game, std::vector<MindSpec> minds, Lesson lesson, int slots,
       int threads, const ResolvedMemory* memory, bool has_guests = false);

  // Queues a match; plans start in the order they were added. Any thread may do so.
  void add(MatchPlan plan);
  std::size_t queued() const;

  // Lets every match go on until it needs values or the move of its guest, or ends. False when the
  // time `until` came first: then it is to be called again before there is a batch. Throws
  // MatchFailed once for a match that had to be given up; the others go on with the next call.
  bool collect(TimePoint until = TimePoint::max());
  // States that wait for values, over all evaluators; 0 after collect(): every match has ended, or
  // waits for its guest.
  std::size_t waiting() const;
  int evaluators() const { return static_cast<int>(batches_.size()); }
  // The encoded waiting states of one evaluator: [batch_size, planes, rows, columns]. The buffer is
  // used again by the next batch, or replaced by a larger one.
  using Planes = std::shared_ptr<std::vector<std::int8_t>>;
  const Planes& planes(int evaluator) const { return batches_.at(evaluator).planes; }
  std::size_t batch_size(int evaluator) const { return batches_.at(evaluator).count; }
  // Whether numbers for moves are wanted too, of some of these states at least.
  bool wants_logits(int evaluator) const { return !batches_.at(evaluator).moves.numbers.empty(); }
  // The legal moves of those waiting states of an evaluator that want numbers for them.
  const LegalMoves& moves(int evaluator) const { return batches_.at(evaluator).moves; }
  // Takes the values of all the waiting states of one evaluator, and a number for each of moves()
  // where there are any; collect() hands them out. Throws Error where none are waited for.
  void resume(int evaluator, const float* values, const float* logits);

  // The match of the first slot, for whoever wants to watch one: under way, or the last that ended
  // there. Any thread may ask, also while the pool advances.
  std::optional<Glimpse> glimpse() const;

  // The matches whose guests are asked for a move since the last call: the index of each, and its
  // moves so far.
  std::vector<std::pair<std::uint64_t, MoveList>> take_asked();
  // Plays the move of a guest. Throws Error where it was not asked, IllegalMoveError where it may
  // not play so: then it is still asked.
  void answer(std::uint64_t index, Move move);
  // Gives up a match whose guest is asked, and returns what was played.
  MatchRecord withdraw(std::uint64_t index);

  // The matches that ended since the last call, by index.
  std::vector<MatchRecord> take_finished();
  const Game& game() const { return *game_; }
  std::size_t tree_bytes() const;
  // The work of all matches since the pool was made, the unfinished ones included.
  Spent spent() const;
  // Their moves, openings aside.
  std::uint64_t plies() const;

 private:
  struct Slot {
    std::unique_ptr<Match> match;
    bool playing = false;
    std::size_t waiting = 0;
    bool asking = false;      // the guest is to move,
    bool asked = false;       // and somebody knows it
    bool answered = false;    // the values of the waiting states are there
    std::size_t offset = 0;   // of its first waiting state in the batch
    LegalMoves moves;         // of its waiting states, where numbers for them are wanted
    Spent spent;              // a copy of the match's: summed without a walk through memory
    std::uint64_t plies = 0;  // likewise
  };
  struct Batch {
    Planes planes = std::make_shared<std::vector<std::int8_t>>();
    LegalMoves moves;
    std::vector<float> values, logits;
    std::size_t count = 0;
    bool resumed = true;
  };

  // Does a part of a slot's work; if that fails, its match is given up.
  template <class Work>
  void attempt(Slot& slot, Work&& work);
  void throw_failure();
  Slot& asking_slot(std::uint64_t index);
  void receive(Slot& slot);
  void advance(Slot& slot, TimePoint until);
  void show(const MatchRecord& record);
  bool start_matches();
  std::optional<MatchPlan> next_plan();
  void lay_out_batches();
  void encode(Slot& slot);

  std::shared_ptr<const Game> game_;
  std::vector<MindSpec> minds_;
  std::vector<Slot> slots_;
  std::vector<Batch> batches_;
  std::deque<MatchPlan> plans_;
  std::vector<MatchRecord> finished_;
  std::vector<MatchFailed> failures_;  // still to be told
  std::optional<Glimpse> shown_;
  mutable std::mutex lock_;  // guards plans_, finished_, failures_ and shown_
  const ResolvedMemory* memory_;
  ThreadPool threads_;
};

}  // namespace athenan
