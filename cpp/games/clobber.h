#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry clobber();

}  // namespace athenan
