#include "games/registry.h"

#include "base/error.h"
#include "base/nearest.h"

namespace athenan {

// Each is defined by the source file of its game.
GameEntry tic_tac_toe(), connect_four(), hex(), othello(), breakthrough(), amazons(),
    lines_of_action(), morpion(), arimaa(), clobber(), xiangqi(), shobu(), surakarta(),
    international_draughts(), brazilian_draughts(), canadian_draughts(), go(), outer_open_gomoku(),
    connect6(), havannah(), ataxx(), santorini();

const std::vector<GameEntry>& registry() {
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
  return games;
}

const GameEntry& entry_named(std::string_view name) {
  std::string listed;
  std::vector<std::string> known;
  for (const auto& entry : registry()) {
    if (entry.name == name) return entry;
    listed += (listed.empty() ? "" : ", ") + entry.name;
    known.push_back(entry.name);
  }
  throw ParameterError("there is no game " + in_quotes(name) + did_you_mean(name, known) +
                       "; the games are " + listed);
}

std::shared_ptr<Game> make_game(std::string_view id) {
  const std::size_t colon = id.find(':');
  const GameEntry& entry = entry_named(id.substr(0, colon));
  const std::string_view options = colon == std::string_view::npos ? "" : id.substr(colon + 1);
  const Parameters parameters(entry.name, entry.parameters, options);
  return std::make_shared<Game>(entry.name, parameters.text(), entry.make(parameters));
}

}  // namespace athenan
