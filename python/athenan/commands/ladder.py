"""`athenan ladder`: a model at several budgets against every opponent at hand."""

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
    game_of,
    games_and_models_beginning,
    model_in_place_of,
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
            help="A model or a run; of a game the models that have a name.",
        ),
    ],
    budget: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Of the model, as in expansions=10; several times."),
    ] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER",
            help="From weak to strong; several times. Without it: random, base MCTS at three "
            "budgets, and the engines of engines.toml whose `games` name this one.",
        ),
    ] = None,
    matches: Annotated[int, typer.Option(min=2, max=10**5, help="Of each rung.")] = 100,
    game: Annotated[
        str | None, typer.Option(help="Another game than that of the model, such as without swap.")
    ] = None,
    openings: OpeningsOption = "random",
    seed: SeedOption = 0,
    workers: WorkersOption = 0,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep the matches there, and go on with those it holds already."
        ),
    ] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the ladder, too.")] = None,
    json_only: Annotated[
        bool,
        typer.Option("--json", help="Print JSON, which athenan publish --claim takes."),
    ] = False,
    engines: EnginesOption = None,
) -> int:
    """Let a model climb: at each budget a series against each opponent, as a table and a chart.

    A rung is the series of athenan match with the same players, openings and seed. Budgets that do
    not depend on the load of the machine (expansions, iterations, nodes, depth) can be repeated.
    """
    from athenan.terminal.ladder import as_json, as_table, draw

    refuse_unwritable(png)
    models = _models(subject)
    made = make_game(game) if game else game_of(models[0])
    texts = [f"{model}@{each}" for model in models for each in budget or USUAL_BUDGETS]
    players = [read_player(text).spec(made) for text in texts]
    for text, each in zip(texts, players, strict=True):
        if isinstance(each, SearchPlayerSpec) and not each.search.is_limited:
            raise Error(f"{text} has no limit: a budget is as in expansions=10 or seconds=0.5")
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
    """Return the models that climb: the one named, or all that the zoo has of a game."""
    if (model := model_in_place_of(subject)) is not None:
        return [model]
    wanted = make_game(subject).id
    if found := [each.name for each in stated_models() if each.game == wanted]:
        return found
    raise Error(
        f"no model of {wanted} has a name (athenan models lists those that have one): "
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
