// Texts of boards whose cells are empty or hold a stone of one of the two players: "3/1x1/3 o".
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bitboard.h"
#include "base/grid.h"

namespace athenan {

// The stones of each player are a set: a Bitboard, or a number with a bit for each cell.
struct StoneTexts {
  std::string game;              // its name, for messages
  std::vector<int> row_lengths;  // of the board
  std::string symbols = "xo";    // for the stones of the first and of the second player
  std::string sides = "xo";      // for the player to move
  CellMap bit_of = {};           // where the sets hold a cell; empty: at its own number

  // The symbol of each cell, '.' where it is empty, for as long as the sets exist.
  template <class Set>
  std::function<char(int)> symbols_of(const std::array<Set, 2>& stones) const {
    return [this, &stones](int cell) {
      return has(stones[0], bit(cell)) ? symbols[0] : has(stones[1], bit(cell)) ? symbols[1] : '.';
    };
  }

  // "<rows> <side>".
  template <class Set>
  std::string position(const std::array<Set, 2>& stones, int to_move) const {
    return rows_text(row_lengths, symbols_of(stones)) + ' ' + sides[to_move];
  }

  // The inverse: adds the stones to empty sets and returns the player to move. Throws
  // PositionError.
  template <class Set>
  std::uint8_t parse(std::string_view text, std::array<Set, 2>& stones) const {
    const auto [cells, to_move] = read(text);
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
      if (cells[cell] != '.') put(stones[cells[cell] == symbols[1]], bit(static_cast<int>(cell)));
    return to_move;
  }

 private:
  // One symbol per cell, and the player to move.
  std::pair<std::string, std::uint8_t> read(std::string_view text) const;

  int bit(int cell) const { return bit_of.empty() ? cell : bit_of[cell]; }
  template <class Set>
  static bool has(const Set& set, int bit) {
    if constexpr (std::integral<Set>)
      return set >> bit & 1;
    else
      return set.test(bit);
  }
  template <class Set>
  static void put(Set& set, int bit) {
    if constexpr (std::integral<Set>)
      set |= Set{1} << bit;
    else
      set.set(bit);
  }
};

// Writes a plane for the stones of each player and one for the player to move.
template <int Words>
void encode_stones(const std::array<Bitboard<Words>, 2>& stones, int to_move, int cells,
                   std::int8_t* planes) {
  for (int cell = 0; cell < cells; ++cell) {
    planes[cell] = stones[0].test(cell);
    planes[cells + cell] = stones[1].test(cell);
    planes[2 * cells + cell] = static_cast<std::int8_t>(to_move);
  }
}

// Do all the stones lie on the board, no two on one cell?
template <int Words>
bool well_placed(const std::array<Bitboard<Words>, 2>& stones, const Bitboard<Words>& board) {
  return (stones[0] & stones[1]).none() && ((stones[0] | stones[1]) & ~board).none();
}

}  // namespace athenan
