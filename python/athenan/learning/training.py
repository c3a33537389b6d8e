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
from dataclasses import asdict
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any

from athenan._core import MatchRecord, Stop, Stopped
from athenan.evaluators.network import NetworkEvaluator
from athenan.files import Arrays
from athenan.learning.concurrency import Pace, Plan, best, trials
from athenan.learning.events import (
    AtRest,
    Event,
    MatchLearned,
    Playing,
    Preparing,
    Pretrained,
    Sized,
    Standing,
)
from athenan.learning.learner import prepare_thread, raise_if_requested
from athenan.learning.phases import Phases, WeightSync
from athenan.learning.rival import Rival, learn_both, second_after, split
from athenan.learning.schedule import Clock, Counters, Schedule
from athenan.learning.settings import Config
from athenan.learning.study import Study
from athenan.learning.table import Data
from athenan.networks import Model, build_network
from athenan.networks.network import Network
from athenan.selfplay.source import Source
from athenan.selfplay.work import Work

PRETRAINING_CHUNK = 1 << 16  # final states made and learned at a time
PRETRAINING_CHUNK_ON_CPU = 1 << 12  # seconds of work between two progress messages
NEWS_SECONDS = 1.0  # without a match that ended, until an event says how self-play goes on
BACKLOG_ON_CPU, BACKLOG = 8, 64  # matches that may wait for a learner working beside self-play


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
        self.network = build_network(config.network, self.game, config.seed)
        self.stop = Stop()
        """A request to it ends `events` within moments."""
        self.source = source
        self._earlier_work = Work()
        """Of the sources of earlier stages, in this session."""
        self.evaluator = None if source else self.plan.evaluator(self.network, config.hardware)
        # On a CPU learning computes as self-play does, in what was measured to be the fastest.
        precision = self.evaluator.precision if self.evaluator else "float32"
        self.study = Study(config, self.plan, self.network, self.stop, precision)
        self.counters = Counters()
        limits = config.stop
        self.clock = Clock(
            self.stop, 60 * limits.minutes, self._cpu_elsewhere, 60 * limits.cpu_minutes
        )
        self.schedule = Schedule(config, self.game, self.clock)
        self.concurrency = self.plan.concurrency
        self.pace = Pace(self.concurrency, self.concurrency, self.concurrency)
        self.playing = 0
        self.rival = (
            Rival(config, self.plan, self.stop, plays_here=source is None)
            if config.selfplay.networks == 2
            else None
        )
        self._workers = self._make_workers()
        self._phases = Phases[MatchLearned](self._workers)
        self._backlog = BACKLOG_ON_CPU if self.plan.on_cpu else BACKLOG
        self._between_phases = Lock()
        if source is not None:
            source.take_weights(*self.selfplay_networks)

    def _make_workers(self) -> ThreadPoolExecutor | None:
        """Return threads for learning beside self-play, or None for one after the other.

        On a CPU the same threads play and learn. One after the other is the paper's way, the
        deterministic one, and on a CPU the safe one while all matches write to one memory.
        """
        if self.config.hardware.deterministic or self.concurrency == 1:
            return None
        if self._shares_threads and self.study.resolved is not None:
            return None
        count = self.plan.threads if self._shares_threads else 1
        return ThreadPoolExecutor(count, "worker", prepare_thread)

    @property
    def _shares_threads(self) -> bool:
        """Whether self-play and learning have the same cores."""
        return self.plan.on_cpu and not (self.source is not None and self.source.is_elsewhere)

    # The process.

    def events(self) -> Iterator[Event]:
        """Run until the limit of matches or of time is reached, or it is asked to stop."""
        prepare_thread()  # here: the first session of onnxruntime, made before, would undo it
        with suppress(Stopped):
            yield from self._warm_up()
            yield from self._size()
            self.source = self.source or self.local_source()
            self._take_stage(self.source)
            yield from self._prepare(self.source)
            with self.clock.running():
                yield from self._pretrain(self.source)
                yield from self._play_and_learn(self.source)

    def _warm_up(self) -> Iterator[Event]:
        """Compile what a GPU runs, before anything else uses it."""
        if self.plan.on_cpu:
            return
        yield Preparing(self.standing, f"compiling the network for {self.plan.device}")
        if self.evaluator is not None:
            self.evaluator.warm_up()
        raise_if_requested(self.stop)
        self.study.learner.warm_up()

    def _size(self) -> Iterator[Event]:
        """Choose the number of matches at a time by measurement, where it is left open."""
        if not self.plan.is_open or self.evaluator is None or self.source is not None:
            return
        yield Preparing(self.standing, "measuring how many matches at a time suit this machine")
        found = list(trials(self.config, self.plan, self.evaluator, stop=self.stop))
        raise_if_requested(self.stop)
        trial, few = best(found), self.plan.first_concurrency
        self.concurrency = trial.concurrency
        self.pace = Pace(max(few, len(self.counters.unfinished)), few, self.concurrency)
        rate = trial.states_per_second
        backend = f"{self.evaluator.backend} in {self.evaluator.precision}"
        yield Sized(self.standing, self.pace.concurrency, self.concurrency, rate, backend)

    def local_source(self) -> Source:
        """Return self-play on this machine, which the process takes unless it has a source."""
        memory, config = self.study.resolved, self.config.in_stage(self.counters.matches)
        first, *others = self._evaluators
        for second in others:
            return self.plan.source_of_two(config, (first, second), self.concurrency, memory)
        return self.plan.source(config, first, self.concurrency, self._workers, memory)

    @property
    def _evaluators(self) -> list[NetworkEvaluator]:
        """Of self-play on this machine: one for each network that plays."""
        both = self.evaluator, None if self.rival is None else self.rival.evaluator
        return [each for each in both if each is not None]

    def _take_stage(self, source: Source) -> None:
        """Play and learn as the stage at hand wants it."""
        matches = self.counters.matches
        self.study.weigh_values(self.config.in_stage(matches).learning.values_weight)
        source.take_stage(matches)

    def _prepare(self, source: Source) -> Iterator[Event]:
        if source.is_elsewhere:
            yield Preparing(self.standing, "starting self-play workers")
        source.prepare(self.stop)
        self._suit(source)
        if self.study.resolved is not None:
            source.take_resolved(self.study.resolved)

    def _suit(self, source: Source) -> None:
        """Play as many matches at a time as suit the source, where it knows."""
        if (suited := source.suits) is not None and suited[1] != self.concurrency:
            self.concurrency = suited[1]
            self.pace.suit(*suited)

    def _pretrain(self, source: Source) -> Iterator[Event]:
        counters, total = self.counters, self.config.learning.pretraining
        if counters.pretrained < total:
            yield Preparing(self.standing, f"pre-training on {total:,} final states")
        while counters.pretrained < total:
            raise_if_requested(self.stop)
            chunk = PRETRAINING_CHUNK_ON_CPU if self.plan.on_cpu else PRETRAINING_CHUNK
            count = min(chunk, PRETRAINING_CHUNK, total - counters.pretrained)
            seed = self.schedule.pretraining_seed(counters.pretrained)
            ends = self.config.selfplay.terminal, count, seed
            report = self.study.learn_random_ends(*ends)
            if self.rival is not None:
                with second_after(self.study):
                    self.rival.study.learn_random_ends(*ends)
            counters.pretrained += count
            source.take_weights(*self.selfplay_networks)
            yield Pretrained(self.standing, counters.pretrained, total, report.loss)

    def _play_and_learn(self, source: Source) -> Iterator[Event]:
        # A GPU takes weights at no cost; one match at a time and determinism are to the letter.
        to_the_letter = self.config.selfplay.matches == 1 or self.config.hardware.deterministic
        free = not self.plan.on_cpu and not source.is_elsewhere
        sync = WeightSync(source, to_the_letter or free)
        stage_end = self.config.stage_end(self.counters.matches)
        resolved = self.study.resolved
        self.pace.begin(*self._seconds())
        self._begin_matches(source, self.pace.concurrency)
        told = monotonic()
        while not self.stop.requested:
            ended = source.step(self.stop)
            if ended:
                told = monotonic()
            elif monotonic() - told >= NEWS_SECONDS:
                told = monotonic()
                yield Playing(self.standing)
            self.playing -= len(ended)
            self._suit(source)
            self._begin_matches(source, 2 * len(ended))  # two for one while their number grows
            for record in ended:
                if resolved is not None:
                    record.remember(resolved)
                self._phases.add(partial(self._learn, record, sync))
            yield from self._learned(self._backlog)
            if resolved is not None and self.schedule.forgets(self.counters, len(resolved)):
                resolved.clear()
                source.take_resolved(resolved)
            if source.at_rest:
                yield from self._learned(0)
                if not self.stop.requested:
                    yield AtRest(self.standing)
                if self.config.stage_end(self.counters.matches) != stage_end:
                    stage_end = self.config.stage_end(self.counters.matches)
                    if not source.is_elsewhere:
                        self._earlier_work += source.work
                        source.close()
                        source = self.source = self.local_source()
                        sync = WeightSync(source, to_the_letter or free)
                    self._take_stage(source)
                self._begin_matches(source, self.pace.concurrency)
                if not self.playing:
                    break
        yield from self._learned(0)

    def _begin_matches(self, source: Source, max_matches: int) -> None:
        """Begin some matches, if fewer are under way than are to be played at a time."""
        missing = min(max_matches, self.pace.concurrency - self.playing)
        self.playing += self.schedule.begin(missing, source, self.counters)

    def _learned(self, max_missing: int) -> Iterator[Event]:
        """Yield the phases that are done; wait for all but a number of them."""
        for learned in self._phases.finished(max_missing):
            self.pace.learned(*self._seconds())
            yield learned

    def _learn(self, record: MatchRecord, sync: WeightSync) -> MatchLearned:
        """Make the learning phase of one match; a request to stop leaves the match unfinished.

        Beside self-play on a CPU it has one thread; all of them once self-play waits for learning.
        """
        beside = self._workers is not None and self._shares_threads
        with self._between_phases:
            raise_if_requested(self.stop)
            started = monotonic()
            alone = beside and self._phases.waiting < self._backlog
            self.study.learner.threads = 1 if alone else self.plan.threads
            if self.rival is not None:
                self.rival.study.learner.threads = self.study.learner.threads
            progress = self.schedule.progress(self.counters.matches + 1, self.counters)
            if self.rival is None:
                generated, report = self.study.learn_match(Data.of_match(record), progress)
            else:
                generated, report = learn_both(self.study, self.rival, record, progress)
            self.counters.count(record, generated, report.samples)
            learned = MatchLearned(
                at=self.standing,
                length=len(record.moves),
                outcome=record.outcome,
                expansions=sum(each.expansions for each in record.spent),
                evaluations=sum(each.evaluations for each in record.spent),
                generated=generated,
                learned=report.samples,
                loss=report.loss,
                move_loss=report.move_loss,
                start_value=record.values[0],
                memory_full=record.memory_full,
                learning_seconds=self.study.learner.threads_used * (monotonic() - started),
            )
            if self.schedule.is_over(self.counters) and not self.config.hardware.deterministic:
                self.stop.request()  # a deterministic process ends the matches under way
        sync.learned(self.selfplay_networks, self.pace.concurrency)
        return learned

    def _cpu_elsewhere(self) -> float:
        return self.source.cpu_seconds if self.source is not None else 0.0

    def _seconds(self) -> tuple[float, float, float]:
        """Return the time so far, that of learning, and how long self-play has waited for it.

        Where threads are shared, the latter two stand still: what makes self-play faster leaves
        more time for learning.
        """
        learning = (0.0, 0.0) if self._shares_threads else (self._phases.busy, self._phases.stalled)
        return self.clock.seconds(), *learning

    # What others may do between two events.

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do something else, which is not time of training; the network keeps its weights."""
        with self.clock.paused(), self._between_phases:
            yield

    @property
    def progress(self) -> float:
        """t / t_max; 0 for a process without an end."""
        return self.schedule.progress(self.counters.matches, self.counters)

    @property
    def standing(self) -> Standing:
        """Where it stands now."""
        return Standing(
            seconds=self.clock.seconds(),
            progress=self.progress,
            matches=self.counters.matches,
            playing=self.playing,
            work=self._earlier_work + (self.source.work if self.source else Work()),
            waiting=self._phases.waiting,
            workers=self.source.workers if self.source else (),
            dashboard=self.source.dashboard if self.source else "",
        )

    @property
    def failure(self) -> str:
        """Why it stopped without a request; empty if nothing failed."""
        return self.study.learner.failure

    @property
    def best_network(self) -> Network:
        """The network to play with: that of the averaged weights, where there is one."""
        return self.study.average or self.network

    @property
    def selfplay_network(self) -> Network:
        """The network whose weights self-play takes."""
        return self.best_network if self.config.selfplay.averaged else self.network

    @property
    def selfplay_networks(self) -> tuple[Network, ...]:
        """That network, and the second one where two play each other."""
        second = () if self.rival is None else (self.rival.selfplay_network,)
        return (self.selfplay_network, *second)

    @property
    def model(self) -> Model:
        """What has been learned, ready to be saved or to play."""
        with self._between_phases:
            network, matches = copy.deepcopy(self.best_network), self.counters.matches
        return model_of(self.config, network, matches)

    def state(self) -> tuple[Arrays, dict[str, Any]]:
        """Return everything that a resumed process needs: arrays, and plain values."""
        with self._between_phases:
            self.counters.seconds = self.clock.seconds()
            self.counters.cpu_seconds = self.clock.cpu_seconds()
            random = self.study.random.bit_generator.state
            arrays = self.study.arrays()
            values = {"counters": asdict(self.counters), "random": random}
            if self.rival is not None:
                others, more = self.rival.state()
                arrays, values = arrays | others, values | more
            return arrays, values

    def restore(self, arrays: Arrays, values: dict[str, Any]) -> None:
        """Become what `state` described; before it begins."""
        self.counters = Counters(**values["counters"])
        self.study.random.bit_generator.state = values["random"]
        arrays, others = split(arrays)
        self.study.restore(arrays)
        if self.rival is not None:
            self.rival.restore(others, values)
        self.clock.set(self.counters.seconds, self.counters.cpu_seconds)
        self.schedule.begin_again(self.counters.unfinished)
        self.hand_over_weights()

    def start_from(self, network: Network, moments: Arrays | None = None) -> None:
        """Take the weights of a network of the same shape, and moments; before it begins."""
        self.study.start_from(network)
        if moments is not None:
            self.study.learner.restore(moments)
        self.hand_over_weights()

    def hand_over_weights(self) -> None:
        """Let self-play take the weights that it is to play with."""
        if self.source is not None:
            self.source.take_weights(*self.selfplay_networks)
            return
        for evaluator, network in zip(self._evaluators, self.selfplay_networks, strict=True):
            evaluator.update(network)

    def rest(self) -> None:
        """Wait for what is under way; its events come later."""
        if self.source is not None:
            self.source.rest()
        self._phases.rest()

    def close(self) -> None:
        """End everything that is under way, and the threads."""
        self.stop.request()
        if self.source is not None:
            self.source.close()
        if self._workers is not None:
            self._workers.shutdown(wait=True, cancel_futures=True)
        self.study.learner.close()
        if self.rival is not None:
            self.rival.close()
        if self.evaluator is not None:
            self.evaluator.close()


def model_of(config: Config, network: Network, matches: int) -> Model:
    """Return a network that has learned this many matches, ready to be saved or to play."""
    info = {"matches": str(matches)} | ({"origin": config.origin} if config.origin else {})
    search = str(config.selfplay.playing_spec)
    return Model(network, config.game, search, info, config.game_sha256)
