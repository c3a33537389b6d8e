#include <thread>

#include "base/error.h"
#include "base/random.h"
#include "bindings/bindings.h"

namespace {

// Threads that nobody waits for may be at work when Python ends: they are asked to leave the engine
// and given time for it, while Python can still run them.
void wait_at_exit() {
  using namespace athenan;
  const auto leave = [] {
    EngineCall::exiting = true;
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    nb::gil_scoped_release release;
    while (EngineCall::under_way > 0 && std::chrono::steady_clock::now() < patience)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(leave));
}

}  // namespace

NB_MODULE(_core, m) {
  using namespace athenan;
  nb::set_leak_warnings(false);  // games kept in a cache until exit are no error
  m.doc() = "The C++ core of athenan: rules and trees.";
  const auto error = nb::exception<Error>(m, "Error", PyExc_ValueError);
  nb::exception<ParameterError>(m, "ParameterError", error.ptr());
  nb::exception<PositionError>(m, "PositionError", error.ptr());
  nb::exception<IllegalMoveError>(m, "IllegalMoveError", error.ptr());
  nb::exception<Stopped>(m, "Stopped");
  nb::class_<Stop>(m, "Stop", "A request to end long work early: any thread may make it.")
      .def(nb::init<>())
      .def("request", &Stop::request, "Ask the work that was given this token to stop.")
      .def_prop_ro("requested", &Stop::requested);
  wait_at_exit();
  nb::class_<Random>(m, "Random", "The engine's random generator; the same seed, the same numbers.")
      .def(nb::init<std::uint64_t>(), "seed"_a)
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
