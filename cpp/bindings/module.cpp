#include "base/error.h"
#include "bindings/bindings.h"

NB_MODULE(_core, m) {
  using namespace athenan;
  m.doc() = "The C++ core of athenan: rules and trees.";
  const auto error = nb::exception<Error>(m, "Error", PyExc_ValueError);
  nb::exception<ParameterError>(m, "ParameterError", error.ptr());
  nb::exception<PositionError>(m, "PositionError", error.ptr());
  nb::exception<IllegalMoveError>(m, "IllegalMoveError", error.ptr());
  bind_games(m);
  bind_states(m);
}
