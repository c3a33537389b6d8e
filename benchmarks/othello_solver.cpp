// An exact solver of Othello on 6x6, written apart from the engine so that it can judge it.
//
// A question is a line "MINE THEIRS": two masks of discs in hexadecimal, bit 8 * row + column, seen
// by the player to move. The answer is a line: 1, 0 or -1 for a win, a draw or a loss of that
// player under best play.
//
//     g++ -O3 -std=c++20 benchmarks/othello_solver.cpp -o othello_solver

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iostream>
#include <span>
#include <vector>

namespace {

using Mask = std::uint64_t;

// Columns 6 and 7 of each row of eight bits stay empty, so that no shift runs into the next row.
constexpr Mask board = 0x3f3f3f3f3f3full;
constexpr Mask corners = 0x210000000021ull;
constexpr Mask beside_corners = 0x1200001200ull;  // diagonally
constexpr int worst = -64;
constexpr int few = 5;                   // empty cells from which on neither table nor order pays
constexpr std::size_t places = 1 << 25;  // of the table

template <int Step>
Mask shifted(Mask mask) {
  return Step > 0 ? mask << Step : mask >> -Step;
}

// Discs of `theirs` in unbroken rows from `from` in one direction: at most four on this board.
template <int Step>
Mask row_of(Mask from, Mask theirs) {
  Mask row = shifted<Step>(from) & theirs;
  for (int k = 0; k < 3; ++k) row |= shifted<Step>(row) & theirs;
  return row;
}

template <int... Steps>
Mask legal_in(Mask mine, Mask theirs) {
  return ((shifted<Steps>(row_of<Steps>(mine, theirs))) | ...) & board & ~(mine | theirs);
}

template <int Step>
Mask turned_in(Mask move, Mask mine, Mask theirs) {
  const Mask row = row_of<Step>(move, theirs);
  return shifted<Step>(row) & mine ? row : 0;
}

template <int... Steps>
Mask turned_by(Mask move, Mask mine, Mask theirs) {
  return (turned_in<Steps>(move, mine, theirs) | ...);
}

Mask legal(Mask mine, Mask theirs) { return legal_in<1, -1, 7, -7, 8, -8, 9, -9>(mine, theirs); }

Mask turned(Mask move, Mask mine, Mask theirs) {
  return turned_by<1, -1, 7, -7, 8, -8, 9, -9>(move, mine, theirs);
}

int difference(Mask mine, Mask theirs) { return std::popcount(mine) - std::popcount(theirs); }

class Solver {
 public:
  // Only the sign is exact: the window holds no more.
  int sign(Mask mine, Mask theirs) {
    const int value = search(mine, theirs, -1, 1, 36 - std::popcount(mine | theirs));
    return (value > 0) - (value < 0);
  }

 private:
  struct Bounds {
    Mask mine = 0;
    Mask theirs = 0;
    std::int8_t low = 0;
    std::int8_t high = 0;
    std::int8_t best = 0;  // the move
  };
  struct Child {
    Mask move;
    Mask mine;  // of the player to move there
    Mask theirs;
    int promise;
  };

  // Alpha-beta with a table of bounds; moves that leave the adversary few replies come first.
  int search(Mask mine, Mask theirs, int alpha, int beta, int empty) {
    Mask moves = legal(mine, theirs);
    if (!moves) {
      if (!legal(theirs, mine)) return difference(mine, theirs);
      return -search(theirs, mine, -beta, -alpha, empty);
    }
    if (empty <= few) return try_all(moves, mine, theirs, alpha, beta, empty);
    Bounds& known = place(mine, theirs);
    const bool found = known.mine == mine && known.theirs == theirs;
    if (found && known.low >= beta) return known.low;
    if (found && known.high <= alpha) return known.high;
    std::array<Child, 32> children;
    const auto end = children.begin() + std::popcount(moves);
    for (Child& child : std::span(children.begin(), end)) {
      child = made(moves & -moves, mine, theirs);
      if (found && std::countr_zero(child.move) == known.best) child.promise = 1 << 20;
      moves &= moves - 1;
    }
    std::sort(children.begin(), end,
              [](const Child& a, const Child& b) { return a.promise > b.promise; });
    int best = worst;
    int move = 0;
    for (const Child& child : std::span(children.begin(), end)) {
      const int value = -search(child.mine, child.theirs, -beta, -std::max(alpha, best), empty - 1);
      if (value <= best) continue;
      best = value;
      move = std::countr_zero(child.move);
      if (best >= beta) break;
    }
    remember(mine, theirs, best, alpha, beta, move);
    return best;
  }

  int try_all(Mask moves, Mask mine, Mask theirs, int alpha, int beta, int empty) {
    int best = worst;
    for (; moves && best < beta; moves &= moves - 1) {
      const Mask move = moves & -moves;
      const Mask flipped = turned(move, mine, theirs);
      best = std::max(best, -search(theirs ^ flipped, mine ^ flipped ^ move, -beta,
                                    -std::max(alpha, best), empty - 1));
    }
    return best;
  }

  static Child made(Mask move, Mask mine, Mask theirs) {
    const Mask flipped = turned(move, mine, theirs);
    const Mask here = theirs ^ flipped;
    const Mask there = mine ^ flipped ^ move;
    const Mask replies = legal(here, there);
    int promise = -2 * std::popcount(replies) - std::popcount(replies & corners);
    if (move & corners) promise += 5;
    if (move & beside_corners) promise -= 2;
    return {move, here, there, promise};
  }

  Bounds& place(Mask mine, Mask theirs) {
    Mask hash = mine * 0x9e3779b97f4a7c15ull ^ theirs * 0xc2b2ae3d27d4eb4full;
    hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9ull;
    return table_[(hash ^ hash >> 32) % places];
  }

  void remember(Mask mine, Mask theirs, int value, int alpha, int beta, int move) {
    Bounds& bounds = place(mine, theirs);
    if (bounds.mine != mine || bounds.theirs != theirs)
      bounds = {mine, theirs, std::int8_t{worst}, std::int8_t{-worst}, 0};
    if (value > alpha) bounds.low = static_cast<std::int8_t>(value);
    if (value < beta) bounds.high = static_cast<std::int8_t>(value);
    bounds.best = static_cast<std::int8_t>(move);
  }

  std::vector<Bounds> table_{places};
};

}  // namespace

int main() {
  Solver solver;
  Mask mine = 0;
  Mask theirs = 0;
  while (std::cin >> std::hex >> mine >> theirs) {
    std::cout << solver.sign(mine, theirs) << std::endl;
  }
}
