#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry ataxx();

}  // namespace athenan
