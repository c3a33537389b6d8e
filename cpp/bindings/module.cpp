#include <cstdlib>
#include <thread>

#include "base/error.h"
#include "base/random.h"
#include "bindings/bindings.h"

namespace {

// Threads that nobody waits for may be at work when Python ends: they are asked to leave the engine
// and given time for it, while Python can still run them. Rules in Python that do not return are
// interrupted; where even that does not help, as in a sleep, the program ends at once, for Python
// would otherwise end their threads in the middle of C++.
void wait_at_exit() {
  using namespace athenan;
  const auto have_left = [](std::chrono::milliseconds patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    nb::gil_scoped_release release;
    while (EngineCall::under_way > 0 && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return EngineCall::under_way == 0;
  };
  const auto leave = [have_left] {
    EngineCall::exiting = true;
    for (int seconds = 0; seconds < 5; ++seconds) {
      if (have_left(std::chrono::seconds(1))) return;
      AuthorCall::interrupt_others();
    }
    const std::string method = AuthorCall::endless();
    if (have_left(std::chrono::seconds(0)) || method.empty()) return;
    for (const char* name : {"stdout", "stderr"}) {
      const nb::object stream = nb::module_::import_("sys").attr(name);
      if (!stream.is_none()) stream.attr("flush")();
    }
    std::fprintf(stderr, "athenan: %s does not return: the program ends without it\n",
                 method.c_str());
    std::_Exit(EXIT_FAILURE);
  };
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(leave));
}

void bind_errors(nanobind::module_& m) {
  using namespace athenan;
  auto error = nb::exception<Error>(m, "Error", PyExc_ValueError);
  error.attr("__doc__") = R"(Something that cannot be done, in one sentence for people.

Every mistake of a user raises it or one of its kinds.

>>> import athenan
>>> try:
...     athenan.make_game("hexx")
... except athenan.Error as mistake:
...     print(str(mistake)[:46])
there is no game 'hexx' (did you mean hex?); t)";
  auto parameter = nb::exception<ParameterError>(m, "ParameterError", error.ptr());
  parameter.attr("__doc__") =
      R"(A name, an option or a setting that does not exist, or a wrong value.

>>> import athenan
>>> athenan.make_game("hex", size=99)
Traceback (most recent call last):
athenan._core.ParameterError: option size of hex is '99'; accepted is an integer from 2 to 19)";
  auto position = nb::exception<PositionError>(m, "PositionError", error.ptr());
  position.attr("__doc__") = R"(A text, or bytes, that are no position of the game.

>>> import athenan
>>> athenan.make_game("tic_tac_toe").parse_position("xxx")
Traceback (most recent call last):
athenan._core.PositionError: ...)";
  auto illegal = nb::exception<IllegalMoveError>(m, "IllegalMoveError", error.ptr());
  illegal.attr("__doc__") = R"(A move that cannot be made in a state.

>>> import athenan
>>> athenan.make_game("tic_tac_toe").initial_state().play("d4")
Traceback (most recent call last):
athenan._core.IllegalMoveError: ...)";
  auto stopped = nb::exception<Stopped>(m, "Stopped");
  stopped.attr("__doc__") = R"(Work that has no answer because it was asked to stop.

>>> import athenan
>>> stop = athenan.Stop()
>>> stop.request()
>>> athenan.solve(athenan.make_game("othello").initial_state(), stop=stop)
Traceback (most recent call last):
athenan._core.Stopped: the proof of othello:size=8 was stopped)";
}

}  // namespace

NB_MODULE(_core, m) {
  using namespace athenan;
  nb::set_leak_warnings(false);  // games kept in a cache until exit are no error
  m.doc() = "The C++ core of athenan: rules and trees.";
  bind_errors(m);
  m.def("interrupt_rules", &AuthorCall::interrupt_others,
        "Raises KeyboardInterrupt in the methods of rules in Python that other threads run.");
  nb::class_<Stop>(m, "Stop", R"(A request to end long work early: any thread may make it.

>>> import athenan, threading
>>> stop = athenan.Stop()
>>> threading.Timer(0.1, stop.request).start()
>>> result = athenan.search(athenan.make_game("hex").initial_state(), seconds=60, stop=stop)
>>> stop.requested, result.spent.seconds < 60
(True, True))")
      .def(nb::init<>())
      .def("request", &Stop::request, "Ask the work that was given this token to stop.")
      .def_prop_ro("requested", &Stop::requested, "Whether somebody has asked.")
      .def("__repr__",
           [](const Stop& s) { return s.requested() ? "<Stop: requested>" : "<Stop>"; });
  wait_at_exit();
  nb::class_<Random>(m, "Random", R"(The engine's random generator; the same seed, the same numbers.

>>> import athenan
>>> random = athenan.Random(7)
>>> 0 <= random.below(6) < 6, 0 <= random.uniform() < 1
(True, True)
>>> athenan.Random(7).below(1000) == athenan.Random(7).below(1000)
True)")
      .def(
          "__init__",
          [](Random* self, nb::handle seed) {
            new (self) Random(given<std::uint64_t>(
                seed, "the seed of a Random is an integer from 0 to 2**64 - 1"));
          },
          "seed"_a.none(), nb::sig("def __init__(self, seed: int) -> None"))
      .def(
          "below",
          [](Random& random, std::uint32_t n) {
            if (n == 0) throw athenan::Error("there is no integer from 0 to -1: n is at least 1");
            return random.below(n);
          },
          "n"_a, "A uniform integer from 0 to n - 1.")
      .def("uniform", &Random::uniform, "A uniform number in [0, 1).");
  bind_games(m);
  bind_states(m);
  bind_specs(m);
  bind_searches(m);
  bind_pools(m);
  bind_learning(m);
}
