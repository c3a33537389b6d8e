// Work over many states at once, on threads.
#pragma once

#include <cstdint>

#include "base/stop.h"
#include "games/game.h"

namespace athenan {

// Work that may take long ends with the exception Stopped soon after `stop`, if any, was requested.

// The number of sequences of exactly `depth` moves; a match that ends earlier contributes nothing.
std::uint64_t perft(const Game& game, const std::byte* state, int depth, int threads,
                    const Stop* stop = nullptr);

// The outcomes of uniformly random matches from one state. The result depends on the seed alone,
// never on the number of threads.
struct PlayoutTally {
  std::uint64_t first_wins = 0, draws = 0, second_wins = 0;
  std::uint64_t plies = 0;
};
PlayoutTally random_playouts(const Game& game, const std::byte* state, std::uint64_t count,
                             std::uint64_t seed, int threads, const Stop* stop = nullptr);

// The legal moves of some states with their geometry, in CSR form: what an evaluator gives one
// number each for.
struct LegalMoves {
  static constexpr int path_cells = 4;  // of a longer path the first three and the last

  std::vector<std::int64_t> offsets{0};  // the moves of state i are offsets[i]..offsets[i + 1]
  MoveList numbers;
  std::vector<std::uint8_t> kinds;
  std::vector<std::int16_t> cells;  // path_cells each: places in the encoded planes, -1 for none

  void clear();
  void add_state(const Game& game, const std::byte* state);
  // A state of which no moves are asked for.
  void add_none() { offsets.push_back(offsets.back()); }
  void append(const LegalMoves& others);

 private:
  MoveList legal_;
  MovePath path_;
};

// Encodes `count` states, `stride` bytes apart, into [count, planes, rows, columns].
void encode_many(const Game& game, const std::byte* states, std::size_t count, std::size_t stride,
                 std::int8_t* out, int threads);

// Packed states may come from anywhere: those that are none of the game are refused with
// PositionError, by each of the following three.
void check_packed(const Game& game, const std::byte* packed, std::size_t count, int threads);

// Encodes the states at `rows` of a table of packed states: what a minibatch is made of.
// Throws Error for a row that the table, of so many states, has not.
void encode_rows(const Game& game, const std::byte* packed, std::size_t states,
                 const std::int64_t* rows, std::size_t count, std::int8_t* out, int threads);

// The image of each of `count` packed states under its own symmetry, packed too.
void transform_many(const Game& game, const std::byte* packed, const std::uint8_t* symmetries,
                    std::size_t count, std::byte* out, int threads);

// Some moves of each of `count` packed states, in CSR form: those of state i are
// numbers[offsets[i]..offsets[i + 1]]. A number that is no legal move of its state, as far as a
// state without its history tells, is refused with IllegalMoveError, by each of the following two.
struct MoveRange {
  const std::int64_t* offsets;
  const Move* numbers;
};

// The image of each move under the symmetry of its state.
void transform_moves(const Game& game, const std::byte* packed, std::size_t count, MoveRange moves,
                     const std::uint8_t* symmetries, Move* out, int threads);

// The kind of each move, and the LegalMoves::path_cells cells that it touches; of the packed states
// at `rows` of a table of so many states.
void describe_moves(const Game& game, const std::byte* packed, std::size_t states,
                    const std::int64_t* rows, std::size_t count, MoveRange moves,
                    std::uint8_t* kinds, std::int16_t* cells, int threads);

// Expands each of `count` states and appends all moves and children in the order of the states.
struct Expansions {
  std::vector<std::size_t> offsets;  // count + 1: the children of state i are offsets[i]..[i+1]
  MoveList moves;
  std::vector<std::byte> children;
  std::vector<Result> results;
  std::vector<std::uint64_t> keys;
};
Expansions expand_many(const Game& game, const std::byte* states, std::size_t count,
                       std::size_t stride, int threads);

// Expands each of `count` states and keeps nothing: what the rules alone cost. Returns the number
// of children.
std::uint64_t count_children(const Game& game, const std::byte* states, std::size_t count,
                             std::size_t stride);

}  // namespace athenan
