// One match, played by one mind (self-play) or by two (an arena), advancing until a mind needs
// values. A mind is a search, a way to choose the move, and the evaluator it asks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/algorithms.h"
#include "search/decision.h"

namespace athenan {

// What learning takes from a match: nothing, the whole tree, the match with the values of its
// states, or the match with the value of its end.
enum class Learning : std::uint8_t { none, tree, root, terminal };

struct MindSpec {
  SearchSpec search;
  std::optional<Selection> selection;  // none: the move the search decides on
  int evaluator = 0;
};

// A match to be played. Equal plans give equal records, whatever else is played beside them.
struct MatchPlan {
  std::uint64_t index = 0;
  std::uint64_t seed = 0;
  MoveList opening;     // played before the minds take over
  int first_mind = 0;   // with two minds: who plays first
  double progress = 0;  // t / t_max, for annealed selections
};

struct MatchRecord {
  std::uint64_t index = 0;
  std::uint64_t seed = 0;
  int first_mind = 0;
  MoveList moves;                    // the opening included
  std::vector<float> values;         // v(s) of the mover's search, one per move after the opening
  std::vector<Spent> spent;          // likewise
  std::vector<std::uint8_t> movers;  // likewise: the mind that made the move
  Result result = Result::ongoing;
  std::vector<std::byte> end;  // the live bytes of the last state
  Targets targets;
  std::vector<Resolved> resolved;
  int memory_full = 0;  // searches ended by their memory cap
};

class Match {
 public:
  // Throws ParameterError where learning is asked of two minds.
  Match(std::shared_ptr<const Game> game, const std::vector<MindSpec>& minds, Learning learning,
        const ResolvedMemory* memory);

  // Throws IllegalMoveError for an opening that is not legal or ends the match.
  void start(const MatchPlan& plan);
  // Plays on until values are needed (their number), the match is over, or the time has come (0).
  std::size_t advance(TimePoint until = TimePoint::max());
  bool is_over() const { return record_.result != Result::ongoing; }
  int evaluator() const { return minds_[turn_]->spec.evaluator; }
  Search& thinking() { return *minds_[turn_]->search; }
  bool mind_wants_policy(std::size_t k) const { return minds_.at(k)->search->wants_policy(); }
  std::size_t tree_bytes() const;
  // The work of all matches played here so far, the current one included.
  Spent spent() const;
  const MatchRecord& record() const { return record_; }
  MatchRecord take_record() { return std::move(record_); }

 private:
  struct Mind {
    MindSpec spec;
    std::unique_ptr<Search> search;
  };

  const std::byte* state() const { return reinterpret_cast<const std::byte*>(state_.data()); }
  std::byte* state() { return reinterpret_cast<std::byte*>(state_.data()); }
  void begin_turn();
  void end_turn();
  void finish();
  void keep_tree(const Mind& mind);
  void add_target(const std::byte* state, float value);

  std::shared_ptr<const Game> game_;
  std::vector<std::unique_ptr<Mind>> minds_;
  Learning learning_;
  std::size_t turn_ = 0;  // the mind to move
  bool searching_ = false;
  double progress_ = 0;
  std::vector<std::uint64_t> state_;
  MatchRecord record_;
  Spent spent_;  // of the searches that have ended
};

}  // namespace athenan
