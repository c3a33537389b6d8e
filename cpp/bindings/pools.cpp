// Pool: many matches advancing together, and their records.
#include "base/error.h"
#include "bindings/bindings.h"
#include "matches/pool.h"
#include "matches/record_bytes.h"

namespace athenan {
namespace {

Learning learning_named(std::string_view name) {
  constexpr std::pair<std::string_view, Learning> names[] = {{"none", Learning::none},
                                                             {"tree", Learning::tree},
                                                             {"root", Learning::root},
                                                             {"terminal", Learning::terminal}};
  for (const auto& [known, learning] : names)
    if (known == name) return learning;
  throw ParameterError("there is no learning " + in_quotes(name) +
                       "; accepted is one of none, tree, root, terminal");
}

MoveLearning move_learning_named(std::string_view name) {
  if (name == "none") return MoveLearning::none;
  if (name == "policy") return MoveLearning::policy;
  if (name == "values") return MoveLearning::values;
  throw ParameterError("there is no learning of moves " + in_quotes(name) +
                       "; accepted is one of none, policy, values");
}

// A pool that one thread at a time uses; any thread may add matches and take those that ended.
struct PyPool : Pool {
  using Pool::Pool;

  InUse use() { return InUse(in_use_, "pool"); }
  int known(int evaluator) const {
    if (evaluator < 0 || evaluator >= evaluators())
      throw Error("the pool has no evaluator " + std::to_string(evaluator) + "; it has " +
                  std::to_string(evaluators()) + ", numbered from 0");
    return evaluator;
  }

 private:
  std::atomic<bool> in_use_{false};
};

// The waiting states of one evaluator: a view that keeps the buffer it looks at.
auto planes_of(PyPool& pool, int evaluator) {
  const InUse use = pool.use();
  const Datasheet& sheet = pool.game().datasheet();
  const std::size_t shape[] = {pool.batch_size(pool.known(evaluator)), sheet.planes.size(),
                               static_cast<std::size_t>(sheet.rows),
                               static_cast<std::size_t>(sheet.columns)};
  auto* kept = new Pool::Planes(pool.planes(evaluator));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Pool::Planes*>(p); });
  return nb::ndarray<nb::numpy, const std::int8_t>((*kept)->data(), 4, shape, owner);
}

std::optional<LegalMoves> moves_of(PyPool& pool, int evaluator) {
  const InUse use = pool.use();
  if (!pool.wants_logits(pool.known(evaluator))) return std::nullopt;
  return pool.moves(evaluator);
}

void resume(PyPool& pool, int evaluator, const Values& values,
            const std::optional<Values>& logits) {
  const InUse use = pool.use();
  check_answer(pool.batch_size(pool.known(evaluator)), pool.moves(evaluator).numbers.size(),
               pool.wants_logits(evaluator), values, logits);
  Released release;
  pool.resume(evaluator, values.data(), logits ? logits->data() : nullptr);
}

// What made a match fail, with the number of the match.
[[noreturn]] void rethrow(const MatchFailed& failed) {
  const std::string where = "match " + std::to_string(failed.index) + " was given up";
  try {
    std::rethrow_exception(failed.reason);
  } catch (nb::python_error& problem) {
    problem.value().attr("add_note")(where);
    throw;
  } catch (const IllegalMoveError& problem) {
    throw IllegalMoveError(where + ": " + problem.what());
  } catch (const PositionError& problem) {
    throw PositionError(where + ": " + problem.what());
  } catch (const ParameterError& problem) {
    throw ParameterError(where + ": " + problem.what());
  } catch (const Error& problem) {
    throw Error(where + ": " + problem.what());
  }
}

std::size_t collect(PyPool& pool, const Stop* stop) {
  const InUse use = pool.use();
  try {
    in_slices(stop, [&](TimePoint until) { return pool.collect(until); });
  } catch (const MatchFailed& failed) {
    rethrow(failed);
  }
  return pool.waiting();
}

nb::object targets_of(const MatchRecord& r, int mind) {
  const int minds = static_cast<int>(r.targets.size());
  if (mind < 0 || mind >= minds)
    throw ParameterError("a mind of this match is a number below " + std::to_string(minds) +
                         ", not " + std::to_string(mind));
  return targets_array(r.targets[mind]);
}

nb::object targets(const MatchRecord& r) {
  if (r.targets.size() != 1)
    throw Error("a match of two minds has the targets_of(0) and the targets_of(1)");
  return targets_of(r, 0);
}

nb::object move_targets(const MatchRecord& r) {
  if (r.targets.size() != 1) throw Error("a match of two minds has no targets of moves");
  const MoveTargets& moves = r.targets[0].moves;
  if (moves.offsets.size() == 1) return nb::none();
  return moves_array(moves);
}

nb::bytes bytes_of(const MatchRecord& record) {
  const std::vector<std::byte> bytes = [&] {
    Released release;
    return bytes_of_record(record);
  }();
  return nb::bytes(bytes.data(), bytes.size());
}

MatchRecord record_of(const Game& game, const nb::bytes& bytes) {
  const auto* first = static_cast<const std::byte*>(bytes.data());
  Released release;
  return record_of_bytes(game, {first, bytes.size()});
}

template <class Answer>
auto asks(Answer (Pool::*question)() const) {
  return [question](PyPool& pool) {
    const InUse use = pool.use();
    return (pool.*question)();
  };
}

void bind_record(nb::module_& m) {
  nb::class_<MatchRecord>(m, "MatchRecord", "How a match went.")
      .def_ro("index", &MatchRecord::index)
      .def_ro("seed", &MatchRecord::seed)
      .def_ro("first_mind", &MatchRecord::first_mind, "Which mind played first.")
      .def_ro("moves", &MatchRecord::moves, "All moves, the opening included.")
      .def_ro("values", &MatchRecord::values, "v(s) at each move after the opening.")
      .def_ro("spent", &MatchRecord::spent, "The work behind each move after the opening.")
      .def_prop_ro("outcome", [](const MatchRecord& r) { return static_cast<int>(r.result); })
      .def_ro("memory_full", &MatchRecord::memory_full, "Searches ended by their memory cap.")
      .def_ro("resolved", &MatchRecord::resolved, "States proven, for a ResolvedMemory.")
      .def(
          "remember",
          [](const MatchRecord& r, ResolvedMemory& memory) { memory.merge(r.resolved); },
          "memory"_a, "Adds the states proven to a memory of resolved states.")
      .def_ro("movers", &MatchRecord::movers, "Which mind made each move after the opening.")
      .def_prop_ro("targets", &targets,
                   nb::sig("def targets(self) -> tuple[numpy.typing.NDArray[numpy.uint8], "
                           "numpy.typing.NDArray[numpy.float32]]"),
                   "(packed states, values) to learn, of a match of one mind.")
      .def("targets_of", &targets_of, "mind"_a,
           nb::sig("def targets_of(self, mind: int) -> tuple[numpy.typing.NDArray[numpy.uint8], "
                   "numpy.typing.NDArray[numpy.float32]]"),
           "(packed states, values) for one of the minds to learn: from its own searches, and the "
           "end.")
      .def_prop_ro(
          "move_targets", &move_targets,
          nb::sig("def move_targets(self) -> tuple[numpy.typing.NDArray[numpy.int64], "
                  "numpy.typing.NDArray[numpy.uint32], "
                  "numpy.typing.NDArray[numpy.float32]] | None"),
          "(offsets, move numbers, targets) in CSR form: what to learn of the moves of each "
          "state of targets; None where values alone are learned.")
      .def("as_bytes", &bytes_of, "Everything, for another process.")
      .def_static("from_bytes", &record_of, "game"_a, "data"_a, "What as_bytes() gave.");
}

}  // namespace

void bind_pools(nb::module_& m) {
  bind_record(m);
  nb::class_<MindSpec>(m, "Mind", "A search, how it chooses its move, the evaluator it asks.")
      .def(
          "__init__",
          [](MindSpec* self, const nb::object& search, std::optional<std::string> selection,
             int evaluator) {
            std::optional<Selection> chosen;
            if (selection) chosen.emplace(*selection);
            new (self) MindSpec{spec_from(search), chosen, evaluator};
          },
          "search"_a, "selection"_a = nb::none(), "evaluator"_a = 0,
          nb::sig("def __init__(self, search: SearchSpec | str, selection: str | None = None, "
                  "evaluator: int = 0) -> None"))
      .def_ro("search", &MindSpec::search)
      .def_prop_ro("selection",
                   [](const MindSpec& s) -> std::optional<std::string> {
                     if (!s.selection) return std::nullopt;
                     return s.selection->text();
                   })
      .def_ro("evaluator", &MindSpec::evaluator);

  nb::class_<PyPool>(m, "Pool", "Many matches advancing together on threads.")
      .def(
          "__init__",
          [](PyPool* self, std::shared_ptr<Game> game, std::vector<MindSpec> minds,
             std::string_view learning, int slots, int threads, const ResolvedMemory* memory,
             std::string_view moves, std::optional<MindSpec> expert, bool guests,
             std::optional<MindSpec> chooser) {
            const Lesson lesson{learning_named(learning), move_learning_named(moves),
                                std::move(expert), std::move(chooser)};
            new (self)
                PyPool(std::move(game), std::move(minds), lesson, slots, threads, memory, guests);
          },
          "game"_a, "minds"_a, "learning"_a = "none", "slots"_a = 1, "threads"_a = 1,
          "memory"_a = nb::none(), "moves"_a = "none", "expert"_a = nb::none(), "guests"_a = false,
          "chooser"_a = nb::none(), nb::keep_alive<1, 7>(),
          "With guests, somebody outside plays against the one mind: `take_asked` tells where, and "
          "`answer` takes its moves. With a chooser, each move is that of its search, which thinks "
          "beside the one mind, and of the mind is learned.")
      .def(
          "add",
          [](PyPool& pool, std::uint64_t index, std::uint64_t seed, MoveList opening,
             int first_mind, double progress) {
            if (first_mind < 0 || first_mind > 1)
              throw ParameterError("first_mind is 0 or 1, not " + std::to_string(first_mind));
            if (!std::isfinite(progress))
              throw ParameterError("the progress of a match is a number, not " +
                                   std::to_string(progress));
            pool.add({index, seed, std::move(opening), first_mind, progress});
          },
          "index"_a, "seed"_a, "opening"_a = MoveList{}, "first_mind"_a = 0, "progress"_a = 0.0,
          "Queues a match.")
      .def_prop_ro("queued", [](const PyPool& pool) { return pool.queued(); })
      .def_prop_ro("evaluators", [](const PyPool& pool) { return pool.evaluators(); })
      .def_prop_ro("tree_bytes", asks(&Pool::tree_bytes))
      .def_prop_ro("spent", asks(&Pool::spent),
                   "The work of all its matches, also the unfinished ones.")
      .def_prop_ro("plies", asks(&Pool::plies),
                   "The moves of all its matches, also the unfinished ones; openings aside.")
      .def("collect", &collect, "stop"_a = nb::none(),
           "Advances every match; returns how many states wait for values, 0 at the end. Raises "
           "once for each match that had to be given up, and goes on with the others when called "
           "again.")
      .def("batch", &planes_of, "evaluator"_a = 0,
           nb::sig("def batch(self, evaluator: int = 0) -> numpy.typing.NDArray[numpy.int8]"),
           "The planes of the waiting states; the next batch may overwrite them.")
      .def("moves", &moves_of, "evaluator"_a = 0,
           "The legal moves of those of these states that want numbers for them; None if none do.")
      .def("resume", &resume, "evaluator"_a, "values"_a, "logits"_a = nb::none(),
           "Hands back one value per waiting state, and one number for each of moves().")
      .def_prop_ro(
          "glimpse",
          [](const PyPool& pool) -> std::optional<nb::tuple> {
            const auto seen = pool.glimpse();
            if (!seen) return std::nullopt;
            return nb::make_tuple(seen->index, seen->moves, seen->values);
          },
          nb::sig("def glimpse(self) -> tuple[int, list[int], list[float]] | None"),
          "A match to watch: its index, its moves so far and the values of the minds. It is under "
          "way, or the last one that ended in its place; any thread may ask, at any time.")
      .def(
          "take_asked",
          [](PyPool& pool) {
            const InUse use = pool.use();
            return pool.take_asked();
          },
          "The matches whose guests are asked for a move since the last call: the index of each, "
          "and its moves so far.")
      .def(
          "answer",
          [](PyPool& pool, std::uint64_t index, Move move) {
            const InUse use = pool.use();
            pool.answer(index, move);
          },
          "index"_a, "move"_a, "Plays the move of a guest that was asked.")
      .def(
          "withdraw",
          [](PyPool& pool, std::uint64_t index) {
            const InUse use = pool.use();
            return pool.withdraw(index);
          },
          "index"_a, "Gives up a match whose guest is asked, and returns what was played.")
      .def(
          "take_finished", [](PyPool& pool) { return pool.take_finished(); },
          "The matches that ended, by index.");
}

}  // namespace athenan
