"""Pictures of positions, as SVG and without any library.

    start = athenan.make_game("hex").initial_state()
    svg = svg_of(start.play("f6"), last_turn=[(start, "f6")])

`looks.py` says how each game looks, `turn.py` marks the last turn, `overlay.py` adds heat and
arrows, `caption.py` the line below; the other files are the kinds of boards and the pieces.

A page may restyle a picture by its classes (`paper`, `ink`, `piece first`, `cell`, `heat`, `arrow`,
`won`, `caption` ...) and find cells by `data-cell="row,column"`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from athenan._core import State
from athenan.expected import expect
from athenan.games import own_picture
from athenan.pictures.caption import caption as caption_below
from athenan.pictures.caption import words_of
from athenan.pictures.diagram import Diagram
from athenan.pictures.layout import Layout, layout_of
from athenan.pictures.looks import Look, look_of
from athenan.pictures.overlay import (
    NOTHING,
    Arrow,
    Overlay,
    Spot,
    draw_arrows,
    draw_heat,
    draw_labels,
    draw_winning,
    heat_of,
    line_of,
    move_cells,
)
from athenan.pictures.svg import MONOSPACE, Box, Point, document, group, text
from athenan.pictures.turn import Ply, lines_of, marks_of, read_turn

__all__ = ["Arrow", "Overlay", "Ply", "Spot", "heat_of", "line_of", "move_cells", "svg_of"]

LINE_HEIGHT = 0.5


def svg_of(
    state: State,
    *,
    last_turn: Sequence[Ply] = (),
    overlay: Overlay = NOTHING,
    caption: bool | str = True,
    letters: bool = False,
    size: int = 480,
) -> str:
    """Draw a state of any game; return the text of an SVG file whose longer side is `size` pixels.

    `last_turn` has the plies of the turn that led here, each with the state in which it was played:
    rings mark the cells that the moves touched, crosses what they captured. A match that is over
    shows what won it. `overlay` adds heat and arrows. The `caption` says the ply, what was played
    and whose turn it is, unless it is another text, or False. With `letters` the pieces of Arimaa
    and Xiangqi are letters, not figures. A game of no known look, such as a user's own, is drawn
    from its text, unless its author draws it.

    >>> import athenan
    >>> state = athenan.make_game("hex:size=3").initial_state()
    >>> "first player to move" in svg_of(state, overlay=Overlay(heat_of(state, {"b2": 1})))
    True
    """
    expect(state, State, "a State, as game.initial_state() returns it")
    if (drawn := own_picture(state)) is not None:
        return drawn
    title = f"{state.game.datasheet.title}: {state.position}"
    words = words_of(state, last_turn) if caption is True else caption or ""
    found = look_of([*(before for before, _ in last_turn), state], letters=letters)
    if found is None:
        look, box, elements = None, *_drawn_text(str(state))
    else:
        look, diagrams = found
        layout, turn = layout_of(look.board, diagrams[-1]), read_turn(last_turn, look, diagrams)
        box = layout.box
        elements = [
            *layout.background,
            *draw_heat(overlay, layout),
            *lines_of(turn, layout),
            *_pieces(look, layout, diagrams[-1]),
            *marks_of(turn, layout, look, diagrams[-1]),
            *layout.foreground,
            *draw_winning(look.won(state, diagrams[-1]), layout),
            *draw_arrows(overlay, layout, look),
            *draw_labels(overlay, layout),
            layout.areas,
        ]
    if words:
        player = state.to_move if state.outcome is None else None
        box, below = caption_below(words, box, look, player)
        elements.append(below)
    return document(title, box, size, elements)


def _pieces(look: Look, layout: Layout, diagram: Diagram) -> Iterator[str]:
    """Return the pieces, and numbers on them."""
    for cell, symbol in diagram.symbols.items():
        if symbol not in look.empty:
            yield look.pieces[symbol].draw(layout.centres[cell])
    for cell, number in look.numbers(diagram).items():
        yield group("number", [text(layout.centres[cell], number, 0.26)])


def _drawn_text(drawing: str) -> tuple[Box, list[str]]:
    """Return the drawing itself: the last resort."""
    lines = drawing.rstrip("\n").split("\n")
    width = 0.62 * LINE_HEIGHT * max(map(len, lines))
    box = Box(0, 0, max(width, 1) + 1, LINE_HEIGHT * 1.2 * len(lines) + 1)

    def written() -> Iterator[str]:
        for number, words in enumerate(lines):
            start = Point(0.5, 0.8 + LINE_HEIGHT * 1.2 * number)
            unbroken = words.replace(" ", "\N{NO-BREAK SPACE}")  # SVG merges plain spaces
            yield text(start, unbroken, LINE_HEIGHT, font_family=MONOSPACE, text_anchor="start")

    return box, list(written())
