// SearchSpec: a search with its options as a value; the list of the algorithms.
#include "base/error.h"
#include "base/nearest.h"
#include "bindings/bindings.h"

namespace athenan {
namespace {

nb::object option(const Parameters& options, const Parameter& parameter) {
  const std::string& name = parameter.name;
  if (parameter.choices.empty() && !parameter.free_word)
    return parameter.step == 0 ? nb::cast(options.real(name)) : nb::cast(options.count(name));
  const bool is_flag = parameter.choices == std::vector<std::string>{"true", "false"};
  return is_flag ? nb::cast(options.flag(name)) : nb::cast(options.choice(name));
}

nb::dict options(const SearchSpec& spec) {
  nb::dict out;
  for (const Parameter& parameter : spec.options().declared())
    out[parameter.name.c_str()] = option(spec.options(), parameter);
  return out;
}

const char* asks_of_moves(const SearchSpec& spec) {
  switch (spec.asks_of_moves()) {
    case MoveAnswers::policy:
      return "policy";
    case MoveAnswers::values:
      return "values";
    default:
      return "none";
  }
}

// "seconds=1,completion=false" of Python's keyword arguments.
std::string text_of(const nb::kwargs& options) {
  std::string text;
  for (const auto& [name, value] : options) {
    std::string word;
    if (!nb::try_cast(nb::str(value), word)) word = nb::cast<std::string>(nb::repr(value));
    text += (text.empty() ? "" : ",") + nb::cast<std::string>(name) + "=" +
            (nb::isinstance<nb::bool_>(value) ? (word == "True" ? "true" : "false") : word);
  }
  return text;
}

}  // namespace

SearchSpec spec_from(const nb::object& given) {
  if (nb::isinstance<SearchSpec>(given)) return nb::cast<SearchSpec>(given);
  if (std::string text; nb::isinstance<nb::str>(given) && nb::try_cast(given, text))
    return SearchSpec(text);
  throw ParameterError(
      "a search is a SearchSpec or a text such as 'ubfm-safe:expansions=50', not " +
      nb::cast<std::string>(nb::repr(given)));
}

void bind_specs(nb::module_& m) {
  nb::class_<AlgorithmEntry>(m, "Algorithm", "One search algorithm and its options.")
      .def_ro("name", &AlgorithmEntry::name, "What a SearchSpec begins with.")
      .def_ro("description", &AlgorithmEntry::description, "What it is.")
      .def_ro("needs_evaluator", &AlgorithmEntry::needs_evaluator, "Whether it asks for values.")
      .def_ro("for_one_player", &AlgorithmEntry::for_one_player,
              "Whether it takes only games without an opponent.")
      .def_ro("parameters", &AlgorithmEntry::parameters, "Its options.")
      .def("__repr__", [](const AlgorithmEntry& a) {
        return "<Algorithm " + a.name + ": " + a.description + ">";
      });
  m.def("did_you_mean", &did_you_mean, "word"_a, "known"_a,
        "' (did you mean hex?)' for the known name that is most like a word; '' if none is.");
  m.def("algorithms", [] { return algorithms(); }, R"(The search algorithms.

>>> import athenan
>>> [each.name for each in athenan.algorithms()][:3]
['descent', 'ubfm', 'ubfm-safe'])");

  nb::class_<SearchSpec>(m, "SearchSpec", R"(A search with its options, as a value.

>>> import athenan
>>> spec = athenan.SearchSpec("ubfm-safe:expansions=500")
>>> spec.name, spec.options["expansions"], spec.budget
('ubfm-safe', 500, Budget(expansions=500))
>>> spec.with_(seconds=1, terminal="score")
SearchSpec('ubfm-safe:seconds=1,expansions=500,terminal=score')
>>> spec.updated("alphabeta:depth=2")
SearchSpec('alphabeta:depth=2'))")
      .def(
          "__init__",
          [](SearchSpec* self, nb::handle text) {
            new (self) SearchSpec(
                given<std::string>(text, "a search is a text such as 'ubfm-safe:expansions=50'"));
          },
          "text"_a.none(), nb::sig("def __init__(self, text: str) -> None"))
      .def_static("names_algorithm", &SearchSpec::names_algorithm, "text"_a,
                  "Whether a text begins with the name of an algorithm.")
      .def_prop_ro("algorithm", &SearchSpec::algorithm, nb::rv_policy::reference,
                   "What is known of its kind.")
      .def_prop_ro(
          "name", [](const SearchSpec& s) { return s.algorithm().name; },
          "The name of its algorithm.")
      .def_prop_ro("options", &options,
                   nb::sig("def options(self) -> dict[str, int | float | bool | str]"),
                   "Every option with its value.")
      .def_prop_ro(
          "asks_of_moves", &asks_of_moves,
          nb::sig("def asks_of_moves(self) -> typing.Literal['none', 'policy', 'values']"),
          "What it asks of the legal moves of a state: nothing, the logits of a policy, or "
          "the values of the states that they lead to.")
      .def_prop_ro("budget", &SearchSpec::budget, "Its limits.")
      .def_prop_ro(
          "is_timed",
          [](const SearchSpec& s) { return s.budget().seconds > 0 || s.budget().cpu_seconds > 0; },
          "Whether seconds limit it: then what it plays depends on the machine.")
      .def_prop_ro("is_limited", &SearchSpec::is_limited,
                   "Whether a budget or a depth ends it; else it ends when the outcome is proven.")
      .def_prop_ro("unlimited", &SearchSpec::unlimited, "The same without its budget.")
      .def(
          "with_", [](const SearchSpec& s, nb::kwargs given) { return s.updated(text_of(given)); },
          nb::sig("def with_(self, **options: int | float | bool | str) -> SearchSpec"),
          "The same with these options.")
      .def("updated", &SearchSpec::updated, "text"_a,
           "The same with the options of a text, as in 'seconds=1'; or another search, as in "
           "'alphabeta:depth=2', with the terminal evaluation of this one unless it names its own.")
      .def("__str__", &SearchSpec::text)
      .def("__repr__", [](const SearchSpec& s) { return "SearchSpec('" + s.text() + "')"; })
      .def("__eq__", [](const SearchSpec& a, const SearchSpec& b) { return a == b; })
      .def(
          "__eq__", [](const SearchSpec&, nb::handle) { return false; }, nb::arg().none())
      .def("__hash__", [](const SearchSpec& s) { return nb::hash(nb::str(s.text().c_str())); })
      .def("__reduce__", [](const SearchSpec& s) {
        return nb::make_tuple(nb::type<SearchSpec>(), nb::make_tuple(s.text()));
      });
}

}  // namespace athenan
