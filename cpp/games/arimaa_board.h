// The board of Arimaa: pieces, set-ups, freezing, traps and the steps within a turn. Turns, how
// they and matches end, and the notation of positions are in arimaa.cpp.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace athenan::arimaa_board {

// Square = row * 8 + column with rank 8 as row 0: a8 is 0, h1 is 63. A set of squares is a word.
using Squares = std::uint64_t;
constexpr int square_count = 64;
constexpr Squares bit(int square) { return Squares{1} << square; }

constexpr Squares rank_8 = 0xff, rank_1 = rank_8 << 56;
constexpr Squares file_a = 0x0101010101010101, file_h = file_a << 7;
constexpr Squares traps = bit(18) | bit(21) | bit(42) | bit(45);  // c6 f6 c3 f3

// Directions in the order n s e w, so that d ^ 1 is the opposite of d.
constexpr int direction_count = 4, north = 0, south = 1, east = 2;
constexpr std::array<int, direction_count> offsets{-8, 8, 1, -1};
constexpr Squares moved(Squares s, int direction) {
  switch (direction) {
    case north:
      return s >> 8;
    case south:
      return s << 8;
    case east:
      return (s & ~file_h) << 1;
    default:
      return (s & ~file_a) >> 1;
  }
}
constexpr Squares neighbours(Squares s) {
  return s >> 8 | s << 8 | (s & ~file_h) << 1 | (s & ~file_a) >> 1;
}

// A piece is its strength, plus 8 if it is the second player's (Silver's); 0 is no piece.
constexpr int rabbit = 1, elephant = 6, piece_codes = 16;
constexpr std::array<int, elephant + 1> army{0, 8, 2, 2, 2, 1, 1};  // pieces of each strength
constexpr std::array<int, elephant + 1> values{0, 6, 1, 2, 3, 4, 5};
constexpr int army_size = 16, army_value = 69;
constexpr std::array<const char*, elephant> piece_names{"rabbit", "cat",   "dog",
                                                        "horse",  "camel", "elephant"};
constexpr std::string_view letters = ".RCDHME..rcdhme.";  // of the pieces
constexpr int piece_of(int player, int strength) { return strength | player << 3; }
constexpr int strength_of(int piece) { return piece & 7; }
constexpr int owner_of(int piece) { return piece >> 3; }

std::string square_text(int square);

struct Board {
  std::array<Squares, 4> planes{};  // plane k holds bit k of the piece on each square

  Squares occupied() const { return planes[0] | planes[1] | planes[2]; }
  Squares of(int player) const { return player ? planes[3] : occupied() & ~planes[3]; }
  Squares of_strength(int strength) const {
    return (strength & 1 ? planes[0] : ~planes[0]) & (strength & 2 ? planes[1] : ~planes[1]) &
           (strength & 4 ? planes[2] : ~planes[2]);
  }
  Squares of(int player, int strength) const { return of(player) & of_strength(strength); }
  Squares weaker_than(int strength) const;
  int count(int player) const { return std::popcount(of(player)); }
  int count(int player, int strength) const { return std::popcount(of(player, strength)); }
  int value(int player) const;
  int piece_at(int square) const {
    int piece = 0;
    for (int k = 0; k < 4; ++k) piece |= static_cast<int>(planes[k] >> square & 1) << k;
    return piece;
  }
  void put(int square, int piece) {  // on an empty square
    for (int k = 0; k < 4; ++k) planes[k] |= static_cast<Squares>(piece >> k & 1) << square;
  }
  void clear(int square) {
    for (Squares& plane : planes) plane &= ~bit(square);
  }

  // The pieces of a player that stand on a trap without a friend beside them. A step leaves at
  // most one: no square is beside two traps.
  Squares trapped(int player) const { return traps & of(player) & ~neighbours(of(player)); }

  bool is_set_up(int placed, bool mirrored) const;  // do the first squares of the set-up fit?
  Board mirrored() const;                           // left and right exchanged
  std::string flaw() const;  // "" if the pieces are those of two armies and none is trapped
};

// The n-th square filled in the set-up: Gold's are a1 to h1, then a2 to h2, Silver's a8 to h8, then
// a7 to h7; mirrored from file h to file a.
constexpr int setup_square(int n, bool mirrored) {
  const int row = n < army_size ? 7 - n / 8 : (n - army_size) / 8, column = n % 8;
  return 8 * row + (mirrored ? 7 - column : column);
}

// A few sensible set-ups as strengths in that order; setup k ^ 1 is the mirror image of setup k.
constexpr int setup_count = 24;
std::array<int, army_size> setup(int k);
// The places in it of all pieces but the rabbits: the strongest first, and of two alike the one
// nearer to the elephant.
std::vector<int> officers_of_setup(int k);

// The square emptied by the previous step of the turn, where that matters to the next one: either
// an own piece left it and a weaker enemy beside it may be pulled in, or an enemy was pushed out
// of it and a stronger own piece must enter.
struct Vacated {
  std::uint8_t square = 0;
  std::uint8_t strength = 0;  // of the piece that left; 0 if no square matters
  std::uint8_t pushed = 0;

  // The piece that left and the square: Dc3, or - for none.
  std::string text(int player) const;
  static bool read(std::string_view text, int player, Vacated& out);
  // Is it an empty square into which `player` can pull, or with which a push can be completed?
  bool fits(const Board& board, int player) const;
  // Is an enemy of that strength pulled if it enters `to`?
  bool pulls(int weaker, int to) const { return !pushed && strength > weaker && square == to; }
  friend bool operator==(const Vacated&, const Vacated&) = default;
};

// The squares from which a piece may step, for each direction.
using Steps = std::array<Squares, direction_count>;

// The steps of a player by the rules of movement alone: repetition is not looked at.
Steps steps(const Board& board, int player, int steps_left, const Vacated& vacated);

struct Removal {
  int piece = 0;  // 0: none
  int square = 0;
};
// Moves a piece and removes the one that is then trapped.
Removal take_step(Board& board, int from, int direction);

// What `player` left behind by moving `piece` from one square to another, to the board given.
Vacated vacated_by(const Board& board, int player, const Vacated& before, int piece, int from,
                   int to);

}  // namespace athenan::arimaa_board
