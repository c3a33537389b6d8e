// Plain alpha-beta to the end of the match: the independent proof of solved values.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/stop.h"
#include "games/game.h"

namespace athenan {

struct ExactValue {
  float value = 0;           // under the terminal evaluation asked for
  std::uint64_t states = 0;  // states visited
};

// Recursion with a table of bounds, no evaluation, no heuristics beyond trying wins first.
ExactValue exact_value(const Game& game, const std::byte* state,
                       std::string_view terminal_evaluation, const Stop* stop = nullptr);

}  // namespace athenan
