#include "games/arimaa_history.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <vector>

#include "base/hash.h"
#include "base/random.h"

namespace athenan::arimaa_board {

BoardHash::BoardHash() {
  std::uint64_t seed = 0;
  for (int piece = 1; piece < piece_codes; ++piece)
    for (int square = 0; square < square_count; ++square)
      words_[piece][square] =
          square % 8 < 4 ? splitmix64(seed) : mirrored(words_[piece][square ^ 7]);
}

std::uint64_t BoardHash::of(const Board& board) const {
  std::uint64_t hash = 0;
  for (int square = 0; square < square_count; ++square) hash ^= of(board.piece_at(square), square);
  return hash;
}

void History::add(std::uint64_t position) {
  if (size == capacity) clear();
  const auto end = entries.begin() + size;
  repeated += std::find(entries.begin(), end, position) != end;
  sum += mix(position, 0);
  entries[size++] = position;
}

void History::clear() {
  std::fill_n(entries.begin(), size, 0);
  sum = size = repeated = 0;
}

void History::mirror() {
  sum = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    entries[i] = BoardHash::mirrored(entries[i]);
    sum += mix(entries[i], 0);
  }
}

bool History::occurred_twice(std::uint64_t position) const {
  return repeated > 0 && std::count(entries.begin(), entries.begin() + size, position) >= 2;
}

std::string History::text() const {
  std::string out;
  for (std::uint32_t i = 0; i < size; ++i) {
    char entry[18];
    std::snprintf(entry, sizeof entry, ",%016llx", static_cast<unsigned long long>(entries[i]));
    out += entry + (i == 0);
  }
  return size ? out : "-";
}

bool History::read(std::string_view text, History& out) {
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

std::string History::flaw() const {
  if (size > capacity) return "the history is too long";
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

}  // namespace athenan::arimaa_board
