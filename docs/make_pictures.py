"""Draws docs/images/*.svg and writes docs/games/README.md: `make pictures`.

A picture shows the start of the game, or what comes after the moves below where the start would say
little. tests/pictures/ compares the files with what this makes.
"""

from __future__ import annotations

import re
from pathlib import Path

from athenan import Game, State, game_names, game_parameters, make_game
from athenan.analysis import analyse
from athenan.pictures import svg_of

DOCS = Path(__file__).parent
SIZE = 480
THUMBNAIL = 150

MOVES = {
    "tic_tac_toe": "b2 a1 c1 a3 a2",
    "connect_four": "d d d d c e c c e f e",
    "hex": "b4 f6 e7 e6 d7 g5 c8 h7 g7 h6 h8 i7",
    "morpion": "j8h1 h10v1 l12u3 d8h1 h4v1 i11h5 l7d3 j6d3 g12d3 k10v1 f10d3 o11h5 l5h5 n12v5",
    "arimaa": "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Ed2 Me2 Cf2 Hg2 Rh2 "
    "ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 md7 ee7 cf7 hg7 rh7",
    "go": "E5 E3 C4 G3 D3 E7 C6 G6 F4 F3 G4 H4",
    "outer_open_gomoku": "h14 h8 i9 i8 g8 h7 h9 j9 g6 h6",
    "connect6": "K10 K11 L11 J11 L9 M12 J9 H8 N13",
    "havannah": "e5 h8 i6 g9 d8 j9 k8 f11 k12 l11",
    "santorini": "B2 D2 B4 D4 B2B3C3 D4C4D3 D2D3D4 C4D4C4 B3C3B3 B4A3B4",
}


def shown(game: Game) -> State:
    """Return the state that the picture of a game shows."""
    state = game.initial_state()
    for move in MOVES.get(game.name, "").split():
        state = state.play(move)
    return state


def picture(game: Game) -> str:
    """Return the picture of a game."""
    return svg_of(shown(game), size=SIZE)


def longest(variant: str) -> State:
    """Return the end of the match of Morpion Solitaire that its page shows as the longest."""
    page = (DOCS / "games" / "morpion.md").read_text(encoding="utf-8")
    command = re.compile(rf"^\$ athenan show (morpion:variant={variant}\S*)([^$`]+)", re.MULTILINE)
    found = command.search(page)
    assert found is not None
    state = make_game(found[1]).initial_state()
    for move in found[2].replace("\\", "").split():
        state = state.play(move)
    return state


LONGEST = {"morpion-5d": "5D", "morpion-5t": "5T"}


def index() -> str:
    """Return the page that lists all games."""
    rows = [_row(make_game(name)) for name in game_names()]
    return "\n".join(
        [
            "# The games",
            "",
            "Each page has the rules in brief, the options, the notation and the planes that a",
            "network sees. If a rule is disputed, the page says which form athenan uses.",
            "`athenan games NAME` prints the datasheet of a game. `athenan show NAME MOVES` prints",
            "a board, and with `--svg FILE` it writes a picture like those below. `make pictures`",
            "makes this page and the pictures.",
            "",
            "| | game | options and their defaults | the picture shows |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def _row(game: Game) -> str:
    title, page = game.datasheet.title, f"{game.name}.md"
    thumbnail = (
        f'<a href="{page}"><img src="../images/{game.name}.svg" alt="{title}" '
        f'width="{THUMBNAIL}"></a>'
    )
    options = ", ".join(f"`{o.name}={o.default}`" for o in game_parameters(game.name)) or "none"
    return f"| {thumbnail} | [{title}]({page}) | {options} | {_caption(game)} |"


def _caption(game: Game) -> str:
    plies = shown(game).ply
    return f"a position after {plies} plies" if plies else "the start"


def analysed() -> str:
    """Return the picture of docs/analysis.md: a position of Hex that base MCTS has judged."""
    state = make_game("hex:size=7").initial_state()
    for move in ["d4", "c5", "e5"]:
        state = state.play(move)
    return analyse(state, expansions=2000).svg(SIZE)


def main() -> None:
    """Write all pictures and the index."""
    (DOCS / "analysis.svg").write_text(analysed(), encoding="utf-8")
    (DOCS / "images").mkdir(exist_ok=True)
    for name in game_names():
        (DOCS / "images" / f"{name}.svg").write_text(picture(make_game(name)), encoding="utf-8")
    for name, variant in LONGEST.items():
        drawn = svg_of(longest(variant), size=SIZE)
        (DOCS / "images" / f"{name}.svg").write_text(drawn, encoding="utf-8")
    (DOCS / "games" / "README.md").write_text(index(), encoding="utf-8")


if __name__ == "__main__":
    main()
