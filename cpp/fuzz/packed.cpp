// Packed bytes are refused, or they are states that can be encoded and mirrored.
#include "fuzz/fuzz.h"
#include "games/bulk.h"

namespace athenan::fuzz {

std::vector<std::string> seeds() {
  return seeds_of_states([](const Game& game, const Place& state) {
    return std::string(reinterpret_cast<const char*>(state.data()), game.packed_size()) + '\1';
  });
}

// Exactly packed_size() bytes, so that one more is an overflow; a shorter input is padded.
void fuzz(Input& input) {
  const Game& game = *input.start().game;
  std::vector<std::byte> packed(game.packed_size()), image(game.packed_size());
  for (std::byte& byte : packed) byte = input.number<std::byte>();
  if (!accepted<PositionError>([&] { check_packed(game, packed.data(), 1, 1); })) return;
  const std::int64_t row = 0;
  const auto symmetry = static_cast<std::uint8_t>(input.below(game.datasheet().symmetries));
  std::vector<std::int8_t> planes(game.encoded_size());
  encode_rows(game, packed.data(), 1, &row, 1, planes.data(), 1);
  transform_many(game, packed.data(), &symmetry, 1, image.data(), 1);
  check_packed(game, image.data(), 1, 1);
}

}  // namespace athenan::fuzz
