"""Games written in Python: subclass `Rules` and everything built on games works with yours.

A state is a NumPy array of bytes, always of the same length, and is never changed in place. The
engine counts plies, ends over-long matches, checks legality, hashes states and applies the swap
rule, exactly as for the built-in games. `examples/tic_tac_toe.py` is a whole game in 60 lines.
"""

from __future__ import annotations

import operator
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from athenan._core import Datasheet, Error, PositionError
from athenan.expected import whole_of

StateBytes = NDArray[np.uint8]

ONGOING = 2
"""The engine's code of the result of a match that is not over, as in `Game.expand`."""


class Rules(ABC):
    """The rules of one game at one size.

    `make_game` makes a game of a file that has such a class, `game_from_rules` of an object of one.

    >>> import athenan
    >>> athenan.make_game("examples/tic_tac_toe.py").initial_state().play("b2").to_move
    1
    """

    offers_swap: bool = False
    """Whether the second player's first move may be `swap` (then define `swap_sides`)."""

    @abstractmethod
    def datasheet(self) -> Datasheet:
        """What a person or a network needs to know of the game."""

    @abstractmethod
    def initial(self) -> StateBytes:
        """The start."""

    @abstractmethod
    def to_move(self, state: StateBytes) -> int:
        """0 for the first player, 1 for the second."""

    @abstractmethod
    def result(self, state: StateBytes) -> int | None:
        """+1, 0 or -1 for the first player; None before the end."""

    @abstractmethod
    def moves(self, state: StateBytes) -> Iterable[int]:
        """Return the legal moves of a state that is not ended: at least one, none twice."""

    @abstractmethod
    def apply(self, state: StateBytes, move: int) -> StateBytes:
        """Return the state after a legal move."""

    @abstractmethod
    def encode(self, state: StateBytes) -> NDArray[Any]:
        """Return the planes [C, H, W], integers from -128 to 127."""

    def move_path(
        self,
        state: StateBytes,  # noqa: ARG002
        move: int,  # noqa: ARG002
    ) -> tuple[str, list[tuple[int, int]]]:
        """Return the kind of a legal move, one of the datasheet's move_kinds, and the cells that a
        player touches to make it, in order, as rows and columns of the board. Only asked for if the
        datasheet has move_kinds; people then choose moves by clicking on cells, and pictures mark
        the last turn.
        """
        raise PositionError(f"{self.datasheet().title} does not say which cells a move touches")

    def move_text(self, state: StateBytes, move: int) -> str:  # noqa: ARG002
        """Return the move in the notation of the game."""
        return str(move)

    def position_text(self, state: StateBytes) -> str:
        """Return the position in the notation of the game."""
        return state.tobytes().hex()

    def parse_position(self, text: str) -> StateBytes:
        """Return the state of `position_text`; raise `PositionError` for anything else."""
        try:
            state = np.frombuffer(bytes.fromhex(text), np.uint8)
        except ValueError:
            raise PositionError(f"position {text[:60]!r} is not hexadecimal") from None
        if len(state) != len(self.initial()):
            raise PositionError(f"position {text[:60]!r} is not {len(self.initial())} bytes long")
        return state

    def drawing(self, state: StateBytes) -> str:
        """Return a board for people."""
        return self.position_text(state) + "\n"

    def flaw(self, state: StateBytes) -> str:  # noqa: ARG002
        """Say why these bytes are not a state of the game; return '' if they are one.

        The gate for states that come from outside (texts, pickles, files).
        """
        return ""

    def transform(self, state: StateBytes, symmetry: int) -> StateBytes:  # noqa: ARG002
        """Return the image of the state under a symmetry; 0 is the identity."""
        return state

    def transform_move(self, state: StateBytes, symmetry: int, move: int) -> int:  # noqa: ARG002
        """Return the move that corresponds in the image of the state."""
        return move

    def score(self, state: StateBytes) -> float:  # noqa: ARG002
        """First player's points minus second player's, if the datasheet says has_score."""
        raise PositionError(f"{self.datasheet().title} has no score")

    def pieces(self, state: StateBytes, player: int) -> int:  # noqa: ARG002
        """Return the number of pieces of a player, if the datasheet says has_pieces."""
        raise PositionError(f"{self.datasheet().title} has no pieces to count")

    def ply_of(self, state: StateBytes) -> int:  # noqa: ARG002
        """Plies played so far, if the datasheet says board_determines_ply."""
        raise PositionError(f"{self.datasheet().title} does not determine the ply by the board")

    def swap_sides(self, state: StateBytes) -> StateBytes:  # noqa: ARG002
        """Return the state after the swap, if `offers_swap`."""
        raise PositionError(f"{self.datasheet().title} has no swap")

    def swapped(self, state: StateBytes) -> bool:  # noqa: ARG002
        """Whether the swap was played, if `offers_swap` and the board determines the ply."""
        raise PositionError(f"{self.datasheet().title} does not say whether the swap was played")

    # The protocol with the engine: states cross as bytes.

    def initial_bytes(self) -> bytes:
        """Return the bytes of the start."""
        return bytes(self._taken("initial", self.initial(), b""))

    def bridge(self, method: str, data: bytes, *arguments: int) -> Any:
        """Call a method for the engine, states given and returned as bytes."""
        if method == "parse_position":
            return self._taken(method, self.parse_position(data.decode("utf-8", "replace")), b"")
        state = np.frombuffer(data, np.uint8)
        return self._taken(method, getattr(self, method)(state, *arguments), data)

    def _taken(self, method: str, answer: object, data: bytes) -> Any:
        try:
            return ANSWERS[method](answer)
        except WRONG as problem:
            title = self.datasheet().title
            raise wrong_answer(title, method, answer, problem, data.hex()) from None


WRONG = (TypeError, ValueError, OverflowError)
"""What an entry of ANSWERS raises for an answer that the engine cannot take."""


def wrong_answer(title: str, method: str, answer: object, problem: object, state: str) -> Error:
    """Tell the author of a game which answer of a method cannot be taken, and why."""
    where = f", for the state {state[:128]}" if state else ""
    return Error(
        f"the method {method} of {title} returned {reprlib.repr(answer)}: {problem}{where}"
    )


def exactly(answer: Any, kind: type[np.uint8 | np.int8]) -> NDArray[Any]:
    """Return numbers as an array of this type, if that changes none of them."""
    numbers = f"integers from {np.iinfo(kind).min} to {np.iinfo(kind).max}"
    try:
        array = np.asarray(answer)
        if array.dtype.kind not in "biuf":
            raise TypeError
        with np.errstate(invalid="ignore"):
            exact = np.ascontiguousarray(array, kind)
    except WRONG:
        raise TypeError(f"it must be an array of {numbers}") from None
    if array.dtype != kind and not np.array_equal(exact, array):
        raise ValueError(f"its numbers must be {numbers}")
    return exact


def _to_bytes(state: Any) -> bytes:
    return exactly(state, np.uint8).tobytes()


def _text(answer: Any) -> str:
    if not isinstance(answer, str):
        raise TypeError("it must be a text")
    try:
        answer.encode()
    except UnicodeEncodeError:
        raise ValueError("it must be valid Unicode") from None
    return answer


def _line(answer: Any) -> str:
    """Return the text of a move: people type it, and files hold it between spaces and line ends."""
    text = _text(answer)
    if not text or text != text.strip() or not text.isprintable():
        raise ValueError("it must be one line, neither empty nor with spaces at its ends")
    return text


def _objection(answer: Any) -> str:
    """Return why bytes are no state, as one line; a method that returns nothing has none."""
    return "" if answer is None else " ".join(_text(answer).split())


def cells_of(answer: Any) -> list[tuple[int, int]]:
    """Return cells as pairs of whole numbers; raise TypeError for anything else."""
    form = "it must be a list of cells, each a pair of row and column"
    if isinstance(answer, str | bytes) or not isinstance(answer, Iterable):
        raise TypeError(form)
    cells = list(islice(answer, MOST_CELLS))
    if not all(isinstance(cell, tuple | list) and len(cell) == 2 for cell in cells):
        raise TypeError(form)
    numbers = [whole_of(number) for cell in cells for number in cell]
    places = [number for number in numbers if number is not None and abs(number) < 2**31]
    if len(places) != len(numbers):
        raise TypeError(form)
    return list(zip(places[::2], places[1::2], strict=True))


def _path(answer: Any) -> tuple[str, list[tuple[int, int]]]:
    if not isinstance(answer, tuple | list) or len(answer) != 2 or not isinstance(answer[0], str):
        raise TypeError("it must be a pair of a kind of move and a list of cells")
    return answer[0], cells_of(answer[1])


def _result(answer: Any) -> int | None:
    """Return a result; True and False say whether somebody won, and not who."""
    form = "it must be +1, 0, -1 or None"
    if isinstance(answer, bool):
        raise TypeError(form)
    return None if answer is None else _index(answer, form)


def _player(answer: Any) -> int:
    return _index(answer, "it must be 0 or 1")


def _count(answer: Any) -> int:
    return _index(answer, "it must be a whole number")


def _index(answer: Any, form: str) -> int:
    try:
        return operator.index(answer)
    except TypeError:
        raise TypeError(form) from None


def _points(answer: Any) -> float:
    form = "it must be a finite number"
    if isinstance(answer, str):
        raise TypeError(form)
    try:
        return float(answer)
    except WRONG:
        raise TypeError(form) from None


MOST_CELLS = 10_000  # of a move
MOST_MOVES = 1_000_000
"""Legal moves of a state. An iterator that gives more may never end."""


def _numbers(moves: Any) -> list[int]:
    form = "it must be a list of the numbers of moves"
    if not isinstance(moves, Iterable):
        raise TypeError(form)
    numbers = [_index(move, form) for move in islice(moves, MOST_MOVES + 1)]
    if len(numbers) > MOST_MOVES:
        raise ValueError(f"a state has at most {MOST_MOVES:,} moves")
    return numbers


ANSWERS: dict[str, Callable[[Any], Any]] = {
    "initial": _to_bytes,
    "parse_position": _to_bytes,
    "apply": _to_bytes,
    "transform": _to_bytes,
    "swap_sides": _to_bytes,
    "to_move": _player,
    "pieces": _count,
    "ply_of": _count,
    "transform_move": _count,
    "result": _result,
    "moves": _numbers,
    "encode": lambda planes: exactly(planes, np.int8),
    "score": _points,
    "swapped": bool,
    "move_path": _path,
    "move_text": _line,
    "position_text": _text,
    "drawing": _text,
    "flaw": _objection,
}
"""How the engine takes what each method returns."""
