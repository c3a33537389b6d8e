// One match, played by one mind (self-play) or by two (an arena), advancing until a mind needs
// values. A mind is a search, a way to choose the move, and the evaluator it asks.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "search/algorithms.h"
#include "search/decision.h"

namespace athenan {

// What learning takes from a match: nothing, the whole tree, the match with the values of its
// states, or the match with the value of its end.
enum class Learning : std::uint8_t { none, tree, root, terminal };

// What it takes of the moves of a state: nothing, what its search would teach a policy, or the
// values of the states that they lead to.
enum class MoveLearning : std::uint8_t { none, policy, values };

struct MindSpec {
  SearchSpec search;
  std::optional<Selection> selection;  // none: the move the search decides on
  int evaluator = 0;
};

struct Lesson {
  Learning data = Learning::none;
  MoveLearning moves = MoveLearning::none;
  // Expert iteration: of each match one state, any of those that a mind moved in, is learned, as
  // this one sees it once the match has ended.
  std::optional<MindSpec> expert = std::nullopt;
  // Thinks about each state after the mind, in a tree of its own, and chooses the move; of the mind
  // is learned.
  std::optional<MindSpec> chooser = std::nullopt;
};

// A match to be played. Equal plans give equal records, whatever else is played beside them.
struct MatchPlan {
  std::uint64_t index = 0;
  std::uint64_t seed = 0;
  MoveList opening;     // played before the minds take over
  int first_mind = 0;   // where two play: who plays first; a guest is 1
  double progress = 0;  // t / t_max, for annealed selections
};

struct MatchRecord {
  std::uint64_t index = 0;
  std::uint64_t seed = 0;
  int first_mind = 0;
  MoveList moves;                    // the opening included
  std::vector<float> values;         // v(s) of the mover's search, one per move after the opening
  std::vector<Spent> spent;          // likewise; and one of the expert, if there is one
  std::vector<std::uint8_t> movers;  // likewise: the mind that made the move
  Result result = Result::ongoing;
  std::vector<std::byte> end;    // the live bytes of the last state
  std::vector<Targets> targets;  // of each mind: what it learns
  std::vector<Resolved> resolved;
  int memory_full = 0;  // searches ended by their memory cap
};

class Match {
 public:
  // A guest plays the other side of one mind: somebody outside names its moves. Throws
  // ParameterError where two minds with a memory in common evaluate ends differently.
  Match(std::shared_ptr<const Game> game, const std::vector<MindSpec>& minds, Lesson lesson,
        const ResolvedMemory* memory, bool has_guest = false)
      : game_(std::move(game)),
        lesson_(std::move(lesson)),
        has_guest_(has_guest),
        state_(game_->state_size() / 8),
        labelled_(game_->state_size() / 8) {
    if ((lesson_.moves == MoveLearning::policy || lesson_.expert) && !learns_match())
      throw ParameterError(
          "what a policy learns comes with the states of a match: learning root or terminal");
    if (lesson_.moves == MoveLearning::values && lesson_.data != Learning::tree)
      throw ParameterError("values of moves are learned of a tree: learning tree");
    if (minds.empty() || minds.size() > 2)
      throw ParameterError("a match has 1 or 2 minds, not " + std::to_string(minds.size()));
    if (has_guest && (minds.size() > 1 || lesson_.expert))
      throw ParameterError("a guest plays against one mind");
    if (lesson_.chooser && (minds.size() > 1 || lesson_.expert || has_guest))
      throw ParameterError("a chooser chooses the moves of one mind, without expert and guest");
    for (const MindSpec& spec : minds) {
      minds_.push_back(mind_of(spec));
      if (memory) minds_.back()->search->use_memory(memory);
    }
    if (lesson_.expert) expert_ = mind_of(*lesson_.expert);
    if (lesson_.chooser) {
      chooser_ = mind_of(*lesson_.chooser);
      if (memory) chooser_->search->use_memory(memory);
    }
    if (memory && terminal_of(*minds_.front()).name() != terminal_of(*minds_.back()).name())
      throw ParameterError("a memory of resolved states needs minds of one terminal evaluation");
  }

  // Throws IllegalMoveError for an opening that is not legal or ends the match.
  void start(const MatchPlan& plan) {
    record_ = {};
    record_.targets.resize(minds_.size());
    record_.index = plan.index;
    record_.seed = plan.seed;
    record_.first_mind = plan.first_mind;
    progress_ = plan.progress;
    searching_ = asking_ = labelling_ = choosing_ = false;
    for (std::size_t k = 0; k < minds_.size(); ++k) minds_[k]->search->new_match(mix(plan.seed, k));
    if (expert_) {
      expert_->search->new_match(mix(plan.seed, minds_.size()));
      drawing_ = Random(mix(plan.seed, minds_.size() + 1));
    }
    if (chooser_) chooser_->search->new_match(mix(plan.seed, minds_.size()));
    game_->initial(state());
    for (const Move move : plan.opening) {
      game_->play(state(), move);
      record_.moves.push_back(move);
    }
    if (game_->result(state()) != Result::ongoing)
      throw IllegalMoveError("an opening must not end the match of " + game_->name());
  }
  // Plays on until values are needed (their number), the guest is asked, the match is over, or the
  // time has come (0).
  std::size_t advance(TimePoint until = TimePoint::max()) {
    while (!is_over()) {
      if (!searching_ && !asking_) begin_turn();
      if (asking_) return 0;
      if (const std::size_t count = thinking().advance(until)) return count;
      if (!thinking().is_over()) return 0;  // the time has come
      if (labelling_) {
        label();
        finish();
        continue;
      }
      if (chooser_ && !choosing_) {
        choosing_ = true;
        chooser_->search->begin(state(), chooser_->spec.search.budget());
        continue;
      }
      end_turn();
      if (game_->result(state()) == Result::ongoing) continue;
      if (expert_)
        begin_labelling();
      else
        finish();
    }
    return 0;
  }
  // Whether it is the turn of the guest.
  bool is_asking() const { return asking_; }
  // Plays the move of the guest. Throws IllegalMoveError; then the guest is still asked.
  void answer(Move move) {
    if (!asking_) throw Error("the guest of this match was not asked for a move");
    game_->play(state(), move);
    asking_ = false;
    record_.moves.push_back(move);
    record_.values.push_back(std::numeric_limits<float>::quiet_NaN());
    record_.spent.push_back({});
    record_.movers.push_back(1);
    if (game_->result(state()) != Result::ongoing) finish();
  }
  bool is_over() const { return record_.result != Result::ongoing; }
  int evaluator() const { return thinker().spec.evaluator; }
  Search& thinking() { return *thinker().search; }
  std::size_t tree_bytes() const {
    std::size_t bytes = 0;
    for (const auto& mind : minds_) bytes += mind->search->tree_bytes();
    for (const auto* beside : {expert_.get(), chooser_.get()})
      bytes += beside ? beside->search->tree_bytes() : 0;
    return bytes;
  }
  // The work of all matches played here so far, the current one included.
  Spent spent() const {
    Spent all = spent_;
    if (searching_) all += thinker().search->spent();
    if (choosing_) all += minds_[turn_]->search->spent();
    return all;
  }
  // The moves of all matches played here so far, openings aside.
  std::uint64_t plies() const { return plies_; }
  const MatchRecord& record() const { return record_; }
  MatchRecord take_record() { return std::move(record_); }

 private:
  struct Mind {
    MindSpec spec;
    std::unique_ptr<Search> search;
  };

  std::unique_ptr<Mind> mind_of(const MindSpec& spec) const {
    return std::make_unique<Mind>(
        Mind{spec, spec.search.make(game_, lesson_.data == Learning::tree)});
  }
  const Mind& thinker() const {
    return labelling_ ? *expert_ : choosing_ ? *chooser_ : *minds_[turn_];
  }

  const std::byte* state() const { return reinterpret_cast<const std::byte*>(state_.data()); }
  std::byte* state() { return reinterpret_cast<std::byte*>(state_.data()); }
  void begin_turn() {
    const int player = game_->to_move(state());
    const auto side = static_cast<std::size_t>(player ^ record_.first_mind);
    if (has_guest_ && side == 1) {
      asking_ = true;
      return;
    }
    turn_ = minds_.size() == 1 ? 0 : side;
    Mind& mind = *minds_[turn_];
    if (expert_ && drawing_.below(static_cast<std::uint32_t>(record_.values.size() + 1)) == 0)
      drawn_.assign(state(), state() + game_->live_size(state()));
    if (mind.search->memory_full()) keep_tree(turn_);  // begin() makes room by emptying the tree
    mind.search->begin(state(), mind.spec.search.budget());
    searching_ = true;
  }
  void end_turn() {
    const Mind& decider = thinker();
    const Search& search = *minds_[turn_]->search;
    const auto labels = decider.search->root_moves();
    const int player = game_->to_move(state());
    const Move move =
        decider.spec.selection
            ? labels[(*decider.spec.selection)(labels, player, progress_, record_.moves.size(),
                                               decider.search->random())]
                  .move
            : decider.search->decide();
    Spent spent = search.spent();
    if (choosing_) spent += decider.search->spent();
    record_.values.push_back(decider.search->root_value());
    record_.spent.push_back(spent);
    record_.movers.push_back(static_cast<std::uint8_t>(turn_));
    spent_ += spent;
    record_.memory_full += search.memory_full() + (choosing_ && decider.search->memory_full());
    searching_ = choosing_ = false;
    if (learns_match() && !expert_) {
      add_target(turn_, search.root_value());
      add_moves(turn_, search);
    }
    game_->apply(state(), move, static_cast<std::uint32_t>(labels.size()));
    record_.moves.push_back(move);
    plies_ += 1;
  }
  // Puts the state that was drawn before the expert.
  void begin_labelling() {
    labelling_ = searching_ = true;
    auto* drawn = reinterpret_cast<std::byte*>(labelled_.data());
    std::memcpy(drawn, drawn_.data(), drawn_.size());
    expert_->search->begin(drawn, expert_->spec.search.budget());
  }
  // What the expert found about it, and how the match ended, is all that is learned.
  void label() {
    labelling_ = searching_ = false;
    const Search& search = *expert_->search;
    const TerminalEvaluation& terminal = search.settings().terminal_evaluation;
    Targets& targets = record_.targets[0];
    targets.states.assign(drawn_.begin(), drawn_.begin() + game_->packed_size());
    targets.values = {lesson_.data == Learning::root
                          ? search.root_value()
                          : terminal(*game_, state(), game_->result(state()))};
    add_moves(0, search);
    record_.spent.push_back(search.spent());
    spent_ += search.spent();
    record_.memory_full += search.memory_full();
  }
  void finish() {
    record_.result = game_->result(state());
    record_.end.assign(state(), state() + game_->live_size(state()));
    for (std::size_t k = 0; k < minds_.size(); ++k) {
      const float value = terminal_of(*minds_[k])(*game_, state(), record_.result);
      if (learns_match() && !expert_) {
        add_target(k, value);
        if (lesson_.moves != MoveLearning::none) record_.targets[k].moves.end_state();
      }
      auto& values = record_.targets[k].values;
      if (lesson_.data == Learning::terminal && !expert_)
        std::fill(values.begin(), values.end(), value);
      keep_tree(k);
    }
  }
  void keep_tree(std::size_t k) {
    const Search& search = *minds_[k]->search;
    if (lesson_.data == Learning::tree)
      search.collect_targets(record_.targets[k], lesson_.moves == MoveLearning::values);
    const auto& resolved = search.newly_resolved();
    record_.resolved.insert(record_.resolved.end(), resolved.begin(), resolved.end());
  }
  bool learns_match() const {
    return lesson_.data == Learning::root || lesson_.data == Learning::terminal;
  }
  // What a search found about the moves of its root, if that is learned.
  void add_moves(std::size_t k, const Search& search) {
    if (lesson_.moves == MoveLearning::none) return;
    MoveTargets& moves = record_.targets[k].moves;
    for (const MoveLabel& label : search.root_moves()) moves.numbers.push_back(label.move);
    const auto shares = search.root_policy();
    moves.targets.insert(moves.targets.end(), shares.begin(), shares.end());
    moves.end_state();
  }
  // The state of the match with a value for a mind to learn.
  void add_target(std::size_t k, float value) {
    Targets& targets = record_.targets[k];
    targets.states.insert(targets.states.end(), state(), state() + game_->packed_size());
    targets.values.push_back(value);
  }
  static const TerminalEvaluation& terminal_of(const Mind& mind) {
    return mind.search->settings().terminal_evaluation;
  }

  std::shared_ptr<const Game> game_;
  std::vector<std::unique_ptr<Mind>> minds_;
  Lesson lesson_;
  bool has_guest_;
  bool asking_ = false;            // the guest is to move
  std::unique_ptr<Mind> expert_;   // null but in expert iteration
  bool labelling_ = false;         // the match has ended, and the expert thinks
  std::unique_ptr<Mind> chooser_;  // null where the minds choose their moves
  bool choosing_ = false;          // the mind has thought, and the chooser thinks
  Random drawing_;                 // of the state that it is given,
  std::vector<std::byte> drawn_;   // which is drawn while the match goes on
  std::size_t turn_ = 0;           // the mind to move
  bool searching_ = false;
  double progress_ = 0;
  std::vector<std::uint64_t> state_, labelled_;
  MatchRecord record_;
  Spent spent_;  // of the searches that have ended
  std::uint64_t plies_ = 0;
};

}  // namespace athenan
