// Splits independent work over threads: chunks are handed out in order, each to the next free
// thread. Results must not depend on which thread did what.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace athenan {

// The number of threads to use when the caller says 0: one per core.
inline int thread_count(int asked) {
  return asked > 0 ? asked : std::max(1u, std::thread::hardware_concurrency());
}

// Calls work(begin, end) over [0, count) in chunks of at most `chunk`. The first exception thrown
// by any of them is thrown here.
template <class Work>
void parallel_for(std::size_t count, int threads, std::size_t chunk, Work&& work) {
  const std::size_t chunks = (count + chunk - 1) / chunk;
  const std::size_t workers = std::min<std::size_t>(thread_count(threads), chunks);
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto run = [&] {
    try {
      for (std::size_t k; (k = next.fetch_add(1)) < chunks;)
        work(k * chunk, std::min(count, (k + 1) * chunk));
    } catch (...) {
      next = chunks;
      const std::lock_guard hold(failure_lock);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t w = 1; w < workers; ++w) others.emplace_back(run);
  run();
  others.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace athenan
