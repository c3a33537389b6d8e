// The contract of a game: `Rules`, one abstract class with coarse virtual calls over opaque state
// bytes, so that everything above games is compiled once. Authors of games do not derive from it:
// they write a plain value type and `RulesOf<T>` (value_rules.h) turns it into this class. Python
// games are one more subclass. The engine (game.h) adds on top what no game should repeat: ply,
// maximum length, keys of cyclic games, mobility sums, the swap rule, legality checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/grid.h"
#include "base/parameters.h"
#include "base/random.h"

namespace athenan {

// A move is a number below Datasheet::move_count; its meaning belongs to the game.
using Move = std::uint32_t;
using MoveList = std::vector<Move>;

// The outcome b_t from the first player's point of view, or ongoing.
enum class Result : std::int8_t { second_wins = -1, draw = 0, first_wins = 1, ongoing = 2 };

inline Result win_of(int player) { return player == 0 ? Result::first_wins : Result::second_wins; }

// The geometry of a move: the cells that a player touches to make it, in order, and its kind, an
// index into Datasheet::move_kinds. Within a state, path and kind together identify the move. Cells
// are those of the encoded planes, counted without their border.
struct MovePath {
  int kind = 0;
  std::vector<Cell> cells;
};

// What a person or a network needs to know of a game at its given size.
struct Datasheet {
  std::string title;                    // "Hex"
  int rows = 0, columns = 0;            // of the encoded planes
  std::vector<std::string> planes;      // one name per plane
  std::uint32_t move_count = 0;         // moves are numbers below this (swap excluded)
  int max_length = 0;                   // plies; the engine declares a draw there
  std::string max_length_reason;        // its proof or how the bound was chosen
  int typical_length = 0;               // plies of a random match, roughly; 0: unknown
  int players = 2;                      // 1 or 2
  int border = 0;                       // lines that the planes add on each side of the board
  std::vector<std::string> move_kinds;  // "place", "move", "jump"; RulesOf adds "swap"
  int symmetries = 1;                   // filled in by RulesOf
  std::string symmetry_group;           // "square (8)", "rotation by 180 degrees (2)"
  bool cyclic = false;                  // can a position repeat?
  bool has_draws = false;               // besides the draw at the maximum length
  bool has_score = false;               // filled in by RulesOf
  bool has_pieces = false;              // filled in by RulesOf
  bool board_determines_ply = false;    // filled in by RulesOf
  std::string own_evaluation;  // a terminal evaluation of the game's own, computed by its score
  std::string move_notation;   // "f6: column letter, row 1 at the top; swap"
  std::string position_notation;
  std::string reference;  // where the rules are written
};

// How a uniformly random match from some state ended, and after how many further plies.
struct Playout {
  Result result = Result::ongoing;  // ongoing: stopped at the given number of plies
  int plies = 0;
};

// States are `state_size` bytes, aligned to 8. A state may end in a history that only repetition
// rules read: `live_size` is the prefix in use, `board_size` the prefix that encoding and drawing
// read; without its history (zeroed) a state can still be transformed, but not played on.
class Rules {
 public:
  virtual ~Rules() = default;

  virtual const Datasheet& datasheet() const = 0;
  virtual std::size_t state_size() const = 0;
  virtual std::size_t board_size() const = 0;
  virtual std::size_t live_size(const std::byte* state) const = 0;

  virtual void initial(std::byte* state) const = 0;
  virtual int to_move(const std::byte* state) const = 0;
  virtual Result result(const std::byte* state) const = 0;
  // Appends the legal moves of an ongoing state: at least one, none twice.
  virtual void moves(const std::byte* state, MoveList& out) const = 0;
  virtual void apply(std::byte* state, Move legal) const = 0;
  // Writes the child of each move at children + i * stride, its result and its key.
  virtual void children(const std::byte* state, const Move* moves, std::size_t count,
                        std::byte* children, std::size_t stride, Result* results,
                        std::uint64_t* keys) const = 0;
  virtual Playout playout(std::byte* state, int max_plies, Random& random) const = 0;

  virtual std::uint64_t key(const std::byte* state) const = 0;
  virtual double score(const std::byte* state) const = 0;
  virtual int pieces(const std::byte* state, int player) const = 0;
  // Plies played so far, where Datasheet::board_determines_ply.
  virtual int ply_of(const std::byte* state) const = 0;

  // Writes [count, planes, rows, columns].
  virtual void encode(const std::byte* states, std::size_t count, std::size_t stride,
                      std::int8_t* out) const = 0;
  virtual void transform(const std::byte* state, int symmetry, std::byte* out) const = 0;
  virtual Move transform_move(const std::byte* state, int symmetry, Move move) const = 0;

  // The geometry of a legal move; a game without Datasheet::move_kinds has none.
  virtual void move_path(const std::byte* state, Move move, MovePath& out) const = 0;

  virtual std::string move_text(const std::byte* state, Move move) const = 0;
  virtual std::string position_text(const std::byte* state) const = 0;
  // Throws PositionError.
  virtual void parse_position(std::string_view text, std::byte* state) const = 0;
  virtual std::string drawing(const std::byte* state) const = 0;
  // Why these bytes are not a state of the game; empty if they are one. Safe on any bytes.
  virtual std::string flaw(const std::byte* state) const = 0;
  // The same for a state without its history (zeroed): why its board is none of the game.
  virtual std::string board_flaw(const std::byte* state) const = 0;

  // The swap rule: does the second player's first move offer it, and what it does to the board.
  virtual bool offers_swap() const = 0;
  virtual void swap_sides(std::byte* state) const = 0;
};

// One line of the registry.
struct GameEntry {
  std::string name;
  std::vector<Parameter> parameters;
  std::unique_ptr<Rules> (*make)(const Parameters&);
};

}  // namespace athenan
