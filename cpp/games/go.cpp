// Go. The first player has the black stones. Points are counted by area: one's stones and the empty
// points that reach only them; nothing is judged dead that has not been captured. A stone must have
// a liberty once it has captured (no suicide). A match ends with two passes in a row or after twice
// as many moves as the board has points, and is then counted.
//
// ko=superko: no move may recreate any board that has already occurred in the match, whoever moved
// (positional superko). A state knows its whole match: where it began and all moves since.
// ko=simple: only taking back a single stone at once is forbidden, so boards can come again.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "base/error.h"
#include "base/grid.h"
#include "base/hash.h"
#include "games/go_board.h"
#include "games/go_history.h"
#include "games/go_playout.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

using namespace go_board;

enum Kind { placing, passing };  // Datasheet::move_kinds

template <int largest_size>
class Go {
  static constexpr int words = (largest_size * largest_size + 63) / 64;
  using Points = Bitboard<words>;
  using Stones = go_board::Stones<words>;
  using History = go_board::History<words, 2 * largest_size * largest_size>;
  static_assert(largest_size * largest_size <= low_bits);

 public:
  struct State {
    Stones stones;
    std::uint64_t past = 0;   // a hash of the history
    std::uint16_t plies = 0;  // moves since the start
    std::uint16_t ko = 0;     // 1 + the point of a stone that cannot be taken back now, or 0
    std::uint8_t to_move = 0;
    std::uint8_t passes = 0;  // in a row, up to now
    Result result = Result::ongoing;
    std::uint8_t unused = 0;  // fills the word, always zero
    History history;          // superko alone uses it
  };
  static constexpr std::size_t board_size = offsetof(State, history);

  explicit Go(const Parameters& parameters)
      : size_(parameters.integer("size")),
        komi_(parameters.real("komi")),
        superko_(parameters.choice("ko") == "superko") {}

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Go";
    sheet.rows = sheet.columns = size_;
    sheet.planes = {"first player", "second player", "player to move",
                    "1 where ko forbids to play; -1 everywhere after a pass"};
    sheet.move_count = pass() + 1;
    sheet.move_kinds = {"place", "pass"};
    sheet.max_length = max_length();
    sheet.max_length_reason = "a rule: after twice as many moves as points the match is counted";
    sheet.typical_length = 3 * grid_.cells() / 2;
    sheet.symmetry_group = "square (8)";
    sheet.cyclic = !superko_;
    sheet.has_draws = komi_ == std::floor(komi_);
    sheet.move_notation = "D4: column letter without I, row 1 at the bottom; pass";
    sheet.position_notation =
        "rows from the top with X (first player), O and numbers of empty points, and the side to "
        "move; after the first move also " +
        std::string(superko_ ? "the start, <rows>,<side> or -, and the moves: 3/1X1/3 O - B2"
                             : "the number of moves and pass, pass-pass, the point that ko "
                               "forbids or -: 3/1X1/3 O 1 -");
    sheet.reference = "https://tromp.github.io/go.html";
    return sheet;
  }

  State initial() const { return start_of({}, 0); }
  int ply_of(const State& s) const { return s.plies; }
  std::size_t live_size(const State& s) const {
    if (!superko_) return board_size;
    return offsetof(State, history) + offsetof(History, moves) + s.plies * sizeof(std::uint64_t);
  }
  std::uint64_t key(const State& s) const { return hash_bytes(&s, board_size); }

  void moves(const State& s, MoveList& out) const {
    const BoardFilter seen = boards_seen(s);
    open_points(s).for_each([&](int point) {
      if (!superko_ || is_new(s, hash_after(s, point), seen)) out.push_back(point);
    });
    out.push_back(pass());
  }

  void apply(State& s, Move move) const {
    s.ko = 0;
    std::uint64_t hash = superko_ ? s.history.hash(s.plies) : 0;
    if (move != pass()) {
      const int point = static_cast<int>(move);
      const Points captured = board_.captures(s.stones, point, s.to_move);
      if (superko_) hash ^= change(s, point, captured);
      const bool retakable = board_.put(s.stones, point, s.to_move, captured);
      if (retakable && captured.count() == 1)
        s.ko = static_cast<std::uint16_t>(captured.first() + 1);
    }
    advance(s, move, hash);
    s.result = ending(s);
  }

  Playout playout(State& s, int max_plies, Random& random) const {
    LinkedBoard board(frame_, hash_, s.stones.of);
    BoardFilter seen = boards_seen(s);
    int plies = 0;
    for (; !is_over(s) && plies < max_plies; ++plies) {
      const int point = board.put_at_random(s.to_move, random, [&](int at, std::uint64_t hash) {
        return superko_ ? is_new(s, hash, seen) : at != s.ko - 1;
      });
      s.ko = point < 0 ? 0 : static_cast<std::uint16_t>(board.ko() + 1);
      advance(s, point < 0 ? pass() : static_cast<Move>(point), board.hash());
      seen.add(board.hash());
    }
    s.stones.of = board.stones<Points>();
    board_.survey(s.stones);
    s.result = ending(s);
    return {s.result, plies};
  }

  void encode(const State& s, std::int8_t* planes) const {
    const int points = grid_.cells();
    for (const Points& stones : s.stones.of) {
      stones.for_each([&](int point) { planes[point] = 1; });
      planes += points;
    }
    std::fill_n(planes, points, s.to_move);
    planes += points;
    if (s.passes > 0) std::fill_n(planes, points, -1);
    if (s.ko > 0) planes[s.ko - 1] = 1;
  }

  int symmetries() const { return static_cast<int>(maps_.size()); }
  // A match is transformed move by move; of a state without its history the board is.
  State transform(const State& s, int symmetry) const {
    const CellMap& map = maps_[symmetry];
    if (superko_ && (s.plies == 0 || s.history.moves[s.plies - 1] != 0)) {
      const auto& start = s.plies == 0 ? s.stones.of : s.history.start;
      State out = start_of({start[0].mapped(map), start[1].mapped(map)}, s.to_move ^ (s.plies & 1));
      for (int ply = 0; ply < s.plies; ++ply)
        apply(out, transform_move(s, symmetry, rest_of(s.history.moves[ply])));
      return out;
    }
    State out;
    std::memcpy(static_cast<void*>(&out), &s, board_size);
    for (Points* points : {&out.stones.of[0], &out.stones.of[1], &out.stones.atari})
      *points = points->mapped(map);
    if (s.ko > 0) out.ko = map[s.ko - 1] + 1;
    return out;
  }
  Move transform_move(const State&, int symmetry, Move move) const {
    return move == pass() ? move : maps_[symmetry][move];
  }

  double score(const State& s) const { return board_.area_lead(s.stones) - komi_; }
  int pieces(const State& s, int player) const { return s.stones.of[player].count(); }

  MovePath move_path(const State&, Move move) const {
    if (move == pass()) return {passing, {}};
    return {placing, grid_.path(move)};
  }

  std::string move_text(const State&, Move move) const {
    return move == pass() ? "pass" : grid_.name(static_cast<int>(move));
  }

  std::string position_text(const State& s) const {
    const std::string text = board_text(s.stones.of) + ' ' + side(s.to_move);
    if (s.plies == 0) return text;
    if (!superko_) return text + ' ' + std::to_string(s.plies) + ' ' + last_text(s);
    const std::uint64_t start_record = s.history.start_record;  // 0: the empty board, X to move
    const std::string start =
        start_record ? board_text(s.history.start) + ',' + side(rest_of(start_record)) : "-";
    std::string match;
    for (int ply = 0; ply < s.plies; ++ply)
      (match += ply ? "," : "") += move_text(s, rest_of(s.history.moves[ply]));
    return text + ' ' + start + ' ' + match;
  }

  State parse_position(std::string_view text) const {
    const auto words = words_of(text);
    if (words.size() != 2 && words.size() != 4) refuse(text);
    const State s = parse_start(text, words[0], words[1]);
    if (words.size() == 2) return s;
    return superko_ ? parse_match(text, s, words[2], words[3])
                    : parse_last(text, s, words[2], words[3]);
  }

  std::string drawing(const State& s) const {
    return grid_.drawing([&](int point) { return symbol(s.stones.of, point); });
  }

  std::string flaw(const State& s) const {
    const std::string problem = board_flaw(s);
    return problem.empty() && superko_ ? flaw_of_match(s) : problem;
  }
  std::string board_flaw(const State& s) const {
    if (s.plies > max_length()) return "the ply is impossible";
    if (const std::string problem = board_.flaw(s.stones.of); !problem.empty()) return problem;
    return flaw_of_moment(s);
  }

 private:
  Move pass() const { return static_cast<Move>(grid_.cells()); }
  int max_length() const { return 2 * grid_.cells(); }

  // ---- rules ----
  // Where a stone may be put unless it recreates an earlier board.
  Points open_points(const State& s) const {
    Points open = board_.breathing(s.stones, s.to_move);
    if (s.ko > 0) open.reset(s.ko - 1);
    return open;
  }
  bool is_legal(const State& s, Move move) const {
    if (move == pass()) return true;
    const int point = static_cast<int>(move);
    return open_points(s).test(point) &&
           !(superko_ && s.history.occurred(hash_after(s, point), s.plies));
  }
  // What a move does besides changing the stones, which now have this hash.
  void advance(State& s, Move move, std::uint64_t hash) const {
    if (superko_) {
      s.history.moves[s.plies] = hash | move;
      s.past = mix(s.past, hash | move);
    }
    s.passes = move == pass() ? s.passes + 1 : 0;
    ++s.plies;
    s.to_move ^= 1;
  }
  bool is_over(const State& s) const { return s.passes >= 2 || s.plies >= max_length(); }
  Result ending(const State& s) const {
    if (!is_over(s)) return Result::ongoing;
    const double lead = score(s);
    return static_cast<Result>((lead > 0) - (lead < 0));
  }

  // ---- superko ----
  std::uint64_t hash_after(const State& s, int point) const {
    return s.history.hash(s.plies) ^ change(s, point, board_.captures(s.stones, point, s.to_move));
  }
  // By what a stone and its captures change the hash of the board.
  std::uint64_t change(const State& s, int point, const Points& captured) const {
    return hash_.of(s.to_move, point) ^ hash_.of(s.to_move ^ 1, captured);
  }
  BoardFilter boards_seen(const State& s) const {
    return superko_ ? s.history.seen(s.plies) : BoardFilter();
  }
  static bool is_new(const State& s, std::uint64_t board, const BoardFilter& seen) {
    return !seen.may_contain(board) || !s.history.occurred(board, s.plies);
  }

  // A match that begins with these stones, all of which have liberties.
  State start_of(const std::array<Points, 2>& stones, int first) const {
    State s;
    s.stones.of = stones;
    board_.survey(s.stones);
    s.to_move = static_cast<std::uint8_t>(first);
    if (superko_) {
      s.history.start = stones;
      s.history.start_record = hash_.of(0, stones[0]) ^ hash_.of(1, stones[1]) ^ first;
      s.past = mix(s.history.start_record, 0);
    }
    return s;
  }

  // ---- texts ----
  static char side(int player) { return player ? 'O' : 'X'; }
  static char symbol(const std::array<Points, 2>& stones, int point) {
    return stones[0].test(point) ? 'X' : stones[1].test(point) ? 'O' : '.';
  }
  std::string board_text(const std::array<Points, 2>& stones) const {
    return grid_.rows_text([&](int point) { return symbol(stones, point); });
  }
  std::string last_text(const State& s) const {
    if (s.passes > 0) return s.passes == 1 ? "pass" : "pass-pass";
    return s.ko > 0 ? grid_.name(s.ko - 1) : "-";
  }
  State parse_start(std::string_view text, std::string_view rows, std::string_view side) const {
    if (side != "X" && side != "O") refuse(text);
    const std::string cells = grid_.parse_rows(rows, "XO");
    std::array<Points, 2> stones{};
    for (int point = 0; point < grid_.cells(); ++point)
      if (cells[point] != '.') stones[cells[point] == 'O'].set(point);
    if (const std::string problem = board_.flaw(stones); !problem.empty()) refuse(text, problem);
    return start_of(stones, side == "O");
  }
  // Plays the moves from the start; they must lead to the position.
  State parse_match(std::string_view text, const State& expected, std::string_view start,
                    std::string_view match) const {
    const std::size_t comma = start.find(',');
    if (start != "-" && comma == std::string_view::npos) refuse(text);
    State s = start == "-" ? initial()
                           : parse_start(text, start.substr(0, comma), start.substr(comma + 1));
    while (true) {
      const std::size_t end = std::min(match.find(','), match.size());
      const std::string_view name = match.substr(0, end);
      const int move = name == "pass" ? static_cast<int>(pass()) : grid_.cell_named(name);
      if (move < 0 || s.result != Result::ongoing || !is_legal(s, move))
        refuse(text, "the move " + in_quotes(name) + " of its match is not legal");
      apply(s, move);
      if (end == match.size()) break;
      match = match.substr(end + 1);
    }
    if (s.stones != expected.stones || s.to_move != expected.to_move)
      refuse(text, "its match leads elsewhere");
    return s;
  }
  State parse_last(std::string_view text, State s, std::string_view plies,
                   std::string_view last) const {
    const char* end = plies.data() + plies.size();
    if (const auto read = std::from_chars(plies.data(), end, s.plies);
        read.ec != std::errc{} || read.ptr != end || s.plies == 0 || s.plies > max_length())
      refuse(text);
    if (last == "pass" || last == "pass-pass")
      s.passes = last == "pass" ? 1 : 2;
    else if (last != "-")
      s.ko = static_cast<std::uint16_t>(grid_.cell_named(last) + 1);
    if (last_text(s) != last) refuse(text);
    s.result = ending(s);
    return s;
  }
  [[noreturn]] void refuse(std::string_view text) const {
    refuse(text, superko_ ? "not '<rows> <X or O>', nor that and ' <start or -> <moves>'"
                          : "not '<rows> <X or O>', nor that and ' <number of moves, 1 to " +
                                std::to_string(max_length()) + "> <ko, pass, pass-pass or ->'");
  }
  [[noreturn]] static void refuse(std::string_view text, const std::string& problem) {
    throw PositionError("position " + in_quotes(text) + " of go: " + problem);
  }

  // ---- checks ----
  // With its history a state follows from its moves.
  std::string flaw_of_match(const State& s) const {
    const History& history = s.history;
    if (const std::string problem = board_.flaw(history.start); !problem.empty()) return problem;
    const int first = s.to_move ^ (s.plies & 1);
    State replayed = start_of(history.start, first);
    for (int ply = 0; ply < s.plies; ++ply) {
      const Move move = rest_of(history.moves[ply]);
      if (move > pass() || replayed.result != Result::ongoing || !is_legal(replayed, move))
        return "a move of its match is not legal";
      apply(replayed, move);
    }
    return std::memcmp(&replayed, &s, live_size(s)) == 0 ? "" : "its match leads elsewhere";
  }
  std::string flaw_of_moment(const State& s) const {
    Stones surveyed = s.stones;
    board_.survey(surveyed);
    if (s.stones != surveyed || (s.past != 0 && !superko_))
      return "what follows from the stones does not fit them";
    if (s.passes > 2 || s.passes > s.plies) return "there are too many passes";
    if (s.ko > 0 && (s.passes > 0 || s.plies == 0 || !board_.is_ko(s.stones, s.ko - 1, s.to_move)))
      return "there is no ko at the point that ko forbids";
    if (s.result != ending(s)) return "the result does not fit the stones";
    return "";
  }
  int size_;
  double komi_;
  bool superko_;
  Grid grid_{size_, size_, RowOne::bottom, ColumnNames::without_i};
  Board<words> board_{size_};
  std::vector<CellMap> maps_ = grid_symmetries(size_, size_);
  BoardHash hash_{grid_.cells()};
  Frame frame_{size_};
};

std::unique_ptr<Rules> make_go(const Parameters& parameters) {
  const int size = parameters.integer("size");
  if (size <= 8) return make_rules<Go<8>>(parameters);
  if (size <= 9) return make_rules<Go<9>>(parameters);
  if (size <= 11) return make_rules<Go<11>>(parameters);
  if (size <= 13) return make_rules<Go<13>>(parameters);
  if (size <= 16) return make_rules<Go<16>>(parameters);
  return make_rules<Go<19>>(parameters);
}

}  // namespace

GameEntry go() {
  return {"go",
          {Parameter::integer("size", 9, 2, 19, "rows and columns of the board"),
           Parameter::real("komi", 7.5, -400, 400, "points given to the second player"),
           Parameter::choice("ko", "superko", {"superko", "simple"},
                             "superko: no board may occur twice; simple: a single stone is not "
                             "taken back at once")},
          make_go};
}

}  // namespace athenan
