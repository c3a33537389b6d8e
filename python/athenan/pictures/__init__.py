"""Pictures of positions, as SVG and without any library.

    svg = svg_of(athenan.make_game("hex").initial_state().play("f6"))

`looks.py` says how each game looks; the other files are the kinds of boards and the pieces.
"""

from __future__ import annotations

from collections.abc import Iterator

from athenan._core import State
from athenan.pictures.diagram import Diagram, read_rectangle
from athenan.pictures.looks import LOOKS, Look, guessed
from athenan.pictures.svg import MONOSPACE, Box, Point, circle, document, group, text

__all__ = ["svg_of"]

RING = "#cc2f7b"
LINE_HEIGHT = 0.5


def svg_of(state: State, *, last_move: int | str | None = None, size: int = 480) -> str:
    """Draw a state of any game; return the text of an SVG file whose longer side is `size` pixels.

    `last_move` is the move that led here, as a number or in the game's notation: rings mark the
    cells that it names. A game of no known look, such as a user's own, is drawn from its text.
    """
    found = _look_of(state)
    title = f"{state.game.datasheet.title}: {state.position}"
    if found is None:
        return _picture_of_text(title, str(state), size)
    look, diagram = found
    layout = look.board(diagram)
    pieces = (
        look.pieces[symbol](layout.centres[cell])
        for cell, symbol in diagram.symbols.items()
        if symbol not in look.empty
    )
    rings = (_ring(layout.centres[cell]) for cell in _cells_of(last_move, state, look, diagram))
    return document(title, layout.box, size, [*layout.background, *pieces, *rings])


def _ring(centre: Point) -> str:
    halo = circle(centre, 0.43, fill="none", stroke="#ffffff", stroke_width=0.13)
    return group("last", [halo, circle(centre, 0.43, fill="none", stroke=RING, stroke_width=0.07)])


def _look_of(state: State) -> tuple[Look, Diagram] | None:
    """Return the look of the game with the position as it reads it; None if there is no board."""
    look = LOOKS.get(state.game.name)
    if look is not None:
        diagram = look.read(state)
        if diagram is not None and look.fits(diagram):
            return look, diagram
    diagram = read_rectangle(state)
    return None if diagram is None else (guessed(diagram), diagram)


def _cells_of(
    move: int | str | None, state: State, look: Look, diagram: Diagram
) -> list[tuple[int, int]]:
    """Return the cells of the last move, each once; none if no piece is on any of them."""
    if move is None:
        return []
    words = move if isinstance(move, str) else look.text(state, move)
    named = look.moved(diagram, words)
    cells = [cell for cell in dict.fromkeys(named) if cell in diagram.symbols]
    occupied = any(diagram.symbols[cell] not in look.empty for cell in cells)
    return cells if occupied else []


def _picture_of_text(title: str, drawing: str, size: int) -> str:
    """Return the drawing itself: the last resort."""
    lines = drawing.rstrip("\n").split("\n")
    width = 0.62 * LINE_HEIGHT * max(map(len, lines))
    box = Box(0, 0, max(width, 1) + 1, LINE_HEIGHT * 1.2 * len(lines) + 1)

    def written() -> Iterator[str]:
        for number, words in enumerate(lines):
            start = Point(0.5, 0.8 + LINE_HEIGHT * 1.2 * number)
            unbroken = words.replace(" ", "\N{NO-BREAK SPACE}")  # SVG merges plain spaces
            yield text(start, unbroken, LINE_HEIGHT, font_family=MONOSPACE, text_anchor="start")

    return document(title, box, size, written())
