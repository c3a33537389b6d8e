#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry connect6();

}  // namespace athenan
