"""Small pieces of HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from html import escape


def table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "", below: str = ""
) -> str:
    """Return a table; below a heading numbers stand at the right, None is an empty cell.

    >>> table(["move", "value"], [["b2", 0.5]])
    '<table><tr><th>move</th><th>value</th></tr><tr><td ...>b2</td><td ...>0.5</td></tr></table>'
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    cell = partial(_cell, right="right" if columns else "left")
    body = "".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    header = f"<tr>{head}</tr>" if columns else ""
    return f"<table>{title}{header}{body}</table>{paragraph(below)}"


def paragraph(words: str) -> str:
    """Return a paragraph; nothing for no words."""
    return f"<p>{escape(words)}</p>" if words else ""


def side_by_side(*parts: str) -> str:
    """Return parts in one row."""
    cells = "".join(f"<div>{part}</div>" for part in parts if part)
    return f'<div style="display:flex;flex-wrap:wrap;gap:1.5em">{cells}</div>'


def _cell(value: object, right: str) -> str:
    if value is None:
        return "<td></td>"
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    words = f"{value:.4g}" if isinstance(value, float) else str(value)
    return f'<td style="text-align:{right if numeric else "left"}">{escape(words)}</td>'
