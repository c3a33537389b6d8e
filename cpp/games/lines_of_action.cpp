// Lines of Action: whoever brings all own pieces together wins. A single piece is connected, and a
// player without a move loses.
#include <array>

#include "base/bitboard.h"
#include "games/stones.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

// Row 0, the top one as drawn, is row 8 of the notation. Black is the first player.
constexpr int size = 8;
constexpr int cell_count = size * size;
constexpr int max_pieces = 12;
using Cells = Bitboard<1>;

enum Kind { moving, capturing };  // Datasheet::move_kinds

struct Direction {
  int down, right;
  constexpr int step() const { return size * down + right; }
};
// The direction opposite to d is 7 - d.
constexpr std::array<Direction, 8> directions{
    {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}};

// rays[d][cell]: the cells from that cell, itself not included, to the edge in direction d.
constexpr auto rays = [] {
  std::array<std::array<Cells, cell_count>, 8> out{};
  for (int d = 0; d < 8; ++d)
    for (int cell = 0; cell < cell_count; ++cell) {
      const auto [down, right] = directions[d];
      int row = cell / size + down, column = cell % size + right;
      for (; row >= 0 && row < size && column >= 0 && column < size; row += down, column += right)
        out[d][cell].set(row * size + column);
    }
  return out;
}();

class LinesOfAction {
 public:
  struct State {
    std::array<Cells, 2> pieces{};  // of the first player (Black) and of the second (White)
    std::uint8_t to_move = 0;
    Result result = Result::ongoing;
    std::array<std::uint8_t, 6> unused{};  // fills the last word, always zero
  };

  explicit LinesOfAction(const Parameters& parameters)
      : draw_if_both_connected_(parameters.choice("simultaneous") == "draw") {}

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Lines of Action";
    sheet.rows = sheet.columns = size;
    sheet.planes = {"first player", "second player", "player to move"};
    sheet.move_count = cell_count * cell_count;
    sheet.move_kinds = {"move", "capture"};
    sheet.max_length = 1000;
    sheet.max_length_reason =
        "positions can repeat; far above the longest of 200,000 random matches, 599 plies (mean "
        "213)";
    sheet.typical_length = 210;
    sheet.longest_length = 510;
    sheet.symmetry_group = "square (8)";
    sheet.cyclic = true;
    sheet.has_draws = draw_if_both_connected_;
    sheet.move_notation = "d1f3, a capture f8xd6: column letter, row 1 at the bottom";
    sheet.position_notation =
        "rows from the top with L (first player, Black), l (second player, White) and numbers of "
        "empty cells, then the side to move: w the first player, b the second";
    sheet.reference = "https://en.wikipedia.org/wiki/Lines_of_Action";
    return sheet;
  }

  State initial() const {
    State s;
    for (int i = 1; i < size - 1; ++i) {
      for (const int row : {0, size - 1}) s.pieces[0].set(row * size + i);
      for (const int column : {0, size - 1}) s.pieces[1].set(i * size + column);
    }
    return s;
  }

  void moves(const State& s, MoveList& out) const {
    s.pieces[s.to_move].for_each([&](int from) {
      for (int d = 0; d < 4; ++d) {
        const int far = distance(s, from, d);
        for (const int way : {d, 7 - d})
          if (const int to = landing(s, from, way, far); to >= 0) out.push_back(number(from, to));
      }
    });
  }
  // Draws a piece and a direction until the piece can go there: each such pair is one move.
  Move random_move(const State& s, Random& random) const {
    const Cells own = s.pieces[s.to_move];
    const auto pairs = static_cast<std::uint32_t>(8 * own.count());
    while (true) {
      const int pair = static_cast<int>(random.below(pairs)), d = pair % 8;
      const int from = own.nth(pair / 8);
      if (const int to = landing(s, from, d, distance(s, from, d)); to >= 0)
        return number(from, to);
    }
  }

  void apply(State& s, Move move) const {
    const int from = origin(move), to = destination(move);
    Cells &own = s.pieces[s.to_move], &other = s.pieces[s.to_move ^ 1];
    const bool captures = other.test(to);
    own.reset(from);
    own.set(to);
    other.reset(to);
    s.to_move ^= 1;
    s.result = ending(s, captures);
  }

  void encode(const State& s, std::int8_t* planes) const {
    encode_stones(s.pieces, s.to_move, cell_count, planes);
  }

  int symmetries() const { return static_cast<int>(maps_.size()); }
  State transform(const State& s, int symmetry) const {
    State out = s;
    for (Cells& pieces : out.pieces) pieces = pieces.mapped(maps_[symmetry]);
    return out;
  }
  Move transform_move(const State&, int symmetry, Move move) const {
    return number(maps_[symmetry][origin(move)], maps_[symmetry][destination(move)]);
  }

  int pieces(const State& s, int player) const { return s.pieces[player].count(); }

  MovePath move_path(const State& s, Move move) const {
    return {captures(s, move) ? capturing : moving, grid_.path(origin(move), destination(move))};
  }

  std::string move_text(const State& s, Move move) const {
    return grid_.name(origin(move)) + (captures(s, move) ? "x" : "") +
           grid_.name(destination(move));
  }
  std::string position_text(const State& s) const { return texts_.position(s.pieces, s.to_move); }
  State parse_position(std::string_view text) const {
    State s;
    s.to_move = texts_.parse(text, s.pieces);
    s.result = ending(s, true);
    return s;
  }
  std::string drawing(const State& s) const { return grid_.drawing(texts_.symbols_of(s.pieces)); }

  std::string flaw(const State& s) const {
    if ((s.pieces[0] & s.pieces[1]).any()) return "pieces overlap";
    for (const int player : {0, 1})
      if (s.pieces[player].none() || s.pieces[player].count() > max_pieces)
        return "a player has not between 1 and " + std::to_string(max_pieces) + " pieces";
    if (s.result != ending(s, true)) return "the result does not fit the board";
    return "";
  }

 private:
  static Move number(int from, int to) { return static_cast<Move>(from * cell_count + to); }
  static int origin(Move move) { return static_cast<int>(move) / cell_count; }
  static int destination(Move move) { return static_cast<int>(move) % cell_count; }
  static bool captures(const State& s, Move move) {
    return s.pieces[s.to_move ^ 1].test(destination(move));
  }

  // How far a piece on `from` goes in direction d or its opposite: as far as there are pieces on
  // that line, itself included.
  static int distance(const State& s, int from, int d) {
    return 1 + ((s.pieces[0] | s.pieces[1]) & (rays[d][from] | rays[7 - d][from])).count();
  }
  // Where the piece of the side to move on `from` lands: it jumps over own pieces but not over
  // others, and takes one on the last cell. -1 if it cannot go.
  static int landing(const State& s, int from, int d, int distance) {
    const Cells own = s.pieces[s.to_move], other = s.pieces[s.to_move ^ 1], ahead = rays[d][from];
    const int to = from + distance * directions[d].step();
    if (to < 0 || to >= cell_count || !ahead.test(to) || own.test(to)) return -1;
    return (ahead & rays[7 - d][to] & other).any() ? -1 : to;
  }
  static bool can_move(const State& s) {
    for (Cells left = s.pieces[s.to_move]; left.any(); left.reset(left.first()))
      for (int d = 0, from = left.first(); d < 8; ++d)
        if (landing(s, from, d, distance(s, from, d)) >= 0) return true;
    return false;
  }

  // Are the pieces a single group of neighbours in the eight directions?
  static bool connected(const Cells& cells) {
    constexpr std::uint64_t not_left = 0xfefefefefefefefe, not_right = 0x7f7f7f7f7f7f7f7f;
    const std::uint64_t pieces = cells.words[0];
    std::uint64_t group = pieces & -pieces, before = 0;
    while (group != before) {
      before = group;
      const std::uint64_t row = group | (group << 1 & not_left) | (group >> 1 & not_right);
      group = (row | row << size | row >> size) & pieces;
    }
    return group == pieces;
  }

  // The result after a move, with the other player already to move. Without a capture that player
  // cannot have become connected.
  Result ending(const State& s, bool after_capture) const {
    const int mover = s.to_move ^ 1;
    const bool other_connected = after_capture && connected(s.pieces[s.to_move]);
    if (connected(s.pieces[mover]))
      return other_connected && draw_if_both_connected_ ? Result::draw : win_of(mover);
    if (other_connected) return win_of(s.to_move);
    return can_move(s) ? Result::ongoing : win_of(mover);
  }

  bool draw_if_both_connected_;
  Grid grid_{size, size, RowOne::bottom};
  StoneTexts texts_{"lines_of_action", grid_.row_lengths(), "Ll", "wb"};
  std::vector<CellMap> maps_ = grid_symmetries(size, size);
};

}  // namespace

GameEntry lines_of_action() {
  return {
      "lines_of_action",
      {Parameter::choice("simultaneous", "draw", {"draw", "mover"},
                         "the outcome when a move connects both players' pieces: a draw, or the "
                         "mover wins")},
      make_rules<LinesOfAction>};
}

}  // namespace athenan
