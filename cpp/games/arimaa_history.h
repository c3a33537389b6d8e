// The memory of a match of Arimaa that its repetition rule reads: hashes of positions.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "games/arimaa_board.h"

namespace athenan::arimaa_board {

// The hash of a board is the exclusive or of one word per piece. The halves of a word belong to
// the square and to its mirror image, so that mirroring a hash needs no board.
class BoardHash {
 public:
  BoardHash();
  std::uint64_t of(int piece, int square) const { return words_[piece][square]; }  // 0 for no piece
  std::uint64_t of(const Board& board) const;
  static std::uint64_t mirrored(std::uint64_t hash) { return std::rotl(hash, 32); }

 private:
  std::array<std::array<std::uint64_t, square_count>, piece_codes> words_{};
};

// A position is a board and the player to move. The word that tells the players apart is its own
// mirror image.
constexpr std::uint64_t position_hash(std::uint64_t board_hash, int to_move) {
  return to_move ? board_hash ^ 0x5bf036355bf03635 : board_hash;
}

// The positions at the starts of turns, in order; no position occurs more than twice.
struct History {
  static constexpr std::size_t capacity = 450;

  std::uint64_t sum = 0;       // over the mixed entries: equal for equal entries in any order
  std::uint32_t size = 0;      // entries in use; the others are zero
  std::uint32_t repeated = 0;  // positions that have occurred twice
  std::array<std::uint64_t, capacity> entries{};

  void add(std::uint64_t position);  // if the history is full, what it held is forgotten
  void clear();
  void mirror();
  std::uint64_t last() const { return size ? entries[size - 1] : 0; }
  bool occurred_twice(std::uint64_t position) const;

  // Hexadecimal entries joined by commas, or -.
  std::string text() const;
  static bool read(std::string_view text, History& out);
  std::string flaw() const;
};

}  // namespace athenan::arimaa_board
