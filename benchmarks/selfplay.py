"""How busy self-play and learning keep the hardware: one command, one table, one picture.

The yardstick is the bare network on the same device in the same run (`bare.py`):

    U = self-play states/s ÷ bare inference + learned samples/s ÷ bare training

Machines are not always as fast, so training and its yardsticks take turns.

    python benchmarks/selfplay.py --preset fast-hex11 --device cuda --seconds 40
    python benchmarks/selfplay.py --game hex:size=7 --game othello --device cpu

The picture also shows how the cost of a child grows with the board and the tree (`growth.py`).
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import math
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from itertools import count, islice, pairwise
from pathlib import Path
from statistics import mean

import torch
from athenan.learning import complete_config, merged, parse_assignments, preset
from athenan.learning.concurrency import best, trials
from athenan.learning.events import Event, MatchLearned
from athenan.learning.settings import Config
from athenan.learning.training import Training
from athenan.machine import available_cores
from athenan.selfplay.source import Source
from athenan.selfplay.work import Work
from bare import fastest, inference_meters, training_meter
from rich.console import Console
from rich.table import Table
from watched import InTheMiddle, counting_duplicates

TURN = {"cpu": 5.0, "cuda": 25.0}  # seconds of training between two looks at the yardsticks, at
# most; a GPU keeps its pace, and getting matches and learning under way again takes it a while
LOOK = 2.0  # seconds for each of the two yardsticks


@dataclass(frozen=True)
class Rates:
    """What was measured for one configuration. Rates are per second, shares are parts of 1."""

    game: str
    device: str
    matches: int
    batch: float
    batch_sizes: dict[int, int]
    """Batches of each size, by its length in bits."""
    backend: str
    bare_backend: str
    bare_inference: float
    bare_training: float
    alone: float
    states: float
    expansions: float
    learned: float
    matches_per_hour: float
    rules: float
    """Of the time of the driving thread; on a CPU, of all threads. So is `network`."""
    network: float
    learning: float
    """Of the time of the learning thread; on a CPU, of all threads."""
    hits: float
    """Of the states asked for: already in the tree."""
    duplicates: float
    """Of the states of a batch: equal to another one of the batch."""
    gpu: float
    turns: list[float]
    """U of each turn, by the yardsticks just before and after it."""

    @property
    def useful(self) -> float:
        """U."""
        return self.states / self.bare_inference + self.learned / self.bare_training


@dataclass(frozen=True)
class Alone:
    """Self-play without learning."""

    states: float
    batch: float
    duplicates: float
    """While it warms up."""


def begun(config: Config) -> Training:
    """A training whose matches begin in the middle, all of them at once."""
    training = Training(config)
    inner, concurrency = training.local_source(), training.concurrency
    training.source = InTheMiddle(inner, training.game, concurrency)
    return training


def selfplay_alone(config: Config, warm_up: float, seconds: float) -> Alone:
    training = begun(config)
    source, evaluator = training.source, training.evaluator
    assert source is not None
    assert evaluator is not None
    evaluator.warm_up()
    numbers = count()
    for index in islice(numbers, training.concurrency):
        source.add(index, index, 0.0)
    with counting_duplicates(evaluator) as counted:
        play_on(source, numbers, warm_up)
        source.rest()
    before, start = source.work, time.perf_counter()
    play_on(source, numbers, seconds)
    work, elapsed = source.work - before, time.perf_counter() - start
    training.close()
    return Alone(work.evaluations / elapsed, work.evaluations / work.batches, counted.share)


def play_on(source: Source, numbers: Iterator[int], seconds: float) -> None:
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        for index in islice(numbers, len(source.step())):
            source.add(index, index, 0.0)


@contextmanager
def gpu_load(device: str) -> Iterator[Callable[[], float]]:
    """Watch the utilisation of the GPU; the mean can be asked for."""
    command = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits"]
    seen: list[float] = []
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.5):
            answer = subprocess.run(command, capture_output=True, text=True, check=True)
            seen.append(float(answer.stdout.split()[0]))

    watcher = threading.Thread(target=watch)
    if device == "cuda":
        watcher.start()
    try:
        yield lambda: sum(seen) / len(seen) / 100 if seen else float("nan")
    finally:
        over.set()
        if watcher.ident:
            watcher.join()


@dataclass(frozen=True)
class Progress:
    """How far a training has come, or what it did in some time."""

    work: Work = field(default_factory=Work)
    matches: int = 0
    learned: int = 0
    learning_seconds: float = 0.0
    elapsed: float = 0.0

    @classmethod
    def of(cls, training: Training, learning_seconds: float = 0.0) -> Progress:
        counters, work = training.counters, training.standing.work
        return cls(work, counters.matches, counters.learned, learning_seconds, time.perf_counter())

    def __add__(self, other: Progress) -> Progress:
        return Progress(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def __sub__(self, other: Progress) -> Progress:
        return Progress(*(getattr(self, f.name) - getattr(other, f.name) for f in fields(self)))


def turn(training: Training, events: Iterator[Event], seconds: float) -> Progress:
    """Let a training go on for some seconds, then bring it to rest; that is not counted."""
    before, learning = Progress.of(training), 0.0
    for event in events:
        learning += event.learning_seconds if isinstance(event, MatchLearned) else 0.0
        if time.perf_counter() - before.elapsed > seconds:
            break
    done = Progress.of(training, learning) - before
    training.rest()
    return done


def with_concurrency(config: Config) -> Config:
    """Choose the number of matches at a time by measurement, where it is left open."""
    if config.selfplay.matches:
        return config
    training = Training(config)
    assert training.evaluator is not None
    training.evaluator.warm_up()
    chosen = best(list(trials(config, training.plan, training.evaluator))).concurrency
    training.close()
    selfplay = config.selfplay.model_copy(update={"matches": chosen})
    return config.model_copy(update={"selfplay": selfplay})


def measure(config: Config, device: str, warm_up: float, seconds: float) -> Rates:
    threads = config.hardware.threads or available_cores()
    config = with_concurrency(config)
    alone = selfplay_alone(config, warm_up, seconds)
    meters = inference_meters(config, device, round(alone.batch), threads)
    bare = fastest(meters)
    inference = meters[bare]
    learning = training_meter(config, device, threads, bare.precision)
    training = begun(config)
    assert training.evaluator is not None
    events = training.events()
    turn(training, events, warm_up)
    looks, turns, busy = [(inference(LOOK), learning(LOOK))], [], []
    wanted = math.ceil(seconds / TURN[device])
    for _ in range(wanted):
        with gpu_load(device) as load:
            turns.append(turn(training, events, seconds / wanted))
            busy.append(load())
        looks.append((inference(LOOK), learning(LOOK)))
    backend = training.evaluator.backend
    training.close()
    done = sum(turns, Progress())
    work, elapsed = done.work, done.elapsed
    workers = threads if device == "cpu" else 1
    return Rates(
        game=config.game,
        device=device,
        matches=config.selfplay.matches,
        batch=work.evaluations / work.batches,
        batch_sizes=dict(Counter(work.batch_sizes)),
        backend=backend,
        bare_backend=" ".join(bare),
        bare_inference=mean(look[0] for look in looks),
        bare_training=mean(look[1] for look in looks),
        alone=alone.states,
        states=work.evaluations / elapsed,
        expansions=work.expansions / elapsed,
        learned=done.learned / elapsed,
        matches_per_hour=3600 * done.matches / elapsed,
        rules=work.rules_seconds / elapsed / workers,
        network=work.network_seconds / elapsed / workers,
        learning=done.learning_seconds / elapsed / workers,
        hits=work.transpositions / (work.transpositions + work.evaluations),
        duplicates=alone.duplicates,
        gpu=mean(busy),
        turns=[useful(each, *both) for each, both in zip(turns, pairwise(looks), strict=True)],
    )


def useful(done: Progress, before: tuple[float, float], after: tuple[float, float]) -> float:
    """U of one turn."""
    inference, learning = (mean(both) for both in zip(before, after, strict=True))
    return done.work.evaluations / done.elapsed / inference + done.learned / done.elapsed / learning


LINES: dict[str, Callable[[Rates], str]] = {
    "matches at a time": lambda r: f"{r.matches:,}",
    "mean batch": lambda r: f"{r.batch:,.0f}",
    "backend, and the fastest one bare": lambda r: f"{r.backend}, {r.bare_backend}",
    "bare inference, states/s": lambda r: f"{r.bare_inference:,.0f}",
    "self-play alone, states/s": lambda r: f"{r.alone:,.0f}",
    "self-play beside learning, states/s": lambda r: f"{r.states:,.0f}",
    "the same, expansions/s": lambda r: f"{r.expansions:,.0f}",
    "bare training, samples/s": lambda r: f"{r.bare_training:,.0f}",
    "learned, samples/s": lambda r: f"{r.learned:,.0f}",
    "matches an hour": lambda r: f"{r.matches_per_hour:,.0f}",
    "time in rules and trees": lambda r: f"{r.rules:.0%}",
    "time in or waiting for the network": lambda r: f"{r.network:.0%}",
    "time in learning": lambda r: f"{r.learning:.0%}",
    "GPU utilisation": lambda r: f"{r.gpu:.0%}" if r.device == "cuda" else "",
    "states already in the tree": lambda r: f"{r.hits:.1%}",
    "duplicates in a batch": lambda r: f"{r.duplicates:.2%}",
    "alone ÷ bare": lambda r: f"{r.alone / r.bare_inference:.2f}",
    "U": lambda r: f"{r.useful:.2f}",
    "U of each turn": lambda r: ", ".join(f"{u:.2f}" for u in r.turns),
}


def show(rows: list[Rates]) -> None:
    table = Table("", *(f"{row.game}, {row.device}" for row in rows))
    for name, text in LINES.items():
        table.add_row(name, *map(text, rows))
    for bits in sorted(set().union(*(row.batch_sizes for row in rows))):
        shares = (row.batch_sizes.get(bits, 0) / sum(row.batch_sizes.values()) for row in rows)
        table.add_row(f"batches of {1 << (bits - 1):,} and more", *(f"{s:.1%}" for s in shares))
    Console().print(table)


def draw(rows: list[Rates], target: Path) -> None:
    """Rates against the bare network, batches, stages, and growth."""
    import growth
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, ((rates, sizes, stages), (board, tree, rest)) = pyplot.subplots(
        2, 3, figsize=(15, 8), layout="constrained"
    )
    names = [row.game for row in rows]
    alone = [row.alone / row.bare_inference for row in rows]
    playing = [row.states / row.bare_inference for row in rows]
    taught = [row.learned / row.bare_training for row in rows]
    places = range(len(rows))
    rates.bar([p - 0.2 for p in places], alone, 0.35, label="self-play alone")
    rates.bar([p + 0.2 for p in places], playing, 0.35, label="self-play beside learning")
    rates.bar([p + 0.2 for p in places], taught, 0.35, bottom=playing, label="learning")
    rates.axhline(1, color="black", lw=0.8)
    rates.set_xticks(list(places), names)
    rates.set(title="share of the bare network's rate")
    width = 0.8 / len(rows)
    for k, row in enumerate(rows):
        total = sum(row.batch_sizes.values())
        at = [bits + (k + 0.5) * width - 0.4 for bits in row.batch_sizes]
        sizes.bar(at, [n / total for n in row.batch_sizes.values()], width, label=row.game)
    every = sorted(set().union(*(row.batch_sizes for row in rows)))
    sizes.set_xticks(every, [f"{1 << (bits - 1):,}…" for bits in every])
    sizes.set(title="sizes of batches", xlabel="states, and more", ylabel="share of batches")
    bottom = [0.0] * len(rows)
    for stage in ("rules", "network", "learning"):
        heights = [getattr(row, stage) for row in rows]
        stages.bar(names, heights, 0.5, bottom=bottom, label=stage)
        bottom = [b + h for b, h in zip(bottom, heights, strict=True)]
    own = "learning has a thread of its own" if rows[0].device == "cuda" else ""
    stages.set(title="share of time of each stage", xlabel=own)
    growth.draw(board, tree)
    rest.bar([p - 0.2 for p in places], [r.hits for r in rows], 0.35, label="already in the tree")
    rest.bar([p + 0.2 for p in places], [r.duplicates for r in rows], 0.35, label="duplicates")
    rest.set_xticks(list(places), names)
    rest.set(title="states that need no evaluation, or one less")
    for panel in (rates, sizes, stages, rest):
        panel.margins(y=0.3)  # room for the legend above the bars
        panel.legend()
    figure.savefig(target, dpi=100)
    print(f"drawn in {target}")


def measured(given: argparse.Namespace) -> list[Rates]:
    rows = []
    for game in given.game or [None]:
        settings = merged(preset(given.preset), {"hardware": {"device": given.device}})
        settings = merged(settings, {"game": game} if game else {})
        config = complete_config(merged(settings, parse_assignments(given.settings)))
        config = config.model_copy(update={"stop": type(config.stop)()})
        rows.append(measure(config, given.device, given.warm_up, given.seconds))
    return rows


def main() -> None:
    faulthandler.enable()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="small")
    parser.add_argument("--game", action="append", help="may be given more than once")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--warm-up", type=float, default=5)
    parser.add_argument("--set", action="append", default=[], dest="settings")
    parser.add_argument("--json", type=Path, help="write what was measured")
    parser.add_argument("--picture", type=Path, default=Path("selfplay.png"))
    given = parser.parse_args()
    rows = measured(given)
    show(rows)
    if given.json:
        given.json.write_text(json.dumps([asdict(row) for row in rows]))
    draw(rows, given.picture)


if __name__ == "__main__":
    main()
