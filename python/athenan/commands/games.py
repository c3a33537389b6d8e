"""`athenan games`: the list of the games, and the datasheet of one."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from athenan import Game, game_names, game_parameters, make_game
from athenan.games.measure import Measured, random_matches

if TYPE_CHECKING:
    from rich.console import Console

MATCHES = 100
PIPE_WIDTH = 160  # the width of a table that no terminal limits
TRAITS = {"cyclic": "cycles", "draws": "draws", "score": "a score", "swap": "swap"}


def games(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="Show the whole datasheet of this game, as in hex:size=5."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the games, with the length and branching of 100 random matches of each."""
    chosen = [make_game(name) for name in (game_names() if game is None else [game])]
    if as_json:
        found = [facts(each, random_matches(each, MATCHES)) for each in chosen]
        typer.echo(json.dumps(found if game is None else found[0], indent=2))
    elif game is None:
        _print_table(chosen)
    else:
        _print_datasheet(facts(chosen[0], random_matches(chosen[0], MATCHES)))


def facts(game: Game, measured: Measured) -> dict[str, Any]:
    """Return everything there is to know of a game, ready for JSON."""
    sheet = game.datasheet
    return {
        "name": game.name,
        "id": game.id,
        "title": sheet.title,
        "options": _options(game),
        "players": sheet.players,
        "rows": sheet.rows,
        "columns": sheet.columns,
        "planes": sheet.planes,
        "moves": game.move_count,
        "max_length": sheet.max_length,
        "max_length_reason": sheet.max_length_reason,
        "symmetries": sheet.symmetries,
        "symmetry_group": sheet.symmetry_group,
        "cyclic": sheet.cyclic,
        "draws": sheet.has_draws,
        "score": sheet.has_score,
        "swap": game.offers_swap,
        "state_bytes": game.state_size,
        "move_notation": sheet.move_notation,
        "position_notation": sheet.position_notation,
        "reference": sheet.reference,
        "random_matches": measured._asdict(),
    }


def _options(game: Game) -> list[dict[str, str]]:
    if game.name not in game_names():
        return []
    named = ("name", "default", "accepted", "description")
    return [{key: getattr(option, key) for key in named} for option in game_parameters(game.name)]


def _print_table(chosen: list[Game]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    console = _console()
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("game")
    for heading in ("players", "planes", "max\nlength", "mean\nlength", "moves"):
        table.add_column(heading, justify="right", vertical="top")
    table.add_column("has")
    with console.status("playing random matches"):
        for game in chosen:
            table.add_row(*_row(facts(game, random_matches(game, MATCHES))))
    console.print(table)
    console.print(f"mean length and moves to choose from: over {MATCHES} random matches")


def _row(game: dict[str, Any]) -> list[str]:
    options = [f"  {o['name']}={o['default']}: {o['accepted']}" for o in game["options"]]
    measured = game["random_matches"]
    return [
        "\n".join([f"[bold]{game['name']}[/] {game['title']}", *options]),
        str(game["players"]),
        f"{len(game['planes'])}×{game['rows']}×{game['columns']}",
        str(game["max_length"]),
        f"{measured['mean_length']:.1f}",
        f"{measured['mean_branching']:.1f}",
        ", ".join(word for key, word in TRAITS.items() if game[key]),
    ]


def _print_datasheet(game: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in game.items():
        table.add_row(name.replace("_", " "), _in_words(value))
    _console().print(table, markup=False, highlight=False)


def _in_words(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case [{}, *_]:
            return "\n".join(
                f"{o['name']}: {o['accepted']}; {o['description']} (default {o['default']})"
                for o in value
            )
        case list():
            return ", ".join(value) or "none"
        case {"matches": matches, "mean_length": length, "mean_branching": branching}:
            return f"{matches} played: {length:.1f} plies, {branching:.1f} moves to choose from"
        case _:
            return str(value)


def _console() -> Console:
    from rich.console import Console

    unlimited = "COLUMNS" not in os.environ and not sys.stdout.isatty()
    return Console(highlight=False, width=PIPE_WIDTH if unlimited else None)
