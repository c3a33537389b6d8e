#include "search/decision.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/error.h"
#include "base/nearest.h"

namespace athenan {
namespace {

// The greatest move by a key function, ties broken at random.
template <class Key>
std::size_t argmax(const std::vector<MoveLabel>& moves, Random& random, Key&& key) {
  if (moves.empty()) throw Error("there is no move to choose from");
  auto best = key(moves[0]);
  std::size_t chosen = 0;
  std::uint32_t ties = 1;
  for (std::size_t i = 1; i < moves.size(); ++i) {
    const auto k = key(moves[i]);
    if (k > best) {
      best = k;
      chosen = i;
      ties = 1;
    } else {
      ties += k == best;
    }
  }
  if (ties == 1) return chosen;
  std::uint32_t skip = random.below(ties);
  for (std::size_t i = chosen;; ++i)
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

constexpr std::pair<std::string_view, Decision> decisions[] = {{"best", best_action},
                                                               {"safest", safest_action}};

}  // namespace

std::vector<std::string> decision_names() {
  std::vector<std::string> names;
  for (const auto& [name, decision] : decisions) names.emplace_back(name);
  return names;
}

Decision decision_named(std::string_view name) {
  for (const auto& [known, decision] : decisions)
    if (known == name) return decision;
  throw ParameterError("there is no decision " + in_quotes(name));
}

namespace {

std::size_t max_by_labels(const std::vector<MoveLabel>& moves, int player, double, Random& random) {
  const double sign = sign_of(player);
  return argmax(moves, random,
                [&](const MoveLabel& m) { return std::pair(sign * m.completion, sign * m.value); });
}

// One of the places, with a probability proportional to its weight.
std::size_t drawn(const std::vector<double>& weights, Random& random) {
  const double threshold = random.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if ((sum += weights[i]) > threshold) return i;
  return weights.size() - 1;
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
  return drawn(weights, random);
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

// The best with the probability ε', any move otherwise.
std::size_t epsilon_greedy(const std::vector<MoveLabel>& moves, int player, double exploitation,
                           Random& random) {
  if (random.uniform() <= exploitation) return max_by_labels(moves, player, 0, random);
  return random.below(static_cast<std::uint32_t>(moves.size()));
}

// AlphaZero's: P(a) proportional to n^(1 / temperature).
std::size_t visits(const std::vector<MoveLabel>& moves, int player, double temperature,
                   Random& random) {
  double most = 0;
  for (const MoveLabel& m : moves) most = std::max(most, static_cast<double>(m.count));
  if (most == 0) return most_visited(moves, player, random);
  std::vector<double> weights;
  for (const MoveLabel& m : moves)
    weights.push_back(std::pow(static_cast<double>(m.count) / most, 1 / temperature));
  return drawn(weights, random);
}

// The moves that are wanted; their places in `moves` go to `origin`.
template <class Wanted>
std::vector<MoveLabel> chosen(const std::vector<MoveLabel>& moves, std::vector<std::size_t>& origin,
                              Wanted&& wanted) {
  std::vector<MoveLabel> kept;
  origin.clear();
  for (std::size_t i = 0; i < moves.size(); ++i)
    if (wanted(moves[i])) {
      kept.push_back(moves[i]);
      origin.push_back(i);
    }
  return kept;
}

}  // namespace

const std::vector<Selection::Entry>& Selection::entries() {
  static const Parameter schedule = Parameter::choice(
      "schedule", "fixed", {"fixed", "annealed", "uniform"},
      "where the exploitation rate comes from: the fixed one, progress t / t_max, or drawn anew");
  static const Parameter exploitation =
      Parameter::real("exploitation", 1, 0, 1, "the exploitation rate of the fixed schedule");
  static const Parameter temperature =
      Parameter::real("temperature", 1, 1e-6, 1e6, "the temperature");
  static const Parameter plies = Parameter::integer(
      "plies", 0, 0, 1'000'000, "of the match after which the most visited is played; 0: never");
  static const Parameter completed = Parameter::flag(
      "completed", true, "play resolved wins, avoid resolved losses (completed action selection)");
  static const std::vector<Entry> all{
      {"max", max_by_labels, {completed}},
      {"epsilon-greedy", epsilon_greedy, {exploitation, schedule, completed}},
      {"softmax", softmax, {temperature, completed}},
      {"ordinal", ordinal, {exploitation, schedule, completed}},
      {"visits", visits, {temperature, plies}},
  };
  return all;
}

const Selection::Entry& Selection::entry_named(std::string_view name) {
  std::string listed;
  std::vector<std::string> known;
  for (const Entry& entry : entries()) {
    if (entry.name == name) return entry;
    listed += (listed.empty() ? "" : ", ") + std::string(entry.name);
    known.emplace_back(entry.name);
  }
  throw ParameterError("there is no move selection " + in_quotes(name) + did_you_mean(name, known) +
                       "; the selections are " + listed);
}

Selection::Selection(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string name(text.substr(0, colon));
  const Entry& entry = entry_named(name);
  const Parameters given(name, entry.parameters,
                         colon == std::string_view::npos ? "" : text.substr(colon + 1));
  text_ = name + ":" + given.text();
  law_ = entry.law;
  completed_ = given.has("completed") && given.flag("completed");
  if (given.has("plies")) plies_ = given.integer("plies");
  if (given.has("temperature")) parameter_ = given.real("temperature");
  if (given.has("exploitation")) parameter_ = given.real("exploitation");
  if (given.has("schedule"))
    schedule_ = given.choice("schedule") == "fixed"      ? Schedule::fixed
                : given.choice("schedule") == "annealed" ? Schedule::annealed
                                                         : Schedule::uniform;
  if (schedule_ != Schedule::fixed && parameter_ != 1)
    throw ParameterError("exploitation has no effect with schedule=" + given.choice("schedule") +
                         ": leave it out, or take schedule=fixed");
}

double Selection::parameter(double progress, Random& random) const {
  if (schedule_ == Schedule::annealed) return std::clamp(progress, 0.0, 1.0);
  return schedule_ == Schedule::uniform ? random.uniform() : parameter_;
}

std::size_t Selection::operator()(const std::vector<MoveLabel>& moves, int player, double progress,
                                  std::size_t ply, Random& random) const {
  if (moves.empty()) throw Error("there is no move to choose from");
  if (plies_ && ply >= plies_) return most_visited(moves, player, random);
  if (!completed_) return law_(moves, player, parameter(progress, random), random);
  std::vector<std::size_t> origin;
  const auto wins = chosen(moves, origin, [&](const MoveLabel& m) { return is_win(m, player); });
  if (!wins.empty()) return origin[max_by_labels(wins, player, 0, random)];
  const auto open = chosen(moves, origin, [&](const MoveLabel& m) { return !is_loss(m, player); });
  if (open.empty()) return law_(moves, player, parameter(progress, random), random);
  return origin[law_(open, player, parameter(progress, random), random)];
}

}  // namespace athenan
