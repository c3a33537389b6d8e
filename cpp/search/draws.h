// Random numbers that are not uniform.
#pragma once

#include <cmath>
#include <numbers>

#include "base/random.h"

namespace athenan {

// Uniform in (0, 1).
inline double open_uniform(Random& random) {
  double u = 0;
  while (u == 0) u = random.uniform();
  return u;
}

// Of the standard Gumbel distribution.
inline double gumbel(Random& random) { return -std::log(-std::log(open_uniform(random))); }

// Of the standard normal distribution (Box and Muller).
inline double normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(open_uniform(random)));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

// Of the gamma distribution of this shape and scale 1 (Marsaglia and Tsang).
inline double gamma(double shape, Random& random) {
  if (shape < 1) {
    const double more = gamma(shape + 1, random);
    return more * std::pow(open_uniform(random), 1 / shape);
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = normal(random);
    const double v = std::pow(1 + c * x, 3);
    if (v <= 0) continue;
    if (std::log(open_uniform(random)) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

}  // namespace athenan
