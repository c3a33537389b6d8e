// Texts of searches are refused, or they make one that thinks within its budget and decides on a
// legal move, whatever finite values it is given.
#include <cmath>

#include "fuzz/fuzz.h"
#include "search/algorithms.h"

namespace athenan::fuzz {
namespace {

constexpr Budget budget{.expansions = 10, .iterations = 10};
constexpr float answers[] = {0, 1, -1, 0.5f, -0.5f, 1e-30f, 3e38f, -3e38f};

// Answers all that the search asks for; it asks no more than its budget allows.
void think(Search& search, Random& random) {
  const Game& game = search.game();
  for (int round = 0; !search.is_over(); ++round) {
    if (round == 200) search.end_soon();
    const std::size_t count = search.advance();
    if (count == 0) continue;
    std::vector<float> values, logits;
    MoveList legal;
    for (std::size_t i = 0; i < count; ++i) {
      game.moves(search.waiting() + i * game.state_size(), legal);
      values.push_back(answers[random.below(std::size(answers))]);
      for (std::size_t k = 0; k < legal.size(); ++k)
        logits.push_back(answers[random.below(std::size(answers))]);
    }
    search.receive(values.data(), logits.data());
  }
}

void check_thought(Search& search, const Place& root) {
  MoveList legal;
  search.game().moves(root.data(), legal);
  CHECK(search.has_moves());
  CHECK(search.root_moves().size() == legal.size());
  CHECK(std::count(legal.begin(), legal.end(), search.decide()) == 1);
  CHECK(std::isfinite(search.root_value()));
  Place ahead = root;
  for (const Move move : search.principal_variation()) search.game().play(ahead.data(), move);
  Targets targets;
  search.collect_targets(targets);
  CHECK(targets.states.size() == targets.values.size() * search.game().packed_size());
  search.all_labels();
}

// A match of a few turns: the tree is kept from one to the next.
void play(const SearchSpec& spec, const Start& start, Random& random) {
  const Game& game = *start.game;
  Place state = start.states[random.below(static_cast<std::uint32_t>(start.states.size()))];
  std::unique_ptr<Search> search;
  if (!accepted<ParameterError>([&] { search = spec.make(start.game, random.below(2) == 0); }))
    return;
  search->new_match(random.next());
  for (int turn = 0; turn < 3 && game.result(state.data()) == Result::ongoing; ++turn) {
    search->begin(state.data(), budget);
    think(*search, random);
    check_thought(*search, state);
    game.play(state.data(), search->decide());
  }
}

// Each iteration plays all of them to the end, however long that takes.
bool has_many_rollouts(const SearchSpec& spec) {
  if (!spec.options().has("rollouts")) return false;
  const std::string& number = spec.options().choice("rollouts");  // or true, or false
  return number.size() > 1 && number[0] <= '9';
}

}  // namespace

// A game, a search, and what it is changed to.
std::vector<std::string> seeds() {
  std::vector<std::string> seeds;
  for (const AlgorithmEntry& entry : algorithms()) {
    std::string all;
    for (const Parameter& option : entry.parameters) {
      all += (all.empty() ? "" : ",") + option.name + "=" + option.default_value;
      for (const std::string& value : values_to_try(option))
        seeds.push_back("\1" + entry.name + "\n" + option.name + "=" + value);
    }
    seeds.push_back("\2" + entry.name + ":" + all + "\nalphabeta:depth=2");
  }
  return seeds;
}

void fuzz(Input& input) {
  const Start& start = input.start();
  const std::string_view text = input.line();
  std::optional<SearchSpec> spec;
  if (!accepted<ParameterError>([&] { spec.emplace(text); })) return;
  accepted<ParameterError>([&] { spec = spec->updated(input.line()); });
  CHECK(SearchSpec(spec->text()) == *spec);
  CHECK(SearchSpec::names_algorithm(spec->text()));
  CHECK(SearchSpec(spec->unlimited().text()) == spec->unlimited());
  spec->is_limited();
  Random random = input.random();
  if (start.game->move_count() < 200 && !has_many_rollouts(*spec)) play(*spec, start, random);
}

}  // namespace athenan::fuzz
