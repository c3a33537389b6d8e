#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry international_draughts();
GameEntry brazilian_draughts();
GameEntry canadian_draughts();

}  // namespace athenan
