#include "games/registry.h"

#include "base/error.h"
#include "games/amazons.h"
#include "games/arimaa.h"
#include "games/ataxx.h"
#include "games/breakthrough.h"
#include "games/clobber.h"
#include "games/connect6.h"
#include "games/connect_four.h"
#include "games/draughts.h"
#include "games/go.h"
#include "games/havannah.h"
#include "games/hex.h"
#include "games/lines_of_action.h"
#include "games/morpion.h"
#include "games/othello.h"
#include "games/outer_open_gomoku.h"
#include "games/santorini.h"
#include "games/shobu.h"
#include "games/surakarta.h"
#include "games/tic_tac_toe.h"
#include "games/xiangqi.h"

namespace athenan {

const std::vector<GameEntry>& registry() {
  // clang-format off: one line per game
  static const std::vector<GameEntry> games{
      tic_tac_toe(),
      connect_four(),
      hex(),
      othello(),
      breakthrough(),
      amazons(),
      lines_of_action(),
      morpion(),
      arimaa(),
      clobber(),
      xiangqi(),
      shobu(),
      surakarta(),
      international_draughts(),
      brazilian_draughts(),
      canadian_draughts(),
      go(),
      outer_open_gomoku(),
      connect6(),
      havannah(),
      ataxx(),
      santorini(),
  };
  // clang-format on
  return games;
}

const GameEntry& entry_named(std::string_view name) {
  std::string known;
  for (const auto& entry : registry()) {
    if (entry.name == name) return entry;
    known += (known.empty() ? "" : ", ") + entry.name;
  }
  throw ParameterError("there is no game " + quoted(name) + "; the games are " + known);
}

std::shared_ptr<Game> make_game(std::string_view id) {
  const std::size_t colon = id.find(':');
  const GameEntry& entry = entry_named(id.substr(0, colon));
  const std::string_view options = colon == std::string_view::npos ? "" : id.substr(colon + 1);
  const Parameters parameters(entry.name, entry.parameters, options);
  return std::make_shared<Game>(entry.name, parameters.text(), entry.make(parameters));
}

}  // namespace athenan
