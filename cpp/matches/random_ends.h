// Final states of uniformly random matches with their terminal evaluation: what a network is
// pre-trained on, before it has seen any match of its own.
#pragma once

#include <string_view>

#include "base/stop.h"
#include "search/search.h"

namespace athenan {

// Equal arguments give equal ends, whatever the number of threads. Throws ParameterError for a
// terminal evaluation that makes no sense for the game.
Targets random_ends(const Game& game, std::string_view terminal, std::size_t count,
                    std::uint64_t seed, int threads, const Stop* stop = nullptr);

}  // namespace athenan
