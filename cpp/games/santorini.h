#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry santorini();

}  // namespace athenan
