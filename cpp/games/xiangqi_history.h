// The memory of a match of Xiangqi that its repetition rules read: the moves that can be taken
// back.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/hash.h"
#include "games/xiangqi_board.h"

namespace athenan::xiangqi_board {

// A move without a capture that was no step forward of a soldier either.
struct QuietMove {
  std::uint8_t from = 0, to = 0, piece = 0;
  std::uint8_t checks = 0;  // did it give check?
};

// What a piece on a cell contributes to the hash of a board, the exclusive or of these words.
inline std::uint64_t word(int piece, int cell) { return mix(piece, cell); }

inline std::uint64_t extended(std::uint64_t hash, const QuietMove& move) {
  return mix(hash, move.from | move.to << 8 | move.piece << 16 | move.checks << 24);
}

// The quiet moves since the last one that was not, in order: no position from before that one can
// occur again. Taking them back one by one gives every earlier position that can.
struct History {
  static constexpr std::size_t capacity = 120;

  std::uint64_t hash = 0;    // of the moves in their order; 0 for none
  std::uint32_t size = 0;    // moves in use; the others are zero
  std::uint32_t unused = 0;  // fills the word, always zero
  std::array<QuietMove, capacity> moves{};

  void add(const QuietMove& move) {
    hash = extended(hash, move);
    moves[size++] = move;
  }
  void clear() {
    std::fill_n(moves.begin(), size, QuietMove{});
    hash = size = 0;
  }
  void mirror() {
    hash = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      moves[i].from = static_cast<std::uint8_t>(xiangqi_board::mirrored(moves[i].from));
      moves[i].to = static_cast<std::uint8_t>(xiangqi_board::mirrored(moves[i].to));
      hash = extended(hash, moves[i]);
    }
  }

  // How often the position now was there before, counted up to `most`, and whether since the
  // earliest of these occasions each move of the player who moved last, and of the other, gave
  // check.
  struct Recurrence {
    int times = 0;
    bool last_mover_checked = false, other_checked = false;
  };
  Recurrence recurrence(int most) const {
    Recurrence found;
    bool checked[2] = {true, true};  // by the player who moved last, by the other
    std::uint64_t difference = 0;    // between the hashes of the boards now and then
    for (std::uint32_t back = 1; back <= size && found.times < most; ++back) {
      const auto& [from, to, piece, checks] = moves[size - back];
      difference ^= word(piece, from) ^ word(piece, to);
      checked[(back - 1) % 2] &= checks != 0;
      if (back % 2 == 0 && difference == 0) found = {found.times + 1, checked[0], checked[1]};
    }
    return found;
  }
};

}  // namespace athenan::xiangqi_board
