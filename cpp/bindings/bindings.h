// What the binding files share. Bindings hold no logic: they turn Python values into engine calls.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "games/bulk.h"
#include "games/game.h"
#include "search/algorithms.h"

namespace athenan {

namespace nb = nanobind;
using namespace nb::literals;

// What Python gave as an argument; refuses anything else in a sentence that says what is expected.
template <class T, class Refusal = ParameterError>
T given(nb::handle value, const char* expected) {
  T out;
  if (value.is_none() || !nb::try_cast(value, out)) {
    constexpr std::size_t most = 100;  // letters of a value that are repeated
    std::string shown = nb::cast<std::string>(nb::repr(value));
    if (shown.size() > most) shown = "a " + nb::cast<std::string>(value.type().attr("__name__"));
    throw Refusal(std::string(expected) + ", not " + shown);
  }
  return out;
}

// A number of threads.
inline int threads_in(nb::handle value) {
  return given<int>(value, "threads is a whole number, 0 for all cores");
}

// A number as people write it: 0.5, 1e+06.
inline std::string short_number(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

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

// A state of a game that `fill` writes.
template <class Fill>
PyState new_state(const std::shared_ptr<Game>& game, Fill&& fill) {
  Scratch scratch(*game);
  fill(scratch.data());
  return PyState(game, scratch.data());
}

// Lets Python handle Ctrl-C and other signals; it does so on its main thread only. Throws what the
// handler raised.
inline void handle_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// A call of the engine that lets other threads of Python run. Python ends every thread that wants
// its lock after it has begun to end itself, and no C++ survives that. So before it does, the
// module waits for whoever is in here (module.cpp), and nobody enters any more.
class EngineCall {
 public:
  EngineCall() {
    throw_if_exiting();
    ++under_way;
  }
  ~EngineCall() { --under_way; }
  EngineCall(const EngineCall&) = delete;
  EngineCall& operator=(const EngineCall&) = delete;

  static void throw_if_exiting() {
    if (exiting) throw Stopped();
  }

  static inline std::atomic<bool> exiting{false};
  static inline std::atomic<int> under_way{0};
};

// A call of a method that the author of a game wrote. It may take for ever: then it can be ended by
// an exception, which Python raises between two of its lines. The GIL guards who is in here.
class AuthorCall {
 public:
  AuthorCall(const char* method, const std::string& title)
      : method_(method), title_(title), thread_(PyThread_get_thread_ident()) {
    running.push_back(this);
  }
  ~AuthorCall() { std::erase(running, this); }
  AuthorCall(const AuthorCall&) = delete;
  AuthorCall& operator=(const AuthorCall&) = delete;

  // Raises KeyboardInterrupt in the methods that other threads run.
  static void interrupt_others() {
    for (const AuthorCall* call : running)
      if (call->thread_ != PyThread_get_thread_ident())
        PyThreadState_SetAsyncExc(call->thread_, PyExc_KeyboardInterrupt);
  }
  // A method that does not return; "" if there is none.
  static std::string endless() {
    if (running.empty()) return "";
    return std::string("the method ") + running.front()->method_ + " of " + running.front()->title_;
  }

 private:
  EngineCall call_;
  const char* method_;
  const std::string& title_;
  unsigned long thread_;
  static inline std::vector<const AuthorCall*> running;
};

// A call of the engine with the GIL released.
class Released {
  EngineCall call_;
  nb::gil_scoped_release release_;
};

// Marks what one thread uses; another one that wants it meanwhile is told so.
class InUse {
 public:
  InUse(std::atomic<bool>& mark, const char* name) : mark_(mark) {
    if (mark_.exchange(true))
      throw Error(std::string("this ") + name + " is in use: one thread at a time may use it");
  }
  ~InUse() { mark_ = false; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  std::atomic<bool>& mark_;
};

// Calls work(stop) on a thread of its own while this one looks for signals and for the caller's
// request. After either, the work is asked to stop and waited for: nothing runs on unseen.
template <class Work>
auto stoppable(const Stop* asked, Work&& work) {
  EngineCall call;
  Stop stop;
  auto done = std::async(std::launch::async, [&] { return work(&stop); });
  const auto is_done = [&](std::chrono::milliseconds patience) {
    nb::gil_scoped_release release;
    return done.wait_for(patience) == std::future_status::ready;
  };
  try {
    while (!is_done(slice)) {
      handle_signals();
      if (EngineCall::exiting || (asked && asked->requested())) stop.request();
    }
  } catch (...) {
    stop.request();
    while (!is_done(std::chrono::seconds(1))) AuthorCall::interrupt_others();
    throw;
  }
  return done.get();
}

// Lets a driver work in slices until it says that it is done, looking for signals and for the
// caller's request before each.
template <class Work>
void in_slices(const Stop* asked, Work&& work) {
  EngineCall call;
  while (true) {
    handle_signals();
    EngineCall::throw_if_exiting();
    throw_if_requested(asked);
    bool whole;
    {
      nb::gil_scoped_release release;
      whole = work(std::chrono::steady_clock::now() + slice);
    }
    if (whole) return;
  }
}

// A NumPy array that owns a copy-free vector.
template <class T>
nb::ndarray<nb::numpy, T> numpy_array(std::vector<T> values, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner);
}

// (packed states [count, packed_size], values [count])
inline nb::object targets_array(Targets targets) {
  const std::size_t count = targets.values.size();
  const std::size_t size = count ? targets.states.size() / count : 0;
  std::vector<std::uint8_t> bytes(targets.states.size());
  if (count) std::memcpy(bytes.data(), targets.states.data(), bytes.size());
  return nb::make_tuple(numpy_array(std::move(bytes), {count, size}),
                        numpy_array(std::move(targets.values), {count}));
}

// (offsets, move numbers, targets) in CSR form.
inline nb::object moves_array(MoveTargets moves) {
  const std::size_t states = moves.offsets.size(), count = moves.numbers.size();
  return nb::make_tuple(numpy_array(std::move(moves.offsets), {states}),
                        numpy_array(std::move(moves.numbers), {count}),
                        numpy_array(std::move(moves.targets), {count}));
}

// Planes as Python sees them: int8 [count, C, H, W].
inline nb::ndarray<nb::numpy, std::int8_t> planes_array(const Game& game,
                                                        std::vector<std::int8_t> planes) {
  const Datasheet& sheet = game.datasheet();
  const std::size_t count = game.encoded_size() ? planes.size() / game.encoded_size() : 0;
  return numpy_array(std::move(planes),
                     {count, sheet.planes.size(), static_cast<std::size_t>(sheet.rows),
                      static_cast<std::size_t>(sheet.columns)});
}

// What an evaluator answers with.
using Values = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
inline void check_finite(const Values& numbers, const char* name) {
  const float *begin = numbers.data(), *end = begin + numbers.shape(0);
  constexpr std::uint32_t exponent = 0x7f800000;  // all of its bits are set in nan and infinity
  bool wrong = false;                             // without a way out, so that it is vectorised
  for (const float* x = begin; x != end; ++x)
    wrong |= (std::bit_cast<std::uint32_t>(*x) & exponent) == exponent;
  if (!wrong) return;
  const float* first = std::find_if_not(begin, end, [](float x) { return std::isfinite(x); });
  throw Error("the evaluator returned " + std::to_string(*first) + " as " + name + " number " +
              std::to_string(first - begin) + "; a finite number is needed");
}
inline void check_answer(std::size_t states, std::size_t moves, bool wants_logits,
                         const Values& values, const std::optional<Values>& logits) {
  if (values.shape(0) != states)
    throw Error("the evaluator returned " + std::to_string(values.shape(0)) + " values for " +
                std::to_string(states) + " states");
  check_finite(values, "value");
  if (wants_logits && !logits)
    throw Error("this search needs an evaluator that gives a number to each move");
  if (wants_logits && logits->shape(0) != moves)
    throw Error("the evaluator returned " + std::to_string(logits->shape(0)) + " logits for " +
                std::to_string(moves) + " legal moves");
  if (logits) check_finite(*logits, "logit");
}

// Which of the two players.
inline int player_number(int player) {
  if (player < 0 || player > 1)
    throw Error("player " + std::to_string(player) + " does not exist; players are 0 and 1");
  return player;
}

// Packed states as Python holds them: uint8 [count, state_size].
using PackedStates = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::unique_ptr<Rules> python_rules(nb::object rules);
// The Python object behind a game written in Python; None for a built-in game.
nb::object rules_object(const Game& game);

// A search given as a SearchSpec or as its text: a wrong text has its own sentence.
SearchSpec spec_from(const nb::object& given);

void bind_games(nb::module_& m);
void bind_states(nb::module_& m);
void bind_specs(nb::module_& m);
void bind_searches(nb::module_& m);
void bind_pools(nb::module_& m);
void bind_learning(nb::module_& m);

}  // namespace athenan
