// How a move is decided from the labels of the root, after the search: best_action, safest_action
// and their draw-preferring variants; and how it is selected during learning (selection
// distributions). Every function returns an index into `moves` (not empty); ties are broken
// uniformly at random.
#pragma once

#include <string_view>
#include <vector>

#include "base/parameters.h"
#include "search/search.h"

namespace athenan {

// By (c, v, n); with prefers_draw by (c, r, v, n).
std::size_t best_action(const std::vector<MoveLabel>& moves, int player, bool prefers_draw,
                        Random& random);
// By (c, n, v); with prefers_draw by (c, r, n, v). When every move is a proven loss, by value: a
// slow defeat.
std::size_t safest_action(const std::vector<MoveLabel>& moves, int player, bool prefers_draw,
                          Random& random);
// How a best-first search decides, by name: a new rule is a function and a line in decision.cpp.
using Decision = std::size_t (*)(const std::vector<MoveLabel>& moves, int player, bool prefers_draw,
                                 Random& random);
std::vector<std::string> decision_names();
Decision decision_named(std::string_view name);

// By (n, mean value): the decision of MCTS.
std::size_t most_visited(const std::vector<MoveLabel>& moves, int player, Random& random);

// A distribution over the moves of the root, from a text such as "ordinal:schedule=uniform" or
// "epsilon-greedy:exploitation=0.9". ε' is the exploitation rate.
class Selection {
 public:
  // Throws ParameterError.
  explicit Selection(std::string_view text);

  // `progress` is t / t_max of the learning process, for annealed rates; `ply` how many moves of
  // the match have been played.
  std::size_t operator()(const std::vector<MoveLabel>& moves, int player, double progress,
                         std::size_t ply, Random& random) const;
  std::string text() const { return text_; }

 private:
  // A law chooses among moves that are not proven losses; `parameter` is its exploitation rate or
  // its temperature. A new law is a function and a line in decision.cpp.
  using Law = std::size_t (*)(const std::vector<MoveLabel>& moves, int player, double parameter,
                              Random& random);
  struct Entry {
    std::string_view name;
    Law law;
    std::vector<Parameter> parameters;
  };
  enum class Schedule { fixed, annealed, uniform };

  static const std::vector<Entry>& entries();
  static const Entry& entry_named(std::string_view name);
  double parameter(double progress, Random& random) const;

  std::string text_;
  Law law_;
  Schedule schedule_ = Schedule::fixed;
  double parameter_ = 1;
  bool completed_ = true;
  std::size_t plies_ = 0;  // after which the most visited move is played; 0: never
};

}  // namespace athenan
