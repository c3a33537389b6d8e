#include "search/decision.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/error.h"

namespace athenan {
namespace {

// The greatest move by a key function, ties broken at random.
template <class Key>
std::size_t argmax(const std::vector<MoveLabel>& moves, Random& random, Key&& key) {
  auto best = key(moves[0]);
  std::uint32_t ties = 0;
  for (const MoveLabel& m : moves) {
    const auto k = key(m);
    if (k > best) {
      best = k;
      ties = 0;
    }
    ties += k == best;
  }
  std::uint32_t skip = ties == 1 ? 0 : random.below(ties);
  for (std::size_t i = 0;; ++i)
    if (key(moves[i]) == best && skip-- == 0) return i;
}

double sign_of(int player) { return player == 0 ? 1.0 : -1.0; }

bool is_win(const MoveLabel& m, int player) {
  return m.resolved && m.completion == (player == 0 ? 1 : -1);
}
bool is_loss(const MoveLabel& m, int player) { return is_win(m, 1 - player); }

}  // namespace

std::size_t best_action(const std::vector<MoveLabel>& moves, int player, bool prefers_draw,
                        Random& random) {
  const double sign = sign_of(player);
  return argmax(moves, random, [&](const MoveLabel& m) {
    return std::tuple(sign * m.completion, prefers_draw ? m.resolved : 0, sign * m.value, m.count);
  });
}

std::size_t safest_action(const std::vector<MoveLabel>& moves, int player, bool prefers_draw,
                          Random& random) {
  const double sign = sign_of(player);
  if (std::all_of(moves.begin(), moves.end(),
                  [&](const MoveLabel& m) { return is_loss(m, player); }))
    return best_action(moves, player, false, random);
  return argmax(moves, random, [&](const MoveLabel& m) {
    return std::tuple(sign * m.completion, prefers_draw ? m.resolved : 0, m.count, sign * m.value);
  });
}

std::size_t most_visited(const std::vector<MoveLabel>& moves, int player, Random& random) {
  const double sign = sign_of(player);
  return argmax(moves, random,
                [&](const MoveLabel& m) { return std::tuple(m.count, sign * m.value); });
}

namespace {

std::size_t max_by_labels(const std::vector<MoveLabel>& moves, int player, Random& random) {
  const double sign = sign_of(player);
  return argmax(moves, random,
                [&](const MoveLabel& m) { return std::pair(sign * m.completion, sign * m.value); });
}

// P(a) proportional to exp(v / temperature).
std::size_t softmax(const std::vector<MoveLabel>& moves, int player, double temperature,
                    Random& random) {
  const double sign = sign_of(player);
  double greatest = sign * moves[0].value;
  for (const MoveLabel& m : moves) greatest = std::max(greatest, sign * m.value);
  std::vector<double> weights;
  for (const MoveLabel& m : moves)
    weights.push_back(std::exp((sign * m.value - greatest) / temperature));
  const double threshold = random.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < moves.size(); ++i)
    if ((sum += weights[i]) > threshold) return i;
  return moves.size() - 1;
}

// The paper's algorithm "ordinal": best first, each is played with a probability that
// interpolates between uniform over the rest and certainty.
std::size_t ordinal(const std::vector<MoveLabel>& moves, int player, double exploitation,
                    Random& random) {
  const double sign = sign_of(player);
  std::vector<std::size_t> order(moves.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size() - 1; i > 0; --i)  // so that equals come in random order
    std::swap(order[i], order[random.below(static_cast<std::uint32_t>(i + 1))]);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(sign * moves[a].completion, sign * moves[a].value) >
           std::pair(sign * moves[b].completion, sign * moves[b].value);
  });
  const auto n = static_cast<double>(moves.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double left = n - static_cast<double>(i);
    if (random.uniform() <= (exploitation * (left - 1) + 1) / left) return order[i];
  }
  return order.back();
}

const Parameter schedule_parameter = Parameter::choice(
    "schedule", "fixed", {"fixed", "annealed", "uniform"},
    "where the exploitation rate comes from: the fixed one, progress t / t_max, or drawn anew");
const Parameter exploitation_parameter =
    Parameter::real("exploitation", 1, 0, 1, "the exploitation rate of the fixed schedule");
const Parameter completed_parameter = Parameter::flag(
    "completed", true, "play resolved wins, avoid resolved losses (completed action selection)");

const std::array<std::pair<std::string_view, std::vector<Parameter>>, 4> laws{{
    {"max", {completed_parameter}},
    {"epsilon-greedy", {exploitation_parameter, schedule_parameter, completed_parameter}},
    {"softmax",
     {Parameter::real("temperature", 1, 1e-6, 1e6, "the temperature"), completed_parameter}},
    {"ordinal", {exploitation_parameter, schedule_parameter, completed_parameter}},
}};

}  // namespace

std::vector<std::string> Selection::names() {
  std::vector<std::string> out;
  for (const auto& law : laws) out.emplace_back(law.first);
  return out;
}

const std::vector<Parameter>& Selection::parameters_of(std::string_view name) {
  std::string known;
  for (const auto& law : laws) {
    if (law.first == name) return law.second;
    known += (known.empty() ? "" : ", ") + std::string(law.first);
  }
  throw ParameterError("there is no move selection " + quoted(name) + "; the selections are " +
                       known);
}

Selection::Selection(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string name(text.substr(0, colon));
  const auto& declared = parameters_of(name);
  const Parameters given(name, declared,
                         colon == std::string_view::npos ? "" : text.substr(colon + 1));
  text_ = name + ":" + given.text();
  law_ = name == "max"              ? Law::max
         : name == "epsilon-greedy" ? Law::epsilon_greedy
         : name == "softmax"        ? Law::softmax
                                    : Law::ordinal;
  completed_ = given.flag("completed");
  if (law_ == Law::softmax) temperature_ = given.real("temperature");
  if (law_ == Law::epsilon_greedy || law_ == Law::ordinal) {
    exploitation_ = given.real("exploitation");
    const std::string& schedule = given.choice("schedule");
    schedule_ = schedule == "fixed"      ? Schedule::fixed
                : schedule == "annealed" ? Schedule::annealed
                                         : Schedule::uniform;
  }
}

double Selection::exploitation(double progress, Random& random) const {
  if (schedule_ == Schedule::annealed) return std::clamp(progress, 0.0, 1.0);
  return schedule_ == Schedule::uniform ? random.uniform() : exploitation_;
}

std::size_t Selection::operator()(const std::vector<MoveLabel>& moves, int player, double progress,
                                  Random& random) const {
  std::vector<MoveLabel> candidates = moves;
  std::vector<std::size_t> origin(moves.size());
  std::iota(origin.begin(), origin.end(), 0);
  const auto keep = [&](auto&& wanted) {
    std::vector<MoveLabel> kept;
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < moves.size(); ++i)
      if (wanted(moves[i])) {
        kept.push_back(moves[i]);
        indices.push_back(i);
      }
    if (kept.empty()) return false;
    candidates = std::move(kept);
    origin = std::move(indices);
    return true;
  };
  if (completed_) {
    if (keep([&](const MoveLabel& m) { return is_win(m, player); }))
      return origin[max_by_labels(candidates, player, random)];
    keep([&](const MoveLabel& m) { return !is_loss(m, player); });
  }
  switch (law_) {
    case Law::max:
      return origin[max_by_labels(candidates, player, random)];
    case Law::softmax:
      return origin[softmax(candidates, player, temperature_, random)];
    case Law::ordinal: {
      const double rate = exploitation(progress, random);
      return origin[ordinal(candidates, player, rate, random)];
    }
    case Law::epsilon_greedy:
      break;
  }
  const double rate = exploitation(progress, random);
  if (random.uniform() <= rate) return origin[max_by_labels(candidates, player, random)];
  return origin[random.below(static_cast<std::uint32_t>(candidates.size()))];
}

}  // namespace athenan
