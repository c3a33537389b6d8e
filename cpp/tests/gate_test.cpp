// Packed states from anywhere pass the gate or are refused, and what passes can be used; searches
// keep within any memory cap: over the whole registry, for the sanitizers.
#include <cstring>

#include "base/error.h"
#include "games/bulk.h"
#include "search/algorithms.h"
#include "search/fake_evaluator.h"
#include "tests/check.h"
#include "tests/games_under_test.h"

namespace athenan::testing {
namespace {

// The states of one random match, packed, exactly so many bytes: one more read is an overflow.
std::vector<std::byte> packed_match(const Game& game, Random& random) {
  std::vector<std::byte> packed;
  Place state(game);
  game.initial(state.data());
  for (MoveList moves; packed.size() < 40 * game.packed_size();) {
    packed.insert(packed.end(), state.data(), state.data() + game.packed_size());
    game.moves(state.data(), moves);
    if (moves.empty()) break;
    game.play(state.data(), moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
  }
  return packed;
}

// Uses a packed state as learning does; false if it was refused, which is then so in every use.
bool use(const Game& game, const std::vector<std::byte>& packed, std::uint8_t symmetry) {
  std::vector<std::int8_t> planes(game.encoded_size());
  std::vector<std::byte> image(game.packed_size());
  const std::int64_t row = 0;
  const auto check = [&] { check_packed(game, packed.data(), 1, 1); };
  const auto encode = [&] { encode_rows(game, packed.data(), 1, &row, 1, planes.data(), 1); };
  const auto transform = [&] {
    transform_many(game, packed.data(), &symmetry, 1, image.data(), 1);
  };
  if (throws<PositionError>(check)) {
    CHECK(throws<PositionError>(encode) && throws<PositionError>(transform));
    return false;
  }
  encode();
  transform();
  check_packed(game, image.data(), 1, 1);
  return true;
}

void test_packed(const Game& game) {
  context = game.id() + ", packed states";
  Random random(3);
  const std::vector<std::byte> match = packed_match(game, random);
  const std::size_t size = game.packed_size();
  const auto symmetries = static_cast<std::uint32_t>(game.datasheet().symmetries);
  int refused = 0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t row = random.below(static_cast<std::uint32_t>(match.size() / size));
    std::vector<std::byte> packed(match.begin() + row * size, match.begin() + (row + 1) * size);
    const auto symmetry = static_cast<std::uint8_t>(random.below(symmetries));
    CHECK(use(game, packed, symmetry));
    const std::size_t damage = round % 5 == 0 ? size : 1 + random.below(4);
    for (std::size_t k = 0; k < damage; ++k)
      packed[damage == size ? k : random.below(static_cast<std::uint32_t>(size))] =
          static_cast<std::byte>(random.below(256));
    refused += !use(game, packed, symmetry);
  }
  CHECK(refused > 40);
  const std::uint8_t beyond = static_cast<std::uint8_t>(symmetries);
  std::vector<std::byte> image(size);
  CHECK(throws<Error>([&] { transform_many(game, match.data(), &beyond, 1, image.data(), 1); }));
}

// A search in the least memory ends by itself and decides on a move, or says how much it needs.
void test_caps(const std::shared_ptr<Game>& game) {
  Place state(*game);
  for (const AlgorithmEntry& algorithm : algorithms()) {
    if (SearchSpec(algorithm.name).asks_of_moves() != MoveAnswers::none) continue;
    if (algorithm.for_one_player && game->datasheet().players != 1) continue;
    context = game->id() + ", " + algorithm.name;
    const auto search = SearchSpec(algorithm.name + ":memory_mb=1").make(game, true);
    search->new_match(1);
    game->initial(state.data());
    for (int ply = 0; ply < 3 && game->result(state.data()) == Result::ongoing; ++ply) {
      search->begin(state.data(), {.evaluations = 6000, .iterations = 200});
      try {
        run_with_fake_evaluator(*search, 1, nullptr);
      } catch (const ParameterError&) {
        CHECK(!search->has_begun());
        break;
      }
      CHECK(search->tree_bytes() <= std::size_t{11} << 17);
      game->play(state.data(), search->decide());
    }
  }
}

}  // namespace
}  // namespace athenan::testing

int main() {
  using namespace athenan;
  using namespace athenan::testing;
  for (const auto& game : games_under_test()) guarded([&] { test_packed(*game); });
  for (const GameEntry& entry : registry()) guarded([&] { test_caps(make_game(entry.name)); });
  return verdict();
}
