// The games that the C++ tests run over: every game of the registry as it comes, and with each of
// its options at its lowest, its highest or any of its words.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "games/registry.h"

namespace athenan::testing {

// Room for one state, where the engine can play.
class Place {
 public:
  explicit Place(const Game& game) : words_(game.state_size() / 8) {}
  std::byte* data() { return reinterpret_cast<std::byte*>(words_.data()); }
  const std::byte* data() const { return reinterpret_cast<const std::byte*>(words_.data()); }

 private:
  std::vector<std::uint64_t> words_;
};

inline std::vector<std::string> values_to_try(const Parameter& parameter) {
  if (!parameter.choices.empty()) return parameter.choices;
  std::vector<std::string> values;
  for (const double end : {parameter.lowest, parameter.highest})
    if (const std::string value = std::to_string(std::llround(end)); parameter.accepts(value))
      values.push_back(value);
  return values;
}

inline std::vector<std::shared_ptr<Game>> games_under_test() {
  std::vector<std::shared_ptr<Game>> games;
  for (const GameEntry& entry : registry()) {
    games.push_back(make_game(entry.name));
    for (const Parameter& parameter : entry.parameters)
      for (const std::string& value : values_to_try(parameter))
        if (value != parameter.default_value)
          games.push_back(make_game(entry.name + ":" + parameter.name + "=" + value));
  }
  return games;
}

}  // namespace athenan::testing
