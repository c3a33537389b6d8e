#include "games/bulk.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/error.h"
#include "base/parallel.h"

namespace athenan {
namespace {

// Perft from one state with one reusable buffer per depth.
class PerftCounter {
 public:
  PerftCounter(const Game& game, int depth, const Stop* stop)
      : game_(game), stop_(stop), buffers_(depth + 1) {}

  std::uint64_t count(const std::byte* state, int depth) {
    if (depth == 0) return 1;
    Expansion& buffer = buffers_[depth];
    if (depth == 1) {
      game_.moves(state, buffer.moves);
      return buffer.moves.size();
    }
    throw_if_requested(stop_);
    game_.expand(state, buffer, false);
    std::uint64_t leaves = 0;
    for (std::size_t i = 0; i < buffer.moves.size(); ++i)
      if (buffer.results[i] == Result::ongoing)
        leaves += count(buffer.children.data() + i * game_.state_size(), depth - 1);
    return leaves;
  }

 private:
  const Game& game_;
  const Stop* stop_;
  std::vector<Expansion> buffers_;
};

void check_row(std::int64_t row, std::size_t states) {
  if (row < 0 || row >= static_cast<std::int64_t>(states))
    throw Error("there is no row " + std::to_string(row) + " among " + std::to_string(states) +
                " states");
}

}  // namespace

std::uint64_t perft(const Game& game, const std::byte* state, int depth, int threads,
                    const Stop* stop) {
  // No match has so many moves; and no memory so many buffers.
  if (depth > game.datasheet().max_length - game.ply(state)) return 0;
  if (depth < 3) return PerftCounter(game, depth, stop).count(state, depth);
  // The states after two plies are the units of work: enough of them to keep threads busy.
  Expansion first, second;
  std::vector<std::byte> units;
  const std::size_t size = game.state_size();
  game.expand(state, first, false);
  for (std::size_t i = 0; i < first.moves.size(); ++i) {
    if (first.results[i] != Result::ongoing) continue;
    game.expand(first.children.data() + i * size, second, false);
    units.insert(units.end(), second.children.begin(), second.children.end());
  }
  std::atomic<std::uint64_t> leaves{0};
  parallel_for(units.size() / size, threads, 1, [&](std::size_t begin, std::size_t end) {
    PerftCounter counter(game, depth - 2, stop);
    for (std::size_t i = begin; i < end; ++i)
      leaves += counter.count(units.data() + i * size, depth - 2);
  });
  return leaves;
}

PlayoutTally random_playouts(const Game& game, const std::byte* state, std::uint64_t count,
                             std::uint64_t seed, int threads, const Stop* stop) {
  constexpr std::size_t chunk = 64;  // one random stream per chunk, whoever plays it
  std::atomic<std::uint64_t> first{0}, draws{0}, second{0}, plies{0};
  const std::size_t live = game.live_size(state);
  parallel_for(count, threads, chunk, [&](std::size_t begin, std::size_t end) {
    Random random(seed, begin / chunk);
    PlayoutTally tally;
    std::vector<std::uint64_t> storage(game.state_size() / 8);
    auto* scratch = reinterpret_cast<std::byte*>(storage.data());
    for (std::size_t i = begin; i < end; ++i) {
      throw_if_requested(stop);
      std::memcpy(scratch, state, live);
      const Playout end_of_match = game.playout(scratch, random);
      tally.first_wins += end_of_match.result == Result::first_wins;
      tally.draws += end_of_match.result == Result::draw;
      tally.second_wins += end_of_match.result == Result::second_wins;
      tally.plies += end_of_match.plies;
    }
    first += tally.first_wins;
    draws += tally.draws;
    second += tally.second_wins;
    plies += tally.plies;
  });
  return {first, draws, second, plies};
}

void LegalMoves::clear() {
  offsets.assign(1, 0);
  numbers.clear();
  kinds.clear();
  cells.clear();
}

namespace {

// The places in the encoded planes that a move touches, -1 for none.
void write_cells(const Datasheet& sheet, const MovePath& path, std::int16_t* out) {
  const int length = static_cast<int>(path.cells.size());
  for (int i = 0; i < LegalMoves::path_cells; ++i) {
    const Cell* cell = i >= length                       ? nullptr
                       : i == LegalMoves::path_cells - 1 ? &path.cells.back()
                                                         : &path.cells[i];
    out[i] = cell ? static_cast<std::int16_t>((cell->row + sheet.border) * sheet.columns +
                                              cell->column + sheet.border)
                  : std::int16_t{-1};
  }
}

// Goes through the moves of packed states, whose history is empty, and checks them.
class PackedMoves {
 public:
  explicit PackedMoves(const Game& game) : game_(game), state_(game.state_size() / 8) {}

  // Calls with(state, place) for each place of the moves of this packed state.
  template <class With>
  void each(const std::byte* packed, MoveRange moves, std::size_t index, With&& with) {
    const std::int64_t begin = moves.offsets[index], end = moves.offsets[index + 1];
    if (begin == end) return;
    std::memcpy(state_.data(), packed, game_.packed_size());
    const auto* state = reinterpret_cast<const std::byte*>(state_.data());
    game_.check_packed(state);
    legal_.clear();
    if (game_.result(state) == Result::ongoing) game_.moves(state, legal_);
    std::sort(legal_.begin(), legal_.end());
    for (std::int64_t place = begin; place < end; ++place) {
      if (!std::binary_search(legal_.begin(), legal_.end(), moves.numbers[place]))
        throw IllegalMoveError("move number " + std::to_string(moves.numbers[place]) +
                               " is none of a state to learn of " + game_.name());
      with(state, place);
    }
  }

 private:
  const Game& game_;
  std::vector<std::uint64_t> state_;
  MoveList legal_;
};

}  // namespace

void LegalMoves::add_state(const Game& game, const std::byte* state) {
  game.moves(state, legal_);
  for (const Move move : legal_) {
    game.move_path(state, move, path_);
    numbers.push_back(move);
    kinds.push_back(static_cast<std::uint8_t>(path_.kind));
    cells.resize(cells.size() + path_cells);
    write_cells(game.datasheet(), path_, cells.data() + cells.size() - path_cells);
  }
  offsets.push_back(static_cast<std::int64_t>(numbers.size()));
}

void transform_moves(const Game& game, const std::byte* packed, std::size_t count, MoveRange moves,
                     const std::uint8_t* symmetries, Move* out, int threads) {
  parallel_for(count, threads, 64, [&](std::size_t begin, std::size_t end) {
    PackedMoves walk(game);
    for (std::size_t i = begin; i < end; ++i)
      walk.each(packed + i * game.packed_size(), moves, i,
                [&](const std::byte* state, std::int64_t place) {
                  out[place] = game.transform_move(state, symmetries[i], moves.numbers[place]);
                });
  });
}

void describe_moves(const Game& game, const std::byte* packed, std::size_t states,
                    const std::int64_t* rows, std::size_t count, MoveRange moves,
                    std::uint8_t* kinds, std::int16_t* cells, int threads) {
  parallel_for(count, threads, 64, [&](std::size_t begin, std::size_t end) {
    PackedMoves walk(game);
    MovePath path;
    for (std::size_t i = begin; i < end; ++i) {
      check_row(rows[i], states);
      walk.each(packed + rows[i] * game.packed_size(), moves, i,
                [&](const std::byte* state, std::int64_t place) {
                  game.move_path(state, moves.numbers[place], path);
                  kinds[place] = static_cast<std::uint8_t>(path.kind);
                  write_cells(game.datasheet(), path, cells + place * LegalMoves::path_cells);
                });
    }
  });
}

void LegalMoves::append(const LegalMoves& others) {
  const std::int64_t before = offsets.back();
  for (std::size_t i = 1; i < others.offsets.size(); ++i)
    offsets.push_back(before + others.offsets[i]);
  numbers.insert(numbers.end(), others.numbers.begin(), others.numbers.end());
  kinds.insert(kinds.end(), others.kinds.begin(), others.kinds.end());
  cells.insert(cells.end(), others.cells.begin(), others.cells.end());
}

void encode_many(const Game& game, const std::byte* states, std::size_t count, std::size_t stride,
                 std::int8_t* out, int threads) {
  parallel_for(count, threads, 256, [&](std::size_t begin, std::size_t end) {
    game.encode(states + begin * stride, end - begin, stride, out + begin * game.encoded_size());
  });
}

void check_packed(const Game& game, const std::byte* packed, std::size_t count, int threads) {
  const std::size_t size = game.packed_size();
  parallel_for(count, threads, 256, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint64_t> state(game.state_size() / 8);  // with an empty history
    for (std::size_t i = begin; i < end; ++i) {
      std::memcpy(state.data(), packed + i * size, size);
      game.check_packed(reinterpret_cast<const std::byte*>(state.data()));
    }
  });
}

void encode_rows(const Game& game, const std::byte* packed, std::size_t states,
                 const std::int64_t* rows, std::size_t count, std::int8_t* out, int threads) {
  const std::size_t size = game.packed_size();
  const std::size_t words = (size + 7) / 8;  // states are aligned to 8
  constexpr std::size_t chunk = 64;
  parallel_for(count, threads, chunk, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint64_t> gathered(chunk * words), state(game.state_size() / 8);
    for (std::size_t i = begin; i < end; ++i) {
      const std::int64_t row = rows[i];
      check_row(row, states);
      std::uint64_t* place = gathered.data() + (i - begin) * words;
      std::memcpy(place, packed + row * size, size);
      std::memcpy(state.data(), place, size);
      game.check_packed(reinterpret_cast<const std::byte*>(state.data()));
    }
    game.encode(reinterpret_cast<const std::byte*>(gathered.data()), end - begin, words * 8,
                out + begin * game.encoded_size());
  });
}

void transform_many(const Game& game, const std::byte* packed, const std::uint8_t* symmetries,
                    std::size_t count, std::byte* out, int threads) {
  const std::size_t size = game.packed_size();
  parallel_for(count, threads, 256, [&](std::size_t begin, std::size_t end) {
    // Rules transform whole states: here with an empty history.
    std::vector<std::uint64_t> from(game.state_size() / 8), to(game.state_size() / 8);
    for (std::size_t i = begin; i < end; ++i) {
      std::memcpy(from.data(), packed + i * size, size);
      game.check_packed(reinterpret_cast<const std::byte*>(from.data()));
      game.transform(reinterpret_cast<const std::byte*>(from.data()), symmetries[i],
                     reinterpret_cast<std::byte*>(to.data()));
      std::memcpy(out + i * size, to.data(), size);
    }
  });
}

Expansions expand_many(const Game& game, const std::byte* states, std::size_t count,
                       std::size_t stride, int threads) {
  constexpr std::size_t chunk = 32;
  std::vector<Expansions> parts((count + chunk - 1) / chunk);
  parallel_for(count, threads, chunk, [&](std::size_t begin, std::size_t end) {
    Expansions& part = parts[begin / chunk];
    Expansion one;
    for (std::size_t i = begin; i < end; ++i) {
      game.expand(states + i * stride, one, false);
      part.offsets.push_back(one.moves.size());
      part.moves.insert(part.moves.end(), one.moves.begin(), one.moves.end());
      part.children.insert(part.children.end(), one.children.begin(), one.children.end());
      part.results.insert(part.results.end(), one.results.begin(), one.results.end());
      part.keys.insert(part.keys.end(), one.keys.begin(), one.keys.end());
    }
  });
  Expansions all;
  all.offsets.push_back(0);
  for (const Expansions& part : parts) {
    for (const std::size_t moves : part.offsets) all.offsets.push_back(all.offsets.back() + moves);
    all.moves.insert(all.moves.end(), part.moves.begin(), part.moves.end());
    all.children.insert(all.children.end(), part.children.begin(), part.children.end());
    all.results.insert(all.results.end(), part.results.begin(), part.results.end());
    all.keys.insert(all.keys.end(), part.keys.begin(), part.keys.end());
  }
  return all;
}

std::uint64_t count_children(const Game& game, const std::byte* states, std::size_t count,
                             std::size_t stride) {
  Expansion one;
  std::uint64_t children = 0;
  for (std::size_t i = 0; i < count; ++i) {
    game.expand(states + i * stride, one, false);
    children += one.moves.size();
  }
  return children;
}

}  // namespace athenan
