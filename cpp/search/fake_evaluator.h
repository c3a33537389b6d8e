// Evaluators without a network, for tests, benchmarks and solving: deterministic functions of the
// encoded planes of a state.
#pragma once

#include <cstdint>

#include "base/stop.h"
#include "search/search.h"

namespace athenan {

// A value in [-1, 1) that looks random and depends on the planes and the seed alone.
float hash_value(const std::int8_t* planes, std::size_t size, std::uint64_t seed);

// Runs a search to its end in C++. A seed of 0 gives every state the value 0 without encoding it;
// any other seed encodes each state and takes its hash_value. When asked to stop, the search ends
// early, as if its budget were spent.
void run_with_fake_evaluator(Search& search, std::uint64_t seed, const Stop* stop = nullptr);

}  // namespace athenan
