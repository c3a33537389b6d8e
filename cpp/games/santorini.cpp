// Santorini without powers. After each player has placed two workers, a turn moves one of them to a
// neighbouring cell, at most one level up, and then builds one level on a neighbour of that cell;
// the fourth level is a dome, which nobody enters. Stepping up to level 3 wins at once, without a
// build; a player who cannot move loses.
#include <algorithm>
#include <array>

#include "base/bitboard.h"
#include "base/error.h"
#include "base/grid.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

constexpr int size = 5;
constexpr int cell_count = size * size;
constexpr int workers_each = 2;
constexpr int top_level = 3, dome = 4;
constexpr int nowhere = -1;
using Cells = Bitboard<1>;
constexpr Cells board{(std::uint64_t{1} << cell_count) - 1};

struct Direction {
  int down, right;
  constexpr int step() const { return size * down + right; }
};
constexpr int direction_count = 8;
constexpr std::array<Direction, direction_count> directions{
    {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}};

// The direction from a cell to one of its neighbours.
constexpr int direction_of(int from, int to) {
  constexpr int lowest = directions[0].step();
  constexpr auto of_step = [] {
    std::array<int, 1 - 2 * lowest> out{};
    for (int d = 0; d < direction_count; ++d) out[directions[d].step() - lowest] = d;
    return out;
  }();
  return of_step[to - from - lowest];
}

constexpr auto neighbours = [] {
  std::array<Cells, cell_count> out{};
  for (int cell = 0; cell < cell_count; ++cell)
    for (const auto [down, right] : directions) {
      const int row = cell / size + down, column = cell % size + right;
      if (row >= 0 && row < size && column >= 0 && column < size)
        out[cell].set(row * size + column);
    }
  return out;
}();

// The numbers of moves: first the placements, then (origin * 8 + direction of the step) * 9 +
// direction of the build, or 8 for no build.
constexpr int no_build = direction_count;
constexpr int builds_per_step = direction_count + 1;

// A move taken apart. A placement has no origin, a winning step no build.
struct Turn {
  int from = nowhere, to = nowhere, build = nowhere;
};

// The planes have a line more on each side, so that three convolutions of 3 x 3 without padding
// lead to a single cell.
constexpr int lines = size + 2;

class Santorini {
 public:
  struct State {
    std::array<Cells, 2> workers{};    // of the first and of the second player
    std::array<Cells, dome> higher{};  // higher[k]: the cells with more than k levels
    std::int32_t to_move = 0;
    std::int32_t result = static_cast<std::int32_t>(Result::ongoing);
  };

  explicit Santorini(const Parameters&) {}

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Santorini";
    sheet.rows = sheet.columns = lines;
    sheet.border = 1;
    sheet.planes = {"first player's workers", "second player's workers", "level 1 or higher",
                    "level 2 or higher",      "level 3 or higher",       "domes and the border",
                    "player to move"};
    sheet.move_count = cell_count + cell_count * direction_count * builds_per_step;
    sheet.move_kinds = {"place", "move and build", "climb to win"};
    // Without a winning step 21 cells can become domes and the four under the workers level 2; a
    // winning step, the only turn without a build, ends on a cell that stays at level 3.
    sheet.max_length = 2 * workers_each + 21 * dome + 4 * (top_level - 1);
    sheet.max_length_reason =
        "after 4 placements each turn but a winning step builds a level: at most 92 with domes on "
        "21 cells and level 2 under the workers, or 91 before a winning step";
    sheet.typical_length = 59;
    sheet.symmetry_group = "square (8)";
    sheet.move_notation =
        "B2: a worker is placed; B2B1C1: from B2 to B1, builds on C1; B2B1: a winning step; row 1 "
        "at the bottom";
    sheet.position_notation =
        "rows of levels from the top, the workers of the first and of the second player (- for "
        "none), then the side to move, x or o: 00000/00000/00100/00000/00000 B2D2 B4D3 o";
    sheet.reference = "https://en.wikipedia.org/wiki/Santorini_(game)";
    return sheet;
  }

  void moves(const State& s, MoveList& out) const {
    if (placing(s)) {
      free_cells(s).for_each([&](int cell) { out.push_back(cell); });
      return;
    }
    for_each_step(s, [&](int from, int to, const Cells& builds) {
      if (builds.none()) out.push_back(number({from, to, nowhere}));
      builds.for_each([&](int build) { out.push_back(number({from, to, build})); });
    });
  }

  Move random_move(const State& s, Random& random) const {
    if (placing(s)) {
      const Cells cells = free_cells(s);
      return cells.nth(static_cast<int>(random.below(static_cast<std::uint32_t>(cells.count()))));
    }
    struct Step {
      int from, to;
      Cells builds;
      int moves;
    };
    std::array<Step, workers_each * direction_count> steps;
    int count = 0, total = 0;
    for_each_step(s, [&](int from, int to, const Cells& builds) {
      const int moves = builds.any() ? builds.count() : 1;
      steps[count++] = {from, to, builds, moves};
      total += moves;
    });
    int n = static_cast<int>(random.below(static_cast<std::uint32_t>(total)));
    const Step* step = steps.data();
    while (n >= step->moves) n -= (step++)->moves;
    return number({step->from, step->to, step->builds.any() ? step->builds.nth(n) : nowhere});
  }

  void apply(State& s, Move move) const {
    const Turn turn = turn_of(move);
    Cells& own = s.workers[s.to_move];
    own.set(turn.to);
    if (turn.from != nowhere) own.reset(turn.from);
    if (turn.build != nowhere) s.higher[height(s, turn.build)].set(turn.build);
    // A player places both workers in a row.
    if (turn.from != nowhere || own.count() == workers_each) s.to_move ^= 1;
    s.result = static_cast<std::int32_t>(ending(s));
  }

  // The border looks like domes: nobody enters it or builds there.
  void encode(const State& s, std::int8_t* planes) const {
    const auto mark = [&](const Cells& cells) {
      cells.for_each([&](int cell) { planes[plane_index(cell)] = 1; });
      planes += lines * lines;
    };
    for (const Cells& workers : s.workers) mark(workers);
    for (const Cells& cells : s.higher) {
      for (int i = 0; i < lines; ++i)
        planes[i] = planes[(lines - 1) * lines + i] = planes[i * lines] =
            planes[i * lines + lines - 1] = 1;
      mark(cells);
    }
    for (int i = 0; i < lines * lines; ++i) planes[i] = static_cast<std::int8_t>(s.to_move);
  }

  int symmetries() const { return static_cast<int>(maps_.size()); }
  State transform(const State& s, int symmetry) const {
    State out = s;
    for (Cells& cells : out.workers) cells = cells.mapped(maps_[symmetry]);
    for (Cells& cells : out.higher) cells = cells.mapped(maps_[symmetry]);
    return out;
  }
  Move transform_move(const State&, int symmetry, Move move) const {
    if (move < cell_count) return maps_[symmetry][move];
    const int code = static_cast<int>(move) - cell_count;
    const int origin = code / (direction_count * builds_per_step);
    const int step = code / builds_per_step % direction_count, build = code % builds_per_step;
    return coded(maps_[symmetry][origin], turned(symmetry, step),
                 build == no_build ? no_build : turned(symmetry, build));
  }

  int ply_of(const State& s) const {
    return placed(s) + levels(s) +
           ((s.workers[0] | s.workers[1]) & s.higher[top_level - 1]).count();
  }

  MovePath move_path(const State&, Move move) const {
    const Turn turn = turn_of(move);
    if (turn.from == nowhere) return {0, grid_.path(turn.to)};
    if (turn.build == nowhere) return {2, grid_.path(turn.from, turn.to)};
    return {1, grid_.path(turn.from, turn.to, turn.build)};
  }
  std::string move_text(const State&, Move move) const {
    const Turn turn = turn_of(move);
    std::string text;
    for (const int cell : {turn.from, turn.to, turn.build})
      if (cell != nowhere) text += name(cell);
    return text;
  }

  std::string position_text(const State& s) const {
    std::string text;
    for (int cell = 0; cell < cell_count; ++cell) {
      if (cell && cell % size == 0) text += '/';
      text += static_cast<char>('0' + height(s, cell));
    }
    for (const Cells& workers : s.workers) {
      text += workers.any() ? " " : " -";
      workers.for_each([&](int cell) { text += name(cell); });
    }
    return text + (s.to_move ? " o" : " x");
  }
  State parse_position(std::string_view text) const {
    const auto refuse = [&]() -> void {
      throw PositionError("position " + in_quotes(text) +
                          " of santorini is not '<5 rows of 5 levels 0 to 4 joined by /> <workers "
                          "of x> <workers of o> <x or o>'");
    };
    const auto words = words_of(text);
    if (words.size() != 4 || words[0].size() != cell_count + size - 1 ||
        (words[3] != "x" && words[3] != "o"))
      refuse();
    State s;
    for (int i = 0; i < cell_count + size - 1; ++i) {
      const int row = i / (size + 1), column = i % (size + 1), level = words[0][i] - '0';
      if (column == size ? words[0][i] != '/' : level < 0 || level > dome) refuse();
      for (int k = 0; column < size && k < level; ++k) s.higher[k].set(grid_.at(row, column));
    }
    for (const int player : {0, 1}) {
      const std::string_view names = words[1 + player];
      if (names == "-") continue;
      if (names.empty() || names.size() % 2) refuse();
      for (std::size_t i = 0; i < names.size(); i += 2) {
        const int column = names[i] - 'A', row = size - (names[i + 1] - '0');
        if (!grid_.contains(row, column) || s.workers[player].test(grid_.at(row, column))) refuse();
        s.workers[player].set(grid_.at(row, column));
      }
    }
    s.to_move = words[3] == "o";
    s.result = static_cast<std::int32_t>(ending(s));
    return s;
  }

  // A cell is drawn as its worker, if any, and its level.
  std::string drawing(const State& s) const {
    std::string out;
    for (int row = 0; row < size; ++row) {
      out += std::to_string(grid_.row_label(row));
      for (int column = 0; column < size; ++column) {
        const int cell = grid_.at(row, column);
        out += ' ';
        out += s.workers[0].test(cell) ? 'x' : s.workers[1].test(cell) ? 'o' : '.';
        out += static_cast<char>('0' + height(s, cell));
      }
      out += '\n';
    }
    for (int column = 0; column < size; ++column) (out += "  ") += static_cast<char>('A' + column);
    return out + '\n';
  }

  std::string flaw(const State& s) const {
    const Cells workers = s.workers[0] | s.workers[1];
    if ((s.workers[0] & s.workers[1]).any() || (workers & ~board).any())
      return "workers overlap or stand outside the board";
    Cells below = board;
    for (const Cells& cells : s.higher) {
      if ((cells & ~below).any()) return "a level lies outside the board or on nothing";
      below = cells;
    }
    if ((workers & s.higher[dome - 1]).any()) return "a worker stands on a dome";
    const int first = s.workers[0].count(), second = s.workers[1].count();
    if (first > workers_each || second > workers_each || (second && first < workers_each))
      return "the workers are not those of two players who place two each, the first one first";
    if (placing(s) && (s.higher[0].any() || s.to_move != (first == workers_each)))
      return "the workers left to place do not fit the side to move or the buildings";
    if (const std::string problem = flaw_of_winner(s); !problem.empty()) return problem;
    if (s.result != static_cast<std::int32_t>(ending(s)))
      return "the result does not fit the board";
    return "";
  }

 private:
  static Move coded(int origin, int step, int build) {
    return cell_count + (origin * direction_count + step) * builds_per_step + build;
  }
  static Move number(const Turn& turn) {
    return coded(turn.from, direction_of(turn.from, turn.to),
                 turn.build == nowhere ? no_build : direction_of(turn.to, turn.build));
  }
  // Of a number that is no move, the cells may lie outside the board.
  static Turn turn_of(Move move) {
    if (move < cell_count) return {nowhere, static_cast<int>(move), nowhere};
    const int code = static_cast<int>(move) - cell_count, build = code % builds_per_step;
    const int from = code / (direction_count * builds_per_step);
    const int to = from + directions[code / builds_per_step % direction_count].step();
    return {from, to, build == no_build ? nowhere : to + directions[build].step()};
  }
  // What a symmetry does to a direction is seen around the centre of the board.
  int turned(int symmetry, int direction) const {
    constexpr int centre = cell_count / 2;
    return direction_of(centre, maps_[symmetry][centre + directions[direction].step()]);
  }

  static int placed(const State& s) { return (s.workers[0] | s.workers[1]).count(); }
  static bool placing(const State& s) { return placed(s) < 2 * workers_each; }
  static int levels(const State& s) {
    int sum = 0;
    for (const Cells& cells : s.higher) sum += cells.count();
    return sum;
  }
  static int height(const State& s, int cell) {
    int level = 0;
    for (const Cells& cells : s.higher) level += cells.test(cell);
    return level;
  }
  // Where a worker can be placed or go, or a level be built.
  static Cells free_cells(const State& s) {
    return board & ~(s.workers[0] | s.workers[1] | s.higher[dome - 1]);
  }
  // The cells that a worker on `from` can go to: from level 2 on, domes alone are too high.
  static Cells steps(const State& s, int from) {
    return neighbours[from] & free_cells(s) & ~s.higher[std::min(height(s, from) + 1, dome - 1)];
  }

  // Calls f(from, to, builds) for each step of the side to move; a winning step has no builds, and
  // every other one has some, as the worker can build where it comes from.
  template <class F>
  static void for_each_step(const State& s, F&& f) {
    const Cells free = free_cells(s);
    s.workers[s.to_move].for_each([&](int from) {
      steps(s, from).for_each([&](int to) {
        const bool wins = s.higher[top_level - 1].test(to);
        f(from, to, wins ? Cells{} : neighbours[to] & (free | Cells::cell(from)));
      });
    });
  }

  // The result with the side to move already determined.
  static Result ending(const State& s) {
    if ((s.workers[s.to_move ^ 1] & s.higher[top_level - 1]).any()) return win_of(s.to_move ^ 1);
    if (placing(s)) return Result::ongoing;
    Cells targets;
    s.workers[s.to_move].for_each([&](int from) { targets |= steps(s, from); });
    return targets.any() ? Result::ongoing : win_of(s.to_move ^ 1);
  }

  // Only the last step of a match leads to level 3, and it comes from level 2.
  static std::string flaw_of_winner(const State& s) {
    if ((s.workers[s.to_move] & s.higher[top_level - 1]).any())
      return "the side to move has already won";
    const Cells winners = s.workers[s.to_move ^ 1] & s.higher[top_level - 1];
    if (winners.none()) return "";
    const Cells second_level = s.higher[1] & ~s.higher[2];
    if (winners.count() > 1 || (neighbours[winners.first()] & second_level & free_cells(s)).none())
      return "a worker on level 3 has not come from level 2";
    return "";
  }

  static int plane_index(int cell) { return (cell / size + 1) * lines + cell % size + 1; }
  std::string name(int cell) const {
    return static_cast<char>('A' + grid_.column(cell)) +
           std::to_string(grid_.row_label(grid_.row(cell)));
  }

  Grid grid_{size, size, RowOne::bottom};
  std::vector<CellMap> maps_ = grid_symmetries(size, size);
};

}  // namespace

GameEntry santorini() { return {"santorini", {}, make_rules<Santorini>}; }

}  // namespace athenan
