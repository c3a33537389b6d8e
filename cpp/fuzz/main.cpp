// Ties a fuzzer to libFuzzer, which calls these two functions by name.
#include <cstdlib>
#include <fstream>

#include "fuzz/fuzz.h"

// Writes the seeds into the corpus: the first argument that is not an option.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  for (int i = 1; i < *argc; ++i) {
    if ((*argv)[i][0] == '-') continue;
    int number = 0;
    for (const std::string& seed : athenan::fuzz::seeds())
      std::ofstream((*argv)[i] + ("/seed-" + std::to_string(number++)), std::ios::binary) << seed;
    break;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  athenan::fuzz::Input input(data, size);
  athenan::fuzz::fuzz(input);
  if (athenan::testing::failures > 0) std::abort();
  return 0;
}
