// Havannah on a hexagonal board. Who first completes one of three figures of own stones wins: a
// ring around at least one cell, whatever is on it; a bridge between two corners; a fork between
// three sides, where corners belong to no side. A full board without any is a draw.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/bitboard.h"
#include "base/hash.h"
#include "base/hexagon.h"
#include "games/stones.h"
#include "games/value_rules.h"

namespace athenan {
namespace {

// The side is part of the type: the loops over all cells are then short and vectorised.
template <int side>
class Havannah {
  static constexpr int cell_count = Hexagon::cells(side);
  static constexpr int lines = Hexagon::lines(side);
  static constexpr int plane_size = lines * lines;
  using Cells = Bitboard<(cell_count + 63) / 64>;

  // The group of a stone: 1 + its first cell, 0 for no stone.
  using Group = std::conditional_t<(cell_count < 256), std::uint8_t, std::uint16_t>;
  static constexpr int padded_count = (cell_count + 7) / 8 * 8;  // a whole number of words
  using Groups = std::array<Group, padded_count>;

  // Stands for neighbours beyond the edge: a place where there is never a stone.
  static constexpr int outside = cell_count;
  static_assert(cell_count < padded_count && cell_count % 64 != 0);

 public:
  // The groups follow from the stones. They are needed for playing on but not for showing or
  // storing a position.
  struct State {
    std::array<Cells, 2> stones{};  // of the first and of the second player
    std::int32_t to_move = 0;
    std::int32_t result = static_cast<std::int32_t>(Result::ongoing);
    Groups groups{};
  };
  static constexpr std::size_t board_size = offsetof(State, groups);
  std::size_t live_size(const State&) const { return sizeof(State); }

  explicit Havannah(const Parameters& parameters) : swap_(parameters.flag("swap")) {
    for (int cell = 0; cell < cell_count; ++cell) {
      board_.set(cell);
      const int index = hexagon_.row(cell) * lines + hexagon_.column(cell);
      plane_index_[cell] = static_cast<std::uint16_t>(index);
      const auto neighbours = hexagon_.neighbours(cell);
      for (int d = 0; d < 6; ++d) {
        const bool exists = neighbours[d] != Hexagon::nowhere;
        around_[cell][d] = static_cast<std::uint16_t>(exists ? neighbours[d] : outside);
        surroundings_[cell].set(around_[cell][d]);
      }
      if (const int k = hexagon_.corner_of(cell); k >= 0) corner_bit_[cell] = Group(1 << k);
      if (const int k = hexagon_.side_of(cell); k >= 0) side_bit_[cell] = Group(1 << k);
    }
  }

  Datasheet datasheet() const {
    Datasheet sheet;
    sheet.title = "Havannah";
    sheet.rows = sheet.columns = lines;
    sheet.planes = {"first player", "second player", "empty", "player to move"};
    sheet.move_count = cell_count;
    sheet.move_kinds = {"place"};
    sheet.max_length = cell_count + (swap_ ? 1 : 0);
    sheet.max_length_reason = "each move" + std::string(swap_ ? ", except one swap," : "") +
                              " fills one of " + std::to_string(cell_count) + " cells";
    sheet.typical_length = 7 * cell_count / 10;
    sheet.symmetry_group = "hexagon (12)";
    sheet.has_draws = true;
    sheet.move_notation = "c4: column letter, row 1 at the top";
    if (swap_) sheet.move_notation += "; swap";
    sheet.position_notation =
        "rows from the top with x (first player), o and numbers of empty cells, then the side to "
        "move: 3/4/2x2/4/3 o";
    sheet.reference = "https://en.wikipedia.org/wiki/Havannah_(board_game)";
    return sheet;
  }

  Result result(const State& s) const { return static_cast<Result>(s.result); }

  void moves(const State& s, MoveList& out) const {
    empty_cells(s).for_each([&](int cell) { out.push_back(cell); });
  }

  void apply(State& s, Move move) const {
    const bool wins = place(s, static_cast<int>(move), s.to_move);
    s.result = static_cast<std::int32_t>(wins                    ? win_of(s.to_move)
                                         : empty_cells(s).none() ? Result::draw
                                                                 : Result::ongoing);
    s.to_move ^= 1;
  }

  // A random match fills the empty cells in a random order. It seldom ends before half of the
  // board is full: up to there figures are looked for once instead of at every move.
  Playout playout(State& s, int max_plies, Random& random) const {
    std::array<std::uint16_t, cell_count> order;
    int empty = 0, drawn = 0, plies = 0;
    empty_cells(s).for_each([&](int cell) { order[empty++] = static_cast<std::uint16_t>(cell); });
    const auto draw = [&] {
      const auto left = static_cast<std::uint32_t>(empty - drawn);
      std::swap(order[drawn], order[drawn + random.below(left)]);
      return order[drawn++];
    };
    const int quiet = std::min(empty - cell_count / 2, max_plies);
    if (quiet > 0) {
      State ahead = s;
      while (drawn < quiet) {
        ahead.stones[ahead.to_move].set(draw());
        ahead.to_move ^= 1;
      }
      if (!settle(ahead) && result(ahead) == Result::ongoing) {
        s = ahead;
        plies = quiet;
      }
    }
    for (; result(s) == Result::ongoing && plies < max_plies; ++plies) {
      if (plies == drawn) draw();
      apply(s, order[plies]);
    }
    return {result(s), plies};
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, board_size); }

  // Rows and columns are those of the notation, so that neighbours are neighbours in the planes;
  // around the hexagon there is neither a stone nor an empty cell.
  void encode(const State& s, std::int8_t* planes) const {
    for (const Cells& cells : {s.stones[0], s.stones[1], empty_cells(s)}) {
      cells.for_each([&](int cell) { planes[plane_index_[cell]] = 1; });
      planes += plane_size;
    }
    std::memset(planes, s.to_move, plane_size);
  }

  int symmetries() const { return static_cast<int>(maps_.size()); }
  State transform(const State& s, int symmetry) const {
    const CellMap& map = maps_[symmetry];
    State out = s;
    for (auto& stones : out.stones) stones = stones.mapped(map);
    // The first cell of a group need not be the image of the first one.
    std::array<Group, cell_count + 1> image{};
    for (int cell = 0; cell < cell_count; ++cell)
      if (const Group group = s.groups[cell]) {
        const auto candidate = static_cast<Group>(1 + map[cell]);
        image[group] = image[group] ? std::min(image[group], candidate) : candidate;
      }
    for (int cell = 0; cell < cell_count; ++cell) out.groups[map[cell]] = image[s.groups[cell]];
    return out;
  }
  Move transform_move(const State&, int symmetry, Move cell) const { return maps_[symmetry][cell]; }

  int ply_of(const State& s) const {
    return s.stones[0].count() + s.stones[1].count() + (swapped(s) ? 1 : 0);
  }
  int pieces(const State& s, int player) const { return s.stones[player].count(); }

  MovePath move_path(const State&, Move cell) const {
    return {0, {hexagon_.place(static_cast<int>(cell))}};
  }

  std::string move_text(const State&, Move cell) const {
    return hexagon_.name(static_cast<int>(cell));
  }
  std::string position_text(const State& s) const { return texts_.position(s.stones, s.to_move); }
  State parse_position(std::string_view text) const {
    State s;
    s.to_move = texts_.parse(text, s.stones);
    settle(s);
    return s;
  }
  std::string drawing(const State& s) const {
    return hexagon_.drawing(texts_.symbols_of(s.stones));
  }

  std::string flaw(const State& s) const {
    State right;
    const std::string problem = flaw_of_board(s, right);
    if (problem.empty() && s.groups != right.groups) return "the groups do not fit the stones";
    return problem;
  }
  std::string board_flaw(const State& s) const {
    State right;
    return flaw_of_board(s, right);
  }

  bool offers_swap() const { return swap_; }
  // The first player has as many stones more as `to_move` says, or one less: the swap turned a
  // stone of the first player into one of the second.
  bool swapped(const State& s) const { return surplus(s) == s.to_move - 1; }
  // The only stone stays where it is and changes its owner.
  void swap_sides(State& s) const {
    std::swap(s.stones[0], s.stones[1]);
    s.to_move ^= 1;
  }

 private:
  Cells empty_cells(const State& s) const { return board_ & ~(s.stones[0] | s.stones[1]); }

  // How many stones more the first player has.
  static int surplus(const State& s) { return s.stones[0].count() - s.stones[1].count(); }

  // Also puts into `right` what the state should be.
  std::string flaw_of_board(const State& s, State& right) const {
    if (!well_placed(s.stones, board_)) return "stones overlap or lie outside the board";
    if (surplus(s) != s.to_move && !(swap_ && swapped(s) && s.stones[1].any()))
      return "the side to move does not fit the stones";
    right = s;
    if (settle(right)) return "the side to move has already won";
    return s.result == right.result ? "" : "the result does not fit the stones";
  }

  // Puts a stone on an empty cell, joins groups and says whether that completes a figure.
  //
  // The own stones around the cell form arcs, runs in which each touches the next. Unless there was
  // a ring before, the new stone closes one in one of two ways. It joins two arcs of one group:
  // they make a loop with it, and one of the gaps between them is inside. Or its loop leaves and
  // returns by the same arc: led along the arc it was there before and surrounded nothing, so that
  // all it surrounds now is cells of the arc, and the first of them has six own neighbours.
  bool place(State& s, int cell, int player) const {
    Cells& own = s.stones[player];
    own.set(cell);
    const auto& around = around_[cell];
    unsigned friends = 0;
    for (int d = 0; d < 6; ++d) friends |= static_cast<unsigned>(own.test(around[d])) << d;

    auto joined = static_cast<Group>(cell + 1);
    std::array<Group, 3> arcs{};
    int arc_count = 0;
    bool ring = false;
    for (unsigned starts = arc_starts(friends); starts; starts &= starts - 1) {
      const Group group = s.groups[around[std::countr_zero(starts)]];
      ring |= std::find(arcs.begin(), arcs.begin() + arc_count, group) != arcs.begin() + arc_count;
      arcs[arc_count++] = group;
      joined = std::min(joined, group);
    }
    s.groups[cell] = joined;
    for (int i = 0; i < arc_count; ++i)
      if (arcs[i] != joined) rename(s.groups, arcs[i], joined);
    for (unsigned inner = arc_insides(friends); inner && !ring; inner &= inner - 1) {
      const Cells& six = surroundings_[around[std::countr_zero(inner)]];
      ring = (six & own) == six;
    }
    // A stone next to a single arc and away from the edge lets its group touch nothing new.
    const bool touches = arc_count > 1 || (arc_count == 1 && surroundings_[cell].test(outside));
    return ring || (touches && spans(s.groups, joined));
  }

  static constexpr unsigned turned(unsigned directions, int by) {
    return (directions << by | directions >> (6 - by)) & 63;
  }
  // The first direction of each arc; six neighbours are one arc.
  static constexpr unsigned arc_starts(unsigned friends) {
    return friends == 63 ? 1 : friends & ~turned(friends, 1);
  }
  // The directions between two others of their arc.
  static constexpr unsigned arc_insides(unsigned friends) {
    return friends & turned(friends, 1) & turned(friends, 5);
  }

  static void rename(Groups& groups, Group from, Group to) {
    for (Group& group : groups) group = group == from ? to : group;
  }

  static bool spans(Group corners, Group sides) {
    return std::popcount(corners) >= 2 || std::popcount(sides) >= 3;
  }
  // Does the group touch two corners or three sides?
  bool spans(const Groups& groups, Group group) const {
    Group corners = 0, sides = 0;
    for (int cell = 0; cell < padded_count; ++cell) {
      const auto mask = static_cast<Group>(groups[cell] == group ? -1 : 0);
      corners |= mask & corner_bit_[cell];
      sides |= mask & side_bit_[cell];
    }
    return spans(corners, sides);
  }

  // Derives the groups and the result from the stones; true if the side to move has already won.
  bool settle(State& s) const {
    s.groups = {};
    const std::array won{find_groups(s.stones[0], s.groups), find_groups(s.stones[1], s.groups)};
    s.result = static_cast<std::int32_t>(won[s.to_move ^ 1]      ? win_of(s.to_move ^ 1)
                                         : empty_cells(s).none() ? Result::draw
                                                                 : Result::ongoing);
    return won[s.to_move];
  }

  // Writes down the groups of a player's stones and says whether they hold a figure. The first
  // pass links each stone to an earlier one of its group, or to itself. Before a cell come the
  // three neighbours on its left and above it; if only the outer two are stones, and of one group
  // already, there is a loop around what lies between them.
  bool find_groups(const Cells& own, Groups& groups) const {
    const auto first_of = [&](int cell) {
      while (groups[cell] != cell + 1) cell = groups[cell] - 1;
      return cell;
    };
    bool figure = false;
    own.for_each([&](int cell) {
      const auto& [above_left, above, right, below_right, below, left] = around_[cell];
      int first = cell;
      if (own.test(above_left)) {
        first = first_of(above_left);
        const Cells& six = surroundings_[cell];
        figure |= (six & own) == six;
      } else {
        if (own.test(left)) first = first_of(left);
        if (own.test(above)) {
          const int other = first_of(above);
          figure |= other == first;
          if (other < first)
            groups[std::exchange(first, other)] = static_cast<Group>(other + 1);
          else
            groups[other] = static_cast<Group>(first + 1);
        }
      }
      groups[cell] = static_cast<Group>(first + 1);
    });
    std::array<std::array<Group, 2>, cell_count> touched{};  // corners and sides, by first cell
    own.for_each([&](int cell) {
      groups[cell] = groups[groups[cell] - 1];
      auto& [corners, sides] = touched[groups[cell] - 1];
      figure |= spans(corners |= corner_bit_[cell], sides |= side_bit_[cell]);
    });
    return figure;
  }

  bool swap_;
  Hexagon hexagon_{side};
  StoneTexts texts_{"havannah", hexagon_.row_lengths()};
  Cells board_;
  std::array<std::array<std::uint16_t, 6>, cell_count> around_{};  // clockwise
  std::array<Cells, cell_count> surroundings_{};                   // the same as a set
  Groups corner_bit_{}, side_bit_{};  // a bit for the corner or the side of a cell
  std::array<std::uint16_t, cell_count> plane_index_{};
  std::vector<CellMap> maps_ = hexagon_.symmetries();
};

std::unique_ptr<Rules> make_havannah(const Parameters& parameters) {
  switch (parameters.integer("size")) {
    case 3:
      return make_rules<Havannah<3>>(parameters);
    case 4:
      return make_rules<Havannah<4>>(parameters);
    case 5:
      return make_rules<Havannah<5>>(parameters);
    case 6:
      return make_rules<Havannah<6>>(parameters);
    case 7:
      return make_rules<Havannah<7>>(parameters);
    case 8:
      return make_rules<Havannah<8>>(parameters);
    case 9:
      return make_rules<Havannah<9>>(parameters);
    default:
      return make_rules<Havannah<10>>(parameters);
  }
}

}  // namespace

GameEntry havannah() {
  return {
      "havannah",
      {Parameter::integer("size", 8, 3, 10, "cells along each side"),
       Parameter::flag("swap", true, "whether the second player may take over the first stone")},
      make_havannah};
}

}  // namespace athenan
