// A set of up to 64 * Words cells as machine words. Cell i is bit i; cell = row * columns + column
// in the games that use it. Operations never mask: the game owns the mask of its board.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>

namespace athenan {

template <int Words>
struct Bitboard {
  std::array<std::uint64_t, Words> words{};

  static constexpr Bitboard cell(int i) {
    Bitboard b;
    b.set(i);
    return b;
  }

  constexpr bool test(int i) const { return (words[i >> 6] >> (i & 63)) & 1; }
  constexpr void set(int i) { words[i >> 6] |= std::uint64_t{1} << (i & 63); }
  constexpr void reset(int i) { words[i >> 6] &= ~(std::uint64_t{1} << (i & 63)); }

  constexpr bool any() const {
    std::uint64_t all = 0;
    for (auto w : words) all |= w;
    return all != 0;
  }
  constexpr bool none() const { return !any(); }

  constexpr int count() const {
    int n = 0;
    for (auto w : words) n += std::popcount(w);
    return n;
  }

  // The lowest cell; the board must not be empty.
  constexpr int first() const {
    for (int k = 0; k < Words; ++k)
      if (words[k]) return 64 * k + std::countr_zero(words[k]);
    return -1;
  }

  // The highest cell; the board must not be empty.
  constexpr int last() const {
    for (int k = Words - 1; k >= 0; --k)
      if (words[k]) return 64 * k + 63 - std::countl_zero(words[k]);
    return -1;
  }

  // The n-th cell from below, counting from 0; n < count().
  constexpr int nth(int n) const {
    for (int k = 0; k < Words; ++k) {
      const int here = std::popcount(words[k]);
      if (n < here) return 64 * k + nth_bit(words[k], n);
      n -= here;
    }
    return -1;
  }

  // Calls f(cell) for each cell from the lowest to the highest.
  template <class F>
  constexpr void for_each(F&& f) const {
    for (int k = 0; k < Words; ++k)
      for (std::uint64_t w = words[k]; w; w &= w - 1) f(64 * k + std::countr_zero(w));
  }

  // The set with each cell i moved to map[i].
  template <class Map>
  constexpr Bitboard mapped(const Map& map) const {
    Bitboard out;
    for_each([&](int cell) { out.set(map[cell]); });
    return out;
  }

  // The set with each cell i moved to i + n (shifted_up) or i - n (shifted_down); 0 <= n < 64 *
  // Words.
  constexpr Bitboard shifted_up(int n) const {
    Bitboard out;
    const int whole = n >> 6, part = n & 63;
    for (int k = Words - 1; k >= whole; --k) {
      out.words[k] = words[k - whole] << part;
      if (part && k > whole) out.words[k] |= words[k - whole - 1] >> (64 - part);
    }
    return out;
  }
  constexpr Bitboard shifted_down(int n) const {
    Bitboard out;
    const int whole = n >> 6, part = n & 63;
    for (int k = 0; k + whole < Words; ++k) {
      out.words[k] = words[k + whole] >> part;
      if (part && k + whole + 1 < Words) out.words[k] |= words[k + whole + 1] << (64 - part);
    }
    return out;
  }
  // Positive n moves cells up, negative n down.
  constexpr Bitboard shifted(int n) const { return n >= 0 ? shifted_up(n) : shifted_down(-n); }

  friend constexpr Bitboard operator&(Bitboard a, const Bitboard& b) { return a &= b; }
  friend constexpr Bitboard operator|(Bitboard a, const Bitboard& b) { return a |= b; }
  friend constexpr Bitboard operator^(Bitboard a, const Bitboard& b) { return a ^= b; }
  constexpr Bitboard operator~() const {
    Bitboard out;
    for (int k = 0; k < Words; ++k) out.words[k] = ~words[k];
    return out;
  }
  constexpr Bitboard& operator&=(const Bitboard& b) {
    for (int k = 0; k < Words; ++k) words[k] &= b.words[k];
    return *this;
  }
  constexpr Bitboard& operator|=(const Bitboard& b) {
    for (int k = 0; k < Words; ++k) words[k] |= b.words[k];
    return *this;
  }
  constexpr Bitboard& operator^=(const Bitboard& b) {
    for (int k = 0; k < Words; ++k) words[k] ^= b.words[k];
    return *this;
  }
  friend constexpr bool operator==(const Bitboard&, const Bitboard&) = default;

 private:
  static constexpr int nth_bit(std::uint64_t w, int n) {
    while (n-- > 0) w &= w - 1;
    return std::countr_zero(w);
  }
};

}  // namespace athenan
