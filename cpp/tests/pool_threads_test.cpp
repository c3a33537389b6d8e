// Matches played together are the matches played one by one, on one thread and on several, with
// every search algorithm.
#include <algorithm>
#include <limits>
#include <thread>

#include "base/error.h"
#include "matches/pool.h"
#include "search/fake_evaluator.h"
#include "tests/check.h"
#include "tests/games_under_test.h"

namespace athenan::testing {
namespace {

constexpr std::uint64_t match_count = 12;

// Values, and logits where moves are asked for, that look random and depend on the planes alone.
void answer(Pool& pool, int evaluator) {
  const std::size_t size = pool.game().encoded_size();
  std::vector<float> values(pool.batch_size(evaluator)), logits;
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = hash_value(pool.planes(evaluator)->data() + i * size, size, 1);
  if (pool.wants_logits(evaluator)) {
    const LegalMoves& moves = pool.moves(evaluator);
    CHECK(moves.offsets.size() == values.size() + 1);
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::int64_t n = moves.offsets[i]; n < moves.offsets[i + 1]; ++n)
        logits.push_back(values[i] * static_cast<float>(moves.numbers[n] % 7));
  }
  pool.resume(evaluator, values.data(), logits.empty() ? nullptr : logits.data());
}

// The matches are the same whether the pool is left alone or interrupted all the time.
bool collect(Pool& pool, bool interrupted) {
  while (!pool.collect(interrupted ? TimePoint::min() : TimePoint::max())) continue;
  return pool.waiting() > 0;
}

std::vector<MatchRecord> records(const std::string& game, const std::string& search, int slots,
                                 int threads, bool interrupted = false) {
  Pool pool(make_game(game), {MindSpec{SearchSpec(search), std::nullopt, 0}}, Lesson{}, slots,
            threads, nullptr);
  for (std::uint64_t i = 0; i < match_count; ++i) {
    MatchPlan plan;
    plan.index = i;
    plan.seed = 100 + i;
    pool.add(plan);
  }
  while (collect(pool, interrupted))
    for (int evaluator = 0; evaluator < pool.evaluators(); ++evaluator)
      if (pool.batch_size(evaluator) > 0) answer(pool, evaluator);
  std::vector<MatchRecord> all = pool.take_finished();
  std::sort(all.begin(), all.end(),
            [](const MatchRecord& a, const MatchRecord& b) { return a.index < b.index; });
  return all;
}

void check_same(const std::vector<MatchRecord>& a, const std::vector<MatchRecord>& b) {
  CHECK(a.size() == match_count && b.size() == match_count);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    CHECK(a[i].moves == b[i].moves && a[i].values == b[i].values && a[i].result == b[i].result &&
          a[i].end == b[i].end);
}

void test_pool(const std::string& game, const std::string& search) {
  context = game + ", " + search;
  const auto one_by_one = records(game, search, 1, 1);
  check_same(one_by_one, records(game, search, 5, 1));
  check_same(one_by_one, records(game, search, 5, 4));
  check_same(one_by_one, records(game, search, 5, 2, true));
}

// Openings that are refused and matches added meanwhile: each failure is told once, on any number
// of threads, and every other match is played.
void test_failures(int threads) {
  context = "failing openings, threads " + std::to_string(threads);
  Pool pool(make_game("tic_tac_toe"), {MindSpec{SearchSpec("ubfm:expansions=5"), std::nullopt, 0}},
            Lesson{}, 4, threads, nullptr);
  constexpr std::uint64_t count = 60;
  std::jthread adding([&] {
    for (std::uint64_t i = 0; i < count; ++i)
      pool.add({i, i, i % 3 == 0 ? MoveList{4, 4} : MoveList{4}, 0, 0});
  });
  std::uint64_t failed = 0, played = 0;
  while (failed + played < count) {
    try {
      pool.collect();
      if (pool.batch_size(0) > 0) answer(pool, 0);
    } catch (const MatchFailed& failure) {
      CHECK(failure.index % 3 == 0);
      CHECK(throws<IllegalMoveError>([&] { std::rethrow_exception(failure.reason); }));
      CHECK(pool.batch_size(0) == 0);
      CHECK(throws<Error>([&] { pool.resume(0, nullptr, nullptr); }));
      ++failed;
    }
    played += pool.take_finished().size();
  }
  CHECK(failed == count / 3 && played == count - count / 3);
}

// A value that is not finite fails its match alone.
void test_wrong_values() {
  context = "values that are not finite";
  Pool pool(make_game("hex:size=3"), {MindSpec{SearchSpec("descent:expansions=5"), {}, 0}},
            Lesson{Learning::tree}, 2, 2, nullptr);
  for (std::uint64_t i = 0; i < 2; ++i) pool.add({i, i, {}, 0, 0});
  pool.collect();
  std::vector<float> values(pool.batch_size(0), 0.0f);
  values[1] = std::numeric_limits<float>::quiet_NaN();
  pool.resume(0, values.data(), nullptr);
  CHECK(throws<MatchFailed>([&] { pool.collect(); }));
  pool.add({2, 2, {}, 0, 0});
  while (pool.collect() && pool.waiting()) answer(pool, 0);
  CHECK(pool.take_finished().size() == 2);
}

}  // namespace
}  // namespace athenan::testing

int main() {
  using namespace athenan;
  using namespace athenan::testing;
  for (const std::string game : {"tic_tac_toe", "hex:size=4", "othello:size=4"}) {
    for (const AlgorithmEntry& algorithm : algorithms())
      if (!algorithm.for_one_player)
        guarded([&] { test_pool(game, algorithm.name + ":expansions=20,iterations=20"); });
    guarded([&] { test_pool(game, "ubfm:expansions=20,values=moves,judged=2,sampled=1"); });
  }
  guarded([&] { test_pool("morpion", "nrpa:iterations=5"); });
  for (const int threads : {1, 4}) guarded([&] { test_failures(threads); });
  guarded(test_wrong_values);
  return verdict();
}
