// What every game of the registry promises, checked from C++ so that sanitizers see all of it.
#include "base/error.h"
#include "games/bulk.h"
#include "tests/state_checks.h"

namespace athenan::testing {
namespace {

// Plays on at random, looking closely at about `looks` of the states on the way.
void play_to_the_end(const Game& game, Place state, int looks, Random& random) {
  const std::string match = context;
  const auto one_in = static_cast<std::uint32_t>(1 + game.datasheet().max_length / looks);
  while (game.result(state.data()) == Result::ongoing) {
    context = match + ", ply " + std::to_string(game.ply(state.data()));
    const MoveList moves = moves_of(game, state);
    CHECK(!moves.empty());
    if (moves.empty()) break;
    if (random.below(one_in) == 0) check_state(game, state, random);
    game.apply(state.data(), moves[random.below(static_cast<std::uint32_t>(moves.size()))],
               static_cast<std::uint32_t>(moves.size()));
  }
  CHECK(game.ply(state.data()) <= game.datasheet().max_length);
  check_state(game, state, random);
  context = match;
}

void test_matches(const Game& game) {
  for (int match = 0; match < 3; ++match) {
    Random random(match);
    context = game.id() + ", match " + std::to_string(match);
    Place state(game);
    game.initial(state.data());
    check_state(game, state, random);
    play_to_the_end(game, state, 10, random);
    const Playout end = game.playout(state.data(), random);
    CHECK(end.result != Result::ongoing && end.plies <= game.datasheet().max_length);
    // The state that a playout leaves is the end of a match.
    game.check(state.data());
    CHECK(game.result(state.data()) == end.result);
    CHECK(game.ply(state.data()) == end.plies);
  }
}

// Bytes from outside are refused or are a state with which everything works.
void fuzz_bytes(const Game& game) {
  Random random(1);
  int accepted = 0;
  for (int round = 0; round < 300; ++round) {
    context = game.id() + ", bytes " + std::to_string(round);
    Bytes bytes = live_bytes(game, random_state(game, 30, random));
    const std::uint32_t damage = random.below(4);
    for (std::uint32_t k = 0; k < damage; ++k)
      bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] =
          static_cast<std::byte>(random.below(256));
    if (round % 10 == 0)
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
    if (round % 7 == 0) bytes.resize(random.below(static_cast<std::uint32_t>(2 * bytes.size())));
    Place state(game);
    try {
      game.read(bytes.data(), bytes.size(), state.data());
    } catch (const PositionError&) {
      continue;
    }
    if (++accepted % 8 == 0) play_to_the_end(game, state, 2, random);
  }
  CHECK(accepted > 0);
}

void fuzz_positions(const Game& game) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    context = game.id() + ", text " + std::to_string(round);
    const Place start = random_state(game, 30, random);
    std::string text = game.position_text(start.data());
    for (std::uint32_t k = random.below(4); k > 0; --k) {
      const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
      if (random.below(3) == 0)
        text.erase(at, 1 + random.below(4));
      else
        text[at] = random.below(2) ? text[random.below(static_cast<std::uint32_t>(text.size()))]
                                   : static_cast<char>(random.below(256));
      if (text.empty()) break;
    }
    Place state(game);
    try {
      game.parse_position(text, state.data());
    } catch (const PositionError&) {
      continue;
    }
    if (round % 8 == 0) play_to_the_end(game, state, 2, random);
  }
}

void test_tic_tac_toe_perft() {
  context = "tic_tac_toe perft";
  const auto game = make_game("tic_tac_toe");
  const std::vector<std::uint64_t> expected{1,     9,     72,     504,    3024,
                                            15120, 54720, 148176, 200448, 127872};
  Place start(*game);
  game->initial(start.data());
  for (std::size_t depth = 0; depth < expected.size(); ++depth)
    CHECK(perft(*game, start.data(), static_cast<int>(depth), 1) == expected[depth]);
}

}  // namespace
}  // namespace athenan::testing

int main() {
  using namespace athenan::testing;
  for (const auto& game : games_under_test()) {
    guarded([&] { test_matches(*game); });
    guarded([&] { fuzz_bytes(*game); });
    guarded([&] { fuzz_positions(*game); });
  }
  test_tic_tac_toe_perft();
  return verdict();
}
