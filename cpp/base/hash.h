// A 64-bit hash of a few dozen bytes: one multiply-and-fold per 8 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace athenan {

inline std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return fold_multiply(a ^ 0xa0761d6478bd642full, b ^ 0xe7037ed1a0b428dbull);
}

inline std::uint64_t hash_bytes(const void* data, std::size_t size) {
  const char* bytes = static_cast<const char*>(data);
  std::uint64_t h = 0x8ebc6af09c88c6e3ull ^ size;
  while (size > 0) {
    std::uint64_t word = 0;
    const std::size_t step = size < 8 ? size : 8;
    std::memcpy(&word, bytes, step);
    h = mix(h, word);
    bytes += step;
    size -= step;
  }
  return mix(h, 0x589965cc75374cc3ull);
}

}  // namespace athenan
