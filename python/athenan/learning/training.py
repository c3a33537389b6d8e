"""The learning process: play matches, learn after each, play on with what was learned.

The loop of the algorithms "tree-learning", "root-learning" and "terminal-learning". With one match
at a time it is the paper's; with many, each match that ends is followed by its learning phase, so
that the ratio of learned to generated data is the same.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any

from athenan._core import MatchRecord, Mind, ResolvedMemory, Stop, Stopped
from athenan.devices import device_kind
from athenan.evaluators.network import NetworkEvaluator
from athenan.learning import snapshot
from athenan.learning.clock import Clock
from athenan.learning.concurrency import Pace, Plan, best, trials
from athenan.learning.counters import Counters
from athenan.learning.events import AtRest, Event, MatchLearned, Pretrained, Sized, Standing
from athenan.learning.learner import prepare_thread, raise_if_requested
from athenan.learning.phases import Phases
from athenan.learning.replay import Arrays, Data
from athenan.learning.schedule import Schedule
from athenan.learning.settings import Config
from athenan.learning.study import Study
from athenan.learning.weight_sync import WeightSync
from athenan.networks import Model, build_network
from athenan.networks.network import Network
from athenan.selfplay.local import local_source, selfplay_evaluator
from athenan.selfplay.source import Source
from athenan.selfplay.work import Work

PRETRAINING_CHUNK = 1 << 16  # final states made and learned at a time
BACKLOG = {"cpu": 8, "cuda": 64}  # matches that may wait for a learner working beside self-play


class Training:
    """One learning process. `events` runs it; between two events it may be saved.

    Its matches come from self-play on this machine, or from the source that is given.
    """

    def __init__(
        self, config: Config, *, plan: Plan | None = None, source: Source | None = None
    ) -> None:
        self.config = config
        self.plan = plan or Plan.of(config)
        self.game = self.plan.game
        self._on_cpu = device_kind(self.plan.device) == "cpu"
        self._backlog = BACKLOG[device_kind(self.plan.device)]
        self.network = build_network(config.network, self.game, config.seed)
        self.counters = Counters()
        self.resolved = ResolvedMemory() if config.selfplay.resolved_memory else None
        self.stop = Stop()
        """A request to it ends `events` within moments."""
        prepare_thread()  # parallelism comes from our own threads
        self.study = Study(
            self.game,
            self.network,
            config.learning,
            device=self.plan.device,
            threads=self.plan.threads,
            seed=config.seed,
            stop=self.stop,
        )
        self.clock = Clock(self.stop, 60 * config.stop.minutes)
        self.schedule = Schedule(config, self.game, self.clock)
        self.concurrency = self.plan.concurrency
        self.pace = Pace(self.concurrency, self.concurrency, self.concurrency)
        self.playing = 0
        self.source = source
        self.evaluator = None if source else self._make_evaluator()
        self._workers = self._make_workers()
        self._phases = Phases[MatchLearned](self._workers) if self._workers else None
        self._between_phases = Lock()
        if source is not None:
            source.take_weights(self.network)

    # What others may do between two events.

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do something else, which is not time of training; the network keeps its weights."""
        with self.clock.paused(), self._between_phases:
            yield

    @property
    def progress(self) -> float:
        """t / t_max; 0 for a process without an end."""
        return self.schedule.progress(self.counters.started)

    @property
    def standing(self) -> Standing:
        """Where it stands now."""
        return Standing(
            seconds=self.clock.seconds(),
            progress=self.progress,
            matches=self.counters.matches,
            playing=self.playing,
            work=self.source.work if self.source else Work(),
        )

    @property
    def model(self) -> Model:
        """What has been learned, ready to be saved or to play."""
        with self._between_phases:
            network = copy.deepcopy(self.network)
            info = {"matches": str(self.counters.matches)}
        if self.config.origin:
            info["origin"] = self.config.origin
        return Model(network, self.game.id, str(self.config.selfplay.playing_spec), info)

    def state(self) -> tuple[Arrays, dict[str, Any]]:
        """Return everything that a resumed process needs: arrays, and plain values."""
        with self._between_phases:
            self.counters.seconds = self.clock.seconds()
            return snapshot.capture(self)

    def restore(self, arrays: Arrays, values: dict[str, Any]) -> None:
        """Become what `state` described; before it begins."""
        snapshot.restore(self, arrays, values)
        self.clock.set(self.counters.seconds)
        self.schedule.begin_again(self.counters.unfinished)
        self._hand_over_weights()

    def start_from(self, network: Network) -> None:
        """Take the weights of a network of the same shape; before it begins."""
        self.network.load_state_dict(network.state_dict())
        self._hand_over_weights()

    def rest(self) -> None:
        """Wait for what is under way; its events come later."""
        if self.source is not None:
            self.source.rest()
        if self._phases is not None:
            self._phases.rest()

    def close(self) -> None:
        """End everything that is under way, and the threads."""
        self.stop.request()
        if self.source is not None:
            self.source.close()
        if self._workers is not None:
            self._workers.shutdown(wait=True, cancel_futures=True)
        self.study.learner.close()
        if self.evaluator is not None:
            self.evaluator.close()

    # The process.

    def events(self) -> Iterator[Event]:
        """Run until the limit of matches or of time is reached, or it is asked to stop."""
        with suppress(Stopped):
            self._warm_up()
            yield from self._size()
            self.source = self.source or self.local_source()
            with self.clock.running():
                yield from self._pretrain(self.source)
                yield from self._play_and_learn(self.source)

    def local_source(self) -> Source:
        """Return self-play on this machine, which the process takes unless it has a source."""
        assert self.evaluator is not None
        return local_source(
            self.game,
            Mind(self.config.selfplay.spec, self.config.selfplay.selection),
            self.evaluator,
            learning=self.config.learning.data,
            concurrency=self.concurrency,
            threads=self.plan.threads,
            memory=self.resolved,
            lanes=self._workers,
        )

    def _warm_up(self) -> None:
        """Compile what a GPU runs, before anything else uses it."""
        if self._on_cpu:
            return
        if self.evaluator is not None:
            self.evaluator.warm_up()
        raise_if_requested(self.stop)
        self.study.learner.warm_up()

    def _size(self) -> Iterator[Event]:
        """Choose the number of matches at a time by measurement, where it is left open."""
        if not self.plan.is_open or self.evaluator is None or self.source is not None:
            return
        found = list(trials(self.config, self.plan, self.evaluator, stop=self.stop))
        raise_if_requested(self.stop)
        trial, few = best(found), self.plan.first_concurrency
        self.concurrency = trial.concurrency
        self.pace = Pace(max(few, len(self.counters.unfinished)), few, self.concurrency)
        rate, backend = trial.states_per_second, self.evaluator.backend
        yield Sized(self.standing, self.pace.concurrency, self.concurrency, rate, backend)

    def _pretrain(self, source: Source) -> Iterator[Event]:
        counters, total = self.counters, self.config.learning.pretraining
        while counters.pretrained < total:
            raise_if_requested(self.stop)
            count = min(PRETRAINING_CHUNK, total - counters.pretrained)
            seed = self.schedule.pretraining_seed(counters.pretrained)
            report = self.study.learn_random_ends(self.config.selfplay.terminal, count, seed)
            counters.pretrained += count
            source.take_weights(self.network)
            yield Pretrained(self.standing, counters.pretrained, total, report.loss)

    def _play_and_learn(self, source: Source) -> Iterator[Event]:
        sync = WeightSync(source, self._syncs_after_every_match)
        self.pace.begin(self.clock.seconds(), *self._learning_seconds())
        self._fill(source)
        while not self.stop.requested:
            records = source.step(self.stop)
            self._replace(source, len(records))
            yield from self._learn(records, sync)
            yield from self._finished_phases(self._backlog)
            self._forget_if_due()
            if source.at_rest:
                yield from self._finished_phases(0)
                if not self.stop.requested:
                    yield AtRest(self.standing)
                if not self._fill(source):
                    break
        yield from self._finished_phases(0)

    def _fill(self, source: Source) -> bool:
        """Begin as many matches as are played at a time; false if none may begin any more."""
        missing = self.pace.concurrency - self.playing
        self.playing += self.schedule.begin(missing, source, self.counters)
        return self.playing > 0

    def _replace(self, source: Source, ended: int) -> None:
        """Begin a match for each that ended; two while their number grows."""
        self.playing -= ended
        missing = min(2 * ended, self.pace.concurrency - self.playing)
        self.playing += self.schedule.begin(missing, source, self.counters)

    def _forget_if_due(self) -> None:
        """Empty the memory of resolved states when its period is over."""
        if self.resolved is None:
            return
        selfplay, counters, seconds = self.config.selfplay, self.counters, self.clock.seconds()
        hours = (seconds - counters.forgotten_at_seconds) / 3600
        matches = counters.matches - counters.forgotten_at_matches
        if 0 < selfplay.forget_hours <= hours or 0 < selfplay.forget_matches <= matches:
            self.resolved.clear()
            counters.forgotten_at_seconds = seconds
            counters.forgotten_at_matches = counters.matches

    # Learning.

    def _learn(self, records: list[MatchRecord], sync: WeightSync) -> Iterator[Event]:
        """Learn matches, now or beside self-play."""
        for record in records:
            if self.resolved is not None:
                record.remember(self.resolved)
            if self._phases is None:
                yield self._phase(record)
                self.pace.learned(self.clock.seconds(), *self._learning_seconds())
            else:
                self._phases.add(partial(self._phase_beside, self._phases, record, sync))
        if records and self._phases is None:
            sync.learned(self.network, self.pace.concurrency)

    def _phase_beside(
        self, phases: Phases[MatchLearned], record: MatchRecord, sync: WeightSync
    ) -> MatchLearned:
        """Learn a match on one thread of a CPU; on all while self-play waits for learning."""
        alone = self._on_cpu and phases.waiting < self._backlog
        self.study.learner.threads = 1 if alone else self.plan.threads
        learned = self._phase(record)
        sync.learned(self.network, self.pace.concurrency)
        return learned

    def _finished_phases(self, max_missing: int) -> Iterator[Event]:
        for learned in self._phases.finished(max_missing) if self._phases else ():
            self.pace.learned(self.clock.seconds(), *self._learning_seconds())
            yield learned

    def _phase(self, record: MatchRecord) -> MatchLearned:
        """Make the learning phase of one match; a request to stop leaves the match unfinished."""
        data, started = Data(*record.targets), monotonic()
        with self._between_phases:
            raise_if_requested(self.stop)
            generated, report = self.study.learn_match(data, self.progress)
            self.counters.count(record, generated, report.samples)
            return MatchLearned(
                at=self.standing,
                length=len(record.moves),
                outcome=record.outcome,
                expansions=sum(each.expansions for each in record.spent),
                evaluations=sum(each.evaluations for each in record.spent),
                generated=generated,
                learned=report.samples,
                loss=report.loss,
                start_value=record.values[0],
                memory_full=record.memory_full,
                learning_seconds=self.study.learner.threads_used * (monotonic() - started),
            )

    def _learning_seconds(self) -> tuple[float, float]:
        """Return for how long learning has been busy, and self-play has stalled because of it.

        On a CPU both stand still: the threads are shared, and what makes self-play faster leaves
        more time for learning.
        """
        if self._phases is None or self._on_cpu:
            return 0.0, 0.0
        return self._phases.busy, self._phases.stalled

    # Its parts.

    def _make_evaluator(self) -> NetworkEvaluator:
        hardware, plan = self.config.hardware, self.plan
        return selfplay_evaluator(
            self.network,
            device=plan.device,
            threads=plan.threads,
            precision=hardware.precision,
            backend=hardware.backend,
            concurrency=0 if hardware.deterministic else plan.concurrency,
            branching=plan.branching,
        )

    def _make_workers(self) -> ThreadPoolExecutor | None:
        """Return threads for learning beside self-play, or None for one after the other.

        On a CPU the same threads play and learn. One after the other is the paper's way, the
        deterministic one, and on a CPU the safe one while all matches write to one memory.
        """
        if self.config.hardware.deterministic or self.concurrency == 1:
            return None
        if self._on_cpu and self.resolved is not None:
            return None
        count = self.plan.threads if self._on_cpu else 1
        return ThreadPoolExecutor(count, "worker", prepare_thread)

    @property
    def _syncs_after_every_match(self) -> bool:
        """A GPU takes weights at no cost; one match at a time and determinism are to the letter."""
        to_the_letter = self.config.selfplay.matches == 1 or self.config.hardware.deterministic
        return to_the_letter or not self._on_cpu

    def _hand_over_weights(self) -> None:
        if self.evaluator is not None:
            self.evaluator.update(self.network)
        elif self.source is not None:
            self.source.take_weights(self.network)
