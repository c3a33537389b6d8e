"""What an evaluator is, and the ones that need no network."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from athenan._core import Error, hash_values

if TYPE_CHECKING:
    from athenan.networks.architecture import MoveAnswers

Planes = NDArray[np.int8]
"""`[B, C, H, W]`."""
Values = NDArray[np.float32]
"""`[B]`, from the first player's point of view."""

BEST_BATCH = 512
"""States: on a CPU the rate hardly grows beyond."""


class LegalMoves(Protocol):
    """The legal moves of a batch of states, one after the other."""

    @property
    def offsets(self) -> NDArray[np.int64]:
        """`[B + 1]`: the moves of state b are `offsets[b]` to `offsets[b + 1]`."""

    @property
    def numbers(self) -> NDArray[np.uint32]:
        """`[N]`: the moves as numbers."""

    @property
    def kinds(self) -> NDArray[np.uint8]:
        """`[N]`: indices into the datasheet's `move_kinds`."""

    @property
    def cells(self) -> NDArray[np.int16]:
        """`[N, 4]`: the cells that each move touches, as `row * columns + column` of the planes.

        -1 stands for none. Of a longer path these are the first three cells and the last.
        """


class Evaluation(NamedTuple):
    """The answer to a batch."""

    values: Values
    logits: NDArray[np.float32] | None = None
    """`[N]`: one number per legal move, in their order; None where none was asked for.

    Of a policy they are logits. Where moves have values, each is the value of the state that its
    move leads to.
    """


class Evaluator(ABC):
    """Gives values to states, and some also a number to each legal move."""

    device: str = "cpu"
    """"cpu" or a CUDA device such as "cuda:0"."""
    is_divisible: bool = True
    """Whether it takes the pieces of a batch one by one as fast as the whole."""
    is_steady: bool = False
    """Whether it takes no longer for the first batch of a size than for later ones."""

    def __call__(self, planes: Planes) -> Values:
        """Return the values alone."""
        return self.evaluate(planes).values

    @abstractmethod
    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        """Return the values of the states, and the logits of their legal moves if these are given.

        Moves are refused by one that says nothing of them.
        """

    @property
    def has_policy(self) -> bool:
        """Can it give logits to moves?"""
        return False

    @property
    def says_of_moves(self) -> MoveAnswers:
        """What the numbers that it gives to moves are: logits of a policy, or values."""
        return "policy" if self.has_policy else "none"

    @property
    def best_batch(self) -> int:
        """The number of states in a batch beyond which its rate hardly grows."""
        return BEST_BATCH

    def close(self) -> None:  # noqa: B027 (some evaluators hold nothing to give back)
        """Give back threads and memory; batches under way are finished first."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _check_moves(self, states: int, moves: LegalMoves | None) -> None:
        if moves is None:
            return
        if self.says_of_moves == "none":
            raise Error("the evaluator has no policy: it gives values to states, not to moves")
        if len(moves.offsets) != states + 1:
            raise Error(f"the moves are those of {len(moves.offsets) - 1} states, not of {states}")


class _Function(Evaluator):
    """A plain function from planes to values."""

    def __init__(self, function: Callable[[Planes], Values]) -> None:
        self._function = function

    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        self._check_moves(len(planes), moves)
        answer = self._function(planes)
        try:
            values = np.asarray(answer, np.float32, order="C")
        except (TypeError, ValueError):
            raise Error(
                f"an evaluator function must return an array of values, not {type(answer).__name__}"
            ) from None
        if values.shape != (len(planes),):
            raise Error(
                f"an evaluator function must return one value per state, {len(planes)} in all, "
                f"not an array of shape {list(values.shape)}"
            )
        return Evaluation(values)


class _Constant(Evaluator):
    """The same value for every state, and for every move."""

    has_policy = True

    def __init__(self, value: float) -> None:
        self._value = value

    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        self._check_moves(len(planes), moves)
        values = np.full(len(planes), self._value, np.float32)
        logits = None if moves is None else np.full(len(moves.numbers), self._value, np.float32)
        return Evaluation(values, logits)


def as_evaluator(thing: Evaluator | Callable[[Planes], Values]) -> Evaluator:
    """Return an evaluator as it is, and make one of a plain function from planes to values."""
    if isinstance(thing, Evaluator):
        return thing
    if not callable(thing):
        raise Error(
            "the values of states come from an evaluator or a function from planes to values, "
            f"not {type(thing).__name__}"
        )
    return _Function(thing)


def constant_evaluator(value: float = 0.0) -> Evaluator:
    """Give every state the same value: a search with it knows only what it proves.

    >>> import athenan
    >>> state = athenan.make_game("tic_tac_toe").initial_state()
    >>> athenan.constant_evaluator(0.5)(state.encode()[None]).tolist()
    [0.5]
    """
    return _Constant(value)


def hash_evaluator(seed: int = 1) -> Evaluator:
    """Give each state a fixed value in [-1, 1) that looks random: for tests and benchmarks.

    >>> import athenan
    >>> state = athenan.make_game("hex").initial_state()
    >>> athenan.search(state, athenan.hash_evaluator(3), expansions=10).ended_by
    'budget'
    """
    return _Function(lambda planes: hash_values(planes, seed))
