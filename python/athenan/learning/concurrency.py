"""Concurrency: how many matches are played at a time, and what memory they need.

More matches make larger batches, which a device evaluates faster up to a point; beyond it they only
take memory and play longer with old weights. Where the settings leave the number open, it is the
smallest that reaches nearly the best rate, measured on the machine at hand; and while a process
runs, few at first, and no more than learning keeps up with.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from athenan._core import Error, Game, Mind, Pool, ResolvedMemory, SearchSpec, Stop
from athenan.devices import device_kind, resolve_device
from athenan.evaluators.backends import Way, fastest_way
from athenan.evaluators.cpu import CpuEvaluator
from athenan.evaluators.evaluator import BEST_BATCH
from athenan.evaluators.network import NetworkEvaluator, network_evaluator
from athenan.games.measure import random_matches
from athenan.learning.settings import Config, Hardware
from athenan.machine import available_cores, available_memory
from athenan.networks import weight_count
from athenan.networks.network import Network
from athenan.selfplay.duels import Duels
from athenan.selfplay.lanes import Lanes
from athenan.selfplay.rounds import Rounds
from athenan.selfplay.source import Source

RANGE = {"cpu": (8, 128), "cuda": (64, 8192)}  # matches at a time: to begin with, and at most
FACTORS = (0.125, 0.25, 0.5, 1, 2)  # of the usual concurrency: what is measured
TRIAL_SECONDS = 0.4
WARM_UP = 0.3  # of the time of a trial
GOOD_ENOUGH = 0.95  # of the best rate measured
SHARE_OF_MEMORY = 0.8
SOLVED_STATE, SOLVED_STATE_ON_DISK = 48, 13  # bytes of a solved state that is remembered
SAMPLE_EXPANSIONS = 5  # per move of the match that is measured
EXPANSIONS_PER_SECOND = 50  # the paper's
BUSY = 0.9  # part of the time from which on learning is what the process waits for
STALLED = 0.6  # part of the time that self-play may wait for learning


@dataclass(frozen=True)
class Plan:
    """What the settings leave to the game and to the machine."""

    game: Game
    device: str
    threads: int
    branching: float
    """Legal moves in random matches, on average."""
    length: float
    """Plies of random matches, on average."""
    states_at_once: float
    """What a search asks for values of, on average."""
    concurrency: int
    """Matches at a time: as the settings say, or what fills the batches that the device likes."""
    is_open: bool
    """The concurrency is still to be measured."""

    @classmethod
    def of(cls, config: Config) -> Plan:
        """Look at the game and at the machine."""
        game = config.make_game()
        device = resolve_device(config.hardware.device)
        given, usual = config.selfplay.matches, random_matches(game, 10)
        branching, length = max(1.0, usual.mean_branching), max(1.0, usual.mean_length)
        few, many = RANGE[device_kind(device)]
        at_once = asked_at_once(config.selfplay.thinking_spec, branching)
        by_rule = max(few, min(many, round(_best_batch(device) / at_once)))
        return cls(
            game=game,
            device=device,
            threads=config.hardware.threads or available_cores(),
            branching=branching,
            length=length,
            states_at_once=at_once,
            concurrency=given or by_rule,
            is_open=not (given or config.hardware.deterministic),
        )

    @property
    def on_cpu(self) -> bool:
        """Whether networks run on the CPU."""
        return device_kind(self.device) == "cpu"

    @property
    def first_concurrency(self) -> int:
        """Matches at a time to begin with, where their number is measured."""
        return RANGE[device_kind(self.device)][0]

    def evaluator(self, network: Network, hardware: Hardware) -> NetworkEvaluator:
        """Make the evaluator of self-play.

        On a CPU "auto" is the backend, and the precision, that is the fastest with the batches of
        so many matches at a time, a thread's share of them or a single one; for a deterministic
        process it is the first backend that is installed, in float32.
        """
        way = Way(hardware.backend, hardware.precision)
        if self.device == "cpu" and "auto" in way and not hardware.deterministic:
            batch = round(self.states_at_once * max(1, self.concurrency / self.threads))
            way = fastest_way(network, batch, min(self.threads, self.concurrency), *way)
        return network_evaluator(
            network,
            device=self.device,
            threads=self.threads,
            precision=way.precision,
            backend=way.backend,
        )

    def source(
        self,
        config: Config,
        evaluator: NetworkEvaluator,
        concurrency: int,
        lanes: ThreadPoolExecutor | None,
        memory: ResolvedMemory | None = None,
    ) -> Source:
        """Return self-play of a number of matches at a time.

        Beside a GPU there are two pools, one of which it evaluates while all threads advance the
        other. On a CPU there is one, which all threads advance and evaluate in turn; or, with
        threads for `lanes`, as many as threads, which is faster, and whose matches end in any
        order.
        """
        selfplay, moves = config.selfplay, config.learning.moves
        minds, data = [selfplay.mind], config.learning.data
        expert, chooser = selfplay.expert_mind, selfplay.chooser_mind

        def pools(count: int, threads: int) -> list[Pool]:
            sizes = [(concurrency + k) // count for k in range(count)]
            return [
                Pool(self.game, minds, data, size, threads, memory, moves, expert, chooser=chooser)
                for size in sizes
                if size
            ]

        if lanes is not None and isinstance(evaluator, CpuEvaluator):
            return Lanes(pools(self.threads, 1), evaluator, lanes)
        return Rounds(pools(1 if evaluator.device == "cpu" else 2, self.threads), evaluator)

    def source_of_two(
        self,
        config: Config,
        evaluators: tuple[NetworkEvaluator, NetworkEvaluator],
        concurrency: int,
        memory: ResolvedMemory | None = None,
    ) -> Source:
        """Return matches of two networks against each other, a number at a time."""
        mind = config.selfplay.mind
        minds = [Mind(mind.search, mind.selection, number) for number in range(2)]
        data = config.learning.data
        return Duels(Pool(self.game, minds, data, concurrency, self.threads, memory), evaluators)

    def fixed_in(self, config: Config) -> Config:
        """Return settings that leave nothing open: a resumed run must find everything the same."""
        selfplay = config.selfplay.model_copy(update={"matches": self.concurrency})
        hardware = config.hardware.model_copy(update={"threads": self.threads})
        return config.model_copy(update={"selfplay": selfplay, "hardware": hardware})


def _best_batch(device: str) -> int:
    if device_kind(device) == "cpu":
        return BEST_BATCH
    from athenan.evaluators import cuda

    return cuda.BEST_BATCH


# Memory.


@dataclass(frozen=True)
class Footprint:
    """Bytes that a run will need at its largest."""

    tree: float
    """Of each match that is played at a time."""
    replay: int
    network: int
    solved: int
    """Of the table of solved states, once it is full."""
    checkpoint: int
    """On the disk, each."""

    @classmethod
    def of(cls, config: Config, plan: Plan) -> Footprint:
        """Estimate it from one match played with a constant evaluator.

        Trees grow with a match and are dropped at its end; the replay memory fills to its size.
        """
        tree, pairs = _per_expansion(plan.game, config)
        selfplay = config.selfplay
        expansions = _expansions_per_move(selfplay.thinking_spec) * plan.length
        beside = (
            _expansions_per_move(selfplay.choosing_spec) * plan.length if selfplay.chooser else 0
        )
        most = {False: 1, True: 2, "all": plan.game.symmetries}[config.learning.symmetry]
        copies = min(most, plan.game.symmetries)
        replay = config.learning.replay
        kept = pairs * expansions * copies * replay.size
        if selfplay.expert:
            expansions /= plan.length  # it thinks about one state of a match
            kept = copies * replay.size
        if replay.kind == "experience" and replay.unit == "pairs":
            kept = replay.size
        per_pair = plan.game.packed_size + 12.0
        if config.learning.moves != "none":
            taught = config.learning.moves_taught if config.learning.moves == "values" else 0
            per_pair += 16 + 8 * min(plan.branching, taught or plan.branching)
        kept_bytes = round(kept * per_pair)
        weights = weight_count(config.network, plan.game)
        solved = selfplay.forget_states if selfplay.resolved_memory else 0
        return cls(
            tree=(expansions + beside) * tree,
            replay=kept_bytes,
            network=weights * 4 * 8,  # weights, gradients, two moments, a working copy of each
            solved=solved * SOLVED_STATE,
            checkpoint=kept_bytes + weights * 12 + solved * SOLVED_STATE_ON_DISK,
        )

    def memory(self, concurrency: int) -> float:
        """Return all that must be in memory at once."""
        return concurrency * self.tree + self.replay + self.network + self.solved


def refuse_if_too_large(needed: Footprint, concurrency: int, folder: Path, keep: int) -> None:
    """Refuse a run that this machine has no memory or disk for."""
    available, memory = available_memory(), needed.memory(concurrency)
    if available and memory > SHARE_OF_MEMORY * available:
        raise Error(
            f"the run would need about {_gigabytes(memory)} of memory (trees "
            f"{_gigabytes(concurrency * needed.tree)}, replay {_gigabytes(needed.replay)}, network "
            f"{_gigabytes(needed.network)}, solved states {_gigabytes(needed.solved)}) and "
            f"{_gigabytes(available)} is available: lower selfplay.matches, the budget of "
            "selfplay.search, learning.replay.size or selfplay.forget_states"
        )
    free = shutil.disk_usage(folder).free
    on_disk = needed.checkpoint * (keep + 1)
    if on_disk > free:
        raise Error(
            f"the checkpoints would need about {_gigabytes(on_disk)} of disk and {folder} has "
            f"{_gigabytes(free)} free: lower learning.replay.size or checkpoints.keep"
        )


def _expansions_per_move(search: SearchSpec) -> float:
    budget = search.budget
    return (
        budget.expansions
        or 2 * budget.iterations
        or budget.evaluations / 10
        or EXPANSIONS_PER_SECOND * (budget.seconds or 1)
    )


def _per_expansion(game: Game, config: Config) -> tuple[float, float]:
    """Return the bytes of tree and the pairs to learn that one expansion gives."""
    selfplay = config.selfplay
    search = selfplay.thinking_spec.unlimited.updated(f"expansions={SAMPLE_EXPANSIONS}")
    selection = None if selfplay.expert else selfplay.mind.selection
    pool = Pool(game, [Mind(search, selection)], config.learning.data)
    pool.add(0, config.seed)
    largest = 0
    while waiting := pool.collect():
        largest = max(largest, pool.tree_bytes)
        moves = pool.moves(0)
        logits = None if moves is None else np.zeros(len(moves.numbers), np.float32)
        pool.resume(0, np.zeros(waiting, np.float32), logits)
    (record,) = pool.take_finished()
    expansions = max(1, sum(each.expansions for each in record.spent))
    return largest / expansions, len(record.targets[1]) / expansions


def _gigabytes(count: float) -> str:
    return f"{count / 1e9:.2g} GB"


# Measurement.


@dataclass(frozen=True)
class Trial:
    """Self-play of a number of matches at a time, without learning."""

    concurrency: int
    batch: float
    """States per batch, on average."""
    states_per_second: float
    rules_share: float
    """Part of the time that went into rules and trees, not into waiting for the network."""
    tree_bytes: int
    """Of all matches together at the end of the trial."""


def candidates(config: Config, plan: Plan) -> list[int]:
    """Return numbers of matches worth a trial, as far as the memory allows."""
    found = sorted({max(1, round(plan.concurrency * factor)) for factor in FACTORS})
    memory, footprint = SHARE_OF_MEMORY * available_memory(), Footprint.of(config, plan)
    fitting = [n for n in found if not memory or footprint.memory(n) <= memory]
    return fitting or found[:1]


def asked_at_once(spec: SearchSpec, branching: float) -> float:
    """Return of how many states a search asks for values at a time, on average."""
    if spec.asks_of_moves == "policy":
        return 1.0  # one leaf
    if spec.asks_of_moves == "none":
        return branching  # all children of a state
    judged = min(branching, int(spec.options["judged"]) + int(spec.options["sampled"]))
    return (1 + judged) / 2 if judged else 1.0  # the state, then some of its children


def trials(
    config: Config,
    plan: Plan,
    evaluator: NetworkEvaluator,
    *,
    seconds: float = TRIAL_SECONDS,
    stop: Stop | None = None,
) -> Iterator[Trial]:
    """Play with each number of matches that is worth it for some seconds."""
    stop = stop or Stop()
    with ThreadPoolExecutor(plan.threads, "self-play") as lanes:
        for concurrency in candidates(config, plan):
            source = plan.source(config, evaluator, concurrency, lanes)
            trial = _trial(source, concurrency, seconds, stop)
            if stop.requested:
                return
            yield trial


def _trial(source: Source, concurrency: int, seconds: float, stop: Stop) -> Trial:
    for index in range(concurrency):
        source.add(index, index, 0.0)
    following = concurrency
    for share in (WARM_UP, 1.0):
        start, before = perf_counter(), source.work
        while (elapsed := perf_counter() - start) < share * seconds and not stop.requested:
            for _ in source.step(stop):
                source.add(following, following, 0.0)
                following += 1
    work = source.work - before
    source.close()
    return Trial(
        concurrency=concurrency,
        batch=work.evaluations / max(1, work.batches),
        states_per_second=work.evaluations / max(elapsed, 1e-9),
        rules_share=work.rules_share,
        tree_bytes=source.tree_bytes,
    )


def best(found: Sequence[Trial]) -> Trial:
    """Return the trial with the fewest matches that reaches nearly the best rate."""
    rate = max(trial.states_per_second for trial in found)
    good = [trial for trial in found if trial.states_per_second >= GOOD_ENOUGH * rate]
    return min(good, key=lambda trial: trial.concurrency)


# While a process runs.


class Pace:
    """The concurrency of a running process, judged anew after each generation.

    A generation is as many learned matches as are played at a time. While learning has time to
    spare the number doubles, up to `max_matches`; while self-play waits most of the time, it
    halves, down to `min_matches`.
    """

    def __init__(self, first: int, min_matches: int, max_matches: int) -> None:
        self.concurrency = max_matches
        self.suit(min_matches, max_matches)
        self.concurrency = min(first, max_matches)  # perhaps fewer than at any later time
        self.begin(0.0, 0.0, 0.0)

    def suit(self, min_matches: int, max_matches: int) -> None:
        """Keep to other limits from now on."""
        self._min = min(min_matches, max_matches)
        self._max = max_matches
        self.concurrency = max(self._min, min(self.concurrency, self._max))

    def begin(self, wall: float, busy: float, stalled: float) -> None:
        """Begin a generation; arguments as for `learned`."""
        self._learned = 0
        self._before = (wall, busy, stalled)

    def learned(self, wall: float, busy: float, stalled: float) -> None:
        """Record a match; cumulative wall, learner-busy and self-play-stalled seconds."""
        self._learned += 1
        if self._learned < self.concurrency:
            return
        now = (wall, busy, stalled)
        elapsed, worked, waited = (new - old for new, old in zip(now, self._before, strict=True))
        if waited > STALLED * elapsed:
            self.concurrency = max(self._min, self.concurrency // 2)
        elif worked < BUSY * elapsed:
            self.concurrency = min(self._max, 2 * self.concurrency)
        self.begin(*now)
