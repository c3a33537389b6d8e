// CHECK(expression): counts and prints what is false. A test's main ends with `return verdict();`.
#pragma once

#include <cstdio>
#include <exception>
#include <string>

namespace athenan::testing {

inline int checks = 0;
inline int failures = 0;
inline std::string context;  // what is being tested, for the message: "hex:size=5, match 3, ply 7"

inline void check(bool holds, const char* expression, const char* file, int line) {
  ++checks;
  if (holds) return;
  constexpr int max_printed = 20;
  if (++failures <= max_printed)
    std::fprintf(stderr, "%s:%d: %s is false (%s)\n", file, line, expression, context.c_str());
}

inline int verdict() {
  std::printf("%d checks, %d failures\n", checks, failures);
  return failures == 0 && checks > 0 ? 0 : 1;
}

// Runs a test to its end or to its first exception, which is a failure.
template <class Test>
void guarded(Test&& test) {
  try {
    test();
  } catch (const std::exception& problem) {
    ++failures;
    std::fprintf(stderr, "%s (%s)\n", problem.what(), context.c_str());
  }
}

template <class Exception, class Action>
bool throws(Action&& action) {
  try {
    action();
  } catch (const Exception&) {
    return true;
  }
  return false;
}

}  // namespace athenan::testing

#define CHECK(expression) \
  athenan::testing::check(static_cast<bool>(expression), #expression, __FILE__, __LINE__)
