// Shobu: four boards of 4x4. A turn is a passive move of an own stone on a home board, then the
// same step, direction and distance, on a board of the other colour, where it may push one stone
// of the opponent. Whoever clears one board of the opponent's stones wins.
#include <algorithm>
#include <array>
#include <bit>

#include "base/bitboard.h"
#include "base/error.h"
#include "base/grid.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

// Cell = 16 * board + 4 * row + column, row 0 at the top of each board. The boards are, as drawn,
//   0 d   1 l    the second player's home boards, dark and light
//   2 D   3 L    the first player's
// so that board & 1 is the colour and board >> 1 the side.
constexpr int size = 4, board_count = 4, board_cells = size * size;
constexpr std::string_view board_names = "dlDL";
constexpr int dark = 0, light = 1;

// A set of cells: all four boards in one word, so that one operation treats them all.
using Cells = std::uint64_t;
constexpr Cells on_all_boards(Cells cells) { return cells * 0x0001000100010001; }
constexpr Cells board_mask(int board) { return Cells{0xffff} << (board_cells * board); }
constexpr Cells bit(int cell) { return Cells{1} << cell; }
constexpr std::array<Cells, 2> colours{board_mask(0) | board_mask(2),
                                       board_mask(1) | board_mask(3)};
constexpr std::array<Cells, 2> homes{board_mask(2) | board_mask(3), board_mask(0) | board_mask(1)};

struct Direction {
  int down, right;
  constexpr int step() const { return size * down + right; }
};
constexpr int direction_count = 8, distances = 2, step_count = direction_count * distances;
constexpr std::array<Direction, direction_count> directions{
    {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}};
constexpr bool on_board(int row, int column) {
  return row >= 0 && row < size && column >= 0 && column < size;
}

// The cells with a neighbour in each direction.
constexpr auto inner = [] {
  std::array<Cells, direction_count> out{};
  for (int d = 0; d < direction_count; ++d)
    for (int cell = 0; cell < board_cells; ++cell)
      if (on_board(cell / size + directions[d].down, cell % size + directions[d].right))
        out[d] |= on_all_boards(Cells{1} << cell);
  return out;
}();
// The cells whose neighbour in direction d is one of the given.
constexpr Cells before(Cells cells, int d) {
  const int step = directions[d].step();
  return inner[d] & (step > 0 ? cells >> step : cells << -step);
}

struct Turn {
  int passive, aggressive;  // the cells that the stones leave
  int direction, distance;
};
// The own stones that can make a step of some direction and distance.
struct Movers {
  Cells passive, aggressive;
};

class Shobu {
 public:
  struct State {
    std::array<Cells, 2> stones{};
    std::uint8_t to_move = 0;
    Result result = Result::ongoing;
    std::array<std::uint8_t, 6> unused{};  // fills the last word, always zero
  };

  explicit Shobu(const Parameters& parameters)
      : loses_without_move_(parameters.choice("no_move") == "loses") {
    for (std::size_t k = 0; k < maps_.size(); ++k)
      for (int d = 0; d < direction_count; ++d) {
        constexpr int middle = 5;  // a cell with all its neighbours, as its images are
        const int step = maps_[k][middle + directions[d].step()] - maps_[k][middle];
        while (directions[turns_[k][d]].step() != step) ++turns_[k][d];
      }
  }

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Shobu";
    sheet.rows = sheet.columns = size;
    for (const char* side : {"second player's", "first player's"})
      for (const char* colour : {"dark", "light"})
        for (const char* player : {"first", "second"})
          sheet.planes.push_back(std::string(side) + ' ' + colour + " board: " + player +
                                 " player's stones");
    sheet.planes.push_back("player to move");
    sheet.move_count = 2 * board_cells * step_count * 2 * board_cells;
    sheet.move_kinds = {"dark and home light", "dark and far light", "light and home dark",
                        "light and far dark"};
    sheet.max_length = 500;
    sheet.max_length_reason =
        "stones can lock each other for good: of 30,000 random matches 3.4 % had no end after "
        "5,000 "
        "plies; the others had a mean of 197, and 94.5 % of all were over after 500";
    sheet.typical_length = 195;
    sheet.symmetry_group = "square on all boards at once, dark and light exchanged (16)";
    sheet.cyclic = true;
    sheet.has_draws = !loses_without_move_;
    sheet.move_notation =
        "D:b1b3,l:a2a4: board, from and to of the passive stone, then of the aggressive one; D and "
        "L are the first player's dark and light board, d and l the second player's; column "
        "letter, row 1 at the bottom of each board";
    sheet.position_notation =
        "the boards d, l, D, L with rows from the top, x (first player), o and numbers of empty "
        "cells, then the side to move: oooo/4/4/xxxx oooo/4/4/xxxx oooo/4/4/xxxx oooo/4/4/xxxx x";
    sheet.reference = "https://ludii.games/details.php?keyword=Shobu";
    return sheet;
  }

  State initial() const {
    State s;
    s.stones = {on_all_boards(0xf000), on_all_boards(0x000f)};
    return s;
  }

  void moves(const State& s, MoveList& out) const {
    for (int step = 0; step < step_count; ++step) {
      const Movers able = movers(s, step / distances, step % distances + 1);
      for (const int colour : {dark, light})
        Bitboard<1>{{able.passive & colours[colour]}}.for_each([&](int from) {
          Bitboard<1>{{able.aggressive & colours[colour ^ 1]}}.for_each(
              [&](int other) { out.push_back(number(from, step, other)); });
        });
    }
  }
  Move random_move(const State& s, Random& random) const {
    std::array<Movers, step_count> sets;
    std::array<int, 2 * step_count> counts;
    int total = 0;
    for (int step = 0; step < step_count; ++step) {
      sets[step] = movers(s, step / distances, step % distances + 1);
      for (const int colour : {dark, light})
        total += counts[2 * step + colour] =
            std::popcount(sets[step].passive & colours[colour]) *
            std::popcount(sets[step].aggressive & colours[colour ^ 1]);
    }
    int n = static_cast<int>(random.below(total)), k = 0;
    while (n >= counts[k]) n -= counts[k++];
    const int step = k / 2, colour = k % 2;
    const Bitboard<1> passive{{sets[step].passive & colours[colour]}};
    const Bitboard<1> aggressive{{sets[step].aggressive & colours[colour ^ 1]}};
    return number(passive.nth(n % passive.count()), step, aggressive.nth(n / passive.count()));
  }

  void apply(State& s, Move move) const {
    const Turn turn = turn_of(s, move);
    const int step = directions[turn.direction].step();
    Cells &own = s.stones[s.to_move], &other = s.stones[s.to_move ^ 1];
    own ^= bit(turn.passive) | bit(turn.passive + turn.distance * step);
    own ^= bit(turn.aggressive) | bit(turn.aggressive + turn.distance * step);
    for (int k = 1; k <= turn.distance; ++k)
      if (const int hit = turn.aggressive + k * step; other & bit(hit)) {
        const int last = turn.aggressive + turn.distance * step;
        other ^= bit(hit);
        if (inner[turn.direction] & bit(last)) other |= bit(last + step);
      }
    s.to_move ^= 1;
    s.result = ending(s);
  }

  void encode(const State& s, std::int8_t* planes) const {
    for (const int player : {0, 1})
      Bitboard<1>{{s.stones[player]}}.for_each([&](int cell) {
        const int plane = 2 * (cell / board_cells) + player;
        planes[plane * board_cells + cell % board_cells] = 1;
      });
    std::fill_n(planes + 2 * board_count * board_cells, board_cells, s.to_move);
  }

  // The moves are alike in all directions, and nothing else distinguishes dark from light.
  int symmetries() const { return static_cast<int>(2 * maps_.size()); }
  State transform(const State& s, int symmetry) const {
    State out = s;
    for (const int player : {0, 1}) {
      out.stones[player] = 0;
      Bitboard<1>{{s.stones[player]}}.for_each(
          [&](int cell) { out.stones[player] |= bit(image(cell, symmetry)); });
    }
    return out;
  }
  Move transform_move(const State& s, int symmetry, Move move) const {
    const Turn turn = turn_of(s, move);
    const int direction = turns_[symmetry % maps_.size()][turn.direction];
    return number(image(turn.passive, symmetry), distances * direction + turn.distance - 1,
                  image(turn.aggressive, symmetry));
  }

  int pieces(const State& s, int player) const { return std::popcount(s.stones[player]); }

  // From and to of the passive stone, then of the aggressive one. The planes lay the boards on top
  // of each other, so the kind names them: the passive stone's, at home, then the other's.
  MovePath move_path(const State& s, Move move) const {
    const Turn turn = turn_of(s, move);
    const int step = turn.distance * directions[turn.direction].step();
    const int passive = turn.passive % board_cells, aggressive = turn.aggressive % board_cells;
    const int colour = turn.passive / board_cells & 1;
    const bool far = turn.aggressive / (2 * board_cells) == s.to_move;
    return {2 * colour + far, grid_.path(passive, passive + step, aggressive, aggressive + step)};
  }
  std::string move_text(const State& s, Move move) const {
    const Turn turn = turn_of(s, move);
    return step_text(turn.passive, turn) + ',' + step_text(turn.aggressive, turn);
  }
  std::string position_text(const State& s) const {
    std::string text;
    for (int board = 0; board < board_count; ++board)
      text +=
          grid_.rows_text([&](int cell) { return symbol(s, board_cells * board + cell); }) + ' ';
    return text + (s.to_move ? 'o' : 'x');
  }
  State parse_position(std::string_view text) const {
    const auto words = words_of(text);
    if (words.size() != 1 + board_count || (words[board_count] != "x" && words[board_count] != "o"))
      throw PositionError("position " + in_quotes(text) +
                          " of shobu is not '<rows> <rows> <rows> <rows> x' or the same with 'o'");
    State s;
    for (int board = 0; board < board_count; ++board) {
      const std::string cells = grid_.parse_rows(words[board], "xo");
      for (int cell = 0; cell < board_cells; ++cell)
        if (cells[cell] != '.') s.stones[cells[cell] == 'o'] |= bit(board_cells * board + cell);
    }
    s.to_move = words[board_count] == "o";
    s.result = ending(s);
    return s;
  }
  std::string drawing(const State& s) const {
    std::string out;
    for (int row = 0; row < 2 * size; ++row) {
      const int side = row / size, cell = size * (row % size);
      if (cell == 0) {
        for (const int colour : {dark, light})
          out += std::string(colour == dark ? 2 : 9, ' ') + board_names[2 * side + colour];
        out += '\n';
      }
      out += std::to_string(size - row % size);
      for (const int colour : {dark, light}) {
        for (int column = 0; column < size; ++column)
          (out += ' ') += symbol(s, board_cells * (2 * side + colour) + cell + column);
        out += colour == dark ? "  " : "\n";
      }
    }
    return out + "  a b c d   a b c d\n";
  }

  std::string flaw(const State& s) const {
    if (s.stones[0] & s.stones[1]) return "stones overlap";
    for (int board = 0; board < board_count; ++board)
      for (const int player : {0, 1})
        if (std::popcount(s.stones[player] & board_mask(board)) > size)
          return "a player has more than " + std::to_string(size) + " stones on a board";
    if (s.result != ending(s)) return "the result does not fit the boards";
    return "";
  }

 private:
  // The number of a move names the colour of the passive stone's board and the side of the
  // aggressive one's; the rest follows from the player to move.
  static Move number(int passive, int step, int aggressive) {
    const int from = passive % (2 * board_cells);
    const int to = aggressive / (2 * board_cells) * board_cells + aggressive % board_cells;
    return static_cast<Move>((from * step_count + step) * 2 * board_cells + to);
  }
  static Turn turn_of(const State& s, Move move) {
    const int to = move % (2 * board_cells), step = move / (2 * board_cells) % step_count;
    const int from = static_cast<int>(move) / (2 * board_cells * step_count);
    const int colour = from / board_cells, home = s.to_move ^ 1, side = to / board_cells;
    return {2 * board_cells * home + from,
            (2 * side + (colour ^ 1)) * board_cells + to % board_cells, step / distances,
            step % distances + 1};
  }

  static Movers movers(const State& s, int d, int distance) {
    const Cells own = s.stones[s.to_move], other = s.stones[s.to_move ^ 1];
    const Cells empty = ~(own | other), home = own & homes[s.to_move];
    const Cells unbacked = ~before(own | other, d);  // beyond them is no stone: a cell or the edge
    if (distance == 1)
      return {home & before(empty, d), own & before(empty | (other & unbacked), d)};
    const Cells pushes = before(empty & before(empty | (other & unbacked), d), d) |
                         before(other & before(empty & unbacked, d), d);
    return {home & before(empty & before(empty, d), d), own & pushes};
  }
  static bool can_move(const State& s) {
    for (int step = 0; step < step_count; ++step) {
      const auto [passive, aggressive] = movers(s, step / distances, step % distances + 1);
      for (const int colour : {dark, light})
        if ((passive & colours[colour]) && (aggressive & colours[colour ^ 1])) return true;
    }
    return false;
  }

  static bool cleared(Cells stones) {
    for (int board = 0; board < board_count; ++board)
      if (!(stones & board_mask(board))) return true;
    return false;
  }
  Result ending(const State& s) const {
    const int last_mover = s.to_move ^ 1;
    if (cleared(s.stones[s.to_move])) return win_of(last_mover);
    if (cleared(s.stones[last_mover])) return win_of(s.to_move);
    if (can_move(s)) return Result::ongoing;
    return loses_without_move_ ? win_of(last_mover) : Result::draw;
  }

  int image(int cell, int symmetry) const {
    const int exchange = symmetry / static_cast<int>(maps_.size());
    return board_cells * (cell / board_cells ^ exchange) +
           maps_[symmetry % maps_.size()][cell % board_cells];
  }
  static char symbol(const State& s, int cell) {
    return s.stones[0] & bit(cell) ? 'x' : s.stones[1] & bit(cell) ? 'o' : '.';
  }
  // Numbers that are no moves may lead off the board, to names that no cell has.
  static std::string step_text(int from, const Turn& turn) {
    std::string text{board_names[from / board_cells], ':'};
    for (const int distance : {0, turn.distance}) {
      const auto [down, right] = directions[turn.direction];
      text += static_cast<char>('a' + from % size + distance * right);
      text += static_cast<char>('0' + size - from % board_cells / size - distance * down);
    }
    return text;
  }

  bool loses_without_move_;
  Grid grid_{size, size, RowOne::bottom};
  std::vector<CellMap> maps_ = grid_symmetries(size, size);
  std::array<std::array<int, direction_count>, 8> turns_{};  // what maps do to directions
};

}  // namespace

GameEntry shobu() {
  return {"shobu",
          {Parameter::choice("no_move", "loses", {"loses", "draw"},
                             "what happens to a player who cannot move")},
          make_rules<Shobu>};
}

}  // namespace athenan
