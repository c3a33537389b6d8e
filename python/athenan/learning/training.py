"""The learning process: play matches, learn after each, play on with what was learned.

The loop of the algorithms "tree-learning", "root-learning" and "terminal-learning". With one match
at a time it is the paper's; with many, each match that ends is followed by its learning phase, so
that the ratio of learned to generated data is the same.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any

import numpy as np

from athenan._core import Game, MatchRecord, ResolvedMemory, random_ends
from athenan.games import make_game
from athenan.learning import snapshot
from athenan.learning.counters import Counters
from athenan.learning.derived import evaluator_of, network_of, playing_search, torch_device
from athenan.learning.estimate import MATCHES_AT_A_TIME, matches_at_a_time
from athenan.learning.events import AtRest, Event, MatchLearned, Pretrained, Sized
from athenan.learning.learner import Learner, prepare_thread
from athenan.learning.pace import Pace
from athenan.learning.phases import Phases
from athenan.learning.renewal import Renewal
from athenan.learning.replay import Arrays, Data, Table, make_memory, with_symmetries
from athenan.learning.settings import Config
from athenan.learning.sizing import best_measured, make_rounds
from athenan.machine import available_cores
from athenan.networks import Model
from athenan.selfplay.lanes import Lanes
from athenan.selfplay.openings import random_opening
from athenan.selfplay.rounds import Rounds

SIZING_SECONDS = 0.4  # for each number of matches that is tried
PRETRAINING_CHUNK = 1 << 16  # final states made and learned at a time
BACKLOG = {"cpu": 8, "cuda": 64}  # matches that may wait for a learner working beside self-play


class Training:
    """One learning process. `events` runs it; between two events it may be saved."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.game: Game = make_game(config.game)
        self.device = torch_device(config.hardware.device)
        self.threads = config.hardware.threads or available_cores()
        self.network = network_of(config, self.game)
        self.counters = Counters()
        self.random = np.random.default_rng([config.seed, 1])
        self.memory = make_memory(config.learning.replay, self.game)
        self.resolved = ResolvedMemory() if config.selfplay.resolved_memory else None
        prepare_thread()  # parallelism comes from our own threads
        self.learner = Learner(self.game, self.network, config.learning, self.device, self.threads)
        self.evaluator = evaluator_of(config, self.network, self.game)
        self._renew = Renewal(self.evaluator, config)
        self.slots = config.selfplay.matches or matches_at_a_time(self.game, self.device.type)
        self._workers = self._make_workers()
        self._phases = Phases[MatchLearned](self._workers) if self._workers else None
        self.rounds = self._make_rounds()
        self.pace = Pace(self.slots, self.slots, self.slots)
        self.playing = 0
        self._between_phases = Lock()
        self._running_since: float | None = None
        self._redo: deque[int] = deque()
        self._stopping = False
        self._warm = False

    def warm_up(self) -> None:
        """Compile what a GPU runs, before anything else uses it. Later calls cost nothing."""
        if self.device.type == "cuda" and not self._warm:
            self.evaluator.warm_up()
            self.learner.warm_up()
        self._warm = True

    def stop_soon(self) -> None:
        """End `events` after the batch under way."""
        self._stopping = True

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do something else, which is not time of training; the evaluator keeps its weights."""
        self._note_time()
        running, self._running_since = self._running_since is not None, None
        try:
            with self._between_phases:
                yield
        finally:
            self._running_since = monotonic() if running else None

    @property
    def model(self) -> Model:
        """What has been learned, ready to be saved or to play."""
        with self._between_phases:
            network = copy.deepcopy(self.network)
            info = {"matches": str(self.counters.matches)}
        return Model(network, self.game.id, playing_search(self.config), info)

    @property
    def progress(self) -> float:
        """t / t_max; 0 for a process without an end."""
        return self._progress_after(self.counters.started)

    def _progress_after(self, started: int) -> float:
        stop = self.config.stop
        shares = [0.0]
        if stop.matches:
            shares.append(started / stop.matches)
        if stop.minutes:
            shares.append(self.seconds() / (60 * stop.minutes))
        return min(1.0, max(shares))

    def seconds(self) -> float:
        """Return the time spent in training, earlier sessions included, evaluations not."""
        since = self._running_since
        return self.counters.seconds + (0.0 if since is None else monotonic() - since)

    def _note_time(self) -> None:
        """Bring the counter of seconds up to date."""
        self.counters.seconds = self.seconds()
        if self._running_since is not None:
            self._running_since = monotonic()

    def events(self) -> Iterator[Event]:
        """Run until the limit of matches or of time is reached."""
        self.warm_up()
        yield from self._size()
        self._running_since = monotonic()
        try:
            yield from self._pretrain()
            yield from self._play_and_learn()
        finally:
            self._note_time()
            self._running_since = None

    def _play_and_learn(self) -> Iterator[Event]:
        if not self._stopping:
            self.pace.begin(self.seconds(), *self.learning_clocks())
            self._fill()
        while not (self._stopping or self._out_of_time()):
            records = self.rounds.step()
            self._replace(len(records))
            self.rounds.skip()
            yield from self._learn(records)
            yield from self._finished_phases(BACKLOG[self.device.type])
            self._forget_if_due()
            if self.rounds.at_rest:
                yield from self._finished_phases(0)
                yield AtRest(self.counters.matches)
                if not self._fill():
                    break
        yield from self._finished_phases(0)

    def close(self) -> None:
        """End the threads."""
        self.evaluator.close()
        if self._workers is not None:
            self._workers.shutdown(wait=True, cancel_futures=True)

    # Checkpoints.

    def state(self) -> tuple[Arrays, dict[str, Any]]:
        """Return everything that a resumed process needs: arrays, and plain values."""
        with self._between_phases:
            self._note_time()
            return snapshot.taken(self)

    def restore(self, arrays: Arrays, values: dict[str, Any]) -> None:
        """Become what `state` described."""
        snapshot.restore(self, arrays, values)
        self.evaluator.update(self.network)
        self._redo = deque(sorted(self.counters.unfinished))

    # Self-play.

    def _make_workers(self) -> ThreadPoolExecutor | None:
        """Return threads for learning beside self-play, or None for one after the other.

        On a CPU the same threads play and learn. One after the other is the paper's way, the
        deterministic one, and on a CPU the safe one while all matches write to one memory.
        """
        if self.config.hardware.deterministic or self.slots == 1:
            return None
        if self.device.type == "cpu" and self.resolved is not None:
            return None
        count = self.threads if self.device.type == "cpu" else 1
        return ThreadPoolExecutor(count, "worker", prepare_thread)

    def _make_rounds(self) -> Rounds | Lanes:
        return make_rounds(
            self.game,
            self.config,
            self.slots,
            self.evaluator,
            self.threads,
            memory=self.resolved,
            lanes=self._workers,
        )

    def _size(self) -> Iterator[Event]:
        """Choose the number of matches at a time by measurement, where it is left open."""
        if self.config.selfplay.matches or self.config.hardware.deterministic:
            return
        chosen = best_measured(
            self.game,
            self.config,
            self.evaluator,
            threads=self.threads,
            seconds=SIZING_SECONDS,
        )
        self.slots = chosen.matches
        self.rounds = self._make_rounds()
        few, _ = MATCHES_AT_A_TIME[self.device.type]
        self.pace = Pace(max(self.first_matches(), len(self._redo)), few, self.slots)
        rate, backend = chosen.states_per_second, self.evaluator.backend
        yield Sized(self.pace.matches, chosen.matches, rate, backend)

    def first_matches(self) -> int:
        """Return how many matches to begin with, where their number is measured."""
        return MATCHES_AT_A_TIME[self.device.type][0]

    def _fill(self) -> bool:
        """Start as many matches as are played at a time; false if none may start any more."""
        limit = self._start_limit()
        while self.playing < self.pace.matches and self._start(limit):
            self.rounds.skip()
        return self.playing > 0

    def _replace(self, ended: int) -> None:
        """Start a match for each that ended, in the same pool; two while their number grows."""
        self.playing -= ended
        limit = self._start_limit()
        for _ in range(min(2 * ended, self.pace.matches - self.playing)):
            self._start(limit)

    def _start_limit(self) -> int | None:
        """Return the number of matches that may have been started by now.

        A deterministic process comes to rest at each checkpoint, so that it can be resumed bit for
        bit.
        """
        stop = self.config.stop.matches or None
        every = self.config.checkpoints.every_matches
        if not (self.config.hardware.deterministic and every):
            return stop
        rest = (self.counters.matches // every + 1) * every
        return rest if stop is None else min(stop, rest)

    def _start(self, limit: int | None) -> bool:
        if limit is not None and self.counters.started - len(self._redo) >= limit:
            return False
        if self._redo:
            index = self._redo.popleft()
        else:
            index = self.counters.started
            self.counters.started += 1
            self.counters.unfinished.append(index)
        progress = self._progress_after(index + 1)
        self.rounds.add(index, self._seed_of(2, index), progress, self.opening(index))
        self.playing += 1
        return True

    def opening(self, index: int) -> Sequence[int]:
        """Return the moves with which a match begins: random ones, as many as the settings ask."""
        return random_opening(self.game, self.config.selfplay.random_moves, self._seed_of(4, index))

    def _seed_of(self, *purpose: int) -> int:
        """Return a number that only this purpose of this process gets."""
        sequence = np.random.SeedSequence([self.config.seed, *purpose])
        return int(sequence.generate_state(1, np.uint64)[0])

    def _out_of_time(self) -> bool:
        minutes = self.config.stop.minutes
        return bool(minutes) and self.seconds() >= 60 * minutes

    def _forget_if_due(self) -> None:
        """Empty the memory of resolved states when its period is over."""
        selfplay, counters = self.config.selfplay, self.counters
        hours = (self.seconds() - counters.forgotten_at_seconds) / 3600
        matches = counters.matches - counters.forgotten_at_matches
        if self.resolved is not None and (
            0 < selfplay.forget_hours <= hours or 0 < selfplay.forget_matches <= matches
        ):
            self.resolved.clear()
            counters.forgotten_at_seconds = self.seconds()
            counters.forgotten_at_matches = counters.matches

    # Learning.

    def _pretrain(self) -> Iterator[Event]:
        total = self.config.learning.pretraining
        terminal = self.config.selfplay.terminal
        while self.counters.pretrained < total and not self._stopping:
            count = min(PRETRAINING_CHUNK, total - self.counters.pretrained)
            seed = np.random.SeedSequence([self.config.seed, 3, self.counters.pretrained])
            ends = random_ends(
                self.game, terminal, count, int(seed.generate_state(1)[0]), self.threads
            )
            table = Table(self.game.packed_size)
            table.append(Data(*ends))
            size = self.config.learning.batch_size
            rows = np.arange(count)
            report = self.learner.learn(table, [rows[i : i + size] for i in range(0, count, size)])
            self.counters.pretrained += count
            self.evaluator.update(self.network)
            yield Pretrained(self.counters.pretrained, total, report.loss)

    def _learn(self, records: list[MatchRecord]) -> Iterator[Event]:
        """Learn matches, now or beside self-play."""
        for record in records:
            if self.resolved is not None:
                record.remember(self.resolved)
            if self._phases is None:
                yield self._phase(record)
                self.pace.learned(self.seconds(), *self.learning_clocks())
            else:
                self._phases.add(partial(self._phase_beside, self._phases, record))
        if records and self._phases is None:
            self._renew(self.network, self.pace.matches)

    def _phase_beside(self, phases: Phases[MatchLearned], record: MatchRecord) -> MatchLearned:
        """Learn a match on one thread of a CPU; on all while self-play waits for learning."""
        waits = phases.waiting >= BACKLOG[self.device.type]
        self.learner.threads = self.threads if waits or self.device.type == "cuda" else 1
        report = self._phase(record)
        self._renew(self.network, self.pace.matches)
        return report

    def _finished_phases(self, most_waiting: int) -> Iterator[Event]:
        if self._phases is None:
            return
        for learned in self._phases.finished(most_waiting):
            self.pace.learned(self.seconds(), *self.learning_clocks())
            yield learned

    def learning_clocks(self) -> tuple[float, float]:
        """Return for how long learning has worked, and self-play has waited for it.

        On a CPU both stand still: the threads are shared, and what makes self-play faster leaves
        more time for learning.
        """
        if self._phases is None or self.device.type == "cpu":
            return 0.0, 0.0
        return self._phases.worked, self._phases.waited

    def _phase(self, record: MatchRecord) -> MatchLearned:
        """Make the learning phase of one match."""
        learning, counters = self.config.learning, self.counters
        data = Data(*record.targets)
        with self._between_phases:
            if learning.symmetry:
                data = with_symmetries(self.game, data, self.random, self.learner.threads)
            minibatches = self.memory.phase(data, learning.batch_size, self.random)
            self.learner.anneal(self.progress)
            report = self.learner.learn(self.memory.table, minibatches)
            expansions = sum(each.expansions for each in record.spent)
            evaluations = sum(each.evaluations for each in record.spent)
            counters.unfinished.remove(record.index)
            counters.matches += 1
            counters.generated += len(data)
            counters.learned += report.samples
            counters.expansions += expansions
            counters.evaluations += evaluations
            return MatchLearned(
                matches=counters.matches,
                length=len(record.moves),
                outcome=record.outcome,
                expansions=expansions,
                evaluations=evaluations,
                generated=len(data),
                learned=report.samples,
                loss=report.loss,
                start_value=record.values[0],
                trees_cut=record.memory_full,
            )
