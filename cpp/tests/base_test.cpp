// The lowest layer against naive versions of itself.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/bitboard.h"
#include "base/error.h"
#include "base/grid.h"
#include "base/hexagon.h"
#include "base/key_table.h"
#include "base/lines.h"
#include "base/parameters.h"
#include "base/random.h"
#include "tests/check.h"

namespace athenan::testing {
namespace {

template <int Words>
std::vector<int> cells_of(const Bitboard<Words>& board) {
  std::vector<int> cells;
  for (int i = 0; i < 64 * Words; ++i)
    if (board.test(i)) cells.push_back(i);
  return cells;
}

template <int Words>
std::vector<int> moved(const std::vector<int>& cells, int by) {
  std::vector<int> out;
  for (const int cell : cells)
    if (cell + by >= 0 && cell + by < 64 * Words) out.push_back(cell + by);
  return out;
}

template <int Words>
Bitboard<Words> random_board(Random& random) {
  Bitboard<Words> board;
  for (auto& word : board.words) word = random.next() & random.next();
  return board;
}

template <int Words>
void test_bitboard() {
  context = "Bitboard<" + std::to_string(Words) + ">";
  Random random(Words);
  for (int round = 0; round < 50; ++round) {
    const auto board = random_board<Words>(random);
    const auto other = random_board<Words>(random);
    const std::vector<int> cells = cells_of(board);
    CHECK(board.count() == static_cast<int>(cells.size()));
    CHECK(board.any() == !cells.empty() && board.none() == cells.empty());
    if (!cells.empty()) CHECK(board.first() == cells[0]);
    for (std::size_t n = 0; n < cells.size(); ++n)
      CHECK(board.nth(static_cast<int>(n)) == cells[n]);
    std::vector<int> visited;
    board.for_each([&](int cell) { visited.push_back(cell); });
    CHECK(visited == cells);
    for (int by = 1; by < 64 * Words; ++by) {
      CHECK(cells_of(board.shifted_up(by)) == moved<Words>(cells, by));
      CHECK(cells_of(board.shifted_down(by)) == moved<Words>(cells, -by));
      CHECK(board.shifted(-by) == board.shifted_down(by));
    }
    for (int i = 0; i < 64 * Words; ++i) {
      CHECK((board & other).test(i) == (board.test(i) && other.test(i)));
      CHECK((board | other).test(i) == (board.test(i) || other.test(i)));
      CHECK((board ^ other).test(i) == (board.test(i) != other.test(i)));
      CHECK((~board).test(i) == !board.test(i));
    }
    auto changed = board;
    const int cell = static_cast<int>(random.below(64 * Words));
    changed.set(cell);
    CHECK(changed.test(cell) && changed == (board | Bitboard<Words>::cell(cell)));
    changed.reset(cell);
    CHECK(!changed.test(cell) && changed == (board & ~Bitboard<Words>::cell(cell)));
  }
}

// A generator that favours some values by a percent or more would be seen: the counts of each value
// stay within 5 standard deviations of their mean.
void test_random() {
  context = "Random";
  Random random(7);
  for (const std::uint32_t n : {1u, 2u, 3u, 7u, 64u, 361u}) {
    constexpr int draws_per_value = 20000;
    std::vector<int> seen(n);
    for (std::uint32_t i = 0; i < n * draws_per_value; ++i) {
      const std::uint32_t value = random.below(n);
      CHECK(value < n);
      ++seen[std::min(value, n - 1)];
    }
    const double deviation = std::sqrt(draws_per_value);
    for (const int count : seen) CHECK(std::abs(count - draws_per_value) <= 5 * deviation);
  }
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = random.uniform();
    CHECK(x >= 0 && x < 1);
    sum += x;
  }
  CHECK(std::abs(sum / 100000 - 0.5) < 0.005);
  CHECK(Random(5).next() == Random(5).next());
  CHECK(Random(5).next() != Random(6).next());
  CHECK(Random(5, 0).next() != Random(5, 1).next());
}

void test_grid() {
  Random random(3);
  const std::string symbols = "xo.";
  for (const int rows : {1, 2, 8, 19}) {
    for (const int columns : {1, 3, 10, 19}) {
      context = "Grid " + std::to_string(rows) + "x" + std::to_string(columns);
      const Grid grid{rows, columns, RowOne::bottom};
      std::string cells;
      for (int i = 0; i < grid.cells(); ++i) cells += symbols[random.below(3)];
      const std::string text = grid.rows_text([&](int cell) { return cells[cell]; });
      CHECK(grid.parse_rows(text, "xo") == cells);
      CHECK(throws<PositionError>([&] { grid.parse_rows(text + "/", "xo"); }));
      CHECK(throws<PositionError>([&] { grid.parse_rows(text + "x", "xo"); }));
      CHECK(throws<PositionError>([&] { grid.parse_rows("q" + text, "xo"); }));
      CHECK(throws<PositionError>([&] { grid.parse_rows("", "xo"); }));
      std::set<std::string> names;
      for (int cell = 0; cell < grid.cells(); ++cell) names.insert(grid.name(cell));
      CHECK(static_cast<int>(names.size()) == grid.cells());
      CHECK(grid.name(grid.at(rows - 1, 0)) == "a1");
    }
  }
}

void test_cell_names() {
  for (const RowOne row_one : {RowOne::top, RowOne::bottom})
    for (const ColumnNames names : {ColumnNames::lower_case, ColumnNames::without_i}) {
      context = "names of cells";
      const Grid grid{12, 19, row_one, names};
      for (int cell = 0; cell < grid.cells(); ++cell)
        CHECK(grid.cell_named(grid.name(cell)) == cell);
      for (const char* wrong : {"", "a", "1", "a0", "A0", "a13", "A13", "z1", "Z1", "a1 ", "a01",
                                "a+1", "a-1", "aa1", "1a", "a99999999999", "_1"})
        CHECK(grid.cell_named(wrong) == -1);
    }
  const Grid go{19, 19, RowOne::bottom, ColumnNames::without_i};
  CHECK(go.name(go.at(18, 7)) == "H1" && go.name(go.at(18, 8)) == "J1");
  CHECK(go.name(go.at(0, 18)) == "T19" && go.cell_named("I5") == -1);
}

void test_lines() {
  context = "lines";
  Random random(4);
  constexpr int rows = 9, columns = 12, stride = columns + 1;
  for (int round = 0; round < 50; ++round) {
    Bitboard<2> stones;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        if (random.below(3) > 0) stones.set(row * stride + column);
    for (const auto& [down, right] : {std::pair{0, 1}, {1, -1}, {1, 0}, {1, 1}}) {
      const int step = down * stride + right;
      const auto stone_at = [&](int row, int column) {
        return row >= 0 && row < rows && column >= 0 && column < columns &&
               stones.test(row * stride + column);
      };
      Bitboard<2> starts;
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
          if (!stone_at(row, column)) continue;
          int before = 0, after = 0;
          while (stone_at(row - (before + 1) * down, column - (before + 1) * right)) ++before;
          while (stone_at(row + (after + 1) * down, column + (after + 1) * right)) ++after;
          const int bit = row * stride + column;
          CHECK(run_through(stones, bit, step) == before + 1 + after);
          CHECK(run_from(stones, bit, step) == 1 + after);
          if (before == 0) starts.set(bit);
        }
      CHECK(run_starts(stones, step) == starts);
    }
  }
}

void test_grid_symmetries() {
  for (const auto& [rows, columns, count] : {std::tuple{3, 3, 8}, {8, 8, 8}, {6, 7, 4}}) {
    context = "symmetries of " + std::to_string(rows) + "x" + std::to_string(columns);
    const auto maps = grid_symmetries(rows, columns);
    CHECK(static_cast<int>(maps.size()) == count);
    CHECK((std::set<CellMap>(maps.begin(), maps.end()).size() == maps.size()));
    for (std::size_t cell = 0; cell < maps[0].size(); ++cell) CHECK(maps[0][cell] == cell);
    for (const CellMap& a : maps) {
      for (const CellMap& b : maps) {
        CellMap product(a.size());
        for (std::size_t cell = 0; cell < a.size(); ++cell) product[cell] = a[b[cell]];
        CHECK(std::find(maps.begin(), maps.end(), product) != maps.end());
      }
    }
  }
}

void test_hexagon() {
  for (const int side : {2, 3, 4, 8, 10}) {
    context = "Hexagon " + std::to_string(side);
    const Hexagon hexagon(side);
    const auto touch = [&](int a, int b) {
      const auto around = hexagon.neighbours(a);
      return std::find(around.begin(), around.end(), b) != around.end();
    };
    std::set<std::string> names;
    std::array<int, 6> corners{}, sides{};
    for (int cell = 0; cell < hexagon.cells(); ++cell) {
      names.insert(hexagon.name(cell));
      CHECK(hexagon.at(hexagon.row(cell), hexagon.column(cell)) == cell);
      if (const int k = hexagon.corner_of(cell); k >= 0) ++corners[k];
      if (const int k = hexagon.side_of(cell); k >= 0) ++sides[k];
      const auto around = hexagon.neighbours(cell);
      for (int d = 0; d < 6; ++d) {
        if (around[d] < 0) continue;
        const int next = around[(d + 1) % 6];
        CHECK(hexagon.neighbours(around[d])[(d + 3) % 6] == cell);
        CHECK(next < 0 || touch(around[d], next));
      }
    }
    CHECK(static_cast<int>(names.size()) == hexagon.cells());
    for (int k = 0; k < 6; ++k) CHECK(corners[k] == 1 && sides[k] == side - 2);

    const auto maps = hexagon.symmetries();
    CHECK((std::set<CellMap>(maps.begin(), maps.end()).size() == 12));
    for (const CellMap& map : maps) {
      CHECK((std::set<int>(map.begin(), map.end()).size() == map.size()));
      for (int cell = 0; cell < hexagon.cells(); ++cell)
        for (const int near : hexagon.neighbours(cell))
          CHECK(near < 0 || touch(map[cell], map[near]));
    }

    Random random(4);
    std::string cells;
    for (int i = 0; i < hexagon.cells(); ++i) cells += "xo."[random.below(3)];
    const auto lengths = hexagon.row_lengths();
    const std::string text = rows_text(lengths, [&](int cell) { return cells[cell]; });
    CHECK(parse_rows(lengths, text, "xo") == cells);
    CHECK(throws<PositionError>([&] { parse_rows(lengths, text + "/", "xo"); }));
    CHECK(throws<PositionError>([&] { parse_rows(lengths, "x" + text, "xo"); }));
  }
  CHECK(Hexagon(4).name(0) == "a1" && Hexagon(4).name(36) == "g7");
}

void test_parameters() {
  context = "Parameters";
  const std::vector<Parameter> declared{Parameter::integer("size", 8, 4, 16, "the side", 2),
                                        Parameter::flag("swap", true, "the swap rule"),
                                        Parameter::choice("end", "draw", {"draw", "loss"}, ""),
                                        Parameter::real("komi", 7.5, -10, 10, "")};
  const auto read = [&](std::string_view text) { return Parameters("game", declared, text); };
  CHECK(read("").text() == "size=8,swap=true,end=draw,komi=7.5");
  CHECK(read("end=loss,size=16").text() == "size=16,swap=true,end=loss,komi=7.5");
  CHECK(read("size=4").integer("size") == 4);
  CHECK(!read("swap=false").flag("swap"));
  CHECK(read("komi=-0.5").real("komi") == -0.5);
  CHECK(read("komi=1e-310").real("komi") == 1e-310);
  CHECK(read("end=loss").choice("end") == "loss");
  for (const char* wrong : {"size=5",
                            "size=18",
                            "size=2",
                            "size=",
                            "size",
                            "size=8x",
                            "size=+8",
                            "size=08",
                            "size=99999999999999",
                            "swap=yes",
                            "swap=1",
                            "end=win",
                            "side=8",
                            "size=8,size=8",
                            ",",
                            "size=8,,swap=true",
                            "=",
                            "size=8 ",
                            "komi=10.5",
                            "komi=nan",
                            "komi=x"})
    CHECK(throws<ParameterError>([&] { read(wrong); }));
}

void test_quoted() {
  context = "quoted";
  CHECK(in_quotes("a b") == "'a b'");
  CHECK(in_quotes("\n") == "'\\x0a'");
  CHECK(in_quotes(std::string(1000, 'x')).size() < 100);
}

// Every key is found at any moment, also while the table grows; no other key is.
void test_key_table() {
  context = "KeyTable";
  Random random(1);
  KeyTable table;
  for (int round = 0; round < 3; ++round) {
    std::vector<std::uint64_t> keys;  // the id is the place
    std::unordered_map<std::uint64_t, KeyTable::Id> known;
    const auto find = [&](std::uint64_t key) {
      return table.find(key, [&](KeyTable::Id id) { return keys[id] == key; });
    };
    for (KeyTable::Id id = 0; id < 30'000; ++id) {
      std::uint64_t key = random.next();
      if (id % 3 == 1) key = keys[id / 2] ^ (1ull << 63);  // alike in the table
      if (id % 3 == 2) key = keys[id / 2] ^ (1ull << 20);  // the same place, another tag
      CHECK(find(key) == (known.contains(key) ? known[key] : KeyTable::none));
      if (known.contains(key)) key = random.next();  // nobody adds a key twice
      keys.push_back(key);
      const std::size_t before = table.bytes(), growth = table.growth_for(keys.size());
      table.insert(key, id, keys.size());
      CHECK(table.bytes() <= before + growth);
      known.emplace(key, id);
      const auto earlier = random.below(id + 1);
      CHECK(find(keys[earlier]) == known[keys[earlier]]);
    }
    for (const auto& [key, id] : known) CHECK(find(key) == id);
    table.clear();
    CHECK(find(keys.front()) == KeyTable::none);
  }
}

// A table that is too large to be emptied at once is empty too, and keeps its size.
void test_large_key_table() {
  context = "large KeyTable";
  Random random(2);
  KeyTable table;
  std::vector<std::uint64_t> keys(1'500'000);
  for (std::uint64_t& key : keys) key = random.next();
  for (KeyTable::Id id = 0; id < keys.size(); ++id) table.insert(keys[id], id, id + 1);
  const auto is = [&](std::uint64_t key) {
    return [&keys, key](KeyTable::Id id) { return keys[id] == key; };
  };
  for (KeyTable::Id id = 0; id < keys.size(); id += 1000)
    CHECK(table.find(keys[id], is(keys[id])) == id);
  const std::size_t bytes = table.bytes();
  table.clear();
  CHECK(table.bytes() <= bytes && table.growth_for(keys.size()) == 0);
  for (KeyTable::Id id = 0; id < keys.size(); id += 1000)
    CHECK(table.find(keys[id], is(keys[id])) == KeyTable::none);
}

}  // namespace
}  // namespace athenan::testing

int main() {
  using namespace athenan::testing;
  test_bitboard<1>();
  test_bitboard<2>();
  test_bitboard<6>();
  test_random();
  test_grid();
  test_cell_names();
  test_lines();
  test_grid_symmetries();
  test_hexagon();
  test_parameters();
  test_quoted();
  test_key_table();
  test_large_key_table();
  return verdict();
}
