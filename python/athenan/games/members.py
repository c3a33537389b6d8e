"""What the author of a simple game wrote in its class, looked at before any of it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from inspect import iscoroutinefunction, signature
from typing import Any

from athenan._core import ParameterError
from athenan.expected import shown, whole_of
from athenan.games.rules import MOST_MOVES
from athenan.games.simple import SimpleRules, gives

LARGEST_STATE = 1_000_000  # bytes
WHOLE = {
    "players": (1, 2),
    "max_length": (1, 100_000),
    "symmetries": (1, 256),
    "state_bytes": (0, LARGEST_STATE),
}
"""Members that are whole numbers, with the least and the most."""
TEXTS = ("title", "max_length_reason", "reference")
FLAGS = ("draws", "cyclic", "offers_swap")
METHODS = (
    *("initial", "to_move", "result", "moves", "play", "planes", "cells", "kind", "move_text"),
    *("drawing", "svg", "transform", "transform_move", "score", "pieces", "ply_of", "flaw"),
    *("swap_sides", "swapped"),
)


def title_of(simple: SimpleRules[Any, Any]) -> str:
    """Return the name of a game: its title, or that of its class."""
    title = simple.title
    return title if title and isinstance(title, str) else type(simple).__name__


def refuse_wrong_members(simple: SimpleRules[Any, Any]) -> None:
    """Say which member of the class cannot be used, and what is accepted."""
    refuse_wrong_methods(simple, SimpleRules, METHODS, title_of(simple))
    for name in TEXTS:
        _check(simple, name, "a text", lambda value: isinstance(value, str))
    for name in FLAGS:
        _check(simple, name, "True or False", lambda value: isinstance(value, bool))
    for name, (least, most) in WHOLE.items():
        what = f"a whole number from {least} to {most}"
        _check(simple, name, what, lambda n, low=least, high=most: _is_whole(n, low, high))
    _check(simple, "board", "a pair of rows and columns, or None", _is_board)
    _check(simple, "all_moves", f"a list of at most {MOST_MOVES:,} hashable moves", _are_values)
    _check(simple, "symbols", "a list of hashable values", _are_values)
    _check(simple, "kinds", "a list of names, at least one", lambda names: _are_names(names, 1))
    _check(simple, "plane_names", "a list of names", _are_names)
    _check_what_others_need(simple)


def _check(
    simple: SimpleRules[Any, Any], name: str, what: str, is_good: Callable[..., bool]
) -> None:
    value = getattr(simple, name)
    if not is_good(value):
        raise ParameterError(f"{name} of {title_of(simple)} is {shown(value)}; accepted is {what}")


def refuse_wrong_methods(rules: object, base: type, names: Iterable[str], title: str) -> None:
    """Say which method of the author's cannot be called as that of the base class is."""
    for name in names:
        method = getattr(rules, name)
        if not callable(method):
            raise ParameterError(f"{name} of {title} is {shown(method)}; accepted is a method")
        if iscoroutinefunction(method):
            raise ParameterError(f"the method {name} of {title} is async; write it without async")
        given = list(signature(getattr(base, name)).parameters)[1:]
        try:
            signature(method).bind(*given)
        except TypeError:
            raise ParameterError(
                f"the method {name} of {title} takes {signature(method)}, and is called with "
                f"({', '.join(given)})"
            ) from None


def _check_what_others_need(simple: SimpleRules[Any, Any]) -> None:
    needs = {
        "symmetries above 1": ("transform", "transform_move") if simple.symmetries > 1 else (),
        "offers_swap": ("swap_sides",) if simple.offers_swap else (),
        "offers_swap and ply_of": ("swapped",)
        if simple.offers_swap and gives(simple, "ply_of")
        else (),
    }
    for why, methods in needs.items():
        for method in methods:
            if not gives(simple, method) and method not in vars(simple):
                title = title_of(simple)
                raise ParameterError(f"{title} says {why}, and that needs the method {method}")


def _is_whole(value: object, least: int, most: int) -> bool:
    number = whole_of(value)
    return number is not None and least <= number <= most


def _is_board(value: object) -> bool:
    if value is None:
        return True
    return (
        isinstance(value, tuple | list)
        and len(value) == 2
        and all(_is_whole(each, 1, LARGEST_STATE) for each in value)
    )


def _are_values(values: object) -> bool:
    if not isinstance(values, Sequence) or len(values) > MOST_MOVES:
        return False
    try:
        return all(isinstance(hash(each), int) for each in values)
    except TypeError:  # a tuple of lists says that it is hashable
        return False


def _are_names(values: object, least: int = 0) -> bool:
    return (
        isinstance(values, Sequence)
        and not isinstance(values, str | bytes)
        and len(values) >= least
        and all(isinstance(each, str) for each in values)
    )
