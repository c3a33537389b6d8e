// The stones of Go as sets of points: chains, liberties, captures, areas. What is legal beyond
// that, and when a match is over, is in go.cpp.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/bitboard.h"

namespace athenan::go_board {

template <int Words>
struct Stones {
  using Points = Bitboard<Words>;

  std::array<Points, 2> of{};  // the first and the second player
  Points atari{};              // those of both whose chain has a single liberty

  Points all() const { return of[0] | of[1]; }
  friend bool operator==(const Stones&, const Stones&) = default;
};

// A square board of any size that fits into so many words. Keeping `atari` up to date makes
// captures and suicides a matter of the neighbouring points: a chain beside an empty point dies by
// a stone there iff it is in atari.
template <int Words>
class Board {
 public:
  using Points = Bitboard<Words>;
  using Stones = go_board::Stones<Words>;

  explicit Board(int size) : size_(size) {
    for (int point = 0; point < size * size; ++point) {
      points_.set(point);
      if (point % size > 0) not_left_.set(point);
      if (point % size < size - 1) not_right_.set(point);
    }
    points_.for_each([&](int point) { beside_.push_back(around(Points::cell(point)) & points_); });
  }

  Points empty(const Stones& stones) const { return points_ & ~stones.all(); }

  // The points where a stone of this player would have a liberty, after its captures.
  Points breathing(const Stones& stones, int player) const {
    const Points free = empty(stones);
    return free & around(free | (stones.of[player] & ~stones.atari) |
                         (stones.of[player ^ 1] & stones.atari));
  }

  // The stones that a stone of this player at an empty point captures.
  Points captures(const Stones& stones, int point, int player) const {
    const Points doomed = stones.of[player ^ 1] & stones.atari;
    return connected(beside_[point] & doomed, doomed);
  }

  // Puts a stone where it has a liberty once the given captures are removed. Returns whether the
  // stone could be captured alone by the next move.
  bool put(Stones& stones, int point, int player, const Points& captured) const {
    Points &own = stones.of[player], &other = stones.of[player ^ 1];
    Points near = beside_[point];
    if (captured.any()) {
      other ^= captured;
      stones.atari ^= captured;
      near |= around(captured);
    }
    // Own chains beside the removed stones have gained a liberty; those beside the new stone are
    // now one chain with it.
    const Points endangered = own & stones.atari;
    if (const Points helped = near & endangered; helped.any())
      stones.atari ^= connected(helped, endangered);
    own.set(point);
    const Points free = empty(stones);
    const bool in_atari = find_atari(stones, Points::cell(point), own, free);
    (beside_[point] & other).for_each([&](int enemy) {
      find_atari(stones, Points::cell(enemy), other, free);
    });
    return in_atari && (beside_[point] & own).none();
  }

  // Derives `atari`; returns false if there is a chain without a liberty.
  bool survey(Stones& stones) const {
    stones.atari = {};
    const Points free = empty(stones);
    for (const Points& own : stones.of)
      for (Points rest = own; rest.any();) {
        const Points chain = connected(Points::cell(rest.first()), rest);
        const int liberties = (around(chain) & free).count();
        if (liberties == 0) return false;
        if (liberties == 1) stones.atari |= chain;
        rest ^= chain;
      }
    return true;
  }

  // The first player's stones and the empty points from which only they are reached, less those of
  // the second player.
  int area_lead(const Stones& stones) const {
    const Points free = empty(stones);
    const auto reached_from = [&](const Points& own) {
      return connected(around(own) & free, free);
    };
    const Points first = reached_from(stones.of[0]), second = reached_from(stones.of[1]);
    return (stones.of[0] | (first & ~second)).count() - (stones.of[1] | (second & ~first)).count();
  }

  // Would a stone of this player at this point take a single stone and could be taken back alone?
  bool is_ko(const Stones& stones, int point, int player) const {
    if (point >= size_ * size_ || !breathing(stones, player).test(point)) return false;
    const Points captured = captures(stones, point, player);
    Stones after = stones;
    return put(after, point, player, captured) && captured.count() == 1;
  }

  std::string flaw(const std::array<Points, 2>& stones) const {
    if ((stones[0] & stones[1]).any() || ((stones[0] | stones[1]) & ~points_).any())
      return "stones overlap or lie outside the board";
    Stones surveyed{stones, {}};
    return survey(surveyed) ? "" : "a chain has no liberty";
  }

 private:
  // The points that touch some of the given ones, and possibly points outside the board.
  Points around(const Points& points) const {
    const int row = size_ & 63;  // tells the compiler that the shift is shorter than a word
    return (points & not_right_).shifted_up(1) | (points & not_left_).shifted_down(1) |
           points.shifted_up(row) | points.shifted_down(row);
  }

  // The points of `own` that are connected to those of `fresh`, a part of `own`.
  Points connected(Points fresh, const Points& own) const {
    Points rest = own;
    while (fresh.any()) {
      rest ^= fresh;
      fresh = around(fresh) & rest;
    }
    return own ^ rest;
  }

  // Marks the chain of a stone if it has a single liberty. Stops at a second one, which most chains
  // have close by.
  bool find_atari(Stones& stones, const Points& stone, const Points& own,
                  const Points& free) const {
    Points chain = stone, fresh = stone, liberties;
    while (fresh.any()) {
      const Points near = around(fresh);
      liberties |= near & free;
      if (liberties.count() > 1) return false;
      fresh = near & own & ~chain;
      chain |= fresh;
    }
    stones.atari |= chain;
    return true;
  }

  int size_;
  Points points_, not_left_, not_right_;
  std::vector<Points> beside_;
};

}  // namespace athenan::go_board
