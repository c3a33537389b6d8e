"""Simple games behind the contract of bytes: what the engine plays when the author wrote values.

The bytes of a state are its text (`values.py`), filled up with zeros. They say the same in every
process, so they may lie in a replay memory, a checkpoint or a pickle. A bounded memory keeps the
values of bytes that were seen, so that a state is read once and not at every question.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import islice, pairwise
from random import Random
from typing import Any

import numpy as np

from athenan._core import Datasheet, Error, ParameterError, PositionError
from athenan.expected import shown
from athenan.games.boards import is_way, layout_of
from athenan.games.members import refuse_wrong_members, title_of
from athenan.games.rules import ANSWERS, WRONG, cells_of, wrong_answer
from athenan.games.simple import SimpleRules, gives
from athenan.games.value_answers import BYTES, QUESTIONS, planes_of
from athenan.games.values import own_classes, text_of, value_of
from athenan.games.words import counted

SAMPLE_MATCHES, SAMPLE_STATES = 20, 2000
MAX_VALUES = 1 << 16  # values kept in memory
MAX_MOVES = 1 << 16  # legal moves of one state, where the author does not list all moves
SMALLEST = 64  # bytes of a state
AUTHORS = {"encode": "planes", "apply": "play", "move_path": "cells"}
"""What the author of values calls a method of `Rules`."""


class ValueRules:
    """The rules of a simple game, as the engine asks for them; it stands where a `Rules` does."""

    def __init__(self, simple: SimpleRules[Any, Any]) -> None:
        refuse_wrong_members(simple)
        self.simple = simple
        self.classes = own_classes(type(simple))
        self.offers_swap = bool(simple.offers_swap)
        self.move_list = list(simple.all_moves)
        self.numbers = {move: number for number, move in enumerate(self.move_list)}
        if len(self.numbers) != len(self.move_list):
            raise ParameterError(f"all_moves of {self.title} has a move twice")
        self._values: dict[bytes, Hashable] = {}
        self._legal: dict[bytes, list[Any]] = {}
        sample, moves = self._sample()
        self.state_bytes = simple.state_bytes or _room(max(len(self.text(s)) for s in sample))
        self.layout = layout_of(
            sample, [simple.to_move(state) for state in sample], simple.board, simple.symbols
        )
        self.shape, self.planes = self._shape()
        self.geometry = self._geometry(self.move_list or moves)

    def __reduce__(self) -> tuple[Callable[..., ValueRules], tuple[SimpleRules[Any, Any]]]:
        return ValueRules, (self.simple,)

    @property
    def title(self) -> str:
        """The name of the game."""
        return title_of(self.simple)

    def datasheet(self) -> Datasheet:
        """Collect what the author said, and what the methods that the author wrote say."""
        simple = self.simple
        return Datasheet(
            title=self.title,
            rows=self.shape[1],
            columns=self.shape[2],
            planes=self.planes,
            move_count=len(self.move_list) or MAX_MOVES,
            max_length=simple.max_length,
            max_length_reason=simple.max_length_reason,
            players=simple.players,
            move_kinds=list(simple.kinds) if self.geometry else [],
            symmetries=simple.symmetries,
            symmetry_group=f"the author's ({simple.symmetries})"
            if simple.symmetries > 1
            else "none",
            cyclic=simple.cyclic,
            has_draws=simple.draws,
            has_score=gives(simple, "score"),
            has_pieces=gives(simple, "pieces"),
            board_determines_ply=gives(simple, "ply_of"),
            move_notation="as the moves are listed" + ("; swap" if self.offers_swap else ""),
            position_notation="the state as JSON",
            reference=simple.reference,
        )

    # What a few random matches show: the room that states need, and what boards hold.

    def _sample(self) -> tuple[list[Any], list[Any]]:
        random, simple = Random(0), self.simple
        start = self._state("initial", simple.initial())
        states, played = [start], []
        try:
            for _ in range(SAMPLE_MATCHES):
                state, ply = start, 0
                while simple.result(state) is None and ply < simple.max_length:
                    # By their texts: sets have another order in each process.
                    moves = sorted(self._listed(state), key=self.text)
                    if not moves or len(states) >= SAMPLE_STATES:
                        break
                    move = random.choice(moves)
                    played.append(move)
                    state, ply = self._state("play", simple.play(state, move)), ply + 1
                    states.append(state)
        except Exception as problem:
            problem.add_note(f"in the first random matches of {self.title}")
            raise
        return states, played

    def _shape(self) -> tuple[tuple[int, int, int], list[str]]:
        if gives(self.simple, "planes"):
            planes = self.simple.planes(self.simple.initial())
            try:
                shape = np.shape(planes)
            except ValueError:
                raise ParameterError(
                    f"the method planes of {self.title} returned {shown(planes)}, whose rows "
                    "differ in length, instead of numbers [C, H, W]"
                ) from None
            if len(shape) != 3:
                raise ParameterError(
                    f"the method planes of {self.title} returned numbers of the shape "
                    f"{list(shape)} instead of [C, H, W]"
                )
            names = list(self.simple.plane_names)
            if names and len(names) != shape[0]:
                raise ParameterError(
                    f"plane_names of {self.title} has {counted(len(names), 'name')}, and the "
                    f"method planes returned {counted(shape[0], 'plane')}"
                )
            return shape, names or [f"plane {number}" for number in range(1, shape[0] + 1)]
        if self.layout is None:
            raise ParameterError(
                f"no board is found in the states of {self.title}: write the method planes, or "
                "give the rows and columns as `board`"
            )
        names = self.layout.plane_names()
        return (len(names), *self.layout.shape), names

    def _geometry(self, moves: list[Any]) -> Callable[[Any, Any], list[tuple[int, int]]] | None:
        """Return how the cells of a move are found; None if nothing says them."""
        if gives(self.simple, "cells"):
            return self._cells
        _, rows, columns = self.shape
        board = {(row, column) for row in range(rows) for column in range(columns)}
        if self.layout is None:
            return None
        if self.layout.boards and moves and all(is_way(move, board) for move in moves):
            return lambda _, move: list(move) if is_way(move, board) else []
        if not self.move_list:
            return None
        if all(move in board for move in self.move_list):
            return lambda _, move: [move]
        if set(self.move_list) <= set(range(rows * columns)):
            return lambda _, move: [divmod(move, columns)]
        return None

    def _cells(self, state: Any, move: Any) -> list[tuple[int, int]]:
        """Return the cells that the author says a move touches."""
        given = self.simple.cells(state, move)
        try:
            return cells_of(given)
        except TypeError as problem:
            raise self.wrong("cells", given, str(problem), state) from None

    # States: values for the author, bytes for the engine.

    def text(self, value: object) -> str:
        """Write a state or a move; what cannot be one is told."""
        try:
            return text_of(value, self.classes)
        except (TypeError, ValueError, RecursionError) as problem:
            raise Error(f"{self.title}: {problem}") from None

    def _state(self, method: str, value: Any) -> Any:
        """Return a state that a method of the author's returned, if it can be one."""
        if value is None:
            raise Error(f"the method {method} of {self.title} returned None instead of a state")
        self.text(value)
        return value

    def bytes_of(self, value: Hashable, method: str) -> bytes:
        """Return the bytes of a state that a method of the author's returned."""
        if value is None:
            raise Error(f"the method {method} of {self.title} returned None instead of a state")
        data = self._filled(self.text(value))
        self._keep(data, value)
        return data

    def value_of(self, data: bytes) -> Any:
        """Return the state of bytes; raise PositionError if they are none."""
        value = self._values.get(data)
        if value is None:
            try:
                value = self._read(data)
            except ValueError as problem:
                raise PositionError(
                    f"these bytes are not a state of {self.title}: {problem}"
                ) from None
            self._keep(data, value)
        return value

    def _read(self, data: bytes) -> Any:
        return value_of(data.rstrip(b"\0").decode("ascii"), self.classes)

    def _filled(self, text: str) -> bytes:
        if len(text) > self.state_bytes:
            raise Error(
                f"a state of {self.title} needs {len(text)} bytes, more than {self.state_bytes}: "
                f"write state_bytes = {_room(len(text))} in the class"
            )
        return text.encode().ljust(self.state_bytes, b"\0")

    def _keep(self, data: bytes, value: Hashable) -> None:
        if len(self._values) >= MAX_VALUES:
            self.forget()
        self._values[data] = value

    def forget(self) -> None:
        """Drop the values and moves that are remembered."""
        self._values.clear()
        self._legal.clear()

    # Moves: values for the author, numbers for the engine.

    def legal_moves(self, data: bytes, value: Any) -> list[Any]:
        """List the legal moves; those without a number of their own in the order of their texts."""
        legal = self._legal.get(data)
        if legal is None:
            legal = self._listed(value)
            if not self.move_list:
                legal.sort(key=self.text)
                for one, other in pairwise(legal):
                    if one == other:
                        raise Error(
                            f"the method moves of {self.title} returned {one!r} twice instead of "
                            f"each move once, for the state {self.text(value)}"
                        )
            self._legal[data] = legal
        return legal

    def _listed(self, value: Any) -> list[Any]:
        """List what the method moves returns: an iterator that gives more may never end."""
        given, most = self.simple.moves(value), max(MAX_MOVES, len(self.move_list))
        try:
            moves = iter(given)
        except TypeError:
            raise self.wrong(
                "moves", given, "it must be a list of the legal moves", value
            ) from None
        legal = list(islice(moves, most + 1))
        if len(legal) > most:
            raise self.wrong("moves", given, f"a state has at most {most:,} moves", value)
        return legal

    def wrong(self, method: str, answer: object, problem: str, value: Any) -> Error:
        """Tell the author which answer of a method cannot be taken for a state, and why."""
        return wrong_answer(self.title, method, answer, problem, self.text(value))

    def number_of(self, data: bytes, value: Any, move: Any) -> int:
        """Return the number of a move of this state."""
        if self.move_list:
            number = self.numbers.get(move) if isinstance(move, Hashable) else None
            if number is None:
                raise Error(
                    f"the method moves of {self.title} returned {move!r}, which is not among "
                    f"all_moves, for the state {self.text(value)}"
                )
            return number
        return self.legal_moves(data, value).index(move)

    def move_of(self, data: bytes, value: Any, number: int) -> Any:
        """Return the move of a number, in this state."""
        return (self.move_list or self.legal_moves(data, value))[number]

    # The engine's questions.

    def initial_bytes(self) -> bytes:
        """Return the bytes of the start."""
        return self.bytes_of(self.simple.initial(), "initial")

    def bridge(self, method: str, data: bytes, *arguments: int) -> Any:
        """Answer a question of the engine."""
        if method == "parse_position":
            return self._parsed(data)
        if method == "flaw":
            return self._flaw(data)
        answer = QUESTIONS[method](self, data, self.value_of(data), *arguments)
        if method in BYTES:
            return answer
        try:
            taken = ANSWERS[method](answer)
            if method == "encode" and taken.shape != self.shape:
                raise ValueError(f"its shape is {list(taken.shape)} instead of {list(self.shape)}")
        except WRONG as problem:
            name, state = AUTHORS.get(method, method), data.rstrip(b"\0").decode()
            raise wrong_answer(self.title, name, answer, problem, state) from None
        return taken

    def _parsed(self, text: bytes) -> bytes:
        words = text.decode("utf-8", "replace")
        try:
            value_of(words, self.classes)  # what it means is for `flaw` to judge
            return self._filled(words)
        except (ValueError, Error) as problem:
            raise PositionError(
                f"position {words[:60]!r} of {self.title} is not a state: {problem}"
            ) from None

    def _flaw(self, data: bytes) -> str:
        """Say why bytes from outside are no state: the author's word, or what breaks the rules."""
        if data in self._values:
            return ""
        try:
            value = self._read(data)
        except ValueError as problem:
            return str(problem)
        objection = self._objection(data, value)
        if not objection:
            self._keep(data, value)
        return objection

    def _objection(self, data: bytes, value: Any) -> str:
        simple = self.simple
        try:
            if gives(simple, "flaw"):
                return ANSWERS["flaw"](simple.flaw(value))  # type: ignore[no-any-return]
            simple.to_move(value)
            if simple.result(value) is None:
                for move in self.legal_moves(data, value):
                    self.number_of(data, value, move)
            planes_of(self, data, value)
        except Exception as problem:
            return f"the rules cannot read it: {type(problem).__name__}: {problem}"
        return ""

    def picture(self, data: bytes) -> str | None:
        """Return the author's picture of a state, if there is one."""
        if not gives(self.simple, "svg"):
            return None
        value = self.value_of(data)
        drawn = self.simple.svg(value)
        if not isinstance(drawn, str):
            raise self.wrong("svg", drawn, "it must be the text of a picture", value)
        return drawn


def _room(length: int) -> int:
    """Return a power of two that leaves room for states that are longer."""
    return max(SMALLEST, 1 << (2 * length - 1).bit_length())
