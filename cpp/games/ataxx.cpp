// Ataxx. A piece clones itself to a neighbouring cell or jumps to a cell two away, over anything;
// all the opponent's pieces next to the new one change sides. A player without a move passes. The
// match ends when a player has no piece left, when nobody can move, or after 100 plies without a
// clone; who has more pieces wins.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/bitboard.h"
#include "base/error.h"
#include "base/grid.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

constexpr int max_idle_plies = 100;
constexpr std::string_view pass_text = "0000";

enum Kind { cloning, jumping, passing };  // Datasheet::move_kinds

struct Offset {
  int down = 0, right = 0;
};
// How a piece arrives on a cell: as a clone, whose origin does not matter, or by one of 16 jumps.
constexpr int clone = 0;
constexpr int arrival_count = 17;
constexpr auto offsets = [] {
  std::array<Offset, arrival_count> out{};
  int count = clone + 1;
  for (int down = -2; down <= 2; ++down)
    for (int right = -2; right <= 2; ++right)
      if (std::max({down, -down, right, -right}) == 2) out[count++] = {down, right};
  return out;
}();

// The size is part of the type: every shift is then a constant.
template <int size>
class Ataxx {
  static constexpr int cell_count = size * size;
  using Cells = Bitboard<(cell_count + 63) / 64>;
  // A move is arrival_count * target + arrival, or the pass.
  static constexpr Move pass = arrival_count * cell_count;

 public:
  struct State {
    std::array<Cells, 2> pieces{};  // of the first and of the second player
    Cells walls{};
    std::uint8_t to_move = 0;
    std::uint8_t idle = 0;  // plies since the last clone
    Result result = Result::ongoing;
    std::array<std::uint8_t, 5> unused{};  // fills the last word, always zero
  };

  explicit Ataxx(const Parameters& parameters)
      : start_(start(parameters.choice("walls"))),
        stalled_is_draw_(parameters.choice("stalled") == "draw") {
    for (const CellMap& map : maps_) {
      std::array<int, arrival_count> turned{clone};
      for (int k = clone + 1; k < arrival_count; ++k)
        turned[k] = arrival_of(map[centre + step(k)] - map[centre]);
      turns_.push_back(turned);
    }
  }

  Datasheet datasheet() const {
    const int empty = empty_cells(start_).count();
    Datasheet sheet;
    sheet.title = "Ataxx";
    sheet.rows = sheet.columns = size;
    sheet.planes = {"first player", "second player", "empty", "tens of plies since the last clone",
                    "player to move"};
    sheet.move_count = pass + 1;
    sheet.move_kinds = {"clone", "jump", "pass"};
    sheet.max_length = max_idle_plies * empty;
    sheet.max_length_reason = "a clone fills one of " + std::to_string(empty) +
                              " cells for good, and at most " + std::to_string(max_idle_plies) +
                              " plies lead to the next clone or to the end";
    sheet.typical_length = 11 * (empty - 10) / 2;
    sheet.longest_length = 7 * empty;
    sheet.symmetry_group = "square (8)";
    sheet.has_draws = true;
    sheet.move_notation =
        "g2: a clone to g2; g3f5: a jump; 0000: a pass; column letter, row 1 at the bottom";
    sheet.position_notation =
        "rows from the top with x (first player), o, - (walls) and numbers of empty cells, the "
        "side to move, the plies since the last clone: x5o/7/7/7/7/7/o5x x 0; the number of the "
        "full move of other programs may follow and means nothing";
    sheet.reference = "https://en.wikipedia.org/wiki/Ataxx";
    return sheet;
  }

  State initial() const { return start_; }

  void moves(const State& s, MoveList& out) const {
    const std::size_t before = out.size();
    const Targets targets = targets_of(s, Arrivals{});
    for (int arrival = 0; arrival < arrival_count; ++arrival)
      targets[arrival].for_each([&](int cell) { out.push_back(number(cell, arrival)); });
    if (out.size() == before) out.push_back(pass);
  }
  Move random_move(const State& s, Random& random) const {
    const Targets targets = targets_of(s, Arrivals{});
    std::array<int, arrival_count> counts;
    int total = 0;
    for (int arrival = 0; arrival < arrival_count; ++arrival)
      total += counts[arrival] = targets[arrival].count();
    if (total == 0) return pass;
    int n = static_cast<int>(random.below(static_cast<std::uint32_t>(total))), arrival = 0;
    while (n >= counts[arrival]) n -= counts[arrival++];
    return number(targets[arrival].nth(n), arrival);
  }

  void apply(State& s, Move move) const {
    const int target = move / arrival_count, arrival = move % arrival_count;
    Cells &own = s.pieces[s.to_move], &other = s.pieces[s.to_move ^ 1];
    if (move != pass) {
      const Cells placed = Cells::cell(target), flipped = widened(placed) & other;
      own |= placed | flipped;
      other ^= flipped;
      if (arrival != clone) own.reset(target - step(arrival));
    }
    s.idle = move != pass && arrival == clone ? 0 : s.idle + 1;
    s.to_move ^= 1;
    s.result = ending(s);
  }

  void encode(const State& s, std::int8_t* planes) const {
    const Cells empty = empty_cells(s);
    for (int cell = 0; cell < cell_count; ++cell) {
      planes[cell] = s.pieces[0].test(cell);
      planes[cell_count + cell] = s.pieces[1].test(cell);
      planes[2 * cell_count + cell] = empty.test(cell);
      planes[3 * cell_count + cell] = static_cast<std::int8_t>(s.idle / 10);
      planes[4 * cell_count + cell] = static_cast<std::int8_t>(s.to_move);
    }
  }

  int symmetries() const { return static_cast<int>(maps_.size()); }
  State transform(const State& s, int symmetry) const {
    const CellMap& map = maps_[symmetry];
    State out = s;
    out.pieces = {s.pieces[0].mapped(map), s.pieces[1].mapped(map)};
    out.walls = s.walls.mapped(map);
    return out;
  }
  Move transform_move(const State&, int symmetry, Move move) const {
    if (move == pass) return pass;
    return number(maps_[symmetry][move / arrival_count], turns_[symmetry][move % arrival_count]);
  }

  // A draw although the pieces differ in number is worth nothing to anybody.
  double score(const State& s) const { return s.result == Result::draw ? 0 : difference(s); }
  int pieces(const State& s, int player) const { return s.pieces[player].count(); }

  MovePath move_path(const State&, Move move) const {
    if (move == pass) return {passing, {}};
    const int target = move / arrival_count, arrival = move % arrival_count;
    if (arrival == clone) return {cloning, grid_.path(target)};
    return {jumping, grid_.path(target - step(arrival), target)};
  }

  std::string move_text(const State&, Move move) const {
    if (move == pass) return std::string(pass_text);
    const int target = move / arrival_count, arrival = move % arrival_count;
    return (arrival == clone ? "" : grid_.name(target - step(arrival))) + grid_.name(target);
  }
  std::string position_text(const State& s) const {
    return grid_.rows_text([&](int cell) { return symbol(s, cell, '-'); }) +
           (s.to_move ? " o " : " x ") + std::to_string(s.idle);
  }
  State parse_position(std::string_view text) const {
    const auto words = words_of(text);
    int idle = 0, full_move = 0;
    if ((words.size() != 3 && words.size() != 4) || (words[1] != "x" && words[1] != "o") ||
        !read_number(words[2], max_idle_plies, idle) ||
        (words.size() == 4 && !read_number(words[3], 1'000'000, full_move)))
      throw PositionError("position " + in_quotes(text) +
                          " of ataxx is not '<rows> <x or o> <plies since the last clone, 0 to " +
                          std::to_string(max_idle_plies) + ">'");
    const std::string cells = grid_.parse_rows(words[0], "xo-");
    State s;
    for (int cell = 0; cell < cell_count; ++cell)
      if (cells[cell] != '.')
        (cells[cell] == '-' ? s.walls : s.pieces[cells[cell] == 'o']).set(cell);
    s.to_move = words[1] == "o";
    s.idle = static_cast<std::uint8_t>(idle);
    s.result = ending(s);
    return s;
  }
  std::string drawing(const State& s) const {
    return grid_.drawing([&](int cell) { return symbol(s, cell, '#'); });
  }

  std::string flaw(const State& s) const {
    if ((s.pieces[0] & s.pieces[1]).any() || ((s.pieces[0] | s.pieces[1]) & s.walls).any())
      return "pieces or walls overlap";
    if (((s.pieces[0] | s.pieces[1] | s.walls) & ~board).any())
      return "pieces or walls lie outside the board";
    if (s.idle > max_idle_plies) return "there were too many plies since the last clone";
    if (s.result != ending(s)) return "the result does not fit the board";
    return "";
  }

 private:
  // The first player starts in the upper left and the lower right corner, the second one in the
  // others. The walls stand around the centre, which on boards of even size is a square of four.
  static State start(const std::string& walls) {
    constexpr int end = size - 1, low = (size - 1) / 2, high = size / 2;
    State s;
    for (const int row : {0, end})
      for (const int column : {0, end}) s.pieces[row != column].set(row * size + column);
    for (const int outer : {low - 1, high + 1}) {
      if (walls == "square")
        for (const int other : {low - 1, high + 1}) s.walls.set(outer * size + other);
      if (walls == "diamond")
        for (const int inner : {low, high}) {
          s.walls.set(outer * size + inner);
          s.walls.set(inner * size + outer);
        }
    }
    return s;
  }

  static constexpr int centre = size / 2 * (size + 1);
  static constexpr int step(int arrival) {
    return size * offsets[arrival].down + offsets[arrival].right;
  }
  static int arrival_of(int jump) {
    int arrival = clone + 1;
    while (step(arrival) != jump) ++arrival;
    return arrival;
  }
  static Move number(int target, int arrival) { return arrival_count * target + arrival; }

  static constexpr Cells columns(int from, int to) {
    Cells cells;
    for (int row = 0; row < size; ++row)
      for (int column = from; column < to; ++column) cells.set(row * size + column);
    return cells;
  }
  static constexpr Cells board = columns(0, size);

  // The cells with their neighbours; some of these may lie above or below the board.
  static Cells widened(const Cells& cells) {
    constexpr Cells not_last = columns(0, size - 1), not_first = columns(1, size);
    const Cells row =
        cells | (cells & not_last).shifted_up(1) | (cells & not_first).shifted_down(1);
    return row | row.shifted_up(size) | row.shifted_down(size);
  }
  static Cells empty_cells(const State& s) {
    return board & ~(s.pieces[0] | s.pieces[1] | s.walls);
  }

  // Where the side to move can arrive, by each way. One shift per jump, in straight-line code: the
  // attributes are those of Othello, and as much faster on boards of two words.
  using Targets = std::array<Cells, arrival_count>;
  using Arrivals = std::make_integer_sequence<int, arrival_count>;
  template <int... arrivals>
  [[gnu::flatten, gnu::optimize("no-tree-vectorize"), gnu::no_sanitize("address")]]
  static Targets targets_of(const State& s, std::integer_sequence<int, arrivals...>) {
    const Cells own = s.pieces[s.to_move], empty = empty_cells(s);
    return {(arrived<arrivals>(own) & empty)...};
  }
  template <int arrival>
  static Cells arrived(const Cells& own) {
    if constexpr (arrival == clone) {
      return widened(own);
    } else {
      constexpr int right = offsets[arrival].right;
      constexpr Cells stays = columns(std::max(0, -right), size - std::max(0, right));
      return (own & stays).shifted(step(arrival));
    }
  }

  Result ending(const State& s) const {
    const Cells both = s.pieces[0] | s.pieces[1];
    const bool decided = s.pieces[0].none() || s.pieces[1].none() ||
                         (widened(widened(both) & board) & empty_cells(s)).none();
    if (!decided && s.idle < max_idle_plies) return Result::ongoing;
    if (!decided && stalled_is_draw_) return Result::draw;
    const int lead = difference(s);
    return static_cast<Result>((lead > 0) - (lead < 0));
  }
  static int difference(const State& s) { return s.pieces[0].count() - s.pieces[1].count(); }

  static bool read_number(std::string_view text, int most, int& out) {
    const char* end = text.data() + text.size();
    const auto [rest, problem] = std::from_chars(text.data(), end, out);
    return problem == std::errc{} && rest == end && out >= 0 && out <= most;
  }
  static char symbol(const State& s, int cell, char wall) {
    return s.pieces[0].test(cell)   ? 'x'
           : s.pieces[1].test(cell) ? 'o'
           : s.walls.test(cell)     ? wall
                                    : '.';
  }

  State start_;
  bool stalled_is_draw_;
  Grid grid_{size, size, RowOne::bottom};
  std::vector<CellMap> maps_ = grid_symmetries(size, size);
  std::vector<std::array<int, arrival_count>> turns_;  // what each symmetry does to arrivals
};

std::unique_ptr<Rules> make_ataxx(const Parameters& parameters) {
  switch (parameters.integer("size")) {
    case 5:
      return make_rules<Ataxx<5>>(parameters);
    case 6:
      return make_rules<Ataxx<6>>(parameters);
    case 7:
      return make_rules<Ataxx<7>>(parameters);
    case 8:
      return make_rules<Ataxx<8>>(parameters);
    case 9:
      return make_rules<Ataxx<9>>(parameters);
    default:
      return make_rules<Ataxx<10>>(parameters);
  }
}

}  // namespace

GameEntry ataxx() {
  return {"ataxx",
          {Parameter::integer("size", 7, 5, 10, "rows and columns of the board"),
           Parameter::choice("walls", "none", {"none", "square", "diamond"},
                             "cells around the centre that nobody enters: none, its diagonal or "
                             "its orthogonal neighbours"),
           Parameter::choice("stalled", "count", {"count", "draw"},
                             "the outcome after 100 plies without a clone: the player with more "
                             "pieces wins, or a draw")},
          make_ataxx};
}

}  // namespace athenan
