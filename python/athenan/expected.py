"""Arguments of a wrong type: one sentence that says what was expected."""

from __future__ import annotations

import os
import reprlib
from pathlib import Path
from typing import TypeVar

from athenan._core import ParameterError

T = TypeVar("T")


def expect(value: object, kind: type[T], what: str) -> T:
    """Return a value of this type; refuse any other: `what` was expected.

    >>> expect("mcts", str, "the text of a player")
    'mcts'
    >>> expect(3, str, "the text of a player")
    Traceback (most recent call last):
    athenan._core.ParameterError: expected the text of a player, not 3
    """
    if isinstance(value, kind):
        return value
    raise ParameterError(f"expected {what}, not {reprlib.repr(value)}")


def expect_path(value: object, what: str) -> Path:
    """Return a path, given as one or as a text.

    >>> expect_path("matches.jsonl", "a file of matches").suffix
    '.jsonl'
    """
    if isinstance(value, str | os.PathLike):
        return Path(value)
    raise ParameterError(f"expected the path of {what}, not {reprlib.repr(value)}")
