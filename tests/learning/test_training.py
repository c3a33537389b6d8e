"""The learning process: how much is learned, with which progress, on whose time."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from athenan import Error, PositionError
from athenan.evaluators.backends import installed_backends
from athenan.files import checksum
from athenan.learning.events import (
    AtRest,
    Event,
    MatchLearned,
    Preparing,
    Pretrained,
    Sized,
    Standing,
)
from athenan.learning.phases import MAX_AGE, SHARE
from athenan.learning.training import Training
from athenan.reference import replay as reference
from athenan.runs.metrics import Period
from athenan.selfplay.work import Work
from processes import start
from small_runs import small_config
from sources import Elsewhere, Recorded
from trainings import matches_of, watched

DETERMINISTIC = {"deterministic": True, "threads": 1}


class First:
    """The random source of the reference when only numbers of pairs are looked at."""

    def below(self, _n: int) -> int:
        return 0

    def uniform(self) -> float:
        return 0.0


def learned_by_the_reference(matches: list[MatchLearned], replay: dict[str, Any]) -> list[int]:
    """How many pairs each phase learns of matches of these sizes, by the paper's algorithms."""
    stratified = reference.StratifiedMemory(replay["size"], replay.get("duplication", 0))
    plain = reference.ReplayMemory(
        replay["size"], replay.get("sampling", 0), replay.get("unit", "matches")
    )
    counts = []
    for match in matches:
        data: Any = [(None, 0.0)] * match.generated
        if replay["kind"] == "stratified":
            batches = reference.stratified_experience_replay(data, stratified, 32, First())
        else:
            batches = [reference.experience_replay(data, plain, First())]
        counts.append(sum(map(len, batches)))
    return counts


@pytest.mark.parametrize("slots", [1, 7])
@pytest.mark.parametrize(
    "replay",
    [
        {"kind": "stratified", "size": 4, "duplication": 2.5},
        {"kind": "stratified", "size": 30, "duplication": 3},
        {"kind": "experience", "unit": "matches", "size": 5, "sampling": 0.3},
        {"kind": "experience", "unit": "pairs", "size": 400, "sampling": 0.1},
    ],
)
def test_each_phase_learns_as_much_as_that_of_the_reference(
    replay: dict[str, Any], slots: int, made: list[Training]
) -> None:
    changes = {"selfplay": {"matches": slots}, "learning": {"replay": replay}}
    made.append(Training(small_config(changes, {"stop": {"matches": 15}})))
    matches = matches_of(made[0])
    assert [match.at.matches for match in matches] == list(range(1, 16))
    assert [match.learned for match in matches] == learned_by_the_reference(matches, replay)
    assert made[0].counters.learned == sum(match.learned for match in matches)
    assert made[0].counters.generated == sum(match.generated for match in matches)


@pytest.mark.parametrize("slots", [1, 12])
def test_what_is_generated_is_learned_delta_times(slots: int, made: list[Training]) -> None:
    mu, delta, count = 4, 3, 50
    changes = {
        "selfplay": {"matches": slots},
        "learning": {"replay": {"kind": "stratified", "size": mu, "duplication": delta}},
    }
    made.append(Training(small_config(changes, {"stop": {"matches": count}})))
    matches = matches_of(made[0])
    learned = sum(match.learned for match in matches)
    sizes = [match.generated for match in matches]
    # The last matches are still in memory; a quota is rounded up, once per match and phase.
    assert delta * sum(sizes[: count - mu + 1]) <= learned <= delta * sum(sizes) + mu * count
    warm = matches[2 * mu :]
    ratio = sum(match.learned for match in warm) / sum(match.generated for match in warm)
    assert ratio == pytest.approx(delta, rel=0.15)


def progress_of_matches(training: Training) -> list[float]:
    source = watched(training)
    matches_of(training)
    return [progress for _, progress, _ in source.added]


@pytest.mark.parametrize("slots", [1, 4])
def test_an_annealed_selection_is_told_the_progress(slots: int, made: list[Training]) -> None:
    selection = {"matches": slots, "selection": "epsilon-greedy:schedule=annealed"}
    made.append(Training(small_config({"selfplay": selection, "stop": {"matches": 8}})))
    assert progress_of_matches(made[0]) == [(index + 1) / 8 for index in range(8)]


@pytest.mark.parametrize("slots", [1, 4])
def test_the_progress_of_learning_is_that_of_matches_learned(
    slots: int, made: list[Training], monkeypatch: pytest.MonkeyPatch
) -> None:
    made.append(Training(small_config({"selfplay": {"matches": slots}, "stop": {"matches": 8}})))
    annealed: list[float] = []
    monkeypatch.setattr(made[0].study.learner, "anneal", annealed.append)
    told = [each.at.progress for each in made[0].events() if isinstance(each, MatchLearned)]
    assert annealed == told == [(index + 1) / 8 for index in range(8)]


def test_progress_in_time(made: list[Training]) -> None:
    limit = {"stop": {"matches": 0, "minutes": 0.3 / 60}}
    made.append(Training(small_config({"selfplay": {"matches": 1}}, limit)))
    given = progress_of_matches(made[0])
    assert given[0] < 0.5
    assert given == sorted(given)
    assert 0.3 <= made[0].clock.seconds() < 2
    assert made[0].progress == 1.0


def test_a_process_without_an_end_makes_no_progress(made: list[Training]) -> None:
    made.append(Training(small_config({"stop": {"matches": 0}})))
    for event in made[0].events():
        if isinstance(event, MatchLearned) and event.at.matches == 5:
            made[0].stop.request()
    assert made[0].progress == 0.0


def test_the_clock_stands_outside_training(made: list[Training]) -> None:
    training = Training(small_config({"checkpoints": {"every_matches": 0}}))
    made.append(training)
    time.sleep(0.02)
    assert training.clock.seconds() == 0.0
    events = training.events()
    next(events)
    assert (before := training.clock.seconds()) > 0
    with training.paused():
        inside = training.clock.seconds()
        time.sleep(0.02)
        assert training.clock.seconds() == inside
        assert before <= inside
    assert training.state()[1]["counters"]["seconds"] >= inside
    for _ in events:
        pass
    end = training.clock.seconds()
    time.sleep(0.02)
    assert training.clock.seconds() == end > inside
    other = Training(training.config)
    made.append(other)
    other.restore(*training.state())
    assert other.clock.seconds() == end


def standing(seconds: float, matches: int, evaluated: int) -> Standing:
    return Standing(seconds, 0.5, matches, 3, Work(evaluations=evaluated))


def match(at: Standing, **facts: Any) -> MatchLearned:
    usual: dict[str, Any] = dict(length=9, outcome=1, expansions=50, evaluations=400, generated=100)
    usual |= dict(learned=200, loss=0.5, start_value=0.1, memory_full=0, learning_seconds=0.1)
    return MatchLearned(at=at, **(usual | facts))


def test_a_replay_memory_with_foreign_contents_is_refused(made: list[Training]) -> None:
    made.append(Training(small_config({"stop": {"matches": 2}})))
    assert matches_of(made[0])
    arrays, values = made[0].state()
    made.append(Training(made[0].config))
    foreign = arrays["replay.states"].copy()
    foreign[1, 16:] = 255
    with pytest.raises(PositionError, match="are not a state of"):
        made[1].restore(arrays | {"replay.states": foreign}, values)
    wrong = np.full_like(arrays["replay.values"], np.nan)
    with pytest.raises(Error, match="replay memory is not a finite number"):
        made[1].restore(arrays | {"replay.values": wrong}, values)
    made[1].restore(arrays, values)


def test_the_speed_counts_matches_in_progress() -> None:
    """A match was played in earlier periods too: its own evaluations are no measure of speed."""
    first = match(standing(12.0, 5, 3000), learned=100, loss=1.0, memory_full=2)
    second = match(standing(14.0, 6, 5000), learned=300, loss=2.0, length=11)
    line = Period(standing(10.0, 4, 1000), [first, second]).line()
    assert line["states_per_second"] == (5000 - 1000) / 4
    assert line["learned_per_second"] == 400 / 4
    assert line["matches_per_hour"] == 1800
    assert (line["matches"], line["seconds"], line["concurrency"]) == (6, 14.0, 3)
    assert (line["loss"], line["length"], line["memory_full"]) == (1.75, 10, 2)


def test_events_tell_how_much_was_evaluated(made: list[Training]) -> None:
    training = Training(small_config({"selfplay": {"matches": 8}}))
    made.append(training)
    events = list(training.events())
    seen = [event.at.work.evaluations for event in events]
    assert seen == sorted(seen)
    assert isinstance(events[-1], AtRest)
    assert seen[-1] == training.counters.evaluations
    (first, *_) = [event for event in events if isinstance(event, MatchLearned)]
    assert first.evaluations < first.at.work.evaluations


def test_matches_end_one_after_the_other_with_one_at_a_time(made: list[Training]) -> None:
    made.append(Training(small_config({"selfplay": {"matches": 1}, "stop": {"matches": 6}})))
    unfinished = [
        list(made[0].counters.unfinished)
        for event in made[0].events()
        if isinstance(event, MatchLearned)
    ]
    assert all(len(each) <= 1 for each in unfinished)
    assert unfinished[-1] == []


def test_pretraining_lowers_the_error_on_final_states(
    made: list[Training], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("athenan.learning.training.PRETRAINING_CHUNK", 500)
    made.append(Training(small_config({"learning": {"pretraining": 4000}})))
    events: list[Event] = []
    for event in made[0].events():
        if not isinstance(event, Pretrained | Preparing):
            break
        events.append(event)
    parts = [event for event in events if isinstance(event, Pretrained)]
    assert [part.learned for part in parts] == list(range(500, 4001, 500))
    assert parts[-1].loss < 0.7 * parts[0].loss
    assert made[0].counters.pretrained == 4000


def test_a_device_that_is_not_there_is_refused() -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(Error, match="needs a CUDA device"):
        Training(small_config({"hardware": {"device": "cuda"}}))


def test_the_model_is_a_copy(made: list[Training]) -> None:
    import torch

    made.append(Training(small_config()))
    model = made[0].model
    before = [parameter.detach().clone() for parameter in model.network.parameters()]
    matches_of(made[0])
    for mine, kept in zip(model.network.parameters(), before, strict=True):
        assert torch.equal(mine, kept)
    changed = zip(before, made[0].network.parameters(), strict=True)
    assert not all(torch.equal(old, new) for old, new in changed)
    assert (model.info["matches"], made[0].model.info["matches"]) == ("0", "12")


def test_the_number_of_matches_is_measured_where_it_is_open(made: list[Training]) -> None:
    training = Training(small_config({"selfplay": {"matches": 0}, "stop": {"matches": 3}}))
    made.append(training)
    events = list(training.events())
    (sized,) = [event for event in events if isinstance(event, Sized)]
    assert isinstance(events[0], Preparing)
    assert events[1] is sized
    assert training.concurrency == sized.concurrency > 0
    assert sized.states_per_second > 0
    assert sized.backend.partition(" in ")[0] in installed_backends()
    assert training.counters.matches == 3


def test_a_deterministic_process_measures_nothing(made: list[Training]) -> None:
    hardware = {"deterministic": True, "threads": 1}
    settings = {"selfplay": {"matches": 0}, "stop": {"matches": 2}, "hardware": hardware}
    training = Training(small_config(settings))
    made.append(training)
    assert not any(isinstance(event, Sized) for event in training.events())


@pytest.mark.parametrize("changes", [{"selfplay": {"matches": 1}}, {"hardware": DETERMINISTIC}])
def test_a_process_to_the_letter_always_plays_with_the_newest_weights(
    changes: dict[str, Any], made: list[Training]
) -> None:
    training = Training(small_config(changes, {"stop": {"matches": 5}}))
    made.append(training)
    taken = watched(training, weights_cost=0.02).weights_taken_after
    phases = 0
    for event in training.events():
        phases += isinstance(event, MatchLearned)
        assert not taken or taken[-1] <= phases
    assert phases == 5
    assert len(taken) == len({*taken})
    assert taken[-1] == 5


def test_new_weights_wait_while_they_would_cost_too_much(made: list[Training]) -> None:
    """But no longer than until a sixteenth of the matches at a time is learned."""
    training = Training(small_config({"selfplay": {"matches": 48}, "stop": {"matches": 120}}))
    made.append(training)
    taken = watched(training, weights_cost=0.02).weights_taken_after
    start = time.monotonic()
    assert len(matches_of(training)) == 120
    elapsed = time.monotonic() - start
    at_least = 120 / (MAX_AGE * 48)
    assert at_least <= len(taken) <= at_least + 1 + SHARE * elapsed / 0.02
    assert max(later - sooner for sooner, later in pairwise(taken)) <= MAX_AGE * 48


@pytest.mark.parametrize("backend", installed_backends())
def test_the_backend_is_the_one_that_is_named(backend: str, made: list[Training]) -> None:
    made.append(Training(small_config({"hardware": {"backend": backend}, "stop": {"matches": 3}})))
    assert made[0].evaluator is not None
    assert made[0].evaluator.backend == backend
    assert len(matches_of(made[0])) == 3


def test_a_deterministic_process_has_the_same_backend_every_time(made: list[Training]) -> None:
    for _ in range(3):
        made.append(Training(small_config({"hardware": DETERMINISTIC})))
    found = {training.evaluator.backend for training in made if training.evaluator}
    assert found == {installed_backends()[0]}


def test_matches_begin_with_random_moves_if_asked(made: list[Training]) -> None:
    openings = []
    for seed in (5, 5, 6):
        changes = {"seed": seed, "selfplay": {"random_moves": 3}, "stop": {"matches": 60}}
        made.append(Training(small_config(changes)))
        source = watched(made[-1])
        matches_of(made[-1])
        openings.append([tuple(opening) for _, _, opening in sorted(source.added)])
    assert openings[0] == openings[1] != openings[2]
    assert {len(opening) for opening in openings[0]} == {0, 1, 2, 3}
    assert len(set(openings[0])) > 20


def test_random_first_moves_are_played_and_not_learned(made: list[Training]) -> None:
    made.append(Training(small_config({"selfplay": {"random_moves": 4, "matches": 1}})))
    source = watched(made[0])
    matches_of(made[0])
    assert len(source.ended) == 12
    for record, (index, _, opening) in zip(source.ended, source.added, strict=True):
        assert record.index == index
        assert list(record.moves[: len(opening)]) == opening
        assert len(record.values) == len(record.moves) - len(opening)


@pytest.mark.parametrize("kind", ["experience", "stratified"])
def test_a_snapshot_does_not_change_while_it_is_written(kind: str, made: list[Training]) -> None:
    """The process learns on meanwhile, on other threads."""
    made.append(Training(small_config({"learning": {"replay": {"kind": kind}}})))
    events = made[0].events()
    while made[0].counters.matches < 2:
        next(events)
    arrays, values = made[0].state()
    before = checksum(arrays, values)
    for _ in events:
        pass
    assert checksum(arrays, values) == before
    assert checksum(*made[0].state()) != before


# Sources.


def weights_of(training: Training) -> bytes:
    return b"".join(p.detach().numpy().tobytes() for p in training.network.parameters())


def test_matches_may_come_from_elsewhere(made: list[Training]) -> None:
    """Steps in another thread, or records of matches played before, give the same weights."""
    config = small_config({"hardware": DETERMINISTIC, "selfplay": {"matches": 1}})
    usual, elsewhere = Training(config), Training(config)
    made += [usual, elsewhere]
    source = watched(usual)
    learned = matches_of(usual)
    elsewhere.source = Elsewhere(elsewhere.local_source())
    assert [each.loss for each in matches_of(elsewhere)] == [each.loss for each in learned]
    assert weights_of(elsewhere) == weights_of(usual)
    replayed = Training(config, source=Recorded(source.ended))
    made.append(replayed)
    assert [each.loss for each in matches_of(replayed)] == [each.loss for each in learned]
    assert weights_of(replayed) == weights_of(usual)


DENORMAL = """
import torch
from athenan.learning.training import Training
from small_runs import small_config
training = Training(small_config({"hardware": {"deterministic": True}, "stop": {"matches": 1}}))
for event in training.events():
    print(float(torch.tensor(1e-40) * 1.0))
training.close()
"""


def test_learning_flushes_denormal_numbers_whatever_runs_the_network() -> None:
    """In a process of its own: the first session of onnxruntime switches that off."""
    told, complaints = start("-c", DENORMAL).communicate(timeout=100)
    assert set(told.split()) == {"0.0"}, complaints
