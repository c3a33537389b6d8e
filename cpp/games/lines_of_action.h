#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry lines_of_action();

}  // namespace athenan
