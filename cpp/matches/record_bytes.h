// A match record as bytes, for another process: numbers in the order of the machine, vectors with
// their length before them. Packed states and their values go column by column, first all first
// bytes, then all second bytes: neighbours differ little, so that they compress three times as
// well.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "matches/match.h"

namespace athenan {

std::vector<std::byte> bytes_of_record(const MatchRecord& record);

// Throws ParameterError for bytes that are no record of this game. Whether the packed states are
// states of the game is checked where they are read (`check_packed`).
MatchRecord record_of_bytes(const Game& game, std::span<const std::byte> bytes);

}  // namespace athenan
