"""Programs: sequences of calls of the C++ core, with arguments that fit and others that do not.

Every public name of `athenan._core` is called, by its own signature. A call may be refused by an
exception of `REFUSALS`; a crash, a call that does not end and any other exception are findings.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any

import athenan
import numpy as np
from athenan import Error, Stop, Stopped, _core
from athenan._core import Game, Pool, Search
from fuzz.choices import INTEGERS, REALS, TEXTS, Choices
from numpy.typing import NDArray

REFUSALS = (Error, ValueError, TypeError, OverflowError, Stopped)
PATIENCE = 0.01  # seconds after which a call that takes a Stop is asked to end
MAX_THINGS = 60
TUPLE_SIZE = 3
PYTHON_GAME = Path(__file__).parents[2] / "examples" / "tic_tac_toe.py"
GAMES = (
    "tic_tac_toe",
    "hex:size=3",
    "othello:size=4",
    "go:size=2",
    "breakthrough:rows=4,columns=3",
)
SPECIAL = ("__len__", "__bytes__", "__str__", "__repr__", "__hash__", "__eq__", "__call__")
OPTIONS = ("expansions", "seconds", "c", "terminal", "transpositions", "depth", "x")
WORDS = (
    *(name for name in _core.game_names()),
    *GAMES,
    *(algorithm.name for algorithm in _core.algorithms()),
    *(f"{a.name}:expansions=3,iterations=3" for a in _core.algorithms()),
    *("max", "softmax:temperature=0.1", "ordinal:schedule=uniform", "epsilon-greedy"),
    *("none", "tree", "root", "terminal", "classic", "score", "additive_depth", "mobility"),
    *("a1", "b2", "swap", "seconds=1", "c=2", "xo7 x", *TEXTS),
)


# What a program can do.


@dataclass(frozen=True)
class Argument:
    """A parameter of a call: its name and its type, as a signature states them."""

    name: str
    kind: str
    by_name: bool = False


@dataclass(frozen=True)
class Action:
    """A function, or what is done with an object of a class."""

    function: Callable[..., Any]
    arguments: tuple[Argument, ...]


def signatures(function: Any) -> Iterator[tuple[Argument, ...]]:
    """Read the signatures of a function of the core."""
    for text, *_ in getattr(function, "__nb_signature__", ()):
        inside = text[text.index("(") + 1 : text.rindex(") ->")]
        parts = re.split(r",\s*(?![^\[(]*[\])])", inside)
        keywords = parts.index("*") if "*" in parts else len(parts)
        named = [(place, *part.partition(":")) for place, part in enumerate(parts)]
        yield tuple(
            Argument(name, kind.partition("=")[0], place > keywords or name[0] == "*")
            for place, name, _, kind in named
            if name not in ("", "*", "/")
        )


def singles(count: int, value: float) -> NDArray[np.float32]:
    """Return so many numbers in single precision; one too large is infinite."""
    with np.errstate(over="ignore"):
        return np.full(count, value, np.float32)


def answer_search(search: Search, value: float) -> None:
    """Give a search all the values that it waits for."""
    planes = search.advance(Stop()) if isinstance(search, Search) else None
    if planes is not None:
        moves = search.waiting_moves
        logits = None if moves is None else singles(len(moves.numbers), value)
        search.receive(singles(len(planes), value), logits)


def answer_pool(pool: Pool, value: float) -> None:
    """Give a pool all the values that it waits for."""
    for evaluator in range(pool.evaluators if isinstance(pool, Pool) else 0):
        moves = pool.moves(evaluator)
        logits = None if moves is None else singles(len(moves.numbers), value)
        pool.resume(evaluator, singles(len(pool.batch(evaluator)), value), logits)


def of_a_class(cls: type) -> Iterator[Action]:
    """Yield what is done with objects of a class."""
    own = Argument("self", cls.__name__)
    if "__reduce__" in vars(cls):
        yield Action(partial(copied, cls), (own,))
    for name, member in vars(cls).items():
        if isinstance(member, property) and member.fget:
            yield Action(member.fget, (own,))
        for arguments in signatures(member):
            if name == "__init__":
                yield Action(cls, arguments[1:])
            elif name[0] != "_" or name in SPECIAL:
                takes_self = bool(arguments) and arguments[0].name == "self"
                yield Action(member, (own, *arguments[1:]) if takes_self else arguments)


def copied(cls: type, thing: object) -> Any:
    """Return what a pickle of an object of a class holds."""
    return pickle.loads(pickle.dumps(thing)) if isinstance(thing, cls) else None


@cache
def actions() -> tuple[Action, ...]:
    """List everything that the core offers."""
    found: list[Action] = []
    for name, thing in vars(_core).items():
        if isinstance(thing, type):
            found += of_a_class(thing)
        elif name[0] != "_":
            found += [Action(thing, arguments) for arguments in signatures(thing)]
    value = Argument("value", "float")
    found += 8 * [Action(answer_search, (Argument("search", "Search"), value))]
    found += 8 * [Action(answer_pool, (Argument("pool", "Pool"), value))]
    return tuple(found)


# What it does it with.


@cache
def games() -> tuple[Game, ...]:
    """Make the games that programs begin with, one of them in Python."""
    return tuple(map(athenan.make_game, (*GAMES, str(PYTHON_GAME))))


class Program:
    """The objects that a program has so far, and its choices."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.game = choices.among(games())
        memory = _core.ResolvedMemory()
        fitting = [each.name for each in _core.algorithms() if not each.for_one_player]
        search = Search(self.game, choices.among(fitting))
        search.use_memory(memory)
        minds = [_core.Mind(choices.among(fitting) + ":expansions=3,iterations=3")]
        pool = Pool(self.game, minds, slots=2, memory=memory)
        pool.add(0, 1)
        label, state = _core.MoveLabel(0, 0.5), self.game.initial_state()
        self.things: list[Any] = [self.game, state, memory, search, pool, label, *minds]
        self.things += [_core.Random(1), _core.Budget(expansions=3), search.spec]

    def run(self) -> None:
        """Call until the input ends."""
        while self.choices.left:
            action = self.choices.among(actions())
            if self.has_self(action):
                self.call(action)

    def has_self(self, action: Action) -> bool:
        """Return whether there is an object of the class that the action belongs to."""
        owners = [a.kind for a in action.arguments if a.name == "self"]
        return all(any(type(thing).__name__ == owner for thing in self.things) for owner in owners)

    def call(self, action: Action) -> None:
        """Call once; the outcome takes part in what follows."""
        stop = Stop()
        given = {a: stop if a.name == "stop" else self.draw(a) for a in action.arguments}
        named = {self.name_of(a): value for a, value in given.items() if a.by_name}
        others = [value for a, value in given.items() if not a.by_name]
        timer = Timer(PATIENCE, stop.request)
        if any(a.name == "stop" for a in given):
            timer.start()
        try:
            with suppress(*REFUSALS):
                self.keep(action.function(*others, **named))
        finally:
            timer.cancel()

    def name_of(self, argument: Argument) -> str:
        """Return the name of an argument: any option where any is taken."""
        return self.choices.among(OPTIONS) if argument.name[0] == "*" else argument.name

    def keep(self, outcome: Any) -> None:
        """Add the outcome of a call to the objects; every now and then one is let go."""
        found = outcome[:TUPLE_SIZE] if isinstance(outcome, list | tuple) else [outcome]
        self.things += [thing for thing in found if not isinstance(thing, int | float | str)]
        while len(self.things) > MAX_THINGS or (self.things and self.choices.one_in(16)):
            del self.things[self.choices.below(len(self.things))]

    def draw(self, wanted: Argument) -> Any:
        """Return an argument: mostly one that fits."""
        kind, choices = wanted.kind, self.choices
        if choices.one_in(16):
            return choices.among(self.things) if self.things else None
        if choices.one_in(16):
            return choices.oddity()
        if "None" in kind and choices.one_in(2):
            return None
        if "Sequence[" in kind or "list[" in kind:
            inner = Argument(wanted.name, kind.partition("[")[2])
            return [self.draw(inner) for _ in range(choices.below(4))]
        if "ndarray" in kind.lower():
            return self.array(kind)
        for name, values in {"int": INTEGERS[:8], "float": REALS, "str": WORDS}.items():
            if re.search(rf"\b{name}\b", kind):
                return choices.among(values)
        if "bool" in kind:
            return choices.one_in(2)
        fitting = [thing for thing in self.things if type(thing).__name__ in kind]
        return choices.among(fitting) if fitting else choices.oddity()

    def array(self, kind: str) -> Any:
        """Return an array of the given type: one that a call gave, or a new one."""
        arrays = [thing for thing in self.things if isinstance(thing, np.ndarray)]
        fitting = [array for array in arrays if str(array.dtype) in kind]
        if fitting and not self.choices.one_in(3):
            return self.choices.among(fitting)
        named = re.search(r"dtype=(\w+)", kind)
        dimensions = kind.count("*") or 1
        width = self.choices.among((self.game.state_size, self.game.packed_size, 1, 0))
        shape = (self.choices.below(4), width, 2, 2)[:dimensions]
        filling = self.choices.among(INTEGERS[:4])
        return np.full(shape, filling).astype(named[1] if named else "float32")


def seeds() -> list[bytes]:
    """Return inputs to begin with."""
    return [Random(number).randbytes(600) for number in range(150)]


def run(data: bytes) -> None:
    """Run the program of an input."""
    Program(Choices(data)).run()
