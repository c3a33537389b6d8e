#include "base/grid.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace athenan {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "3 rows of 5", or "rows of 3, 4, 5, 4, 3" where they differ.
std::string shape(const std::vector<int>& lengths) {
  if (std::equal(lengths.begin() + 1, lengths.end(), lengths.begin()))
    return std::to_string(lengths.size()) + " rows of " + std::to_string(lengths[0]);
  std::string out = "rows of ";
  for (std::size_t r = 0; r < lengths.size(); ++r)
    out += (r ? ", " : "") + std::to_string(lengths[r]);
  return out;
}

}  // namespace

char Grid::column_letter(int column) const {
  if (column_names == ColumnNames::lower_case) return static_cast<char>('a' + column);
  return static_cast<char>('A' + column + (column >= 'I' - 'A'));
}

std::string Grid::name(int cell) const {
  return column_letter(column(cell)) + std::to_string(row_label(row(cell)));
}

int Grid::cell_named(std::string_view name) const {
  if (name.size() < 2 || (name[1] == '0' && name.size() > 2)) return -1;
  int label = 0;
  const char* end = name.data() + name.size();
  if (const auto read = std::from_chars(name.data() + 1, end, label);
      read.ec != std::errc{} || read.ptr != end)
    return -1;
  const int from_first = label - lowest_label;
  const int row = row_one == RowOne::top ? from_first : rows - 1 - from_first;
  for (int column = 0; column < columns; ++column)
    if (name[0] == column_letter(column)) return contains(row, column) ? at(row, column) : -1;
  return -1;
}

std::string Grid::rows_text(const std::function<char(int)>& symbol) const {
  return athenan::rows_text(row_lengths(), symbol);
}

std::string Grid::parse_rows(std::string_view text, std::string_view symbols) const {
  return athenan::parse_rows(row_lengths(), text, symbols);
}

std::string rows_text(const std::vector<int>& lengths, const std::function<char(int)>& symbol) {
  std::string out;
  int cell = 0;
  for (const int length : lengths) {
    if (cell) out += '/';
    int empty = 0;
    for (const int end = cell + length; cell < end; ++cell) {
      const char s = symbol(cell);
      if (s == '.') {
        ++empty;
        continue;
      }
      if (empty) out += std::to_string(empty);
      empty = 0;
      out += s;
    }
    if (empty) out += std::to_string(empty);
  }
  return out;
}

std::string parse_rows(const std::vector<int>& lengths, std::string_view text,
                       std::string_view symbols) {
  const auto refuse = [&](const std::string& problem) -> void {
    throw PositionError("position " + in_quotes(text) + " " + problem + "; expected " +
                        shape(lengths) + " cells joined by '/', with the symbols " +
                        std::string(symbols) + " and numbers for runs of empty cells");
  };
  std::string cells;
  std::size_t i = 0;
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    if (r) {
      if (i >= text.size() || text[i] != '/')
        refuse("has row " + std::to_string(r) + " ending wrongly");
      ++i;
    }
    const int length = lengths[r];
    int filled = 0;
    while (i < text.size() && text[i] != '/') {
      if (is_digit(text[i])) {
        int run = 0;
        while (i < text.size() && is_digit(text[i]) && run <= length)
          run = 10 * run + (text[i++] - '0');
        if (run == 0 || filled + run > length)
          refuse("has a run of empty cells that does not fit row " + std::to_string(r + 1));
        cells.append(run, '.');
        filled += run;
      } else {
        if (symbols.find(text[i]) == std::string_view::npos)
          refuse("has the symbol " + in_quotes(text.substr(i, 1)));
        if (++filled > length) refuse("has too many cells in row " + std::to_string(r + 1));
        cells += text[i++];
      }
    }
    if (filled != length) refuse("has too few cells in row " + std::to_string(r + 1));
  }
  if (i != text.size()) refuse("has too many rows");
  return cells;
}

std::string Grid::drawing(const std::function<char(int)>& symbol) const {
  const std::size_t width = std::to_string(lowest_label + rows - 1).size();
  std::string out;
  for (int r = 0; r < rows; ++r) {
    const std::string label = std::to_string(row_label(r));
    out += std::string(width - label.size(), ' ') + label;
    for (int c = 0; c < columns; ++c) (out += ' ') += symbol(at(r, c));
    out += '\n';
  }
  out += std::string(width, ' ');
  for (int c = 0; c < columns; ++c) (out += ' ') += column_letter(c);
  return out + '\n';
}

std::vector<CellMap> grid_symmetries(int rows, int columns) {
  const int bottom = rows - 1, right = columns - 1;
  std::vector<CellMap> maps(rows == columns ? 8 : 4, CellMap(rows * columns));
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int cell = r * columns + c;
      const auto to = [&](int k, int row, int column) {
        maps[k][cell] = static_cast<std::uint16_t>(row * columns + column);
      };
      to(0, r, c);
      to(1, bottom - r, right - c);
      to(2, r, right - c);
      to(3, bottom - r, c);
      if (rows != columns) continue;
      to(4, c, r);
      to(5, c, bottom - r);
      to(6, right - c, r);
      to(7, right - c, bottom - r);
    }
  return maps;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t space = text.find(' ');
    words.push_back(text.substr(0, space));
    if (space == std::string_view::npos) return words;
    text = text.substr(space + 1);
  }
}

}  // namespace athenan
