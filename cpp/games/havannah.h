#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry havannah();

}  // namespace athenan
