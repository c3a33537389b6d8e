// Names of games with their options are refused, or they make a game whose start is in order.
#include "fuzz/fuzz.h"

namespace athenan::fuzz {

std::vector<std::string> seeds() {
  std::vector<std::string> seeds;
  for (const Start& start : starts()) seeds.push_back(start.game->id());
  return seeds;
}

void fuzz(Input& input) {
  std::shared_ptr<Game> game;
  if (!accepted<ParameterError>([&] { game = make_game(input.rest()); })) return;
  context = game->id();
  CHECK(make_game(game->id())->id() == game->id());
  Place state(*game);
  game->initial(state.data());
  Random random = input.random();
  check_round_trips(*game, state, random);
  check_symmetries(*game, state, random);
  CHECK(!moves_of(*game, state).empty());
}

}  // namespace athenan::fuzz
