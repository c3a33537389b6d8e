#include "search/search.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"

namespace athenan {

void Search::use_memory(const ResolvedMemory* memory) {
  if (memory && settings_.terminal_evaluation.depends_on_path())
    throw ParameterError(
        "the memory of resolved states is not sound with the terminal evaluation " +
        settings_.terminal_evaluation.name() +
        ", whose values depend on the path; use another one or no memory");
  memory_ = memory;
}

void Search::begin(const std::byte* root, const Budget& budget) {
  if (game().result(root) != Result::ongoing)
    throw Error("the match of " + game().name() + " is over: there is nothing to search");
  if (waiting_count_)
    throw Error(
        "begin was called while values are waited for: receive them, or call new_match to forget "
        "them");
  budget_ = budget;
  spent_ = {};
  if (memory_full_ || guessed_) clear();  // room for the new root
  done_ = ending_ = memory_full_ = guessed_ = false;
  begun_ = true;
  cpu_seconds_ = looked_ = longest_step_ = 0;
  clock_.start();
  guarded([&] { set_root(root); });
}

void Search::forget() {
  clear();
  begun_ = memory_full_ = guessed_ = false;
  done_ = true;
  waiting_count_ = 0;
}

std::size_t Search::advance(TimePoint until) {
  if (!begun_) throw Error("advance was called before begin: the search has no state yet");
  if (waiting_count_) throw Error("advance was called before the values were received");
  until_ = until;
  entered_ = budget_.cpu_seconds > 0 ? thread_seconds() : 0;
  if (!done_) guarded([this] { work(); });
  if (budget_.cpu_seconds > 0) cpu_seconds_ += thread_seconds() - entered_;
  if (done_) spent_.seconds = clock_.seconds();
  spent_.evaluations += waiting_count_;
  return waiting_count_;
}

bool Search::cut() {
  if (done_) return true;
  if (!waiting_count_ || !drop_expansion()) {
    end_soon();
    return !waiting_count_;
  }
  spent_.evaluations -= waiting_count_;
  spent_.expansions -= 1;
  spent_.seconds = clock_.seconds();
  waiting_count_ = 0;
  return done_ = true;
}

bool Search::is_too_late() {
  constexpr double fading = 0.9;
  const double now = clock_.seconds();
  if (looked_ > 0) longest_step_ = std::max(now - looked_, fading * longest_step_);
  looked_ = now;
  return now + longest_step_ > budget_.seconds;
}

void Search::receive(const float* values, const float* logits, bool whole) {
  if (!waiting_count_) throw Error("receive was called while no state waits for a value");
  for (std::size_t i = 0; i < waiting_count_; ++i)
    if (!std::isfinite(values[i]))
      throw Error("the evaluator returned a value that is not a finite number");
  if (wants_logits() && !logits)
    throw Error("this search needs an evaluator that gives a number to each move");
  waiting_count_ = 0;
  guessed_ |= !whole;
  guarded([&] { take_values(values, logits); });
}

std::vector<float> Search::root_policy() const {
  const auto labels = root_moves();
  double total = 0;
  for (const MoveLabel& label : labels) total += static_cast<double>(label.count);
  std::vector<float> shares;
  for (const MoveLabel& label : labels)
    shares.push_back(static_cast<float>(static_cast<double>(label.count) / std::max(1.0, total)));
  return shares;
}

void Search::add_waiting(const std::byte* state) {
  const std::size_t size = game().state_size();
  if (waiting_.size() < (waiting_count_ + 1) * size)
    waiting_.resize((waiting_count_ + 1) * size * 2);
  std::memcpy(waiting_.data() + waiting_count_ * size, state, game().live_size(state));
  ++waiting_count_;
}

}  // namespace athenan
