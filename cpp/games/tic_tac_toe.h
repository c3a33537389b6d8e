#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry tic_tac_toe();

}  // namespace athenan
