"""A progress bar for loops in notebooks, and in terminals and pipes a line now and then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from time import monotonic
from typing import TypeVar

from athenan.expected import expect, expect_whole, wrong
from athenan.html import paragraph
from athenan.notebooks.shown import Shown, is_notebook

Item = TypeVar("Item")

OFTEN, RARELY = 0.2, 10.0  # seconds between two looks: in a notebook, elsewhere


def progress(items: Iterable[Item], total: int | None = None, what: str = "") -> Iterator[Item]:
    """Yield items and show how many there were, of how many, and how long the rest will take.

    >>> list(progress(range(3), what="matches"))
    [0, 1, 2]
    """
    if not isinstance(items, Iterable):
        raise wrong(items, "something to loop over")
    if total is not None:
        expect_whole(total, "how many items there are")
    expect(what, str, "what the items are, as a text")
    if total is None and isinstance(items, Sized):
        total = len(items)
    shown, started = Shown(), monotonic()
    last, pause, count = started, OFTEN if is_notebook() else RARELY, 0
    for count, item in enumerate(items, 1):
        yield item
        if monotonic() - last >= pause:
            last = monotonic()
            _show(shown, count, total, what, last - started)
    if is_notebook():
        _show(shown, count, count, what, monotonic() - started)


def _show(shown: Shown, count: int, total: int | None, what: str, seconds: float) -> None:
    words = f"{count}{f' of {total}' if total is not None else ''} {what}".rstrip()
    words += f", {seconds:.0f} s"
    if total is not None and count < total:
        words += f", {seconds / count * (total - count):.0f} s left"
    bar = "" if total is None else f'<progress value="{count}" max="{total}"></progress>'
    shown.show(bar + paragraph(words), words)
