// Surakarta: a piece steps to a neighbouring empty point, or takes a piece that it reaches along
// the lines and through at least one of the loops at the corners. Taking all pieces wins; after
// many plies without a capture the player with more pieces wins.
#include <algorithm>
#include <array>
#include <bit>

#include "base/bitboard.h"
#include "base/error.h"
#include "base/grid.h"
#include "games/stones.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

// Row 0, the top one as drawn, is row 6 of the notation. The first player starts at the bottom.
constexpr int size = 6;
constexpr int point_count = size * size;
constexpr int pieces_each = 2 * size;
constexpr int tenths = 10;
using Points = Bitboard<1>;

// The loops join the lines second from the edges into one circuit and the third lines into another.
// A circuit runs along four lines of six points each, with a loop after each line; where its lines
// cross it passes the point twice.
constexpr int circuit_count = 2;
constexpr int circuit_length = 4 * size;
constexpr std::uint32_t whole_circuit = (1u << circuit_length) - 1;

constexpr int point_on(int circuit, int place) {
  const int low = circuit + 1, high = size - 1 - low, along = place % size;
  switch (place / size) {
    case 0:
      return size * low + along;  // to the right
    case 1:
      return size * along + high;  // down
    case 2:
      return size * high + size - 1 - along;  // to the left
    default:
      return size * (size - 1 - along) + low;  // up
  }
}

// The places of a point, as sets: none for a corner, one on the edges, two elsewhere.
using Places = std::array<std::uint32_t, circuit_count>;
constexpr auto places_of = [] {
  std::array<Places, point_count> out{};
  for (int circuit = 0; circuit < circuit_count; ++circuit)
    for (int place = 0; place < circuit_length; ++place)
      out[point_on(circuit, place)][circuit] |= 1u << place;
  return out;
}();

// The places of the points of a set, by rows: places_in[row][the six points as bits].
constexpr auto places_in = [] {
  std::array<std::array<Places, 1 << size>, size> out{};
  for (int row = 0; row < size; ++row)
    for (int points = 0; points < 1 << size; ++points)
      for (int column = 0; column < size; ++column)
        for (int circuit = 0; circuit < circuit_count; ++circuit)
          if (points >> column & 1)
            out[row][points][circuit] |= places_of[size * row + column][circuit];
  return out;
}();

constexpr auto neighbours = [] {
  std::array<Points, point_count> out{};
  for (int a = 0; a < point_count; ++a)
    for (int b = 0; b < point_count; ++b) {
      const int down = b / size - a / size, right = b % size - a % size;
      if (a != b && down * down <= 1 && right * right <= 1) out[a].set(b);
    }
  return out;
}();

class Surakarta {
 public:
  struct State {
    std::array<Points, 2> pieces{};  // of the first and of the second player
    std::uint8_t to_move = 0;
    Result result = Result::ongoing;
    std::uint8_t quiet = 0;                // plies since the last capture
    std::array<std::uint8_t, 5> unused{};  // fills the last word, always zero
  };

  explicit Surakarta(const Parameters& parameters)
      : max_quiet_(parameters.integer("no_capture")),
        blocked_loses_(parameters.choice("blocked") == "loses") {}

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Surakarta";
    sheet.rows = sheet.columns = size;
    sheet.planes = {"first player", "second player", "player to move",
                    "plies without a capture, in tenths of the limit, rounded up"};
    sheet.move_count = point_count * point_count;
    sheet.move_kinds = {"move", "capture"};
    sheet.max_length = (2 * pieces_each - 1) * max_quiet_;
    sheet.max_length_reason = "at most " + std::to_string(2 * pieces_each - 1) +
                              " captures, and a match ends after " + std::to_string(max_quiet_) +
                              " plies without one";
    sheet.typical_length = std::min(240, max_quiet_ * (max_quiet_ + 5) / 15);
    sheet.longest_length = std::min(460, 8 * max_quiet_);
    sheet.symmetry_group = "square (8)";
    // Boards come again, states do not: they count the plies without a capture.
    sheet.cyclic = false;
    sheet.has_draws = true;
    sheet.move_notation = "a2a3: origin and destination, column letter, row 1 at the bottom";
    sheet.position_notation =
        "rows from the top with x (first player), o and numbers of empty points, then the side to "
        "move and the plies since the last capture: oooooo/oooooo/6/6/xxxxxx/xxxxxx x 0";
    sheet.reference = "https://en.wikipedia.org/wiki/Surakarta_(game)";
    return sheet;
  }

  State initial() const {
    State s;
    for (int point = 0; point < pieces_each; ++point) {
      s.pieces[0].set(point_count - 1 - point);
      s.pieces[1].set(point);
    }
    return s;
  }

  void moves(const State& s, MoveList& out) const {
    const Places occupied = places(s);
    s.pieces[s.to_move].for_each([&](int from) {
      (steps(s, from) | captures(s, occupied, from)).for_each([&](int to) {
        out.push_back(number(from, to));
      });
    });
  }
  Move random_move(const State& s, Random& random) const {
    const Places occupied = places(s);
    std::array<int, pieces_each> origins, counts;
    std::array<Points, pieces_each> targets;
    int n = 0, total = 0;
    s.pieces[s.to_move].for_each([&](int from) {
      origins[n] = from;
      targets[n] = steps(s, from) | captures(s, occupied, from);
      total += counts[n] = targets[n].count();
      ++n;
    });
    int chosen = static_cast<int>(random.below(total)), k = 0;
    while (chosen >= counts[k]) chosen -= counts[k++];
    return number(origins[k], targets[k].nth(chosen));
  }

  void apply(State& s, Move move) const {
    const int from = origin(move), to = destination(move);
    Points &own = s.pieces[s.to_move], &other = s.pieces[s.to_move ^ 1];
    s.quiet = other.test(to) ? 0 : s.quiet + 1;
    own.reset(from);
    own.set(to);
    other.reset(to);
    s.to_move ^= 1;
    s.result = ending(s);
  }

  void encode(const State& s, std::int8_t* planes) const {
    encode_stones(s.pieces, s.to_move, point_count, planes);
    std::fill_n(planes + 3 * point_count, point_count,
                static_cast<std::int8_t>((tenths * s.quiet + max_quiet_ - 1) / max_quiet_));
  }

  int symmetries() const { return static_cast<int>(maps_.size()); }
  State transform(const State& s, int symmetry) const {
    State out = s;
    for (auto& pieces : out.pieces) pieces = pieces.mapped(maps_[symmetry]);
    return out;
  }
  Move transform_move(const State&, int symmetry, Move move) const {
    return number(maps_[symmetry][origin(move)], maps_[symmetry][destination(move)]);
  }

  int pieces(const State& s, int player) const { return s.pieces[player].count(); }
  // A blocked player who loses with more pieces loses by one.
  double score(const State& s) const {
    const int lead = pieces(s, 0) - pieces(s, 1);
    if (s.result == Result::first_wins) return std::max(lead, 1);
    if (s.result == Result::second_wins) return std::min(lead, -1);
    return lead;
  }

  MovePath move_path(const State& s, Move move) const {
    const int from = origin(move), to = destination(move);
    return {s.pieces[s.to_move ^ 1].test(to), grid_.path(from, to)};
  }
  std::string move_text(const State&, Move move) const {
    return grid_.name(origin(move)) + grid_.name(destination(move));
  }
  std::string position_text(const State& s) const {
    return texts_.position(s.pieces, s.to_move) + ' ' + std::to_string(s.quiet);
  }
  State parse_position(std::string_view text) const {
    const auto words = words_of(text);
    const bool counted = words.size() == 3;
    if ((words.size() != 2 && !counted) || (words[1] != "x" && words[1] != "o") ||
        (counted && (words[2].empty() || words[2].size() > 3 ||
                     words[2].find_first_not_of("0123456789") != std::string_view::npos)))
      throw PositionError("position " + in_quotes(text) +
                          " of surakarta is not '<rows> <x or o> <plies without a capture>'");
    const std::string points = grid_.parse_rows(words[0], "xo");
    const int quiet = counted ? std::stoi(std::string(words[2])) : 0;
    if (quiet > max_quiet_)
      throw PositionError("position " + in_quotes(text) + " of surakarta has more than " +
                          std::to_string(max_quiet_) + " plies without a capture");
    State s;
    for (int point = 0; point < point_count; ++point)
      if (points[point] != '.') s.pieces[points[point] == 'o'].set(point);
    s.to_move = words[1] == "o";
    s.quiet = static_cast<std::uint8_t>(quiet);
    s.result = ending(s);
    return s;
  }
  std::string drawing(const State& s) const { return grid_.drawing(texts_.symbols_of(s.pieces)); }

  // The maximum length is proved for at most twelve pieces on each side.
  std::string flaw(const State& s) const {
    constexpr Points board{{(std::uint64_t{1} << point_count) - 1}};
    if (!well_placed(s.pieces, board)) return "pieces overlap or lie outside the board";
    if (pieces(s, 0) > pieces_each || pieces(s, 1) > pieces_each)
      return "a player has more than " + std::to_string(pieces_each) + " pieces";
    if (s.pieces[s.to_move ^ 1].none()) return "the side that has just moved has no pieces";
    if (s.quiet > max_quiet_)
      return "there are more than " + std::to_string(max_quiet_) + " plies without a capture";
    if (s.result != ending(s)) return "the result does not fit the board";
    return "";
  }

 private:
  static Move number(int from, int to) { return static_cast<Move>(from * point_count + to); }
  static int origin(Move move) { return static_cast<int>(move) / point_count; }
  static int destination(Move move) { return static_cast<int>(move) % point_count; }

  // The occupied places of the circuits.
  static Places places(const State& s) {
    const std::uint64_t occupied = (s.pieces[0] | s.pieces[1]).words[0];
    Places out{};
    for (int row = 0; row < size; ++row) {
      const Places& here = places_in[row][occupied >> (size * row) & ((1 << size) - 1)];
      for (int circuit = 0; circuit < circuit_count; ++circuit) out[circuit] |= here[circuit];
    }
    return out;
  }

  static Points steps(const State& s, int from) {
    return neighbours[from] & ~(s.pieces[0] | s.pieces[1]);
  }
  // What the piece on `from` can take: on each circuit the first piece that it meets in either
  // direction, if there is a loop before it. The point that it comes from does not bar its way.
  static Points captures(const State& s, const Places& occupied, int from) {
    Points out{};
    for (int circuit = 0; circuit < circuit_count; ++circuit) {
      const std::uint32_t own = places_of[from][circuit], others = occupied[circuit] & ~own;
      if (others == 0) continue;
      Points{{own}}.for_each([&](int place) {
        const std::uint32_t ahead =  // bit k: the place k steps further on
            (others >> place | others << (circuit_length - place)) & whole_circuit;
        const int on = std::countr_zero(ahead);
        const int back = circuit_length + 1 - std::bit_width(ahead);
        const int since_loop = place % size;
        if (since_loop + on >= size) out.set(point_on(circuit, (place + on) % circuit_length));
        if (back > since_loop)
          out.set(point_on(circuit, (place + circuit_length - back) % circuit_length));
      });
    }
    return out & s.pieces[s.to_move ^ 1];
  }
  static bool can_move(const State& s) {
    const Places occupied = places(s);
    for (Points left = s.pieces[s.to_move]; left.any(); left.reset(left.first()))
      if (const int from = left.first(); (steps(s, from) | captures(s, occupied, from)).any())
        return true;
    return false;
  }

  static Result count(const State& s) {
    const int lead = s.pieces[0].count() - s.pieces[1].count();
    return lead > 0 ? Result::first_wins : lead < 0 ? Result::second_wins : Result::draw;
  }
  Result ending(const State& s) const {
    if (s.pieces[s.to_move].none()) return win_of(s.to_move ^ 1);
    if (s.quiet >= max_quiet_) return count(s);
    if (can_move(s)) return Result::ongoing;
    return blocked_loses_ ? win_of(s.to_move ^ 1) : count(s);
  }

  int max_quiet_;
  bool blocked_loses_;
  Grid grid_{size, size, RowOne::bottom};
  StoneTexts texts_{"surakarta", grid_.row_lengths()};
  std::vector<CellMap> maps_ = grid_symmetries(size, size);
};

}  // namespace

GameEntry surakarta() {
  return {"surakarta",
          {Parameter::integer("no_capture", 50, 10, 250,
                              "plies without a capture after which the pieces are counted"),
           Parameter::choice("blocked", "count", {"count", "loses"},
                             "what happens to a player without a move: the pieces are counted, or "
                             "that player loses")},
          make_rules<Surakarta>};
}

}  // namespace athenan
