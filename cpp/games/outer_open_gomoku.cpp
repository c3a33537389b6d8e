// Outer-Open Gomoku: five in a row. The first stone must lie on one of the two outer lines, which
// takes the edge off moving first.
#include "games/in_a_row.h"

namespace athenan {
namespace {

std::unique_ptr<Rules> make_outer_open_gomoku(const Parameters& parameters) {
  InARow game;
  game.name = "outer_open_gomoku";
  game.title = "Outer-Open Gomoku";
  game.reference = "https://doi.org/10.1109/CCOMS.2017.8075180";
  game.size = parameters.integer("size");
  game.line = 5;
  game.longer_wins = parameters.choice("overline") == "wins";
  game.outer_opening = true;
  return make_in_a_row(game);
}

}  // namespace

GameEntry outer_open_gomoku() {
  return {"outer_open_gomoku",
          {Parameter::integer("size", 15, 5, 19, "rows and columns of the board"),
           Parameter::choice("overline", "wins", {"wins", "exact"},
                             "do six or more in a row win too, or exactly five alone")},
          make_outer_open_gomoku};
}

}  // namespace athenan
