#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry breakthrough();

}  // namespace athenan
