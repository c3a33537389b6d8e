"""Which setting a misspelt one was meant to be, at whatever depth it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

LIKE_ENOUGH = 0.6
PART = 0.95
"""How much a part counts, such as rate of learning_rate, beside the whole name."""
PLACE = 0.3
"""How much it counts to be in the same place."""


def meant_setting(path: Sequence[str], value: Any, known: Sequence[str]) -> str:
    """Return words that propose one of the known settings, or none.

    >>> meant_setting(["learning", "rat"], 0.1, ["learning.data", "learning.adam.learning_rate"])
    ' (did you mean learning.adam.learning_rate?)'
    >>> meant_setting(["netwrk"], {"filters": 8}, ["network", "network.filters", "selfplay"])
    ' (did you mean network.filters?)'
    >>> meant_setting(["colour"], "red", ["network", "selfplay"])
    ''
    """
    while isinstance(value, Mapping) and len(value) == 1:  # the branch was misspelt, not its end
        ((name, value),) = value.items()
        path = [*path, str(name)]
    best = max(known, key=lambda name: _likeness(path, name.split(".")), default="")
    likely = _likeness(path, best.split(".")) >= LIKE_ENOUGH
    return f" (did you mean {best}?)" if likely else ""


def _likeness(path: Sequence[str], name: Sequence[str]) -> float:
    word = path[-1].lower()
    parts = max(_ratio(word, part) for part in name[-1].split("_"))
    same = max(_ratio(word, name[-1]), PART * parts)
    return (1 - PLACE) * same + PLACE * _ratio(".".join(path[:-1]), ".".join(name[:-1]))


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()
