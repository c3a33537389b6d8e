#include "matches/pool.h"

#include <algorithm>

#include "base/error.h"

namespace athenan {

Pool::Pool(std::shared_ptr<const Game> game, std::vector<MindSpec> minds, Learning learning,
           int slots, int threads, const ResolvedMemory* memory)
    : game_(std::move(game)), minds_(std::move(minds)), threads_(threads) {
  if (slots < 1) throw ParameterError("a pool has at least 1 slot, not " + std::to_string(slots));
  int evaluators = 1;
  for (const MindSpec& mind : minds_) {
    if (mind.evaluator < 0 || mind.evaluator > 1)
      throw ParameterError("a mind's evaluator is 0 or 1, not " + std::to_string(mind.evaluator));
    evaluators = std::max(evaluators, mind.evaluator + 1);
  }
  batches_.resize(evaluators);
  slots_.resize(slots);
  for (Slot& slot : slots_) slot.match = std::make_unique<Match>(game_, minds_, learning, memory);
}

void Pool::add(MatchPlan plan) { plans_.push_back(std::move(plan)); }

std::size_t Pool::collect() {
  for (const Batch& batch : batches_)
    if (!batch.resumed) throw Error("collect was called before every batch was resumed");
  threads_.run(slots_.size(), [this](std::size_t i) {
    receive(slots_[i]);
    advance(slots_[i]);
  });
  while (start_matches())
    threads_.run(slots_.size(), [this](std::size_t i) { advance(slots_[i]); });
  lay_out_batches();
  threads_.run(slots_.size(), [this](std::size_t i) { encode(slots_[i]); });
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
    if (plans_.empty()) break;
    slot.match->start(plans_.front());
    plans_.pop_front();
    slot.playing = any = true;
  }
  return any;
}

void Pool::receive(Slot& slot) {
  if (!slot.waiting) return;
  slot.waiting = 0;
  const Batch& batch = batches_[slot.match->evaluator()];
  const float* policies =
      batch.policies.empty() ? nullptr : batch.policies.data() + slot.offset * game_->move_count();
  slot.match->thinking().receive(batch.values.data() + slot.offset, policies);
}

// Plays on until values are needed or the match is over.
void Pool::advance(Slot& slot) {
  if (!slot.playing || slot.waiting) return;
  slot.waiting = slot.match->advance();
  slot.spent = slot.match->spent();
  if (slot.waiting) return;
  slot.playing = false;
  const std::lock_guard hold(lock_);
  finished_.push_back(slot.match->take_record());
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
    if (batch.planes.size() < size) batch.planes.resize(size + size / 4);
  }
}

void Pool::encode(const Slot& slot) {
  if (!slot.waiting) return;
  std::int8_t* out = batches_[slot.match->evaluator()].planes.data();
  game_->encode(slot.match->thinking().waiting(), slot.waiting, game_->state_size(),
                out + slot.offset * game_->encoded_size());
}

bool Pool::wants_policy(int evaluator) const {
  for (std::size_t k = 0; k < minds_.size(); ++k)
    if (minds_[k].evaluator == evaluator && slots_[0].match->mind_wants_policy(k)) return true;
  return false;
}

void Pool::resume(int evaluator, const float* values, const float* policies) {
  Batch& batch = batches_.at(evaluator);
  batch.resumed = true;
  batch.values.assign(values, values + batch.count);
  batch.policies.clear();
  if (policies) batch.policies.assign(policies, policies + batch.count * game_->move_count());
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

}  // namespace athenan
