"""Simple games behind the contract of bytes: what the engine plays when the author wrote values.

The bytes of a state are its text (`values.py`), filled up with zeros. They say the same in every
process, so they may lie in a replay memory, a checkpoint or a pickle. A bounded memory keeps the
values of bytes that were seen, so that a state is read once and not at every question.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from athenan._core import Datasheet, Error, ParameterError, PositionError
from athenan.games.boards import cell_text, layout_of
from athenan.games.rules import ANSWERS, WRONG, wrong_answer
from athenan.games.simple import SimpleRules, gives
from athenan.games.values import own_classes, text_of, value_of

SAMPLE_MATCHES, SAMPLE_STATES = 20, 2000
MAX_VALUES = 1 << 16  # values kept in memory
MAX_MOVES = 1 << 16  # legal moves of one state, where the author does not list all moves
SMALLEST = 64  # bytes of a state


class ValueRules:
    """The rules of a simple game, as the engine asks for them; it stands where a `Rules` does."""

    def __init__(self, simple: SimpleRules[Any, Any]) -> None:
        self.simple = simple
        self.classes = own_classes(type(simple))
        self.offers_swap = bool(simple.offers_swap)
        self.move_list = list(simple.all_moves)
        self.numbers = {move: number for number, move in enumerate(self.move_list)}
        if len(self.numbers) != len(self.move_list):
            raise ParameterError(f"all_moves of {self.title} has a move twice")
        self._values: dict[bytes, Hashable] = {}
        self._legal: dict[bytes, list[Any]] = {}
        sample = self._sample()
        self.state_bytes = simple.state_bytes or _room(max(len(self.text(s)) for s in sample))
        self.layout = layout_of(
            sample, [simple.to_move(state) for state in sample], simple.board, simple.symbols
        )
        self.shape, self.planes = self._shape()
        self.geometry = self._geometry()

    def __reduce__(self) -> tuple[Callable[..., ValueRules], tuple[SimpleRules[Any, Any]]]:
        return ValueRules, (self.simple,)

    @property
    def title(self) -> str:
        """The name of the game."""
        return self.simple.title or type(self.simple).__name__

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

    def _sample(self) -> list[Any]:
        random, simple = Random(0), self.simple
        start = simple.initial()
        states = [start]
        try:
            for _ in range(SAMPLE_MATCHES):
                state, ply = start, 0
                while simple.result(state) is None and ply < simple.max_length:
                    # By their texts: sets have another order in each process.
                    moves = sorted(simple.moves(state), key=self.text)
                    if not moves or len(states) >= SAMPLE_STATES:
                        break
                    state, ply = simple.play(state, random.choice(moves)), ply + 1
                    states.append(state)
        except Exception as problem:
            problem.add_note(f"in the first random matches of {self.title}")
            raise
        return states

    def _shape(self) -> tuple[tuple[int, int, int], list[str]]:
        if gives(self.simple, "planes"):
            shape = np.shape(self.simple.planes(self.simple.initial()))
            if len(shape) != 3:
                raise ParameterError(
                    f"the method planes of {self.title} returned numbers of the shape "
                    f"{list(shape)} instead of [C, H, W]"
                )
            names = [f"plane {number}" for number in range(1, shape[0] + 1)]
            return shape, list(self.simple.plane_names) or names
        if self.layout is None:
            raise ParameterError(
                f"no board is found in the states of {self.title}: write the method planes, or "
                "give the rows and columns as `board`"
            )
        names = self.layout.plane_names()
        return (len(names), *self.layout.shape), names

    def _geometry(self) -> Callable[[Any, Any], list[tuple[int, int]]] | None:
        """Return how the cells of a move are found; None if nothing says them."""
        if gives(self.simple, "cells"):
            return lambda state, move: list(self.simple.cells(state, move))
        _, rows, columns = self.shape
        board = {(row, column) for row in range(rows) for column in range(columns)}
        if not self.move_list or self.layout is None:
            return None
        if all(move in board for move in self.move_list):
            return lambda _, move: [move]
        if set(self.move_list) <= set(range(rows * columns)):
            return lambda _, move: [divmod(move, columns)]
        return None

    # States: values for the author, bytes for the engine.

    def text(self, value: object) -> str:
        """Write a state or a move; what cannot be one is told."""
        try:
            return text_of(value, self.classes)
        except (TypeError, ValueError, RecursionError) as problem:
            raise Error(f"{self.title}: {problem}") from None

    def bytes_of(self, value: Hashable) -> bytes:
        """Return the bytes of a state."""
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
                    f"these bytes are no state of {self.title}: {problem}"
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
            legal = list(self.simple.moves(value))
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

    def number_of(self, data: bytes, value: Any, move: Any) -> int:
        """Return the number of a move of this state."""
        if self.move_list:
            number = self.numbers.get(move)
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
        return self.bytes_of(self.simple.initial())

    def bridge(self, method: str, data: bytes, *arguments: int) -> Any:
        """Answer a question of the engine."""
        if method == "parse_position":
            return self._parsed(data)
        if method == "flaw":
            return self._flaw(data)
        answer = _ANSWERS[method](self, data, self.value_of(data), *arguments)
        if isinstance(answer, bytes):
            return answer
        try:
            return ANSWERS[method](answer)
        except WRONG as problem:
            state = data.rstrip(b"\0").decode()
            raise wrong_answer(self.title, method, answer, problem, state) from None

    def _parsed(self, text: bytes) -> bytes:
        words = text.decode("utf-8", "replace")
        try:
            value_of(words, self.classes)  # what it means is for `flaw` to judge
            return self._filled(words)
        except (ValueError, Error) as problem:
            raise PositionError(
                f"position {words[:60]!r} of {self.title} is no state: {problem}"
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
                return str(simple.flaw(value))
            simple.to_move(value)
            if simple.result(value) is None:
                for move in self.legal_moves(data, value):
                    self.number_of(data, value, move)
            _planes(self, data, value)
        except Exception as problem:
            return f"the rules cannot read it: {type(problem).__name__}: {problem}"
        return ""

    def picture(self, data: bytes) -> str | None:
        """Return the author's picture of a state, if there is one."""
        return self.simple.svg(self.value_of(data)) if gives(self.simple, "svg") else None


def _room(length: int) -> int:
    """Return a power of two that leaves room for states that are longer."""
    return max(SMALLEST, 1 << (2 * length - 1).bit_length())


def _planes(rules: ValueRules, _: bytes, value: Any) -> Any:
    if gives(rules.simple, "planes"):
        return rules.simple.planes(value)
    assert rules.layout is not None
    return rules.layout.planes(value, rules.simple.to_move(value))


def _moves(rules: ValueRules, data: bytes, value: Any) -> list[int]:
    legal = rules.legal_moves(data, value)
    if not rules.move_list:
        return list(range(len(legal)))
    return [rules.number_of(data, value, move) for move in legal]


def _transformed_move(
    rules: ValueRules, data: bytes, value: Any, symmetry: int, number: int
) -> int:
    move, simple = rules.move_of(data, value, number), rules.simple
    if symmetry == 0:
        return number
    image = simple.transform_move(value, symmetry, move)
    other = simple.transform(value, symmetry)
    try:
        return rules.number_of(rules.bytes_of(other), other, image)
    except ValueError:
        raise Error(
            f"symmetry {symmetry} of {rules.title} maps the move {move!r} to {image!r}, which is "
            f"not legal in the image, for the state {rules.text(value)}"
        ) from None


def _path(
    rules: ValueRules, data: bytes, value: Any, number: int
) -> tuple[str, list[tuple[int, int]]]:
    assert rules.geometry is not None
    move = rules.move_of(data, value, number)
    return rules.simple.kind(value, move), rules.geometry(value, move)


def _move_text(rules: ValueRules, data: bytes, value: Any, number: int) -> str:
    move = rules.move_of(data, value, number)
    if gives(rules.simple, "move_text"):
        return rules.simple.move_text(value, move)
    if rules.geometry is not None and not gives(rules.simple, "cells"):
        return cell_text(rules.geometry(value, move)[0])
    if isinstance(move, str) and move and move == move.strip() and move.isprintable():
        return move
    return rules.text(move)


def _drawing(rules: ValueRules, _: bytes, value: Any) -> str:
    if gives(rules.simple, "drawing"):
        return rules.simple.drawing(value).strip("\n") + "\n"
    return rules.text(value) + "\n" if rules.layout is None else rules.layout.drawing(value)


_ANSWERS: dict[str, Callable[..., Any]] = {
    "to_move": lambda rules, _, value: rules.simple.to_move(value),
    "result": lambda rules, _, value: rules.simple.result(value),
    "moves": _moves,
    "apply": lambda rules, data, value, number: rules.bytes_of(
        rules.simple.play(value, rules.move_of(data, value, number))
    ),
    "encode": _planes,
    "transform": lambda rules, data, value, symmetry: (
        rules.bytes_of(rules.simple.transform(value, symmetry)) if symmetry else data
    ),
    "transform_move": _transformed_move,
    "move_path": _path,
    "move_text": _move_text,
    "position_text": lambda rules, _, value: rules.text(value),
    "drawing": _drawing,
    "score": lambda rules, _, value: rules.simple.score(value),
    "pieces": lambda rules, _, value, player: rules.simple.pieces(value, player),
    "ply_of": lambda rules, _, value: rules.simple.ply_of(value),
    "swap_sides": lambda rules, _, value: rules.bytes_of(rules.simple.swap_sides(value)),
    "swapped": lambda rules, _, value: rules.simple.swapped(value),
}
