// Many matches advancing together on threads. collect() runs every match until it needs values and
// encodes all waiting states into one buffer per evaluator; resume() hands the values back. Each
// search stays sequential, so that a record depends on its plan alone.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "base/thread_pool.h"
#include "games/bulk.h"
#include "matches/match.h"

namespace athenan {

class Pool {
 public:
  // `slots` matches at a time. The memory, if any, must not change during collect().
  Pool(std::shared_ptr<const Game> game, std::vector<MindSpec> minds, Learning learning, int slots,
       int threads, const ResolvedMemory* memory);

  // Queues a match; plans start in the order they were added.
  void add(MatchPlan plan);
  std::size_t queued() const { return plans_.size(); }

  // Lets every match go on until it needs values or ends. False when the time `until` came first:
  // then it is to be called again before there is a batch.
  bool collect(TimePoint until = TimePoint::max());
  // States that wait for values, over all evaluators; 0 after collect(): every match has ended.
  std::size_t waiting() const;
  int evaluators() const { return static_cast<int>(batches_.size()); }
  // The encoded waiting states of one evaluator: [batch_size, planes, rows, columns].
  const std::int8_t* planes(int evaluator) const { return batches_.at(evaluator).planes.data(); }
  std::size_t batch_size(int evaluator) const { return batches_.at(evaluator).count; }
  bool wants_policy(int evaluator) const { return batches_.at(evaluator).wants_policy; }
  // The legal moves of the waiting states of an evaluator, where a policy is wanted.
  const LegalMoves& moves(int evaluator) const { return batches_.at(evaluator).moves; }
  // Takes the values of all the waiting states of one evaluator, and a number for each of moves()
  // where a policy is wanted; collect() hands them out.
  void resume(int evaluator, const float* values, const float* logits);

  // The matches that ended since the last call, by index.
  std::vector<MatchRecord> take_finished();
  const Game& game() const { return *game_; }
  std::size_t tree_bytes() const;
  // The work of all matches since the pool was made, the unfinished ones included.
  Spent spent() const;

 private:
  struct Slot {
    std::unique_ptr<Match> match;
    bool playing = false;
    std::size_t waiting = 0;
    bool answered = false;   // the values of the waiting states are there
    std::size_t offset = 0;  // of its first waiting state in the batch
    LegalMoves moves;        // of its waiting states, where a policy is wanted
    Spent spent;             // a copy of the match's: summed without a walk through memory
  };
  struct Batch {
    std::vector<std::int8_t> planes;
    LegalMoves moves;
    std::vector<float> values, logits;
    std::size_t count = 0;
    bool resumed = true;
    bool wants_policy = false;
  };

  void receive(Slot& slot);
  void advance(Slot& slot, TimePoint until);
  bool start_matches();
  void lay_out_batches();
  void encode(Slot& slot);

  std::shared_ptr<const Game> game_;
  std::vector<MindSpec> minds_;
  std::vector<Slot> slots_;
  std::vector<Batch> batches_;
  std::deque<MatchPlan> plans_;
  std::vector<MatchRecord> finished_;
  std::mutex lock_;  // guards finished_ while threads run
  ThreadPool threads_;
};

}  // namespace athenan
