"""`athenan bench`: how fast self-play is here, and how many matches at a time suit the machine."""

from __future__ import annotations

from typing import Annotated

import typer

from athenan import Error
from athenan.commands.settings import given_settings, preset_for
from athenan.games.words import counted
from athenan.terminal.page import say
from athenan.terminal.waiting import shown

LONGEST = 3600


def bench(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="The game, as in hex:size=11. Some presets name a game."
        ),
    ] = None,
    preset_name: Annotated[
        str,
        typer.Option(
            "--preset", metavar="NAME", help="The preset that gives the network and the search."
        ),
    ] = "auto",
    device: Annotated[str, typer.Option(help="Where networks run: auto, cpu or cuda.")] = "auto",
    seconds: Annotated[float, typer.Option(help="Seconds for each measurement.")] = 2.0,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Change a setting, as in athenan train."),
    ] = None,
) -> None:
    """Measure self-play with more and more matches at a time, and choose the best number."""
    from athenan.learning import complete_config
    from athenan.learning.concurrency import Plan, Trial, best, trials
    from athenan.networks import build_network

    if not 0 < seconds <= LONGEST:
        raise Error(f"a measurement takes more than 0 and up to {LONGEST} seconds, not {seconds}")
    given = given_settings(settings, device, game=game or None)
    config = complete_config(given, preset_for(preset_name, given))
    plan = Plan.of(config)
    network = build_network(config.network, plan.game, config.seed)
    found: list[Trial] = []
    with (
        shown(lambda: f"measuring, {counted(len(found), 'number')} of matches done") as tell,
        plan.evaluator(network, config.hardware) as evaluator,
    ):
        evaluator.warm_up()
        where = f"{evaluator.device} ({evaluator.backend} in {evaluator.precision})"
        tell(f"{config.game} on {where}, {plan.threads} threads")
        tell(f"{'matches':>8} {'batch':>8} {'states/s':>12} {'rules %':>8} {'trees MB':>9}")
        for each in trials(config, plan, evaluator, seconds=seconds):
            found.append(each)
            tell(
                f"{each.concurrency:>8} {each.batch:>8.0f} {each.states_per_second:>12,.0f} "
                f"{each.rules_share:>8.0%} {each.tree_bytes / 1e6:>9.1f}"
            )
    say(f"choice: --set selfplay.matches={best(found).concurrency}")
