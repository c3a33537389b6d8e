"""`athenan engine`: athenan as an engine for other programs, in their own protocols."""

from __future__ import annotations

import gc
import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from typing import Annotated, TextIO

import typer

from athenan import Error, Game, make_game
from athenan.arena import read_player
from athenan.commands.arguments import NetworkOption, game_for, name_networks
from athenan.protocols import (
    PROTOCOLS,
    Conversation,
    Settings,
    protocol_entry,
    serve,
    writer,
)

LONGEST_LINE = 1 << 20  # characters; that of the longest match is far shorter


def engine(
    protocol: Annotated[
        str, typer.Argument(metavar="PROTOCOL", help=f"One of {', '.join(PROTOCOLS)}.")
    ],
    game: Annotated[
        str | None,
        typer.Option(help="The game, or its Python file. The default is the model's game."),
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="A model, a run, or any player. The default is base MCTS."
        ),
    ] = "",
    seconds: Annotated[
        float, typer.Option(min=0, max=1e6, help="Seconds per move, if the client gives no limit.")
    ] = 0,
    expansions: Annotated[
        int,
        typer.Option(
            min=0,
            max=10**12,
            help="Expansions per move; the client's clock may end a move earlier.",
        ),
    ] = 0,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**63, help="The seed of each match; a random one by default."),
    ] = None,
    threads: Annotated[
        int, typer.Option(min=0, max=1024, help="Threads to use; 0 is one per core.")
    ] = 0,
    ponder: Annotated[
        bool, typer.Option("--ponder", help="Think on the opponent's time too.")
    ] = False,
    dialect: Annotated[
        str, typer.Option(help="Write moves in the notation of another program, such as castro.")
    ] = "",
    network: NetworkOption = None,
) -> None:
    """Play as an engine for another program, such as a GUI, a referee or a website.

    The other program writes commands to standard input and reads answers from standard output.
    """
    entry = protocol_entry(protocol)
    if seconds and expansions:
        raise Error("--seconds and --expansions exclude each other: give one of them")
    name_networks(network)
    made = _game_of(game, model, entry.only_game)
    settings = Settings(model, expansions, seconds, seed, threads, ponder)
    settings.spec(made)  # refuses at once what cannot play
    conversation = entry.protocol(made, settings, writer(sys.stdout), dialect)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # nonsense is answered, not a reason to end
    serve(conversation, _lines(sys.stdin, partial(_leave_when_alone, conversation)))


def _lines(stream: TextIO, at_end: Callable[[], object]) -> Iterator[str]:
    """Yield the lines of a client, when all is loaded; a line without end is passed over.

    What is loaded stays: a search for garbage among it would take longer than a move may.
    """
    gc.collect()
    gc.freeze()
    is_whole = True
    while line := stream.readline(LONGEST_LINE):
        was_whole, is_whole = is_whole, line.endswith("\n") or len(line) < LONGEST_LINE
        if was_whole and is_whole:
            yield line
    at_end()


def _leave_when_alone(conversation: Conversation) -> None:
    """End what is still under way after the last line as soon as nothing can read the answer."""

    def watch() -> None:
        poll = select.poll()
        poll.register(sys.stdout, 0)  # errors are always told: the other end is closed
        poll.poll()
        conversation.close()

    with suppress(OSError, ValueError):  # no file of the system, as in tests
        sys.stdout.fileno()
        threading.Thread(target=watch, daemon=True).start()


def _game_of(given: str | None, model: str, usual: str | None) -> Game:
    """Return the game that was asked for, that of the model, or the one of the protocol."""
    drafts = {model: read_player(model)} if model else {}
    if given is None and usual is not None and not any(each.game for each in drafts.values()):
        return make_game(usual)
    return game_for(given, drafts, "--game")
