// Games of stones in a row, for those that differ in no more than the fields below: players put
// stones on the empty cells of a square board, a line of own stones in any of the eight directions
// wins, and a full board without one is a draw.
#pragma once

#include <memory>
#include <string>

#include "base/grid.h"
#include "games/rules.h"

namespace athenan {

struct InARow {
  std::string name;
  std::string title;
  std::string reference;
  int size = 0;
  int line = 0;                // so many stones in a row win
  bool longer_wins = true;     // do more stones win too?
  bool outer_opening = false;  // must the first stone lie on one of the two outer lines?
  int stones_per_turn = 1;     // but the first turn has one; a move is one stone
  ColumnNames column_names = ColumnNames::lower_case;
};

std::unique_ptr<Rules> make_in_a_row(const InARow& game);

}  // namespace athenan
