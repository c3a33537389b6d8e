#include "games/xiangqi_history.h"

#include <algorithm>

#include "base/hash.h"

namespace athenan::xiangqi_board {
namespace {

// What a piece on a cell contributes to the hash of a board, the exclusive or of these words.
std::uint64_t word(int piece, int cell) { return mix(piece, cell); }

std::uint64_t extended(std::uint64_t hash, const QuietMove& move) {
  return mix(hash, move.from | move.to << 8 | move.piece << 16 | move.checks << 24);
}

}  // namespace

void History::add(const QuietMove& move) {
  hash = extended(hash, move);
  moves[size++] = move;
}

void History::clear() {
  std::fill_n(moves.begin(), size, QuietMove{});
  hash = size = 0;
}

void History::mirror() {
  hash = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    moves[i].from = static_cast<std::uint8_t>(xiangqi_board::mirrored(moves[i].from));
    moves[i].to = static_cast<std::uint8_t>(xiangqi_board::mirrored(moves[i].to));
    hash = extended(hash, moves[i]);
  }
}

History::Recurrence History::recurrence(int most) const {
  Recurrence found;
  bool checked[2] = {true, true};  // by the player who moved last, by the other
  std::uint64_t difference = 0;    // between the hashes of the boards now and then
  for (std::uint32_t back = 1; back <= size && found.times < most; ++back) {
    const auto& [from, to, piece, checks] = moves[size - back];
    difference ^= word(piece, from) ^ word(piece, to);
    checked[(back - 1) % 2] &= checks != 0;
    if (back % 2 == 0 && difference == 0) found = {found.times + 1, checked[0], checked[1]};
  }
  return found;
}

}  // namespace athenan::xiangqi_board
