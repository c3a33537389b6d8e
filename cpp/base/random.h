// The one random generator of the engine: xoshiro256++ (Blackman & Vigna), seeded by splitmix64.
// Every stream of randomness is a Random value passed down explicitly; there is no global state.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace athenan {

inline std::uint64_t splitmix64(std::uint64_t& x) {
  std::uint64_t z = (x += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

class Random {
 public:
  explicit Random(std::uint64_t seed = 0) {
    for (auto& word : s_) word = splitmix64(seed);
  }

  // An independent stream: the same (seed, stream) always gives the same numbers.
  Random(std::uint64_t seed, std::uint64_t stream)
      : Random(seed ^ (0xd1342543de82ef95ull * (stream + 1))) {}

  std::uint64_t next() {
    const std::uint64_t out = std::rotl(s_[0] + s_[3], 23) + s_[0];
    const std::uint64_t t = s_[1] << 17;
    s_[2] ^= s_[0];
    s_[3] ^= s_[1];
    s_[1] ^= s_[2];
    s_[0] ^= s_[3];
    s_[2] ^= t;
    s_[3] = std::rotl(s_[3], 45);
    return out;
  }

  // Uniform in [0, n), n > 0. The bias, below n / 2^64, is far under anything measurable.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>((static_cast<unsigned __int128>(next()) * n) >> 64);
  }

  // Uniform in [0, 1) with 53 random bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::array<std::uint64_t, 4> s_;
};

}  // namespace athenan
