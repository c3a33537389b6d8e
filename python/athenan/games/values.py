"""Python values as bytes and back, without running anything: the states of simple games.

The bytes are a text in JSON, so a position can be read and typed. Equal values have equal bytes:
True is written as 1, and frozensets are sorted. What JSON has no word for is an object of one
entry: {"frozenset": [...]}, {"bytes": "00ff"}, and the name of a NamedTuple, frozen dataclass or
Enum. Such a class belongs to the game's own file: a text names it, and imports nothing.
"""

from __future__ import annotations

import dataclasses
import json
import math
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

import numpy as np

Classes = Mapping[str, type]

_PLAIN = (int, str, type(None))


def own_classes(kind: type) -> dict[str, type]:
    """Return the classes that states may be made of: those beside a class and its bases."""
    found: dict[str, type] = {}
    for base in kind.__mro__:
        if base.__module__.partition(".")[0] in ("athenan", "abc", "builtins", "typing"):
            continue
        members = {**vars(sys.modules.get(base.__module__, base)), **vars(base)}
        for member in members.values():
            if isinstance(member, type) and _is_value_class(member):
                found.setdefault(member.__name__, member)
    return found


def _is_value_class(kind: type) -> bool:
    parameters = getattr(kind, "__dataclass_params__", None)
    return (
        issubclass(kind, Enum)
        or (issubclass(kind, tuple) and hasattr(kind, "_fields"))
        or (parameters is not None and parameters.frozen and parameters.eq)
    )


# Writing.


def text_of(value: object, classes: Classes) -> str:
    """Write a value.

    >>> text_of(("x.o", 1, True, None, frozenset({3, 2})), {})
    '["x.o",1,1,null,{"frozenset":[2,3]}]'
    """
    return json.dumps(_written(value, classes), separators=(",", ":"), allow_nan=False)


def _written(value: Any, classes: Classes) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple:
        return [each if type(each) in _PLAIN else _written(each, classes) for each in value]
    writer = _WRITERS.get(kind)
    if writer is not None:
        return writer(value, classes)
    if isinstance(value, np.integer | np.bool_):
        return int(value)
    if kind.__name__ not in classes or classes[kind.__name__] is not kind:
        raise TypeError(_refusal(kind))
    if isinstance(value, Enum):
        return {kind.__name__: value.name}
    fields = value if isinstance(value, tuple) else map(value.__getattribute__, _fields(kind))
    return {kind.__name__: [_written(each, classes) for each in fields]}


def _fields(kind: Any) -> list[str]:
    return [field.name for field in dataclasses.fields(kind)]


def _number(value: float, _: Classes) -> float | int:
    if not math.isfinite(value):
        raise TypeError(f"a state cannot hold the number {value}")
    return int(value) if value.is_integer() else value


def _set(value: frozenset[Any], classes: Classes) -> dict[str, list[Any]]:
    written = [_written(each, classes) for each in value]
    return {"frozenset": sorted(written, key=lambda each: json.dumps(each))}


_WRITERS: dict[type, Callable[[Any, Classes], Any]] = {
    bool: lambda value, _: int(value),
    float: _number,
    bytes: lambda value, _: {"bytes": value.hex()},
    frozenset: _set,
}


def _refusal(kind: type) -> str:
    instead = {"list": "tuple", "set": "frozenset", "ndarray": "tuple or bytes"}
    hint = instead.get(kind.__name__)
    if hint is not None:
        return f"a state cannot hold a {kind.__name__}; use a {hint}"
    return (
        f"a state cannot hold a {kind.__name__}; it may hold None, numbers, texts, bytes, tuples, "
        "frozensets, and NamedTuples, frozen dataclasses and Enums of the game's own file"
    )


# Reading.


def value_of(text: str, classes: Classes) -> Any:
    """Read a value; raise ValueError for any text that `text_of` does not write.

    >>> value_of('["x.o",{"frozenset":[2,3]}]', {}) == ("x.o", frozenset({2, 3}))
    True
    """
    try:
        value = _read(json.loads(text, parse_constant=_refuse_constant), classes)
        again = text_of(value, classes)
    except (RecursionError, TypeError, LookupError, AttributeError) as problem:
        raise ValueError(f"{text[:60]!r} is not a value: {problem}") from None
    if again != text:
        raise ValueError(f"{text[:60]!r} is written otherwise: {again[:60]!r}")
    return value


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not a number")


def _read(written: Any, classes: Classes) -> Any:
    if isinstance(written, list):
        return tuple(_read(each, classes) for each in written)
    if not isinstance(written, dict):
        return written
    if len(written) != 1:
        raise ValueError("an object of a state has one entry")
    ((name, inner),) = written.items()
    if name == "frozenset":
        return frozenset(_read(each, classes) for each in inner)
    if name == "bytes":
        return bytes.fromhex(inner)
    kind: Any = classes[name]
    if issubclass(kind, Enum):
        return kind[inner]
    return kind(*(_read(each, classes) for each in inner))
