"""Searches written in Python: one's own, and those of `athenan.reference`.

reference:ubfm-safe:expansions=50    a reference search with the options of the search in C++
mysearch.py                          the one search of a file
mysearch.py:MySearch:width=3         a class of it, with options for its constructor
runs/hex5@mysearch.py                with the values of a model
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Real
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

from athenan._core import (
    Budget,
    Error,
    Game,
    ParameterError,
    Random,
    SearchSpec,
    State,
    Stop,
    Stopped,
)
from athenan.arena.clocks import Clock, thinking_seconds
from athenan.arena.draft import SearchingDraft, split_model, without_threads
from athenan.arena.player import Fault, Player, PlayerSpec, Thought, refuse_wrong_question
from athenan.arena.search_player import EvaluatorFactory
from athenan.evaluators import Evaluator, constant_evaluator
from athenan.expected import expect_number, expect_text, shown, wrong
from athenan.programs import classes_in, load_program, options_of, refuse_unfinished
from athenan.searches import check_model, model_evaluator

if TYPE_CHECKING:
    from athenan.networks import Model

LIMITS = ("seconds", "cpu_seconds", "expansions", "evaluations", "iterations")
TIMES = ("seconds", "cpu_seconds")
Choice = int | str | tuple[int | str, float]


class PythonSearch(Player):
    """A search of your own: subclass it and write `choose`.

    Options of the text that names it go to its constructor, after the game and the evaluator; the
    limits `seconds`, `cpu_seconds`, `expansions`, `evaluations` and `iterations` go to `choose` as
    its budget.

    >>> import athenan
    >>> class Greedy(PythonSearch):
    ...     def choose(self, state, budget):
    ...         values = self.values(state.children())
    ...         best = max if state.to_move == 0 else min
    ...         return state.legal_moves()[values.index(best(values))]
    >>> game = athenan.make_game("tic_tac_toe")
    >>> Greedy(game).think(game.parse_position("xx1/oo1/3 x")).move
    2
    """

    name = "a search in Python"

    def __init__(self, game: Game, evaluator: Evaluator | None = None) -> None:
        self.game = game
        self.evaluator = evaluator or constant_evaluator()
        self.random = Random(0)
        self.budget = Budget()
        self._clock: Clock | None = None
        self._stop: Stop | None = None
        self._value: float | None = None

    @abstractmethod
    def choose(self, state: State, budget: Budget) -> Choice:
        """Return the move to play, as number or text; or a pair of it and the value of the state.

        A limit of 0 in the budget is none.
        """

    def values(self, states: Sequence[State]) -> list[float]:
        """Return the values of states for the first player: outcomes, and the evaluator's word.

        Raises `Stopped` after a request to stop.
        """
        self.refuse_if_stopped()
        asked = [state for state in states if not state.is_terminal]
        answers = iter(self.evaluator(self.game.encode(asked)) if asked else ())
        return [
            float(next(answers) if state.outcome is None else state.outcome) for state in states
        ]

    def refuse_if_stopped(self) -> None:
        """Raise `Stopped` after a request to stop; a search that thinks long asks now and then."""
        if self._stop is not None and self._stop.requested:
            raise Stopped("the search was stopped")

    def begin(self, game: Game, seed: int) -> None:
        """Begin a match: with a generator of its own, which `self.random` is."""
        self.game, self.random = game, Random(seed)
        self._value = None

    def set_clock(self, clock: Clock | None) -> None:
        """Obey a clock, unless a limit of its own was named."""
        self._clock = None if is_limited(self.budget) else clock

    def think(
        self, state: State, budget: Budget | None = None, stop: Stop | None = None
    ) -> Thought:
        """Ask for the choice; who is stopped before it has one plays any legal move."""
        refuse_wrong_question(state, budget, stop)
        if state.game != self.game:
            raise Error(f"{self.name} plays {self.game.id}, and the state is of {state.game.id}")
        if budget is None and self._clock is not None:
            budget = Budget(
                seconds=thinking_seconds(self._clock, state) or 0.0,
                expansions=self._clock.control.nodes,
            )
        self._stop = stop
        try:
            chosen = self.choose(state, budget or self.budget)
        except Stopped:
            chosen = state.legal_moves()[0]
        match chosen:
            case (move, value):
                if not isinstance(value, Real | None):
                    raise wrong(value, f"a number as a value of {self.name}")
                self._value = None if value is None else float(value)
            case move:
                self._value = None
        return Thought(_legal(self.name, state, move))

    @property
    def value(self) -> float | None:
        """The value that `choose` returned with its last move, if it did."""
        return self._value

    @property
    def is_exclusive(self) -> bool:
        """Whether its evaluator is on a GPU."""
        return self.evaluator.device != "cpu"

    def close(self) -> None:
        """Close the evaluator."""
        self.evaluator.close()


def is_limited(budget: Budget) -> bool:
    """Tell whether a budget has any limit."""
    return any(getattr(budget, limit) for limit in LIMITS)


def _legal(name: str, state: State, move: Any) -> int:
    try:
        number = state.parse_move(move) if isinstance(move, str) else index(move)
    except Error as problem:
        raise Fault("illegal", f"{name} chose {shown(move)}: {problem}") from None
    except TypeError:
        raise Fault(
            "illegal", f"{name} chose {shown(move)}; a move is a number or a text"
        ) from None
    if number not in state.legal_moves():
        raise Fault("illegal", f"{name} chose the move {shown(move)}, which is not legal")
    return number


@dataclass(frozen=True)
class PythonPlayerSpec(PlayerSpec):
    """A class of searches, what it is made with, and where its values come from."""

    name: str
    kind: type[PythonSearch]
    options: tuple[tuple[str, Any], ...] = ()
    limits: tuple[tuple[str, float], ...] = ()
    evaluator: EvaluatorFactory | None = None
    threads: int = 0
    """Of its evaluator; 0 leaves that to who makes the player."""

    def __post_init__(self) -> None:
        expect_text(self.name, "the name of a player")
        if not (isinstance(self.kind, type) and issubclass(self.kind, PythonSearch)):
            raise wrong(self.kind, "a subclass of athenan.arena.PythonSearch")
        if self.evaluator is not None and not callable(self.evaluator):
            raise wrong(self.evaluator, "a function that makes an evaluator")
        _pairs(self.options, "options")
        for limit, number in _pairs(self.limits, "limits"):
            if limit not in LIMITS:
                raise wrong(limit, f"a limit, one of {', '.join(LIMITS)}")
            expect_number(number, f"the limit {limit}", 0)

    @property
    def description(self) -> str:
        """Its name, and the limits that it does not tell."""
        limits = ",".join(f"{limit}={number:.12g}" for limit, number in self.limits)
        return self.name if limits in self.name else f"{self.name} with {limits}"

    @property
    def is_timed(self) -> bool:
        """Whether seconds limit its thinking."""
        return any(limit in TIMES for limit, _ in self.limits)

    def make(self, game: Game, threads: int = 0) -> PythonSearch:
        """Make the player."""
        evaluator = self.evaluator and self.evaluator(self.threads or threads)
        made = self.kind(game, evaluator or constant_evaluator(), **dict(self.options))
        made.name, made.budget = self.name, _budget(dict(self.limits))
        return made


def _pairs(pairs: object, name: str) -> tuple[tuple[str, Any], ...]:
    """Return pairs of names and values."""
    if isinstance(pairs, tuple) and all(_is_pair(each) for each in pairs):
        return pairs
    raise wrong(pairs, f"the {name} of a player, a tuple of pairs of a name and a value")


def _is_pair(each: object) -> bool:
    return isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], str)


def _budget(limits: dict[str, float]) -> Budget:
    expansions, evaluations, iterations = (int(limits.get(limit, 0)) for limit in LIMITS[2:])
    return Budget(
        seconds=limits.get("seconds", 0.0),
        cpu_seconds=limits.get("cpu_seconds", 0.0),
        expansions=expansions,
        evaluations=evaluations,
        iterations=iterations,
    )


def _limits_in(words: str) -> tuple[tuple[tuple[str, float], ...], str]:
    """Split options into limits and others."""
    limits, others = [], []
    for word in filter(None, words.split(",")):
        key, _, value = word.partition("=")
        if key not in LIMITS:
            others.append(word)
            continue
        try:
            number = float(value) if key in TIMES else int(value)
        except ValueError:
            raise ParameterError(f"the limit {word!r} is not a number") from None
        if not number > 0:
            raise ParameterError(f"the limit {word!r} is not above 0")
        limits.append((key, number))
    return tuple(limits), ",".join(others)


@dataclass(frozen=True)
class PythonDraft(SearchingDraft):
    """A search of one's own; nothing of its file runs before its `spec` is asked for."""

    def spec(self, game: Game, budget: str = "") -> PythonPlayerSpec:
        """Return the player of a game; this runs the file, which the user named."""
        file, _, rest = self.search.partition(":")
        name, _, words = rest.partition(":") if ":" in rest or "=" not in rest else ("", "", rest)
        kind = _class_named(file, name)
        limits, others = _limits_in(words)
        if not limits and budget:
            limits, _ = _limits_in(budget)
        made_with = options_of(kind, self.search, others, given_already=2)
        values, options = values_of(self.model, game), tuple(made_with.items())
        return PythonPlayerSpec(self.text, kind, options, limits, values, self.threads)


def values_of(model: Model | None, game: Game) -> EvaluatorFactory | None:
    """Return what makes the evaluators of a model, if there is one."""
    if model is None:
        return None
    spec = SearchSpec(model.search)
    check_model(model, game, spec)
    return partial(model_evaluator, model, game, spec)


def _class_named(file: str, name: str) -> type[PythonSearch]:
    found = {
        each.__name__: each
        for each in classes_in(load_program(Path(file), "search file"), PythonSearch)
    }
    if name in found:
        return found[name]
    if len(found) == 1 and not name:
        return next(iter(found.values()))
    if not found:
        refuse_unfinished(load_program(Path(file), "search file"), file, PythonSearch)
    known = ", ".join(found) or "no subclass of athenan.arena.PythonSearch"
    asked = f"no search {name!r}" if name else "not exactly one search"
    raise ParameterError(f"{file} has {asked}: it defines {known}")


def read_python_player(text: str) -> PythonDraft | None:
    """Read a text that names a Python file."""
    path, search = split_model(text)
    if not search.partition(":")[0].endswith(".py"):
        return None
    search, threads = without_threads(search)
    return PythonDraft(text, search, path, threads)
