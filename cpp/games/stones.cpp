#include "games/stones.h"

#include "base/error.h"

namespace athenan {

std::pair<std::string, std::uint8_t> StoneTexts::read(std::string_view text) const {
  const auto words = words_of(text);
  if (words.size() != 2 || words[1].size() != 1 || sides.find(words[1][0]) == std::string::npos)
    throw PositionError("position " + in_quotes(text) + " of " + game + " is not '<rows> " +
                        sides[0] + "' or '<rows> " + sides[1] + "'");
  return {parse_rows(row_lengths, words[0], symbols), words[1][0] == sides[1]};
}

}  // namespace athenan
