// A board of Go for random matches. Chains are linked lists that count their liberties as they go,
// so that a move costs about the same on every size; go_board.h has the sets that a search needs.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.h"
#include "games/go_history.h"

namespace athenan::go_board {

// Where the points of a board lie in rows with a border point between them, and a row of border
// points at each end: there every point has four neighbours.
struct Frame {
  static constexpr int max_places = 21 * 20 + 1;

  explicit Frame(int size) : stride(size + 1) {
    for (int row = 1; row <= size; ++row)
      for (int column = 1; column <= size; ++column) {
        const int place = row * stride + column;
        point_of[place] = static_cast<std::uint16_t>(place_of.size());
        place_of.push_back(static_cast<std::uint16_t>(place));
      }
  }

  int stride;
  std::vector<std::uint16_t> place_of;
  std::array<std::uint16_t, max_places> point_of{};
};

class LinkedBoard {
 public:
  template <class Points>
  LinkedBoard(const Frame& frame, const BoardHash& words, const std::array<Points, 2>& stones)
      : frame_(frame), words_(words) {
    owner_.fill(border);
    for (const int place : frame.place_of) clear(place);
    // Part of a board where all chains have liberties is such a board too: nothing is captured.
    for (int player : {0, 1})
      stones[player].for_each(
          [&](int point) { put(point, player, [](int, std::uint64_t) { return true; }); });
  }

  template <class Points>
  std::array<Points, 2> stones() const {
    std::array<Points, 2> stones{};
    for (const int place : frame_.place_of)
      if (owner_[place] != nobody) stones[owner_[place]].set(frame_.point_of[place]);
    return stones;
  }

  std::uint64_t hash() const { return hash_; }
  // The point of a stone that was captured alone by a stone that now could be, or -1.
  int ko() const { return ko_; }

  // Draws among the empty points and the pass until a move is legal, which is uniform over the
  // legal moves. Returns the point, or -1 for the pass.
  template <class Allowed>
  int put_at_random(int player, Random& random, Allowed&& allowed) {
    while (true) {
      const std::uint32_t k = random.below(empty_count_ + 1);
      if (k == empty_count_) return -1;
      const int point = frame_.point_of[empties_[k]];
      if (put(point, player, allowed)) return point;
    }
  }

  // Puts a stone if it has a liberty once it has captured, and if `allowed` says so of the point
  // and the hash of the board after it. Returns whether it did.
  template <class Allowed>
  bool put(int point, int player, Allowed&& allowed) {
    const int at = frame_.place_of[point];
    const std::array<int, 4> near = beside(at);
    // Only a chain without liberties has a count of zero, though a liberty counts once for each
    // stone that it touches.
    for (const int n : near) --liberties_[chain_[n]];
    std::array<int, 4> captured;
    int captures = 0, own_liberties = 0;
    bool breathes = false;
    const std::uint64_t word = words_.of(player, point);
    std::uint64_t hash = hash_ ^ word;
    for (const int n : near) {
      const int owner = owner_[n], chain = chain_[n];
      if (owner == nobody) {
        ++own_liberties;
        breathes = true;
      } else if (owner == player) {
        breathes |= liberties_[chain] > 0;
      } else if (owner != border && liberties_[chain] == 0 &&
                 !contains(captured, captures, chain)) {
        captured[captures++] = chain;
        hash ^= hashes_[chain];
      }
    }
    if (!(breathes || captures > 0) || !allowed(point, hash)) {
      for (const int n : near) ++liberties_[chain_[n]];
      return false;
    }
    hash_ = hash;
    occupy(at, player, own_liberties, word);
    for (const int n : near)
      if (owner_[n] == player && chain_[n] != chain_[at]) join(chain_[n], chain_[at]);
    ko_ = -1;
    if (captures > 0) remove(captured, captures, chain_[at]);
    return true;
  }

 private:
  // Owners besides the players 0 and 1. Their points belong to chain 0, which is none.
  static constexpr std::uint8_t nobody = 2, border = 3;

  std::array<int, 4> beside(int at) const {
    return {at - frame_.stride, at - 1, at + 1, at + frame_.stride};
  }

  static bool contains(const std::array<int, 4>& chains, int count, int chain) {
    for (int i = 0; i < count; ++i)
      if (chains[i] == chain) return true;
    return false;
  }

  void clear(int at) {
    owner_[at] = nobody;
    chain_[at] = 0;
    index_[at] = static_cast<std::uint16_t>(empty_count_);
    empties_[empty_count_++] = static_cast<std::uint16_t>(at);
  }

  void occupy(int at, int player, int liberties, std::uint64_t word) {
    const std::uint16_t last = empties_[--empty_count_];
    empties_[index_[at]] = last;
    index_[last] = index_[at];
    owner_[at] = static_cast<std::uint8_t>(player);
    chain_[at] = next_[at] = static_cast<std::uint16_t>(at);
    liberties_[at] = static_cast<std::int16_t>(liberties);
    stones_[at] = 1;
    hashes_[at] = word;
  }

  // The larger of two chains takes the other in.
  void join(int a, int b) {
    if (stones_[a] < stones_[b]) std::swap(a, b);
    int stone = b;
    do {
      chain_[stone] = static_cast<std::uint16_t>(a);
      stone = next_[stone];
    } while (stone != b);
    std::swap(next_[a], next_[b]);
    liberties_[a] += liberties_[b];
    stones_[a] += stones_[b];
    hashes_[a] ^= hashes_[b];
  }

  void remove(const std::array<int, 4>& captured, int captures, int captor) {
    for (int i = 0; i < captures; ++i) {
      int stone = captured[i];
      do {
        clear(stone);
        for (const int n : beside(stone)) ++liberties_[chain_[n]];
        stone = next_[stone];
      } while (stone != captured[i]);
    }
    if (captures == 1 && stones_[captured[0]] == 1 && stones_[captor] == 1 &&
        liberties_[captor] == 1)
      ko_ = frame_.point_of[captured[0]];
  }

  const Frame& frame_;
  const BoardHash& words_;
  std::uint64_t hash_ = 0;
  int ko_ = -1;
  std::uint32_t empty_count_ = 0;
  std::array<std::uint16_t, 19 * 19> empties_;
  std::array<std::uint8_t, Frame::max_places> owner_;
  std::array<std::uint16_t, Frame::max_places> index_;  // of an empty point among the empty ones
  std::array<std::uint16_t, Frame::max_places>
      chain_{};                                        // of a stone: one of the stones of its chain
  std::array<std::uint16_t, Frame::max_places> next_;  // of a stone: round the stones of its chain
  // Of a chain, by that stone:
  std::array<std::int16_t, Frame::max_places> liberties_{}, stones_;
  std::array<std::uint64_t, Frame::max_places> hashes_;
};

}  // namespace athenan::go_board
