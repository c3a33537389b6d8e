// A board of Amazons as rows, columns and diagonals, for random matches: how far a queen can go is
// a look-up for each of the four lines through her cell.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace athenan {

class QueenLines {
 public:
  // An empty board.
  explicit QueenLines(int size) : steps_{1, size, size + 1, size - 1} {
    taken_.fill((1 << longest) - 1);
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) {
        const int cell = row * size + column;
        places_[cell] = {place(row, column), place(size + column, row),
                         place(3 * size - 1 + row - column, std::min(row, column)),
                         place(4 * size - 1 + row + column, std::min(row, size - 1 - column))};
        flip(cell);
      }
  }

  // Takes a free cell, frees a taken one.
  void flip(int cell) {
    for (const Place& place : places_[cell]) taken_[place.line] ^= 1 << place.position;
  }
  // What a queen on the cell can reach: a byte of `runs` for each of her four lines.
  std::uint32_t room(int cell) const {
    std::uint32_t out = 0;
    for (int k = 0; k < 4; ++k) {
      const Place& place = places_[cell][k];
      out |= std::uint32_t{runs[place.position][taken_[place.line]]} << 8 * k;
    }
    return out;
  }
  static int count(std::uint32_t room) {
    return ((room & 0x0f0f0f0f) + (room >> 4 & 0x0f0f0f0f)) * 0x01010101u >> 24;
  }
  // The n-th cell that she can reach, n < count(room).
  int nth(int cell, std::uint32_t room, int n) const {
    for (const int step : steps_) {
      const int before = room & 15, after = room >> 4 & 15;
      if (n < before) return cell - (n + 1) * step;
      n -= before;
      if (n < after) return cell + (n + 1) * step;
      n -= after;
      room >>= 8;
    }
    return cell;
  }

 private:
  static constexpr int longest = 10;
  // Along a line, some cells of which are taken, as are those beyond its end: the numbers of free
  // cells in a row just before position p (low four bits) and just after it (high four bits).
  static constexpr auto runs = [] {
    std::array<std::array<std::uint8_t, 1 << longest>, longest> table{};
    for (int p = 0; p < longest; ++p)
      for (int taken = 0; taken < 1 << longest; ++taken) {
        int before = 0, after = 0;
        while (p - before > 0 && !(taken >> (p - before - 1) & 1)) ++before;
        while (p + after + 1 < longest && !(taken >> (p + after + 1) & 1)) ++after;
        table[p][taken] = static_cast<std::uint8_t>(before | after << 4);
      }
    return table;
  }();
  struct Place {
    std::uint8_t line, position;
  };
  static Place place(int line, int position) {
    return {static_cast<std::uint8_t>(line), static_cast<std::uint8_t>(position)};
  }

  std::array<int, 4> steps_;
  std::array<std::array<Place, 4>, longest * longest> places_{};
  std::array<std::uint16_t, 6 * longest> taken_{};
};

}  // namespace athenan
