// Texts of move selections are refused, or they select one of the moves, whatever their labels are.
#include <bit>
#include <cmath>

#include "fuzz/fuzz.h"
#include "search/decision.h"

namespace athenan::fuzz {
namespace {

float finite(float number) { return std::isfinite(number) ? number : 0; }

std::vector<MoveLabel> labels(Input& input) {
  std::vector<MoveLabel> moves(1 + input.below(6));
  for (MoveLabel& label : moves) {
    label.value = finite(input.number<float>());
    label.completion = static_cast<std::int8_t>(static_cast<int>(input.below(3)) - 1);
    label.resolved = static_cast<std::uint8_t>(input.below(2));
    label.count = input.number<std::uint16_t>();
  }
  return moves;
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> seeds;
  for (const char* text :
       {"max", "max:completed=false", "epsilon-greedy:exploitation=0.9", "ordinal:schedule=uniform",
        "ordinal:schedule=annealed,completed=false", "ordinal:schedule=fixed,exploitation=1e-3",
        "softmax:temperature=0.1", "softmax:temperature=1e6,completed=false"})
    seeds.push_back(std::string(text) + "\n" + std::string(64, '\1'));
  return seeds;
}

void fuzz(Input& input) {
  const std::string_view text = input.line();
  std::optional<Selection> selection;
  if (!accepted<ParameterError>([&] { selection.emplace(text); })) return;
  CHECK(Selection(selection->text()).text() == selection->text());
  const int player = static_cast<int>(input.below(2));
  const auto progress = input.number<double>();
  const std::vector<MoveLabel> moves = labels(input);
  Random random = input.random();
  const bool prefers_draw = input.below(2) == 0;
  CHECK((*selection)(moves, player, progress, 3, random) < moves.size());
  CHECK(best_action(moves, player, prefers_draw, random) < moves.size());
  CHECK(safest_action(moves, player, prefers_draw, random) < moves.size());
  CHECK(most_visited(moves, player, random) < moves.size());
}

}  // namespace athenan::fuzz
