"""Boards whose plain drawing leaves out what a person at a terminal needs.

The squares of draughts have numbers, and the lines of Morpion forbid others: both are shown here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from athenan import State

ROW = re.compile(r"\s*\d+ (?P<cells>.*)")
POINT = re.compile(r"(?P<column>[a-z])(?P<row>\d+)(?P<direction>[hvdu])")
STROKES = {"h": (0, 1, "-"), "v": (1, 0, "|"), "d": (1, 1, "\\"), "u": (1, -1, "/")}
"""From a point of a line to the next: rows, columns, and what is drawn between."""
GAPS = 4  # between the five points of a line


def drawing_of(state: State) -> list[str]:
    """Return the lines of the drawing of a state."""
    own = DRAWINGS.get(state.game.name)
    return own(state) if own else str(state).rstrip("\n").splitlines()


def draughts(state: State) -> list[str]:
    """Draw each square that counts with its number: w32, b7, and .28 if it is empty."""
    number, lines = 0, []
    for line in str(state).rstrip("\n").splitlines():
        if not (row := ROW.fullmatch(line)):
            lines.append(line)
            continue
        drawn = ""
        for cell in row["cells"].ljust(2 * state.game.datasheet.columns)[::2]:
            number += cell != " "
            drawn += "    " if cell == " " else f"{cell}{number:<3}"
        lines.append(drawn.rstrip())
    return lines


def morpion(state: State) -> list[str]:
    """Draw the points with the lines between them, in the part of the paper that is in use."""
    rows = [row["cells"].split() for row in map(ROW.fullmatch, str(state).splitlines()) if row]
    canvas = [[" "] * (2 * len(rows[0]) - 1) for _ in range(2 * len(rows) - 1)]
    for y, row in enumerate(rows):
        canvas[2 * y][::2] = row
    for line in POINT.finditer(" ".join(state.position.split()[1:])):
        y, x = 2 * (int(line["row"]) - 1), 2 * (ord(line["column"]) - ord("a"))
        down, right, stroke = STROKES[line["direction"]]
        for gap in range(GAPS):
            place = y + (2 * gap + 1) * down, x + (2 * gap + 1) * right
            before = canvas[place[0]][place[1]]
            canvas[place[0]][place[1]] = "X" if before in "/\\" and before != stroke else stroke
    drawn = [
        f"{y // 2 + 1 if y % 2 == 0 else '':>2} {''.join(row)}".rstrip()
        for y, row in enumerate(canvas)
    ]
    used = [y for y, row in enumerate(rows) if set(row) != {"."}]
    first, last = max(0, 2 * used[0] - 4), 2 * used[-1] + 5
    columns = " ".join(chr(ord("a") + x) for x in range(len(rows[0])))
    return [*drawn[first:last], f"   {columns}"]


DRAWINGS: Mapping[str, Callable[[State], list[str]]] = {
    "international_draughts": draughts,
    "brazilian_draughts": draughts,
    "canadian_draughts": draughts,
    "morpion": morpion,
}
