#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry amazons();

}  // namespace athenan
