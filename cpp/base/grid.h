// What games on a rectangular board share: cell names, symmetries, board text, drawn boards.
// Cell = row * columns + column; row 0 is the top row as drawn.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace athenan {

// Where row 1 is drawn: at the top (Hex, Othello) or at the bottom (the chess family).
enum class RowOne { top, bottom };

// Columns are named a, b, c, ... or, as on Go boards, A to T without I.
enum class ColumnNames { lower_case, without_i };

// A cell as a row and a column.
struct Cell {
  int row = 0, column = 0;
  bool operator==(const Cell&) const = default;
};

struct Grid {
  int rows = 0;
  int columns = 0;
  RowOne row_one = RowOne::top;
  ColumnNames column_names = ColumnNames::lower_case;
  int lowest_label = 1;  // 0 where the first row is row 0, as in xiangqi

  int cells() const { return rows * columns; }
  int at(int row, int column) const { return row * columns + column; }
  int row(int cell) const { return cell / columns; }
  int column(int cell) const { return cell % columns; }
  bool contains(int row, int column) const {
    return row >= 0 && row < rows && column >= 0 && column < columns;
  }

  // The cells of these numbers, one after the other.
  std::vector<Cell> path(std::integral auto... cells) const {
    return {Cell{row(static_cast<int>(cells)), column(static_cast<int>(cells))}...};
  }

  // "c4": the column letter, then the row number.
  std::string name(int cell) const;
  // The cell of this name, or -1 if there is none.
  int cell_named(std::string_view name) const;
  char column_letter(int column) const;
  // The label of a row as drawn.
  int row_label(int row) const {
    return lowest_label + (row_one == RowOne::top ? row : rows - 1 - row);
  }

  std::vector<int> row_lengths() const { return std::vector<int>(rows, columns); }
  // Rows from the top joined by '/', runs of empty cells as decimal numbers: "1p2pp1p/8/...".
  // `symbol(cell)` returns '.' for an empty cell.
  std::string rows_text(const std::function<char(int)>& symbol) const;
  // The inverse: one char per cell, '.' where empty. Throws PositionError if the text has the
  // wrong number of rows or cells, or a character that is not in `symbols`.
  std::string parse_rows(std::string_view text, std::string_view symbols) const;
  // A board for people: row labels, cells separated by spaces, a line of column letters below.
  std::string drawing(const std::function<char(int)>& symbol) const;
};

// The same for rows of different lengths, whose cells are numbered row after row.
std::string rows_text(const std::vector<int>& lengths, const std::function<char(int)>& symbol);
std::string parse_rows(const std::vector<int>& lengths, std::string_view text,
                       std::string_view symbols);

// The symmetries of a rectangle (4 of them) or of a square (8) as permutations of its cells:
// map[k][cell] is the image of the cell under symmetry k; symmetry 0 is the identity.
// Order: rotations by 0 and 180 degrees, left-right mirror, top-bottom mirror, then for squares the
// transpose, the two quarter turns and the anti-transpose.
using CellMap = std::vector<std::uint16_t>;
std::vector<CellMap> grid_symmetries(int rows, int columns);

// Splits at single spaces: position texts are "<rows> <side> ...".
std::vector<std::string_view> words_of(std::string_view text);

}  // namespace athenan
