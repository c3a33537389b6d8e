// Moves as numbers and as texts: legal ones are played, any others are refused. What may be asked
// of a number that is not legal (its text, its image) has an answer or is refused.
#include "fuzz/fuzz.h"

namespace athenan::fuzz {
namespace {

void use_number(const Game& game, const Place& state, Move move, int symmetry) {
  const MoveList legal = moves_of(game, state);
  const bool is_legal = std::find(legal.begin(), legal.end(), move) != legal.end();
  Place played = state;
  CHECK(accepted<IllegalMoveError>([&] { game.play(played.data(), move); }) == is_legal);
  if (is_legal) game.check(played.data());
  accepted<IllegalMoveError>([&] { CHECK(!game.move_text(state.data(), move).empty()); });
  accepted<Error>(
      [&] { CHECK(game.transform_move(state.data(), symmetry, move) < game.move_count()); });
}

void use_text(const Game& game, const Place& state, std::string_view text) {
  accepted<IllegalMoveError>([&] {
    const Move move = game.parse_move(state.data(), text);
    CHECK(game.move_text(state.data(), move) == text);
    MovePath path;
    game.move_path(state.data(), move, path);
    Place played = state;
    game.play(played.data(), move);
    game.check(played.data());
  });
}

}  // namespace

std::vector<std::string> seeds() {
  return seeds_of_states([](const Game& game, const Place& state) {
    const MoveList moves = moves_of(game, state);
    const std::string choices(7, '\0');
    return moves.empty() ? choices : choices + game.move_text(state.data(), moves.back());
  });
}

void fuzz(Input& input) {
  const Start& start = input.start();
  const Game& game = *start.game;
  const Place& state = start.states[input.below(start.states.size())];
  const auto move = input.number<Move>();
  const int symmetry = input.number<std::int8_t>();
  const bool near = input.below(2) == 0;  // most numbers of 32 bits are no move at all
  use_number(game, state, near ? move % (game.move_count() + 1) : move, symmetry);
  use_text(game, state, input.rest());
}

}  // namespace athenan::fuzz
