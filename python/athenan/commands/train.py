"""`athenan train` and `athenan resume`: learn a game, and go on where it stopped."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from athenan import Error

if TYPE_CHECKING:
    from athenan.learning.settings import Config, Overrides
    from athenan.runs import Run

INTERRUPTED = 130
KEPT = ("game", "seed", "network")  # settings that hold from the start of a run to its end
DETERMINISTIC: Overrides = {
    "hardware": {"deterministic": True},
    "checkpoints": {"every_minutes": 0, "every_matches": 100},
}


def train(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="A game as in hex:size=5, or a Python file; a preset may name it.",
        ),
    ] = None,
    preset_name: Annotated[
        str,
        typer.Option(
            "--preset",
            metavar="NAME",
            help="small, large, paper-hex11, fast-hex11, ... or a .toml file; auto: small on a "
            "CPU, large on a GPU.",
        ),
    ] = "auto",
    minutes: Annotated[float, typer.Option(help="Stop after this time.")] = 0,
    hours: Annotated[float, typer.Option(help="Stop after this time.")] = 0,
    matches: Annotated[int, typer.Option(help="Stop after so many matches.")] = 0,
    weights: Annotated[
        float, typer.Option(help="Size the network to so many weights, as in 1e6.")
    ] = 0,
    seed: Annotated[int | None, typer.Option(help="All randomness comes from it.")] = None,
    device: Annotated[str | None, typer.Option(help="auto, cpu or cuda.")] = None,
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="Same seed, same weights, bit for bit.")
    ] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="As in learning.batch_size=128."),
    ] = None,
    run: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The directory of the run; new.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the settings, as a settings file, only.")
    ] = False,
) -> None:
    """Learn a game from its rules alone."""
    from athenan.learning import complete_config, merged, parse_assignments

    given: Overrides = {}
    if game is not None:
        given["game"] = game
    if seed is not None:
        given["seed"] = seed
    if weights:
        given["weights"] = weights
    if stop := _stop(minutes, hours, matches):
        given["stop"] = stop
    if device is not None:
        given["hardware"] = {"device": device}
    if deterministic:
        given = merged(given, DETERMINISTIC)
    given = merged(given, parse_assignments(settings or []))
    config = complete_config(merged(preset_for(preset_name, device), given))
    _start(config, run, dry_run)


def resume(
    run: Annotated[Path, typer.Argument(metavar="DIR", help="The directory of the run.")],
    minutes: Annotated[
        float | None, typer.Option(help="Train until this much time in all.")
    ] = None,
    matches: Annotated[int | None, typer.Option(help="Train until so many matches in all.")] = None,
    device: Annotated[str | None, typer.Option(help="auto, cpu or cuda, from now on.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="From now on; as in train."),
    ] = None,
) -> None:
    """Go on with a run from its last checkpoint."""
    from athenan.learning import merged, parse_assignments
    from athenan.runs import Run

    opened = Run.open(run)
    limits = {"minutes": minutes, "matches": matches}
    given: Overrides = {}
    if stop := {name: value for name, value in limits.items() if value is not None}:
        given["stop"] = stop
    if device is not None:
        given["hardware"] = {"device": device}
    given = merged(given, parse_assignments(settings or []))
    _train(opened, _changed(opened.config(), given), resumed=True)


def _changed(config: Config, given: Overrides) -> Config:
    """Return the settings of a run with some changed that may change."""
    from athenan.learning import complete_config, merged

    if not given:
        return config
    changed = complete_config(merged(config.model_dump(), given))
    for name in KEPT:
        if getattr(changed, name) != getattr(config, name):
            raise Error(f"a run keeps its {name}: begin a new one with athenan train to change it")
    return changed


def _stop(minutes: float, hours: float, matches: int) -> dict[str, Any]:
    if minutes and hours:
        raise Error("give --minutes or --hours, not both")
    time = minutes or 60 * hours
    return {"minutes": time, "matches": matches} if time or matches else {}


def preset_for(name: str, device: str | None) -> Overrides:
    """Return the settings of a preset; "auto" is the one that suits the device."""
    from athenan.learning import preset

    if name != "auto":
        return preset(name)
    if device == "cpu":
        return preset("small")
    import torch

    return preset("large" if torch.cuda.is_available() else "small")


def _start(config: Config, folder: Path | None, dry_run: bool) -> None:
    """Decide what is left open, see that it fits, and begin."""
    from athenan.games import make_game
    from athenan.learning.derived import torch_device
    from athenan.learning.estimate import estimate, matches_at_a_time, refuse_if_too_large
    from athenan.networks import weight_count
    from athenan.runs.run import Run, config_text, free_name

    run = Run(folder or free_name(Path("runs"), config.game))
    if not dry_run:
        run.refuse_if_taken()
    game = make_game(config.game)
    device = torch_device(config.hardware.device)
    if config.hardware.deterministic:
        config = _decided(config, device.type)
    count = weight_count(config.network, game)
    slots = config.selfplay.matches or matches_at_a_time(game, device.type)
    needed = estimate(config, slots, count)
    summary = (
        f"{game.id}: a network of {count:,} weights on {device}, "
        f"{'' if config.selfplay.matches else 'about '}{slots} matches at a time, "
        f"about {needed.memory / 1e9:.2f} GB of memory, "
        f"{needed.checkpoint / 1e6:.0f} MB per checkpoint"
    )
    refuse_if_too_large(needed, _existing(run.path), config.checkpoints.keep)
    if dry_run:
        typer.echo(f"# {summary}\n{config_text(config)}", nl=False)
        return
    typer.echo(summary)
    _train(run, config, resumed=False)


def _decided(config: Config, device: str) -> Config:
    """Choose by rule what is else left to the machine: a resumed run must find it the same."""
    from athenan.games import make_game
    from athenan.learning.estimate import matches_at_a_time
    from athenan.machine import available_cores

    selfplay, hardware = config.selfplay, config.hardware
    slots = selfplay.matches or matches_at_a_time(make_game(config.game), device)
    threads = hardware.threads or available_cores()
    return config.model_copy(
        update={
            "selfplay": selfplay.model_copy(update={"matches": slots}),
            "hardware": hardware.model_copy(update={"threads": threads}),
        }
    )


def _existing(path: Path) -> Path:
    path = path.absolute()
    while not path.exists():
        path = path.parent
    return path


def _train(run: Run, config: Config, resumed: bool) -> None:
    from athenan.runs.session import Session
    from athenan.terminal.training_display import make_display

    with make_display() as display:
        session = Session(run, config, [display])
        try:
            if resumed:
                session.resume()
            else:
                session.begin()
            if session.finished:
                display.say(_finished(run, config))
            session.train()
        except KeyboardInterrupt:
            session.interrupted = True
        finally:
            session.close()
    counters = session.training.counters
    typer.echo(
        f"{counters.matches:,} matches learned; {counters.learned:,} states learned of "
        f"{counters.generated:,} generated; {counters.evaluations:,} states evaluated"
    )
    if session.interrupted:
        typer.echo(f"go on with: athenan resume {run.path}")
        sys.stdout.flush()
        os._exit(INTERRUPTED)  # an evaluation may still be playing: nothing else would stop it
    typer.echo(f"play it with: athenan play --model {run.path}")


def _finished(run: Run, config: Config) -> str:
    stop = config.stop
    limits = [f"{stop.matches:,} matches"] if stop.matches else []
    limits += [f"{stop.minutes:g} minutes"] if stop.minutes else []
    return (
        f"{run.path} is at its end, which was set to {' or '.join(limits)}; train it further with: "
        f"athenan resume {run.path} {'--matches' if stop.matches else '--minutes'} NUMBER"
    )
