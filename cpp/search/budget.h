// How long a search may think, and what it has done. Whichever limit comes first ends the search;
// 0 means no limit.
#pragma once

#include <chrono>
#include <cstdint>

namespace athenan {

struct Budget {
  double seconds = 0;
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

inline bool exhausted(const Budget& budget, const Spent& spent, const Clock& clock) {
  return (budget.expansions && spent.expansions >= budget.expansions) ||
         (budget.evaluations && spent.evaluations >= budget.evaluations) ||
         (budget.iterations && spent.iterations >= budget.iterations) ||
         (budget.seconds > 0 && clock.seconds() >= budget.seconds);
}

}  // namespace athenan
