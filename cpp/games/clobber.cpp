// Clobber: a stone moves onto an orthogonally adjacent stone of the opponent and removes it; the
// player who makes the last move wins. The board starts full, in a checkerboard.
#include <algorithm>
#include <array>

#include "base/bitboard.h"
#include "games/stones.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

// A move is 4 * origin + direction; the opposite of direction d is d ^ 2.
enum Direction { up, right, down, left };
constexpr int direction_count = 4;

template <int Words>
class Clobber {
 public:
  using Board = Bitboard<Words>;

  struct State {
    std::array<Board, 2> stones{};  // of the first and of the second player
    std::uint8_t to_move = 0;
    Result result = Result::ongoing;
    std::array<std::uint8_t, 6> unused{};  // fills the last word, always zero
  };

  explicit Clobber(const Parameters& parameters)
      : grid_{parameters.integer("rows"), parameters.integer("columns"), RowOne::bottom},
        steps_{-grid_.columns, 1, grid_.columns, -1},
        maps_(grid_symmetries(grid_.rows, grid_.columns)) {
    for (int cell = 0; cell < grid_.cells(); ++cell) {
      board_.set(cell);
      if (grid_.column(cell) + 1 < grid_.columns) has_right_.set(cell);
    }
    for (const CellMap& map : maps_) {
      const int image_of_right = direction_of(map[steps_[right]] - map[0]);
      const int image_of_down = direction_of(map[steps_[down]] - map[0]);
      turns_.push_back({image_of_down ^ 2, image_of_right, image_of_down, image_of_right ^ 2});
    }
  }

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Clobber";
    sheet.rows = grid_.rows;
    sheet.columns = grid_.columns;
    sheet.planes = {"first player", "second player", "player to move"};
    sheet.move_count = direction_count * grid_.cells();
    sheet.move_kinds = {"capture"};
    sheet.max_length = grid_.cells() - 1;
    sheet.max_length_reason = "each move removes one of " + std::to_string(grid_.cells()) +
                              " stones, and the last stone has nothing to take";
    sheet.typical_length = 2 * grid_.cells() / 3;
    sheet.symmetry_group = grid_.rows == grid_.columns ? "square (8)" : "rectangle (4)";
    sheet.move_notation = "b8c8: origin and destination, column letter, row 1 at the bottom";
    sheet.position_notation =
        "rows from the top with x (first player), o and numbers of empty cells, then the side to "
        "move: ox/1o x";
    sheet.reference = "https://en.wikipedia.org/wiki/Clobber";
    return sheet;
  }

  // The bottom left corner is the first player's: it has the odd stone where there is one.
  State initial() const {
    State s;
    for (int cell = 0; cell < grid_.cells(); ++cell)
      s.stones[(grid_.rows - 1 - grid_.row(cell) + grid_.column(cell)) % 2].set(cell);
    return s;
  }

  void moves(const State& s, MoveList& out) const {
    row_pairs(s).for_each([&](int cell) { out.push_back(move_along(s, cell, right)); });
    column_pairs(s).for_each([&](int cell) { out.push_back(move_along(s, cell, down)); });
  }

  Move random_move(const State& s, Random& random) const {
    const Board in_rows = row_pairs(s), in_columns = column_pairs(s);
    const int count = in_rows.count();
    const int n = static_cast<int>(random.below(count + in_columns.count()));
    return n < count ? move_along(s, in_rows.nth(n), right)
                     : move_along(s, in_columns.nth(n - count), down);
  }

  void apply(State& s, Move move) const {
    const int origin = move / direction_count, target = target_of(move);
    s.stones[s.to_move].reset(origin);
    s.stones[s.to_move].set(target);
    s.to_move ^= 1;
    s.stones[s.to_move].reset(target);
    s.result = ending(s);
  }

  void encode(const State& s, std::int8_t* planes) const {
    encode_stones(s.stones, s.to_move, grid_.cells(), planes);
  }

  int symmetries() const { return static_cast<int>(maps_.size()); }
  State transform(const State& s, int symmetry) const {
    State out = s;
    for (Board& stones : out.stones) stones = stones.mapped(maps_[symmetry]);
    return out;
  }
  Move transform_move(const State&, int symmetry, Move move) const {
    return direction_count * maps_[symmetry][move / direction_count] +
           turns_[symmetry][move % direction_count];
  }

  // Each move empties one cell. A position set up with any stones counts as having come from the
  // full board.
  int ply_of(const State& s) const { return grid_.cells() - (s.stones[0] | s.stones[1]).count(); }
  int pieces(const State& s, int player) const { return s.stones[player].count(); }

  MovePath move_path(const State&, Move move) const {
    return {0, grid_.path(move / direction_count, target_of(move))};
  }

  std::string move_text(const State&, Move move) const {
    return grid_.name(move / direction_count) + grid_.name(target_of(move));
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
    if (s.stones[0].none() && s.stones[1].none()) return "there is no stone on the board";
    if (s.result != ending(s)) return "the result does not fit the board";
    return "";
  }

 private:
  int target_of(Move move) const {
    return static_cast<int>(move / direction_count) + steps_[move % direction_count];
  }
  int direction_of(int step) const {
    return static_cast<int>(std::find(steps_.begin(), steps_.end(), step) - steps_.begin());
  }

  // Two neighbours of different colours are exactly one move of whoever is to move. A pair is
  // named after its left or its upper cell.
  Board row_pairs(const State& s) const {
    return has_right_ & ((s.stones[0] & s.stones[1].shifted_down(1)) |
                         (s.stones[1] & s.stones[0].shifted_down(1)));
  }
  Board column_pairs(const State& s) const {
    return (s.stones[0] & s.stones[1].shifted_down(grid_.columns)) |
           (s.stones[1] & s.stones[0].shifted_down(grid_.columns));
  }
  Move move_along(const State& s, int cell, Direction direction) const {
    return s.stones[s.to_move].test(cell)
               ? direction_count * cell + direction
               : direction_count * (cell + steps_[direction]) + (direction ^ 2);
  }
  Result ending(const State& s) const {
    if (row_pairs(s).any() || column_pairs(s).any()) return Result::ongoing;
    return win_of(1 - s.to_move);
  }

  Grid grid_;
  StoneTexts texts_{"clobber", grid_.row_lengths()};
  std::array<int, direction_count> steps_;  // from a cell to its neighbour in each direction
  std::vector<CellMap> maps_;
  std::vector<std::array<int, direction_count>> turns_;  // what each symmetry does to directions
  Board board_, has_right_;  // all the cells, and those with a neighbour on the right
};

std::unique_ptr<Rules> make_clobber(const Parameters& parameters) {
  const int cells = parameters.integer("rows") * parameters.integer("columns");
  if (cells <= 64) return make_rules<Clobber<1>>(parameters);
  if (cells <= 128) return make_rules<Clobber<2>>(parameters);
  return make_rules<Clobber<4>>(parameters);
}

}  // namespace

GameEntry clobber() {
  return {"clobber",
          {Parameter::integer("rows", 10, 2, 16, "height of the board"),
           Parameter::integer("columns", 10, 2, 16, "width of the board")},
          make_clobber};
}

}  // namespace athenan
