"""`athenan solve`: the proven outcome of a position, and a line of best play."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from athenan import Stop, Stopped
from athenan.analysis import Proof, Work, prove
from athenan.commands.arguments import (
    GameArgument,
    MovesArgument,
    PositionOption,
    game_of,
    states_after,
)
from athenan.games.words import counted
from athenan.searches import OUTCOMES
from athenan.signals import INTERRUPTED, on_interrupt
from athenan.terminal.page import say
from athenan.terminal.waiting import shown


def solve(
    game: GameArgument,
    moves: MovesArgument = None,
    position: PositionOption = None,
    memory_mb: Annotated[
        int,
        typer.Option(
            min=0,
            max=10**6,
            help="The memory limit of the tree in MB; 0 is half of the free memory.",
        ),
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> int:
    """Prove who wins under best play, and show a line of best play.

    Examples: athenan solve hex:size=3,swap=false; athenan solve connect_four:rows=4,columns=4 a b.
    """
    state = states_after(game_of(game), position, moves or [])[-1]
    stop, so_far = Stop(), Progress()
    try:
        with on_interrupt(stop.request), shown(so_far.words):
            proof = prove(state, memory_mb=memory_mb, stop=stop, news=so_far.hear)
    except Stopped:
        say(f"athenan: stopped after {so_far.words()}; nothing is proven", err=True)
        return INTERRUPTED
    if as_json:
        typer.echo(json.dumps(proof.as_json()))
    else:
        _print(proof)
    return 0


class Progress:
    """How far a proof is."""

    def __init__(self) -> None:
        self._work, self._bytes = Work(), 0

    def hear(self, work: Work, tree_bytes: int) -> None:
        """Take news."""
        self._work, self._bytes = work, tree_bytes

    def words(self) -> str:
        """Say it."""
        return f"{self._work.expansions:,} expansions, a tree of {self._bytes >> 20:,} MB"


def _print(proof: Proof) -> None:
    state = proof.state
    outcome = OUTCOMES[state.game.datasheet.players][proof.proven_outcome]
    say(f"{state.game.id}, ply {state.ply}: {outcome}")
    if proof.line:
        say(f"best play: {' '.join(proof.line)}")
    limit = f" of the {proof.memory_mb:,} MB that it may take" if proof.memory_mb else ""
    say(
        f"{counted(proof.work.expansions, 'expansion')} in {proof.work.seconds:.1f} s, "
        f"a tree of {proof.tree_bytes / (1 << 20):.1f} MB{limit}"
    )
