// What the games of draughts have in common whatever the size of the board: its geometry, and
// captures by the rule of the majority.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <tuple>
#include <utility>
#include <vector>

#include "base/bitboard.h"

namespace athenan::draughts_board {

// Directions: up-left, up-right, down-left, down-right. The first player moves up.
constexpr int direction_count = 4;
constexpr std::array<std::array<int, 2>, 2> forward{{{0, 1}, {2, 3}}};
constexpr int off_board = -1;

// The dark squares are numbered from 0 along the rows, from the top; PDN counts them from 1. In a
// bitboard one bit is left out after every two rows: so the neighbour in a direction is always the
// same number of bits away, and a step across an edge ends on a bit left out or beyond the ends.
template <int Size>
struct Geometry {
  static_assert(Size % 2 == 0);
  static constexpr int per_row = Size / 2;
  static constexpr int square_count = Size * per_row;
  static constexpr int bit_count = square_count + per_row;
  using Board = Bitboard<(bit_count + 63) / 64>;

  static constexpr std::array<int, direction_count> steps{-per_row - 1, -per_row, per_row,
                                                          per_row + 1};
  static constexpr int bit_of(int square) { return square + square / Size; }
  static constexpr int square_of(int bit) { return bit - bit / (Size + 1); }
  static constexpr int row_of(int bit) { return square_of(bit) / per_row; }
  static constexpr int column_of(int bit) {
    return 2 * (square_of(bit) % per_row) + 1 - row_of(bit) % 2;
  }

  static constexpr Board squares = [] {
    Board all;
    for (int square = 0; square < square_count; ++square) all.set(bit_of(square));
    return all;
  }();
  // Where the men of each player become kings.
  static constexpr std::array<Board, 2> far_rows = [] {
    std::array<Board, 2> out{};
    for (int square = 0; square < per_row; ++square) {
      out[0].set(bit_of(square));
      out[1].set(bit_of(square_count - 1 - square));
    }
    return out;
  }();
  static constexpr auto neighbours = [] {
    std::array<std::array<std::int8_t, bit_count>, direction_count> out{};
    for (int d = 0; d < direction_count; ++d)
      for (int bit = 0; bit < bit_count; ++bit) {
        const int to = bit + steps[d];
        const bool there = to >= 0 && to < bit_count && squares.test(to);
        out[d][bit] = static_cast<std::int8_t>(there ? to : off_board);
      }
    return out;
  }();
};

// What a capture does. The way there is left out: ways with the same ends and the same captured
// pieces are one move.
template <int Size>
struct Capture {
  typename Geometry<Size>::Board taken{};
  std::int8_t from = 0, to = 0;

  friend bool operator<(const Capture& a, const Capture& b) {
    return std::tie(a.from, a.to, a.taken.words) < std::tie(b.from, b.to, b.taken.words);
  }
  friend bool operator==(const Capture&, const Capture&) = default;
};

// Who stands where, for the player who captures. `others` are the pieces that can be taken.
template <int Size>
struct Sides {
  typename Geometry<Size>::Board own{}, kings{}, others{};  // kings: the own ones

  typename Geometry<Size>::Board empty() const { return Geometry<Size>::squares & ~(own | others); }
  // The own pieces with a piece to take beside them and an empty square behind it.
  typename Geometry<Size>::Board jumpers() const {
    const auto free = empty();
    typename Geometry<Size>::Board out{};
    for (const int step : Geometry<Size>::steps)
      out |= own & others.shifted(-step) & free.shifted(-2 * step);
    return out;
  }
};

// Calls f(landing square, captured square) for each jump that continues a capture. Captured pieces
// stay until the end of the turn: they bar the way and cannot be taken again. The square that the
// piece came from is empty.
template <int Size, class F>
void for_each_jump(const Sides<Size>& sides, const Capture<Size>& so_far, F&& f) {
  const auto& neighbours = Geometry<Size>::neighbours;
  auto free = sides.empty();
  free.set(so_far.from);
  const auto targets = sides.others & ~so_far.taken;
  const bool flies = sides.kings.test(so_far.from);
  for (const auto& next : neighbours) {
    int victim = next[so_far.to];
    while (flies && victim != off_board && free.test(victim)) victim = next[victim];
    if (victim == off_board || !targets.test(victim)) continue;
    int landing = next[victim];
    while (landing != off_board && free.test(landing)) {
      f(landing, victim);
      landing = flies ? next[landing] : off_board;
    }
  }
}

// The first way in the order of squares from `so_far` to the goal: the captured square and the
// landing square of each jump in turn.
template <int Size>
bool find_way(const Sides<Size>& sides, const Capture<Size>& so_far, const Capture<Size>& goal,
              std::vector<int>& way) {
  if (so_far.taken == goal.taken) return so_far.to == goal.to;
  std::vector<Capture<Size>> next;
  for_each_jump(sides, so_far, [&](int landing, int victim) {
    if (!goal.taken.test(victim)) return;
    next.push_back({so_far.taken, so_far.from, static_cast<std::int8_t>(landing)});
    next.back().taken.set(victim);
  });
  std::sort(next.begin(), next.end());
  const std::size_t length = way.size();
  for (const Capture<Size>& longer : next) {
    way.push_back((longer.taken & ~so_far.taken).first());
    way.push_back(longer.to);
    if (find_way(sides, longer, goal, way)) return true;
    way.resize(length);
  }
  return false;
}

// The longest captures of the given pieces, each one once, in order. They are found jump by jump,
// for all pieces together: when nothing can jump once more, those found last are the longest.
// Ways that meet are merged on the way, since there can be very many.
template <int Size>
class LongestCaptures {
 public:
  LongestCaptures(const Sides<Size>& sides, const typename Geometry<Size>::Board& movers) {
    found_.reserve(usual);
    next_.reserve(usual);
    movers.for_each([&](int bit) {
      found_.push_back({{}, static_cast<std::int8_t>(bit), static_cast<std::int8_t>(bit)});
    });
    for (bool first = true;; first = false) {
      next_.clear();
      for (const Capture<Size>& so_far : found_)
        for_each_jump(sides, so_far, [&](int landing, int victim) {
          next_.push_back({so_far.taken, so_far.from, static_cast<std::int8_t>(landing)});
          next_.back().taken.set(victim);
        });
      if (next_.empty()) {
        if (first) found_.clear();
        return;
      }
      std::swap(found_, next_);
      std::sort(found_.begin(), found_.end());
      found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    }
  }
  LongestCaptures(const LongestCaptures&) = delete;

  bool empty() const { return found_.empty(); }
  auto begin() const { return found_.begin(); }
  auto end() const { return found_.end(); }

 private:
  static constexpr std::size_t usual = 32;
  // Room for what happens in matches; the heap has more.
  alignas(8) std::array<std::byte, 4 * usual * sizeof(Capture<Size>)> room_;
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::vector<Capture<Size>> found_{&memory_}, next_{&memory_};
};

}  // namespace athenan::draughts_board
