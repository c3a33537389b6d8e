"""Sweeps: a variant for each combination of some values of settings.

[sweep]
learning.adam.learning_rate = [1e-3, 3e-4]
learning.batch_size = [128, 256]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from athenan._core import ParameterError
from athenan.learning.settings import Overrides, merged

MAX_VARIANTS = 1000
UNFIT = re.compile(r"[^A-Za-z0-9_.+]+")  # for the name of a variant, which is that of a folder


def swept(table: object) -> dict[str, Overrides]:
    """Return the variants of a sweep by name, the last setting changing fastest.

    >>> list(swept({"learning": {"l2": [0, 0.1], "batch_size": [64, 128]}}))
    ['l2_0+batch_size_64', 'l2_0+batch_size_128', 'l2_0.1+batch_size_64', 'l2_0.1+batch_size_128']
    """
    if not isinstance(table, Mapping):
        raise ParameterError(f"a sweep is a table of settings with lists of values, not {table!r}")
    settings = list(_lists(table))
    count = 1
    for _, values in settings:
        count *= len(values)
    if not 1 < count <= MAX_VARIANTS:
        raise ParameterError(
            f"a sweep has 2 to {MAX_VARIANTS} combinations of values, and this one has {count}"
        )
    variants: dict[str, Overrides] = {}
    for chosen in product(*(values for _, values in settings)):
        name, overrides = "", dict[str, Any]()
        for (path, _), value in zip(settings, chosen, strict=True):
            name += ("+" if name else "") + UNFIT.sub("_", f"{path[-1]}_{value}").strip("_")
            overrides = merged(overrides, _nested(path, value))
        if name in variants:
            raise ParameterError(f"two combinations of the sweep have the name {name}")
        variants[name] = overrides
    return variants


def _lists(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[Any, list[Any]]]:
    """Yield each setting of a sweep with its values."""
    for name, inner in table.items():
        if isinstance(inner, Mapping):
            yield from _lists(inner, (*path, name))
        elif isinstance(inner, list) and inner:
            yield (*path, name), inner
        else:
            setting = ".".join((*path, name))
            raise ParameterError(f"the sweep of {setting} needs a list of values, not {inner!r}")


def _nested(path: tuple[str, ...], value: Any) -> Overrides:
    for name in reversed(path):
        value = {name: value}
    return dict(value)
