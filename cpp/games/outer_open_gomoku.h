#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry outer_open_gomoku();

}  // namespace athenan
