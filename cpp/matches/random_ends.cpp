#include "matches/random_ends.h"

#include <cstring>

#include "base/parallel.h"

namespace athenan {

Targets random_ends(const Game& game, std::string_view terminal, std::size_t count,
                    std::uint64_t seed, int threads, const Stop* stop) {
  const TerminalEvaluation evaluate(game, terminal);
  const std::size_t size = game.packed_size();
  Targets ends{std::vector<std::byte>(count * size), std::vector<float>(count)};
  constexpr std::size_t chunk = 64;  // one random stream per chunk, whoever plays it
  parallel_for(count, threads, chunk, [&](std::size_t begin, std::size_t end) {
    Random random(seed, begin / chunk);
    std::vector<std::uint64_t> storage(game.state_size() / 8);
    auto* state = reinterpret_cast<std::byte*>(storage.data());
    for (std::size_t i = begin; i < end; ++i) {
      throw_if_requested(stop);
      game.initial(state);
      if (evaluate.depends_on_path())
        while (game.play_randomly(state, random)) {
        }
      else
        game.playout(state, random);
      std::memcpy(ends.states.data() + i * size, state, size);
      ends.values[i] = evaluate(game, state, game.result(state));
    }
  });
  return ends;
}

}  // namespace athenan
