// Matches played together are the matches played one by one, on one thread and on several, with
// every search algorithm.
#include <algorithm>

#include "matches/pool.h"
#include "search/fake_evaluator.h"
#include "tests/check.h"
#include "tests/games_under_test.h"

namespace athenan::testing {
namespace {

constexpr std::uint64_t match_count = 12;

// Values, and policies where they are wanted, that look random and depend on the planes alone.
void answer(Pool& pool, int evaluator) {
  const std::size_t size = pool.game().encoded_size();
  const std::uint32_t moves = pool.wants_policy(evaluator) ? pool.game().move_count() : 0;
  std::vector<float> values(pool.batch_size(evaluator)), policies;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = hash_value(pool.planes(evaluator) + i * size, size, 1);
    for (std::uint32_t move = 0; move < moves; ++move) policies.push_back(values[i] * (move % 7));
  }
  pool.resume(evaluator, values.data(), policies.empty() ? nullptr : policies.data());
}

std::vector<MatchRecord> records(const std::string& game, const std::string& search, int slots,
                                 int threads) {
  Pool pool(make_game(game), {MindSpec{SearchSpec(search), std::nullopt, 0}}, Learning::none, slots,
            threads, nullptr);
  for (std::uint64_t i = 0; i < match_count; ++i) {
    MatchPlan plan;
    plan.index = i;
    plan.seed = 100 + i;
    pool.add(plan);
  }
  while (pool.collect())
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
}

}  // namespace
}  // namespace athenan::testing

int main() {
  using namespace athenan;
  using namespace athenan::testing;
  for (const std::string game : {"tic_tac_toe", "hex:size=4", "othello:size=4"})
    for (const AlgorithmEntry& algorithm : algorithms())
      guarded([&] { test_pool(game, algorithm.name + ":expansions=20,iterations=20"); });
  return verdict();
}
