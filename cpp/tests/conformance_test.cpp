// What every game of the registry promises, checked from C++ so that sanitizers see all of it.
#include <algorithm>
#include <cstring>
#include <set>

#include "base/error.h"
#include "games/bulk.h"
#include "tests/check.h"
#include "tests/games_under_test.h"

namespace athenan::testing {
namespace {

using Bytes = std::vector<std::byte>;

Bytes live_bytes(const Game& game, const Place& state) {
  return Bytes(state.data(), state.data() + game.live_size(state.data()));
}

std::vector<std::int8_t> planes_of(const Game& game, const Place& state) {
  std::vector<std::int8_t> planes(game.encoded_size());  // exactly: one plane more is an overflow
  game.encode(state.data(), 1, game.state_size(), planes.data());
  return planes;
}

MoveList moves_of(const Game& game, const Place& state) {
  MoveList moves;
  game.moves(state.data(), moves);
  return moves;
}

// Symmetries see the board; the history that some states carry for repetition rules, they need not.
bool same_board(const Game& game, const Place& a, const Place& b) {
  const bool has_history = game.packed_size() < sizeof(Header) + game.rules().state_size();
  return has_history ? planes_of(game, a) == planes_of(game, b) &&
                           game.to_move(a.data()) == game.to_move(b.data())
                     : game.equal(a.data(), b.data());
}

void check_moves(const Game& game, const Place& state) {
  const MoveList moves = moves_of(game, state);
  CHECK(moves.empty() == (game.result(state.data()) != Result::ongoing));
  CHECK((std::set<Move>(moves.begin(), moves.end()).size() == moves.size()));
  CHECK(std::all_of(moves.begin(), moves.end(), [&](Move m) { return m < game.move_count(); }));
}

void check_expansion(const Game& game, const Place& state) {
  for (const bool with_ply : {false, true}) {
    Expansion expansion;
    game.expand(state.data(), expansion, with_ply);
    CHECK(expansion.moves == moves_of(game, state));
    for (std::size_t i = 0; i < expansion.moves.size(); ++i) {
      Place child = state;
      game.apply(child.data(), expansion.moves[i],
                 static_cast<std::uint32_t>(expansion.moves.size()));
      const std::byte* expanded = expansion.children.data() + i * game.state_size();
      CHECK(game.live_size(expanded) == game.live_size(child.data()));
      CHECK(std::memcmp(expanded, child.data(), game.live_size(child.data())) == 0);
      CHECK(expansion.results[i] == game.result(child.data()));
      CHECK(expansion.keys[i] == game.key(child.data(), with_ply));
    }
  }
}

void check_round_trips(const Game& game, const Place& state, Random& random) {
  game.check(state.data());
  Place again(game);
  const Bytes bytes = live_bytes(game, state);
  game.read(bytes.data(), bytes.size(), again.data());
  CHECK(game.equal(state.data(), again.data()));
  CHECK(game.key(state.data()) == game.key(again.data()));

  const std::string text = game.position_text(state.data());
  game.parse_position(text, again.data());
  CHECK(game.position_text(again.data()) == text);
  CHECK(planes_of(game, again) == planes_of(game, state));
  CHECK(game.result(again.data()) == game.result(state.data()));

  const MoveList moves = moves_of(game, state);
  if (moves.empty()) return;
  const Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
  CHECK(game.parse_move(state.data(), game.move_text(state.data(), move)) == move);
}

void check_symmetries(const Game& game, const Place& state, Random& random) {
  const MoveList moves = moves_of(game, state);
  for (int k = 0; k < game.datasheet().symmetries; ++k) {
    Place image(game);
    game.transform(state.data(), k, image.data());
    game.check(image.data());
    CHECK(game.result(image.data()) == game.result(state.data()));
    CHECK(k > 0 || same_board(game, image, state));
    std::set<Move> expected;
    for (const Move move : moves) expected.insert(game.transform_move(state.data(), k, move));
    const MoveList found = moves_of(game, image);
    CHECK((expected == std::set<Move>(found.begin(), found.end())));
    if (moves.empty()) continue;

    const Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
    Place played = state, image_of_played(game);
    game.play(played.data(), move);
    game.transform(played.data(), k, image_of_played.data());
    game.play(image.data(), game.transform_move(state.data(), k, move));
    CHECK(same_board(game, image, image_of_played));
  }
}

void check_state(const Game& game, const Place& state, Random& random) {
  check_moves(game, state);
  check_expansion(game, state);
  check_round_trips(game, state, random);
  check_symmetries(game, state, random);
  CHECK(!game.drawing(state.data()).empty());
}

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

Place random_state(const Game& game, Random& random) {
  Place state(game);
  game.initial(state.data());
  for (std::uint32_t plies = random.below(30); plies > 0; --plies) {
    const MoveList moves = moves_of(game, state);
    if (moves.empty()) break;
    game.play(state.data(), moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
  }
  return state;
}

// Bytes from outside are refused or are a state with which everything works.
void fuzz_bytes(const Game& game) {
  Random random(1);
  int accepted = 0;
  for (int round = 0; round < 300; ++round) {
    context = game.id() + ", bytes " + std::to_string(round);
    Bytes bytes = live_bytes(game, random_state(game, random));
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
    const Place start = random_state(game, random);
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
