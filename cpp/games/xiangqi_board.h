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

constexpr bool on_board(int row, int column) {
  return row >= 0 && row < rows && column >= 0 && column < columns;
}
constexpr bool in_palace(int row, int column) {
  return on_board(row, column) && (row <= 2 || row >= 7) && column >= 3 && column <= 5;
}
// The first player's half is the lower one.
constexpr int half_of(int row) { return row < rows / 2 ? 1 : 0; }
constexpr int cell_at(int row, int column) { return row * columns + column; }

template <class T>
using PerCell = std::array<T, cell_count>;

struct Step {
  int down, right;
};
// Towards higher cells, then towards lower ones.
constexpr std::array<Step, 4> straight{{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}};
constexpr std::array<Step, 4> diagonal{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};

// rays[d][cell]: the cells from that cell, itself not included, to the edge in direction d.
constexpr auto rays = [] {
  std::array<PerCell<Cells>, 4> out{};
  for (int d = 0; d < 4; ++d)
    for (int cell = 0; cell < cell_count; ++cell) {
      const auto [down, right] = straight[d];
      int row = cell / columns + down, column = cell % columns + right;
      for (; on_board(row, column); row += down, column += right)
        out[d][cell].set(cell_at(row, column));
    }
  return out;
}();
// The cell of a set on a ray that is nearest to where the ray begins.
constexpr int nearest(int d, const Cells& on_ray) { return d < 2 ? on_ray.first() : on_ray.last(); }

// A jump is possible while the cell `over` is empty. Cell -1: there is no such jump.
struct Jump {
  int over = -1;
  Cells to;
};
using Jumps = PerCell<std::array<Jump, 4>>;

// The horse: one step straight, to the cell that may be blocked, then one diagonally on.
constexpr Jumps horse_jumps = [] {
  Jumps out{};
  for (int cell = 0; cell < cell_count; ++cell)
    for (int d = 0; d < 4; ++d) {
      const auto [down, right] = straight[d];
      const int row = cell / columns + down, column = cell % columns + right;
      if (!on_board(row, column)) continue;
      out[cell][d].over = cell_at(row, column);
      for (const int side : {-1, 1}) {
        const int r = row + down + side * right, c = column + right + side * down;
        if (on_board(r, c)) out[cell][d].to.set(cell_at(r, c));
      }
    }
  return out;
}();
// The same jumps by where they end: `to` holds the cells from which a horse comes here over a cell.
constexpr Jumps horse_threats = [] {
  Jumps out{};
  for (int cell = 0; cell < cell_count; ++cell)
    for (int d = 0; d < 4; ++d) {
      const auto [down, right] = diagonal[d];
      const int row = cell / columns + down, column = cell % columns + right;
      if (!on_board(row, column)) continue;
      out[cell][d].over = cell_at(row, column);
      if (on_board(row + down, column)) out[cell][d].to.set(cell_at(row + down, column));
      if (on_board(row, column + right)) out[cell][d].to.set(cell_at(row, column + right));
    }
  return out;
}();
// The elephant: two steps diagonally on its own half.
constexpr Jumps elephant_jumps = [] {
  Jumps out{};
  for (int cell = 0; cell < cell_count; ++cell)
    for (int d = 0; d < 4; ++d) {
      const auto [down, right] = diagonal[d];
      const int row = cell / columns, column = cell % columns;
      const int r = row + 2 * down, c = column + 2 * right;
      if (!on_board(r, c) || half_of(r) != half_of(row)) continue;
      out[cell][d].over = cell_at(row + down, column + right);
      out[cell][d].to.set(cell_at(r, c));
    }
  return out;
}();

// One step within the palace: straight for the general, diagonally for the advisor.
constexpr PerCell<Cells> palace_steps(const std::array<Step, 4>& steps) {
  PerCell<Cells> out{};
  for (int cell = 0; cell < cell_count; ++cell)
    for (const auto [down, right] : steps) {
      const int row = cell / columns, column = cell % columns;
      if (in_palace(row, column) && in_palace(row + down, column + right))
        out[cell].set(cell_at(row + down, column + right));
    }
  return out;
}
constexpr PerCell<Cells> general_steps = palace_steps(straight);
constexpr PerCell<Cells> advisor_steps = palace_steps(diagonal);

// The soldier of a player: one step forward and, beyond the river, sideways.
constexpr auto soldier_steps = [] {
  std::array<PerCell<Cells>, 2> out{};
  for (const int player : {0, 1})
    for (int cell = 0; cell < cell_count; ++cell) {
      const int row = cell / columns, column = cell % columns, ahead = row + (player ? 1 : -1);
      if (on_board(ahead, column)) out[player][cell].set(cell_at(ahead, column));
      if (half_of(row) == player) continue;
      for (const int side : {column - 1, column + 1})
        if (on_board(row, side)) out[player][cell].set(cell_at(row, side));
    }
  return out;
}();
constexpr auto soldier_threats = [] {
  std::array<PerCell<Cells>, 2> out{};
  for (const int player : {0, 1})
    for (int from = 0; from < cell_count; ++from)
      soldier_steps[player][from].for_each([&](int to) { out[player][to].set(from); });
  return out;
}();

// places[player][kind]: where the pieces of a kind can come to stand.
constexpr auto places = [] {
  std::array<std::array<Cells, 1 + kind_count>, 2> out{};
  for (const int player : {0, 1})
    for (int kind = soldier; kind <= general; ++kind)
      for (int cell = 0; cell < cell_count; ++cell) {
        const int row = cell / columns, column = cell % columns;
        const int rank = player ? row : rows - 1 - row;  // counted from the own edge
        const bool at_home = rank <= 2 && in_palace(row, column);
        const bool possible = kind == general   ? at_home
                              : kind == advisor ? at_home && (rank + column) % 2 == 1
                              : kind == elephant
                                  ? rank <= 4 && rank % 2 == 0 && (rank + column) % 4 == 2
                              : kind == soldier ? rank >= 5 || (rank >= 3 && column % 2 == 0)
                                                : true;
        if (possible) out[player][kind].set(cell);
      }
  return out;
}();

// Each ray is cut at its nearest piece; a corner, whose own ray is empty, stands for that piece
// where there is none.
constexpr int first_corner = 0, last_corner = cell_count - 1;
inline int stop(int d, int from, const Cells& occupied) {
  Cells blockers = rays[d][from] & occupied;
  blockers.set(d < 2 ? last_corner : first_corner);
  return nearest(d, blockers);
}
inline Cells chariot_reach(int from, const Cells& occupied) {
  Cells out;
  for (int d = 0; d < 4; ++d) out |= rays[d][from] ^ rays[d][stop(d, from, occupied)];
  return out;
}
inline Cells cannon_reach(int from, const Cells& occupied) {
  Cells quiet, captures;
  for (int d = 0; d < 4; ++d) {
    const int screen = stop(d, from, occupied);
    quiet |= rays[d][from] ^ rays[d][screen];
    const Cells beyond = rays[d][screen] & occupied;
    if (beyond.any()) captures.set(nearest(d, beyond));
  }
  return (quiet & ~occupied) | captures;
}
inline Cells jump_reach(const std::array<Jump, 4>& jumps, const Cells& occupied) {
  Cells out;
  for (const Jump& jump : jumps)
    if (jump.over >= 0 && !occupied.test(jump.over)) out |= jump.to;
  return out;
}

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

  // Left and right exchanged.
  Board mirrored() const {
    Board out;
    for (int k = 0; k < 4; ++k)
      planes[k].for_each([&](int cell) { out.planes[k].set(xiangqi_board::mirrored(cell)); });
    return out;
  }
  // "" if the pieces are of two armies, each where it can come to stand.
  std::string flaw() const {
    Cells known;
    for (const int player : {0, 1})
      for (int kind = soldier; kind <= general; ++kind) {
        const Cells pieces = of(player, kind) & occupied();
        if (pieces.count() > army[kind]) return "a player has too many pieces of a kind";
        if ((pieces & ~places[player][kind]).any()) return "a piece is where it cannot have come";
        known |= pieces;
      }
    for (const Cells& plane : planes)
      if ((plane & ~known).any()) return "a cell holds no known piece or lies outside the board";
    if (of(0, general).none() || of(1, general).none()) return "a player has no general";
    return "";
  }
};

// What a player may do on a board: the moves of the pieces that do not leave the own general under
// attack. Generals who face each other on an open file attack each other.
class Mobility {
 public:
  Mobility(const Board& board, int player)
      : board_(&board),
        player_(player),
        own_(board.of(player)),
        occupied_(board.occupied()),
        chariots_(board.of(player ^ 1, chariot) | board.of(player ^ 1, general)),
        cannons_(board.of(player ^ 1, cannon)),
        horses_(board.of(player ^ 1, horse)),
        soldiers_(board.of(player ^ 1, soldier)),
        general_(board.of(player, general).first()) {
    const Cells shooters = chariots_ | cannons_;
    for (int d = 0; d < 4; ++d) {
      const Cells& ray = rays[d][general_];
      if ((ray & shooters).none()) continue;
      // A chariot attacks past no piece, a cannon past one. With one piece more or less in between,
      // a move may bring that about.
      Cells ahead = ray & occupied_, screens;
      for (int passed = 0; passed < 3 && ahead.any(); ++passed) {
        const int cell = nearest(d, ahead);
        if (shooters.test(cell)) {
          const int surplus = passed - (cannons_.test(cell) ? 1 : 0);
          if (surplus == 0) in_check_ = true;
          if (surplus == 1) watched_from_ |= screens;
          if (surplus == -1) watched_to_ |= ray ^ rays[d][cell];
        }
        if (own_.test(cell)) screens.set(cell);
        ahead &= rays[d][cell];
      }
    }
    if (horses_.any())
      for (const Jump& jump : horse_threats[general_]) {
        if ((jump.to & horses_).none()) continue;
        if (!occupied_.test(jump.over)) in_check_ = true;
        if (own_.test(jump.over)) watched_from_.set(jump.over);
      }
    if ((soldier_threats[player ^ 1][general_] & soldiers_).any()) in_check_ = true;
  }

  bool in_check() const { return in_check_; }
  // Is there a legal move?
  bool any() const {
    for (Cells left = own_; left.any(); left.reset(left.first()))
      if (targets(left.first()).any()) return true;
    return false;
  }
  const Cells& own() const { return own_; }
  // Where the own piece on this cell may go.
  Cells targets(int from) const {
    Cells out = reach(from) & ~own_;
    const bool all_doubtful = in_check_ || from == general_ || watched_from_.test(from);
    (all_doubtful ? out : out & watched_to_).for_each([&](int to) {
      if (exposes(from, to)) out.reset(to);
    });
    return out;
  }

 private:
  // By the movement of the piece alone.
  Cells reach(int from) const {
    switch (kind_of(board_->piece_at(from))) {
      case soldier:
        return soldier_steps[player_][from];
      case advisor:
        return advisor_steps[from];
      case elephant:
        return jump_reach(elephant_jumps[from], occupied_);
      case horse:
        return jump_reach(horse_jumps[from], occupied_);
      case cannon:
        return cannon_reach(from, occupied_);
      case chariot:
        return chariot_reach(from, occupied_);
      default:
        return general_steps[from];
    }
  }
  bool exposes(int from, int to) const {
    Cells occupied = occupied_;
    occupied.reset(from);
    occupied.set(to);
    const Cells others = ~Cells::cell(to);  // what stood there is taken
    const int target = from == general_ ? to : general_;
    const Cells chariots = chariots_ & others, cannons = cannons_ & others;
    for (int d = 0; d < 4; ++d) {
      const Cells& ray = rays[d][target];
      if ((ray & (chariots | cannons)).none()) continue;
      const int first = nearest(d, ray & occupied);
      if (chariots.test(first)) return true;
      const Cells beyond = rays[d][first] & occupied;
      if (beyond.any() && cannons.test(nearest(d, beyond))) return true;
    }
    for (const Jump& jump : horse_threats[target])
      if ((jump.to & horses_ & others).any() && !occupied.test(jump.over)) return true;
    return (soldier_threats[player_ ^ 1][target] & soldiers_ & others).any();
  }

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
