"""Games written simply: the author's states are Python values, and athenan does the rest.

`examples/simple_tic_tac_toe.py` is a whole game in 30 lines. `values.py` keeps such states as
bytes, `boards.py` derives planes, drawings and geometry, `value_rules.py` puts both behind `Rules`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

S = TypeVar("S", bound=Hashable)  # states
M = TypeVar("M", bound=Hashable)  # moves


class SimpleRules(ABC, Generic[S, M]):
    """The rules of one game, whose states and moves are values of any hashable kind.

    A state may be built of None, numbers, texts, bytes, tuples, frozensets, and of the NamedTuples,
    frozen dataclasses and Enums of the game's own file. It is never changed in place, and equal
    states are the same position: whatever the rules depend on is part of it.

    >>> class Nim(SimpleRules[tuple[int, int], int]):
    ...     max_length = 5
    ...     def initial(self):
    ...         return (5, 0)
    ...     def to_move(self, state):
    ...         return state[1]
    ...     def result(self, state):
    ...         return None if state[0] else 1 if state[1] else -1
    ...     def moves(self, state):
    ...         return range(1, min(2, state[0]) + 1)
    ...     def play(self, state, move):
    ...         return (state[0] - move, 1 - state[1])
    >>> import athenan
    >>> game = athenan.game_from_rules(Nim())
    >>> game.initial_state().play("2").position
    '[3,1] @1'
    >>> athenan.solve(game.initial_state()).proven_outcome
    1
    """

    # What the datasheet says. All of it may be left out.

    title: str = ""
    """The name of the game; without one, that of the class."""
    players: int = 2
    max_length: int = 1000
    """Plies after which the engine calls a match a draw."""
    max_length_reason: str = ""
    draws: bool = True
    """Whether a match can be drawn before its maximum length."""
    cyclic: bool = False
    """Whether a position can come again in a match."""
    offers_swap: bool = False
    """Whether the second player's first move may be `swap` (then define `swap_sides`)."""
    reference: str = ""
    """Where the rules are written."""

    all_moves: Sequence[Any] = ()
    """Every move that there can be, in a fixed order. Without it, a move is known by its place
    among the legal moves of a state."""
    board: tuple[int, int] | None = None
    """Rows and columns, if a state holds the board as one text or tuple without rows."""
    symbols: Sequence[Any] = ()
    """What a cell can hold, the empty one first; otherwise those of a few random matches."""
    kinds: Sequence[str] = ("move",)
    """The kinds of moves, if moves touch cells."""
    symmetries: int = 1
    """Symmetries of the board, the identity counted (then define `transform`)."""
    plane_names: Sequence[str] = ()
    state_bytes: int = 0
    """Bytes that the text of a state may have; 0: twice what a few random matches need."""

    # What every game has.

    @abstractmethod
    def initial(self) -> S:
        """Return the start."""

    @abstractmethod
    def to_move(self, state: S) -> int:
        """Return 0 for the first player, 1 for the second."""

    @abstractmethod
    def result(self, state: S) -> int | None:
        """Return +1, 0 or -1 for the first player; None before the end."""

    @abstractmethod
    def moves(self, state: S) -> Iterable[M]:
        """Return the legal moves of a state that is not ended: at least one, none twice."""

    @abstractmethod
    def play(self, state: S, move: M) -> S:
        """Return the state after a legal move."""

    # What a game may have.

    def planes(self, state: S) -> Any:
        """Return what a network sees: numbers [C, H, W], integers from -128 to 127.

        Without this method planes are derived from states that are boards: rows of symbols, or of
        small numbers, alone or in a tuple beside other numbers.
        """
        raise NotImplementedError

    def cells(self, state: S, move: M) -> Iterable[tuple[int, int]]:
        """Return the cells that a player touches to make a move, in order, as (row, column)."""
        raise NotImplementedError

    def kind(self, state: S, move: M) -> str:  # noqa: ARG002
        """Return the kind of a move, one of `kinds`."""
        return self.kinds[0]

    def move_text(self, state: S, move: M) -> str:
        """Return the move in the notation of the game."""
        raise NotImplementedError

    def drawing(self, state: S) -> str:
        """Return a board for people, as lines of text."""
        raise NotImplementedError

    def svg(self, state: S) -> str:
        """Return a picture of the state: the text of an SVG file."""
        raise NotImplementedError

    def transform(self, state: S, symmetry: int) -> S:
        """Return the image of the state under a symmetry; 0 is the identity."""
        raise NotImplementedError

    def transform_move(self, state: S, symmetry: int, move: M) -> M:
        """Return the move that corresponds in the image of the state."""
        raise NotImplementedError

    def score(self, state: S) -> float:
        """Return the first player's points minus the second player's."""
        raise NotImplementedError

    def pieces(self, state: S, player: int) -> int:
        """Return the number of pieces of a player."""
        raise NotImplementedError

    def ply_of(self, state: S) -> int:
        """Return the plies played so far, if the state shows them."""
        raise NotImplementedError

    def flaw(self, state: S) -> str:
        """Say why a value from outside is no state of the game; return '' if it is one."""
        raise NotImplementedError

    def swap_sides(self, state: S) -> S:
        """Return the state after the swap, if `offers_swap`."""
        raise NotImplementedError

    def swapped(self, state: S) -> bool:
        """Tell whether the swap was played, if `offers_swap` and `ply_of` is defined."""
        raise NotImplementedError


def gives(rules: SimpleRules[Any, Any], method: str) -> bool:
    """Tell whether the author of a game wrote a method that may be left out."""
    return getattr(type(rules), method) is not getattr(SimpleRules, method)
