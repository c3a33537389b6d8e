#include "search/terminal_evaluation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"

namespace athenan {
namespace {

double gain(Result result) { return static_cast<double>(result); }

double classic(const Game&, const std::byte*, Result result) { return gain(result); }

// A draw is worth 0 whatever the score at the maximum length would say. One-player games have no
// opponent to draw with: their score is the value.
double score(const Game& game, const std::byte* state, Result result) {
  return result == Result::draw && game.datasheet().players == 2 ? 0 : game.score(state);
}

// l = P - p + 1, where P is the maximum length and p the number of moves played. In cyclic games,
// where the maximum length is a convention, l = max(1, P - p).
double additive_depth(const Game& game, const std::byte* state, Result result) {
  const int longest = game.datasheet().max_length, played = game.ply(state);
  const int length = game.datasheet().cyclic ? std::max(1, longest - played) : longest - played + 1;
  return gain(result) * length;
}

// l = P' / p. P' is any typical length of a match: a constant factor; here half the maximum.
double multiplicative_depth(const Game& game, const std::byte* state, Result result) {
  return gain(result) * (game.datasheet().max_length / 2.0) / std::max(1, game.ply(state));
}

// M1 / M2 if the first player wins, -M2 / M1 if the second does. A player who never had a turn
// counts as having had one move.
double mobility(const Game&, const std::byte* state, Result result) {
  const Mobility mean = mobility_of(Game::header(state));
  const double first = std::max(1.0, mean.first), second = std::max(1.0, mean.second);
  if (result == Result::draw) return 0;
  return result == Result::first_wins ? first / second : -second / first;
}

double presence(const Game& game, const std::byte* state, Result result) {
  const int lead = game.pieces(state, 0) - game.pieces(state, 1);
  if (result == Result::draw) return 0;
  return result == Result::first_wins ? std::max(lead, 1) : std::min(lead, -1);
}

bool always(const Game&) { return true; }
bool has_own(const Game& game) {
  return game.datasheet().has_score && !game.datasheet().own_evaluation.empty();
}
bool scored(const Game& game) { return game.datasheet().has_score && !has_own(game); }
bool two_players(const Game& game) { return game.datasheet().players == 2; }
bool counts_pieces(const Game& game) { return two_players(game) && game.datasheet().has_pieces; }

// The score may be an evaluation of the game's own: then it has the name that the datasheet gives.
constexpr std::string_view own = "";

struct Entry {
  std::string_view name;
  double (*function)(const Game&, const std::byte*, Result);
  bool (*makes_sense)(const Game&);
  bool needs_ply;
  bool depends_on_path;
};

constexpr std::array<Entry, 7> entries{{
    {"classic", classic, always, false, false},
    {"score", score, scored, false, false},
    {"additive_depth", additive_depth, two_players, true, false},
    {"multiplicative_depth", multiplicative_depth, two_players, true, false},
    {"mobility", mobility, two_players, false, true},
    {"presence", presence, counts_pieces, false, false},
    {own, score, has_own, false, false},
}};

std::string_view name_of(const Entry& entry, const Game& game) {
  return entry.name == own ? game.datasheet().own_evaluation : entry.name;
}

}  // namespace

std::vector<std::string> terminal_evaluations(const Game& game) {
  std::vector<std::string> names;
  for (const Entry& entry : entries)
    if (entry.makes_sense(game)) names.emplace_back(name_of(entry, game));
  return names;
}

TerminalEvaluation::TerminalEvaluation(const Game& game, std::string_view name) : name_(name) {
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& e) { return name_of(e, game) == name; });
  if (entry == entries.end() || !entry->makes_sense(game)) {
    std::string accepted;
    for (const auto& good : terminal_evaluations(game))
      accepted += (accepted.empty() ? "" : ", ") + good;
    throw ParameterError(
        "the terminal evaluation " + in_quotes(name) +
        (entry == entries.end() ? " does not exist" : " makes no sense for " + game.name()) + "; " +
        game.name() + " takes " + accepted);
  }
  function_ = entry->function;
  depends_on_path_ = entry->depends_on_path;
  needs_ply_ = entry->needs_ply && !game.datasheet().board_determines_ply;
}

float TerminalEvaluation::operator()(const Game& game, const std::byte* state,
                                     Result result) const {
  const auto value = static_cast<float>(function_(game, state, result));
  if (!std::isfinite(value))
    throw Error("the terminal evaluation " + name_ + " of " + game.name() +
                " is not a finite number of single precision: " + game.position_text(state));
  return value;
}

}  // namespace athenan
