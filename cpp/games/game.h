// Game: the rules of one game at one size plus what the engine adds to every game alike.
//
// A state of the engine is `state_size()` bytes, aligned to 8: a Header, then the bytes of the
// rules. All calls are const and thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/rules.h"

namespace athenan {

// What the engine keeps beside the board. The mobility sums are path-dependent (they feed the
// cumulative mobility heuristic) and belong neither to keys nor to equality.
struct Header {
  std::uint32_t ply = 0;
  std::uint32_t first_player_turns = 0;
  std::uint32_t first_player_mobility = 0;  // sum of the numbers of legal moves over its turns
  std::uint32_t second_player_mobility = 0;
};

// The mean number of moves that each player could choose from; 0 for a player without a turn yet.
struct Mobility {
  double first = 0, second = 0;
};
Mobility mobility_of(const Header& header);

// All the moves of a state with their children; buffers are reused between calls.
struct Expansion {
  MoveList moves;
  std::vector<std::byte> children;  // moves.size() * state_size()
  std::vector<Result> results;
  std::vector<std::uint64_t> keys;  // as Game::key(child, with_ply)
};

class Game {
 public:
  Game(std::string name, std::string parameters, std::unique_ptr<const Rules> rules);

  const std::string& name() const { return name_; }
  // "hex:size=11,swap=true": makes the same game again.
  std::string id() const;
  const Datasheet& datasheet() const { return rules_->datasheet(); }
  const Rules& rules() const { return *rules_; }
  bool offers_swap() const { return rules_->offers_swap(); }
  // Moves are numbers below this; the swap, where offered, is the last one.
  std::uint32_t move_count() const { return datasheet().move_count + (offers_swap() ? 1 : 0); }

  std::size_t state_size() const { return state_size_; }
  // The prefix of a state that is in use, and the prefix that a network's input is made from.
  std::size_t live_size(const std::byte* state) const;
  std::size_t packed_size() const { return packed_size_; }
  std::size_t encoded_size() const { return encoded_size_; }  // planes * rows * columns

  static const Header& header(const std::byte* state) {
    return *reinterpret_cast<const Header*>(state);
  }
  int ply(const std::byte* state) const { return static_cast<int>(header(state).ply); }
  int to_move(const std::byte* state) const { return rules_->to_move(board(state)); }
  // Includes the draw at the maximum length.
  Result result(const std::byte* state) const;
  double score(const std::byte* state) const { return rules_->score(board(state)); }
  int pieces(const std::byte* state, int player) const {
    return rules_->pieces(board(state), player);
  }

  void initial(std::byte* state) const;
  // The legal moves (cleared first); none iff the match is over.
  void moves(const std::byte* state, MoveList& out) const;
  // Plays a move known to be legal in a state that had `mobility` legal moves.
  void apply(std::byte* state, Move move, std::uint32_t mobility) const;
  // Plays a move after checking it. Throws IllegalMoveError.
  void play(std::byte* state, Move move) const;
  void expand(const std::byte* state, Expansion& out, bool with_ply) const;
  Playout playout(std::byte* state, Random& random) const;

  // Equal for equal positions; the ply is part of it in cyclic games, and wherever `with_ply` is
  // asked for (depth heuristics in games whose board does not determine the ply).
  std::uint64_t key(const std::byte* state, bool with_ply = false) const;
  // The same position, ply included where it matters to the rules; mobility sums ignored.
  bool equal(const std::byte* a, const std::byte* b) const;

  void encode(const std::byte* states, std::size_t count, std::size_t stride,
              std::int8_t* out) const;
  void transform(const std::byte* state, int symmetry, std::byte* out) const;
  Move transform_move(const std::byte* state, int symmetry, Move move) const;

  // The geometry of a legal move; the swap touches no cell.
  void move_path(const std::byte* state, Move move, MovePath& out) const;
  std::string move_text(const std::byte* state, Move move) const;
  // Throws IllegalMoveError: only legal moves have a reading.
  Move parse_move(const std::byte* state, std::string_view text) const;
  // The position in the notation of the game; where the board does not determine the ply,
  // followed by " @ply".
  std::string position_text(const std::byte* state) const;
  void parse_position(std::string_view text, std::byte* state) const;
  std::string drawing(const std::byte* state) const { return rules_->drawing(board(state)); }
  // Takes the live bytes of a state from outside. Throws PositionError.
  void read(const std::byte* bytes, std::size_t size, std::byte* state) const;
  // Refuses bytes that are not a state of the game. Throws PositionError.
  void check(const std::byte* state) const;
  // The same for a packed state with a history of zeros.
  void check_packed(const std::byte* state) const;

 private:
  static const std::byte* board(const std::byte* state) { return state + sizeof(Header); }
  static std::byte* board(std::byte* state) { return state + sizeof(Header); }
  static Header& mutable_header(std::byte* state) { return *reinterpret_cast<Header*>(state); }
  Move swap_move() const { return datasheet().move_count; }
  bool can_swap(const std::byte* state) const { return rules_->offers_swap() && ply(state) == 1; }
  std::uint64_t key_at(std::uint64_t board_key, std::uint32_t ply, bool with_ply) const;
  // At least one. Throws IllegalMoveError after the end of the match.
  MoveList legal_moves(const std::byte* state) const;
  void check_symmetry(int symmetry) const;
  void refuse_if_flawed(const std::byte* state, std::string problem) const;
  void check_move_number(Move move) const;

  std::string name_;
  std::string parameters_;
  std::unique_ptr<const Rules> rules_;
  std::size_t state_size_, packed_size_, encoded_size_;
};

}  // namespace athenan
