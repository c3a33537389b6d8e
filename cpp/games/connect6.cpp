// Connect6: six or more in a row. The first player puts one stone, then the players take turns to
// put two. A move is one stone: a line wins at once, also with the first stone of a turn.
#include "games/in_a_row.h"

namespace athenan {
namespace {

std::unique_ptr<Rules> make_connect6(const Parameters& parameters) {
  InARow game;
  game.name = "connect6";
  game.title = "Connect6";
  game.reference = "https://en.wikipedia.org/wiki/Connect6";
  game.size = parameters.integer("size");
  game.line = 6;
  game.stones_per_turn = 2;
  game.column_names = ColumnNames::without_i;
  return make_in_a_row(game);
}

}  // namespace

GameEntry connect6() {
  return {"connect6",
          {Parameter::integer("size", 19, 6, 19, "rows and columns of the board")},
          make_connect6};
}

}  // namespace athenan
