#include "base/thread_pool.h"

#include "base/parallel.h"

namespace athenan {

ThreadPool::ThreadPool(int threads) {
  for (int k = 1; k < thread_count(threads); ++k) workers_.emplace_back([this] { serve(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard hold(lock_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

template <class Condition>
void ThreadPool::spin_until(Condition&& condition) const {
  constexpr int attempts = 2000;  // some ten microseconds
  for (int k = 0; k < attempts && !condition(); ++k) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

void ThreadPool::run(std::size_t count, const std::function<void(std::size_t)>& work) {
  {
    const std::lock_guard hold(lock_);
    work_ = &work;
    count_ = count;
    next_ = 0;
    busy_ = workers_.size();
    failure_ = nullptr;
    ++round_;
  }
  wake_.notify_all();
  take_items();
  spin_until([this] { return busy_ == 0; });
  std::unique_lock hold(lock_);
  idle_.wait(hold, [this] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadPool::serve() {
  std::uint64_t seen = 0;
  while (true) {
    spin_until([&] { return round_ != seen; });
    {
      std::unique_lock hold(lock_);
      wake_.wait(hold, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
    }
    take_items();
    const std::lock_guard hold(lock_);
    if (--busy_ == 0) idle_.notify_one();
  }
}

void ThreadPool::take_items() {
  try {
    for (std::size_t i; (i = next_.fetch_add(1)) < count_;) (*work_)(i);
  } catch (...) {
    next_ = count_;
    const std::lock_guard hold(lock_);
    if (!failure_) failure_ = std::current_exception();
  }
}

}  // namespace athenan
