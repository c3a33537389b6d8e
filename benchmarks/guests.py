"""Many matches at a time against an engine: how much of the speed of self-play is left.

python benchmarks/guests.py [--matches N] [--at-once N] [--expansions N] [--size N] [--turns N]

Our side plays Hex against an engine that answers at once, with a process for each match: in one
pool, as `athenan match` does, and with a thread for each match, as it does where a referee looks
on. Rates are states evaluated a second, with a fake evaluator, which costs nothing, and with a
network. The three take turns with the same pool playing itself; printed is the middle of each rate
and its part of that of self-play.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

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

    def alone(self) -> float:
        """Return the states a second of a pool that plays itself."""
        pool = Pool(self.game, [Mind(self.search)], slots=self.at_once, threads=available_cores())
        for index in range(self.matches):
            pool.add(index, index)
        states, started = 0, perf_counter()
        with self.make() as evaluator:
            while waiting := pool.collect():
                pool.resume(0, *evaluator.evaluate(pool.batch(0), pool.moves(0)))
                states += waiting
        return states / (perf_counter() - started)

    def beside(self, conditions: Conditions) -> float:
        """Return the states a second of our side against the engine, once all processes run."""
        words = [sys.executable, "-S", "-E", str(ENGINE), str(self.size)]
        ours = SearchPlayerSpec("ours", self.search, lambda _threads: self.make())
        engine = EngineSpec("instant", "ugi", shlex.join(words))
        states, started = 0, 0.0
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
                started = perf_counter()
        return states / (perf_counter() - started)


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
        runs: dict[str, Callable[[], float]] = {
            "self-play": setting.alone,
            "one pool": partial(setting.beside, Conditions()),
            "threads": partial(setting.beside, WATCHED),
        }
        found: dict[str, list[float]] = {each: [] for each in runs}
        for _ in range(given.turns):
            for each, run in runs.items():
                found[each].append(run())
        rates = {each: median(values) for each, values in found.items()}
        for each, rate in rates.items():
            part = rate / rates["self-play"]
            print(f"{name:8} {each:10} {rate:12,.0f} states/s  {part:6.2f}", flush=True)


if __name__ == "__main__":
    main()
