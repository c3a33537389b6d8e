// Texts of positions are refused, or they are states with which everything works.
#include "fuzz/fuzz.h"

namespace athenan::fuzz {

std::vector<std::string> seeds() {
  return seeds_of_states(
      [](const Game& game, const Place& state) { return game.position_text(state.data()); });
}

void fuzz(Input& input) {
  const Game& game = *input.start().game;
  Place state(game);
  if (accepted<PositionError>([&] { game.parse_position(input.rest(), state.data()); }))
    use(game, state, input.random());
}

}  // namespace athenan::fuzz
