"""`athenan ladder`: a model at several budgets against every available opponent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from athenan import Error, Game, Stop, Stopped, make_game
from athenan.arena import PlayerSpec, SearchPlayerSpec, read_player
from athenan.arena.engines.texts import engines_for
from athenan.arena.ladder import USUAL_OPPONENTS, Ladder, Rung
from athenan.arena.record_file import record_file
from athenan.commands.arguments import (
    EnginesOption,
    NetworkOption,
    game_of,
    games_and_models_beginning,
    model_in_place_of,
    name_networks,
    refuse_unused_engines,
)
from athenan.commands.series_arguments import (
    OpeningsOption,
    SeedOption,
    WorkersOption,
    openings_of,
)
from athenan.signals import INTERRUPTED, on_interrupt
from athenan.terminal.figures import refuse_unwritable
from athenan.terminal.page import say
from athenan.terminal.progress import progress
from athenan.terminal.series import score_line
from athenan.zoo import stated_models

USUAL_BUDGETS = ("expansions=10", "expansions=100")


def ladder(
    subject: Annotated[
        str,
        typer.Argument(
            metavar="GAME_OR_MODEL",
            autocompletion=games_and_models_beginning,
            help="A model, a run, or a game, which stands for all its named models.",
        ),
    ],
    budget: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT", help="A budget of the model, as in expansions=10; may be repeated."
        ),
    ] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER",
            help="An opponent; repeat it, from weak to strong. By default: random, base MCTS at "
            "three budgets, and the engines of engines.toml whose `games` list this game.",
        ),
    ] = None,
    matches: Annotated[
        int, typer.Option(min=2, max=10**5, help="The number of matches of each series.")
    ] = 100,
    game: Annotated[
        str | None,
        typer.Option(help="Another game than the model's own, such as the one without swap."),
    ] = None,
    openings: OpeningsOption = "random",
    seed: SeedOption = 0,
    workers: WorkersOption = 0,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep the matches in this file, and go on with those it holds."
        ),
    ] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="Also draw the results.")] = None,
    json_only: Annotated[
        bool,
        typer.Option("--json", help="Print JSON, which athenan publish --claim takes."),
    ] = False,
    network: NetworkOption = None,
    engines: EnginesOption = None,
) -> int:
    """Measure a model: a series against each opponent at each budget, as a table and a chart.

    Each series is the one that athenan match plays with the same players, openings and seed.
    Results can be repeated if no budget depends on the load of the machine: use expansions,
    iterations, nodes or depth.
    """
    from athenan.terminal.ladder import as_json, as_table, draw

    refuse_unwritable(png)
    name_networks(network)
    models = _models(subject)
    made = make_game(game) if game else game_of(models[0])
    texts = [f"{model}@{each}" for model in models for each in budget or USUAL_BUDGETS]
    players = [read_player(text).spec(made) for text in texts]
    for text, each in zip(texts, players, strict=True):
        if isinstance(each, SearchPlayerSpec) and not each.search.is_limited:
            raise Error(f"{text} has no limit: give a budget such as expansions=10 or seconds=0.5")
    opponents = list(_opponents(opponent or [], made, engines))
    refuse_unused_engines(engines, opponent or engines_for(made, engines))
    stop, code = Stop(), 0
    with on_interrupt(stop.request):
        drawn = openings_of(openings, made, matches, seed, stop)
        climbed = Ladder(made, players, opponents, drawn, matches, seed, workers)
        with record_file(save) if save else nullcontext() as file:
            known = file.matches if file else []
            rungs = climbed.rungs(known)
            count = sum(rung.tally.played for rung in rungs)
            with (
                progress(len(rungs) * matches, count) as report,
                closing(climbed.climb(rungs, known, stop)) as played,
            ):
                last: Rung | None = None
                try:
                    for rung, match in played:
                        if last is not None and rung is not last:
                            _tell(last)
                        rung.tally.add(match)
                        last, count = rung, count + 1
                        if file:
                            file.append(match)
                        report(count, partial(_words, rung))
                except Stopped:
                    code = INTERRUPTED
                if last is not None:
                    _tell(last)
    if png is not None:
        draw(climbed, rungs, png)
    if json_only:
        typer.echo(json.dumps(as_json(climbed, rungs, openings), indent=2))
    else:
        typer.echo(as_table(rungs), nl=False)
    return code


def _models(subject: str) -> list[str]:
    """Return the model that is named, or all named models of a game."""
    if (model := model_in_place_of(subject)) is not None:
        return [model]
    wanted = make_game(subject).id
    if found := [each.name for each in stated_models() if each.game == wanted]:
        return found
    raise Error(
        f"there is no named model of {wanted} (athenan models lists all): "
        "name a model file or a run"
    )


def _opponents(texts: list[str], game: Game, engines: Path | None) -> Iterator[PlayerSpec]:
    for text in texts or [*USUAL_OPPONENTS, *engines_for(game, engines)]:
        yield read_player(text, engines).spec(game)


def _words(rung: Rung) -> str:
    return f"{rung.player.name} against {rung.opponent.name}: {score_line(rung.tally)}"


def _tell(rung: Rung) -> None:
    counts = rung.tally.counts
    say(
        f"{rung.player.name} against {rung.opponent.name}: {counts.score:.3f} of {counts.matches}",
        err=True,
    )
