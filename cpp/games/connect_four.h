#pragma once

#include "games/rules.h"

namespace athenan {

GameEntry connect_four();

}  // namespace athenan
