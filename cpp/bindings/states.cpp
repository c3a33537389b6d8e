// State: the immutable value that Python users play with.
#include <algorithm>

#include "base/error.h"
#include "bindings/bindings.h"
#include "games/bulk.h"

namespace athenan {
namespace {

// A question to the game about a state, as a method of State.
template <class Answer, class... Args>
auto asks(Answer (Game::*question)(const std::byte*, Args...) const) {
  return [question](const PyState& s, Args... args) {
    return ((*s.game).*question)(s.data(), args...);
  };
}

// A move as Python gives it: its number or its text.
Move move_of(const PyState& state, nb::handle move) {
  if (nb::isinstance<nb::str>(move))
    return state.game->parse_move(state.data(),
                                  given<std::string, IllegalMoveError>(move, "a move is a text"));
  return given<Move, IllegalMoveError>(
      move, "a move is a number of legal_moves() or a text of legal_move_strings()");
}

PyState played(const PyState& state, nb::handle given_move) {
  const Move move = move_of(state, given_move);
  Scratch scratch(state);
  state.game->play(scratch.data(), move);
  return PyState(state.game, scratch.data());
}

std::optional<int> outcome(const PyState& state) {
  const Result result = state.game->result(state.data());
  if (result == Result::ongoing) return std::nullopt;
  return static_cast<int>(result);
}

// Rules in Python that answer for many states at once count faster than one state at a time.
std::optional<std::uint64_t> batched_perft(const PyState& s, int depth) {
  const nb::object rules = rules_object(*s.game);
  const int left = s.game->datasheet().max_length - s.game->ply(s.data());
  if (!nb::hasattr(rules, "count_leaves") || s.game->offers_swap() || depth == 0 || depth > left ||
      outcome(s))
    return std::nullopt;
  const auto* board = reinterpret_cast<const char*>(s.data()) + sizeof(Header);
  return nb::cast<std::uint64_t>(
      rules.attr("count_leaves")(nb::bytes(board, s.size() - sizeof(Header)), depth));
}

std::vector<Move> legal_moves(const PyState& state) {
  std::vector<Move> moves;
  state.game->moves(state.data(), moves);
  return moves;
}

bool equal(const PyState& a, const PyState& b) {
  return a.game->id() == b.game->id() && a.game->equal(a.data(), b.data());
}

// The geometry of a move as Python sees it.
struct PyPath {
  std::string kind;
  std::vector<Cell> cells;
};

nb::list cells_of(const PyPath& path) {
  nb::list cells;
  for (const Cell& cell : path.cells) cells.append(nb::make_tuple(cell.row, cell.column));
  return cells;
}

std::optional<PyPath> path_of(const PyState& state, nb::handle given_move) {
  const Move move = move_of(state, given_move);
  const std::vector<Move> legal = legal_moves(state);
  if (std::find(legal.begin(), legal.end(), move) == legal.end())
    throw IllegalMoveError("move number " + std::to_string(move) + " is not legal in " +
                           state.game->name() + " here, and only legal moves have a path");
  if (state.game->datasheet().move_kinds.empty()) return std::nullopt;
  MovePath path;
  state.game->move_path(state.data(), move, path);
  return PyPath{state.game->datasheet().move_kinds.at(path.kind), std::move(path.cells)};
}

std::optional<double> score(const PyState& state) {
  if (!state.game->datasheet().has_score) return std::nullopt;
  return state.game->score(state.data());
}

nb::bytes live_bytes(const PyState& state) {
  return nb::bytes(reinterpret_cast<const char*>(state.data()), state.size());
}

}  // namespace

void bind_states(nb::module_& m) {
  nb::class_<PyPath>(m, "MovePath", R"(The geometry of a move: what a player touches to make it.

>>> import athenan
>>> athenan.make_game("breakthrough").initial_state().move_path("b2b3")
<move [(6, 1), (5, 1)]>)")
      .def_ro("kind", &PyPath::kind,
              "place, move, jump, pass, swap, ...: see Datasheet.move_kinds.")
      .def_prop_ro("cells", &cells_of, nb::sig("def cells(self) -> list[tuple[int, int]]"),
                   "The cells in order, as (row, column) from the top left of the board.")
      .def("__repr__", [](const PyPath& path) {
        return "<" + path.kind + " " + nb::cast<std::string>(nb::str(cells_of(path))) + ">";
      });
  nb::class_<PyState>(m, "State", R"(A position: immutable, hashable, comparable, picklable.

>>> import athenan
>>> start = athenan.make_game("tic_tac_toe").initial_state()
>>> state = start.play("b2").play("a1")
>>> print(state)
1 o . .
2 . x .
3 . . .
  a b c
>>> state.to_move, state.ply, state.outcome
(0, 2, None)
>>> state.legal_move_strings()
['b1', 'c1', 'a2', 'c2', 'a3', 'b3', 'c3']
>>> state == start.play(4).play(0)
True)")
      .def_prop_ro(
          "game", [](const PyState& s) { return s.game; }, "The game that it belongs to.")
      .def_prop_ro("to_move", asks(&Game::to_move), "0 for the first player, 1 for the second.")
      .def_prop_ro("ply", asks(&Game::ply), "Moves played since the start.")
      .def_prop_ro("depth", asks(&Game::depth),
                   "The ply, less the swap where the board shows that it was played.")
      .def_prop_ro(
          "is_terminal", [](const PyState& s) { return outcome(s).has_value(); },
          "Whether the match is over.")
      .def_prop_ro("outcome", &outcome, "+1, 0 or -1 for the first player; None before the end.")
      .def_prop_ro("score", &score,
                   "The first player's points minus the second player's; None in a game without.")
      .def_prop_ro(
          "key", [](const PyState& s) { return s.game->key(s.data()); },
          "A 64-bit hash of the position.")
      .def_prop_ro("position", asks(&Game::position_text),
                   "The position in the game's notation; Game.parse_position reads it.")
      .def(
          "pieces",
          [](const PyState& s, int player) {
            return s.game->pieces(s.data(), player_number(player));
          },
          "player"_a, "How many pieces player 0 or 1 has.")
      .def_prop_ro(
          "mobility",
          [](const PyState& s) {
            const Mobility mobility = mobility_of(Game::header(s.data()));
            return nb::make_tuple(mobility.first, mobility.second);
          },
          nb::sig("def mobility(self) -> tuple[float, float]"),
          "The mean number of moves that each player could choose from, over its turns so far.")
      .def("legal_moves", &legal_moves, "The legal moves; none iff the match is over.")
      .def(
          "legal_move_strings",
          [](const PyState& s) {
            std::vector<std::string> out;
            for (Move move : legal_moves(s)) out.push_back(s.game->move_text(s.data(), move));
            return out;
          },
          "The legal moves as texts, in the order of legal_moves.")
      .def("play", &played, "move"_a.none(), nb::sig("def play(self, move: int | str) -> State"),
           "The state after a legal move, as a number or as text.")
      .def(
          "children",
          [](const PyState& s) {
            Expansion expansion;
            s.game->expand(s.data(), expansion, false);
            std::vector<PyState> out;
            for (std::size_t i = 0; i < expansion.moves.size(); ++i)
              out.emplace_back(s.game, expansion.children.data() + i * s.game->state_size());
            return out;
          },
          "The states after each legal move, in the order of legal_moves.")
      .def("move_path", &path_of, "move"_a.none(),
           nb::sig("def move_path(self, move: int | str) -> MovePath | None"),
           "The cells that a player touches to make a legal move, and its kind; None where the "
           "game does not say.")
      .def(
          "move_to_string",
          [](const PyState& s, nb::handle move) {
            return s.game->move_text(s.data(), given<Move, IllegalMoveError>(
                                                   move, "a move is a number of legal_moves()"));
          },
          "move"_a.none(), nb::sig("def move_to_string(self, move: int) -> str"),
          "A move as text, in the notation of the game.")
      .def(
          "parse_move",
          [](const PyState& s, nb::handle text) {
            return s.game->parse_move(
                s.data(), given<std::string, IllegalMoveError>(
                              text, "a move is read from a text of legal_move_strings()"));
          },
          "text"_a.none(), nb::sig("def parse_move(self, text: str) -> int"),
          "The number of a move that is written in the notation of the game.")
      .def(
          "encode",
          [](const PyState& s) {
            const Datasheet& sheet = s.game->datasheet();
            std::vector<std::int8_t> planes(s.game->encoded_size());
            s.game->encode(s.data(), 1, s.size(), planes.data());
            return numpy_array(std::move(planes),
                               {sheet.planes.size(), static_cast<std::size_t>(sheet.rows),
                                static_cast<std::size_t>(sheet.columns)});
          },
          "The planes of the state: int8 [C, H, W].")
      .def(
          "transform",
          [](const PyState& s, nb::handle number) {
            const int symmetry = given<int>(number, "a symmetry is a number, 0 for the identity");
            return new_state(s.game,
                             [&](std::byte* out) { s.game->transform(s.data(), symmetry, out); });
          },
          "symmetry"_a.none(), nb::sig("def transform(self, symmetry: int) -> State"),
          "The image of the state under a symmetry; 0 is the identity.")
      .def("transform_move", asks(&Game::transform_move), "symmetry"_a, "move"_a,
           "The move that corresponds in transform(symmetry).")
      .def(
          "perft",
          [](const PyState& s, nb::handle plies, nb::handle threads, const Stop* stop) {
            const int depth = given<int>(plies, "the depth of perft is a whole number");
            if (depth < 0)
              throw Error("the depth of perft is at least 0, not " + std::to_string(depth));
            const int threads_in_use = threads_in(threads);
            if (const auto leaves = batched_perft(s, depth)) return *leaves;
            return stoppable(stop, [&](const Stop* asked) {
              return perft(*s.game, s.data(), depth, threads_in_use, asked);
            });
          },
          "depth"_a.none(), "threads"_a.none() = 0, "stop"_a = nb::none(),
          nb::sig("def perft(self, depth: int, threads: int = 0, stop: Stop | None = None) -> int"),
          "The number of sequences of exactly `depth` moves.")
      .def(
          "playouts",
          [](const PyState& s, nb::handle matches, nb::handle number, nb::handle threads,
             const Stop* stop) {
            const auto count =
                given<std::uint64_t>(matches, "the number of playouts is at least 0");
            const auto seed =
                given<std::uint64_t>(number, "a seed is an integer from 0 to 2^64 - 1");
            const int threads_in_use = threads_in(threads);
            constexpr std::uint64_t most = 1'000'000'000'000;
            if (count > most)
              throw Error("the number of playouts is at most " + std::to_string(most) + ", not " +
                          std::to_string(count));
            return stoppable(stop, [&](const Stop* asked) {
              return random_playouts(*s.game, s.data(), count, seed, threads_in_use, asked);
            });
          },
          "count"_a.none(), "seed"_a.none() = 0, "threads"_a.none() = 0, "stop"_a = nb::none(),
          nb::sig(
              "def playouts(self, count: int, seed: int = 0, threads: int = 0, stop: Stop | None "
              "= None) -> PlayoutTally"),
          "Uniformly random matches from here.")
      .def("__eq__", &equal)
      .def(
          "__eq__", [](const PyState&, nb::handle) { return false; }, nb::arg().none())
      .def("__hash__",
           [](const PyState& s) { return static_cast<std::size_t>(s.game->key(s.data())); })
      .def("__bytes__", &live_bytes)
      .def("__reduce__",
           [](const PyState& s) {
             const nb::object restore = nb::module_::import_("athenan.games").attr("restore_state");
             return nb::make_tuple(restore, nb::make_tuple(s.game, live_bytes(s)));
           })
      .def("_repr_svg_",  // for notebooks
           [](nb::handle self) {
             return nb::module_::import_("athenan.pictures").attr("svg_of")(self);
           })
      .def("__str__", asks(&Game::drawing))
      .def("__repr__", [](const PyState& s) {
        return "<State of " + s.game->id() + ": " + s.game->position_text(s.data()) + ">";
      });
}

}  // namespace athenan
