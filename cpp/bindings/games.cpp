// Game, Datasheet, Parameter, the registry and the bulk operations.
#include <nanobind/stl/tuple.h>

#include "base/error.h"
#include "bindings/bindings.h"
#include "games/bulk.h"
#include "games/registry.h"

namespace athenan {
namespace {

// Packed states that come from Python are checked one by one: bytes from outside are never trusted.
std::vector<std::uint64_t> checked(const Game& game, const PackedStates& packed) {
  if (packed.shape(1) != game.state_size())
    throw PositionError("packed states of " + game.name() + " have " +
                        std::to_string(game.state_size()) + " bytes each, not " +
                        std::to_string(packed.shape(1)));
  const std::size_t words = game.state_size() / 8;
  std::vector<std::uint64_t> states(packed.shape(0) * words);
  for (std::size_t i = 0; i < packed.shape(0); ++i) {
    auto* state = reinterpret_cast<std::byte*>(states.data() + i * words);
    std::memcpy(state, packed.data() + i * game.state_size(), game.state_size());
    game.check(state);
  }
  return states;
}

std::vector<std::uint64_t> gathered(const Game& game, const std::vector<const PyState*>& states) {
  const std::size_t words = game.state_size() / 8;
  std::vector<std::uint64_t> out(states.size() * words);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!states[i]) throw Error("None was given to " + game.id() + " instead of a state");
    if (states[i]->game->id() != game.id())
      throw Error("a state of " + states[i]->game->id() + " was given to " + game.id());
    std::memcpy(out.data() + i * words, states[i]->data(), states[i]->size());
  }
  return out;
}

// Many states as Python gives them: a list, or the array that pack made of one.
std::vector<std::uint64_t> states_of(const Game& game, nb::handle states) {
  if (PackedStates packed; !states.is_none() && nb::try_cast(states, packed, false))
    return checked(game, packed);
  return gathered(game, given<std::vector<const PyState*>>(
                            states, "many states are a list of them, or the array of pack"));
}

const std::byte* bytes_of(const std::vector<std::uint64_t>& states) {
  return reinterpret_cast<const std::byte*>(states.data());
}

std::size_t count_of(const Game& game, const std::vector<std::uint64_t>& states) {
  return states.size() * 8 / game.state_size();
}

auto encoded(const Game& game, const std::vector<std::uint64_t>& states, int threads) {
  const std::size_t count = count_of(game, states);
  std::vector<std::int8_t> planes(count * game.encoded_size());
  {
    Released release;
    encode_many(game, bytes_of(states), count, game.state_size(), planes.data(), threads);
  }
  return planes_array(game, std::move(planes));
}

auto expanded(const Game& game, const std::vector<std::uint64_t>& states, int threads) {
  Expansions all;
  {
    Released release;
    all = expand_many(game, bytes_of(states), count_of(game, states), game.state_size(), threads);
  }
  const std::size_t count = all.moves.size();
  std::vector<std::uint64_t> offsets(all.offsets.begin(), all.offsets.end());
  std::vector<std::int8_t> results(count);
  std::vector<std::uint8_t> children(all.children.size());
  if (count) std::memcpy(results.data(), all.results.data(), count);
  if (count) std::memcpy(children.data(), all.children.data(), children.size());
  return std::make_tuple(numpy_array(std::move(offsets), {all.offsets.size()}),
                         numpy_array(std::move(all.moves), {count}),
                         numpy_array(std::move(children), {count, game.state_size()}),
                         numpy_array(std::move(results), {count}),
                         numpy_array(std::move(all.keys), {count}));
}

void bind_datasheet(nb::module_& m) {
  nb::class_<Datasheet>(m, "Datasheet", R"(What a person or a network needs to know of a game.

>>> import athenan
>>> athenan.make_game("othello").datasheet
<Datasheet of Othello: 2 players, 4 planes of 8×8, 65 moves, at most 120 plies>)")
      .def(
          nb::init<std::string, int, int, std::vector<std::string>, std::uint32_t, int, std::string,
                   int, int, int, int, std::vector<std::string>, int, std::string, bool, bool, bool,
                   bool, bool, std::string, std::string, std::string, std::string>(),
          nb::kw_only(), "title"_a, "rows"_a, "columns"_a, "planes"_a, "move_count"_a,
          "max_length"_a, "max_length_reason"_a = "", "typical_length"_a = 0,
          "longest_length"_a = 0, "players"_a = 2, "border"_a = 0,
          "move_kinds"_a = std::vector<std::string>{}, "symmetries"_a = 1,
          "symmetry_group"_a = "none", "cyclic"_a = false, "has_draws"_a = false,
          "has_score"_a = false, "has_pieces"_a = false, "board_determines_ply"_a = false,
          "own_evaluation"_a = "", "move_notation"_a = "", "position_notation"_a = "",
          "reference"_a = "")
      .def_ro("title", &Datasheet::title, "The name of the game for people.")
      .def_ro("players", &Datasheet::players, "1 or 2.")
      .def_ro("rows", &Datasheet::rows, "Rows of the encoded planes.")
      .def_ro("columns", &Datasheet::columns, "Columns of the encoded planes.")
      .def_ro("border", &Datasheet::border, "Lines that the planes add on each side of the board.")
      .def_ro("planes", &Datasheet::planes, "The name of each encoded plane.")
      .def_ro("move_count", &Datasheet::move_count, "Moves are numbers below this, swap excluded.")
      .def_ro("move_kinds", &Datasheet::move_kinds, "The kinds of moves; empty without geometry.")
      .def_ro("max_length", &Datasheet::max_length, "Plies after which a match is a draw.")
      .def_ro("max_length_reason", &Datasheet::max_length_reason, "Why no match is longer.")
      .def_ro("typical_length", &Datasheet::typical_length, "Plies of a random match; 0: unknown.")
      .def_ro("longest_length", &Datasheet::longest_length,
              "Plies of the longest random matches, where max_length is far above; else 0.")
      .def_ro("symmetries", &Datasheet::symmetries, "How many, the identity included.")
      .def_ro("symmetry_group", &Datasheet::symmetry_group, "Their name.")
      .def_ro("cyclic", &Datasheet::cyclic, "Whether positions can repeat.")
      .def_ro("has_draws", &Datasheet::has_draws, "Whether a match can end undecided.")
      .def_ro("has_score", &Datasheet::has_score, "Whether points are counted.")
      .def_ro("has_pieces", &Datasheet::has_pieces, "Whether State.pieces counts pieces.")
      .def_ro("board_determines_ply", &Datasheet::board_determines_ply,
              "Whether equal boards are always equally many moves from the start.")
      .def_ro("own_evaluation", &Datasheet::own_evaluation,
              "The game's own terminal evaluation, computed by its score; mostly none.")
      .def_ro("move_notation", &Datasheet::move_notation, "How moves are written.")
      .def_ro("position_notation", &Datasheet::position_notation, "How positions are written.")
      .def_ro("reference", &Datasheet::reference, "Where the rules come from.")
      .def("__repr__",
           [](const Datasheet& sheet) {
             const auto number = [](auto n) { return std::to_string(n); };
             return "<Datasheet of " + sheet.title + ": " + number(sheet.players) +
                    (sheet.players == 1 ? " player, " : " players, ") +
                    number(sheet.planes.size()) +
                    (sheet.planes.size() == 1 ? " plane of " : " planes of ") + number(sheet.rows) +
                    "×" + number(sheet.columns) + ", " + number(sheet.move_count) +
                    " moves, at most " + number(sheet.max_length) + " plies>";
           })
      .def("_repr_html_",  // for notebooks
           [](nb::handle self) {
             return nb::module_::import_("athenan.games.sheets").attr("html_of")(self);
           });
}

template <class T>
auto copied(const std::vector<T>& values, std::vector<std::size_t> shape) {
  return numpy_array(std::vector<T>(values), std::move(shape));
}

void bind_legal_moves(nb::module_& m) {
  nb::class_<LegalMoves>(m, "LegalMoves", "The legal moves of some states, in CSR form.")
      .def_prop_ro(
          "offsets", [](const LegalMoves& l) { return copied(l.offsets, {l.offsets.size()}); },
          nb::rv_policy::move,
          "int64 [states + 1]: the moves of state i are offsets[i] to offsets[i + 1].")
      .def_prop_ro(
          "numbers", [](const LegalMoves& l) { return copied(l.numbers, {l.numbers.size()}); },
          nb::rv_policy::move, "uint32 [moves]: the move numbers.")
      .def_prop_ro(
          "kinds", [](const LegalMoves& l) { return copied(l.kinds, {l.kinds.size()}); },
          nb::rv_policy::move, "uint8 [moves]: places in Datasheet.move_kinds.")
      .def_prop_ro(
          "cells",
          [](const LegalMoves& l) {
            return copied(l.cells, {l.numbers.size(), LegalMoves::path_cells});
          },
          nb::rv_policy::move,
          "int16 [moves, 4]: the cells touched, as row * columns + column of the planes; -1 for "
          "none. Of a longer path these are the first three and the last.")
      .def("__len__", [](const LegalMoves& l) { return l.numbers.size(); })
      .def("__repr__", [](const LegalMoves& l) {
        return "<LegalMoves: " + std::to_string(l.numbers.size()) + " of " +
               std::to_string(l.offsets.size() - 1) + " states>";
      });
}

void bind_registry(nb::module_& m) {
  nb::class_<Parameter>(m, "Parameter", "One option of a game.")
      .def_ro("name", &Parameter::name, "What it is called.")
      .def_ro("description", &Parameter::description, "What it means.")
      .def_ro("default", &Parameter::default_value, "Its value if none is given, as text.")
      .def_prop_ro("accepted", &Parameter::accepted, "What values it takes, in words.")
      .def("__repr__", [](const Parameter& p) {
        return "<Parameter " + p.name + "=" + p.default_value + ": " + p.accepted() + ">";
      });
  m.def(
      "game_names",
      [] {
        std::vector<std::string> names;
        for (const auto& entry : registry()) names.push_back(entry.name);
        return names;
      },
      R"(The names of the built-in games.

>>> import athenan
>>> "hex" in athenan.game_names()
True)");
  m.def(
      "game_parameters",
      [](nb::handle name) {
        return entry_named(given<std::string>(name, "a game is named by a text such as 'hex'"))
            .parameters;
      },
      "name"_a.none(), nb::sig("def game_parameters(name: str) -> list[Parameter]"),
      R"(The options that a built-in game takes.

>>> import athenan
>>> athenan.game_parameters("hex")[0]
<Parameter size=11: an integer from 2 to 19>)");
  m.def("make_builtin_game", &make_game, "id"_a, "A built-in game from 'name:option=value,...'.");
  m.def(
      "make_python_game",
      [](std::string name, std::string parameters, nb::object rules) {
        return std::make_shared<Game>(std::move(name), std::move(parameters),
                                      python_rules(std::move(rules)));
      },
      "name"_a, "parameters"_a, "rules"_a, "A game whose rules are a Python object.");
}

}  // namespace

void bind_games(nb::module_& m) {
  bind_datasheet(m);
  bind_legal_moves(m);
  nb::class_<PlayoutTally>(m, "PlayoutTally", "How random matches from a state ended.")
      .def_ro("first_wins", &PlayoutTally::first_wins, "Matches that the first player won.")
      .def_ro("draws", &PlayoutTally::draws, "Matches that nobody won.")
      .def_ro("second_wins", &PlayoutTally::second_wins, "Matches that the second player won.")
      .def_ro("plies", &PlayoutTally::plies, "Plies played in all of them together.")
      .def("__repr__", [](const PlayoutTally& t) {
        return "PlayoutTally(first_wins=" + std::to_string(t.first_wins) +
               ", draws=" + std::to_string(t.draws) +
               ", second_wins=" + std::to_string(t.second_wins) +
               ", plies=" + std::to_string(t.plies) + ")";
      });

  nb::class_<Game>(m, "Game", R"(The rules of one game at one size; `make_game` makes one.

>>> import athenan
>>> game = athenan.make_game("hex", size=5)
>>> game.id, game.datasheet.title
('hex:size=5,swap=true', 'Hex')
>>> game.initial_state().play("c3").to_move
1
>>> game.perft(2)
625)")
      .def_prop_ro("name", &Game::name, "The name without options.")
      .def_prop_ro("id", &Game::id, "The text that makes this game again.")
      .def_prop_ro("datasheet", &Game::datasheet, nb::rv_policy::reference_internal,
                   "Sizes, planes, lengths, notations.")
      .def_prop_ro("offers_swap", &Game::offers_swap, "Whether the second player may swap.")
      .def_prop_ro("move_count", &Game::move_count, "Moves are numbers below this.")
      .def_prop_ro(
          "symmetries", [](const Game& g) { return g.datasheet().symmetries; },
          "How many, the identity included.")
      .def_prop_ro("state_size", &Game::state_size, "Bytes of a packed state.")
      .def_prop_ro("packed_size", &Game::packed_size,
                   "Bytes of a state as learning keeps it: without the history.")
      .def("__repr__", [](const Game& g) { return "athenan.make_game('" + g.id() + "')"; })
      .def("__eq__", [](const Game& a, const Game& b) { return a.id() == b.id(); })
      .def(
          "__eq__", [](const Game&, nb::handle) { return false; }, nb::arg().none())
      .def("__hash__", [](const Game& g) { return nb::hash(nb::str(g.id().c_str())); })
      .def("__reduce__",
           [](const Game& g) {
             const nb::module_ games = nb::module_::import_("athenan.games");
             return nb::make_tuple(games.attr("restore_game"),
                                   nb::make_tuple(g.id(), rules_object(g)));
           })
      .def("_repr_html_",  // for notebooks
           [](nb::handle self) {
             return nb::module_::import_("athenan.games.sheets").attr("html_of_game")(self);
           })
      .def(
          "initial_state",
          [](std::shared_ptr<Game> game) {
            return new_state(game, [&](std::byte* state) { game->initial(state); });
          },
          "The start of a match.")
      .def(
          "parse_position",
          [](std::shared_ptr<Game> game, nb::handle position) {
            const auto text = given<std::string, PositionError>(
                position, "a position is a text in the notation of the game");
            return new_state(game, [&](std::byte* state) { game->parse_position(text, state); });
          },
          "text"_a.none(), nb::sig("def parse_position(self, text: str) -> State"),
          "The state written in the game's position notation.")
      .def(
          "state_from_bytes",
          [](std::shared_ptr<Game> game, nb::bytes bytes) {
            const auto* data = reinterpret_cast<const std::byte*>(bytes.c_str());
            return new_state(game,
                             [&](std::byte* state) { game->read(data, bytes.size(), state); });
          },
          "data"_a, "The state of bytes(state).")
      .def(
          "pack",
          [](const Game& game, nb::handle states) {
            const auto all = states_of(game, states);
            std::vector<std::uint8_t> bytes(all.size() * 8);
            if (!bytes.empty()) std::memcpy(bytes.data(), all.data(), bytes.size());
            return numpy_array(std::move(bytes), {count_of(game, all), game.state_size()});
          },
          "states"_a.none(),
          nb::sig("def pack(self, states: collections.abc.Sequence[State]) -> "
                  "numpy.typing.NDArray[numpy.uint8]"),
          "States as one uint8 array [count, state_size].")
      .def(
          "unpack",
          [](std::shared_ptr<Game> game, nb::handle packed) {
            const auto array = given<PackedStates>(
                packed, "packed states are a uint8 array [count, state_size], as pack makes it");
            const auto states = checked(*game, array);
            std::vector<PyState> out;
            for (std::size_t i = 0; i < array.shape(0); ++i)
              out.emplace_back(game, bytes_of(states) + i * game->state_size());
            return out;
          },
          "packed"_a.none(),
          nb::sig("def unpack(self, packed: numpy.typing.NDArray[numpy.uint8]) -> list[State]"),
          "The inverse of pack.")
      .def(
          "encode",
          [](const Game& game, nb::handle states, nb::handle threads) {
            return encoded(game, states_of(game, states), threads_in(threads));
          },
          "states"_a.none(), "threads"_a.none() = 0,
          nb::sig("def encode(self, states: collections.abc.Sequence[State] | "
                  "numpy.typing.NDArray[numpy.uint8], threads: int = 0) -> "
                  "numpy.typing.NDArray[numpy.int8]"),
          "The planes of many states, or of packed ones: int8 [count, C, H, W].")
      .def(
          "legal_moves",
          [](const Game& game, nb::handle states) {
            const auto all = states_of(game, states);
            LegalMoves moves;
            for (std::size_t i = 0; i < count_of(game, all); ++i)
              moves.add_state(game, bytes_of(all) + i * game.state_size());
            return moves;
          },
          "states"_a.none(),
          nb::sig("def legal_moves(self, states: collections.abc.Sequence[State]) -> LegalMoves"),
          "The legal moves of many states with their geometry, in CSR form.")
      .def(
          "expand",
          [](const Game& game, nb::handle states, nb::handle threads) {
            return expanded(game, states_of(game, states), threads_in(threads));
          },
          "states"_a.none(), "threads"_a.none() = 0,
          nb::sig("def expand(self, states: collections.abc.Sequence[State] | "
                  "numpy.typing.NDArray[numpy.uint8], threads: int = 0) -> "
                  "tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint32], "
                  "numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int8], "
                  "numpy.typing.NDArray[numpy.uint64]]"),
          "All children of many states, or of packed ones: (offsets, moves, packed children, "
          "results, keys); the children of state i are offsets[i]:offsets[i + 1], a result of 2 "
          "means ongoing.")
      .def(
          "count_children",
          [](const Game& game, nb::handle states) {
            const auto all = states_of(game, states);
            Released release;
            return count_children(game, bytes_of(all), count_of(game, all), game.state_size());
          },
          "states"_a.none(),
          nb::sig("def count_children(self, states: collections.abc.Sequence[State]) -> int"),
          "Expands states on one thread and keeps only the number of children.")
      .def(
          "perft",
          [](std::shared_ptr<Game> game, nb::handle depth, nb::handle threads, nb::object stop) {
            return nb::cast(game).attr("initial_state")().attr("perft")(depth, threads, stop);
          },
          "depth"_a.none(), "threads"_a.none() = 0, "stop"_a = nb::none(),
          nb::sig("def perft(self, depth: int, threads: int = 0, stop: Stop | None = None) -> int"),
          "The number of sequences of exactly `depth` moves from the start.");
  bind_registry(m);
}

}  // namespace athenan
