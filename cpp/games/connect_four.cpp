// Connect Four: discs fall to the bottom of a column; four in a row in any direction win, a full
// board is a draw.
#include <algorithm>
#include <array>

#include "base/bitboard.h"
#include "games/stones.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

// Column by column: bit column * (rows + 1) + height. The bit above each column stays empty, so
// that no line runs from one column over the edge of the board into another.
template <int Words>
class ConnectFour {
 public:
  using Board = Bitboard<Words>;

  struct State {
    std::array<Board, 2> discs{};  // of the first and of the second player
    std::uint8_t to_move = 0;
    Result result = Result::ongoing;
    std::array<std::uint8_t, 6> unused{};  // fills the last word, always zero
  };

  explicit ConnectFour(const Parameters& parameters)
      : grid_{parameters.integer("rows"), parameters.integer("columns"), RowOne::bottom} {
    for (int column = 0; column < grid_.columns; ++column) {
      columns_.emplace_back();
      for (int row = 0; row < grid_.rows; ++row) columns_[column].set(bit(grid_.at(row, column)));
      board_ |= columns_[column];
      bottom_.set(column * stride());
    }
    for (int cell = 0; cell < grid_.cells(); ++cell)
      texts_.bit_of.push_back(static_cast<std::uint16_t>(bit(cell)));
  }

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Connect Four";
    sheet.rows = grid_.rows;
    sheet.columns = grid_.columns;
    sheet.planes = {"first player", "second player", "player to move"};
    sheet.move_count = grid_.columns;
    sheet.move_kinds = {"drop"};
    sheet.max_length = grid_.cells();
    sheet.max_length_reason = "each move fills one of " + std::to_string(grid_.cells()) + " cells";
    sheet.typical_length = std::min(22, grid_.cells());
    sheet.symmetry_group = "left-right mirror (2)";
    sheet.has_draws = true;
    sheet.move_notation = "d: column letter";
    sheet.position_notation =
        "rows from the top with x (first player), o and numbers of empty cells, then the side to "
        "move: 7/7/7/7/3o3/3x3 x";
    sheet.reference = "https://en.wikipedia.org/wiki/Connect_Four";
    return sheet;
  }

  void moves(const State& s, MoveList& out) const {
    const Board open = landing(s);
    for (int column = 0; column < grid_.columns; ++column)
      if ((open & columns_[column]).any()) out.push_back(column);
  }

  // Drawing columns until one has room is uniform over those that have.
  Move random_move(const State& s, Random& random) const {
    const Board open = landing(s);
    while (true) {
      const std::uint32_t column = random.below(grid_.columns);
      if ((open & columns_[column]).any()) return column;
    }
  }

  void apply(State& s, Move column) const {
    s.discs[s.to_move] |= landing(s) & columns_[column];
    s.to_move ^= 1;
    s.result = ending(s);
  }

  void encode(const State& s, std::int8_t* planes) const {
    const int cells = grid_.cells();
    for (int cell = 0; cell < cells; ++cell) {
      planes[cell] = s.discs[0].test(bit(cell));
      planes[cells + cell] = s.discs[1].test(bit(cell));
      planes[2 * cells + cell] = s.to_move;
    }
  }

  int symmetries() const { return 2; }
  State transform(const State& s, int symmetry) const {
    if (symmetry == 0) return s;
    State out = s;
    for (int player : {0, 1}) {
      out.discs[player] = {};
      for (int column = 0; column < grid_.columns; ++column)
        out.discs[player] |= (s.discs[player] & columns_[column])
                                 .shifted((grid_.columns - 1 - 2 * column) * stride());
    }
    return out;
  }
  Move transform_move(const State&, int symmetry, Move column) const {
    return symmetry == 0 ? column : grid_.columns - 1 - column;
  }

  int ply_of(const State& s) const { return occupied(s).count(); }
  int pieces(const State& s, int player) const { return s.discs[player].count(); }

  // The cell where the disc comes to rest.
  MovePath move_path(const State& s, Move column) const {
    const int height = (occupied(s) & columns_[column]).count();
    return {0, grid_.path(grid_.at(grid_.rows - 1 - height, static_cast<int>(column)))};
  }

  std::string move_text(const State&, Move column) const {
    return std::string(1, static_cast<char>('a' + column));
  }
  std::string position_text(const State& s) const { return texts_.position(s.discs, s.to_move); }
  State parse_position(std::string_view text) const {
    State s;
    s.to_move = texts_.parse(text, s.discs);
    s.result = ending(s);
    return s;
  }
  std::string drawing(const State& s) const { return grid_.drawing(texts_.symbols_of(s.discs)); }

  std::string flaw(const State& s) const {
    if (!well_placed(s.discs, board_)) return "discs overlap or lie outside the board";
    if ((occupied(s) & ~(occupied(s).shifted_up(1) | bottom_)).any())
      return "a disc hangs above an empty cell";
    if (s.discs[0].count() - s.discs[1].count() != s.to_move)
      return "the side to move does not fit the discs";
    if (has_line(s.discs[s.to_move])) return "the side to move has already won";
    if (s.result != ending(s)) return "the result does not fit the board";
    return "";
  }

 private:
  int stride() const { return grid_.rows + 1; }
  int bit(int cell) const {
    return grid_.column(cell) * stride() + grid_.rows - 1 - grid_.row(cell);
  }

  static Board occupied(const State& s) { return s.discs[0] | s.discs[1]; }
  // The cells where a disc can come to rest: one for each column that has room.
  Board landing(const State& s) const {
    const Board discs = occupied(s);
    return (discs.shifted_up(1) | bottom_) & ~discs & board_;
  }
  bool has_line(const Board& discs) const {
    for (const int step : {1, stride() - 1, stride(), stride() + 1}) {
      const Board pairs = discs & discs.shifted_down(step);
      if ((pairs & pairs.shifted_down(2 * step)).any()) return true;
    }
    return false;
  }
  // Only the player who has just moved can have made a line.
  Result ending(const State& s) const {
    const int last = 1 - s.to_move;
    if (has_line(s.discs[last])) return win_of(last);
    return occupied(s) == board_ ? Result::draw : Result::ongoing;
  }

  Grid grid_;
  StoneTexts texts_{"connect_four", grid_.row_lengths()};
  std::vector<Board> columns_;  // the cells of each column
  Board board_, bottom_;        // all the cells, and the lowest of each column
};

std::unique_ptr<Rules> make_connect_four(const Parameters& parameters) {
  const int bits = (parameters.integer("rows") + 1) * parameters.integer("columns");
  return bits <= 64 ? make_rules<ConnectFour<1>>(parameters)
                    : make_rules<ConnectFour<2>>(parameters);
}

}  // namespace

GameEntry connect_four() {
  return {"connect_four",
          {Parameter::integer("rows", 6, 2, 10, "height of the board"),
           Parameter::integer("columns", 7, 2, 11, "width of the board")},
          make_connect_four};
}

}  // namespace athenan
