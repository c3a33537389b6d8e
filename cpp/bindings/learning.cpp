// What learning does with packed states: encode, mirror, pre-train. A packed state is the prefix of
// packed_size() bytes that searches hand out as targets; bytes that are none are refused.
#include <algorithm>

#include "base/error.h"
#include "bindings/bindings.h"
#include "games/bulk.h"
#include "matches/random_ends.h"

namespace athenan {
namespace {

using Rows = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Symmetries = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Offsets = Rows;
using Numbers = nb::ndarray<const Move, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

const std::byte* bytes_of(const Game& game, const PackedStates& packed) {
  if (packed.shape(1) != game.packed_size())
    throw PositionError("states to learn of " + game.name() + " have " +
                        std::to_string(game.packed_size()) + " bytes each, not " +
                        std::to_string(packed.shape(1)));
  return reinterpret_cast<const std::byte*>(packed.data());
}

auto encode(const Game& game, const PackedStates& packed, const Rows& rows, int threads) {
  const std::byte* states = bytes_of(game, packed);
  const std::size_t count = rows.shape(0);
  std::vector<std::int8_t> planes(count * game.encoded_size());
  {
    Released release;
    encode_rows(game, states, packed.shape(0), rows.data(), count, planes.data(), threads);
  }
  return planes_array(game, std::move(planes));
}

auto transform(const Game& game, const PackedStates& packed, const Symmetries& symmetries,
               int threads) {
  const std::byte* states = bytes_of(game, packed);
  const std::size_t count = packed.shape(0);
  if (symmetries.shape(0) != count)
    throw Error("one symmetry per state is needed: " + std::to_string(count) + ", not " +
                std::to_string(symmetries.shape(0)));
  std::vector<std::uint8_t> images(count * game.packed_size());
  {
    Released release;
    transform_many(game, states, symmetries.data(), count,
                   reinterpret_cast<std::byte*>(images.data()), threads);
  }
  return numpy_array(std::move(images), {count, game.packed_size()});
}

// Throws Error unless the offsets go from 0 to the number of the moves, never back.
MoveRange range_of(const Offsets& offsets, const Numbers& numbers, std::size_t states) {
  const std::int64_t* first = offsets.data();
  if (offsets.shape(0) != states + 1 || first[0] != 0 ||
      !std::is_sorted(first, first + states + 1) ||
      first[states] != static_cast<std::int64_t>(numbers.shape(0)))
    throw Error("the moves of " + std::to_string(states) +
                " states need as many offsets and one, " + "from 0 to " +
                std::to_string(numbers.shape(0)));
  return {first, numbers.data()};
}

auto moves_transformed(const Game& game, const PackedStates& packed, const Offsets& offsets,
                       const Numbers& numbers, const Symmetries& symmetries, int threads) {
  const std::byte* states = bytes_of(game, packed);
  const std::size_t count = packed.shape(0);
  const MoveRange moves = range_of(offsets, numbers, count);
  if (symmetries.shape(0) != count)
    throw Error("one symmetry per state is needed: " + std::to_string(count) + ", not " +
                std::to_string(symmetries.shape(0)));
  MoveList images(numbers.shape(0));
  {
    Released release;
    transform_moves(game, states, count, moves, symmetries.data(), images.data(), threads);
  }
  const std::size_t size = images.size();
  return numpy_array(std::move(images), {size});
}

auto moves_described(const Game& game, const PackedStates& packed, const Rows& rows,
                     const Offsets& offsets, const Numbers& numbers, int threads) {
  const std::byte* states = bytes_of(game, packed);
  const std::size_t count = rows.shape(0), size = numbers.shape(0);
  const MoveRange moves = range_of(offsets, numbers, count);
  std::vector<std::uint8_t> kinds(size);
  std::vector<std::int16_t> cells(size * LegalMoves::path_cells);
  {
    Released release;
    describe_moves(game, states, packed.shape(0), rows.data(), count, moves, kinds.data(),
                   cells.data(), threads);
  }
  return nb::make_tuple(
      numpy_array(std::move(kinds), {size}),
      numpy_array(std::move(cells), {size, static_cast<std::size_t>(LegalMoves::path_cells)}));
}

void check(const Game& game, const PackedStates& packed, int threads) {
  const std::byte* states = bytes_of(game, packed);
  Released release;
  check_packed(game, states, packed.shape(0), threads);
}

auto ends(const Game& game, std::string_view terminal, std::size_t count, std::uint64_t seed,
          int threads, const Stop* stop) {
  constexpr std::size_t most = 1'000'000'000;
  if (count > most)
    throw Error("the number of random ends is at most " + std::to_string(most) + ", not " +
                std::to_string(count));
  return targets_array(stoppable(stop, [&](const Stop* asked) {
    return random_ends(game, terminal, count, seed, threads, asked);
  }));
}

}  // namespace

void bind_learning(nb::module_& m) {
  m.def("encode_packed", &encode, "game"_a, "packed"_a, "rows"_a, "threads"_a = 0,
        "The planes of the packed states at these rows: int8 [rows, C, H, W].");
  m.def("transform_packed", &transform, "game"_a, "packed"_a, "symmetries"_a, "threads"_a = 0,
        "The image of each packed state under its own symmetry: uint8 [count, packed_size].");
  m.def("transform_moves", &moves_transformed, "game"_a, "packed"_a, "offsets"_a, "numbers"_a,
        "symmetries"_a, "threads"_a = 0,
        "The images of moves of packed states, in CSR form, under the symmetry of each state.");
  m.def("describe_moves", &moves_described, "game"_a, "packed"_a, "rows"_a, "offsets"_a,
        "numbers"_a, "threads"_a = 0,
        nb::sig("def describe_moves(game: Game, packed: numpy.typing.NDArray[numpy.uint8], rows: "
                "numpy.typing.NDArray[numpy.int64], offsets: numpy.typing.NDArray[numpy.int64], "
                "numbers: numpy.typing.NDArray[numpy.uint32], threads: int = 0) -> "
                "tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int16]]"),
        "The kinds of moves of the packed states at these rows, and the cells that they touch, as "
        "LegalMoves has them.");
  m.def("check_packed", &check, "game"_a, "packed"_a, "threads"_a = 0,
        "Raises PositionError if any of these packed states is none of the game.");
  m.def("random_ends", &ends, "game"_a, "terminal"_a, "count"_a, "seed"_a, "threads"_a = 0,
        "stop"_a = nb::none(),
        nb::sig("def random_ends(game: Game, terminal: str, count: int, seed: int, threads: int = "
                "0, stop: Stop | None = None) -> tuple[numpy.typing.NDArray[numpy.uint8], "
                "numpy.typing.NDArray[numpy.float32]]"),
        "Packed final states of uniformly random matches, and their terminal evaluations.");
}

}  // namespace athenan
