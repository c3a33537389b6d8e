#include "base/error.h"

#include <cstdio>

namespace athenan {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string out = "'";
  for (char c : text.substr(0, longest)) {
    if (c >= 32 && c < 127) {
      out += c;
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(c));
      out += escape;
    }
  }
  if (text.size() > longest) out += "...";
  return out + "'";
}

}  // namespace athenan
