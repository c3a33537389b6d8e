#include "matches/pool.h"

#include <algorithm>

#include "base/error.h"

namespace athenan {

Pool::Pool(std::shared_ptr<const Game> game, std::vector<MindSpec> minds, Lesson lesson, int slots,
           int threads, const ResolvedMemory* memory, bool has_guests)
    : game_(std::move(game)), minds_(std::move(minds)), memory_(memory), threads_(threads) {
  constexpr int max_slots = 100'000;
  if (slots < 1 || slots > max_slots)
    throw ParameterError("a pool has from 1 to " + std::to_string(max_slots) + " slots, not " +
                         std::to_string(slots));
  int evaluators = 1;
  std::vector<MindSpec> asking = minds_;
  for (const auto& beside : {lesson.expert, lesson.chooser})
    if (beside) asking.push_back(*beside);
  for (const MindSpec& mind : asking) {
    if (mind.evaluator < 0 || mind.evaluator > 1)
      throw ParameterError("a mind's evaluator is 0 or 1, not " + std::to_string(mind.evaluator));
    evaluators = std::max(evaluators, mind.evaluator + 1);
  }
  batches_.resize(evaluators);
  slots_.resize(slots);
  for (Slot& slot : slots_)
    slot.match = std::make_unique<Match>(game_, minds_, lesson, memory, has_guests);
}

void Pool::add(MatchPlan plan) {
  const std::lock_guard hold(lock_);
  plans_.push_back(std::move(plan));
}

std::size_t Pool::queued() const {
  const std::lock_guard hold(lock_);
  return plans_.size();
}

bool Pool::collect(TimePoint until) {
  for (const Batch& batch : batches_)
    if (!batch.resumed) throw Error("collect was called before every batch was resumed");
  throw_failure();
  const ResolvedMemory::Reading reading(memory_);
  threads_.run(slots_.size(), [&](std::size_t i) {
    attempt(slots_[i], [&] {
      receive(slots_[i]);
      advance(slots_[i], until);
    });
  });
  while (start_matches())
    threads_.run(slots_.size(),
                 [&](std::size_t i) { attempt(slots_[i], [&] { advance(slots_[i], until); }); });
  throw_failure();
  for (const Slot& slot : slots_)
    if (slot.playing && !slot.waiting && !slot.asking) return false;
  lay_out_batches();
  threads_.run(slots_.size(),
               [this](std::size_t i) { attempt(slots_[i], [&] { encode(slots_[i]); }); });
  throw_failure();
  for (Batch& batch : batches_) batch.moves.clear();
  for (const Slot& slot : slots_)
    if (slot.waiting) batches_[slot.match->evaluator()].moves.append(slot.moves);
  return true;
}

template <class Work>
void Pool::attempt(Slot& slot, Work&& work) {
  try {
    work();
  } catch (...) {
    slot.playing = slot.answered = slot.asking = slot.asked = false;
    slot.waiting = 0;
    const std::lock_guard hold(lock_);
    failures_.emplace_back(slot.match->record().index, std::current_exception());
  }
}

// The first of the matches that failed, by index: what is thrown does not depend on threads. There
// is no batch then; the next call of collect() makes it.
void Pool::throw_failure() {
  if (failures_.empty()) return;
  for (Batch& batch : batches_) {
    batch.count = 0;
    batch.resumed = true;
  }
  const auto first =
      std::min_element(failures_.begin(), failures_.end(),
                       [](const auto& a, const auto& b) { return a.index < b.index; });
  const MatchFailed failed = *first;
  failures_.erase(first);
  throw failed;
}

std::size_t Pool::waiting() const {
  std::size_t total = 0;
  for (const Batch& batch : batches_) total += batch.count;
  return total;
}

// Gives the next plans to the free slots, in the order of the slots: which slot plays which match,
// and so the layout of every batch, does not depend on threads.
bool Pool::start_matches() {
  bool any = false;
  for (Slot& slot : slots_) {
    if (slot.playing) continue;
    const auto plan = next_plan();
    if (!plan) break;
    slot.playing = any = true;
    attempt(slot, [&] { slot.match->start(*plan); });
  }
  return any;
}

std::optional<MatchPlan> Pool::next_plan() {
  const std::lock_guard hold(lock_);
  if (plans_.empty()) return std::nullopt;
  MatchPlan plan = std::move(plans_.front());
  plans_.pop_front();
  return plan;
}

void Pool::receive(Slot& slot) {
  if (!slot.waiting || !slot.answered) return;
  slot.waiting = 0;
  slot.answered = false;
  const Batch& batch = batches_[slot.match->evaluator()];
  const float* logits =
      batch.logits.empty() ? nullptr : batch.logits.data() + batch.moves.offsets[slot.offset];
  slot.match->thinking().receive(batch.values.data() + slot.offset, logits);
}

// Plays on until values are needed, the match is over, or the time has come.
void Pool::advance(Slot& slot, TimePoint until) {
  if (!slot.playing || slot.waiting || slot.asking) return;
  slot.waiting = slot.match->advance(until);
  slot.asking = slot.match->is_asking();
  slot.spent = slot.match->spent();
  slot.plies = slot.match->plies();
  if (&slot == slots_.data()) show(slot.match->record());
  if (!slot.match->is_over()) return;
  slot.playing = false;
  const std::lock_guard hold(lock_);
  finished_.push_back(slot.match->take_record());
}

void Pool::show(const MatchRecord& record) {
  const std::lock_guard hold(lock_);
  if (shown_ && shown_->index == record.index && shown_->moves.size() == record.moves.size())
    return;
  shown_ = Glimpse{record.index, record.moves, record.values};
}

std::optional<Glimpse> Pool::glimpse() const {
  const std::lock_guard hold(lock_);
  return shown_;
}

void Pool::lay_out_batches() {
  for (Batch& batch : batches_) batch.count = 0;
  for (Slot& slot : slots_) {
    if (!slot.waiting) continue;
    Batch& batch = batches_[slot.match->evaluator()];
    slot.offset = batch.count;
    batch.count += slot.waiting;
  }
  for (Batch& batch : batches_) {
    batch.resumed = batch.count == 0;
    const std::size_t size = batch.count * game_->encoded_size();
    // Not resized: somebody may still look at it.
    if (batch.planes->size() < size)
      batch.planes = std::make_shared<std::vector<std::int8_t>>(size + size / 4);
  }
}

void Pool::encode(Slot& slot) {
  if (!slot.waiting) return;
  Batch& batch = batches_[slot.match->evaluator()];
  const std::byte* states = slot.match->thinking().waiting();
  game_->encode(states, slot.waiting, game_->state_size(),
                batch.planes->data() + slot.offset * game_->encoded_size());
  slot.moves.clear();
  const bool wants_logits = slot.match->thinking().wants_logits();
  for (std::size_t i = 0; i < slot.waiting; ++i)
    if (wants_logits)
      slot.moves.add_state(*game_, states + i * game_->state_size());
    else
      slot.moves.add_none();
}

void Pool::resume(int evaluator, const float* values, const float* logits) {
  Batch& batch = batches_.at(evaluator);
  if (batch.resumed)
    throw Error(
        "no values are waited for: collect makes the batch of an evaluator, and resume "
        "takes its values once");
  batch.resumed = true;
  batch.values.assign(values, values + batch.count);
  batch.logits.clear();
  if (logits) batch.logits.assign(logits, logits + batch.moves.numbers.size());
  for (Slot& slot : slots_) slot.answered |= slot.waiting && slot.match->evaluator() == evaluator;
}

std::vector<std::pair<std::uint64_t, MoveList>> Pool::take_asked() {
  std::vector<std::pair<std::uint64_t, MoveList>> out;
  for (Slot& slot : slots_) {
    if (!slot.asking || slot.asked) continue;
    slot.asked = true;
    out.emplace_back(slot.match->record().index, slot.match->record().moves);
  }
  return out;
}

Pool::Slot& Pool::asking_slot(std::uint64_t index) {
  for (Slot& slot : slots_)
    if (slot.asking && slot.match->record().index == index) return slot;
  throw Error("the guest of match " + std::to_string(index) + " was not asked for a move");
}

void Pool::answer(std::uint64_t index, Move move) {
  Slot& slot = asking_slot(index);
  slot.match->answer(move);
  slot.asking = slot.asked = false;
  if (!slot.match->is_over()) return;
  slot.playing = false;
  const std::lock_guard hold(lock_);
  finished_.push_back(slot.match->take_record());
}

MatchRecord Pool::withdraw(std::uint64_t index) {
  Slot& slot = asking_slot(index);
  slot.playing = slot.asking = slot.asked = false;
  return slot.match->take_record();
}

std::vector<MatchRecord> Pool::take_finished() {
  std::vector<MatchRecord> out;
  {
    const std::lock_guard hold(lock_);
    out.swap(finished_);
  }
  std::sort(out.begin(), out.end(),
            [](const MatchRecord& a, const MatchRecord& b) { return a.index < b.index; });
  return out;
}

std::size_t Pool::tree_bytes() const {
  std::size_t bytes = 0;
  for (const Slot& slot : slots_) bytes += slot.match->tree_bytes();
  return bytes;
}

Spent Pool::spent() const {
  Spent all;
  for (const Slot& slot : slots_) all += slot.spent;
  return all;
}

std::uint64_t Pool::plies() const {
  std::uint64_t all = 0;
  for (const Slot& slot : slots_) all += slot.plies;
  return all;
}

}  // namespace athenan
