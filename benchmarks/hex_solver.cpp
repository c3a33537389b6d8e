// An exact solver of small Hex boards, written apart from the engine so that it can judge it.
//
// A question is a line "SIZE MINE THEIRS": two masks of stones in hexadecimal, bit row * SIZE +
// column, seen by the player to move, who joins the top row and the bottom row. (Whoever joins left
// and right transposes the board first.) The answer is a line: 1 if the player to move wins, 0 if
// not.
//
//     g++ -O2 -std=c++20 benchmarks/hex_solver.cpp -o hex_solver

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iostream>
#include <unordered_map>
#include <vector>

namespace {

using Mask = std::uint64_t;

constexpr int far_away = 1000;

class Solver {
 public:
  explicit Solver(int size) : size_(size), cells_(size * size), all_((Mask{1} << cells_) - 1) {
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        add_cell(row, column);
      }
    }
    top_ = (Mask{1} << size) - 1;
    bottom_ = top_ << (cells_ - size);
  }

  // Whether the player to move, who joins top and bottom, wins.
  bool wins(Mask mine, Mask theirs) { return solve(mine, theirs).mover_wins; }

 private:
  struct Key {
    Mask mine;
    Mask theirs;
    auto operator<=>(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return (key.mine * 0x9e3779b97f4a7c15ull) ^ std::rotl(key.theirs * 0xc2b2ae3d27d4eb4full, 31);
    }
  };

  // Who wins, and the empty cells that the winner's strategy needs: stones elsewhere change
  // nothing.
  struct Proof {
    bool mover_wins;
    Mask carrier;
  };

  Proof solve(Mask mine, Mask theirs) {
    const Key key{mine, theirs};
    const Key turned{rotated(mine), rotated(theirs)};
    const bool turn = turned < key;
    if (const auto known = known_.find(turn ? turned : key); known != known_.end()) {
      const Proof& proof = known->second;
      return {proof.mover_wins, turn ? rotated(proof.carrier) : proof.carrier};
    }
    const Proof proof = search(mine, theirs);
    const Mask carrier = turn ? rotated(proof.carrier) : proof.carrier;
    known_.emplace(turn ? turned : key, Proof{proof.mover_wins, carrier});
    return proof;
  }

  Proof search(Mask mine, Mask theirs) {
    const Mask empty = all_ & ~mine & ~theirs;
    if (const Mask last = winning_cells(mine, empty); last != 0) {
      return {true, last & -last};
    }
    const Mask threats = transposed(winning_cells(transposed(theirs), transposed(empty)));
    if (std::popcount(threats) > 1) {
      const Mask others = threats & (threats - 1);
      return {false, (threats & -threats) | (others & -others)};
    }
    // A move outside the carrier of the opponent's strategy against another move loses as that did.
    Mask open = threats != 0 ? threats : empty;
    Mask carrier = threats;
    for (const int cell : ordered(mine, theirs, open)) {
      const Mask stone = Mask{1} << cell;
      if ((open & stone) == 0) {
        continue;
      }
      const Proof reply = solve(transposed(theirs), transposed(mine | stone));
      const Mask needed = transposed(reply.carrier);
      if (!reply.mover_wins) {
        return {true, needed | stone};
      }
      carrier |= needed;
      open &= needed;
    }
    return {false, carrier};
  }

  // The empty cells that complete a chain from top to bottom.
  Mask winning_cells(Mask mine, Mask empty) const {
    return reach(mine, top_, empty) & reach(mine, bottom_, empty);
  }

  // The empty cells that touch an edge, themselves or through stones.
  Mask reach(Mask mine, Mask edge, Mask empty) const {
    const Mask joined = flood(mine & edge, mine);
    return (edge | around(joined)) & empty;
  }

  Mask flood(Mask from, Mask through) const {
    for (Mask before = 0; before != from;) {
      before = from;
      from |= around(from) & through;
    }
    return from;
  }

  Mask around(Mask cells) const {
    Mask out = 0;
    for (; cells != 0; cells &= cells - 1) {
      out |= neighbours_[std::countr_zero(cells)];
    }
    return out;
  }

  // Stones still missing for the shortest chain from top to bottom.
  int distance(Mask mine, Mask theirs) const {
    const Mask open = all_ & ~theirs;
    Mask reached = flood(top_ & mine, mine);
    Mask border = (top_ | around(reached)) & open & ~reached;
    for (int steps = 0; steps < far_away; ++steps) {
      if ((reached & bottom_) != 0) {
        return steps;
      }
      if (border == 0) {
        return far_away;
      }
      reached = flood(reached | border, (mine | reached | border) & open);
      border = around(reached) & open & ~reached;
    }
    return far_away;
  }

  // Moves that shorten one's own way and lengthen the other's come first, then the centre.
  std::vector<int> ordered(Mask mine, Mask theirs, Mask moves) const {
    std::vector<std::pair<int, int>> scored;
    for (; moves != 0; moves &= moves - 1) {
      const int cell = std::countr_zero(moves);
      const Mask after = mine | Mask{1} << cell;
      const int ahead = distance(after, theirs) - distance(transposed(theirs), transposed(after));
      const int off_centre =
          std::abs(2 * (cell / size_) - size_ + 1) + std::abs(2 * (cell % size_) - size_ + 1);
      scored.emplace_back(100 * ahead + off_centre, cell);
    }
    std::ranges::sort(scored);
    std::vector<int> out;
    for (const auto& [score, cell] : scored) {
      out.push_back(cell);
    }
    return out;
  }

  Mask transposed(Mask cells) const { return moved(cells, transposition_); }
  Mask rotated(Mask cells) const { return moved(cells, rotation_); }

  static Mask moved(Mask cells, const std::array<int, 64>& to) {
    Mask out = 0;
    for (; cells != 0; cells &= cells - 1) {
      out |= Mask{1} << to[std::countr_zero(cells)];
    }
    return out;
  }

  void add_cell(int row, int column) {
    const int cell = row * size_ + column;
    transposition_[cell] = column * size_ + row;
    rotation_[cell] = cells_ - 1 - cell;
    constexpr std::array<std::array<int, 2>, 6> steps{
        {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}}};
    for (const auto& [down, right] : steps) {
      const int r = row + down;
      const int c = column + right;
      if (r >= 0 && r < size_ && c >= 0 && c < size_) {
        neighbours_[cell] |= Mask{1} << (r * size_ + c);
      }
    }
  }

  int size_;
  int cells_;
  Mask all_;
  Mask top_ = 0;
  Mask bottom_ = 0;
  std::array<Mask, 64> neighbours_{};
  std::array<int, 64> transposition_{};
  std::array<int, 64> rotation_{};
  std::unordered_map<Key, Proof, Hash> known_;
};

}  // namespace

int main() {
  std::unordered_map<int, Solver> solvers;
  int size = 0;
  Mask mine = 0;
  Mask theirs = 0;
  while (std::cin >> std::dec >> size >> std::hex >> mine >> theirs) {
    if (size < 1 || size > 7) {
      std::cerr << "the size must be 1 to 7, not " << size << "\n";
      return 1;
    }
    auto& solver = solvers.try_emplace(size, size).first->second;
    std::cout << solver.wins(mine, theirs) << std::endl;
  }
}
