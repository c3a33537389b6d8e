"""A board in colour, its pieces and the last turn told apart, and its state in a few words.

Nothing here knows a game. Most drawings agree on this much: a row has its number in front and one
character per cell; the first player's pieces are x, X or other capitals, the second player's o, O
or other small letters; a dot is an empty cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from athenan import State
from athenan.games.turns import turn_start
from athenan.games.words import status as status
from athenan.terminal.drawings import drawing_of

if TYPE_CHECKING:
    from rich.text import Text

ROW = re.compile(r"(?P<label>\s*\d+ )(?P<cells>\S(?: \S)*)\s*")
PLAYERS = ("bold cyan", "bold yellow")
EMPTY = LABEL = "dim"
CHANGED = "reverse"


def drawn(states: Sequence[State]) -> Text:
    """Draw the last of the states of a match, marking the cells that the last turn changed."""
    from rich.text import Text

    before = drawing_of(states[turn_start(states)])
    lines = drawing_of(states[-1])
    owners = _owners({cell for line in lines for _, cell in _cells(line)})
    text = Text(no_wrap=True, overflow="ignore")
    for number, line in enumerate(lines):
        old = before[number] if number < len(before) else line
        text.append_text(_styled_line(line, old, owners))
        text.append("\n")
    text.right_crop(1)
    return text


def _styled_line(line: str, old: str, owners: dict[str, int]) -> Text:
    from rich.text import Text

    cells = _cells(line)
    text = Text(line, style="" if cells or not _is_labels(line) else LABEL)
    if cells:
        text.stylize(LABEL, 0, cells[0][0])
    for place, cell in cells:
        if cell == ".":
            text.stylize(EMPTY, place, place + 1)
        elif cell in owners:
            text.stylize(PLAYERS[owners[cell]], place, place + 1)
    for place, now in cells or enumerate(line):  # in some other drawing any character may change
        if len(old) == len(line) and old[place] != now:
            text.stylize(CHANGED, place, place + 1)
    return text


def _cells(line: str) -> list[tuple[int, str]]:
    """Return the cells of a row with their places in the line; none if the line is no row."""
    if not (row := ROW.fullmatch(line)):
        return []
    start = row.start("cells")
    return [(start + 2 * i, cell) for i, cell in enumerate(row["cells"].split(" "))]


def _is_labels(line: str) -> bool:
    """Tell whether a line names the columns."""
    return all(len(word) == 1 and word.isalpha() for word in line.split())


def _owners(symbols: set[str]) -> dict[str, int]:
    """Return which player each symbol belongs to; symbols that belong to no player are left out."""
    letters = {symbol for symbol in symbols if symbol.isalpha()}
    if letters <= set("xoXO"):
        return {letter: int(letter in "oO") for letter in letters}
    return {letter: int(letter.islower()) for letter in letters - {"x"}}
