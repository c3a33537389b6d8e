"""`athenan check`: does a game keep its word?"""

from __future__ import annotations

from typing import Annotated

import typer

from athenan import make_game
from athenan.commands.arguments import GameArgument
from athenan.games.check import check_game
from athenan.games.words import counted
from athenan.terminal.page import say
from athenan.terminal.waiting import shown


def check(
    game: GameArgument,
    matches: Annotated[int, typer.Option(min=1, max=100_000, help="Random matches to play.")] = 30,
    seed: Annotated[int, typer.Option(min=0, help="Of the random matches.")] = 0,
) -> None:
    """Try out what the rules of a game promise, in random matches.

    Each finding names what is wrong and the moves that lead there. With a grave one the exit code
    is 1, and the game is not trained.
    """
    made = make_game(game)
    plies = 0

    def hear() -> None:
        nonlocal plies
        plies += 1

    with shown(lambda: f"checked {counted(plies, 'state')} of {counted(matches, 'random match')}"):
        findings = check_game(made, matches, seed=seed, hear=hear)
    for finding in findings:
        say(f"{'wrong' if finding.grave else 'advice'}: {finding}")
    grave = sum(finding.grave for finding in findings)
    if grave:
        say(f"{grave} of the promises of {made.id} are broken")
        raise typer.Exit(1)
    say(f"{made.id} keeps its word in {counted(matches, 'random match')}")
