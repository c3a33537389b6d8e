// Search: one mind's thinking, driven from Python; its labels, its memory, the move selections.
#include <functional>

#include "base/error.h"
#include "bindings/bindings.h"
#include "games/bulk.h"
#include "search/decision.h"
#include "search/exact.h"
#include "search/fake_evaluator.h"

namespace athenan {
namespace {

// A search with the budget of its specification, used by one thread at a time.
class PySearch {
 public:
  PySearch(std::shared_ptr<Game> game, const nb::object& given, std::uint64_t seed,
           bool keep_terminals)
      : spec(spec_from(given)), game(game), search_(spec.make(game, keep_terminals)) {
    search_->new_match(seed);
  }

  // The search, in use for as long as this lives.
  class Use {
   public:
    explicit Use(const PySearch& self) : mark_(self.in_use_, "search"), search_(*self.search_) {}
    Search* operator->() const { return &search_; }
    Search& operator*() const { return search_; }

   private:
    InUse mark_;
    Search& search_;
  };
  Use use() const { return Use(*this); }

  SearchSpec spec;
  std::shared_ptr<Game> game;

 private:
  std::unique_ptr<Search> search_;
  mutable std::atomic<bool> in_use_{false};
};

// A question to a search, as a property or a method; `thought`: to one that knows its moves.
template <class Question>
auto asks(Question question) {
  return [question](const PySearch& self) { return std::invoke(question, *self.use()); };
}
template <class Question>
auto asks_thought(Question question) {
  return asks([question](Search& search) {
    if (!search.has_moves())
      throw Error("the search knows no moves yet: begin with a state and advance first");
    return std::invoke(question, search);
  });
}

void begin(PySearch& self, const PyState& state, const std::optional<Budget>& budget) {
  if (state.game->id() != self.game->id())
    throw Error("a state of " + state.game->id() + " was given to a search of " + self.game->id());
  self.use()->begin(state.data(), budget.value_or(self.spec.budget()));
}

// A request to stop ends the search as its budget would. `seconds`, unless 0, is for how long to
// work at most: the caller looks at the search meanwhile.
nb::object waiting_planes(PySearch& self, const Stop* stop, double seconds) {
  const auto use = self.use();
  Search& search = *use;
  const ResolvedMemory::Reading reading(search.memory());
  const Clock clock;
  if (stop && stop->requested()) search.end_soon();
  in_slices(nullptr, [&](TimePoint until) {
    const bool whole = search.advance(until) || search.is_over();
    if (!whole && stop && stop->requested()) search.end_soon();
    return whole || (seconds > 0 && clock.seconds() >= seconds);
  });
  const std::size_t count = search.waiting_count();
  if (count == 0) return nb::none();
  std::vector<std::int8_t> planes(count * self.game->encoded_size());
  {
    Released release;
    self.game->encode(search.waiting(), count, self.game->state_size(), planes.data());
  }
  return nb::cast(planes_array(*self.game, std::move(planes)));
}

std::optional<LegalMoves> waiting_moves(const Search& search) {
  if (!search.wants_logits()) return std::nullopt;
  LegalMoves moves;
  for (std::size_t i = 0; i < search.waiting_count(); ++i)
    moves.add_state(search.game(), search.waiting() + i * search.game().state_size());
  return moves;
}

void receive(PySearch& self, const Values& values, const std::optional<Values>& logits,
             bool whole) {
  const auto search = self.use();
  const bool wants_logits = search->wants_logits();
  const std::size_t moves = wants_logits && logits ? waiting_moves(*search)->numbers.size() : 0;
  check_answer(search->waiting_count(), moves, wants_logits, values, logits);
  const ResolvedMemory::Reading reading(search->memory());
  Released release;
  search->receive(values.data(), logits ? logits->data() : nullptr, whole);
}

void run_fake(PySearch& self, std::uint64_t seed, const Stop* stop) {
  const auto search = self.use();
  if (self.spec.asks_of_moves() != MoveAnswers::none)
    throw Error("the fake evaluators say nothing of moves");
  if (!search->has_begun()) throw Error("run_fake was called before begin");
  const ResolvedMemory::Reading reading(search->memory());
  stoppable(stop, [&](const Stop* asked) {
    run_with_fake_evaluator(*search, seed, asked);
    return true;
  });
}

std::int8_t outcome_number(int completion) {
  if (completion < -1 || completion > 1)
    throw Error("a completion is +1, 0 or -1, not " + std::to_string(completion));
  return static_cast<std::int8_t>(completion);
}

Resolved proven(std::uint64_t key, float value, int completion) {
  if (!std::isfinite(value))
    throw Error("the value of a proven state is a finite number, not " + std::to_string(value));
  return {key, value, outcome_number(completion)};
}

void bind_labels(nb::module_& m) {
  nb::class_<MoveLabel>(m, "MoveLabel", "The labels of one move: v, c, r and n.")
      .def(
          "__init__",
          [](MoveLabel* self, Move move, float value, int completion, std::uint8_t resolved,
             std::uint64_t count) {
            if (std::isnan(value)) throw Error("the value of a move is a number, not nan");
            new (self) MoveLabel{move, value, outcome_number(completion), resolved, count};
          },
          "move"_a, "value"_a, "completion"_a = 0, "resolved"_a = 0, "count"_a = 0)
      .def_ro("move", &MoveLabel::move, "Its number; State.move_to_string writes it.")
      .def_ro("value", &MoveLabel::value, "v: first player's point of view.")
      .def_ro("completion", &MoveLabel::completion, "c: +1, 0 or -1.")
      .def_prop_ro(
          "resolved", [](const MoveLabel& l) { return l.resolved != 0; }, "r.")
      .def_ro("count", &MoveLabel::count, "n: how often it was selected.")
      .def("__repr__", [](const MoveLabel& l) {
        return "MoveLabel(move=" + std::to_string(l.move) + ", value=" + short_number(l.value) +
               ", completion=" + std::to_string(l.completion) +
               ", resolved=" + (l.resolved ? "True" : "False") +
               ", count=" + std::to_string(l.count) + ")";
      });
  nb::class_<Budget>(m, "Budget", R"(How long a search may think; 0 is no limit.

>>> import athenan
>>> athenan.Budget(seconds=0.5, expansions=1000)
Budget(seconds=0.5, expansions=1000))")
      .def(
          "__init__",
          [](Budget* self, double seconds, double cpu_seconds, std::uint64_t expansions,
             std::uint64_t evaluations, std::uint64_t iterations) {
            for (const double each : {seconds, cpu_seconds})
              if (!(each >= 0 && std::isfinite(each)))
                throw ParameterError("the seconds of a budget are a number from 0 on, not " +
                                     std::to_string(each));
            new (self) Budget{seconds, cpu_seconds, expansions, evaluations, iterations};
          },
          nb::kw_only(), "seconds"_a = 0.0, "cpu_seconds"_a = 0.0, "expansions"_a = 0,
          "evaluations"_a = 0, "iterations"_a = 0)
      .def_ro("seconds", &Budget::seconds, "Of thinking.")
      .def_ro("cpu_seconds", &Budget::cpu_seconds,
              "Of the processor: work of other programs does not use them up.")
      .def_ro("expansions", &Budget::expansions, "States whose children are made.")
      .def_ro("evaluations", &Budget::evaluations, "States that are given a value.")
      .def_ro("iterations", &Budget::iterations, "Descents from the root.")
      .def("__repr__", [](const Budget& b) {
        std::string text;
        const auto add = [&](const char* name, const std::string& value, bool limits) {
          if (limits) text += (text.empty() ? "" : ", ") + std::string(name) + "=" + value;
        };
        add("seconds", short_number(b.seconds), b.seconds > 0);
        add("cpu_seconds", short_number(b.cpu_seconds), b.cpu_seconds > 0);
        add("expansions", std::to_string(b.expansions), b.expansions > 0);
        add("evaluations", std::to_string(b.evaluations), b.evaluations > 0);
        add("iterations", std::to_string(b.iterations), b.iterations > 0);
        return "Budget(" + text + ")";
      });
  nb::class_<Spent>(m, "Spent", "The work of one search.")
      .def_ro("expansions", &Spent::expansions, "States whose children were made.")
      .def_ro("evaluations", &Spent::evaluations, "States that were given a value.")
      .def_ro("iterations", &Spent::iterations, "Descents from the root.")
      .def_ro("transpositions", &Spent::transpositions, "Children that the tree had already.")
      .def_ro("seconds", &Spent::seconds, "Of thinking.")
      .def("__repr__", [](const Spent& s) {
        return "Spent(expansions=" + std::to_string(s.expansions) +
               ", evaluations=" + std::to_string(s.evaluations) +
               ", iterations=" + std::to_string(s.iterations) +
               ", transpositions=" + std::to_string(s.transpositions) +
               ", seconds=" + short_number(s.seconds) + ")";
      });
}

void bind_selection(nb::module_& m) {
  nb::class_<Selection>(m, "Selection", "A distribution over the moves of the root.")
      .def(nb::init<std::string_view>(), "text"_a)
      .def_prop_ro("text", &Selection::text)
      .def(
          "__call__",
          [](const Selection& self, const std::vector<MoveLabel>& moves, int player,
             double progress, Random& random,
             std::size_t ply) { return self(moves, player_number(player), progress, ply, random); },
          "moves"_a, "player"_a, "progress"_a, "random"_a, "ply"_a = 0,
          "The index of the move to play; progress is t / t_max, ply how many moves have been "
          "played.");
  const auto decides = [](Decision decision) {
    return [decision](const std::vector<MoveLabel>& moves, int player, bool prefers_draw,
                      Random& random) {
      return decision(moves, player_number(player), prefers_draw, random);
    };
  };
  m.def("best_action", decides(best_action), "moves"_a, "player"_a, "prefers_draw"_a, "random"_a);
  m.def("safest_action", decides(safest_action), "moves"_a, "player"_a, "prefers_draw"_a,
        "random"_a);
  m.def(
      "most_visited",
      [](const std::vector<MoveLabel>& moves, int player, Random& random) {
        return most_visited(moves, player_number(player), random);
      },
      "moves"_a, "player"_a, "random"_a);
}

nb::object memory_arrays(const ResolvedMemory& memory) {
  const std::vector<Resolved> all = memory.all();
  std::vector<std::uint64_t> keys;
  std::vector<float> values;
  std::vector<std::int8_t> completions;
  for (const Resolved& each : all) {
    keys.push_back(each.key);
    values.push_back(each.value);
    completions.push_back(each.completion);
  }
  return nb::make_tuple(numpy_array(std::move(keys), {all.size()}),
                        numpy_array(std::move(values), {all.size()}),
                        numpy_array(std::move(completions), {all.size()}));
}

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void load_memory(ResolvedMemory& memory, const Column<std::uint64_t>& keys,
                 const Column<float>& values, const Column<std::int8_t>& completions) {
  if (values.shape(0) != keys.shape(0) || completions.shape(0) != keys.shape(0))
    throw Error("a memory of resolved states has one v and one c per key");
  std::vector<Resolved> all(keys.shape(0));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = proven(keys.data()[i], values.data()[i], completions.data()[i]);
  memory.merge(all);
}

void bind_memory(nb::module_& m) {
  nb::class_<Resolved>(m, "Resolved", "A proven state.")
      .def(
          "__init__",
          [](Resolved* self, std::uint64_t key, float value, int completion) {
            new (self) Resolved(proven(key, value, completion));
          },
          "key"_a, "value"_a, "completion"_a)
      .def_ro("key", &Resolved::key)
      .def_ro("value", &Resolved::value)
      .def_ro("completion", &Resolved::completion);
  nb::class_<ResolvedMemory>(m, "ResolvedMemory", "The states proven so far, beyond one match.")
      .def(nb::init<>())
      .def("__len__", &ResolvedMemory::size)
      .def("clear", &ResolvedMemory::clear)
      .def(
          "merge",
          [](ResolvedMemory& self, const std::vector<Resolved>& resolved) { self.merge(resolved); },
          "resolved"_a, "Adds states resolved by a match.")
      .def(
          "find",
          [](const ResolvedMemory& self, std::uint64_t key) -> nb::object {
            const auto* entry = self.find(key);
            if (!entry) return nb::none();
            return nb::make_tuple(entry->completion, entry->value);
          },
          "key"_a, "(c, v) of a proven state, or None.")
      .def("arrays", &memory_arrays,
           nb::sig("def arrays(self) -> tuple[numpy.typing.NDArray[numpy.uint64], "
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int8]]"),
           "Everything proven: (keys, v, c), by key.")
      .def("load", &load_memory, "keys"_a, "values"_a, "completions"_a, "Adds what arrays() gave.");
}

}  // namespace

void bind_searches(nb::module_& m) {
  bind_labels(m);
  bind_memory(m);
  nb::class_<PySearch>(m, "Search", "One mind's thinking about one match, resumable.")
      .def(nb::init<std::shared_ptr<Game>, const nb::object&, std::uint64_t, bool>(), "game"_a,
           "spec"_a, "seed"_a = 0, "keep_terminals"_a = false,
           nb::sig("def __init__(self, game: Game, spec: SearchSpec | str, seed: int = 0, "
                   "keep_terminals: bool = False) -> None"))
      .def_prop_ro("game", [](const PySearch& s) { return s.game; })
      .def_ro("spec", &PySearch::spec)
      .def(
          "new_match", [](PySearch& s, std::uint64_t seed) { s.use()->new_match(seed); }, "seed"_a,
          "Forgets the tree.")
      .def(
          "use_memory",
          [](PySearch& s, const ResolvedMemory* memory) { s.use()->use_memory(memory); },
          "memory"_a.none(), nb::keep_alive<1, 2>(), "Consults this memory at expansion.")
      .def("begin", &begin, "state"_a, "budget"_a = nb::none(),
           "Starts to think about a state that is not ended, within the budget of the "
           "specification or another one.")
      .def("advance", &waiting_planes, "stop"_a = nb::none(), "seconds"_a = 0.0,
           nb::sig("def advance(self, stop: Stop | None = None, seconds: float = 0) -> "
                   "numpy.typing.NDArray[numpy.int8] | None"),
           "Works until values are needed: the planes of the waiting states, or None when over, "
           "or when this many seconds have passed.")
      .def("end_soon", asks(&Search::end_soon),
           "Ends the search as if its budget were spent; values that are waited for are still "
           "needed.")
      .def_prop_ro("is_over", asks(&Search::is_over),
                   "Whether the budget is spent, the outcome proven or the memory full.")
      .def_prop_ro(
          "waiting_moves", asks(&waiting_moves),
          "The legal moves of the waiting states if numbers for them are wanted, else None.")
      .def("cut", asks(&Search::cut),
           "Ends the search without the values that are waited for, and takes the expansion back "
           "that asked for them. False, and end_soon(), if no move would be known then.")
      .def(
          "charge",
          [](const PySearch& s, double cpu_seconds) {
            if (!(cpu_seconds >= 0 && std::isfinite(cpu_seconds)))
              throw ParameterError("processor time is a number from 0 on, not " +
                                   std::to_string(cpu_seconds));
            s.use()->charge(cpu_seconds);
          },
          "cpu_seconds"_a,
          "Counts time of the processor that was spent for this search elsewhere, as on values.")
      .def("receive", &receive, "values"_a, "logits"_a = nb::none(), "whole"_a = true,
           "Takes one value per waiting state, and one number for each of waiting_moves. If not "
           "whole, some are guesses, and the tree is forgotten before the next move.")
      .def("run_fake", &run_fake, "seed"_a, "stop"_a = nb::none(),
           "Runs to the end with a fake evaluator: 0 for zeros, else hash_values(seed).")
      .def_prop_ro("root_moves", asks_thought(&Search::root_moves))
      .def_prop_ro("root_value", asks_thought(&Search::root_value))
      .def_prop_ro("root_resolved", asks_thought(&Search::root_resolved))
      .def_prop_ro("root_completion", asks_thought(&Search::root_completion))
      .def("decide", asks_thought(&Search::decide), "The move of this algorithm.")
      .def_prop_ro("principal_variation", asks_thought(&Search::principal_variation))
      .def(
          "line_after",
          [](const PySearch& s, Move move) {
            const auto search = s.use();
            if (!search->has_moves())
              throw Error("the search knows no moves yet: begin with a state and advance first");
            return search->line_after(move);
          },
          "move"_a,
          "A move of the root and those that both players prefer after it, as far as is known.")
      .def(
          "labels_after",
          [](const PySearch& s, const std::vector<Move>& moves) {
            return s.use()->labels_after(moves);
          },
          "moves"_a,
          "The labels of the state to which these moves lead from the root; none if the tree has "
          "not expanded it.")
      .def(
          "proof_lengths_after",
          [](const PySearch& s, const std::vector<Move>& moves) {
            const auto search = s.use();
            nb::gil_scoped_release release;
            return search->proof_lengths_after(moves);
          },
          "moves"_a,
          "For each of these labels after how many plies, with its move, a proven win is over at "
          "the "
          "latest if the winner follows the shortest way that the tree has proven; None where no "
          "win "
          "is proven.")
      .def_prop_ro("spent", asks(&Search::spent))
      .def_prop_ro("memory_full", asks(&Search::memory_full))
      .def_prop_ro("tree_bytes", asks(&Search::tree_bytes))
      .def_prop_ro("newly_resolved", asks(&Search::newly_resolved))
      .def_prop_ro("node_count", asks(&Search::node_count))
      .def(
          "labels",
          [](const PySearch& s) {
            nb::list out;
            const auto search = s.use();
            for (StateLabels& labels : search->all_labels())
              out.append(nb::make_tuple(labels.key, std::move(labels.moves)));
            return out;
          },
          nb::sig("def labels(self) -> list[tuple[int, list[MoveLabel]]]"),
          "The labels of every expanded state, with its key.")
      .def(
          "targets",
          [](const PySearch& s) {
            Targets targets;
            s.use()->collect_targets(targets);
            return targets_array(std::move(targets));
          },
          nb::sig("def targets(self) -> tuple[numpy.typing.NDArray[numpy.uint8], "
                  "numpy.typing.NDArray[numpy.float32]]"),
          "Expanded and terminal states with their values: the data of tree learning.")
      .def(
          "move_targets",
          [](const PySearch& s) {
            Targets targets;
            s.use()->collect_targets(targets, true);
            return moves_array(std::move(targets.moves));
          },
          nb::sig("def move_targets(self) -> tuple[numpy.typing.NDArray[numpy.int64], "
                  "numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.float32]]"),
          "(offsets, move numbers, values) in CSR form: the moves of each of these states that "
          "lead "
          "to one whose value is known.");

  m.def("terminal_evaluations", &terminal_evaluations, "game"_a,
        "The terminal evaluations that make sense for a game.");
  m.def(
      "terminal_value",
      [](const PyState& state, std::string_view name) {
        const Result result = state.game->result(state.data());
        if (result == Result::ongoing) throw Error("the match is not over");
        return TerminalEvaluation(*state.game, name)(*state.game, state.data(), result);
      },
      "state"_a, "name"_a, "The value of an ended match under a terminal evaluation.");
  m.def(
      "hash_values",
      [](nb::ndarray<const std::int8_t, nb::ndim<4>, nb::c_contig, nb::device::cpu> planes,
         std::uint64_t seed) {
        const std::size_t count = planes.shape(0),
                          size = planes.size() / std::max<std::size_t>(count, 1);
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i)
          values[i] = hash_value(planes.data() + i * size, size, seed);
        return numpy_array(std::move(values), {count});
      },
      "planes"_a, "seed"_a = 1,
      "A fake evaluator: deterministic values in [-1, 1) that look random.");
  m.def(
      "exact_value",
      [](const PyState& state, std::string_view terminal, const Stop* stop) {
        return stoppable(stop, [&](const Stop* asked) {
          return exact_value(*state.game, state.data(), terminal, asked).value;
        });
      },
      "state"_a, "terminal"_a = "classic", "stop"_a = nb::none(),
      "The value under best play by plain alpha-beta to the end; for small games.");
  bind_selection(m);
}

}  // namespace athenan
