// The list of games, and games made by name: "hex", "hex:size=11,swap=false".
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "games/game.h"

namespace athenan {

const std::vector<GameEntry>& registry();

// Throws ParameterError with the list of the games.
const GameEntry& entry_named(std::string_view name);

// Throws ParameterError: an unknown name lists the games, a wrong option lists what is accepted.
std::shared_ptr<Game> make_game(std::string_view id);

}  // namespace athenan
