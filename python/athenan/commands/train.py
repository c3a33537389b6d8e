"""`athenan train` and `athenan resume`: learn a game, and go on with a stopped training."""

from __future__ import annotations

import gc
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from athenan import Error, Game
from athenan.commands.arguments import (
    ClusterOption,
    GameOption,
    NetworkOption,
    given_game,
    name_networks,
)
from athenan.commands.settings import given_settings, layers_for
from athenan.games.words import counted
from athenan.programs import file_of
from athenan.signals import INTERRUPTED
from athenan.zoo import model_file

if TYPE_CHECKING:
    from athenan.cluster import ClusterSource
    from athenan.learning.concurrency import Plan
    from athenan.learning.settings import Config, Overrides
    from athenan.runs import Run

KEPT = ("game", "game_sha256", "seed", "network", "origin", "keep_optimiser")
"""Settings that a run keeps from its start to its end."""
PlayersOption = Annotated[
    int,
    typer.Option(
        "--workers",
        min=0,
        max=10_000,
        metavar="N",
        help="Number of self-play processes, on this machine or on the cluster.",
    ),
]
SHAPING = ("weights", "round_widths_to", "fit_to_board")  # what makes a network of another size
DETERMINISTIC: Overrides = {
    "hardware": {"deterministic": True},
    "checkpoints": {"every_minutes": 0, "every_matches": 100},
}


def train(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="The game, as in hex:size=5, or a Python file. Some presets name a game.",
        ),
    ] = None,
    preset_name: Annotated[
        str,
        typer.Option(
            "--preset",
            metavar="NAME",
            help="Settings to start from: small, large, paper-hex11, fast-hex11, ... or a .toml "
            "file; auto is small on a CPU and large on a GPU.",
        ),
    ] = "auto",
    method_name: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="NAME",
            help="How matches are played and learned: athenan, alphazero, gumbel, exit, two-heads "
            "or a .toml file. It takes precedence over the preset.",
        ),
    ] = "athenan",
    minutes: Annotated[
        float, typer.Option(help="Stop after this many minutes.", show_default=False)
    ] = 0,
    hours: Annotated[
        float, typer.Option(help="Stop after this many hours.", show_default=False)
    ] = 0,
    matches: Annotated[
        int, typer.Option(help="Stop after this many matches.", show_default=False)
    ] = 0,
    weights: Annotated[
        float,
        typer.Option(help="The size of the network in weights, as in 1e6.", show_default=False),
    ] = 0,
    network: Annotated[
        str | None,
        typer.Option(
            metavar="FILE.py:CLASS",
            help="Your own torch module, as in net.py:Net:width=64. With --from, only its file.",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The seed of all randomness.")] = None,
    device: Annotated[
        str | None, typer.Option(help="Where networks run: auto, cpu or cuda.")
    ] = None,
    deterministic: Annotated[
        bool,
        typer.Option(
            "--deterministic", help="Make the weights repeatable, bit for bit, by the seed."
        ),
    ] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Change a setting, as in learning.batch_size=128; may be repeated.",
        ),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="MODEL|RUN",
            help="Begin with the network of a model (its name or file) or of a run.",
        ),
    ] = None,
    keep_optimiser: Annotated[
        bool,
        typer.Option("--keep-optimiser", help="With --from RUN: also take its moments of Adam."),
    ] = False,
    run: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The directory of the run; it must not exist yet."),
    ] = None,
    workers: PlayersOption = 0,
    cluster: ClusterOption = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only print the settings, in the form of a settings file."),
    ] = False,
) -> None:
    """Learn a game from its rules alone."""
    from athenan.learning import complete_config, merged, method
    from athenan.networks import own_architecture

    if minutes and hours:
        raise Error("give --minutes or --hours, not both")
    limits = {"minutes": minutes or 60 * hours, "matches": matches}
    stop = limits if any(limits.values()) else {}
    more = DETERMINISTIC if deterministic else {}
    given = given_settings(
        settings, device, stop, more, game=game, seed=seed, weights=weights or None
    )
    base, file = layers_for(preset_name, given)
    if (over := method(method_name)) or origin is not None:
        base, file = merged(merged(base, file), over), {}
    if keep_optimiser and origin is None:
        raise Error("--keep-optimiser needs a run to begin with: --from RUN")
    if origin is not None:
        name_networks([network] if network else None)
        base = merged(base, _origin(origin, base, given) | {"keep_optimiser": keep_optimiser})
        if network is not None and not base["network"]["code"]:
            raise Error(f"--network has no effect: {origin} has no network of your own")
    elif network is not None:
        given = merged({"network": own_architecture(network).model_dump()}, given)
    config = complete_config(given, base, file)
    if origin is not None:
        _refuse_unless_grown(config)
    _start(config, given.get("game"), run, dry_run, Elsewhere(workers, cluster))


def resume(
    run: Annotated[Path, typer.Argument(metavar="DIR", help="The directory of the run.")],
    minutes: Annotated[
        float | None, typer.Option(help="Train until the run has taken this many minutes in all.")
    ] = None,
    hours: Annotated[
        float | None, typer.Option(help="Train until the run has taken this many hours in all.")
    ] = None,
    matches: Annotated[
        int | None, typer.Option(help="Train until the run has learned this many matches in all.")
    ] = None,
    device: Annotated[
        str | None, typer.Option(help="Where networks run from now on: auto, cpu or cuda.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Change a setting from now on, as in athenan train."
        ),
    ] = None,
    game: GameOption = None,
    network: NetworkOption = None,
    workers: PlayersOption = 0,
    cluster: ClusterOption = None,
) -> None:
    """Go on with a run from its last checkpoint.

    A new limit (--minutes, --hours, --matches) replaces all limits that the run had.
    """
    from athenan.learning.concurrency import Footprint, Plan, refuse_if_too_large
    from athenan.runs import Run

    name_networks(network)
    opened, made = Run.open(run), given_game(game)
    if minutes is not None and hours is not None:
        raise Error("give --minutes or --hours, not both")
    minutes = 60 * hours if hours is not None else minutes
    limits = {"minutes": minutes, "matches": matches}
    given = {name: value for name, value in limits.items() if value is not None}
    stop = dict.fromkeys(opened.config(made).stop.limits, 0) | given if given else {}
    config = _changed(opened.config(made), given_settings(settings, device, stop))
    plan, place = Plan.of(config), Elsewhere(workers, cluster)
    refuse_if_too_large(Footprint.of(config, plan), place.trees_here(plan), run, keep=0)
    _train(opened, config, made, plan, place)


@dataclass(frozen=True)
class Elsewhere:
    """Where matches are played, if not in this process."""

    workers: int
    """0: as many as the cluster has room for."""
    cluster: str | None
    """Its address; None: this machine."""

    @property
    def is_wanted(self) -> bool:
        """Whether they are played elsewhere at all."""
        return self.workers > 0 or self.cluster is not None

    def trees_here(self, plan: Plan) -> int:
        """Return how many matches this process must have memory for."""
        return 0 if self.is_wanted else plan.concurrency

    def source(self, stack: ExitStack, config: Config, plan: Plan) -> ClusterSource | None:
        """Return the source of these matches, which ends with the stack."""
        if not self.is_wanted:
            return None
        from athenan.cluster import ClusterSource, connected

        cluster = stack.enter_context(connected(self.cluster, processes=self.workers))
        return ClusterSource(cluster, config, plan, self.workers)


def _changed(config: Config, given: Overrides) -> Config:
    """Return the settings of a run with some of them changed; refuse those that a run keeps."""
    from athenan.learning import complete_config

    if not given:
        return config
    changed = complete_config(given, config.model_dump())
    for name in KEPT:
        if getattr(changed, name) != getattr(config, name):
            raise Error(f"a run cannot change its {name}: begin a new run with athenan train")
    return changed


def _origin(origin: str, base: Overrides, given: Overrides) -> Overrides:
    """Return the settings that a run takes from the model with whose network it begins.

    The game may have another board, as long as its planes mean the same.
    """
    from athenan._core import SearchSpec, make_builtin_game
    from athenan.games import game_of_record
    from athenan.networks import load_model
    from athenan.runs import Run

    path = Path(origin)
    file = (Run.open(path).model if path.is_dir() else model_file(origin)).absolute()
    model = load_model(file)
    game = given.get("game") or (make_builtin_game(str(base["game"])) if "game" in base else None)
    if game is None or model.game_sha256 or not _is_another_board(game, model.game):
        what = f"the model {origin}"
        game = game_of_record(game, model.game, model.game_sha256, what, "athenan train")
    for name in SHAPING:
        if name in given:
            raise Error(
                f"the network grows from that of --from: {name} cannot be given, but "
                "network.filters, network.blocks, network.pooling and network.dense can"
            )
    return {
        "game": game,
        "network": model.network.architecture.model_dump(),
        **dict.fromkeys(SHAPING, 0),
        "selfplay": {"terminal": SearchSpec(model.search).options["terminal"]},
        "origin": str(file),
    }


def _is_another_board(game: Game, identity: str) -> bool:
    """Whether a game is the one of a model, on a board of any size."""
    from athenan._core import make_builtin_game

    learned = make_builtin_game(identity)
    return game.name == learned.name and game.datasheet.planes == learned.datasheet.planes


def _refuse_unless_grown(config: Config) -> None:
    """Refuse a network that the one of the model cannot grow into, before a run is made."""
    from athenan.networks import load_model
    from athenan.networks.transfer import refuse_unless_grown

    refuse_unless_grown(load_model(config.origin).network.architecture, config.network)


def _start(
    config: Config, game: Game | None, folder: Path | None, dry_run: bool, place: Elsewhere
) -> None:
    """Decide what is left open, see that it fits, and begin."""
    from athenan.learning.concurrency import Footprint, Plan, refuse_if_too_large
    from athenan.networks import weight_count
    from athenan.runs.run import Run, config_text, free_name

    run = Run(folder or free_name(Path("runs"), config.game))
    if not dry_run:
        run.refuse_if_taken()
    plan = Plan.of(config)
    if config.hardware.deterministic:
        config = plan.fixed_in(config)
    needed, here = Footprint.of(config, plan), place.trees_here(plan)
    at_a_time = f"{'about ' if plan.is_open else ''}{counted(plan.concurrency, 'match')} at a time"
    summary = (
        f"{config.game}: a network of {weight_count(config.network, plan.game):,} weights on "
        f"{plan.device}, {'matches played by workers' if place.is_wanted else at_a_time}, "
        f"about {needed.memory(here) / 1e9:.2f} GB of memory, "
        f"{needed.checkpoint / 1e6:.0f} MB per checkpoint"
    )
    path = run.path.absolute()
    folder = next(each for each in (path, *path.parents) if each.exists())
    refuse_if_too_large(needed, here, folder, config.checkpoints.keep)
    if dry_run:
        typer.echo(f"# {summary}\n{config_text(config)}", nl=False)
        return
    _train(run, config, game, plan, place, summary)


def _train(
    run: Run,
    config: Config,
    game: Game | None,
    plan: Plan,
    place: Elsewhere,
    summary: str = "",
) -> None:
    """Train a run: a new one, which a summary introduces, or one that exists."""
    from athenan.runs.session import Session
    from athenan.terminal.training_display import make_display

    file = game.id if game is not None and config.game_sha256 else ""
    network = _network_hint(config)
    with ExitStack() as stack:
        display = stack.enter_context(make_display())
        if summary:
            display.say(summary)
        source = place.source(stack, config, plan)
        if source is not None and source.dashboard:
            display.say(f"Ray's dashboard: {source.dashboard}")
        if source is not None and source.shortage:
            display.say(source.shortage)
        play = source.play_series if source is not None else None
        session = Session(run, config, [display], plan, source, play)
        try:
            if summary:
                session.begin()
            else:
                session.resume()
            if session.finished:
                display.say(_finished(run, config, file) + network)
            session.train()
        except KeyboardInterrupt:
            session.interrupt()
        finally:
            session.close()
    counters = session.training.counters
    display.say(
        f"{counted(counters.matches, 'match')} learned; "
        f"{counted(counters.learned, 'state')} learned of "
        f"{counters.generated:,} generated; {counted(counters.evaluations, 'state')} evaluated"
    )
    if session.interrupted:
        display.say(
            f"go on with: athenan resume {run.path}{f' --game {file}' if file else ''}{network}"
        )
        gc.freeze()  # or the interpreter looks through all of torch before it ends, for a second
        raise typer.Exit(INTERRUPTED)
    display.say(
        f"play it with: athenan play {f'{file} ' if file else ''}--model {run.path}{network}"
    )


def _network_hint(config: Config) -> str:
    """Return the option that names the file of the user's own network, if the run has one."""
    file = file_of(config.network.code_sha256) if config.network.code else ""
    return f" --network {file}" if file else ""


def _finished(run: Run, config: Config, file: str) -> str:
    stop = config.stop
    limits = [f"{limit:,g} {name}" for name, limit in stop.limits.items()]
    return (
        f"{run.path} has reached its limit of {' or '.join(limits)}; train it further with: "
        f"athenan resume {run.path} {'--matches' if stop.matches else '--minutes'} NUMBER"
        f"{f' --game {file}' if file else ''}"
    )
