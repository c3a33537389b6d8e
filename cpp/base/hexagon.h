// A board of hexagonal cells in the shape of a regular hexagon, as Havannah has it.
//
// Lines of cells run in three directions; two of them are the rows, from the top, and the columns.
// Both are counted from 0 to 2 * side - 2, and there is a cell (row, column) wherever they differ
// by less than `side`. It touches the cells one row or one column away and the two that are one
// row and one column further or nearer. Cells are numbered row by row.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "base/grid.h"

namespace athenan {

class Hexagon {
 public:
  static constexpr int nowhere = -1;

  explicit Hexagon(int side);

  static constexpr int cells(int side) { return 3 * side * (side - 1) + 1; }
  static constexpr int lines(int side) { return 2 * side - 1; }  // rows, and as many columns
  int side() const { return side_; }
  int cells() const { return cells(side_); }
  int lines() const { return lines(side_); }

  Cell place(int cell) const { return places_[cell]; }
  int row(int cell) const { return places_[cell].row; }
  int column(int cell) const { return places_[cell].column; }
  int at(int row, int column) const;  // nowhere if there is no such cell
  // The cells around a cell in clockwise order, nowhere beyond the edge.
  std::array<int, 6> neighbours(int cell) const;
  // The corners and the sides are numbered from 0 to 5 around the board; a corner lies on no side.
  int corner_of(int cell) const;  // nowhere if it is not a corner
  int side_of(int cell) const;    // nowhere if it does not lie on a side

  // "c4": the column letter, then the row number, from 1.
  std::string name(int cell) const;
  // How many cells each row has, for rows_text and parse_rows.
  std::vector<int> row_lengths() const;
  // A board for people: the numbers of rows on the left, the letters of columns at their upper end.
  std::string drawing(const std::function<char(int)>& symbol) const;
  // The six rotations and the six reflections; symmetry 0 is the identity.
  std::vector<CellMap> symmetries() const;

 private:
  int side_;
  std::vector<Cell> places_;
  std::vector<int> index_;  // of the cell, by row and column
};

}  // namespace athenan
