// Positions of draughts in Portable Draughts Notation: "W:W31,K46:B1,2,K5".
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace athenan {

// Lists and ranges of squares, K before those of kings; either side may come first. The counts that
// the rules of draws need follow as further fields: ":H12" and ":E30".
struct PdnPosition {
  struct Piece {
    int square = 0;  // from 1
    bool king = false;
  };
  bool black_to_move = false;
  std::array<std::vector<Piece>, 2> pieces;  // White's and Black's
  std::optional<int> king_plies, countdown;  // H and E, from 0 to 254

  std::string text() const;
  // Throws PositionError; `squares` is the highest number of a square.
  static PdnPosition parse(std::string_view text, int squares);
};

}  // namespace athenan
