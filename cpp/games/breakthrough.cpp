// Breakthrough: pieces step straight or diagonally forward and capture diagonally forward only;
// reaching the far row or capturing every piece of the opponent wins.
#include <array>

#include "base/bitboard.h"
#include "games/stones.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

// A move is 3 * origin + side: one column to the left, straight ahead, or one to the right as the
// board is drawn. Whose piece stands on the origin tells which way is forward.
enum Side { to_the_left, ahead, to_the_right };
constexpr std::array sides{to_the_left, ahead, to_the_right};
constexpr int side_count = 3;

enum Kind { moving, capturing };  // Datasheet::move_kinds

// There is no stalemate: the most advanced piece of a player has no own piece on the row before it
// and, the board being at least two columns wide, a diagonal cell there that it can enter.
template <int Words>
class Breakthrough {
 public:
  using Board = Bitboard<Words>;

  struct State {
    std::array<Board, 2> pieces{};  // of the first player, moving up, and of the second
    std::uint8_t to_move = 0;
    Result result = Result::ongoing;
    std::array<std::uint8_t, 6> unused{};  // fills the last word, always zero
  };

  explicit Breakthrough(const Parameters& parameters)
      : grid_{parameters.integer("rows"), parameters.integer("columns"), RowOne::bottom} {
    for (int cell = 0; cell < grid_.cells(); ++cell) {
      const int row = grid_.row(cell), column = grid_.column(cell);
      board_.set(cell);
      if (row == 0) far_row_[0].set(cell);
      if (row == grid_.rows - 1) far_row_[1].set(cell);
      if (column > 0) can_step_[to_the_left].set(cell);
      can_step_[ahead].set(cell);
      if (column < grid_.columns - 1) can_step_[to_the_right].set(cell);
    }
  }

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Breakthrough";
    sheet.rows = grid_.rows;
    sheet.columns = grid_.columns;
    sheet.planes = {"first player", "second player", "player to move"};
    sheet.move_count = side_count * grid_.cells();
    sheet.move_kinds = {"move", "capture"};
    // The pieces of the back row can advance rows - 2 times without winning, the others at most
    // rows - 3 times.
    sheet.max_length = 2 * grid_.columns * (2 * grid_.rows - 5) + 1;
    sheet.max_length_reason = "each move advances a piece by one row, and the " +
                              std::to_string(4 * grid_.columns) + " pieces together can do so " +
                              std::to_string(sheet.max_length - 1) +
                              " times before one reaches the far row";
    sheet.typical_length = 2 * (2 * grid_.rows - 7) * (grid_.columns + 3) / 3;
    sheet.symmetry_group = "left-right mirror (2)";
    sheet.move_notation = "a2a3, a2xb3: column letter, row 1 at the bottom; x for captures";
    sheet.position_notation =
        "rows from the top with P (first player, moving up), p and numbers of empty cells, then "
        "the side to move, w or b: pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w";
    sheet.reference = "https://en.wikipedia.org/wiki/Breakthrough_(board_game)";
    return sheet;
  }

  // Two full rows each, on boards of any height.
  State initial() const {
    State s;
    for (int cell = 0; cell < 2 * grid_.columns; ++cell) {
      s.pieces[0].set(grid_.cells() - 1 - cell);
      s.pieces[1].set(cell);
    }
    return s;
  }

  void moves(const State& s, MoveList& out) const {
    for (const Side side : sides)
      movers(s, side).for_each([&](int origin) { out.push_back(side_count * origin + side); });
  }

  Move random_move(const State& s, Random& random) const {
    std::array<Board, side_count> origins;
    std::array<int, side_count> counts;
    for (const Side side : sides) {
      origins[side] = movers(s, side);
      counts[side] = origins[side].count();
    }
    int n = static_cast<int>(random.below(counts[0] + counts[1] + counts[2]));
    int side = 0;
    while (n >= counts[side]) n -= counts[side++];
    return side_count * origins[side].nth(n) + side;
  }

  void apply(State& s, Move move) const {
    const int origin = move / side_count, target = target_of(s, move);
    s.pieces[s.to_move].reset(origin);
    s.pieces[s.to_move].set(target);
    s.to_move ^= 1;
    s.pieces[s.to_move].reset(target);
    s.result = ending(s);
  }

  void encode(const State& s, std::int8_t* planes) const {
    encode_stones(s.pieces, s.to_move, grid_.cells(), planes);
  }

  int symmetries() const { return 2; }
  State transform(const State& s, int symmetry) const {
    if (symmetry == 0) return s;
    State out = s;
    for (int player : {0, 1}) {
      out.pieces[player] = {};
      s.pieces[player].for_each([&](int cell) { out.pieces[player].set(mirrored(cell)); });
    }
    return out;
  }
  Move transform_move(const State&, int symmetry, Move move) const {
    if (symmetry == 0) return move;
    return side_count * mirrored(move / side_count) + (to_the_right - move % side_count);
  }

  int pieces(const State& s, int player) const { return s.pieces[player].count(); }

  MovePath move_path(const State& s, Move move) const {
    const int origin = move / side_count, target = target_of(s, move);
    const bool captures = s.pieces[1 - s.to_move].test(target);
    return {captures ? capturing : moving, grid_.path(origin, target)};
  }

  std::string move_text(const State& s, Move move) const {
    const int target = target_of(s, move);
    const bool on_board = target >= 0 && target < grid_.cells();  // any number may be asked for
    const bool captures = on_board && s.pieces[1 - s.to_move].test(target);
    return grid_.name(move / side_count) + (captures ? "x" : "") + grid_.name(target);
  }
  std::string position_text(const State& s) const { return texts_.position(s.pieces, s.to_move); }
  State parse_position(std::string_view text) const {
    State s;
    s.to_move = texts_.parse(text, s.pieces);
    s.result = ending(s);
    return s;
  }
  std::string drawing(const State& s) const { return grid_.drawing(texts_.symbols_of(s.pieces)); }

  // The maximum length is proved for at most two rows of pieces on each side.
  std::string flaw(const State& s) const {
    if (!well_placed(s.pieces, board_)) return "pieces overlap or lie outside the board";
    if (s.pieces[0].count() > 2 * grid_.columns || s.pieces[1].count() > 2 * grid_.columns)
      return "a player has more than " + std::to_string(2 * grid_.columns) + " pieces";
    if (s.pieces[1 - s.to_move].none()) return "the side that has just moved has no pieces";
    if ((s.pieces[s.to_move] & far_row_[s.to_move]).any())
      return "the side to move has already won";
    if (s.result != ending(s)) return "the result does not fit the board";
    return "";
  }

 private:
  int step(int player, int side) const {
    return (player == 0 ? -grid_.columns : grid_.columns) + side - ahead;
  }
  int target_of(const State& s, Move move) const {
    return static_cast<int>(move / side_count) + step(s.to_move, move % side_count);
  }
  // The pieces of the player to move that can go to that side.
  Board movers(const State& s, Side side) const {
    const Board& own = s.pieces[s.to_move];
    const Board blocking = side == ahead ? own | s.pieces[1 - s.to_move] : own;
    return own & can_step_[side] & ~blocking.shifted(-step(s.to_move, side));
  }
  // Only the player who has just moved can have won.
  Result ending(const State& s) const {
    const int last = 1 - s.to_move;
    const bool won = (s.pieces[last] & far_row_[last]).any() || s.pieces[s.to_move].none();
    return won ? win_of(last) : Result::ongoing;
  }
  int mirrored(int cell) const { return cell + grid_.columns - 1 - 2 * grid_.column(cell); }

  Grid grid_;
  StoneTexts texts_{"breakthrough", grid_.row_lengths(), "Pp", "wb"};
  Board board_;                             // all the cells
  std::array<Board, 2> far_row_;            // where each player wins
  std::array<Board, side_count> can_step_;  // the cells from which each side is on the board
};

std::unique_ptr<Rules> make_breakthrough(const Parameters& parameters) {
  const int cells = parameters.integer("rows") * parameters.integer("columns");
  if (cells <= 64) return make_rules<Breakthrough<1>>(parameters);
  if (cells <= 128) return make_rules<Breakthrough<2>>(parameters);
  return make_rules<Breakthrough<4>>(parameters);
}

}  // namespace

GameEntry breakthrough() {
  return {"breakthrough",
          {Parameter::integer("rows", 8, 4, 16, "height of the board"),
           Parameter::integer("columns", 8, 2, 16, "width of the board")},
          make_breakthrough};
}

}  // namespace athenan
