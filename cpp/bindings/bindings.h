// What the binding files share. Bindings hold no logic: they turn Python values into engine calls.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <vector>

#include "games/game.h"
#include "search/search.h"

namespace athenan {

namespace nb = nanobind;
using namespace nb::literals;

// A state as Python sees it: immutable, the live bytes and the game they belong to.
class PyState {
 public:
  PyState(std::shared_ptr<Game> game, const std::byte* state)
      : game(std::move(game)), size_(this->game->live_size(state)), words_((size_ + 7) / 8) {
    std::memcpy(words_.data(), state, size_);
  }

  const std::byte* data() const { return reinterpret_cast<const std::byte*>(words_.data()); }
  std::size_t size() const { return size_; }

  std::shared_ptr<Game> game;

 private:
  std::size_t size_;
  std::vector<std::uint64_t> words_;
};

// Room for one state of full size, where the engine can play.
class Scratch {
 public:
  explicit Scratch(const Game& game) : words_(game.state_size() / 8) {}
  Scratch(const PyState& state) : Scratch(*state.game) {
    std::memcpy(words_.data(), state.data(), state.size());
  }
  std::byte* data() { return reinterpret_cast<std::byte*>(words_.data()); }

 private:
  std::vector<std::uint64_t> words_;
};

// A NumPy array that owns a copy-free vector.
template <class T>
nb::ndarray<nb::numpy, T> numpy_array(std::vector<T> values, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner);
}

// (packed states [count, packed_size], values [count])
inline nb::object targets_array(const Game& game, Targets targets) {
  const std::size_t count = targets.values.size();
  std::vector<std::uint8_t> bytes(targets.states.size());
  if (count) std::memcpy(bytes.data(), targets.states.data(), bytes.size());
  return nb::make_tuple(numpy_array(std::move(bytes), {count, game.packed_size()}),
                        numpy_array(std::move(targets.values), {count}));
}

// Packed states as Python holds them: uint8 [count, state_size].
using PackedStates = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::unique_ptr<Rules> python_rules(nb::object rules);
// The Python object behind a game written in Python; None for a built-in game.
nb::object rules_object(const Game& game);

void bind_games(nb::module_& m);
void bind_states(nb::module_& m);
void bind_searches(nb::module_& m);
void bind_pools(nb::module_& m);
void bind_learning(nb::module_& m);

}  // namespace athenan
