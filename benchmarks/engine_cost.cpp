// What the engine costs without a network: one kind of search on one game, or a pool of self-play,
// with values that cost nothing. Prints the processor time, and numbers that say whether two
// versions of the engine did the same. It compiles against earlier versions too: see `earlier.py`.
//
//     engine_cost GAME SEARCH SLOTS WORK
//
// Without slots, so many searches from the start of a match, each with a new tree; else so many
// matches of self-play, as many at a time as there are slots.
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/hash.h"
#include "games/registry.h"
#include "matches/pool.h"

namespace {

using namespace athenan;

double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Done {
  std::uint64_t expansions = 0, evaluations = 0, result = 0;  // result: a hash of what was found
};

float next_value(std::uint64_t& drawn) {
  return static_cast<float>(static_cast<double>(mix(drawn++, 1) >> 40) * 0x1.0p-23 - 1.0);
}

void think(Search& search, const Game& game, const Budget& budget, std::uint64_t seed, Done& done) {
  std::vector<std::uint64_t> state(game.state_size() / 8);
  auto* bytes = reinterpret_cast<std::byte*>(state.data());
  game.initial(bytes);
  search.new_match(seed);
  search.begin(bytes, budget);
  std::vector<float> values;
  std::uint64_t drawn = seed << 32;
  while (const std::size_t count = search.advance()) {
    values.resize(count);
    for (float& value : values) value = next_value(drawn);
    search.receive(values.data());
  }
  done.expansions += search.spent().expansions;
  done.evaluations += search.spent().evaluations;
  done.result = mix(done.result, mix(search.node_count(), search.decide()));
}

// The constructor and the batches of a pool were others in earlier versions.
template <class P>
std::unique_ptr<P> make_pool(std::shared_ptr<const Game> game, std::vector<MindSpec> minds,
                             int slots) {
  if constexpr (std::is_constructible_v<P, std::shared_ptr<const Game>, std::vector<MindSpec>,
                                        Learning, int, int, const ResolvedMemory*>)
    return std::make_unique<P>(game, minds, Learning::tree, slots, 1, nullptr);
  else
    return std::unique_ptr<P>(new P(game, minds, {Learning::tree}, slots, 1, nullptr));
}
template <class P>
bool collect(P& pool) {
  if constexpr (requires { pool.waiting(); })
    return pool.collect() && pool.waiting() > 0;
  else
    return pool.collect() > 0;
}

void play(Pool& pool, int matches, std::uint64_t seed, Done& done) {
  for (int i = 0; i < matches; ++i) {
    MatchPlan plan;
    plan.index = plan.seed = seed * 1'000'000 + i;
    pool.add(plan);
  }
  std::vector<float> values;
  std::uint64_t drawn = seed << 32;
  while (collect(pool)) {
    values.resize(pool.batch_size(0));
    for (float& value : values) value = next_value(drawn);
    pool.resume(0, values.data(), nullptr);
    for (const MatchRecord& record : pool.take_finished())
      for (const Move move : record.moves) done.result = mix(done.result, move);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return std::fprintf(stderr, "engine_cost GAME SEARCH SLOTS WORK\n"), 2;
  const auto game = make_game(argv[1]);
  const SearchSpec spec(argv[2]);
  const int slots = std::atoi(argv[3]), work = std::atoi(argv[4]);
  Done done;
  double begin = 0;
  if (slots == 0) {
    const auto search = spec.make(game, false);
    think(*search, *game, spec.budget(), 0, done);  // memory is there from now on
    done = {};
    begin = processor_seconds();
    for (int i = 1; i <= work; ++i) think(*search, *game, spec.budget(), i, done);
  } else {
    const auto pool =
        make_pool<Pool>(game, {MindSpec{spec, Selection("ordinal:schedule=uniform"), 0}}, slots);
    begin = processor_seconds();
    play(*pool, work, 1, done);
    done.expansions = pool->spent().expansions;
    done.evaluations = pool->spent().evaluations;
  }
  std::printf("%.6f %llu %llu %llx\n", processor_seconds() - begin,
              static_cast<unsigned long long>(done.expansions),
              static_cast<unsigned long long>(done.evaluations),
              static_cast<unsigned long long>(done.result));
}
