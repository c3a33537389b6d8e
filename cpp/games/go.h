#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry go();

}  // namespace athenan
