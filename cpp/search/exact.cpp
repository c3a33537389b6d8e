#include "search/exact.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <unordered_map>

#include "base/error.h"
#include "search/terminal_evaluation.h"

namespace athenan {
namespace {

// The table takes some 60 bytes per state, the stack some 300 per ply.
constexpr std::uint64_t max_states = 50'000'000;
constexpr std::size_t max_depth = 10'000;

class Prover {
 public:
  Prover(const Game& game, std::string_view evaluation, const Stop* stop)
      : game_(game), evaluation_(game, evaluation), stop_(stop) {
    if (evaluation_.depends_on_path())
      throw ParameterError("the exact value is a function of the position; " + evaluation_.name() +
                           " depends on the path");
  }

  float value(const std::byte* state, std::uint64_t key, float alpha, float beta,
              std::size_t depth) {
    if (const Result result = game_.result(state); result != Result::ongoing)
      return evaluation_(game_, state, result);
    Bounds& bounds = table_[key];
    if (bounds.lower >= beta || bounds.lower == bounds.upper) return bounds.lower;
    if (bounds.upper <= alpha) return bounds.upper;
    throw_if_requested(stop_);
    if (depth == max_depth || ++states_ > max_states)
      throw Error("the exact value is for small games, and " + game_.name() +
                  " is too large: it has more than " + std::to_string(max_states / 1'000'000) +
                  " million states or matches of more than " + std::to_string(max_depth) +
                  " plies; use solve");
    const float alpha_before = alpha, beta_before = beta;
    const bool maximises = game_.to_move(state) == 0;
    float best = maximises ? -infinity : infinity;
    if (buffers_.size() <= depth) buffers_.emplace_back();
    game_.expand(state, buffers_[depth], evaluation_.needs_ply());
    for (std::size_t i = 0; i < buffers_[depth].moves.size() && alpha < beta; ++i) {
      const std::byte* child = buffers_[depth].children.data() + i * game_.state_size();
      const float v = value(child, buffers_[depth].keys[i], alpha, beta, depth + 1);
      best = maximises ? std::max(best, v) : std::min(best, v);
      (maximises ? alpha : beta) = maximises ? std::max(alpha, best) : std::min(beta, best);
    }
    Bounds& known = table_[key];
    if (best > alpha_before) known.lower = best;
    if (best < beta_before) known.upper = best;
    return best;
  }

  bool needs_ply() const { return evaluation_.needs_ply(); }
  std::uint64_t states() const { return states_; }

  static constexpr float infinity = std::numeric_limits<float>::infinity();

 private:
  struct Bounds {
    float lower = -infinity, upper = infinity;
  };

  const Game& game_;
  TerminalEvaluation evaluation_;
  const Stop* stop_;
  std::unordered_map<std::uint64_t, Bounds> table_;
  std::deque<Expansion> buffers_;  // one per depth; a deque never moves them
  std::uint64_t states_ = 0;
};

}  // namespace

ExactValue exact_value(const Game& game, const std::byte* state,
                       std::string_view terminal_evaluation, const Stop* stop) {
  Prover prover(game, terminal_evaluation, stop);
  const float value = prover.value(state, game.key(state, prover.needs_ply()), -Prover::infinity,
                                   Prover::infinity, 0);
  return {value, prover.states()};
}

}  // namespace athenan
