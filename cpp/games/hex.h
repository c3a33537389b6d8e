#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry hex();

}  // namespace athenan
