"""Many matches at a time against an engine: how much of the speed of self-play is left.

python benchmarks/guests.py [--matches N] [--at-once N] [--expansions N] [--size N] [--turns N]

Our side plays Hex against an engine that answers at once, with a process for each match: in one
pool, as `athenan match` does, and with a thread for each match, as it does where a referee looks
on. Rates are states evaluated a second, with a fake evaluator, which costs nothing, and with a
network. The three take turns with the same pool playing itself; printed is the middle of each rate
and its part of that of self-play, by the clock and by the processor time of our process: on a busy
machine only the latter means anything.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import athenan
from athenan._core import Mind, Pool
from athenan.arena import Adjudication, Conditions, play_matches
from athenan.arena.engines import EngineSpec
from athenan.arena.search_player import SearchPlayerSpec
from athenan.evaluators import Evaluator, constant_evaluator, network_evaluator
from athenan.machine import available_cores
from athenan.networks import Architecture, build_network

ENGINE = Path(__file__).with_name("instant_engine.py")
WATCHED = Conditions(adjudication=Adjudication(length=10_000))  # which no match has


@dataclass(frozen=True)
class Meter:
    """Measures rates from when it is made."""

    clock: float = field(default_factory=perf_counter)
    processor: float = field(default_factory=process_time)

    def rates(self, states: int) -> tuple[float, float]:
        """Return states a second, by the clock and by the processor."""
        return states / (perf_counter() - self.clock), states / (process_time() - self.processor)


@dataclass(frozen=True)
class Setting:
    """What is played, and with which values."""

    size: int
    search: athenan.SearchSpec
    make: Callable[[], Evaluator]
    at_once: int
    matches: int

    @property
    def game(self) -> athenan.Game:
        """Hex without the swap."""
        return athenan.make_game("hex", size=self.size, swap=False)

    def alone(self) -> tuple[float, float]:
        """Return the states a second of a pool that plays itself."""
        pool = Pool(self.game, [Mind(self.search)], slots=self.at_once, threads=available_cores())
        for index in range(self.matches):
            pool.add(index, index)
        states, meter = 0, Meter()
        with self.make() as evaluator:
            while waiting := pool.collect():
                pool.resume(0, *evaluator.evaluate(pool.batch(0), pool.moves(0)))
                states += waiting
        return meter.rates(states)

    def beside(self, conditions: Conditions) -> tuple[float, float]:
        """Return the states a second of our side against the engine, once all processes run."""
        words = [sys.executable, "-S", "-E", str(ENGINE), str(self.size)]
        ours = SearchPlayerSpec("ours", self.search, lambda _threads: self.make())
        engine = EngineSpec("instant", "ugi", shlex.join(words))
        states, meter = 0, Meter()
        pair = (ours, engine)
        count = self.matches + self.at_once
        for number, match in enumerate(
            play_matches(self.game, *pair, count, workers=self.at_once, conditions=conditions)
        ):
            if match.reason:
                raise SystemExit(match.sentence)
            if number >= self.at_once:
                states += match.efforts_of_players[0].evaluations
            elif number == self.at_once - 1:
                meter = Meter()
        return meter.rates(states)


def evaluators(game: athenan.Game) -> dict[str, Callable[[], Evaluator]]:
    """Return what gives values: nothing, and a small network."""
    shape = {"filters": 16, "blocks": 2, "dense": (16,)}
    network = build_network(Architecture.model_validate(shape), game, seed=1)
    return {
        "fake": partial(constant_evaluator, 0.0),
        "network": partial(network_evaluator, network, batch_invariant=True),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, number in (
        ("matches", 128), ("at-once", 64), ("expansions", 50), ("size", 7), ("turns", 3)
    ):  # fmt: skip
        parser.add_argument(f"--{name}", type=int, default=number)
    given = parser.parse_args()
    search = athenan.SearchSpec(f"ubfm:expansions={given.expansions}")
    game = athenan.make_game("hex", size=given.size, swap=False)
    for name, make in evaluators(game).items():
        setting = Setting(given.size, search, make, given.at_once, given.matches)
        runs: dict[str, Callable[[], tuple[float, float]]] = {
            "self-play": setting.alone,
            "one pool": partial(setting.beside, Conditions()),
            "threads": partial(setting.beside, WATCHED),
        }
        found: dict[str, list[tuple[float, float]]] = {each: [] for each in runs}
        for _ in range(given.turns):
            for each, run in runs.items():
                found[each].append(run())
        rates = {
            each: [median(values) for values in zip(*pairs, strict=True)]
            for each, pairs in found.items()
        }
        for each, (clock, processor) in rates.items():
            whole = rates["self-play"]
            parts = clock / whole[0], processor / whole[1]
            print(
                f"{name:8} {each:10} {clock:10,.0f} states/s {parts[0]:5.2f}"
                f" {processor:10,.0f} states/s of the processor {parts[1]:5.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
