// Work over many states gives the same results on one thread and on several.
#include <cstring>

#include "base/error.h"
#include "base/parallel.h"
#include "games/bulk.h"
#include "tests/check.h"
#include "tests/games_under_test.h"

namespace athenan::testing {
namespace {

constexpr int several = 4;

// The states of random matches, one after the other, as the bulk operations take them.
std::vector<std::uint64_t> random_states(const Game& game, std::size_t count) {
  const std::size_t words = game.state_size() / 8;
  std::vector<std::uint64_t> states(count * words);
  Random random(11);
  Place state(game);
  game.initial(state.data());
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(states.data() + i * words, state.data(), game.live_size(state.data()));
    MoveList moves;
    game.moves(state.data(), moves);
    if (moves.empty())
      game.initial(state.data());
    else
      game.play(state.data(), moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
  }
  return states;
}

void test_encode_many(const Game& game, const std::byte* states, std::size_t count) {
  std::vector<std::int8_t> one(count * game.encoded_size()), many(one.size(), -1);
  encode_many(game, states, count, game.state_size(), one.data(), 1);
  encode_many(game, states, count, game.state_size(), many.data(), several);
  CHECK(one == many);
}

void test_expand_many(const Game& game, const std::byte* states, std::size_t count) {
  const Expansions one = expand_many(game, states, count, game.state_size(), 1);
  const Expansions many = expand_many(game, states, count, game.state_size(), several);
  CHECK(one.offsets == many.offsets && one.moves == many.moves);
  CHECK(one.results == many.results && one.keys == many.keys);
  CHECK(one.children.size() == many.children.size());
  for (std::size_t i = 0; i < one.moves.size(); ++i) {
    const std::byte* a = one.children.data() + i * game.state_size();
    const std::byte* b = many.children.data() + i * game.state_size();
    CHECK(game.equal(a, b));
  }
}

void test_playouts(const Game& game, const std::byte* start) {
  constexpr std::uint64_t count = 300;
  const PlayoutTally one = random_playouts(game, start, count, 5, 1);
  const PlayoutTally many = random_playouts(game, start, count, 5, several);
  CHECK(one.first_wins + one.draws + one.second_wins == count);
  CHECK(one.first_wins == many.first_wins && one.draws == many.draws &&
        one.second_wins == many.second_wins && one.plies == many.plies);
}

void test_perft(const Game& game, const std::byte* start) {
  MoveList moves;
  game.moves(start, moves);
  const int depth = moves.size() < 40 ? 4 : 3;  // from 3 on, perft shares its work
  if (moves.size() > 200) return;
  CHECK(perft(game, start, depth, 1) == perft(game, start, depth, several));
}

void test_game(const Game& game) {
  context = game.id();
  constexpr std::size_t count = 600;
  const auto words = random_states(game, count);
  const auto* states = reinterpret_cast<const std::byte*>(words.data());
  test_encode_many(game, states, count);
  test_expand_many(game, states, count);
  test_playouts(game, states);
  test_perft(game, states);
}

void test_exceptions_cross_threads() {
  context = "parallel_for";
  CHECK(throws<Error>([] {
    parallel_for(1000, several, 1, [](std::size_t begin, std::size_t) {
      if (begin == 500) throw Error("stop");
    });
  }));
  std::atomic<std::size_t> done{0};
  parallel_for(1000, several, 7, [&](std::size_t begin, std::size_t end) { done += end - begin; });
  CHECK(done == 1000);
}

}  // namespace
}  // namespace athenan::testing

int main() {
  using namespace athenan;
  using namespace athenan::testing;
  for (const GameEntry& entry : registry()) guarded([&] { test_game(*make_game(entry.name)); });
  test_exceptions_cross_threads();
  return verdict();
}
