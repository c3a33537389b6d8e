// Draughts with flying kings and majority capture: international (10x10), Brazilian (8x8) and
// Canadian (12x12). One move is a whole turn. Who cannot move loses.
#include <optional>

#include "base/error.h"
#include "games/draughts_board.h"
#include "games/draughts_pdn.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

using namespace draughts_board;

constexpr std::uint8_t no_countdown = 255, longest_countdown = 32;
constexpr int tenths = 10;

template <int Size>
constexpr bool brazilian = Size == 8;

// White is the first player and moves up, towards square 1.
template <int Size>
class Draughts {
  using Squares = Geometry<Size>;
  using Board = typename Squares::Board;
  using Captures = LongestCaptures<Size>;
  static constexpr int square_count = Squares::square_count;
  static constexpr int pieces_each = (Size / 2 - 1) * Size / 2;

  // A move has the number of its pair of ends. Of several captures with the same ends the first one
  // has it; the further ones of a position, in their order, have the numbers after those of pairs.
  // There are a few of them in matches, and up to 17, 330 and 1831 on the three boards in positions
  // that a search has made for it. Those for which no number is left could not be played.
  static constexpr Move pairs_of_ends = square_count * square_count;
  static constexpr Move move_count = 2 * pairs_of_ends;

 public:
  struct State {
    std::array<Board, 2> men{}, kings{};  // of the first and of the second player
    std::uint8_t to_move = 0;
    Result result = Result::ongoing;
    std::uint8_t king_plies = 0;            // since a man moved or a piece was taken
    std::uint8_t countdown = no_countdown;  // plies left to an endgame with few pieces
    std::array<std::uint8_t, 4> unused{};   // fills the last word, always zero
  };

  explicit Draughts(const Parameters& parameters)
      : max_king_plies_(2 * parameters.integer("king_moves")),
        endgames_(parameters.flag("endgames")) {}

  Datasheet datasheet() const;

  State initial() const {
    State s;
    for (int square = 0; square < pieces_each; ++square) {
      s.men[0].set(Squares::bit_of(square_count - 1 - square));
      s.men[1].set(Squares::bit_of(square));
    }
    return s;
  }

  void moves(const State& s, MoveList& out) const {
    const Sides<Size> sides = sides_of(s);
    if (const Board movers = sides.kings | sides.jumpers(); movers.any()) {
      const Captures captures(sides, movers);
      for_each_numbered(captures, [&](Move move, const Capture<Size>&) { out.push_back(move); });
      if (!captures.empty()) return;
    }
    const Board empty = sides.empty();
    for (const int d : forward[s.to_move])
      (s.men[s.to_move].shifted(Squares::steps[d]) & empty).for_each([&](int to) {
        out.push_back(number(to - Squares::steps[d], to));
      });
    sides.kings.for_each([&](int from) {
      for (const auto& next : Squares::neighbours)
        for (int to = next[from]; to != off_board && empty.test(to); to = next[to])
          out.push_back(number(from, to));
    });
  }

  void apply(State& s, Move move) const {
    const Capture<Size> turn = turn_of(s, move);
    Board &men = s.men[s.to_move], &kings = s.kings[s.to_move];
    const bool by_king = kings.test(turn.from), quiet = turn.taken.none();
    men.reset(turn.from);
    kings.reset(turn.from);
    (by_king || Squares::far_rows[s.to_move].test(turn.to) ? kings : men).set(turn.to);
    s.to_move ^= 1;
    s.men[s.to_move] &= ~turn.taken;
    s.kings[s.to_move] &= ~turn.taken;
    if (max_king_plies_) s.king_plies = by_king && quiet ? s.king_plies + 1 : 0;
    if (s.countdown != no_countdown) --s.countdown;
    s.countdown = std::min(s.countdown, countdown_of(s));
    s.result = ending(s);
  }

  void encode(const State& s, std::int8_t* planes) const {
    constexpr int cells = Size * Size;
    for (const Board* board : {&s.men[0], &s.kings[0], &s.men[1], &s.kings[1]}) {
      board->for_each(
          [&](int bit) { planes[Size * Squares::row_of(bit) + Squares::column_of(bit)] = 1; });
      planes += cells;
    }
    const auto fill = [&](int value) {
      std::fill_n(planes, cells, static_cast<std::int8_t>(value));
      planes += cells;
    };
    fill(s.to_move);
    if (max_king_plies_) fill((tenths * s.king_plies + max_king_plies_ - 1) / max_king_plies_);
    if (endgames_)
      fill(s.countdown < tenths ? tenths + 1 - s.countdown : s.countdown != no_countdown);
  }

  int pieces(const State& s, int player) const { return (s.men[player] | s.kings[player]).count(); }

  MovePath move_path(const State& s, Move move) const;
  std::string move_text(const State& s, Move move) const;
  std::string position_text(const State& s) const;
  State parse_position(std::string_view text) const;
  std::string drawing(const State& s) const;
  std::string flaw(const State& s) const;

 private:
  static Move number(int from, int to) {
    return static_cast<Move>(square_count * Squares::square_of(from) + Squares::square_of(to));
  }
  static std::string name(int bit) { return std::to_string(Squares::square_of(bit) + 1); }
  static Sides<Size> sides_of(const State& s) {
    const int other = s.to_move ^ 1;
    return {s.men[s.to_move] | s.kings[s.to_move], s.kings[s.to_move],
            s.men[other] | s.kings[other]};
  }

  template <class F>
  static void for_each_numbered(const Captures& captures, F&& f) {
    Move further = pairs_of_ends;
    const Capture<Size>* before = nullptr;
    for (const Capture<Size>& capture : captures) {
      const bool same_ends = before && before->from == capture.from && before->to == capture.to;
      before = &capture;
      if (!same_ends)
        f(number(capture.from, capture.to), capture);
      else if (further < move_count)
        f(further++, capture);
    }
  }
  // The capture of that number among those of the given pieces.
  static std::optional<Capture<Size>> capture_of(const Sides<Size>& sides, const Board& movers,
                                                 Move move) {
    std::optional<Capture<Size>> found;
    for_each_numbered(Captures(sides, movers), [&](Move other, const Capture<Size>& capture) {
      if (other == move) found = capture;
    });
    return found;
  }
  // What a legal move does. Taking is compulsory: a piece that can take does not just move.
  static Capture<Size> turn_of(const State& s, Move move) {
    const Sides<Size> sides = sides_of(s);
    if (move >= pairs_of_ends) return *capture_of(sides, sides.own, move);
    const int from = Squares::bit_of(static_cast<int>(move) / square_count);
    const int to = Squares::bit_of(static_cast<int>(move) % square_count);
    const int distance = from < to ? to - from : from - to;
    const bool step = distance == Squares::per_row || distance == Squares::per_row + 1;
    if (!step || sides.kings.test(from))
      if (const auto capture = capture_of(sides, Board::cell(from), move)) return *capture;
    return {{}, static_cast<std::int8_t>(from), static_cast<std::int8_t>(to)};
  }

  // A king that can only move by jumping does so over a neighbour.
  static bool can_move(const State& s) {
    const Sides<Size> sides = sides_of(s);
    const Board empty = sides.empty();
    for (int d = 0; d < direction_count; ++d) {
      const bool ahead = d == forward[s.to_move][0] || d == forward[s.to_move][1];
      if (((ahead ? sides.own : sides.kings).shifted(Squares::steps[d]) & empty).any()) return true;
    }
    return sides.jumpers().any();
  }

  // Endgames are drawn after so many moves of each player, counted from when they arise; nothing
  // that happens later gives more. International and Canadian: 16 for three pieces, a king among
  // them, against a king, and 5 for one or two. In Brazil: 5 for one or two kings against a king,
  // two kings, or a king and a man.
  bool few_pieces(const State& s) const {
    const int first = pieces(s, 0), second = pieces(s, 1);
    if constexpr (brazilian<Size>)
      return first <= 2 && second <= 2 && (s.men[0] | s.men[1]).count() <= 1;
    return (first <= 3 && second <= 1 && s.men[1].none()) ||
           (second <= 3 && first <= 1 && s.men[0].none());
  }
  std::uint8_t countdown_of(const State& s) const {
    if (!endgames_ || s.kings[0].none() || s.kings[1].none() || !few_pieces(s)) return no_countdown;
    return pieces(s, 0) + pieces(s, 1) == 4 && !brazilian<Size> ? longest_countdown : 10;
  }
  Result ending(const State& s) const {
    if (!can_move(s)) return win_of(s.to_move ^ 1);
    const bool over = max_king_plies_ && s.king_plies == max_king_plies_;
    return over || s.countdown == 0 ? Result::draw : Result::ongoing;
  }

  static char symbol(const State& s, int bit) {
    return s.men[0].test(bit)     ? 'w'
           : s.kings[0].test(bit) ? 'W'
           : s.men[1].test(bit)   ? 'b'
           : s.kings[1].test(bit) ? 'B'
                                  : '.';
  }

  int max_king_plies_;  // 0 for no limit
  bool endgames_;
};

template <int Size>
Datasheet Draughts<Size>::datasheet() const {
  Datasheet sheet;
  sheet.title = brazilian<Size> ? "Brazilian draughts"
                : Size == 10    ? "International draughts"
                                : "Canadian draughts";
  sheet.rows = sheet.columns = Size;
  sheet.planes = {"first player's men", "first player's kings", "second player's men",
                  "second player's kings", "player to move"};
  if (max_king_plies_)
    sheet.planes.push_back("moves by kings only, in tenths of the limit, rounded up");
  if (endgames_)
    sheet.planes.push_back("few pieces: 1, and in the last 10 plies 1 more for each one played");
  sheet.move_count = move_count;
  sheet.move_kinds = {"move", "jump"};
  sheet.max_length = 5 * Size * Size;
  sheet.max_length_reason =
      std::string("positions can repeat; more than 2.5 times the longest of 200,000 random ") +
      (brazilian<Size> ? "matches, 119 plies (mean 48)"
       : Size == 10    ? "matches, 179 plies (mean 92)"
                       : "matches, 276 plies (mean 158)");
  sheet.typical_length = Size * Size * Size / 11;
  sheet.longest_length = 9 * Size * Size / 5;
  sheet.symmetry_group = "none: men move forward, and a mirror exchanges dark and light squares";
  sheet.cyclic = true;
  sheet.has_draws = max_king_plies_ || endgames_;
  sheet.move_notation =
      "PDN: 32-28, a capture 26x37; the squares on the way where the ends do not tell captures "
      "apart: 5x23x16x7";
  sheet.position_notation =
      "PDN: the side to move, W or B, and the squares of each side with K before those of kings, "
      "W:W31,K46:B1,2,K5 (also ranges: 31-50); then where they count :H and the plies of kings "
      "since a man moved or a piece was taken, :E and the plies left to an endgame of few pieces";
  sheet.reference = brazilian<Size> ? "http://brazil.fmjd.org/includes/rules.php"
                    : Size == 10    ? "https://www.fmjd.org, Annex 1: official FMJD rules"
                                    : "https://dames.quebecjeux.org/reglements/";
  return sheet;
}

// A jump touches the captured pieces too: from, captured, landing, captured, landing and so on.
template <int Size>
MovePath Draughts<Size>::move_path(const State& s, Move move) const {
  const Capture<Size> turn = turn_of(s, move);
  const bool jumps = turn.taken.any();
  std::vector<int> touched{turn.from};
  if (jumps)
    find_way(sides_of(s), {{}, turn.from, turn.from}, turn, touched);
  else
    touched.push_back(turn.to);
  MovePath path{jumps, {}};
  for (const int bit : touched)
    path.cells.push_back({Squares::row_of(bit), Squares::column_of(bit)});
  return path;
}

template <int Size>
std::string Draughts<Size>::move_text(const State& s, Move move) const {
  const Sides<Size> sides = sides_of(s);
  const Captures captures(sides, sides.own);
  std::optional<Capture<Size>> played;
  for_each_numbered(captures, [&](Move other, const Capture<Size>& capture) {
    if (other == move) played = capture;
  });
  if (!played) {  // a quiet move, or none at all
    if (move >= pairs_of_ends) return "?";
    return std::to_string(move / square_count + 1) + '-' + std::to_string(move % square_count + 1);
  }
  const auto same_ends = std::count_if(captures.begin(), captures.end(), [&](const auto& capture) {
    return capture.from == played->from && capture.to == played->to;
  });
  std::string text = name(played->from);
  if (same_ends == 1) return text + 'x' + name(played->to);
  std::vector<int> way;
  find_way(sides, {{}, played->from, played->from}, *played, way);
  for (std::size_t i = 1; i < way.size(); i += 2) text += 'x' + name(way[i]);
  return text;
}

template <int Size>
std::string Draughts<Size>::position_text(const State& s) const {
  PdnPosition out;
  out.black_to_move = s.to_move == 1;
  for (const int player : {0, 1})
    (s.men[player] | s.kings[player]).for_each([&](int bit) {
      out.pieces[player].push_back({Squares::square_of(bit) + 1, s.kings[player].test(bit)});
    });
  if (s.king_plies) out.king_plies = s.king_plies;
  if (s.countdown != no_countdown) out.countdown = s.countdown;
  return out.text();
}

template <int Size>
typename Draughts<Size>::State Draughts<Size>::parse_position(std::string_view text) const {
  const PdnPosition position = PdnPosition::parse(text, square_count);
  State s;
  s.to_move = position.black_to_move;
  Board occupied{};
  for (const int player : {0, 1})
    for (const auto& [square, king] : position.pieces[player]) {
      const int bit = Squares::bit_of(square - 1);
      if (occupied.test(bit))
        throw PositionError("position " + in_quotes(text) +
                            " of draughts has two pieces on square " + std::to_string(square));
      occupied.set(bit);
      (king ? s.kings : s.men)[player].set(bit);
    }
  s.king_plies = static_cast<std::uint8_t>(position.king_plies.value_or(0));
  s.countdown = static_cast<std::uint8_t>(position.countdown.value_or(countdown_of(s)));
  s.result = ending(s);
  return s;
}

// Each row begins with the number of its first square.
template <int Size>
std::string Draughts<Size>::drawing(const State& s) const {
  std::string out;
  for (int row = 0; row < Size; ++row) {
    const std::string label = std::to_string(row * Size / 2 + 1);
    out += std::string(2 - label.size(), ' ') + label;
    for (int k = 0; k < Size / 2; ++k) {
      const char piece = symbol(s, Squares::bit_of(row * Size / 2 + k));
      out += row % 2 ? std::string{' ', piece, ' ', ' '} : std::string{' ', ' ', ' ', piece};
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

template <int Size>
std::string Draughts<Size>::flaw(const State& s) const {
  Board occupied{};
  for (const int player : {0, 1}) {
    for (const Board& board : {s.men[player], s.kings[player]}) {
      if ((board & occupied).any() || (board & ~Squares::squares).any())
        return "pieces overlap or lie outside the board";
      occupied |= board;
    }
    if (pieces(s, player) > pieces_each)
      return "a player has more than " + std::to_string(pieces_each) + " pieces";
    if ((s.men[player] & Squares::far_rows[player]).any())
      return "a man stands on the row where it becomes a king";
  }
  if (pieces(s, s.to_move ^ 1) == 0) return "the side that has just moved has no pieces";
  if (s.king_plies > max_king_plies_)
    return "there are more plies of kings than " + std::to_string(max_king_plies_);
  const bool may_count = endgames_ && few_pieces(s) && s.countdown <= longest_countdown;
  if (s.countdown > countdown_of(s) || (s.countdown != no_countdown && !may_count))
    return "the plies left to an endgame of few pieces do not fit the board";
  if (s.result != ending(s)) return "the result does not fit the board";
  return "";
}

std::vector<Parameter> options(int king_moves, std::string endgames) {
  return {Parameter::integer("king_moves", king_moves, 0, 60,
                             "a draw after this many moves of each player by kings alone, without "
                             "a capture; 0: never"),
          Parameter::flag("endgames", true, std::move(endgames))};
}

constexpr const char* fmjd_endgames =
    "drawn after 16 more moves of each player with three pieces against a king, 5 with one or two";

}  // namespace

GameEntry international_draughts() {
  return {"international_draughts", options(25, fmjd_endgames), make_rules<Draughts<10>>};
}

GameEntry brazilian_draughts() {
  return {"brazilian_draughts",
          options(20,
                  "drawn after 5 more moves of each player with one or two kings against a king, "
                  "two kings, or a king and a man"),
          make_rules<Draughts<8>>};
}

GameEntry canadian_draughts() {
  return {"canadian_draughts", options(25, fmjd_endgames), make_rules<Draughts<12>>};
}

}  // namespace athenan
