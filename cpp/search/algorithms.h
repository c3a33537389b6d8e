// The list of search algorithms, and searches made from a text: "ubfm-safe:expansions=500",
// "mcts:seconds=1", "alphabeta:depth=3". A new search is one source file with its AlgorithmEntry,
// and one line in algorithms.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/parameters.h"
#include "search/search.h"

namespace athenan {

// What a search asks of the legal moves of a state, beside its value: nothing, the logits of a
// policy, or the values of the states that they lead to.
enum class MoveAnswers : std::uint8_t { none, policy, values };

struct AlgorithmEntry {
  std::string name;
  std::string description;
  bool needs_evaluator;
  MoveAnswers (*asks_of_moves)(const Parameters&);  // by its options
  std::vector<Parameter> parameters;  // its own; algorithms() adds those that all take
  std::unique_ptr<Search> (*make)(SearchSettings, const Parameters&);
  bool ends_by_itself = false;  // without any limit, and long before the outcome is proven
  bool for_one_player = false;  // for games without an opponent only
};

const std::vector<AlgorithmEntry>& algorithms();

// What most searches ask of moves, whatever their options.
MoveAnswers asks_nothing(const Parameters&);
MoveAnswers asks_policy(const Parameters&);

// Options that several searches take.
Parameter transpositions_parameter();
Parameter depth_parameter(int default_value, int lowest, std::string description);

// An algorithm with all its options and its budget.
class SearchSpec {
 public:
  // Throws ParameterError: an unknown name lists the algorithms, a wrong option what is accepted.
  explicit SearchSpec(std::string_view text);

  // Whether a text begins with the name of an algorithm.
  static bool names_algorithm(std::string_view text);
  // This search with other options ("seconds=1,c=2"); or another one ("alphabeta:depth=2"), which
  // keeps the terminal evaluation unless it names its own: values stay on their scale.
  SearchSpec updated(std::string_view text) const;
  // Without any limit.
  SearchSpec unlimited() const;

  // The name with the options that are not the default.
  std::string text() const;
  const AlgorithmEntry& algorithm() const { return *entry_; }
  const Parameters& options() const { return parameters_; }
  Budget budget() const;
  MoveAnswers asks_of_moves() const { return entry_->asks_of_moves(parameters_); }
  // Whether a budget or a depth ends it; else it ends when the outcome is proven.
  bool is_limited() const;
  // Throws ParameterError where the terminal evaluation makes no sense for the game.
  std::unique_ptr<Search> make(std::shared_ptr<const Game> game, bool keep_terminals) const;
  bool operator==(const SearchSpec& other) const = default;

 private:
  const AlgorithmEntry* entry_;
  Parameters parameters_;
};

}  // namespace athenan
