// The game of the Amazons. A turn moves a queen as in chess, without captures, and then shoots an
// arrow from where she stopped, also as a queen moves; arrows stay. Who cannot move loses.
#include <algorithm>
#include <array>

#include "base/bitboard.h"
#include "base/error.h"
#include "base/grid.h"
#include "games/amazons_lines.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

constexpr int queens_each = 4;
constexpr int nowhere = -1;

enum Kind { moving, shooting };  // Datasheet::move_kinds; a whole turn counts as moving

// Queens' directions as (row, column) steps: four that raise the number of a cell, then four that
// lower it.
constexpr std::array<std::array<int, 2>, 8> directions{
    {{0, 1}, {1, -1}, {1, 0}, {1, 1}, {0, -1}, {-1, 1}, {-1, 0}, {-1, -1}}};

// A move taken apart: a queen's move, her arrow, or both, as the plies of a turn have it.
struct Turn {
  int from = nowhere, to = nowhere, target = nowhere;
};

// Cell i = row * size + column is bit i; row 0 is drawn at the top, where the second player starts.
template <int Words>
class Amazons {
  using Board = Bitboard<Words>;

 public:
  struct State {
    std::array<Board, 2> queens{};  // of the first and of the second player
    Board arrows{};
    std::int32_t shooter = nowhere;  // where the queen stands that has moved and must shoot
    std::int16_t to_move = 0;
    std::int16_t result = static_cast<std::int16_t>(Result::ongoing);
  };

  explicit Amazons(const Parameters& parameters)
      : size_(static_cast<int>(parameters.integer("size"))),
        two_plies_(parameters.choice("plies") == "2") {
    for (int cell = 0; cell < cells_; ++cell) {
      board_.set(cell);
      const int row = grid_.row(cell), column = grid_.column(cell);
      for (int d = 0; d < 8; ++d) {
        const auto [down, right] = directions[d];
        for (int k = 1; grid_.contains(row + k * down, column + k * right); ++k)
          rays_[cell][d].set(grid_.at(row + k * down, column + k * right));
        if (rays_[cell][d].any()) neighbours_[cell].set(cell + down * size_ + right);
      }
    }
  }

  Datasheet datasheet() const {
    const int turns = cells_ - 2 * queens_each;
    Datasheet sheet;
    sheet.title = "Amazons";
    sheet.rows = sheet.columns = size_;
    sheet.planes = {"first player's queens", "second player's queens", "arrows", "player to move"};
    if (two_plies_) sheet.planes.push_back("queen that must shoot");
    sheet.move_count = two_plies_ ? cells_ * cells_ + cells_ : cells_ * cells_ * cells_;
    sheet.move_kinds = {"move"};
    if (two_plies_) sheet.move_kinds.push_back("shoot");
    sheet.max_length = two_plies_ ? 2 * turns : turns;
    sheet.max_length_reason = "each turn of " + std::string(two_plies_ ? "two plies" : "one ply") +
                              " puts an arrow on one of the " + std::to_string(turns) +
                              " empty squares";
    sheet.typical_length = 5 * sheet.max_length / 6;
    sheet.symmetry_group = "square (8)";
    sheet.move_notation = two_plies_ ? "d1d7: a queen from d1 to d7, then /g7: her arrow to g7"
                                     : "d1d7/g7: a queen from d1 to d7, her arrow to g7";
    sheet.move_notation += "; row 1 at the bottom";
    sheet.position_notation =
        "rows from the top with Q, q (queens of the first and second player), * (arrows) and "
        "numbers of empty squares, then w or b to move";
    if (two_plies_) sheet.position_notation += ", then the square of a queen that must shoot";
    sheet.reference = "https://en.wikipedia.org/wiki/Game_of_the_Amazons";
    return sheet;
  }

  // The four queens of a side stand two on the edge row and two on the edge columns, equally far
  // from their corners: a4 d1 g1 j4 at size 10, a3 c1 f1 h3 at size 8, a2 b1 e1 f2 at size 6.
  State initial() const {
    const int inset = std::max(1, (size_ - 4) / 2), end = size_ - 1;
    State s;
    for (const auto& [row, column] :
         {std::pair{0, inset}, {0, end - inset}, {inset, 0}, {inset, end}}) {
      s.queens[0].set(grid_.at(end - row, column));
      s.queens[1].set(grid_.at(row, column));
    }
    return s;
  }

  Result result(const State& s) const { return static_cast<Result>(s.result); }

  void moves(const State& s, MoveList& out) const {
    const Board taken = occupied(s);
    const auto shots = [&](int from, int to, const Board& targets) {
      targets.for_each([&](int target) { out.push_back(move_of({from, to, target})); });
    };
    if (s.shooter != nowhere) return shots(nowhere, nowhere, reach(s.shooter, taken));
    s.queens[s.to_move].for_each([&](int from) {
      reach(from, taken).for_each([&](int to) {
        if (two_plies_)
          out.push_back(move_of({from, to, nowhere}));
        else
          shots(from, to, reach(to, taken ^ Board::cell(from)));
      });
    });
  }

  void apply(State& s, Move move) const { play(s, turn_of(move)); }

  Playout playout(State& s, int max_plies, Random& random) const {
    QueenLines lines = empty_lines_;
    occupied(s).for_each([&](int cell) { lines.flip(cell); });
    int plies = 0;
    for (; result(s) == Result::ongoing && plies < max_plies; ++plies) {
      const Turn turn = random_turn(s, lines, random);
      play(s, turn);
      for (const int cell : {turn.from, turn.to, turn.target})
        if (cell != nowhere) lines.flip(cell);
    }
    return {result(s), plies};
  }

  void encode(const State& s, std::int8_t* planes) const {
    const auto fill = [&](int plane, const Board& board) {
      board.for_each([&](int cell) { planes[plane * cells_ + cell] = 1; });
    };
    fill(0, s.queens[0]);
    fill(1, s.queens[1]);
    fill(2, s.arrows);
    if (s.to_move == 1) fill(3, board_);
    if (s.shooter != nowhere) fill(4, Board::cell(s.shooter));
  }

  int symmetries() const { return static_cast<int>(maps_.size()); }
  State transform(const State& s, int symmetry) const {
    const CellMap& map = maps_[symmetry];
    State out = s;
    out.queens = {s.queens[0].mapped(map), s.queens[1].mapped(map)};
    out.arrows = s.arrows.mapped(map);
    if (s.shooter != nowhere) out.shooter = map[s.shooter];
    return out;
  }
  Move transform_move(const State&, int symmetry, Move move) const {
    Turn turn = turn_of(move);
    for (int* cell : {&turn.from, &turn.to, &turn.target})
      if (*cell != nowhere) *cell = maps_[symmetry][*cell];
    return move_of(turn);
  }

  // The squares that the winner's queens could still get to, however many moves it took; at least
  // one, because the winner may be walled in as well.
  double score(const State& s) const {
    if (result(s) == Result::ongoing) return 0;
    const int winner = result(s) == Result::first_wins ? 0 : 1;
    return (winner == 0 ? 1 : -1) * std::max(1, territory(s, winner));
  }

  int ply_of(const State& s) const {
    return s.arrows.count() * (two_plies_ ? 2 : 1) + (s.shooter != nowhere);
  }

  MovePath move_path(const State& s, Move move) const {
    const Turn turn = turn_of(move);
    if (turn.from == nowhere) return {shooting, grid_.path(s.shooter, turn.target)};
    if (turn.target == nowhere) return {moving, grid_.path(turn.from, turn.to)};
    return {moving, grid_.path(turn.from, turn.to, turn.target)};
  }

  std::string move_text(const State&, Move move) const {
    const Turn turn = turn_of(move);
    std::string out;
    if (turn.from != nowhere) out += grid_.name(turn.from) + grid_.name(turn.to);
    if (turn.target != nowhere) out += '/' + grid_.name(turn.target);
    return out;
  }

  std::string position_text(const State& s) const {
    std::string out = grid_.rows_text([&](int cell) { return symbol(s, cell); });
    out += s.to_move == 0 ? " w" : " b";
    if (s.shooter != nowhere) out += ' ' + grid_.name(s.shooter);
    return out;
  }
  State parse_position(std::string_view text) const {
    const auto words = words_of(text);
    if (words.size() < 2 || words.size() > (two_plies_ ? 3 : 2) ||
        (words[1] != "w" && words[1] != "b"))
      throw PositionError(
          "position " + in_quotes(text) + " of amazons is not '<rows> w' or '<rows> b'" +
          (two_plies_ ? ", alone or with the square of a queen that must shoot" : ""));
    const std::string symbols = grid_.parse_rows(words[0], "Qq*");
    State s;
    for (int cell = 0; cell < cells_; ++cell) {
      if (symbols[cell] == '*') s.arrows.set(cell);
      if (symbols[cell] == 'Q') s.queens[0].set(cell);
      if (symbols[cell] == 'q') s.queens[1].set(cell);
      if (words.size() == 3 && grid_.name(cell) == words[2]) s.shooter = cell;
    }
    if (words.size() == 3 && s.shooter == nowhere)
      throw PositionError("position " + in_quotes(text) + " of amazons has a queen to shoot from " +
                          in_quotes(words[2]) + "; squares go from a1 to " + grid_.name(size_ - 1));
    s.to_move = words[1] == "b";
    s.result = ending(s);
    return s;
  }
  std::string drawing(const State& s) const {
    return grid_.drawing([&](int cell) { return symbol(s, cell); }) +
           (s.shooter != nowhere ? grid_.name(s.shooter) + " must shoot\n" : "");
  }

  std::string flaw(const State& s) const {
    const Board taken = occupied(s);
    if ((taken & ~board_).any() || (s.queens[0] & s.queens[1]).any() ||
        ((s.queens[0] | s.queens[1]) & s.arrows).any())
      return "queens and arrows overlap or lie outside the board";
    if (s.queens[0].count() != queens_each || s.queens[1].count() != queens_each)
      return "each side must have " + std::to_string(queens_each) + " queens";
    if (s.to_move != s.arrows.count() % 2)
      return "the side to move does not fit the number of arrows";
    if (s.shooter != nowhere) {
      if (!two_plies_ || s.shooter < 0 || s.shooter >= cells_ ||
          !s.queens[s.to_move].test(s.shooter))
        return "the side to move has no queen on the square to shoot from";
      if (reach(s.shooter, taken).none()) return "the queen that must shoot has no room to";
    }
    if (s.result != ending(s)) return "the result does not fit the board";
    return "";
  }

 private:
  static Board occupied(const State& s) { return s.queens[0] | s.queens[1] | s.arrows; }
  static char symbol(const State& s, int cell) {
    if (s.arrows.test(cell)) return '*';
    return s.queens[0].test(cell) ? 'Q' : s.queens[1].test(cell) ? 'q' : '.';
  }

  // With two plies to a turn, arrows are numbered after the queens' moves.
  Move move_of(const Turn& turn) const {
    if (turn.from == nowhere) return cells_ * cells_ + turn.target;
    const Move queen_move = turn.from * cells_ + turn.to;
    return two_plies_ ? queen_move : queen_move * cells_ + turn.target;
  }
  Turn turn_of(Move move) const {
    const int m = static_cast<int>(move);
    if (!two_plies_) return {m / cells_ / cells_, m / cells_ % cells_, m % cells_};
    if (m >= cells_ * cells_) return {nowhere, nowhere, m - cells_ * cells_};
    return {m / cells_, m % cells_, nowhere};
  }

  void play(State& s, const Turn& turn) const {
    if (turn.from != nowhere) {
      s.queens[s.to_move].reset(turn.from);
      s.queens[s.to_move].set(turn.to);
      s.shooter = turn.to;
    }
    if (turn.target != nowhere) {
      s.arrows.set(turn.target);
      s.shooter = nowhere;
      s.to_move ^= 1;
      s.result = ending(s);
    }
  }

  // A queen that can move can also shoot: back to where she came from, if nowhere else.
  std::int16_t ending(const State& s) const {
    const bool stuck = s.shooter == nowhere && (around(s.queens[s.to_move]) & ~occupied(s)).none();
    return static_cast<std::int16_t>(stuck ? win_of(1 - s.to_move) : Result::ongoing);
  }
  Board around(const Board& board) const {
    Board out;
    board.for_each([&](int cell) { out |= neighbours_[cell]; });
    return out;
  }
  int territory(const State& s, int player) const {
    const Board empty = board_ & ~occupied(s);
    Board reached, border = s.queens[player];
    while ((border = around(border) & empty & ~reached).any()) reached |= border;
    return reached.count();
  }

  // The squares a queen on `cell` can move or shoot to. A ray is cut at its nearest taken square;
  // a corner, whose own ray is empty, stands for that square where there is none.
  Board reach(int cell, const Board& taken) const {
    const auto& rays = rays_[cell];
    Board out;
    for (int d = 0; d < 4; ++d) out |= rays[d] ^ rays_[((rays[d] & taken) | last_cell_).first()][d];
    for (int d = 4; d < 8; ++d) out |= rays[d] ^ rays_[highest((rays[d] & taken) | first_cell_)][d];
    return out & ~taken;
  }
  static int highest(const Board& board) {
    int k = Words - 1;
    while (k > 0 && !board.words[k]) --k;
    return 64 * k + 63 - std::countl_zero(board.words[k]);
  }

  Turn random_turn(const State& s, QueenLines& lines, Random& random) const {
    if (s.shooter != nowhere) {
      const std::uint32_t room = lines.room(s.shooter);
      return {nowhere, nowhere, lines.nth(s.shooter, room, random.below(QueenLines::count(room)))};
    }
    std::array<int, queens_each> from{}, counts{};
    std::array<std::uint32_t, queens_each> rooms{};
    int queens = 0, total = 0;
    s.queens[s.to_move].for_each([&](int cell) {
      from[queens] = cell;
      rooms[queens] = lines.room(cell);
      total += counts[queens] = QueenLines::count(rooms[queens]);
      ++queens;
    });
    while (true) {
      int n = random.below(total), queen = 0;
      for (; n >= counts[queen]; ++queen) n -= counts[queen];
      Turn turn{from[queen], lines.nth(from[queen], rooms[queen], n), nowhere};
      if (two_plies_) return turn;
      // Whole turns must be equally likely: a queen's move is kept as often as it has arrows.
      lines.flip(turn.from);
      const std::uint32_t room = lines.room(turn.to);
      lines.flip(turn.from);
      n = random.below(4 * (size_ - 1));
      if (n >= QueenLines::count(room)) continue;
      turn.target = lines.nth(turn.to, room, n);
      return turn;
    }
  }

  int size_;
  bool two_plies_;
  int cells_ = size_ * size_;
  Grid grid_{size_, size_, RowOne::bottom};
  std::vector<CellMap> maps_ = grid_symmetries(size_, size_);
  Board board_, first_cell_ = Board::cell(0), last_cell_ = Board::cell(cells_ - 1);
  std::array<Board, 64 * Words> neighbours_{};
  std::array<std::array<Board, 8>, 64 * Words> rays_{};
  QueenLines empty_lines_{size_};
};

std::unique_ptr<Rules> make_amazons(const Parameters& parameters) {
  return parameters.integer("size") <= 8 ? make_rules<Amazons<1>>(parameters)
                                         : make_rules<Amazons<2>>(parameters);
}

}  // namespace

GameEntry amazons() {
  return {"amazons",
          {Parameter::integer("size", 10, 4, 10, "rows and columns of the board"),
           Parameter::choice("plies", "2", {"2", "1"},
                             "2: moving a queen and shooting are two moves; 1: they are one move")},
          make_amazons};
}

}  // namespace athenan
