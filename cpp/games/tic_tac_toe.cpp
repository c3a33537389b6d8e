// Tic-tac-toe: the annotated example. Copy this file to write a new game, then add its name to
// registry.cpp. A game's file is its rules and nothing else: counting plies, ending over-long
// matches, checking that moves are legal and hashing states are the engine's work (game.h).
#include <array>
#include <bit>

#include "games/stones.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

// Cell i = row * 3 + column is bit i; row 0 is drawn at the top.
constexpr int cell_count = 9;
constexpr std::uint16_t full_board = 0b111'111'111;
constexpr std::array<std::uint16_t, 8> lines{0b000'000'111, 0b000'111'000, 0b111'000'000,
                                             0b001'001'001, 0b010'010'010, 0b100'100'100,
                                             0b100'010'001, 0b001'010'100};

// has_line[stones]: three in a row among these stones. The rules run millions of times a second, so
// what is small enough is looked up.
constexpr auto has_line = [] {
  std::array<bool, full_board + 1> table{};
  for (std::size_t stones = 0; stones < table.size(); ++stones)
    for (const std::uint16_t line : lines) table[stones] |= (stones & line) == line;
  return table;
}();

// cells_of[set]: the cells of a set of cells, one after the other.
struct Cells {
  std::array<std::uint8_t, cell_count> cells{};
  std::uint8_t count = 0;
};
constexpr auto cells_of = [] {
  std::array<Cells, full_board + 1> table{};
  for (std::size_t set = 0; set < table.size(); ++set)
    for (std::uint8_t cell = 0; cell < cell_count; ++cell)
      if (set >> cell & 1) table[set].cells[table[set].count++] = cell;
  return table;
}();

class TicTacToe {
 public:
  // A state is a plain value without padding. It carries its own result, kept up to date by
  // apply, so that asking for it costs nothing.
  struct State {
    std::array<std::uint16_t, 2> stones{};  // of the first and of the second player
    std::uint8_t to_move = 0;
    Result result = Result::ongoing;
  };

  explicit TicTacToe(const Parameters&) {}

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Tic-tac-toe";
    sheet.rows = sheet.columns = 3;
    sheet.planes = {"first player", "second player", "player to move"};
    sheet.move_count = cell_count;
    sheet.move_kinds = {"place"};
    sheet.max_length = cell_count;
    sheet.max_length_reason = "each move fills one of 9 cells";
    sheet.typical_length = 8;
    sheet.symmetry_group = "square (8)";
    sheet.has_draws = true;
    sheet.move_notation = "b2: column letter, row 1 at the top";
    sheet.position_notation =
        "rows from the top with x, o and numbers of empty cells, then the side: 1x1/3/2o x";
    sheet.reference = "https://en.wikipedia.org/wiki/Tic-tac-toe";
    return sheet;
  }

  void moves(const State& s, MoveList& out) const {
    const Cells& empty = cells_of[full_board & ~occupied(s)];
    out.insert(out.end(), empty.cells.begin(), empty.cells.begin() + empty.count);
  }

  void apply(State& s, Move cell) const {
    s.stones[s.to_move] |= 1 << cell;
    if (has_line[s.stones[s.to_move]])
      s.result = win_of(s.to_move);
    else if (occupied(s) == full_board)
      s.result = Result::draw;
    s.to_move ^= 1;
  }

  // Optional: a uniformly random legal move without listing them all makes random matches faster.
  Move random_move(const State& s, Random& random) const {
    const auto& empty = cells_of[full_board & ~occupied(s)];
    return empty.cells[random.below(empty.count)];
  }

  // Planes are written into zeroed memory. They show the board as it is, never flipped: values
  // are always from the first player's point of view, so the player to move is a plane of its own.
  void encode(const State& s, std::int8_t* planes) const {
    for (int cell = 0; cell < cell_count; ++cell) {
      planes[cell] = s.stones[0] >> cell & 1;
      planes[cell_count + cell] = s.stones[1] >> cell & 1;
      planes[2 * cell_count + cell] = s.to_move;
    }
  }

  // The whole group of symmetries under which the rules do not change, with the identity as 0.
  int symmetries() const { return static_cast<int>(maps_.size()); }
  State transform(const State& s, int symmetry) const {
    State out = s;
    for (int player : {0, 1}) {
      out.stones[player] = 0;
      for (int cell = 0; cell < cell_count; ++cell)
        if (s.stones[player] >> cell & 1) out.stones[player] |= 1 << maps_[symmetry][cell];
    }
    return out;
  }
  Move transform_move(const State&, int symmetry, Move cell) const { return maps_[symmetry][cell]; }

  int ply_of(const State& s) const { return std::popcount(occupied(s)); }
  int pieces(const State& s, int player) const { return std::popcount(s.stones[player]); }

  // What a player does to make a move: its kind, here the only one, and the cells to touch.
  MovePath move_path(const State&, Move cell) const { return {0, grid_.path(cell)}; }

  std::string move_text(const State&, Move cell) const { return grid_.name(cell); }
  std::string position_text(const State& s) const { return texts_.position(s.stones, s.to_move); }
  State parse_position(std::string_view text) const {
    State s;
    s.to_move = texts_.parse(text, s.stones);
    s.result = ending(s);
    return s;
  }
  std::string drawing(const State& s) const { return grid_.drawing(texts_.symbols_of(s.stones)); }

  // The gate for everything that comes from outside: texts, pickles, files.
  std::string flaw(const State& s) const {
    const int first = std::popcount(s.stones[0]), second = std::popcount(s.stones[1]);
    if ((s.stones[0] | s.stones[1]) > full_board || (s.stones[0] & s.stones[1]))
      return "stones overlap or lie outside the board";
    if (first - second != s.to_move) return "the side to move does not fit the stones";
    if (has_line[s.stones[s.to_move]]) return "the side to move has already won";
    if (s.result != ending(s)) return "the result does not fit the board";
    return "";
  }

 private:
  static std::uint16_t occupied(const State& s) { return s.stones[0] | s.stones[1]; }
  static Result ending(const State& s) {
    if (has_line[s.stones[0]]) return Result::first_wins;
    if (has_line[s.stones[1]]) return Result::second_wins;
    return occupied(s) == full_board ? Result::draw : Result::ongoing;
  }

  Grid grid_{3, 3, RowOne::top};
  StoneTexts texts_{"tic_tac_toe", grid_.row_lengths()};
  std::vector<CellMap> maps_ = grid_symmetries(3, 3);
};

}  // namespace

GameEntry tic_tac_toe() { return {"tic_tac_toe", {}, make_rules<TicTacToe>}; }

}  // namespace athenan
