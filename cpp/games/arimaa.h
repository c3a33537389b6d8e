#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry arimaa();

}  // namespace athenan
