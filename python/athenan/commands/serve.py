"""`athenan serve`: play, analyse and watch in a browser."""

from __future__ import annotations

import re
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from athenan import Error, make_game
from athenan.arena.draft import Draft
from athenan.arena.engines.texts import engines_of
from athenan.arena.players import read_player
from athenan.commands.arguments import NetworkOption, name_networks
from athenan.machine import available_cores
from athenan.terminal.page import say
from athenan.zoo import folders, model_path

if TYPE_CHECKING:
    from athenan import Game
    from athenan.web.settings import Settings


def serve(
    models: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MODEL]...",
            help="Model files, runs, or directories of models. Named models are always offered.",
        ),
    ] = None,
    runs: Annotated[
        Path, typer.Option(metavar="DIR", help="The directory of the runs to show.")
    ] = Path("runs"),
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0 takes any free one.")
    ] = 8000,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOST", help="A further host name by which browsers may reach the page."
        ),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE.py", help="The file of a game written in Python, to offer it too."
        ),
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=PLAYER",
            help="A further opponent, named NAME: any player of athenan match.",
        ),
    ] = None,
    engines: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="An engines.toml; all its engines become opponents."),
    ] = None,
    network: NetworkOption = None,
    public: Annotated[
        bool,
        typer.Option(
            "--public", help="Restrict the page for strangers: no training, no series, no files."
        ),
    ] = False,
    workers: Annotated[
        int,
        typer.Option(
            min=0, max=256, help="The number of searches at a time; 0 leaves one core free."
        ),
    ] = 0,
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the page in your browser.")
    ] = False,
) -> None:
    """Serve a web page on which you play, analyse and watch.

    It needs no internet. Only this machine can reach the page unless --host says otherwise.
    """
    name_networks(network)
    settings = _settings(models or [], runs, host, port, name or [], game or [], public, workers)
    settings = replace(settings, players=_players(player or [], engines))
    _run(settings, open_browser)


def _settings(
    models: list[str],
    runs: Path,
    host: str,
    port: int,
    names: list[str],
    games: list[str],
    public: bool,
    workers: int,
) -> Settings:
    try:
        from athenan.web.settings import Settings
    except ModuleNotFoundError as missing:
        raise _not_installed(missing) from None
    paths = [model_path(each) for each in models]
    for text, path in zip(models, paths, strict=True):
        if path is None:
            raise Error(f"there is no model or directory {text!r}")
    return Settings(
        host=host,
        port=port,
        hosts=frozenset(each.lower() for each in names),
        models=tuple(filter(None, paths)),
        named=tuple(folders()),
        runs=None if public else runs,
        games={made.id: made for made in map(_python_game, games)},
        public=public,
        workers=workers or max(1, available_cores() - 1),
    )


def _python_game(text: str) -> Game:
    if ".py" not in text:
        raise Error(f"--game takes the file of a game written in Python, not {text!r}")
    return make_game(text)


def _players(texts: list[str], engines: Path | None) -> dict[str, Draft]:
    found = {name: read_player(name, engines) for name in (engines_of(engines) if engines else ())}
    for text in texts:
        name, equals, words = text.partition("=")
        if not equals or not re.fullmatch(r"[\w .-]{1,40}", name):
            raise Error(f"--player takes NAME=PLAYER, as in quick=mcts:seconds=0.1; not {text!r}")
        found[name] = read_player(words, engines)
    return found


def _run(settings: Settings, open_browser: bool) -> None:
    try:
        import uvicorn
        import websockets  # noqa: F401 (uvicorn finds it by itself, and says little without it)

        from athenan.web.serving import config_of
        from athenan.web.sockets import listening
    except ModuleNotFoundError as missing:
        raise _not_installed(missing) from None
    with listening(settings.host, settings.port) as (socket, url):
        say(f"athenan is served at {url} (Ctrl-C ends it)")
        if open_browser:
            webbrowser.open(url)
        uvicorn.Server(config_of(settings)).run(sockets=[socket])


def _not_installed(missing: ModuleNotFoundError) -> Error:
    return Error(f"athenan serve needs {missing.name}: pip install 'athenan[web]'")
