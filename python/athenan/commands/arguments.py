"""The arguments that several commands take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from athenan import Error, Game, State, game_names, make_game
from athenan.arena.draft import Draft
from athenan.arena.engines.texts import engines_of
from athenan.games import game_of_record
from athenan.games.python_files import names_game_file
from athenan.zoo import SUFFIX, model_file, model_path, stated_by, zoo


def games_beginning(begun: str) -> list[str]:
    """Return the games whose names begin so, for the completion of the shell."""
    return [name for name in game_names() if name.startswith(begun)]


def games_and_models_beginning(begun: str) -> list[str]:
    """Return the games and models whose names begin so, for the completion of the shell."""
    return [*games_beginning(begun), *(name for name in zoo() if name.startswith(begun))]


GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        autocompletion=games_beginning,
        help="A game with its options, as in hex:size=5,swap=false, or a Python file.",
    ),
]
GameOption = Annotated[
    str | None,
    typer.Option("--game", metavar="FILE.py", help="The file of a game written in Python."),
]
NetworkOption = Annotated[
    list[str] | None,
    typer.Option(
        "--network",
        metavar="FILE.py",
        help="Your own network's Python file, if the model has such a network.",
    ),
]
EnginesOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="An engines.toml; its engines become players by their names."
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="auto|ADDRESS",
        help="Use a running Ray cluster: auto on one of its machines, or an address such as "
        "10.0.0.1:6379.",
    ),
]
MovesArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[MOVES]...", help="Moves to play, in the game's notation."),
]
PositionOption = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Start from this position instead of the initial one."),
]


def model_in_place_of(game: str | None) -> str | None:
    """Return the text if it names a model, by a name or a path, and not a game."""
    if game is None or game in game_names() or (path := model_path(game)) is None:
        return None
    return game if path.is_dir() or path.name.endswith(SUFFIX) else None


def game_and_model(game: str | None, model: str | None) -> tuple[str | None, str | None]:
    """Return the game and the model of a command that takes either in the same place."""
    found = model_in_place_of(game)
    if found is None:
        return game, model
    if model is not None:
        raise Error(f"{found!r} and {model!r} are two models: name one of them")
    return None, found


def game_of(text: str) -> Game:
    """Make the game that a text names; the name of a model stands for the model's game."""
    model = model_in_place_of(text)
    if model is None or (path := model_path(model)) is None:
        return make_game(text)
    stated = stated_by(model_file(path))
    return game_of_record(None, stated.game, "", f"the model {model!r}", "GAME")


def state_of(game: Game, position: str | None) -> State:
    """Return the state of a position text; without one, the start of the game."""
    return game.initial_state() if position is None else game.parse_position(position)


def states_after(game: Game, position: str | None, moves: Iterable[str]) -> list[State]:
    """Return that state, and the one after each of some moves."""
    states = [state_of(game, position)]
    for move in moves:
        states.append(states[-1].play(move))
    return states


def game_for(given: str | None, players: Mapping[str, Draft], how: str) -> Game:
    """Make the game that was asked for; without one, the game of the first player's model.

    A model runs no code. For the model of a Python game, `how` tells the user how to name its file.
    """
    if given is not None:
        return make_game(given)
    for text, draft in players.items():
        if draft.game is not None:
            return game_of_record(None, draft.game, "", f"the player {text!r}", how)
    names = ", ".join(game_names())
    raise Error(f"none of the players is a model, so the game must be named: name one of {names}")


def given_game(text: str | None) -> Game | None:
    """Make the game that was given, if one was."""
    return None if text is None else make_game(text)


def game_of_file(text: str | None) -> Game | None:
    """Make the game whose file was given, if one was; a record names any other game itself."""
    if text is not None and ".py" not in text:
        raise Error(f"--game takes the file of a game written in Python, not {text!r}")
    return given_game(text)


def name_networks(texts: Sequence[str] | None) -> None:
    """Load the files of networks that were named, if any."""
    for text in texts or ():
        from athenan.networks import name_network_file

        name_network_file(text)


def split_game(words: Sequence[str], game: str | None) -> tuple[str | None, list[str]]:
    """Return the game, which may come first in the list or by --game, and the players."""
    if not words or not (words[0].partition(":")[0] in game_names() or names_game_file(words[0])):
        return game, list(words)
    if game is not None:
        raise Error(f"the game is given twice: {words[0]} and --game {game}")
    return words[0], list(words[1:])


def refuse_unused_budget(drafts: Iterable[Draft], game: Game, budget: str, given: object) -> None:
    """Refuse a limit for players without one where every player has a limit."""
    if given is None:
        return
    if all(each.spec(game).description == each.spec(game, budget).description for each in drafts):
        raise Error(
            f"a limit of {budget.partition('=')[0]} is for players that have none, and no "
            "player here needs it: leave it out"
        )


def refuse_unused_engines(file: Path | None, texts: Iterable[str]) -> None:
    """Refuse a file of engines that no player uses."""
    if file is None:
        return
    names = engines_of(file)
    if not any(text.partition("@")[0] in names for text in texts):
        raise Error(
            f"--engines {file} has no effect: no player is one of its engines, which are "
            f"{', '.join(names) or 'none'}"
        )


def budget_of(seconds: float | None, expansions: int | None, default: str) -> str:
    """Return the limit for players that have none, as an option of a search."""
    if seconds is not None and expansions is not None:
        raise Error("--seconds and --expansions exclude each other: give one of them")
    if seconds is not None:
        return f"seconds={seconds:g}"
    return default if expansions is None else f"expansions={expansions}"
