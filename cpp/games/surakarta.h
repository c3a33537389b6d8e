#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry surakarta();

}  // namespace athenan
