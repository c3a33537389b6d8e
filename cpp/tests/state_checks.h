// What every state of every game promises, whether it was reached by moves or came from outside.
#pragma once

#include <algorithm>
#include <cstring>
#include <set>

#include "tests/check.h"
#include "tests/games_under_test.h"

namespace athenan::testing {

using Bytes = std::vector<std::byte>;

inline Bytes live_bytes(const Game& game, const Place& state) {
  return Bytes(state.data(), state.data() + game.live_size(state.data()));
}

inline std::vector<std::int8_t> planes_of(const Game& game, const Place& state) {
  std::vector<std::int8_t> planes(game.encoded_size());  // exactly: one plane more is an overflow
  game.encode(state.data(), 1, game.state_size(), planes.data());
  return planes;
}

inline MoveList moves_of(const Game& game, const Place& state) {
  MoveList moves;
  game.moves(state.data(), moves);
  return moves;
}

// The state of a random match after fewer than `plies` moves, or its end.
inline Place random_state(const Game& game, std::uint32_t plies, Random& random) {
  Place state(game);
  game.initial(state.data());
  for (std::uint32_t left = random.below(plies); left > 0; --left) {
    const MoveList moves = moves_of(game, state);
    if (moves.empty()) break;
    game.play(state.data(), moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
  }
  return state;
}

// Symmetries see the board; the history that some states carry for repetition rules, they need not.
inline bool same_board(const Game& game, const Place& a, const Place& b) {
  const bool has_history = game.packed_size() < sizeof(Header) + game.rules().state_size();
  return has_history ? planes_of(game, a) == planes_of(game, b) &&
                           game.to_move(a.data()) == game.to_move(b.data())
                     : game.equal(a.data(), b.data());
}

inline void check_moves(const Game& game, const Place& state) {
  const MoveList moves = moves_of(game, state);
  CHECK(moves.empty() == (game.result(state.data()) != Result::ongoing));
  CHECK((std::set<Move>(moves.begin(), moves.end()).size() == moves.size()));
  CHECK(std::all_of(moves.begin(), moves.end(), [&](Move m) { return m < game.move_count(); }));
}

inline void check_expansion(const Game& game, const Place& state) {
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

inline void check_round_trips(const Game& game, const Place& state, Random& random) {
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

inline void check_symmetries(const Game& game, const Place& state, Random& random) {
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

inline void check_state(const Game& game, const Place& state, Random& random) {
  check_moves(game, state);
  check_expansion(game, state);
  check_round_trips(game, state, random);
  check_symmetries(game, state, random);
  CHECK(!game.drawing(state.data()).empty());
}

}  // namespace athenan::testing
