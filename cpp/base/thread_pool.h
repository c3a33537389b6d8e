// Threads that stay: run() splits independent items over them and returns when all are done. For
// work that is handed out thousands of times a second, where starting threads would cost more
// than the work.
#pragma once

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace athenan {

class ThreadPool {
 public:
  // `threads` counts the caller of run(), which works too.
  explicit ThreadPool(int threads)
      : threads_(thread_count(threads)), crew_(std::make_unique<Crew>(threads_)) {}
  ~ThreadPool() { leave_to_parent(); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Calls work(i) for every i in [0, count), each by the next free thread. The first exception
  // thrown by any of them is thrown here, after all have stopped.
  void run(std::size_t count, const std::function<void(std::size_t)>& work) {
    leave_to_parent();
    if (!crew_) crew_ = std::make_unique<Crew>(threads_);
    crew_->run(count, work);
  }

 private:
  // The threads and all that they share.
  class Crew {
   public:
    explicit Crew(int threads)
        : process(getpid()), workers_(helpers<std::thread>(threads - 1, [this] { serve(); })) {}
    ~Crew() {
      {
        const std::lock_guard hold(lock_);
        stop_ = true;
      }
      wake_.notify_all();
      for (std::thread& worker : workers_) worker.join();
    }

    void run(std::size_t count, const std::function<void(std::size_t)>& work) {
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
      if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    }

    const pid_t process;

   private:
    void serve() {
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
    void take_items() {
      try {
        for (std::size_t i; (i = next_.fetch_add(1)) < count_;) (*work_)(i);
      } catch (...) {
        next_ = count_;
        const std::lock_guard hold(lock_);
        if (!failure_) failure_ = std::current_exception();
      }
    }
    // Waits a moment without sleeping: rounds often follow each other within microseconds.
    template <class Condition>
    void spin_until(Condition&& condition) const {
      constexpr int attempts = 2000;  // some ten microseconds
      for (int k = 0; k < attempts && !condition(); ++k) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
      }
    }

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

  // After fork() the threads exist in the parent alone, and a lock may be held by one of them for
  // ever: the child neither joins them nor touches what they share.
  void leave_to_parent() {
    if (crew_ && crew_->process != getpid()) static_cast<void>(crew_.release());
  }

  int threads_;
  std::unique_ptr<Crew> crew_;
};

}  // namespace athenan
