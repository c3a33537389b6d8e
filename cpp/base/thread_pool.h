// Threads that stay: run() splits independent items over them and returns when all are done. For
// work that is handed out thousands of times a second, where starting threads would cost more
// than the work.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace athenan {

class ThreadPool {
 public:
  // `threads` counts the caller of run(), which works too.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }
  // Calls work(i) for every i in [0, count), each by the next free thread. The first exception
  // thrown by any of them is thrown here, after all have stopped.
  void run(std::size_t count, const std::function<void(std::size_t)>& work);

 private:
  void serve();
  void take_items();
  // Waits a moment without sleeping: rounds often follow each other within microseconds.
  template <class Condition>
  void spin_until(Condition&& condition) const;

  std::mutex lock_;
  std::condition_variable wake_, idle_;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<std::size_t> busy_{0};
  bool stop_ = false;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::exception_ptr failure_;
  std::vector<std::thread> workers_;
};

}  // namespace athenan
