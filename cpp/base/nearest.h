// What somebody may have meant by a name that does not exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace athenan {

// " (did you mean hex?)" for the known name that is most like a word; "" if none is.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace athenan
