// The exceptions of the engine. Each carries one sentence that names the thing that is wrong and
// what is accepted; Python sees them as subclasses of ValueError.
#pragma once

#include <stdexcept>
#include <string>

namespace athenan {

struct Error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

struct ParameterError : Error {
  using Error::Error;
};

struct PositionError : Error {
  using Error::Error;
};

struct IllegalMoveError : Error {
  using Error::Error;
};

// Quotes text that came from outside for an error message: printable, bounded in length.
std::string in_quotes(std::string_view text);

}  // namespace athenan
