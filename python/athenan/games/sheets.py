"""The options of a game, and its datasheet as a table for notebooks."""

from __future__ import annotations

from collections.abc import Iterator

from athenan import html
from athenan._core import Datasheet, Game, game_names, game_parameters
from athenan.games.python_files import author_of, is_python_file
from athenan.programs import described_options

TRAITS = {
    "cyclic": "positions can repeat",
    "has_draws": "draws",
    "has_score": "score",
    "has_pieces": "pieces",
}


def html_of(sheet: Datasheet) -> str:
    """Return a datasheet as a table.

    >>> import athenan
    >>> "3 × 3" in html_of(athenan.make_game("tic_tac_toe").datasheet)
    True
    """
    return html.table((), _facts(sheet), sheet.title)


def html_of_game(game: Game) -> str:
    """Return a game with its options and its datasheet as a table."""
    rows = [("name", game.id), *_options(game), *_facts(game.datasheet)]
    return html.table((), rows, game.datasheet.title)


def options_of_game(game: Game) -> list[dict[str, str]]:
    """Describe the options of a game: those of C++, or what the class in a Python file takes.

    >>> import athenan
    >>> [option["name"] for option in options_of_game(athenan.make_game("hex"))]
    ['size', 'swap']
    """
    if is_python_file(game.id):
        return described_options(type(author_of(game)))
    if game.name not in game_names():
        return []
    named = ("name", "default", "accepted", "description")
    return [{key: getattr(option, key) for key in named} for option in game_parameters(game.name)]


def _options(game: Game) -> Iterator[tuple[str, str]]:
    for option in options_of_game(game):
        default = f" (default {option['default']})" if option["default"] else ""
        yield f"option {option['name']}", option["accepted"] + default


def _facts(sheet: Datasheet) -> Iterator[tuple[str, object]]:
    yield "players", sheet.players
    yield "planes", f"{len(sheet.planes)} of {sheet.rows} × {sheet.columns}"
    yield "what they show", ", ".join(sheet.planes)
    yield "moves", sheet.move_count
    yield "plies at most", sheet.max_length
    if sheet.typical_length:
        yield "plies of a random match", sheet.typical_length
    yield "symmetries", f"{sheet.symmetries} ({sheet.symmetry_group})"
    yield "has", ", ".join(word for name, word in TRAITS.items() if getattr(sheet, name)) or "–"
    if sheet.move_notation:
        yield "move notation", sheet.move_notation
    if sheet.position_notation:
        yield "position notation", sheet.position_notation
