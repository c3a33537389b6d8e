"""Pictures of positions, as SVG and without any library.

    start = athenan.make_game("hex").initial_state()
    svg = svg_of(start.play("f6"), last_turn=[(start, "f6")])

`looks.py` says how each game looks, `turn.py` marks the last turn; the other files are the kinds of
boards and the pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from athenan._core import State
from athenan.pictures.diagram import Diagram, read_rectangle
from athenan.pictures.looks import LOOKS, Look, guessed
from athenan.pictures.svg import MONOSPACE, Box, Point, document, text
from athenan.pictures.turn import Ply, lines_of, marks_of, read_turn

__all__ = ["Ply", "svg_of"]

LINE_HEIGHT = 0.5


def svg_of(state: State, *, last_turn: Sequence[Ply] = (), size: int = 480) -> str:
    """Draw a state of any game; return the text of an SVG file whose longer side is `size` pixels.

    `last_turn` has the plies of the turn that led here, each with the state in which it was played:
    rings mark the cells that the moves touched, crosses what they captured. A game of no known
    look, such as a user's own, is drawn from its text.
    """
    title = f"{state.game.datasheet.title}: {state.position}"
    found = _look_of([*(before for before, _ in last_turn), state])
    if found is None:
        return _picture_of_text(title, str(state), size)
    look, diagrams = found
    layout, turn = look.board(diagrams[-1]), read_turn(last_turn, look, diagrams)
    pieces = (
        look.pieces[symbol].draw(layout.centres[cell])
        for cell, symbol in diagrams[-1].symbols.items()
        if symbol not in look.empty
    )
    marks = marks_of(turn, layout, look, diagrams[-1])
    elements = [*layout.background, *lines_of(turn, layout), *pieces, *marks]
    return document(title, layout.box, size, elements)


def _look_of(states: Sequence[State]) -> tuple[Look, list[Diagram]] | None:
    """Return the look of the game and the positions as it reads them; None if there is no board."""
    look = LOOKS.get(states[0].game.name)
    if look is not None:
        read = [diagram for diagram in map(look.read, states) if diagram and look.fits(diagram)]
        if len(read) == len(states):
            return look, read
    read = [diagram for diagram in map(read_rectangle, states) if diagram]
    return (guessed(read), read) if len(read) == len(states) else None


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
