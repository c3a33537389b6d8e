// Arimaa, step by step: a move is a piece placed in the set-up (or a whole set-up), one step, or a
// pass that ends a turn of fewer than four steps. The first player is Gold, at the bottom.
//
// What playing step by step decides:
// - Frozen or not is judged at each step: a push needs a free stronger piece beside the pushed one
//   when it begins, and any free stronger piece beside the square may complete it.
// - A pass, or the fourth step, is illegal if it recreates the position at the start of the turn or
//   one that has already occurred twice with the same player to move. A step after which the turn
//   cannot be ended legally is offered all the same: who is then without a move has lost.
// - Goals and lost rabbits are looked at when a turn ends, not within it.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/bitboard.h"
#include "base/error.h"
#include "base/grid.h"
#include "games/arimaa_board.h"
#include "games/arimaa_history.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

using namespace arimaa_board;

constexpr int steps_per_turn = 4;
constexpr int max_length = 900;
// A turn takes at least two plies, a step and a pass; so does the set-up.
static_assert(History::capacity >= (max_length - 2) / 2 + 1);

// Move numbers: 4 * square + direction for steps, then the pass, then the set-up moves: by the
// strength of the piece to place, or by the set-up.
constexpr Move pass = direction_count * square_count;
constexpr Move first_setup_move = pass + 1;

// The kinds of moves; those of the set-up follow.
enum Kind { stepping, pushing, pulling, passing, first_setup_kind };

class Arimaa {
 public:
  struct State {
    Board board;
    std::uint64_t hash = 0;     // of the board
    std::uint8_t placed = 0;    // pieces placed in the set-up, 32 when it is over
    std::uint8_t mirrored = 0;  // the set-up goes from file h to file a
    std::uint8_t to_move = 0;
    std::uint8_t steps_left = 0;  // of the turn; 0 during the set-up
    Vacated vacated;
    Result result = Result::ongoing;
    // Since the last removal: no position from before it can occur again. Ends with the start of
    // this turn, and is empty if this turn removed a piece.
    History history;
  };
  static constexpr std::size_t board_size = offsetof(State, history) + offsetof(History, entries);

  explicit Arimaa(const Parameters& parameters)
      : whole_setups_(parameters.choice("setup") == "choice") {}

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Arimaa";
    sheet.rows = sheet.columns = 8;
    sheet.move_kinds = {"step", "push", "pull", "pass"};
    for (const std::string name : piece_names) {
      sheet.planes.push_back(name + "s: 1 first player, -1 second player");
      if (!whole_setups_) sheet.move_kinds.push_back("place " + name);
    }
    if (whole_setups_) sheet.move_kinds.push_back("set up");
    for (const char* name :
         {"player to move", "steps left",
          "pending push: strength of the pushed piece; possible pull: minus that of the puller",
          "set-up phase"})
      sheet.planes.push_back(name);
    sheet.move_count = first_setup_move + setup_moves();
    sheet.max_length = max_length;
    sheet.max_length_reason = "almost three times the 320 moves of random matches, set-up included";
    sheet.typical_length = 310;
    sheet.symmetry_group = "left-right mirror (2)";
    sheet.cyclic = true;
    sheet.own_evaluation = "arimaa";
    sheet.move_notation =
        "Ra2n: piece (RCDHME, the second player's in lower case), square, direction (n s e w), "
        "with the removal it causes: Rc2n,Rc3x; pass; in the set-up " +
        std::string(whole_setups_ ? "the row at the edge and the row before it: RRRRRRRRDHCMECHD"
                                  : "piece and square: Ra1");
    sheet.position_notation =
        "rows from rank 8, side g or s; in the set-up then setup; within a turn or with a history "
        "then the steps left, the piece and square of the last step if its own piece can pull or "
        "an enemy was pushed, else -, and hashes of the positions since the last removal, or -; "
        "also accepted: the side and 64 squares from a8 to h1, spaces or dots where empty";
    sheet.reference = "https://arimaa.com/arimaa/";
    return sheet;
  }

  std::size_t live_size(const State& s) const {
    return board_size + s.history.size * sizeof s.history.entries[0];
  }
  // The history decides which turns are legal: the sum of its entries is in the key, and the start
  // of the turn by itself.
  std::uint64_t key(const State& s) const {
    return mix(hash_bytes(&s, board_size), s.history.last());
  }

  void moves(const State& s, MoveList& out) const {
    if (in_setup(s)) {
      for (Move k = 0; k < setup_moves(); ++k)
        if (may_place(s, k)) out.push_back(first_setup_move + k);
      return;
    }
    const Steps legal = legal_steps(s);
    for (int d = 0; d < direction_count; ++d)
      Bitboard<1>{{legal[d]}}.for_each([&](int from) { out.push_back(step_move(from, d)); });
    if (may_pass(s)) out.push_back(pass);
  }

  Move random_move(const State& s, Random& random) const {
    while (in_setup(s))
      if (const Move k = random.below(setup_moves()); may_place(s, k)) return first_setup_move + k;
    const Steps possible = steps(s.board, s.to_move, s.steps_left, s.vacated);
    std::array<int, direction_count> counts;
    int count = may_pass(s);
    for (int d = 0; d < direction_count; ++d) count += counts[d] = std::popcount(possible[d]);
    while (true) {
      int n = static_cast<int>(random.below(count)), d = 0;
      while (d < direction_count && n >= counts[d]) n -= counts[d++];
      if (d == direction_count) return pass;
      const int from = Bitboard<1>{{possible[d]}}.nth(n);
      if (s.steps_left > 1 || may_end_turn(s, hash_after(s, from, d))) return step_move(from, d);
    }
  }

  void apply(State& s, Move move) const {
    if (move < pass)
      step(s, static_cast<int>(move) / direction_count, move % direction_count);
    else if (move == pass)
      end_turn(s);
    else if (!whole_setups_)
      place(s, rabbit + static_cast<int>(move - first_setup_move));
    else
      for (const int strength : setup(move - first_setup_move)) place(s, strength);
    s.result = ending(s);
  }

  void encode(const State& s, std::int8_t* planes) const {
    const auto plane = [&](int k) { return planes + square_count * k; };
    Bitboard<1>{{s.board.occupied()}}.for_each([&](int square) {
      const int piece = s.board.piece_at(square);
      plane(strength_of(piece) - rabbit)[square] = owner_of(piece) ? -1 : 1;
    });
    std::fill_n(plane(6), square_count, s.to_move);
    std::fill_n(plane(7), square_count, s.steps_left);
    const int strength = s.vacated.strength;
    plane(8)[s.vacated.square] = static_cast<std::int8_t>(s.vacated.pushed ? strength : -strength);
    std::fill_n(plane(9), square_count, in_setup(s));
  }

  int symmetries() const { return 2; }
  // The image of a set-up piece by piece goes on in the mirrored order: then its moves, which name
  // no square, are their own images.
  State transform(const State& s, int symmetry) const {
    State out;
    std::memcpy(static_cast<void*>(&out), &s, live_size(s));
    if (symmetry == 0) return out;
    out.board = s.board.mirrored();
    out.hash = BoardHash::mirrored(s.hash);
    if (in_setup(s) && !whole_setups_) out.mirrored ^= 1;
    if (s.vacated.strength) out.vacated.square ^= 7;
    out.history.mirror();
    return out;
  }
  Move transform_move(const State&, int symmetry, Move move) const {
    if (symmetry == 0 || move == pass) return move;
    if (move > pass)
      return whole_setups_ ? first_setup_move + ((move - first_setup_move) ^ 1) : move;
    const int from = static_cast<int>(move) / direction_count, d = move % direction_count;
    return step_move(from ^ 7, d < east ? d : d ^ 1);
  }

  // The published reward: the value of a whole army for the match, and the difference of the
  // armies. It has the sign of the result: a winner has a rabbit, worth 6, or the loser has none.
  double score(const State& s) const {
    if (s.result == Result::ongoing) return 0;
    return army_value * static_cast<int>(s.result) + s.board.value(0) - s.board.value(1);
  }
  int pieces(const State& s, int player) const { return s.board.count(player); }

  MovePath move_path(const State& s, Move move) const {
    if (move == pass) return {passing, {}};
    if (move > pass) return setup_path(s, move - first_setup_move);
    const int from = static_cast<int>(move) / direction_count;
    const int to = from + offsets[move % direction_count], piece = s.board.piece_at(from);
    const bool own = owner_of(piece) == s.to_move;
    const int kind = own ? stepping : s.vacated.pulls(strength_of(piece), to) ? pulling : pushing;
    return {kind, grid_.path(from, to)};
  }
  std::string move_text(const State& s, Move move) const {
    if (move == pass) return "pass";
    if (move > pass) return setup_move_text(s, move);
    const int from = static_cast<int>(move) / direction_count, d = move % direction_count;
    const std::string text = letters[s.board.piece_at(from)] + square_text(from) + "nsew"[d];
    if (!moved(bit(from), d)) return text;  // no step at all
    Board board = s.board;
    const Removal removal = take_step(board, from, d);
    if (!removal.piece) return text;
    return text + ',' + letters[removal.piece] + square_text(removal.square) + 'x';
  }

  std::string position_text(const State& s) const {
    const auto letter = [&](int square) { return letters[s.board.piece_at(square)]; };
    const std::string text = grid_.rows_text(letter) + (s.to_move ? " s" : " g");
    if (in_setup(s)) return text + (s.mirrored ? " setup-mirrored" : " setup");
    if (s.steps_left == steps_per_turn && s.history.size == 1) return text;
    return text + ' ' + std::to_string(s.steps_left) + ' ' + s.vacated.text(s.to_move) + ' ' +
           s.history.text();
  }

  State parse_position(std::string_view text) const {
    if (text.size() == 1 + square_count && (text[0] == 'g' || text[0] == 's')) {
      std::string cells(text.substr(1));
      std::replace(cells.begin(), cells.end(), ' ', '.');
      if (cells.find_first_not_of(letters) != std::string::npos) refuse(text);
      return turn_start(cells, text[0] == 's');
    }
    const auto words = words_of(text);
    if (words.size() < 2 || (words[1] != "g" && words[1] != "s")) refuse(text);
    State s = turn_start(grid_.parse_rows(words[0], "RCDHMErcdhme"), words[1] == "s");
    if (words.size() == 2) return s;
    if (words.size() == 3 && (words[2] == "setup" || words[2] == "setup-mirrored")) {
      s.placed = static_cast<std::uint8_t>(std::popcount(s.board.occupied()));
      s.mirrored = words[2] != "setup";
      s.steps_left = 0;
      s.history.clear();
    } else if (words.size() == 5 && words[2].size() == 1 && words[2] >= "1" && words[2] <= "4") {
      s.steps_left = static_cast<std::uint8_t>(words[2][0] - '0');
      if (!Vacated::read(words[3], s.to_move, s.vacated) || !History::read(words[4], s.history))
        refuse(text);
    } else {
      refuse(text);
    }
    s.result = ending(s);
    return s;
  }

  std::string drawing(const State& s) const {
    const std::string board = grid_.drawing([&](int square) {
      const int piece = s.board.piece_at(square);
      return !piece && (traps & bit(square)) ? 'x' : letters[piece];
    });
    return board + (s.to_move ? "silver" : "gold") +
           (in_setup(s) ? " sets up\n" : ": " + std::to_string(s.steps_left) + " steps left\n");
  }

  std::string board_flaw(const State& s) const {
    if (s.mirrored > 1 || s.placed > 2 * army_size)
      return "the progress of the set-up is out of range";
    if (const std::string problem = s.board.flaw(); !problem.empty()) return problem;
    if (s.hash != hash_.of(s.board)) return "the hash does not fit the board";
    if (s.history.size > History::capacity) return "the history is too long";
    if (in_setup(s)) {
      if (!setup_fits(s)) return "the set-up does not fit the pieces on the board";
    } else if (s.mirrored || s.steps_left < 1 || s.steps_left > steps_per_turn) {
      return "the set-up is over and the steps left are not from 1 to 4";
    } else if (s.steps_left == steps_per_turn) {
      if (s.vacated != Vacated{}) return "a step of the previous turn is remembered";
      if (s.history.size == 0) return "the history does not end with this start of a turn";
    } else {
      if (!s.vacated.fits(s.board, s.to_move)) return "no push or pull fits the vacated square";
      if (s.history.size > 0 && !(s.board.of(0, rabbit) && s.board.of(1, rabbit)))
        return "a player had no rabbits when the turn started";
    }
    return "";
  }
  std::string flaw(const State& s) const {
    if (const std::string problem = board_flaw(s); !problem.empty()) return problem;
    if (const std::string problem = s.history.flaw(); !problem.empty()) return problem;
    if (!in_setup(s) && s.steps_left == steps_per_turn &&
        s.history.last() != position_hash(s.hash, s.to_move))
      return "the history does not end with this start of a turn";
    return s.result == ending(s) ? "" : "the result does not fit the board";
  }

 private:
  // ---- set-up: the squares are filled in a fixed order ----
  static bool in_setup(const State& s) { return s.placed < 2 * army_size; }
  Move setup_moves() const { return whole_setups_ ? setup_count : elephant; }
  bool may_place(const State& s, Move k) const {
    const int strength = rabbit + static_cast<int>(k);
    return whole_setups_ || s.board.count(s.to_move, strength) < army[strength];
  }
  void place(State& s, int strength) const {
    const int piece = piece_of(s.to_move, strength), square = setup_square(s.placed, s.mirrored);
    s.board.put(square, piece);
    s.hash ^= hash_.of(piece, square);
    ++s.placed;
    s.to_move = s.placed / army_size % 2;
    if (in_setup(s)) return;
    s.mirrored = 0;
    s.steps_left = steps_per_turn;
    s.history.add(position_hash(s.hash, s.to_move));
  }
  // The square of the piece, or those of all pieces but the rabbits, which fill the rest.
  MovePath setup_path(const State& s, Move k) const {
    const auto square = [&](int n) { return setup_square(s.placed + n, s.mirrored); };
    if (!whole_setups_) return {first_setup_kind + static_cast<int>(k), grid_.path(square(0))};
    MovePath path{first_setup_kind, {}};
    for (const int n : officers_of_setup(static_cast<int>(k)))
      path.cells.push_back({grid_.row(square(n)), grid_.column(square(n))});
    return path;
  }
  std::string setup_move_text(const State& s, Move move) const {
    const auto letter = [&](int strength) { return letters[piece_of(s.to_move, strength)]; };
    const int k = static_cast<int>(move - first_setup_move);
    if (!whole_setups_) return letter(rabbit + k) + square_text(setup_square(s.placed, s.mirrored));
    std::string text;
    for (const int strength : setup(k)) text += letter(strength);
    return text;
  }
  bool setup_fits(const State& s) const {
    if (s.placed != std::popcount(s.board.occupied()) || s.to_move != s.placed / army_size)
      return false;
    if (s.steps_left || s.vacated != Vacated{} || s.history.size) return false;
    if (whole_setups_ && (s.placed % army_size || s.mirrored)) return false;
    return s.board.is_set_up(s.placed, s.mirrored);
  }

  // ---- steps and turns ----
  static Move step_move(int from, int direction) { return direction_count * from + direction; }
  // Without the removal, which no comparison misses: the boards of a history have no trapped piece.
  std::uint64_t hash_after(const State& s, int from, int direction) const {
    const int piece = s.board.piece_at(from);
    return s.hash ^ hash_.of(piece, from) ^ hash_.of(piece, from + offsets[direction]);
  }
  // May the turn end with a board of this hash?
  static bool may_end_turn(const State& s, std::uint64_t hash) {
    return s.history.size == 0 || (position_hash(hash, s.to_move) != s.history.last() &&
                                   !s.history.occurred_twice(position_hash(hash, s.to_move ^ 1)));
  }
  static bool may_pass(const State& s) {
    return s.steps_left < steps_per_turn && !s.vacated.pushed && may_end_turn(s, s.hash);
  }
  Steps legal_steps(const State& s) const {
    Steps legal = steps(s.board, s.to_move, s.steps_left, s.vacated);
    if (s.steps_left == 1)
      for (int d = 0; d < direction_count; ++d)
        Bitboard<1>{{legal[d]}}.for_each([&](int from) {
          if (!may_end_turn(s, hash_after(s, from, d))) legal[d] ^= bit(from);
        });
    return legal;
  }

  void step(State& s, int from, int direction) const {
    const int piece = s.board.piece_at(from), to = from + offsets[direction];
    s.hash = hash_after(s, from, direction);
    if (const Removal removal = take_step(s.board, from, direction); removal.piece) {
      s.hash ^= hash_.of(removal.piece, removal.square);
      s.history.clear();
    }
    s.vacated = vacated_by(s.board, s.to_move, s.vacated, piece, from, to);
    if (--s.steps_left == 0) end_turn(s);
  }
  static void end_turn(State& s) {
    s.to_move ^= 1;
    s.steps_left = steps_per_turn;
    s.vacated = {};
    s.history.add(position_hash(s.hash, s.to_move));
  }

  static bool in_goal(const State& s, int player) {
    return s.board.of(player, rabbit) & (player == 0 ? rank_8 : rank_1);
  }
  // Between turns the player who has just moved is judged first.
  Result ending(const State& s) const {
    if (in_setup(s)) return Result::ongoing;
    const int mover = s.to_move, other = mover ^ 1;
    if (s.steps_left == steps_per_turn) {
      if (in_goal(s, other)) return win_of(other);
      if (in_goal(s, mover)) return win_of(mover);
      if (!s.board.of(mover, rabbit)) return win_of(other);
      if (!s.board.of(other, rabbit)) return win_of(mover);
    }
    return may_pass(s) || legal_steps(s) != Steps{} ? Result::ongoing : win_of(other);
  }

  // The start of a turn without history, from one letter per square.
  State turn_start(std::string_view cells, bool second) const {
    State s;
    for (int square = 0; square < square_count; ++square)
      if (cells[square] != '.') s.board.put(square, static_cast<int>(letters.find(cells[square])));
    s.hash = hash_.of(s.board);
    s.placed = 2 * army_size;
    s.to_move = second;
    s.steps_left = steps_per_turn;
    s.history.add(position_hash(s.hash, s.to_move));
    s.result = ending(s);
    return s;
  }
  [[noreturn]] static void refuse(std::string_view text) {
    throw PositionError("position " + in_quotes(text) +
                        " of arimaa is none of '<rows> <g or s>', the same followed by ' setup' or "
                        "' <steps left> <piece and square or -> <history or ->', and '<g or s><64 "
                        "squares>'");
  }

  bool whole_setups_;
  BoardHash hash_;
  Grid grid_{8, 8, RowOne::bottom};
};

}  // namespace

GameEntry arimaa() {
  return {"arimaa",
          {Parameter::choice("setup", "pieces", {"pieces", "choice"},
                             "pieces: placed one by one; choice: a whole set-up is one move")},
          make_rules<Arimaa>};
}

}  // namespace athenan
