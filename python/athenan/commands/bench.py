"""`athenan bench`: how fast self-play is here, and how many matches at a time suit the machine."""

from __future__ import annotations

from typing import Annotated

import typer

from athenan import Error, make_game


def bench(
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="As in hex:size=11; a preset may name it.")
    ] = None,
    preset_name: Annotated[
        str, typer.Option("--preset", metavar="NAME", help="The network and the search.")
    ] = "auto",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    seconds: Annotated[float, typer.Option(help="Time of each measurement.")] = 2.0,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="As for train.")
    ] = None,
) -> None:
    """Measure self-play with more and more matches at a time, and choose."""
    from athenan.commands.train import preset_for
    from athenan.learning import complete_config, merged, parse_assignments
    from athenan.learning.derived import evaluator_of, network_of
    from athenan.learning.sizing import candidates, choose, measure
    from athenan.machine import available_cores

    if seconds <= 0:
        raise Error(f"a measurement takes more than 0 seconds, not {seconds}")
    given = merged(preset_for(preset_name, device), {"game": game} if game else {})
    given = merged(given, {"hardware": {"device": device}})
    config = complete_config(merged(given, parse_assignments(settings or [])))
    rules = make_game(config.game)
    threads = config.hardware.threads or available_cores()
    with evaluator_of(config, network_of(config, rules), rules) as evaluator:
        evaluator.warm_up()
        typer.echo(f"{rules.id} on {evaluator.device} ({evaluator.backend}), {threads} threads")
        typer.echo(f"{'matches':>8} {'batch':>8} {'states/s':>12} {'rules %':>8} {'trees MB':>9}")
        found = []
        numbers = candidates(rules, config, evaluator)
        for each in measure(rules, config, evaluator, numbers, threads=threads, seconds=seconds):
            found.append(each)
            typer.echo(
                f"{each.matches:>8} {each.batch:>8.0f} {each.states_per_second:>12,.0f} "
                f"{each.rules_share:>8.0%} {each.tree_bytes / 1e6:>9.1f}"
            )
    chosen = choose(found)
    typer.echo(f"choice: --set selfplay.matches={chosen.matches}")
