// Unbroken lines of stones on a bitboard. A step is the distance between neighbours of a line. The
// game leaves gaps between the rows of its board, so that no line runs over an edge.
#pragma once

#include "base/bitboard.h"

namespace athenan {

// How many stones follow each other from `from` on, `from` included.
template <int Words>
constexpr int run_from(const Bitboard<Words>& stones, int from, int step) {
  int length = 0;
  for (int i = from; i >= 0 && i < 64 * Words && stones.test(i); i += step) ++length;
  return length;
}

// The length of the line through a stone, both ways.
template <int Words>
constexpr int run_through(const Bitboard<Words>& stones, int stone, int step) {
  return 1 + run_from(stones, stone + step, step) + run_from(stones, stone - step, -step);
}

// The ends of all lines from which the others of the line are reached by the step, which is
// positive. A stone on its own is a line.
template <int Words>
constexpr Bitboard<Words> run_starts(const Bitboard<Words>& stones, int step) {
  return stones & ~stones.shifted_up(step);
}

}  // namespace athenan
