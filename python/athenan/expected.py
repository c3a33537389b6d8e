"""Arguments of a wrong type or size: one sentence that says what was expected."""

from __future__ import annotations

import math
import os
import reprlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import numpy as np

from athenan._core import Game, ParameterError, State, Stop

T = TypeVar("T")

MOST_MATCHES = 1_000_000
"""Of a series: more would not fit into memory."""
LARGEST_SEED = 2**64 - 1


def wrong(value: object, what: str) -> ParameterError:
    """Return the error that says what was expected instead of a value."""
    return ParameterError(f"expected {what}, not {shown(value)}")


def shown(value: object) -> str:
    """Repeat a value in short, in characters that every terminal and file can hold."""
    try:
        words = reprlib.repr(value)
    except Exception:
        words = f"an object of {type(value).__name__}"
    return " ".join(words.encode(errors="backslashreplace").decode().split())


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
    raise wrong(value, what)


def expect_each(values: object, kind: type[T], what: str) -> list[T]:
    """Return values of this type as a list; refuse what is none, and any other value in it.

    >>> expect_each(("a", "b"), str, "a list of names")
    ['a', 'b']
    """
    if not isinstance(values, Iterable) or isinstance(values, str | bytes):
        raise wrong(values, what)
    return [expect(each, kind, what) for each in values]


def expect_text(value: object, what: str) -> str:
    """Return a text that can be written as UTF-8: a lone surrogate or a number is none."""
    text = expect(value, str, what)
    if not is_text(text):
        raise wrong(value, f"{what}, in valid Unicode")
    return text


def is_text(value: object) -> bool:
    """Tell whether a value is a text that can be written as UTF-8.

    >>> is_text("é"), is_text(chr(0xDCFF)), is_text(3)
    (True, False, False)
    """
    return isinstance(value, str) and not any("\ud800" <= each <= "\udfff" for each in value)


def expect_path(value: object, what: str) -> Path:
    """Return a path, given as one or as a text.

    >>> expect_path("matches.jsonl", "a file of matches").suffix
    '.jsonl'
    """
    if isinstance(value, str | os.PathLike) and "\0" not in str(value):
        return Path(value)
    raise wrong(value, f"the path of {what}")


def whole_of(value: object) -> int | None:
    """Return a whole number, None for anything else; True and False are no numbers.

    >>> whole_of(3), whole_of(True), whole_of(3.0)
    (3, None, None)
    """
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return int(value)
    return None


def expect_whole(value: object, what: str, least: int = 0, most: int = 2**63 - 1) -> int:
    """Return a whole number within bounds; True and False are none.

    >>> expect_whole(20, "the number of matches", 1)
    20
    >>> expect_whole(True, "the number of matches", 1, 100)
    Traceback (most recent call last):
    athenan._core.ParameterError: expected the number of matches, a whole number from 1 to 100,
    not True
    """
    number = whole_of(value)
    if number is not None and least <= number <= most:
        return number
    bounds = f"from {least}" + (f" to {most}" if most < 2**63 - 1 else "")
    raise wrong(value, f"{what}, a whole number {bounds}")


def expect_number(
    value: object, what: str, least: float = -math.inf, most: float = math.inf
) -> float:
    """Return a finite number within bounds; True and False are none.

    >>> expect_number(0.1, "the margin", 0, 10)
    0.1
    """
    low, high = max(least, -sys.float_info.max), min(most, sys.float_info.max)
    if isinstance(value, float | np.floating):
        number: float | int | None = float(value)
    else:
        number = whole_of(value)
    if number is not None and low <= number <= high:
        return float(number)
    bounds = "" if math.isinf(least) else f" from {least:g}"
    bounds += "" if math.isinf(most) else f" to {most:g}"
    raise wrong(value, f"{what}, a finite number{bounds}")


def expect_seed(value: object) -> int:
    """Return the seed of a random generator."""
    number = whole_of(value)
    if number is None or not 0 <= number <= LARGEST_SEED:
        raise wrong(value, "a seed, a whole number from 0 to 2^64 - 1")
    return number


def expect_stop(value: object) -> Stop | None:
    """Return a request to stop, or None."""
    return None if value is None else expect(value, Stop, "an athenan.Stop or None")


def expect_game(value: object) -> Game:
    """Return a game."""
    return expect(value, Game, "a Game, as make_game returns it")


def expect_state(value: object) -> State:
    """Return a state."""
    return expect(value, State, "a State, as game.initial_state() returns it")
