#include "search/fake_evaluator.h"

#include <vector>

#include "base/hash.h"

namespace athenan {

float hash_value(const std::int8_t* planes, std::size_t size, std::uint64_t seed) {
  const std::uint64_t h = mix(hash_bytes(planes, size), seed);
  return static_cast<float>(static_cast<double>(h >> 40) * 0x1.0p-23 - 1.0);
}

void run_with_fake_evaluator(Search& search, std::uint64_t seed, const Stop* stop) {
  const Game& game = search.game();
  std::vector<std::int8_t> planes;
  std::vector<float> values;
  while (!search.is_over()) {
    if (stop && stop->requested()) search.end_soon();
    const std::size_t count = search.advance(std::chrono::steady_clock::now() + slice);
    if (count == 0) continue;  // over, or the slice has ended
    values.assign(count, 0.0f);
    if (seed != 0) {
      const std::size_t size = game.encoded_size();
      planes.resize(count * size);
      game.encode(search.waiting(), count, game.state_size(), planes.data());
      for (std::size_t i = 0; i < count; ++i)
        values[i] = hash_value(planes.data() + i * size, size, seed);
    }
    search.receive(values.data());
  }
}

}  // namespace athenan
