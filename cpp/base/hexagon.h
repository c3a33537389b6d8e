// A board of hexagonal cells in the shape of a regular hexagon, as Havannah has it.
//
// Lines of cells run in three directions; two of them are the rows, from the top, and the columns.
// Both are counted from 0 to 2 * side - 2, and there is a cell (row, column) wherever they differ
// by less than `side`. It touches the cells one row or one column away and the two that are one
// row and one column further or nearer. Cells are numbered row by row.
#pragma once

#include <array>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/grid.h"

namespace athenan {

class Hexagon {
 public:
  static constexpr int nowhere = -1;

  explicit Hexagon(int side) : side_(side), index_(lines() * lines(), nowhere) {
    for (int row = 0; row < lines(); ++row)
      for (int column = 0; column < lines(); ++column)
        if (std::abs(row - column) < side) {
          index_[row * lines() + column] = static_cast<int>(places_.size());
          places_.push_back({row, column});
        }
  }

  static constexpr int cells(int side) { return 3 * side * (side - 1) + 1; }
  static constexpr int lines(int side) { return 2 * side - 1; }  // rows, and as many columns
  int side() const { return side_; }
  int cells() const { return cells(side_); }
  int lines() const { return lines(side_); }

  Cell place(int cell) const { return places_[cell]; }
  int row(int cell) const { return places_[cell].row; }
  int column(int cell) const { return places_[cell].column; }
  // Nowhere if there is no such cell.
  int at(int row, int column) const {
    const bool inside = row >= 0 && row < lines() && column >= 0 && column < lines();
    return inside ? index_[row * lines() + column] : nowhere;
  }
  // The cells around a cell in clockwise order, nowhere beyond the edge.
  std::array<int, 6> neighbours(int cell) const {
    std::array<int, 6> out;
    for (int d = 0; d < 6; ++d)
      out[d] = at(row(cell) + directions[d][0], column(cell) + directions[d][1]);
    return out;
  }
  // The corners and the sides are numbered from 0 to 5 around the board; a corner lies on no side.
  // A corner has three neighbours and a cell on a side four. Of those that are missing, clockwise,
  // the first tells which one it is.
  int corner_of(int cell) const {
    const auto around = neighbours(cell);
    for (int d = 0; d < 6; ++d)
      if (around[d] == nowhere && around[(d + 1) % 6] == nowhere && around[(d + 2) % 6] == nowhere)
        return d;
    return nowhere;
  }
  int side_of(int cell) const {
    if (corner_of(cell) != nowhere) return nowhere;
    const auto around = neighbours(cell);
    for (int d = 0; d < 6; ++d)
      if (around[d] == nowhere && around[(d + 1) % 6] == nowhere) return d;
    return nowhere;
  }

  // "c4": the column letter, then the row number, from 1.
  std::string name(int cell) const {
    return static_cast<char>('a' + column(cell)) + std::to_string(row(cell) + 1);
  }
  // How many cells each row has, for rows_text and parse_rows.
  std::vector<int> row_lengths() const {
    std::vector<int> lengths(lines());
    for (const Cell& place : places_) ++lengths[place.row];
    return lengths;
  }
  // A board for people: the numbers of rows on the left, the letters of columns at their upper end.
  // The longest row begins at the left; each row above or below it is half a cell shorter there.
  // Columns run down to the left, so that their letters stand at the upper right end, where a wider
  // space keeps them from being read as symbols.
  std::string drawing(const std::function<char(int)>& symbol) const {
    const auto letter = [](int column) { return static_cast<char>('a' + column); };
    std::string out(side_ + 2, ' ');
    for (int column = 0; column < side_; ++column) (out += ' ') += letter(column);
    int cell = 0;
    for (int row = 0; row < lines(); ++row) {
      const std::string label = std::to_string(row + 1);
      out += '\n' + std::string(std::abs(row - side_ + 1) + 2 - label.size(), ' ') + label;
      for (; cell < cells() && this->row(cell) == row; ++cell) (out += ' ') += symbol(cell);
      if (row < side_ - 1) (out += "  ") += letter(side_ + row);
    }
    return out + '\n';
  }
  // The six rotations and the six reflections; symmetry 0 is the identity.
  std::vector<CellMap> symmetries() const {
    std::vector<CellMap> maps;
    for (const bool reflected : {false, true})
      for (int turns = 0; turns < 6; ++turns) {
        CellMap map;
        for (const Cell& place : places_) {
          // Seen from the centre a turn by 60 degrees takes each direction to the next one.
          int row = place.row - (side_ - 1), column = place.column - (side_ - 1);
          for (int i = 0; i < turns; ++i) row = std::exchange(column, column - row);
          if (reflected) std::swap(row, column);
          map.push_back(static_cast<std::uint16_t>(at(row + side_ - 1, column + side_ - 1)));
        }
        maps.push_back(map);
      }
    return maps;
  }

 private:
  // The (row, column) steps to the neighbours, clockwise from the upper left.
  static constexpr std::array<std::array<int, 2>, 6> directions{
      {{-1, -1}, {-1, 0}, {0, 1}, {1, 1}, {1, 0}, {0, -1}}};

  int side_;
  std::vector<Cell> places_;
  std::vector<int> index_;  // of the cell, by row and column
};

}  // namespace athenan
