#include "games/in_a_row.h"

#include <algorithm>
#include <array>

#include "base/bitboard.h"
#include "base/lines.h"
#include "games/stones.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

constexpr int max_cells = 19 * 19;

// Bit row * (size + 1) + column: the bit after each row stays empty, so that no line runs over the
// edge of the board.
template <int Words>
class StonesInARow {
  using Board = Bitboard<Words>;

 public:
  struct State {
    std::array<Board, 2> stones{};  // of the first and of the second player
    std::uint8_t to_move = 0;
    Result result = Result::ongoing;
    std::array<std::uint8_t, 6> unused{};  // fills the last word, always zero
  };

  explicit StonesInARow(const InARow& game)
      : game_(game), grid_{game.size, game.size, RowOne::bottom, game.column_names} {
    cell_of_.resize(64 * Words);
    for (int cell = 0; cell < grid_.cells(); ++cell) {
      const int row = grid_.row(cell), column = grid_.column(cell);
      const int bit = row * stride() + column;
      bit_of_.push_back(static_cast<std::uint16_t>(bit));
      cell_of_[bit] = static_cast<std::uint16_t>(cell);
      board_.set(bit);
      const int line = std::min({row, column, game.size - 1 - row, game.size - 1 - column});
      if (!game.outer_opening || line < 2) opening_.set(bit);
    }
    texts_.bit_of = bit_of_;
  }

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = game_.title;
    sheet.rows = sheet.columns = game_.size;
    sheet.planes = {"first player", "second player", "player to move"};
    if (game_.stones_per_turn > 1) sheet.planes.push_back("last stone of the turn");
    sheet.move_count = grid_.cells();
    sheet.move_kinds = {"place"};
    sheet.max_length = grid_.cells();
    sheet.max_length_reason = "each move fills one of " + std::to_string(grid_.cells()) + " cells";
    sheet.typical_length =
        std::min(grid_.cells(), game_.size * (4 * game_.line - 4 + game_.size) / 4);
    sheet.symmetry_group = "square (8)";
    sheet.has_draws = true;
    sheet.move_notation =
        game_.column_names == ColumnNames::without_i
            ? "D4: column letter without I, row 1 at the bottom; a move is one stone"
            : "d4: column letter, row 1 at the bottom";
    sheet.position_notation =
        "rows from the top with x (first player), o and numbers of empty cells, then the side to "
        "move: x or o";
    sheet.reference = game_.reference;
    return sheet;
  }

  void moves(const State& s, MoveList& out) const {
    open_cells(s).for_each([&](int bit) { out.push_back(cell_of_[bit]); });
  }

  void apply(State& s, Move cell) const {
    put(s, bit_of_[cell]);
    const int placed = ply_of(s);
    if (s.result == Result::ongoing && placed == grid_.cells()) s.result = Result::draw;
    s.to_move = mover(placed);
  }

  // A random match fills the empty cells in a random order until there is a line.
  Playout playout(State& s, int max_plies, Random& random) const {
    std::array<std::uint16_t, max_cells> empty;
    std::uint32_t left = 0;
    int plies = 0, placed = ply_of(s);
    if (placed == 0 && plies < max_plies) {
      const auto choices = static_cast<std::uint32_t>(opening_.count());
      put(s, opening_.nth(static_cast<int>(random.below(choices))));
      s.to_move = mover(++placed);
      ++plies;
    }
    (board_ & ~occupied(s)).for_each([&](int bit) {
      empty[left++] = static_cast<std::uint16_t>(bit);
    });
    for (; left > 0 && s.result == Result::ongoing && plies < max_plies; ++plies) {
      const std::uint32_t k = random.below(left);
      put(s, empty[k]);
      empty[k] = empty[--left];
      s.to_move = mover(++placed);
    }
    if (left == 0 && s.result == Result::ongoing) s.result = Result::draw;
    return {s.result, plies};
  }

  void encode(const State& s, std::int8_t* planes) const {
    const int cells = grid_.cells();
    for (const Board& stones : s.stones) {
      stones.for_each([&](int bit) { planes[cell_of_[bit]] = 1; });
      planes += cells;
    }
    std::fill_n(planes, cells, s.to_move);
    if (game_.stones_per_turn > 1)
      std::fill_n(planes + cells, cells, mover(ply_of(s) + 1) != s.to_move);
  }

  int symmetries() const { return static_cast<int>(maps_.size()); }
  State transform(const State& s, int symmetry) const {
    State out = s;
    for (int player : {0, 1}) {
      out.stones[player] = {};
      s.stones[player].for_each(
          [&](int bit) { out.stones[player].set(bit_of_[maps_[symmetry][cell_of_[bit]]]); });
    }
    return out;
  }
  Move transform_move(const State&, int symmetry, Move cell) const { return maps_[symmetry][cell]; }

  int ply_of(const State& s) const { return s.stones[0].count() + s.stones[1].count(); }
  int pieces(const State& s, int player) const { return s.stones[player].count(); }

  MovePath move_path(const State&, Move cell) const { return {0, grid_.path(cell)}; }

  std::string move_text(const State&, Move cell) const {
    return grid_.name(static_cast<int>(cell));
  }
  std::string position_text(const State& s) const { return texts_.position(s.stones, s.to_move); }
  State parse_position(std::string_view text) const {
    State s;
    s.to_move = texts_.parse(text, s.stones);
    s.result = ending(s);
    return s;
  }
  std::string drawing(const State& s) const { return grid_.drawing(texts_.symbols_of(s.stones)); }

  std::string flaw(const State& s) const {
    if (!well_placed(s.stones, board_)) return "stones overlap or lie outside the board";
    const int placed = ply_of(s);
    int of_first = 0;
    for (int ply = 0; ply < placed; ++ply) of_first += mover(ply) == 0;
    if (s.to_move != mover(placed) || s.stones[0].count() != of_first)
      return "the side to move does not fit the stones";
    if (placed > 0 && (s.stones[0] & opening_).none())
      return "no stone can have been the first: it lies on one of the two outer lines";
    if (placed > 0 && has_line(s.stones[1 - mover(placed - 1)]))
      return "the player who did not make the last move has already won";
    if (s.result != ending(s)) return "the result does not fit the board";
    return "";
  }

 private:
  int stride() const { return game_.size + 1; }
  std::array<int, 4> steps() const { return {1, stride() - 1, stride(), stride() + 1}; }

  // Who moves when so many stones have been placed.
  std::uint8_t mover(int placed) const {
    return (placed + game_.stones_per_turn - 1) / game_.stones_per_turn & 1;
  }

  static Board occupied(const State& s) { return s.stones[0] | s.stones[1]; }
  Board open_cells(const State& s) const {
    const Board stones = occupied(s);
    return stones.none() ? opening_ : board_ & ~stones;
  }

  bool wins(int length) const {
    return length == game_.line || (length > game_.line && game_.longer_wins);
  }
  // Puts a stone of the side to move and looks at the lines through it.
  void put(State& s, int bit) const {
    Board& own = s.stones[s.to_move];
    own.set(bit);
    for (const int step : steps())
      if (wins(run_through(own, bit, step))) s.result = win_of(s.to_move);
  }
  bool has_line(const Board& stones) const {
    bool found = false;
    for (const int step : steps())
      run_starts(stones, step).for_each([&](int bit) {
        found |= wins(run_from(stones, bit, step));
      });
    return found;
  }
  // Only the player who has just moved can have made a line.
  Result ending(const State& s) const {
    const int placed = ply_of(s);
    if (const int last = mover(placed - 1); placed > 0 && has_line(s.stones[last]))
      return win_of(last);
    return placed == grid_.cells() ? Result::draw : Result::ongoing;
  }

  InARow game_;
  Grid grid_;
  StoneTexts texts_{game_.name, grid_.row_lengths()};
  std::vector<CellMap> maps_ = grid_symmetries(game_.size, game_.size);
  std::vector<std::uint16_t> bit_of_, cell_of_;
  Board board_, opening_;  // all the cells, and those of the first stone
};

template <int Words>
std::unique_ptr<Rules> make(const InARow& game) {
  return std::make_unique<RulesOf<StonesInARow<Words>>>(StonesInARow<Words>(game));
}

}  // namespace

std::unique_ptr<Rules> make_in_a_row(const InARow& game) {
  const int bits = game.size * (game.size + 1);
  if (bits <= 128) return make<2>(game);
  if (bits <= 256) return make<4>(game);
  return make<6>(game);
}

}  // namespace athenan
