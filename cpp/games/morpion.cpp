// Morpion Solitaire (Join Five), for one player. A move adds a point that completes a row of five
// points and draws the line through them. Lines of one direction must not overlap: in 5D they share
// no point, in 5T they may share an end. The match lasts until no move is left.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/bitboard.h"
#include "base/error.h"
#include "base/grid.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

constexpr int line_points = 5;
constexpr int direction_count = 4;
constexpr std::string_view direction_letters = "hvdu";

// The start: the outline of a Greek cross, 36 points.
constexpr int cross_points = 36;
constexpr int cross_size = 10;
constexpr std::array<std::string_view, cross_size> cross_rows{
    "...oooo...", "...o..o...", "...o..o...", "oooo..oooo", "o........o",
    "o........o", "oooo..oooo", "...o..o...", "...o..o...", "...oooo..."};

// No match of 5D is longer, on any board: H. Michalewski, A. Nagórko and J. Pawlewicz, "An upper
// bound of 84 for Morpion Solitaire 5D", 2016. Playing that many moves counts as a win; every other
// end is a draw, and so is every end of 5T, where the score is all that matters.
constexpr int max_moves_5d = 84;

// A line is known by its direction and its first point, the one with the lowest number: the top
// one, or the left one of a horizontal line. It leaves `Marks` marks in its direction, one at its
// first point and the others at the next: for its five points in 5D, for its four unit segments in
// 5T. Marks never meet; otherwise the two variants are the same.
template <int Size, int Marks>
class Morpion {
  static constexpr int cells = Size * Size;
  static constexpr bool disjoint = Marks == line_points;
  static constexpr int max_moves = disjoint ? max_moves_5d : cells - cross_points;
  // From a point to the next of a horizontal, vertical, falling or rising line.
  static constexpr std::array<int, direction_count> steps{1, Size, Size + 1, Size - 1};
  static constexpr int words = (cells + 63) / 64;
  using Board = Bitboard<words>;

 public:
  struct State {
    Board points{};
    std::array<Board, direction_count> marks{};
    std::int32_t played = 0;
    std::int32_t result = static_cast<std::int32_t>(Result::ongoing);
  };

  explicit Morpion(const Parameters&) {
    const int span = line_points - 1, margin = (Size - cross_size) / 2;
    for (int cell = 0; cell < cells; ++cell) {
      board_.set(cell);
      const int row = grid_.row(cell), column = grid_.column(cell);
      const bool right = column + span < Size, left = column >= span, down = row + span < Size;
      const std::array<bool, direction_count> fits{right, down, down && right, down && left};
      for (int d = 0; d < direction_count; ++d)
        if (fits[d]) starts_[d].set(cell);
    }
    for (int row = 0; row < cross_size; ++row)
      for (int column = 0; column < cross_size; ++column)
        if (cross_rows[row][column] == 'o') cross_.set(grid_.at(margin + row, margin + column));
  }

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = disjoint ? "Morpion Solitaire 5D" : "Morpion Solitaire 5T";
    sheet.players = 1;
    sheet.rows = sheet.columns = Size;
    sheet.planes = {"points", "crossed horizontally", "crossed vertically",
                    "crossed by falling lines", "crossed by rising lines"};
    sheet.move_count = cells * direction_count * line_points;
    sheet.move_kinds = {"place"};
    sheet.max_length = max_moves;
    sheet.max_length_reason = disjoint
                                  ? "proven by Michalewski, Nagórko and Pawlewicz, An upper bound "
                                    "of 84 for Morpion Solitaire 5D, 2016"
                                  : "each move fills one of the " + std::to_string(max_moves) +
                                        " places that the start leaves empty";
    sheet.typical_length = disjoint ? 44 : 54;
    sheet.symmetry_group = "square (8)";
    sheet.has_draws = true;
    sheet.move_notation =
        "j5h3: the new point (column letter, row 1 at the top), the direction of the line (h "
        "horizontal, v vertical, d falling, u rising to the right) and the place of the point on "
        "it (1 to 5 from the top, or from the left if horizontal)";
    sheet.position_notation =
        "rows from the top with o for points and numbers of empty places, then each line (j5h: "
        "first point and direction)";
    sheet.reference = "https://en.wikipedia.org/wiki/Join_Five";
    return sheet;
  }

  State initial() const {
    State s;
    s.points = cross_;
    return s;
  }

  void moves(const State& s, MoveList& out) const {
    add_moves<0>(s, out);
    add_moves<1>(s, out);
    add_moves<2>(s, out);
    add_moves<3>(s, out);
  }

  void apply(State& s, Move move) const {
    const Placement p = placement_of(move);
    s.points.set(p.point);
    draw_line(s, p);
    ++s.played;
    s.result = ending(s);
  }

  // In 5D a point is crossed once in a direction or not at all. In 5T the plane counts the unit
  // segments that meet there: 1 at the end of a line, 2 inside it or where two lines touch.
  void encode(const State& s, std::int8_t* planes) const {
    s.points.for_each([&](int cell) { planes[cell] = 1; });
    for (int d = 0; d < direction_count; ++d) {
      planes += cells;
      s.marks[d].for_each([&](int cell) {
        planes[cell] += 1;
        if (!disjoint) planes[cell + steps[d]] += 1;
      });
    }
  }

  int symmetries() const { return static_cast<int>(maps_.size()); }
  State transform(const State& s, int symmetry) const {
    State out = s;
    out.marks = {};
    out.points = s.points.mapped(maps_[symmetry]);
    for_each_line(s, [&](int d, int start) { draw_line(out, image({start, d, 0}, symmetry)); });
    return out;
  }
  Move transform_move(const State&, int symmetry, Move move) const {
    return move_of(image(placement_of(move), symmetry));
  }

  double score(const State& s) const { return s.played; }
  int ply_of(const State& s) const { return s.played; }

  // The new point, then the ends of its line, without the point if it is one of them.
  MovePath move_path(const State&, Move move) const {
    const Placement p = placement_of(move);
    const int first = p.start(), last = first + (line_points - 1) * steps[p.direction];
    if (p.point == first || p.point == last)
      return {0, grid_.path(p.point, first + last - p.point)};
    return {0, grid_.path(p.point, first, last)};
  }

  std::string move_text(const State&, Move move) const {
    const Placement p = placement_of(move);
    return grid_.name(p.point) + direction_letters[p.direction] + std::to_string(p.position + 1);
  }

  std::string position_text(const State& s) const {
    std::string out = grid_.rows_text([&](int cell) { return s.points.test(cell) ? 'o' : '.'; });
    for_each_line(s,
                  [&](int d, int start) { out += ' ' + grid_.name(start) + direction_letters[d]; });
    return out;
  }
  State parse_position(std::string_view text) const {
    const auto parts = words_of(text);
    const std::string symbols = grid_.parse_rows(parts[0], "o");
    State s;
    for (int cell = 0; cell < cells; ++cell)
      if (symbols[cell] == 'o') s.points.set(cell);
    s.played = s.points.count() - cross_points;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const Placement line = parse_line(parts[i]);
      if (meets_line(s, line))
        throw PositionError("line " + in_quotes(parts[i]) + " of a position of morpion overlaps " +
                            "another line of the same direction");
      draw_line(s, line);
    }
    s.result = ending(s);
    return s;
  }
  std::string drawing(const State& s) const {
    return grid_.drawing([&](int cell) {
      return cross_.test(cell) ? 'o' : s.points.test(cell) ? 'x' : '.';
    });
  }

  std::string flaw(const State& s) const {
    if ((s.points & ~board_).any()) return "points lie outside the board";
    if ((cross_ & ~s.points).any()) return "the cross of the start is not whole";
    int lines = 0;
    Board joined;
    for (int d = 0; d < direction_count; ++d)
      for (Board rest = s.marks[d]; rest.any(); ++lines) {
        const int start = rest.first();
        if (!starts_[d].test(start)) return "a line leaves the board";
        for (int i = 0; i < line_points; ++i) {
          const int cell = start + i * steps[d];
          if (!s.points.test(cell)) return "a line has a place without a point";
          if (i < Marks && !rest.test(cell)) return "a line is not whole";
          if (i < Marks) rest.reset(cell);
          joined.set(cell);
        }
      }
    if ((s.points & ~cross_ & ~joined).any())
      return "a point is neither of the cross nor on a line";
    if (s.played != lines || s.played != s.points.count() - cross_points)
      return "there are not as many lines as points added to the cross";
    if (s.played > max_moves) return "more moves than can be played";
    if (s.result != ending(s)) return "the result does not fit the board";
    return "";
  }

 private:
  // A move taken apart: the new point, the direction of its line, how many points precede it there.
  struct Placement {
    int point, direction, position;
    int start() const { return point - position * steps[direction]; }
  };
  static Placement placement_of(Move move) {
    const int m = static_cast<int>(move);
    return {m / line_points / direction_count, m / line_points % direction_count, m % line_points};
  }
  static Move move_of(const Placement& p) {
    return (p.point * direction_count + p.direction) * line_points + p.position;
  }

  static void draw_line(State& s, const Placement& p) {
    for (int i = 0; i < Marks; ++i) s.marks[p.direction].set(p.start() + i * steps[p.direction]);
  }
  static bool meets_line(const State& s, const Placement& p) {
    bool met = false;
    for (int i = 0; i < Marks; ++i)
      met |= s.marks[p.direction].test(p.start() + i * steps[p.direction]);
    return met;
  }

  // Calls f(direction, start) for each line. Marks split into lines in one way only: the lowest of
  // them starts a line, and so on.
  template <class F>
  static void for_each_line(const State& s, F&& f) {
    for (int d = 0; d < direction_count; ++d)
      for (Board rest = s.marks[d]; rest.any();) {
        const int start = rest.first();
        for (int i = 0; i < Marks; ++i) rest.reset(start + i * steps[d]);
        f(d, start);
      }
  }

  // Each cell i + N moved to i; a shift by a constant is several times faster than by a variable.
  template <int N>
  static Board down(const Board& board) {
    constexpr int whole = N / 64, part = N % 64;
    Board out;
    for (int k = 0; k + whole < words; ++k) {
      out.words[k] = board.words[k + whole] >> part;
      if (k + whole + 1 < words) out.words[k] |= board.words[k + whole + 1] << 1 << (63 - part);
    }
    return out;
  }

  // The starts of the lines that a move can draw: four of the five points there, no mark met.
  template <int Direction>
  Board open_lines(const State& s) const {
    constexpr int step = steps[Direction];
    const Board second = down<step>(s.points), fifth = down<4 * step>(s.points);
    const Board both = s.points & second, one = s.points ^ second;
    const Board next_both = down<2 * step>(both), next_one = down<2 * step>(one);
    const Board four = both & next_both, three = (both & next_one) | (one & next_both);
    Board met = s.marks[Direction] | down<step>(s.marks[Direction]);
    met |= down<2 * step>(met);
    if (disjoint) met |= down<4 * step>(s.marks[Direction]);
    return ((four & ~fifth) | (three & fifth)) & ~met & starts_[Direction];
  }
  template <int Direction>
  void add_moves(const State& s, MoveList& out) const {
    open_lines<Direction>(s).for_each([&](int start) {
      Placement p{start, Direction, 0};
      for (; s.points.test(p.point); ++p.position) p.point += steps[Direction];
      out.push_back(move_of(p));
    });
  }

  std::int32_t ending(const State& s) const {
    Result result = Result::draw;
    if (disjoint && s.played >= max_moves_5d)
      result = Result::first_wins;
    else if (open_lines<0>(s).any() || open_lines<1>(s).any() || open_lines<2>(s).any() ||
             open_lines<3>(s).any())
      result = Result::ongoing;
    return static_cast<std::int32_t>(result);
  }

  Placement image(const Placement& p, int symmetry) const {
    constexpr int centre = Size / 2 * Size + Size / 2;
    const CellMap& map = maps_[symmetry];
    const int step = map[centre + steps[p.direction]] - map[centre];
    const auto direction = std::find(steps.begin(), steps.end(), std::abs(step));
    return {map[p.point], static_cast<int>(direction - steps.begin()),
            step > 0 ? p.position : line_points - 1 - p.position};
  }

  Placement parse_line(std::string_view text) const {
    for (int d = 0; d < direction_count; ++d)
      for (int cell = 0; cell < cells; ++cell)
        if (starts_[d].test(cell) && grid_.name(cell) + direction_letters[d] == text)
          return {cell, d, 0};
    throw PositionError("line " + in_quotes(text) +
                        " of a position of morpion is not a point and a direction (h, v, d or u) "
                        "where five places in a row begin, such as j5h");
  }

  Grid grid_{Size, Size, RowOne::top};
  std::vector<CellMap> maps_ = grid_symmetries(Size, Size);
  Board board_, cross_;
  std::array<Board, direction_count> starts_{};  // where a line of each direction fits the board
};

template <int Size>
std::unique_ptr<Rules> make_morpion_of(const Parameters& parameters) {
  return parameters.choice("variant") == "5D" ? make_rules<Morpion<Size, 5>>(parameters)
                                              : make_rules<Morpion<Size, 4>>(parameters);
}
std::unique_ptr<Rules> make_morpion(const Parameters& parameters) {
  return parameters.integer("board") == 18 ? make_morpion_of<18>(parameters)
                                           : make_morpion_of<22>(parameters);
}

}  // namespace

GameEntry morpion() {
  return {"morpion",
          {Parameter::choice("variant", "5D", {"5D", "5T"},
                             "5D: lines of one direction share no point; 5T: they may touch"),
           Parameter::integer("board", 18, 18, 22,
                              "rows and columns; moves that leave the board do not exist", 4)},
          make_morpion};
}

}  // namespace athenan
