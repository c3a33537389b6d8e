// Othello on even square boards. A player without a move passes while the other has one; the match
// ends at once when neither has.
#include <array>
#include <cstdlib>
#include <utility>

#include "base/bitboard.h"
#include "base/error.h"
#include "base/grid.h"
#include "games/stones.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

enum Kind { placing, passing };  // Datasheet::move_kinds

// The size is part of the type: every shift is then a constant, which makes flipping fast.
template <int size>
class Othello {
  static constexpr int cell_count = size * size;
  static constexpr Move pass = cell_count;
  using Cells = Bitboard<(cell_count + 63) / 64>;

 public:
  struct State {
    std::array<Cells, 2> discs{};
    Cells placements{};  // of the side to move; none if it must pass or the match is over
    std::uint8_t to_move = 0;
    Result result = Result::ongoing;
    std::array<std::uint8_t, 6> unused{};  // fills the last word, always zero
  };

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Othello";
    sheet.rows = sheet.columns = size;
    sheet.planes = {"first player", "second player", "empty", "player to move"};
    sheet.move_count = cell_count + 1;
    sheet.move_kinds = {"place", "pass"};
    sheet.max_length = 2 * (cell_count - 4);
    sheet.max_length_reason = "each of the " + std::to_string(cell_count - 4) +
                              " placements follows at most one pass, and no pass is the last move";
    sheet.typical_length = cell_count - 4;
    sheet.longest_length = cell_count + 1;
    sheet.symmetry_group = "square (8)";
    sheet.has_draws = true;
    sheet.move_notation = "f5: column letter, row 1 at the top; pass";
    sheet.position_notation =
        "the cells row by row from a1 as X (first player), O or -, then the side to move: X or O";
    sheet.reference = "https://en.wikipedia.org/wiki/Reversi";
    return sheet;
  }

  State initial() const {
    State s;
    s.discs[0] = Cells::cell(centre + 1) | Cells::cell(centre + size);
    s.discs[1] = Cells::cell(centre) | Cells::cell(centre + size + 1);
    settle(s);
    return s;
  }

  void moves(const State& s, MoveList& out) const {
    s.placements.for_each([&](int cell) { out.push_back(cell); });
    if (s.placements.none()) out.push_back(pass);
  }
  Move random_move(const State& s, Random& random) const {
    const auto count = static_cast<std::uint32_t>(s.placements.count());
    return count ? s.placements.nth(static_cast<int>(random.below(count))) : pass;
  }

  void apply(State& s, Move move) const {
    if (move != pass) {
      const Cells placed = Cells::cell(static_cast<int>(move));
      Cells &own = s.discs[s.to_move], &other = s.discs[s.to_move ^ 1];
      const Cells flipped = flips(placed, own, other, Steps{});
      own |= placed | flipped;
      other ^= flipped;
    }
    s.to_move ^= 1;
    settle(s);
  }

  void encode(const State& s, std::int8_t* planes) const {
    for (int cell = 0; cell < cell_count; ++cell) {
      planes[cell] = s.discs[0].test(cell);
      planes[cell_count + cell] = s.discs[1].test(cell);
      planes[2 * cell_count + cell] = !planes[cell] && !planes[cell_count + cell];
      planes[3 * cell_count + cell] = static_cast<std::int8_t>(s.to_move);
    }
  }

  int symmetries() const { return static_cast<int>(maps_.size()); }
  State transform(const State& s, int symmetry) const {
    const CellMap& map = maps_[symmetry];
    State out = s;
    out.discs = {s.discs[0].mapped(map), s.discs[1].mapped(map)};
    out.placements = s.placements.mapped(map);
    return out;
  }
  Move transform_move(const State&, int symmetry, Move move) const {
    return move == pass ? pass : maps_[symmetry][move];
  }

  double score(const State& s) const { return s.discs[0].count() - s.discs[1].count(); }
  int pieces(const State& s, int player) const { return s.discs[player].count(); }

  MovePath move_path(const State&, Move move) const {
    if (move == pass) return {passing, {}};
    return {placing, grid_.path(move)};
  }

  std::string move_text(const State&, Move move) const {
    return move == pass ? "pass" : grid_.name(static_cast<int>(move));
  }
  std::string position_text(const State& s) const {
    std::string text;
    for (int cell = 0; cell < cell_count; ++cell) text += symbol(s, cell, '-');
    return text + (s.to_move ? " O" : " X");
  }
  State parse_position(std::string_view text) const {
    const auto words = words_of(text);
    if (words.size() != 2 || words[0].size() != cell_count ||
        words[0].find_first_not_of("XO-") != std::string_view::npos ||
        (words[1] != "X" && words[1] != "O"))
      throw PositionError("position " + in_quotes(text) + " of othello is not " +
                          std::to_string(cell_count) +
                          " of the characters X, O and -, a space and the side to move X or O");
    State s;
    for (int cell = 0; cell < cell_count; ++cell)
      if (words[0][cell] != '-') s.discs[words[0][cell] == 'O'].set(cell);
    s.to_move = words[1] == "O";
    settle(s);
    return s;
  }
  std::string drawing(const State& s) const {
    return grid_.drawing([&](int cell) { return symbol(s, cell, '.'); });
  }

  std::string flaw(const State& s) const {
    if (!well_placed(s.discs, board)) return "discs overlap or lie outside the board";
    // The bound on the length of a match counts on it.
    if ((centre_cells & ~(s.discs[0] | s.discs[1])).any()) return "a centre cell is empty";
    State settled = s;
    settle(settled);
    if (s.placements != settled.placements || s.result != settled.result)
      return "the legal moves or the result do not fit the discs";
    return "";
  }

 private:
  static constexpr int centre = (size / 2 - 1) * (size + 1);  // the upper left centre cell
  static constexpr Cells centre_cells = Cells::cell(centre) | Cells::cell(centre + 1) |
                                        Cells::cell(centre + size) | Cells::cell(centre + size + 1);
  static constexpr Cells columns(int from, int to) {
    Cells cells;
    for (int row = 0; row < size; ++row)
      for (int column = from; column < to; ++column) cells.set(row * size + column);
    return cells;
  }
  static constexpr Cells board = columns(0, size), inner_columns = columns(1, size - 1);

  // From a cell to its neighbours.
  using Steps =
      std::integer_sequence<int, 1, -1, size, -size, size - 1, 1 - size, size + 1, -1 - size>;

  // Doubles the length of the lines reached until none can be longer.
  template <int step, int length>
  static void extend(Cells& reached, Cells& through) {
    if constexpr (length < size - 2) {
      reached |= through & reached.shifted(length * step);
      through &= through.shifted(length * step);
      extend<step, 2 * length>(reached, through);
    }
  }

  // The discs of `other` in unbroken lines that start next to `from`. Lines cannot go on beyond the
  // outer columns, so that only discs in the inner ones count unless the line is vertical.
  template <int step>
  static Cells line(const Cells& from, const Cells& other) {
    Cells through = std::abs(step) == size ? other : other & inner_columns;
    Cells reached = through & from.shifted(step);
    extend<step, 1>(reached, through);
    return reached;
  }

  template <int step>
  static Cells flips_along(const Cells& placed, const Cells& own, const Cells& other) {
    const Cells between = line<step>(placed, other);
    return (between.shifted(step) & own).any() ? between : Cells{};
  }

  // The two functions below are straight-line code on a few registers and must stay so: without
  // their attributes GCC calls shifts out of line and vectorises the words of large boards through
  // memory, five times slower. Without the last one a sanitized build inlines for minutes.
  template <int... steps>
  [[gnu::flatten, gnu::optimize("no-tree-vectorize"), gnu::no_sanitize("address")]]
  static Cells flips(const Cells& placed, const Cells& own, const Cells& other,
                     std::integer_sequence<int, steps...>) {
    return (flips_along<steps>(placed, own, other) | ...);
  }
  template <int... steps>
  [[gnu::flatten, gnu::optimize("no-tree-vectorize"), gnu::no_sanitize("address")]]
  static Cells legal(const Cells& own, const Cells& other, std::integer_sequence<int, steps...>) {
    return (line<steps>(own, other).shifted(steps) | ...) & board & ~(own | other);
  }

  // Derives the placements and the result from the discs and the side to move.
  static void settle(State& s) {
    const Cells &own = s.discs[s.to_move], &other = s.discs[s.to_move ^ 1];
    s.placements = legal(own, other, Steps{});
    const bool over = s.placements.none() && legal(other, own, Steps{}).none();
    s.result = over ? winner(s.discs[0].count() - s.discs[1].count()) : Result::ongoing;
  }
  static Result winner(int difference) {
    return static_cast<Result>((difference > 0) - (difference < 0));
  }
  static char symbol(const State& s, int cell, char empty) {
    return s.discs[0].test(cell) ? 'X' : s.discs[1].test(cell) ? 'O' : empty;
  }

  Grid grid_{size, size, RowOne::top};
  std::vector<CellMap> maps_ = grid_symmetries(size, size);
};

template <int size>
std::unique_ptr<Rules> make() {
  return std::make_unique<RulesOf<Othello<size>>>(Othello<size>());
}

std::unique_ptr<Rules> make_othello(const Parameters& parameters) {
  switch (parameters.integer("size")) {
    case 4:
      return make<4>();
    case 6:
      return make<6>();
    case 8:
      return make<8>();
    case 10:
      return make<10>();
    case 12:
      return make<12>();
    case 14:
      return make<14>();
    default:
      return make<16>();
  }
}

}  // namespace

GameEntry othello() {
  return {"othello",
          {Parameter::integer("size", 8, 4, 16, "rows and columns of the board", 2)},
          make_othello};
}

}  // namespace athenan
