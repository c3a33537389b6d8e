#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry morpion();

}  // namespace athenan
