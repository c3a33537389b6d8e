#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry othello();

}  // namespace athenan
