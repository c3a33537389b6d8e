"""`athenan match`: two players play a series, with the statistics of the result."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack, closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from athenan import Error, Stop, Stopped
from athenan.arena import SPRT, Tally, read_player
from athenan.arena.record_file import indices, of_series, record_file
from athenan.arena.series import SeriesSpec, only_matches
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
    PLAYER,
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
from athenan.terminal.progress import progress
from athenan.terminal.series import Series, score_line


def match(
    players: Annotated[list[str], typer.Argument(metavar="[GAME] A B", help=PLAYER)],
    game: Annotated[
        str | None,
        typer.Option(help="The game, or its Python file. The default is the first model's game."),
    ] = None,
    matches: Annotated[int, typer.Option(min=1, max=10**5, help="The number of matches.")] = 100,
    seconds: SecondsOption = None,
    expansions: ExpansionsOption = None,
    openings: OpeningsOption = "random",
    seed: SeedOption = 0,
    workers: WorkersOption = 0,
    time_control: TimeOption = None,
    margin: MarginOption = None,
    adjudicate: AdjudicateOption = None,
    faults: FaultsOption = "void",
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="A sequential test: end the series when one of two Elo differences is refuted.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Append each match to this file, as a line of JSON."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the series in the file of --save.")
    ] = False,
    network: NetworkOption = None,
    engines: EnginesOption = None,
    cluster: ClusterOption = None,
) -> int:
    """Play a series of matches between two players, as in athenan match hex:size=5 runs/hex5 mcts.

    Every opening is played twice, with colours exchanged. A player is runs/hex5,
    runs/hex5@seconds=0.2, runs/hex5@alphabeta:depth=2, mcts:seconds=1, random, an engine such as
    gtp:"gnugo --mode gtp", or the name of an engine in an engines.toml.
    """
    conditions = conditions_of(time_control, margin, faults, adjudicate)
    test = SPRT.parse(sprt) if sprt else None
    budget = budget_of(seconds, expansions, "" if time_control else DEFAULT_BUDGET)
    if resume and save is None:
        raise Error("--resume needs the file of the series: --save FILE")
    name_networks(network)
    game, players = split_game(players, game)
    if len(players) != 2:
        raise Error(f"a series is between two players, not {len(players)}")
    drafts = {text: read_player(text, engines) for text in players}
    refuse_unused_engines(engines, players)
    made = game_for(game, drafts, "--game")
    refuse_unused_budget(drafts.values(), made, budget, seconds or expansions)
    a, b = (drafts[text].spec(made, budget) for text in players)
    tally, stop, started, code = Tally(), Stop(), time.perf_counter(), 0
    with ExitStack() as stack, record_file(save) if save else nullcontext() as file:
        play = series_on(cluster, workers, stack)
        stack.enter_context(on_interrupt(stop.request))
        drawn = openings_of(openings, made, matches, seed, stop)
        series = Series(made, (a, b), drawn, openings, matches, seed, conditions, test)
        known = file.matches if file and resume else []
        known = of_series(known, made, (a, b), seed, drawn, matches, conditions.control)
        for each in known:
            tally.add(each)
        whole = SeriesSpec(made, a, b, matches, drawn, seed, conditions, indices(known))
        played = whole.play(stop, workers) if play is None else only_matches(play([whole], stop))
        with progress(matches, tally.played) as report, closing(played):
            try:
                for each in () if _is_decided(test, tally) else played:
                    tally.add(each)
                    if file:
                        file.append(each)
                    report(tally.played, partial(score_line, tally))
                    if _is_decided(test, tally):
                        break
            except Stopped:
                code = INTERRUPTED
    seconds_played = time.perf_counter() - started
    if as_json:
        typer.echo(json.dumps(series.as_json(tally, seconds_played), indent=2))
    else:
        series.print_summary(tally, seconds_played)
    return code


def _is_decided(test: SPRT | None, tally: Tally) -> bool:
    return test is not None and test.decision(tally.whole_pairs) is not None
