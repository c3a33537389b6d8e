// A request to end long work early. Any thread may make it, a signal handler too; the work looks at
// it every few milliseconds at the latest.
#pragma once

#include <atomic>
#include <exception>

namespace athenan {

class Stop {
 public:
  void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_{false};
};

// Thrown by work that was asked to stop and has no partial result.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped on request"; }
};

inline void throw_if_requested(const Stop* stop) {
  if (stop && stop->requested()) throw Stopped();
}

}  // namespace athenan
