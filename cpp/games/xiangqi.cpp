// Xiangqi, Chinese chess. The first player is Red, at the bottom. Who is left without a move loses,
// in check or not.
//
// The repetition rules are the simple ones: when a position occurs for the third time, a player
// whose every move since its first occurrence gave check has lost, unless that is true of both;
// otherwise the match is a draw. Perpetual chases are not looked at.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "base/error.h"
#include "base/grid.h"
#include "games/value_rules.h"
#include "games/xiangqi_board.h"
#include "games/xiangqi_history.h"

namespace athenan {
namespace {

using namespace xiangqi_board;

constexpr std::string_view start_rows =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
constexpr int max_captures = 30;  // all but the generals

class Xiangqi {
 public:
  struct State {
    Board board;
    std::uint16_t ply = 0;
    std::uint8_t to_move = 0;
    Result result = Result::ongoing;
    std::uint8_t quiet_plies = 0;  // since the last capture
    std::uint8_t in_check = 0;     // is the player to move?
    std::uint8_t recurrences = 0;  // earlier occurrences of this position
    std::uint8_t unused = 0;       // fills the word, always zero
    History history;
  };
  static constexpr std::size_t board_size = offsetof(State, history) + offsetof(History, moves);

  explicit Xiangqi(const Parameters& parameters)
      : repetition_(parameters.integer("repetition")),
        no_capture_(parameters.integer("no_capture")) {}

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Xiangqi";
    sheet.rows = rows;
    sheet.columns = columns;
    for (const char* name :
         {"soldiers", "advisors", "elephants", "horses", "cannons", "chariots", "generals"})
      sheet.planes.push_back(std::string(name) + ": 1 first player, -1 second player");
    for (const char* name : {"player to move", "plies since the last capture",
                             "earlier occurrences of the position", "check"})
      sheet.planes.push_back(name);
    sheet.move_count = cell_count * cell_count;
    sheet.move_kinds = {"move", "capture"};
    sheet.max_length = max_length();
    sheet.max_length_reason = "30 pieces can be captured, and " + std::to_string(no_capture_) +
                              " plies without a capture end the match: 31 times that many plies";
    sheet.typical_length = std::min(repetition_ == 2 ? 280 : 390, 6 * no_capture_ - 70);
    sheet.symmetry_group = "left-right mirror (2)";
    sheet.cyclic = true;
    sheet.has_draws = true;
    sheet.move_notation = "h2e2: files a to i, ranks 0 to 9 from the first player's edge";
    sheet.position_notation =
        "FEN with the letters PABNCRK, plies since the last capture and the number of the move: " +
        std::string(start_rows) +
        " w - - 0 1; the four last fields may be left out; then, if there are any, after and the "
        "moves that led here since the last capture or soldier's step forward; also accepted: "
        "FEN, moves and the moves that follow, as in UCCI";
    sheet.reference = "https://en.wikipedia.org/wiki/Xiangqi";
    return sheet;
  }

  State initial() const { return parse_position(std::string(start_rows) + " w"); }
  int ply_of(const State& s) const { return s.ply; }
  std::size_t live_size(const State& s) const {
    return board_size + s.history.size * sizeof s.history.moves[0];
  }
  // The history decides what ends the match: its hash is in the key.
  std::uint64_t key(const State& s) const { return hash_bytes(&s, board_size); }

  void moves(const State& s, MoveList& out) const {
    const Mobility mobility(s.board, s.to_move);
    mobility.own().for_each([&](int from) {
      mobility.targets(from).for_each([&](int to) { out.push_back(number(from, to)); });
    });
  }
  Move random_move(const State& s, Random& random) const {
    const Mobility mobility(s.board, s.to_move);
    std::array<Cells, 16> targets;
    std::array<int, 16> origins{}, counts{};
    int pieces = 0, total = 0;
    mobility.own().for_each([&](int from) {
      origins[pieces] = from;
      targets[pieces] = mobility.targets(from);
      total += counts[pieces] = targets[pieces].count();
      ++pieces;
    });
    int n = static_cast<int>(random.below(total)), piece = 0;
    while (n >= counts[piece]) n -= counts[piece++];
    return number(origins[piece], targets[piece].nth(n));
  }

  void apply(State& s, Move move) const {
    const Outlook outlook = advance(s, origin(move), destination(move));
    s.result = ending(s, outlook.mobility.any(), outlook.recurrence);
  }

  void encode(const State& s, std::int8_t* planes) const {
    const auto plane = [&](int k) { return planes + cell_count * k; };
    s.board.occupied().for_each([&](int cell) {
      const int piece = s.board.piece_at(cell);
      plane(kind_of(piece) - soldier)[cell] = owner_of(piece) ? -1 : 1;
    });
    std::fill_n(plane(7), cell_count, s.to_move);
    std::fill_n(plane(8), cell_count, s.quiet_plies);
    std::fill_n(plane(9), cell_count, s.recurrences);
    std::fill_n(plane(10), cell_count, s.in_check);
  }

  int symmetries() const { return 2; }
  State transform(const State& s, int symmetry) const {
    State out;
    std::memcpy(static_cast<void*>(&out), &s, live_size(s));
    if (symmetry == 0) return out;
    out.board = s.board.mirrored();
    out.history.mirror();
    return out;
  }
  Move transform_move(const State&, int symmetry, Move move) const {
    return symmetry == 0 ? move : number(mirrored(origin(move)), mirrored(destination(move)));
  }

  int pieces(const State& s, int player) const { return s.board.of(player).count(); }

  MovePath move_path(const State& s, Move move) const {
    const int from = origin(move), to = destination(move);
    return {s.board.occupied().test(to), grid_.path(from, to)};
  }
  std::string move_text(const State&, Move move) const {
    return grid_.name(origin(move)) + grid_.name(destination(move));
  }
  std::string position_text(const State& s) const {
    std::string text = grid_.rows_text([&](int cell) { return letters[s.board.piece_at(cell)]; });
    text += (s.to_move ? " b - - " : " w - - ") + std::to_string(s.quiet_plies) + ' ' +
            std::to_string(s.ply / 2 + 1);
    if (s.history.size > 0) text += " after";
    for (std::uint32_t i = 0; i < s.history.size; ++i)
      text += ' ' + grid_.name(s.history.moves[i].from) + grid_.name(s.history.moves[i].to);
    return text;
  }

  State parse_position(std::string_view text) const {
    const auto words = words_of(text);
    const auto refuse = [&](const std::string& problem) -> void {
      throw PositionError("position " + in_quotes(text) + " of xiangqi " + problem);
    };
    const bool has_counters = words.size() >= 6 && words[2] == "-" && words[3] == "-";
    const std::size_t fields = has_counters ? 6 : 2;
    int quiet_plies = 0, move_number = 1;
    if (words.size() < 2 || (words[1] != "w" && words[1] != "r" && words[1] != "b") ||
        (words.size() > fields && words[fields] != "after" && words[fields] != "moves") ||
        (has_counters && !(read_number(words[4], 0, no_capture_, quiet_plies) &&
                           read_number(words[5], 1, max_length() / 2 + 1, move_number))))
      refuse(
          "is not '<rows> <w or b>', alone or followed by ' - - <plies since the last capture> "
          "<number of the move>', then by ' after' or ' moves' and moves");
    const std::string cells = grid_.parse_rows(words[0], "PABNCRKpabncrk");
    Board board;
    for (int cell = 0; cell < cell_count; ++cell)
      if (cells[cell] != '.') board.put(cell, static_cast<int>(letters.find(cells[cell])));
    State s = set_up(board, 2 * (move_number - 1) + (words[1] == "b"), quiet_plies);
    if (words.size() == fields || !flaw(s).empty()) return s;

    const bool earlier = words[fields] == "after";
    for (std::size_t i = fields + 1; i < words.size(); ++i) {
      int from = 0, to = 0;
      if (!read_move(words[i], from, to)) refuse("has the move " + in_quotes(words[i]));
      if (earlier && s.history.size < History::capacity)
        s.history.add({narrow(from), narrow(to), 0, 0});
      else if (!earlier && is_legal(s, from, to))
        apply(s, number(from, to));
      else
        refuse("cannot have the move " + in_quotes(words[i]) + " there");
    }
    if (earlier && !replay(s, s)) refuse("cannot have come about by the moves it names");
    return s;
  }
  std::string drawing(const State& s) const {
    return grid_.drawing([&](int cell) { return letters[s.board.piece_at(cell)]; }) +
           (s.in_check ? "check\n" : "");
  }

  std::string flaw(const State& s) const {
    if (const std::string problem = board_flaw(s); !problem.empty()) return problem;
    State again;
    if (!replay(s, again) || std::memcmp(&s, &again, live_size(s)) != 0)
      return "the history, a counter or the result does not fit the board";
    return "";
  }
  std::string board_flaw(const State& s) const {
    if (const std::string problem = s.board.flaw(); !problem.empty()) return problem;
    if (s.ply > max_length()) return "the number of the move is out of range";
    if (s.to_move != s.ply % 2) return "the side to move does not fit the number of the move";
    if (s.quiet_plies > no_capture_) return "too many plies are without a capture";
    if (Mobility(s.board, s.to_move ^ 1).in_check())
      return "the player who has just moved is in check";
    return s.history.size > History::capacity ? "the history is too long" : "";
  }

 private:
  static Move number(int from, int to) { return static_cast<Move>(from * cell_count + to); }
  static int origin(Move move) { return static_cast<int>(move) / cell_count; }
  static int destination(Move move) { return static_cast<int>(move) % cell_count; }
  static std::uint8_t narrow(int number) { return static_cast<std::uint8_t>(number); }
  int max_length() const { return (max_captures + 1) * no_capture_; }

  // What the result of a position depends on beside the position.
  struct Outlook {
    Mobility mobility;
    History::Recurrence recurrence;
  };
  // Makes a legal move but for the result.
  Outlook advance(State& s, int from, int to) const {
    const int piece = s.board.piece_at(from);
    const bool captures = s.board.occupied().test(to);
    const bool steps_forward = kind_of(piece) == soldier && from / columns != to / columns;
    s.board.move(from, to);
    s.ply += 1;
    s.to_move ^= 1;
    s.quiet_plies = captures ? 0 : s.quiet_plies + 1;
    const Mobility mobility(s.board, s.to_move);
    s.in_check = mobility.in_check();
    if (captures || steps_forward)
      s.history.clear();
    else
      s.history.add({narrow(from), narrow(to), narrow(piece), s.in_check});
    const auto recurrence = s.history.recurrence(repetition_ - 1);
    s.recurrences = narrow(recurrence.times);
    return {mobility, recurrence};
  }
  Result ending(const State& s, bool can_move, const History::Recurrence& recurrence) const {
    const int last_mover = s.to_move ^ 1;
    if (!can_move) return win_of(last_mover);
    if (recurrence.times >= repetition_ - 1) {
      if (recurrence.last_mover_checked == recurrence.other_checked) return Result::draw;
      return win_of(recurrence.last_mover_checked ? s.to_move : last_mover);
    }
    return s.quiet_plies >= no_capture_ ? Result::draw : Result::ongoing;
  }

  // A position without a history.
  State set_up(const Board& board, int ply, int quiet_plies) const {
    State s;
    s.board = board;
    s.ply = static_cast<std::uint16_t>(ply);
    s.to_move = narrow(ply % 2);
    s.quiet_plies = narrow(quiet_plies);
    if (!board.flaw().empty()) return s;
    const Mobility mobility(s.board, s.to_move);
    s.in_check = mobility.in_check();
    s.result = ending(s, mobility.any(), {});
    return s;
  }
  bool is_legal(const State& s, int from, int to) const {
    if (s.result != Result::ongoing || !s.board.of(s.to_move).test(from)) return false;
    return Mobility(s.board, s.to_move).targets(from).test(to);
  }
  // Takes the moves of the history back, of which only the cells are looked at, and plays them
  // again. False if that cannot be done.
  bool replay(const State& s, State& out) const {
    const History history = s.history;
    const int count = static_cast<int>(history.size);
    if (count > s.ply || count > s.quiet_plies) return false;
    Board board = s.board;
    for (int i = count - 1; i >= 0; --i) {
      const auto [from, to, piece, checks] = history.moves[i];
      if (from >= cell_count || to >= cell_count || board.piece_at(from) || !board.piece_at(to))
        return false;
      board.move(to, from);
    }
    State again = set_up(board, s.ply - count, s.quiet_plies - count);
    if (!board.flaw().empty() || Mobility(board, again.to_move ^ 1).in_check()) return false;
    Outlook outlook{Mobility(again.board, again.to_move), {}};
    for (int i = 0; i < count; ++i) {
      const auto [from, to, piece, checks] = history.moves[i];
      const auto& [mobility, recurrence] = outlook;
      if (ending(again, true, recurrence) != Result::ongoing || !mobility.own().test(from) ||
          !mobility.targets(from).test(to))
        return false;
      outlook = advance(again, from, to);
    }
    again.result = ending(again, outlook.mobility.any(), outlook.recurrence);
    out = again;
    return again.history.size == history.size;
  }

  static bool read_number(std::string_view text, int lowest, int highest, int& out) {
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, out);
    return problem == std::errc{} && stop == end && out >= lowest && out <= highest;
  }
  static bool read_move(std::string_view text, int& from, int& to) {
    if (text.size() != 4) return false;
    for (const std::size_t i : {0, 2})
      if (text[i] < 'a' || text[i] > 'i' || text[i + 1] < '0' || text[i + 1] > '9') return false;
    from = columns * ('9' - text[1]) + (text[0] - 'a');
    to = columns * ('9' - text[3]) + (text[2] - 'a');
    return true;
  }

  int repetition_, no_capture_;
  Grid grid_{rows, columns, RowOne::bottom, ColumnNames::lower_case, 0};
};

}  // namespace

GameEntry xiangqi() {
  return {"xiangqi",
          {Parameter::integer("repetition", 3, 2, 5,
                              "how often a position must occur to end the match"),
           Parameter::integer("no_capture", History::capacity, 20, History::capacity,
                              "plies without a capture that make a draw")},
          make_rules<Xiangqi>};
}

}  // namespace athenan
