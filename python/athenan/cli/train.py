"""`athenan train` and `athenan resume`: learn a game, and go on where it stopped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from athenan import Error

if TYPE_CHECKING:
    from athenan.learning.settings import Config, Overrides

INTERRUPTED = 130


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
            help="small, large, paper-hex11, fast-hex11, ... or a .toml file.",
        ),
    ] = "auto",
    minutes: Annotated[float, typer.Option(help="Stop after this time.")] = 0,
    hours: Annotated[float, typer.Option(help="Stop after this time.")] = 0,
    matches: Annotated[int, typer.Option(help="Stop after so many matches.")] = 0,
    weights: Annotated[
        float, typer.Option(help="Size the network to so many weights, as in 1e6.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="All randomness comes from it.")] = 0,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
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
        bool, typer.Option("--dry-run", help="Print the settings and the estimate only.")
    ] = False,
) -> None:
    """Learn a game from its rules alone."""
    from athenan.learning import complete_config, merged, parse_assignments

    given: Overrides = {"hardware": {"device": device}, "seed": seed}
    if game is not None:
        given["game"] = game
    if weights:
        given["weights"] = weights
    if stop := _stop(minutes, hours, matches):
        given["stop"] = stop
    if deterministic:
        given = merged(given, DETERMINISTIC)
    given = merged(given, parse_assignments(settings or []))
    config = complete_config(merged(_preset(preset_name, device), given))
    _start(config, run, dry_run)


def resume(
    run: Annotated[Path, typer.Argument(metavar="DIR", help="The directory of the run.")],
    minutes: Annotated[
        float | None, typer.Option(help="Train until this much time in all.")
    ] = None,
    matches: Annotated[int | None, typer.Option(help="Train until so many matches in all.")] = None,
) -> None:
    """Go on with a run from its last checkpoint."""
    from athenan.learning import complete_config, merged
    from athenan.runs.run import Run, config_text

    opened = Run.open(run)
    stop: dict[str, Any] = {}
    if minutes is not None:
        stop["minutes"] = minutes
    if matches is not None:
        stop["matches"] = matches
    if stop:
        changed = merged(opened.config().model_dump(), {"stop": stop})
        opened.config_file.write_text(config_text(complete_config(changed)), encoding="utf-8")
    _train(run, resumed=True)


DETERMINISTIC: Overrides = {
    "hardware": {"deterministic": True},
    "checkpoints": {"every_minutes": 0, "every_matches": 100},
}


def _stop(minutes: float, hours: float, matches: int) -> dict[str, Any]:
    stop: dict[str, Any] = {}
    if minutes and hours:
        raise Error("give --minutes or --hours, not both")
    if minutes or hours:
        stop["minutes"] = minutes or 60 * hours
        stop.setdefault("matches", 0)
    if matches:
        stop["matches"] = matches
        stop.setdefault("minutes", 0)
    return stop


def _preset(name: str, device: str) -> Overrides:
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
    from athenan.learning.estimate import estimate, matches_at_a_time, refuse_if_too_large
    from athenan.learning.training import torch_device
    from athenan.networks import weight_count
    from athenan.runs.run import Run, config_text, free_name

    game = make_game(config.game)
    device = torch_device(config.hardware.device)
    slots = config.selfplay.matches or matches_at_a_time(game, device.type)
    config = config.model_copy(
        update={"selfplay": config.selfplay.model_copy(update={"matches": slots})}
    )
    count = weight_count(config.network, game)
    needed = estimate(config, slots, count)
    path = folder or free_name(Path("runs"), config.game)
    if dry_run:
        typer.echo(config_text(config))
    typer.echo(
        f"{game.id}: a network of {count:,} weights on {device}, {slots} matches at a time, "
        f"about {needed.memory / 1e9:.2f} GB of memory, {needed.checkpoint / 1e6:.0f} MB "
        "per checkpoint"
    )
    refuse_if_too_large(needed, _existing(path), config.checkpoints.keep)
    if not dry_run:
        Run.create(path, config)
        _train(path, resumed=False)


def _existing(path: Path) -> Path:
    path = path.absolute()
    while not path.exists():
        path = path.parent
    return path


def _train(path: Path, resumed: bool) -> None:
    from athenan.cli.training_display import make_display
    from athenan.runs.run import Run
    from athenan.runs.session import Session

    with make_display() as display:
        session = Session(Run.open(path), [display])
        try:
            if resumed:
                session.resume()
            session.train()
        finally:
            session.close()
    counters = session.training.counters
    typer.echo(
        f"{counters.matches:,} matches learned; {counters.learned:,} states learned of "
        f"{counters.generated:,} generated; {counters.evaluations:,} states evaluated"
    )
    if session.interrupted:
        typer.echo(f"go on with: athenan resume {path}")
        raise typer.Exit(INTERRUPTED)
    typer.echo(f"play it with: athenan play --model {path}")
