// Splits independent work over threads: chunks are handed out in order, each to the next free
// thread. Results must not depend on which thread did what.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.h"

namespace athenan {

// The number of threads to use: what the caller says, or for 0 one per core.
inline int thread_count(int asked) {
  constexpr int most = 1024;
  if (asked < 0 || asked > most)
    throw ParameterError("the number of threads is from 0, which is one per core, to " +
                         std::to_string(most) + ", not " + std::to_string(asked));
  return asked > 0 ? asked : std::max(1u, std::thread::hardware_concurrency());
}

// Starts threads that work beside the caller; fewer where the system gives no more.
template <class Thread, class Work>
std::vector<Thread> helpers(std::size_t count, const Work& work) {
  std::vector<Thread> threads;
  threads.reserve(count);
  try {
    while (threads.size() < count) threads.emplace_back(work);
  } catch (const std::system_error&) {
    // Results never depend on the number of threads.
  }
  return threads;
}

// Calls work(begin, end) over [0, count) in chunks of at most `chunk`. The first exception thrown
// by any of them is thrown here.
template <class Work>
void parallel_for(std::size_t count, int threads, std::size_t chunk, Work&& work) {
  const std::size_t chunks = count / chunk + (count % chunk != 0);
  const std::size_t workers = std::min<std::size_t>(thread_count(threads), chunks);
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto run = [&] {
    try {
      for (std::size_t k; (k = next.fetch_add(1)) < chunks;)
        work(k * chunk, k * chunk + std::min(chunk, count - k * chunk));
    } catch (...) {
      next = chunks;
      const std::lock_guard hold(failure_lock);
      if (!failure) failure = std::current_exception();
    }
  };
  auto others = helpers<std::jthread>(workers > 0 ? workers - 1 : 0, run);
  run();
  others.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace athenan
