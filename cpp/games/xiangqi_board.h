// The board of Xiangqi: the pieces, how they move, and check. Repetition, how matches end and the
// notation of positions are in xiangqi.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bitboard.h"

namespace athenan::xiangqi_board {

// Cell = row * 9 + column with rank 9, Black's back rank, as row 0: a9 is 0, i0 is 89.
constexpr int rows = 10, columns = 9, cell_count = rows * columns;
using Cells = Bitboard<2>;
constexpr int mirrored(int cell) { return cell + columns - 1 - 2 * (cell % columns); }

// A piece is its kind, plus 8 if it is the second player's (Black's); 0 is no piece.
enum Kind { soldier = 1, advisor, elephant, horse, cannon, chariot, general };
constexpr int kind_count = general, piece_codes = 16;
constexpr std::array<int, 1 + kind_count> army{0, 5, 2, 2, 2, 2, 2, 1};  // pieces of each kind
constexpr std::string_view letters = ".PABNCRK.pabncrk";                 // of the pieces
constexpr int kind_of(int piece) { return piece & 7; }
constexpr int owner_of(int piece) { return piece >> 3; }

struct Board {
  std::array<Cells, 4> planes{};  // plane k holds bit k of the piece on each cell

  Cells occupied() const { return planes[0] | planes[1] | planes[2]; }
  Cells of(int player) const { return player ? planes[3] : occupied() & ~planes[3]; }
  Cells of(int player, int kind) const {
    Cells out = player ? planes[3] : ~planes[3];
    for (int k = 0; k < 3; ++k) out &= kind >> k & 1 ? planes[k] : ~planes[k];
    return out;
  }
  int piece_at(int cell) const {
    int piece = 0;
    for (int k = 0; k < 4; ++k) piece |= static_cast<int>(planes[k].test(cell)) << k;
    return piece;
  }
  void put(int cell, int piece) {  // on an empty cell
    for (int k = 0; k < 4; ++k)
      if (piece >> k & 1) planes[k].set(cell);
  }
  void clear(int cell) {
    for (Cells& plane : planes) plane.reset(cell);
  }
  void move(int from, int to) {  // takes what stands there
    const int piece = piece_at(from);
    clear(from);
    clear(to);
    put(to, piece);
  }

  Board mirrored() const;    // left and right exchanged
  std::string flaw() const;  // "" if the pieces are of two armies, each where it can come to stand
};

// What a player may do on a board: the moves of the pieces that do not leave the own general under
// attack. Generals who face each other on an open file attack each other.
class Mobility {
 public:
  Mobility(const Board& board, int player);

  bool in_check() const { return in_check_; }
  bool any() const;  // is there a legal move?
  const Cells& own() const { return own_; }
  Cells targets(int from) const;  // where the own piece on this cell may go

 private:
  Cells reach(int from) const;  // by the movement of the piece alone
  bool exposes(int from, int to) const;

  const Board* board_;
  int player_;
  Cells own_, occupied_;
  // The enemies that can attack a general; the enemy general counts as a chariot, for it sees along
  // files, and along no row, as the palaces are on different ones.
  Cells chariots_, cannons_, horses_, soldiers_;
  int general_;
  bool in_check_ = false;
  // Without check only moves from or to these cells can expose the general, and its own moves.
  Cells watched_from_, watched_to_;
};

}  // namespace athenan::xiangqi_board
