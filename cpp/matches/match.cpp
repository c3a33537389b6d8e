#include "matches/match.h"

#include <cstring>

#include "base/error.h"
#include "base/hash.h"

namespace athenan {

Match::Match(std::shared_ptr<const Game> game, const std::vector<MindSpec>& minds,
             Learning learning, const ResolvedMemory* memory)
    : game_(std::move(game)), learning_(learning), state_(game_->state_size() / 8) {
  if (minds.empty() || minds.size() > 2)
    throw ParameterError("a match has 1 or 2 minds, not " + std::to_string(minds.size()));
  if (minds.size() == 2 && learning != Learning::none)
    throw ParameterError("learning takes matches of one mind, not of two");
  for (const MindSpec& spec : minds) {
    auto search = spec.search.make(game_, learning == Learning::tree);
    if (memory) search->use_memory(memory);
    minds_.push_back(std::make_unique<Mind>(Mind{spec, std::move(search)}));
  }
}

void Match::start(const MatchPlan& plan) {
  record_ = {};
  record_.index = plan.index;
  record_.seed = plan.seed;
  record_.first_mind = plan.first_mind;
  progress_ = plan.progress;
  searching_ = false;
  for (std::size_t k = 0; k < minds_.size(); ++k) minds_[k]->search->new_match(mix(plan.seed, k));
  game_->initial(state());
  for (const Move move : plan.opening) {
    game_->play(state(), move);
    record_.moves.push_back(move);
  }
  if (game_->result(state()) != Result::ongoing)
    throw IllegalMoveError("an opening must not end the match of " + game_->name());
}

std::size_t Match::advance(TimePoint until) {
  while (!is_over()) {
    if (!searching_) begin_turn();
    if (const std::size_t count = thinking().advance(until)) return count;
    if (!thinking().is_over()) return 0;  // the time has come
    end_turn();
    if (game_->result(state()) != Result::ongoing) finish();
  }
  return 0;
}

std::size_t Match::tree_bytes() const {
  std::size_t bytes = 0;
  for (const auto& mind : minds_) bytes += mind->search->tree_bytes();
  return bytes;
}

Spent Match::spent() const {
  Spent all = spent_;
  if (searching_) all += minds_[turn_]->search->spent();
  return all;
}

void Match::begin_turn() {
  const int player = game_->to_move(state());
  turn_ = minds_.size() == 1 ? 0 : static_cast<std::size_t>(player ^ record_.first_mind);
  Mind& mind = *minds_[turn_];
  if (mind.search->memory_full()) keep_tree(mind);  // begin() makes room by emptying the tree
  mind.search->begin(state(), mind.spec.search.budget());
  searching_ = true;
}

void Match::end_turn() {
  searching_ = false;
  Mind& mind = *minds_[turn_];
  Search& search = *mind.search;
  const auto labels = search.root_moves();
  const int player = game_->to_move(state());
  const Move move =
      mind.spec.selection
          ? labels[(*mind.spec.selection)(labels, player, progress_, search.random())].move
          : search.decide();
  record_.values.push_back(search.root_value());
  record_.spent.push_back(search.spent());
  record_.movers.push_back(static_cast<std::uint8_t>(turn_));
  spent_ += search.spent();
  record_.memory_full += search.memory_full();
  if (learning_ == Learning::root || learning_ == Learning::terminal)
    add_target(state(), search.root_value());
  game_->apply(state(), move, static_cast<std::uint32_t>(labels.size()));
  record_.moves.push_back(move);
}

void Match::finish() {
  const Mind& mind = *minds_[0];
  record_.result = game_->result(state());
  record_.end.assign(state(), state() + game_->live_size(state()));
  const float value = mind.search->settings().terminal_evaluation(*game_, state(), record_.result);
  if (learning_ == Learning::root || learning_ == Learning::terminal) add_target(state(), value);
  if (learning_ == Learning::terminal)
    std::fill(record_.targets.values.begin(), record_.targets.values.end(), value);
  for (const auto& each : minds_) keep_tree(*each);
}

void Match::keep_tree(const Mind& mind) {
  if (learning_ == Learning::tree) mind.search->collect_targets(record_.targets);
  const auto& resolved = mind.search->newly_resolved();
  record_.resolved.insert(record_.resolved.end(), resolved.begin(), resolved.end());
}

void Match::add_target(const std::byte* state, float value) {
  auto& states = record_.targets.states;
  states.insert(states.end(), state, state + game_->packed_size());
  record_.targets.values.push_back(value);
}

}  // namespace athenan
