#include "base/error.h"
#include "base/random.h"
#include "bindings/bindings.h"

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
  nb::class_<Random>(m, "Random", "The engine's random generator; the same seed, the same numbers.")
      .def(nb::init<std::uint64_t>(), "seed"_a)
      .def("below", &Random::below, "n"_a, "A uniform integer from 0 to n - 1.")
      .def("uniform", &Random::uniform, "A uniform number in [0, 1).");
  bind_games(m);
  bind_states(m);
  bind_specs(m);
  bind_searches(m);
  bind_pools(m);
  bind_learning(m);
}
