// The list of search algorithms, and searches made from a text: "ubfm-safe:expansions=500",
// "mcts:seconds=1", "alphabeta:depth=3".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/parameters.h"
#include "search/search.h"

namespace athenan {

struct AlgorithmEntry {
  std::string name;
  std::string description;
  bool needs_evaluator;
  std::vector<Parameter> parameters;
  std::unique_ptr<Search> (*make)(SearchSettings, const Parameters&);
};

const std::vector<AlgorithmEntry>& algorithms();

// An algorithm with all its options and its budget.
class SearchSpec {
 public:
  // Throws ParameterError: an unknown name lists the algorithms, a wrong option what is accepted.
  explicit SearchSpec(std::string_view text);

  std::string text() const;
  const AlgorithmEntry& algorithm() const { return *entry_; }
  Budget budget() const;
  // Throws ParameterError where the terminal evaluation makes no sense for the game.
  std::unique_ptr<Search> make(std::shared_ptr<const Game> game, bool keep_terminals) const;

 private:
  const AlgorithmEntry* entry_;
  Parameters parameters_;
};

}  // namespace athenan
