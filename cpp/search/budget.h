// How long a search may think, and what it has done. Whichever limit comes first ends the search;
// 0 means no limit.
#pragma once

#include <time.h>

#include <chrono>
#include <cstdint>

namespace athenan {

struct Budget {
  double seconds = 0;
  double cpu_seconds = 0;  // of the processor, which other work on the machine does not use up
  std::uint64_t expansions = 0;
  std::uint64_t evaluations = 0;
  std::uint64_t iterations = 0;
};

// The work of one search. `evaluations` counts states through the network, `transpositions` the
// children that were in the tree already, by another path or from an earlier move.
struct Spent {
  std::uint64_t expansions = 0;
  std::uint64_t evaluations = 0;
  std::uint64_t iterations = 0;
  std::uint64_t transpositions = 0;
  double seconds = 0;

  Spent& operator+=(const Spent& other) {
    expansions += other.expansions;
    evaluations += other.evaluations;
    iterations += other.iterations;
    transpositions += other.transpositions;
    seconds += other.seconds;
    return *this;
  }
};

class Clock {
 public:
  void start() { begin_ = std::chrono::steady_clock::now(); }
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// The processor's time of the calling thread, in seconds.
inline double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline bool exhausted(const Budget& budget, const Spent& spent, const Clock& clock) {
  return (budget.expansions && spent.expansions >= budget.expansions) ||
         (budget.evaluations && spent.evaluations >= budget.evaluations) ||
         (budget.iterations && spent.iterations >= budget.iterations) ||
         (budget.seconds > 0 && clock.seconds() >= budget.seconds);
}

}  // namespace athenan
