"""What self-play on a cluster costs, and how many GPUs of it one learner carries.

    python benchmarks/cluster.py cost --repetitions 3
    python benchmarks/cluster.py flat --matches 10000
    python benchmarks/cluster.py messages
    python benchmarks/cluster.py scale
    python benchmarks/cluster.py gpu --preset fast-hex11 --set learning.pretraining=0

`cost` lets the same cores play the same matches in one process and in workers, by turns, and
prints the ratio of the states per second, of the clock and of processor time; what Ray's own
processes take is printed beside it. `flat` trains tic-tac-toe and
prints what might grow: memory of the processes, the object store, bytes of a match, processor time.
`messages` measures the bytes of a match, and what the learner's process spends on taking it.
`scale` simulates workers and one learner with these service times, compares the simulation of 1, 2
and 4 workers with a real run, and prints what 8, 64 and 1,000 GPUs need. Its part `wait` compares
it with workers and a learner that sleep (`asleep.py`). `gpu` trains in one
process, and with workers beside one learner on the same GPU, by turns (`beside.py`).
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import beside
import numpy as np
from asleep import simulated, wait
from athenan import make_game
from athenan._core import Mind, Pool
from athenan.cluster import Cluster, ClusterSource, connected
from athenan.cluster.messages import packed, unpacked
from athenan.learning import complete_config, merged, preset
from athenan.learning.concurrency import Plan
from athenan.learning.events import MatchLearned
from athenan.learning.learner import prepare_thread
from athenan.learning.settings import Config
from athenan.learning.training import Training
from athenan.networks import build_network
from athenan.selfplay.source import Source


@dataclass(frozen=True)
class Card:
    """What one H200 does with a game: docs/performance.md."""

    states: float
    """Evaluated a second by self-play alone."""
    learned: float
    """Pairs a second that it learns at most."""
    states_of_match: float
    learned_of_match: float


# States and pairs of a match: the rates beside learning, by the matches a second.
HEX = Card(1.94e6, 616e3, 1.37e6 / (14_800 / 3600), 184e3 / (14_800 / 3600))
OTHELLO = Card(3.74e6, 711e3, 0.299e6 / (57_500 / 3600), 639e3 / (57_500 / 3600))
CARDS = {"hex:size=11": HEX, "othello": OTHELLO}
PAIRS_LEARNED = 6  # of each pair of a game without a measurement: three times, and its image too
GIGABIT = 1e9 / 8


def config_of(game: str, matches: int, workers: int) -> Config:
    threads = max(1, len(os.sched_getaffinity(0)) // max(1, workers))
    changes = {
        "game": game,
        "selfplay": {"matches": matches, "search": "descent:expansions=25"},
        "hardware": {"device": "cpu", "threads": threads, "backend": "onnxruntime"},
    }
    return complete_config(merged(preset("small"), changes))


def played(source: Source, concurrency: int, matches: int) -> tuple[int, int]:
    """Play so many matches; return the states evaluated, and the pairs to learn."""
    before, ended, pairs = source.work.evaluations, 0, 0
    for index in range(min(concurrency, matches)):
        source.add(index, index, 0.0)
    following = concurrency
    while ended < matches:
        for record in source.step():
            ended += 1
            pairs += len(record.targets[1])
            if following < matches:
                source.add(following, following, 0.0)
            following += 1
    return source.work.evaluations - before, pairs


def processor_seconds(pids: list[int]) -> float:
    """Of these processes so far, all threads together."""
    ticks = os.sysconf("SC_CLK_TCK")
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/stat") as file:
            words = file.read().rpartition(")")[2].split()
        total += int(words[11]) + int(words[12])
    return total / ticks


def processes_below(root: int) -> list[int]:
    """A process, and all that it has started, directly or not."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            number, _, rest = path.read_text().partition(" ")
            parents[int(number)] = int(rest.rpartition(")")[2].split()[1])
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def resident(pids: list[int]) -> int:
    """Bytes of memory of some processes: what is shared counts for each."""
    pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
    return pages * os.sysconf("SC_PAGE_SIZE")


def in_store() -> tuple[int, int]:
    """Bytes and objects in the object stores of all machines."""
    import ray  # not before athenan does: it tells Ray of the token of this machine, if any
    from ray._private import internal_api

    address: Any = ray.get_runtime_context().gcs_address
    state: Any = internal_api.get_state_from_address(address)  # type: ignore[no-untyped-call]
    stats = internal_api.get_memory_info_reply(state).store_stats  # type: ignore[no-untyped-call]
    return stats.object_store_bytes_used, stats.num_local_objects


def cost(game: str, workers: int, matches: int, repetitions: int) -> None:
    """One process and several workers on the same cores, by turns."""
    prepare_thread()
    concurrency = 8 * workers
    alone, beyond = config_of(game, concurrency, 1), config_of(game, concurrency, workers)
    plan = Plan.of(alone)
    network = build_network(alone.network, plan.game, 1)
    evaluator = plan.evaluator(network, alone.hardware)
    ratios, by_clock = [], []
    with connected(processes=workers) as cluster:
        source = make_source(cluster, beyond, workers)
        source.take_weights(network)
        pids = [os.getpid(), *(worker.ready.pid for worker in source.crew.ready if worker.ready)]
        ours = set(pids)
        rays = [pid for pid in processes_below(os.getpid()) if pid not in ours]
        for turn in range(repetitions):
            rates, clocks = [], []
            for where in ("one process", f"{workers} workers"):
                start, clock = processor_seconds(pids), time.perf_counter()
                own = processor_seconds(rays)
                if where == "one process":
                    with ThreadPoolExecutor(plan.threads, "lanes", prepare_thread) as lanes:
                        local = plan.source(alone, evaluator, concurrency, lanes)
                        states, _ = played(local, concurrency, matches)
                        local.close()
                else:
                    states, _ = played(source, concurrency, matches)
                spent = processor_seconds(pids) - start
                wall = time.perf_counter() - clock
                own = processor_seconds(rays) - own
                rates.append(states / spent)
                clocks.append(states / wall)
                print(
                    f"turn {turn + 1}, {where}: {states:,} states, {spent:.1f} CPU s, "
                    f"{wall:.1f} s, {states / spent:,.0f} states per CPU second; "
                    f"Ray's own processes {own:.1f} CPU s",
                    flush=True,
                )
            ratios.append(rates[1] / rates[0])
            by_clock.append(clocks[1] / clocks[0])
        source.close()
    for what, found in (("processor time", ratios), ("the clock", by_clock)):
        each = ", ".join(f"{ratio:.3f}" for ratio in found)
        print(f"workers ÷ one process by {what}: median {median(found):.3f} of {each}")


def flat(matches: int, workers: int) -> None:
    """Train for many quick matches; print a line for each tenth of them."""
    changes = {
        "game": "tic_tac_toe",
        "network": {"filters": 8, "blocks": 1, "margin": "same", "dense": [8]},
        "selfplay": {"search": "descent:expansions=5", "matches": 8 * workers},
        "learning": {"batch_size": 128, "replay": {"size": 20}},
        "stop": {"matches": matches},
        "hardware": {"device": "cpu", "threads": 1, "backend": "torch"},
    }
    config = complete_config(merged(preset("small"), changes))
    with connected(processes=workers) as cluster:
        plan = Plan.of(config)
        source = ClusterSource(cluster, config, plan, workers)
        training = Training(config, plan=plan, source=source)
        print(
            "| matches | learner, MB | workers, MB | store, MB | objects | bytes a match | ", end=""
        )
        print("learner, CPU ms a match | workers, CPU ms a match |")
        print("|---|---|---|---|---|---|---|---|")
        before, received, at = (0.0, 0.0), 0, 0
        try:
            for event in training.events():
                learned = event.at.matches
                if not isinstance(event, MatchLearned) or learned % max(1, matches // 10):
                    continue
                pids = [each.ready.pid for each in source.crew.ready if each.ready]
                spent = processor_seconds([os.getpid()]), processor_seconds(pids)
                stored, objects = in_store()
                each = [
                    1e3 * (now - then) / (learned - at)
                    for now, then in zip(spent, before, strict=True)
                ]
                size = (source.bytes_received - received) / (learned - at)
                print(
                    f"| {learned:,} | {resident([os.getpid()]) / 1e6:.0f} | "
                    f"{resident(pids) / 1e6:.0f} | {stored / 1e6:.2f} | {objects} | {size:,.0f} | "
                    f"{each[0]:.1f} | {each[1]:.1f} |",
                    flush=True,
                )
                before, received, at = spent, source.bytes_received, learned
        finally:
            training.close()
    print(f"{source.duplicates} duplicates, {source.crew.losses} workers lost")


def make_source(cluster: Cluster, config: Config, workers: int) -> ClusterSource:
    from athenan import Stop

    source = ClusterSource(cluster, config, Plan.of(config), workers)
    source.prepare(Stop())
    while not source.crew.is_complete:
        source.step()
    return source


@dataclass(frozen=True)
class Service:
    """What one match of a game is, as measured."""

    game: str
    states: float
    """Evaluated."""
    pairs: float
    """To learn, before symmetric copies."""
    size: float
    """Bytes on the way."""
    taking: float
    """Seconds of the learner's process for a record: decompressing and reading it."""


def measured(game: str, expansions: int, matches: int) -> Service:
    """Play some matches with values of a random linear function of the planes."""
    made = make_game(game)
    pool = Pool(made, [Mind(f"descent:expansions={expansions}", "ordinal")], "tree", matches)
    for index in range(matches):
        pool.add(index, index)
    weights: np.ndarray | None = None
    while waiting := pool.collect():
        planes = pool.batch(0).reshape(waiting, -1).astype(np.float32)
        if weights is None:
            weights = np.random.default_rng(1).standard_normal(planes.shape[1]).astype(np.float32)
        pool.resume(0, np.tanh(planes @ weights / 10).astype(np.float32))
    records = pool.take_finished()
    data = [packed(record) for record in records]
    started = time.process_time()
    for each in data:
        unpacked(made, each)
    taking = (time.process_time() - started) / len(data)
    return Service(
        game,
        states=float(np.mean([sum(s.evaluations for s in r.spent) for r in records])),
        pairs=float(np.mean([len(r.targets[1]) for r in records])),
        size=float(np.mean([len(each) for each in data])),
        taking=taking,
    )


SERVICES = (("hex:size=11", 50, 8), ("othello", 50, 8), ("arimaa", 5, 1))


def messages() -> Iterator[Service]:
    """Print the bytes of a match of each game."""
    for game, expansions, matches in SERVICES:
        service = measured(game, expansions, matches)
        print(
            f"{game} with {expansions} expansions a move: {service.states:,.0f} states and "
            f"{service.pairs:,.0f} pairs a match, {service.size:,.0f} bytes, "
            f"{service.size / service.pairs:.1f} a pair, taken in {1e3 * service.taking:.2f} ms",
            flush=True,
        )
        yield service


def scale(game: str, matches: int) -> None:
    """Compare the simulation with real runs, then say what larger clusters need."""
    prepare_thread()
    wait()
    print("model with the service times of one worker, against real runs; all in CPU seconds:")
    cores, playing, taking = len(os.sched_getaffinity(0)), 0.0, 0.0
    for workers in (1, 2, 4):
        config = config_of(game, 8 * workers, workers)
        config = config.model_copy(
            update={"hardware": config.hardware.model_copy(update={"threads": 1})}
        )
        with connected(processes=workers) as cluster:
            source = make_source(cluster, config, workers)
            source.take_weights(build_network(config.network, make_game(game), 1))
            played(source, 8 * workers, 8 * workers)  # warms up
            pids = [worker.ready.pid for worker in source.crew.ready if worker.ready]
            before, own = processor_seconds(pids), processor_seconds([os.getpid()])
            played(source, 8 * workers, matches)
            spent = (processor_seconds(pids) - before) / matches
            own = (processor_seconds([os.getpid()]) - own) / matches
            source.close()
        playing, taking = playing or spent, taking or own
        # The machine has other work, so that clocks say nothing: a worker is worth a core.
        real, model = workers / spent, simulated(workers, playing, taking, 8, 500 * workers)
        print(
            f"  {workers} workers on {cores} cores: {real:.2f} matches/s, model {model:.2f} "
            f"({model / real:.2f}); learner's process {1e3 * own:.1f} ms a match",
            flush=True,
        )
    for service in messages():
        answer(service)


def answer(service: Service) -> None:
    """Print what 8, 64 and 1,000 GPUs need."""
    card = CARDS.get(service.game)
    if card is None:  # no measurement: the rates of the network of Hex 11
        learned = PAIRS_LEARNED * service.pairs
        card = Card(HEX.states, HEX.learned, service.states, learned)
    playing = card.states_of_match / card.states
    learning = max(card.learned_of_match / card.learned, service.taking)
    size = service.size * card.states_of_match / service.states
    print(f"  one learner carries {playing / learning:.2f} GPUs of self-play")
    for gpus in (1, 2, 4, 8, 64, 1000):
        found = simulated(gpus, playing, learning, 8, 20 * gpus + 4000)
        offered = gpus / playing
        gigabits = offered * size / GIGABIT
        print(
            f"  {gpus:,} GPUs: {offered:,.1f} matches/s offered, one learner takes {found:,.1f} "
            f"({found / offered:.1%}); records of all {gigabits:.3f} Gbit/s, "
            f"{offered * service.taking:.2f} cores to unpack them; "
            f"{offered * learning:,.1f} learners' time",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    kinds = ["cost", "flat", "messages", "scale", "wait", "gpu"]
    parser.add_argument("what", choices=kinds)
    parser.add_argument("--game", default="hex:size=5")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--preset", default="fast-hex11", help="of gpu, as all that follow")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--set", action="append", default=[], dest="settings")
    parser.add_argument("--warm-up", type=float, default=10, help="seconds")
    parser.add_argument("--seconds", type=float, default=12, help="of a turn")
    parser.add_argument("--limit", type=float, default=0, help="seconds for all; 0: none")
    parser.add_argument("--lines", type=Path, help="what is measured as JSON, line by line")
    parser.add_argument("--factor", type=int, default=1, help="matches at a time, of workers ÷ one")
    given = parser.parse_args()
    if given.what == "gpu":
        beside.main(given)
    elif given.what == "cost":
        cost(given.game, given.workers, given.matches, given.repetitions)
    elif given.what == "flat":
        flat(given.matches, given.workers)
    elif given.what == "messages":
        list(messages())
    elif given.what == "wait":
        wait()
    else:
        scale(given.game, given.matches)


if __name__ == "__main__":
    main()
