// Hex on a rhombus of size x size cells. The first player joins the top with the bottom, the second
// player the left with the right; exactly one of them can, so there are no draws. Cell (r, c)
// touches (r-1, c), (r-1, c+1), (r, c-1), (r, c+1), (r+1, c-1) and (r+1, c).
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/bitboard.h"
#include "base/hash.h"
#include "games/stones.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

constexpr int max_cells = 19 * 19;

template <int Words>
class Hex {
  using Board = Bitboard<Words>;

 public:
  // A player's near side is the top (first player) or the left (second player), its far side the
  // opposite one. `near` and `far` hold the stones of both players that are linked to their near
  // and far side, so that a move wins iff it touches both. They follow from the stones; once the
  // match is over nobody needs them and they are empty.
  struct State {
    std::array<Board, 2> stones{};  // of the first and of the second player
    std::uint32_t to_move = 0;
    std::uint32_t over = 0;  // 1: the player who has just moved won
    Board near{}, far{};
  };

  explicit Hex(const Parameters& parameters)
      : size_(parameters.integer("size")), swap_(parameters.flag("swap")) {
    for (int i = 0; i < size_; ++i) {
      near_side_[0].set(grid_.at(0, i));
      far_side_[0].set(grid_.at(size_ - 1, i));
      near_side_[1].set(grid_.at(i, 0));
      far_side_[1].set(grid_.at(i, size_ - 1));
    }
    for (int cell = 0; cell < grid_.cells(); ++cell) {
      board_.set(cell);
      neighbours_.push_back(around(Board::cell(cell)));
      plane_index_.push_back(static_cast<std::uint16_t>(plane_index(cell)));
    }
    border_ = border_planes();
  }

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Hex";
    sheet.rows = sheet.columns = lines();
    sheet.border = 1;
    sheet.planes = {"first player and its border lines", "second player and its border lines",
                    "player to move"};
    sheet.move_count = static_cast<std::uint32_t>(grid_.cells());
    sheet.move_kinds = {"place"};
    sheet.max_length = grid_.cells() + (swap_ ? 1 : 0);
    sheet.max_length_reason = "each move" + std::string(swap_ ? ", except one swap," : "") +
                              " fills one of " + std::to_string(grid_.cells()) + " cells";
    sheet.typical_length = 7 * grid_.cells() / 8;
    sheet.symmetry_group = "rotation by 180 degrees (2)";
    sheet.move_notation = "f6: column letter, row 1 at the top";
    if (swap_) sheet.move_notation += "; swap";
    sheet.position_notation =
        "rows from the top with x (first player), o and numbers of empty cells, then the side to "
        "move: 3/1x1/3 o";
    sheet.reference = "https://en.wikipedia.org/wiki/Hex_(board_game)";
    return sheet;
  }

  int to_move(const State& s) const { return static_cast<int>(s.to_move); }
  Result result(const State& s) const { return s.over ? win_of(1 - to_move(s)) : Result::ongoing; }

  void moves(const State& s, MoveList& out) const {
    empty_cells(s).for_each([&](int cell) { out.push_back(cell); });
  }

  void apply(State& s, Move move) const {
    const int cell = static_cast<int>(move);
    Board& own = s.stones[s.to_move];
    own.set(cell);
    const Board friends = neighbours_[cell] & own;
    const bool to_near = near_side_[s.to_move].test(cell) || (friends & s.near).any();
    const bool to_far = far_side_[s.to_move].test(cell) || (friends & s.far).any();
    if (to_near && to_far) {
      s.over = 1;
      s.near = s.far = {};
    } else if (to_near || to_far) {
      Board& linked = to_near ? s.near : s.far;
      linked.set(cell);
      linked |= connected(friends & ~linked, own & ~linked);
    }
    s.to_move ^= 1;
  }

  // A random match fills the empty cells in a random order. It seldom ends before three quarters
  // of the board are full: up to there links are looked for once instead of at every move.
  Playout playout(State& s, int max_plies, Random& random) const {
    std::array<std::uint16_t, max_cells> order;
    int empty = 0;
    empty_cells(s).for_each([&](int cell) { order[empty++] = static_cast<std::uint16_t>(cell); });
    for (int i = 0; i < empty; ++i)
      std::swap(order[i], order[i + random.below(static_cast<std::uint32_t>(empty - i))]);

    int plies = 0;
    const int quiet = std::min(empty - grid_.cells() / 4, max_plies);
    if (quiet > 0) {
      State ahead = s;
      for (int i = 0; i < quiet; ++i, ahead.to_move ^= 1) ahead.stones[ahead.to_move].set(order[i]);
      find_links(ahead);
      if (!ahead.over) {
        s = ahead;
        plies = quiet;
      }
    }
    for (; !s.over && plies < max_plies; ++plies) apply(s, order[plies]);
    return {result(s), plies};
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, offsetof(State, near)); }

  // The board with one line more on each side, filled with stones of the side's owner. A corner
  // lies on lines of both players and shows a stone of each.
  void encode(const State& s, std::int8_t* planes) const {
    const std::size_t plane = border_.size() / 2;
    std::memcpy(planes, border_.data(), border_.size());
    for (const Board& stones : s.stones) {
      stones.for_each([&](int cell) { planes[plane_index_[cell]] = 1; });
      planes += plane;
    }
    std::memset(planes, static_cast<int>(s.to_move), plane);
  }

  int symmetries() const { return 2; }
  State transform(const State& s, int symmetry) const {
    if (symmetry == 0) return s;
    return {{turned(s.stones[0]), turned(s.stones[1])},
            s.to_move,
            s.over,
            turned(s.far),
            turned(s.near)};
  }
  Move transform_move(const State&, int symmetry, Move cell) const {
    return symmetry == 0 ? cell : static_cast<Move>(grid_.cells() - 1) - cell;
  }

  int ply_of(const State& s) const {
    return s.stones[0].count() + s.stones[1].count() + (swapped(s) ? 1 : 0);
  }
  int pieces(const State& s, int player) const { return s.stones[player].count(); }

  MovePath move_path(const State&, Move cell) const { return {0, grid_.path(cell)}; }

  std::string move_text(const State&, Move cell) const {
    return grid_.name(static_cast<int>(cell));
  }
  std::string position_text(const State& s) const { return texts_.position(s.stones, to_move(s)); }
  State parse_position(std::string_view text) const {
    State s;
    s.to_move = texts_.parse(text, s.stones);
    find_links(s);
    return s;
  }

  // Each row is drawn half a cell to the right of the one above it.
  std::string drawing(const State& s) const {
    const auto symbol = texts_.symbols_of(s.stones);
    std::string out = "  ";
    for (int column = 0; column < size_; ++column) (out += ' ') += static_cast<char>('a' + column);
    for (int row = 0; row < size_; ++row) {
      const std::string label = std::to_string(grid_.row_label(row));
      out += '\n' + std::string(row + 2 - label.size(), ' ') + label;
      for (int column = 0; column < size_; ++column) (out += ' ') += symbol(grid_.at(row, column));
    }
    return out + '\n';
  }

  std::string flaw(const State& s) const {
    if (s.over > 1) return "the end mark is not 0 or 1";
    if (!well_placed(s.stones, board_)) return "stones overlap or lie outside the board";
    if (surplus(s) != to_move(s) && !(swap_ && swapped(s) && s.stones[1].any()))
      return "the side to move does not fit the stones";
    if (joined(s.stones[s.to_move], to_move(s))) return "the side to move has already won";
    State right = s;
    find_links(right);
    if (s.over != right.over) return "the result does not fit the stones";
    if (s.near != right.near || s.far != right.far) return "the links do not fit the stones";
    return "";
  }

  bool offers_swap() const { return swap_; }
  // The first player has as many stones more as `to_move` says, or one less: the swap turned a
  // stone of the first player into one of the second.
  bool swapped(const State& s) const { return surplus(s) == static_cast<int>(s.to_move) - 1; }
  // The only stone moves to the mirrored cell and changes its owner.
  void swap_sides(State& s) const {
    const int cell = s.stones[0].first();
    s = State{};
    s.stones[1].set(grid_.at(grid_.column(cell), grid_.row(cell)));
    find_links(s);
  }

 private:
  int lines() const { return size_ + 2; }

  Board empty_cells(const State& s) const { return board_ & ~(s.stones[0] | s.stones[1]); }

  // How many stones more the first player has.
  static int surplus(const State& s) { return s.stones[0].count() - s.stones[1].count(); }

  // The cells that touch some of the given ones.
  Board around(const Board& cells) const {
    const int row = size_ & 63;  // tells the compiler that the shift is shorter than a word
    const Board right = (cells & ~far_side_[1]).shifted_up(1);
    const Board left = (cells & ~near_side_[1]).shifted_down(1);
    return left | right | (cells | right).shifted_down(row) | (cells | left).shifted_up(row);
  }

  // The stones of `own` that are connected to those of `fresh`, a part of `own`.
  Board connected(Board fresh, const Board& own) const {
    Board rest = own;
    while (fresh.any()) {
      rest ^= fresh;
      fresh = around(fresh) & rest;
    }
    return own ^ rest;
  }

  bool joined(const Board& own, int player) const {
    return (connected(own & near_side_[player], own) & far_side_[player]).any();
  }

  // Derives the links and the end of the match from the stones.
  void find_links(State& s) const {
    s.near = s.far = {};
    for (int player : {0, 1}) {
      const Board& own = s.stones[player];
      s.near |= connected(own & near_side_[player], own);
      s.far |= connected(own & far_side_[player], own);
    }
    s.over = (s.near & s.far).any();
    if (s.over) s.near = s.far = {};
  }

  // The board turned by 180 degrees: cell i goes to the i-th from the end.
  Board turned(const Board& cells) const {
    Board out;
    cells.for_each([&](int cell) { out.set(grid_.cells() - 1 - cell); });
    return out;
  }

  int plane_index(int cell) const {
    return (grid_.row(cell) + 1) * lines() + grid_.column(cell) + 1;
  }

  // The two planes of stones on an empty board.
  std::vector<std::int8_t> border_planes() const {
    std::vector<std::int8_t> planes(2 * lines() * lines());
    const auto first = planes.begin(), second = first + lines() * lines();
    for (int i = 0; i < lines(); ++i) {
      first[i] = first[(lines() - 1) * lines() + i] = 1;
      second[i * lines()] = second[i * lines() + lines() - 1] = 1;
    }
    return planes;
  }

  int size_;
  bool swap_;
  Grid grid_{size_, size_, RowOne::top};
  StoneTexts texts_{"hex", grid_.row_lengths()};
  Board board_;
  std::array<Board, 2> near_side_, far_side_;
  std::vector<Board> neighbours_;
  std::vector<std::uint16_t> plane_index_;
  std::vector<std::int8_t> border_;
};

std::unique_ptr<Rules> make_hex(const Parameters& parameters) {
  const int size = parameters.integer("size");
  if (size <= 8) return make_rules<Hex<1>>(parameters);
  if (size <= 11) return make_rules<Hex<2>>(parameters);
  if (size <= 13) return make_rules<Hex<3>>(parameters);
  if (size <= 16) return make_rules<Hex<4>>(parameters);
  return make_rules<Hex<6>>(parameters);
}

}  // namespace

GameEntry hex() {
  return {
      "hex",
      {Parameter::integer("size", 11, 2, 19, "cells along each side"),
       Parameter::flag("swap", true, "whether the second player may take over the first stone")},
      make_hex};
}

}  // namespace athenan
