#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry shobu();

}  // namespace athenan
