// The memory of a match of Go that superko reads: the boards that have occurred, as hashes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/bitboard.h"
#include "base/random.h"

namespace athenan::go_board {

// A record is the hash of a board with something else in its lowest bits: a move or a player.
constexpr std::uint64_t low_bits = 511;
constexpr std::uint64_t hash_in(std::uint64_t record) { return record & ~low_bits; }
constexpr std::uint32_t rest_of(std::uint64_t record) { return record & low_bits; }

// The hash of a board is the exclusive or of one word per stone.
class BoardHash {
 public:
  explicit BoardHash(int points) {
    std::uint64_t seed = 0;
    for (auto& words : words_)
      for (int point = 0; point < points; ++point) words.push_back(hash_in(splitmix64(seed)));
  }

  std::uint64_t of(int player, int point) const { return words_[player][point]; }
  template <int Words>
  std::uint64_t of(int player, const Bitboard<Words>& stones) const {
    std::uint64_t hash = 0;
    stones.for_each([&](int point) { hash ^= words_[player][point]; });
    return hash;
  }

 private:
  std::array<std::vector<std::uint64_t>, 2> words_;
};

// Boards by twelve bits of their hashes: what it has not seen is new for certain.
class BoardFilter {
 public:
  void add(std::uint64_t hash) { bits_[hash >> 58] |= bit(hash); }
  bool may_contain(std::uint64_t hash) const { return bits_[hash >> 58] & bit(hash); }

 private:
  static std::uint64_t bit(std::uint64_t hash) { return std::uint64_t{1} << (hash >> 52 & 63); }
  std::array<std::uint64_t, 64> bits_{};
};

// Where the match began and what was played since; how many moves that are, the state knows.
template <int Words, int max_moves>
struct History {
  std::array<Bitboard<Words>, 2> start{};        // the stones of both players
  std::uint64_t start_record = 0;                // their hash and the player to move
  std::array<std::uint64_t, max_moves> moves{};  // each with the hash of the board after it

  std::uint64_t hash(int plies) const { return hash_in(plies ? moves[plies - 1] : start_record); }

  bool occurred(std::uint64_t board, int plies) const {
    const auto same = [=](std::uint64_t record) { return hash_in(record) == board; };
    return same(start_record) || std::any_of(moves.begin(), moves.begin() + plies, same);
  }
  BoardFilter seen(int plies) const {
    BoardFilter seen;
    seen.add(start_record);
    for (int ply = 0; ply < plies; ++ply) seen.add(moves[ply]);
    return seen;
  }
};

}  // namespace athenan::go_board
