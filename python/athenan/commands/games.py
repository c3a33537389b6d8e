"""`athenan games`: the list of the games, and the datasheet of one."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from athenan import Game, game_names, make_game
from athenan.games.measure import Measured, random_matches
from athenan.games.sheets import options_of_game
from athenan.terminal.page import Row, print_table, say, width_of, wrapped
from athenan.terminal.waiting import shown

MATCHES = 100
COLUMNS = ("game", ">players", ">planes", ">limit", ">length", ">moves", "has")
NAMES = 19  # characters that the names of a datasheet take
TRAITS = {"cyclic": "cycles", "draws": "draws", "score": "a score", "swap": "swap"}


def games(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="Show the whole datasheet of this game; for example hex:size=5."
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
    """Return all facts about a game, ready for JSON."""
    sheet = game.datasheet
    return {
        "name": game.name,
        "id": game.id,
        "title": sheet.title,
        "options": options_of_game(game),
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


def _print_table(chosen: list[Game]) -> None:
    rows: list[Row] = []
    measured = list[str]()
    with shown(lambda: f"playing random matches: {len(measured)} of {len(chosen)} games"):
        for game in chosen:
            measured.append(game.name)
            found = facts(game, random_matches(game, MATCHES))
            options = [f"{o['name']}={o['default']}: {o['accepted']}" for o in found["options"]]
            rows += [_row(found), *options]
    print_table(COLUMNS, rows)
    say()
    say(
        "limit: the largest number of plies of a match; length and moves: the mean number of plies "
        f"and of legal moves in {MATCHES} random matches"
    )


def _row(game: dict[str, Any]) -> list[str]:
    measured = game["random_matches"]
    return [
        game["name"],
        str(game["players"]),
        f"{len(game['planes'])}×{game['rows']}×{game['columns']}",
        str(game["max_length"]),
        f"{measured['mean_length']:.1f}",
        f"{measured['mean_branching']:.1f}",
        ", ".join(word for key, word in TRAITS.items() if game[key]),
    ]


def _print_datasheet(game: dict[str, Any]) -> None:
    width = width_of(sys.stdout)
    for name, value in game.items():
        for line in _in_words(value).split("\n"):
            typer.echo(wrapped(f"{name.replace('_', ' '):<{NAMES}}{line}", width, " " * NAMES))
            name = ""


def _in_words(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case [{}, *_]:
            return "\n".join(map(_option_in_words, value))
        case list():
            return ", ".join(value) or "none"
        case {"matches": matches, "mean_length": length, "mean_branching": branching}:
            return f"{matches} played: {length:.1f} plies, {branching:.1f} moves to choose from"
        case _:
            return str(value)


def _option_in_words(option: dict[str, str]) -> str:
    words = "; ".join(filter(None, (option["accepted"], option["description"])))
    default = f" (default {option['default']})" if option["default"] else ""
    return f"{option['name']}: {words}{default}"
