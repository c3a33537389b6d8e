// Bytes from outside are refused, or they are states with which everything works.
#include "fuzz/fuzz.h"

namespace athenan::fuzz {

std::vector<std::string> seeds() {
  return seeds_of_states([](const Game& game, const Place& state) {
    return std::string(reinterpret_cast<const char*>(state.data()), game.live_size(state.data()));
  });
}

void fuzz(Input& input) {
  const Game& game = *input.start().game;
  const std::string_view bytes = input.rest();
  Place state(game);
  if (accepted<PositionError>([&] {
        game.read(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size(), state.data());
      }))
    use(game, state, input.random());
}

}  // namespace athenan::fuzz
