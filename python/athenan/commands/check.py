"""`athenan check`: do the rules of a game keep what they promise?"""

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
    matches: Annotated[
        int, typer.Option(min=1, max=100_000, help="The number of random matches.")
    ] = 30,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the random matches.")] = 0,
) -> None:
    """Test the rules of a game in random matches.

    Each finding says what is wrong and which moves lead there. A grave finding gives exit code 1;
    athenan train refuses such a game.
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
        say(f"{made.id} has {counted(grave, 'grave finding')}")
        raise typer.Exit(1)
    say(f"{made.id} has no grave findings in {counted(matches, 'random match')}")
