"""`athenan solo`: a player plays a game for one; its scores and its best match are shown."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from athenan import Error, Stop, Stopped
from athenan.arena import SearchPlayerSpec, SoloMatch, play_alone, read_player, solo_openings
from athenan.commands.arguments import (
    NetworkOption,
    budget_of,
    game_for,
    name_networks,
    refuse_unused_budget,
)
from athenan.commands.series_arguments import (
    DEFAULT_BUDGET,
    ExpansionsOption,
    SecondsOption,
    SeedOption,
    WorkersOption,
)
from athenan.games.words import counted
from athenan.signals import INTERRUPTED, on_interrupt
from athenan.terminal.page import say
from athenan.terminal.progress import progress


def solo(
    player: Annotated[
        str,
        typer.Argument(help="A model, a run, a search such as mcts:terminal=score, or random."),
    ],
    game: Annotated[
        str | None,
        typer.Option(help="The game, or its Python file. The default is the model's game."),
    ] = None,
    matches: Annotated[int, typer.Option(min=1, max=10**5, help="The number of matches.")] = 20,
    seconds: SecondsOption = None,
    expansions: ExpansionsOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, which athenan publish --claim takes.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the moves of the best match to this file, one per line."
        ),
    ] = None,
    network: NetworkOption = None,
) -> int:
    """Play a game for one player, such as morpion, and show the scores and the best match.

    The first match is played from the start, the others from distinct openings. Ctrl-C shows what
    was played so far.
    """
    budget = budget_of(seconds, expansions, DEFAULT_BUDGET)
    name_networks(network)
    draft = read_player(player)
    made = game_for(game, {player: draft}, "--game")
    refuse_unused_budget([draft], made, budget, seconds or expansions)
    spec = draft.spec(made, budget)
    if not isinstance(spec, SearchPlayerSpec):
        raise Error(f"{player!r} is not a search: only searches can play {made.id} alone")
    stop, played, code = Stop(), list[SoloMatch](), 0
    with on_interrupt(stop.request), progress(matches, 0) as report:
        openings = solo_openings(made, matches, seed)
        alone = play_alone(
            made, spec, matches, openings=openings, seed=seed, threads=workers, stop=stop
        )
        with closing(alone):
            try:
                for each in alone:
                    played.append(each)
                    report(len(played), lambda: f"best {max(each.score for each in played):g}")
            except Stopped:
                code = INTERRUPTED
    if not played:
        return code
    best = max(played, key=lambda each: (each.score, -each.number))
    scores = [each.score for each in sorted(played)]
    found: dict[str, Any] = {
        "game": made.id,
        "player": {"name": player, "description": spec.description},
        "seed": seed,
        "planned": matches,
        "matches": len(scores),
        "mean": sum(scores) / len(scores),
        "best": best.score,
        "moves": list(best.moves),
        "scores": scores,
    }
    if save is not None:
        save.write_text("".join(f"{move}\n" for move in best.moves), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(found, indent=2))
        return code
    say(spec.description)
    count = counted(len(scores), "match")
    say(f"{count}: the mean score is {found['mean']:.1f}, the best {best.score:g}")
    typer.echo(f"athenan show {made.id} {' '.join(best.moves)}")  # a command: it is not wrapped
    return code
