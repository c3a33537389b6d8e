// The memory of a match of Arimaa that its repetition rule reads: hashes of positions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "games/arimaa_board.h"

namespace athenan::arimaa_board {

// The hash of a board is the exclusive or of one word per piece. The halves of a word belong to
// the square and to its mirror image, so that mirroring a hash needs no board.
class BoardHash {
 public:
  BoardHash() {
    std::uint64_t seed = 0;
    for (int piece = 1; piece < piece_codes; ++piece)
      for (int square = 0; square < square_count; ++square)
        words_[piece][square] =
            square % 8 < 4 ? splitmix64(seed) : mirrored(words_[piece][square ^ 7]);
  }
  std::uint64_t of(int piece, int square) const { return words_[piece][square]; }  // 0 for no piece
  std::uint64_t of(const Board& board) const {
    std::uint64_t hash = 0;
    for (int square = 0; square < square_count; ++square)
      hash ^= of(board.piece_at(square), square);
    return hash;
  }
  static std::uint64_t mirrored(std::uint64_t hash) { return std::rotl(hash, 32); }

 private:
  std::array<std::array<std::uint64_t, square_count>, piece_codes> words_{};
};

// A position is a board and the player to move. The word that tells the players apart is its own
// mirror image.
constexpr std::uint64_t position_hash(std::uint64_t board_hash, int to_move) {
  return to_move ? board_hash ^ 0x5bf036355bf03635 : board_hash;
}

// The positions at the starts of turns, in order; no position occurs more than twice.
struct History {
  static constexpr std::size_t capacity = 450;

  std::uint64_t sum = 0;       // over the mixed entries: equal for equal entries in any order
  std::uint32_t size = 0;      // entries in use; the others are zero
  std::uint32_t repeated = 0;  // positions that have occurred twice
  std::array<std::uint64_t, capacity> entries{};

  // If the history is full, what it held is forgotten.
  void add(std::uint64_t position) {
    if (size == capacity) clear();
    const auto end = entries.begin() + size;
    repeated += std::find(entries.begin(), end, position) != end;
    sum += mix(position, 0);
    entries[size++] = position;
  }
  void clear() {
    std::fill_n(entries.begin(), size, 0);
    sum = size = repeated = 0;
  }
  void mirror() {
    sum = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      entries[i] = BoardHash::mirrored(entries[i]);
      sum += mix(entries[i], 0);
    }
  }
  std::uint64_t last() const { return size ? entries[size - 1] : 0; }
  bool occurred_twice(std::uint64_t position) const {
    return repeated > 0 && std::count(entries.begin(), entries.begin() + size, position) >= 2;
  }

  // Hexadecimal entries joined by commas, or -.
  std::string text() const {
    std::string out;
    for (std::uint32_t i = 0; i < size; ++i) {
      char entry[18];
      std::snprintf(entry, sizeof entry, ",%016llx", static_cast<unsigned long long>(entries[i]));
      out += entry + (i == 0);
    }
    return size ? out : "-";
  }
  static bool read(std::string_view text, History& out) {
    constexpr std::size_t digits = 16, stride = digits + 1;
    out.clear();
    if (text == "-") return true;
    if (text.size() % stride != digits || text.size() / stride >= capacity) return false;
    for (std::size_t i = 0; i < text.size(); i += stride) {
      std::uint64_t position = 0;
      const char *begin = text.data() + i, *end = begin + digits;
      if (std::from_chars(begin, end, position, 16).ptr != end) return false;
      if (i + digits < text.size() && *end != ',') return false;
      out.add(position);
    }
    return true;
  }
  // Not longer than its capacity.
  std::string flaw() const {
    std::vector<std::uint64_t> sorted(entries.begin(), entries.begin() + size);
    std::sort(sorted.begin(), sorted.end());
    std::uint64_t total = 0;
    std::uint32_t pairs = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      total += mix(sorted[i], 0);
      pairs += i >= 1 && sorted[i] == sorted[i - 1];
      if (i >= 2 && sorted[i] == sorted[i - 2]) return "a position occurred three times";
    }
    return total == sum && pairs == repeated ? "" : "the sums do not fit the history";
  }
};

}  // namespace athenan::arimaa_board
