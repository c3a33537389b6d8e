#include "search/search.h"

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
  budget_ = budget;
  spent_ = {};
  done_ = ending_ = false;
  waiting_count_ = 0;
  if (memory_full_) clear();  // room for the new root
  memory_full_ = false;
  clock_.start();
  set_root(root);
}

std::size_t Search::advance(TimePoint until) {
  if (waiting_count_) throw Error("advance was called before the values were received");
  until_ = until;
  if (!done_) work();
  if (done_) spent_.seconds = clock_.seconds();
  spent_.evaluations += waiting_count_;
  return waiting_count_;
}

void Search::receive(const float* values, const float* logits) {
  for (std::size_t i = 0; i < waiting_count_; ++i)
    if (!std::isfinite(values[i]))
      throw Error("the evaluator returned a value that is not a finite number");
  if (wants_policy() && !logits) throw Error("this search needs an evaluator with a policy");
  waiting_count_ = 0;
  take_values(values, logits);
}

void Search::add_waiting(const std::byte* state) {
  const std::size_t size = game().state_size();
  if (waiting_.size() < (waiting_count_ + 1) * size)
    waiting_.resize((waiting_count_ + 1) * size * 2);
  std::memcpy(waiting_.data() + waiting_count_ * size, state, game().live_size(state));
  ++waiting_count_;
}

}  // namespace athenan
