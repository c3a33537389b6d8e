#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry xiangqi();

}  // namespace athenan
