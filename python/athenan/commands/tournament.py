"""`athenan tournament`: several players, all against all or one against all others."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack, closing, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from athenan import Error, Stop, Stopped
from athenan.arena import Standings, Tournament, read_player
from athenan.arena.record_file import record_file
from athenan.arena.tournament import Form
from athenan.commands.arguments import (
    ClusterOption,
    EnginesOption,
    NetworkOption,
    budget_of,
    game_for,
    name_networks,
    refuse_unused_budget,
    refuse_unused_engines,
    split_game,
)
from athenan.commands.series_arguments import (
    DEFAULT_BUDGET,
    AdjudicateOption,
    ExpansionsOption,
    FaultsOption,
    MarginOption,
    OpeningsOption,
    SecondsOption,
    SeedOption,
    TimeOption,
    WorkersOption,
    conditions_of,
    openings_of,
    series_on,
)
from athenan.signals import INTERRUPTED, on_interrupt
from athenan.terminal.crosstable import as_json, draw_crosstable, pairing_line, print_crosstable
from athenan.terminal.figures import refuse_unwritable
from athenan.terminal.progress import progress

if TYPE_CHECKING:
    from athenan.arena.tournament_file import Plan


def tournament(
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="[GAME] PLAYERS...",
            help="Two players or more, or one TOML file that names them all.",
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(help="The game, or its Python file. The default is the first model's game."),
    ] = None,
    matches: Annotated[
        int, typer.Option(min=1, max=10**5, help="The number of matches of each pairing.")
    ] = 20,
    form: Annotated[
        Form, typer.Option(help="All against all, or the first player against all others.")
    ] = "round-robin",
    seconds: SecondsOption = None,
    expansions: ExpansionsOption = None,
    openings: OpeningsOption = "random",
    seed: SeedOption = 0,
    workers: WorkersOption = 0,
    time_control: TimeOption = None,
    margin: MarginOption = None,
    adjudicate: AdjudicateOption = None,
    faults: FaultsOption = "void",
    json_only: Annotated[
        bool, typer.Option("--json", help="Print JSON instead of a table.")
    ] = False,
    png: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw the table and the ratings.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep the matches in this file, and go on with those it holds."
        ),
    ] = None,
    network: NetworkOption = None,
    engines: EnginesOption = None,
    cluster: ClusterOption = None,
) -> int:
    """Let several players play each other.

    Every opening is played twice, with colours exchanged, and all pairings play the same openings.
    With --save, run the command again to go on with a tournament that was stopped or killed.
    """
    from athenan.arena.tournament_file import Plan, read_plan

    name_networks(network)
    game, players = split_game(players, game)
    plan = Plan(
        players={text: text for text in players},
        game=game,
        matches=matches,
        form=form,
        seconds=seconds,
        expansions=expansions,
        openings=openings,
        seed=seed,
        workers=workers,
        time=time_control,
        margin=margin,
        adjudicate=adjudicate or [],
        faults=faults,
        save=save,
    )
    if len(plan.players) < len(players):
        raise Error("a player is named twice: use a TOML file, which gives each a name of its own")
    if len(players) == 1 and players[0].endswith(".toml"):
        plan = read_plan(Path(players[0]), plan)
    refuse_unwritable(png)
    stop, started, code = Stop(), time.perf_counter(), 0
    with ExitStack() as stack:
        play = series_on(cluster, plan.workers, stack)
        stack.enter_context(on_interrupt(stop.request))
        cup = _tournament(plan, stop, engines)
        standings = Standings(cup)
        with record_file(plan.save) if plan.save else nullcontext() as file:
            known = cup.played(file.matches) if file else []
            for pairing, match in known:
                standings.add(pairing, match)
            played = cup.play(known, stop, play)
            with progress(cup.planned, standings.played) as report, closing(played):
                try:
                    for pairing, match in played:
                        standings.add(pairing, match)
                        if file:
                            file.append(match)
                        report(standings.played, partial(pairing_line, standings, pairing))
                except Stopped:
                    code = INTERRUPTED
    seconds_played = time.perf_counter() - started
    if png is not None:
        draw_crosstable(standings, png)
    if json_only:
        typer.echo(json.dumps(as_json(standings, seconds_played), indent=2))
    else:
        print_crosstable(standings, seconds_played)
    return code


def _tournament(plan: Plan, stop: Stop, engines: Path | None) -> Tournament:
    conditions = conditions_of(plan.time, plan.margin, plan.faults, plan.adjudicate)
    budget = budget_of(plan.seconds, plan.expansions, "" if plan.time else DEFAULT_BUDGET)
    drafts = {name: read_player(text, engines) for name, text in plan.players.items()}
    refuse_unused_engines(engines, plan.players.values())
    game = game_for(plan.game, drafts, "--game")
    refuse_unused_budget(drafts.values(), game, budget, plan.seconds or plan.expansions)
    specs = tuple(draft.spec(game, budget).called(name) for name, draft in drafts.items())
    drawn = openings_of(plan.openings, game, plan.matches, plan.seed, stop)
    return Tournament(
        game, specs, drawn, plan.matches, plan.form, conditions, plan.seed, plan.workers
    )
