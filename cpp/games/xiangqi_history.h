// The memory of a match of Xiangqi that its repetition rules read: the moves that can be taken
// back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "games/xiangqi_board.h"

namespace athenan::xiangqi_board {

// A move without a capture that was no step forward of a soldier either.
struct QuietMove {
  std::uint8_t from = 0, to = 0, piece = 0;
  std::uint8_t checks = 0;  // did it give check?
};

// The quiet moves since the last one that was not, in order: no position from before that one can
// occur again. Taking them back one by one gives every earlier position that can.
struct History {
  static constexpr std::size_t capacity = 120;

  std::uint64_t hash = 0;    // of the moves in their order; 0 for none
  std::uint32_t size = 0;    // moves in use; the others are zero
  std::uint32_t unused = 0;  // fills the word, always zero
  std::array<QuietMove, capacity> moves{};

  void add(const QuietMove& move);
  void clear();
  void mirror();

  // How often the position now was there before, counted up to `most`, and whether since the
  // earliest of these occasions each move of the player who moved last, and of the other, gave
  // check.
  struct Recurrence {
    int times = 0;
    bool last_mover_checked = false, other_checked = false;
  };
  Recurrence recurrence(int most) const;
};

}  // namespace athenan::xiangqi_board
