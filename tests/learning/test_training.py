"""The learning process: how much is learned, with which progress, on whose time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from athenan import Error
from athenan.evaluators.cpu_backends import installed_backends
from athenan.learning.events import AtRest, Event, MatchLearned, Pretrained, Sized
from athenan.learning.renewal import OLDEST, SHARE
from athenan.learning.training import Training
from athenan.networks import Network
from athenan.reference import replay as reference
from athenan.runs.metrics import Interval
from small_runs import small_config

DETERMINISTIC = {"deterministic": True, "threads": 1}


@pytest.fixture
def made() -> Iterator[list[Training]]:
    trainings: list[Training] = []
    yield trainings
    for training in trainings:
        training.close()


def matches_of(training: Training) -> list[MatchLearned]:
    return [event for event in training.events() if isinstance(event, MatchLearned)]


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
    assert [match.matches for match in matches] == list(range(1, 16))
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
    given: list[float] = []
    add = training.rounds.add

    def noting(index: int, seed: int, progress: float, opening: Any = ()) -> None:
        given.append(progress)
        add(index, seed, progress, opening)

    training.rounds.add = noting  # type: ignore[method-assign]
    matches_of(training)
    return given


@pytest.mark.parametrize("slots", [1, 4])
def test_an_annealed_selection_is_told_the_progress(slots: int, made: list[Training]) -> None:
    selection = {"matches": slots, "selection": "epsilon-greedy:schedule=annealed"}
    made.append(Training(small_config({"selfplay": selection, "stop": {"matches": 8}})))
    assert progress_of_matches(made[0]) == [(index + 1) / 8 for index in range(8)]


def test_progress_in_time(made: list[Training]) -> None:
    limit = {"stop": {"matches": 0, "minutes": 0.3 / 60}}
    made.append(Training(small_config({"selfplay": {"matches": 1}}, limit)))
    given = progress_of_matches(made[0])
    assert given[0] < 0.5
    assert given == sorted(given)
    assert 0.3 <= made[0].seconds() < 10
    assert made[0].progress == 1.0


def test_a_process_without_an_end_makes_no_progress(made: list[Training]) -> None:
    made.append(Training(small_config({"stop": {"matches": 0}})))
    for event in made[0].events():
        if isinstance(event, MatchLearned) and event.matches == 5:
            made[0].stop_soon()
    assert made[0].progress == 0.0


def test_the_clock_stands_outside_training(made: list[Training]) -> None:
    training = Training(small_config({"checkpoints": {"every_matches": 0}}))
    made.append(training)
    time.sleep(0.02)
    assert training.seconds() == 0.0
    events = training.events()
    next(events)
    assert (before := training.seconds()) > 0
    with training.paused():
        inside = training.seconds()
        time.sleep(0.02)
        assert training.seconds() == inside
        assert before <= inside
    assert training.state()[1]["counters"]["seconds"] >= inside
    for _ in events:
        pass
    end = training.seconds()
    time.sleep(0.02)
    assert training.seconds() == end > inside
    other = Training(training.config)
    made.append(other)
    other.restore(*training.state())
    assert other.seconds() == end


def test_the_speed_counts_matches_in_progress(made: list[Training]) -> None:
    training = Training(small_config({"selfplay": {"matches": 8}}))
    made.append(training)
    whole = Interval.beginning_now(training)
    rates: list[float] = []
    interval = whole
    for event in training.events():
        if isinstance(event, MatchLearned):
            interval = Interval(interval.seconds, interval.evaluated, [event])
            line = interval.line(training)
            elapsed = training.seconds() - interval.seconds
            rates.append(line["states_per_second"] * elapsed)
            if len(rates) == 1:
                assert line["evaluations"] < training.rounds.work.evaluations
            interval = Interval.beginning_now(training)
        elif isinstance(event, AtRest):
            assert training.rounds.work.evaluations == training.counters.evaluations
    assert all(rate >= 0 for rate in rates)
    assert sum(rates) <= training.counters.evaluations * 1.5


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
        if not isinstance(event, Pretrained):
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
    with pytest.raises(Error, match="no CUDA device"):
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
    assert events[0] is sized
    assert training.slots == sized.matches > 0
    assert sized.states_per_second > 0
    assert sized.backend == training.evaluator.backend
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
    renewals = count_renewals(training, seconds=0.02)
    phases = 0
    for event in training.events():
        phases += isinstance(event, MatchLearned)
        assert not renewals or renewals[-1] <= phases
    assert phases == 5
    assert len(renewals) == len({*renewals})
    assert renewals[-1] == 5


def test_new_weights_wait_while_they_would_cost_too_much(made: list[Training]) -> None:
    """But no longer than until a sixteenth of the matches at a time is learned."""
    training = Training(small_config({"selfplay": {"matches": 48}, "stop": {"matches": 120}}))
    made.append(training)
    renewals = count_renewals(training, seconds=0.02)
    start = time.monotonic()
    assert len(matches_of(training)) == 120
    elapsed = time.monotonic() - start
    at_least = 120 / (OLDEST * 48)
    assert at_least <= len(renewals) <= at_least + 1 + SHARE * elapsed / 0.02
    assert max(later - sooner for sooner, later in pairwise(renewals)) <= OLDEST * 48


def count_renewals(training: Training, seconds: float) -> list[int]:
    """Make new weights cost some time; return the number of matches learned at each renewal."""
    found: list[int] = []
    update = training.evaluator.update

    def slow(network: Network) -> None:
        time.sleep(seconds)
        update(network)
        found.append(training.counters.matches)

    training.evaluator.update = slow  # type: ignore[method-assign]
    return found


@pytest.mark.parametrize("backend", installed_backends())
def test_the_backend_is_the_one_that_is_named(backend: str, made: list[Training]) -> None:
    made.append(Training(small_config({"hardware": {"backend": backend}, "stop": {"matches": 3}})))
    assert made[0].evaluator.backend == backend
    assert len(matches_of(made[0])) == 3


def test_a_deterministic_process_has_the_same_backend_every_time(made: list[Training]) -> None:
    for _ in range(3):
        made.append(Training(small_config({"hardware": DETERMINISTIC})))
    assert {training.evaluator.backend for training in made} == {installed_backends()[0]}


def test_matches_begin_with_random_moves_if_asked(made: list[Training]) -> None:
    for seed in (5, 5, 6):
        made.append(Training(small_config({"seed": seed, "selfplay": {"random_moves": 3}})))
    openings = [[tuple(each.opening(index)) for index in range(60)] for each in made]
    assert openings[0] == openings[1] != openings[2]
    assert {len(opening) for opening in openings[0]} == {0, 1, 2, 3}
    assert len(set(openings[0])) > 20
    made.append(Training(small_config()))
    assert all(made[-1].opening(index) == [] for index in range(20))


def test_random_first_moves_are_played_and_not_learned(made: list[Training]) -> None:
    made.append(Training(small_config({"selfplay": {"random_moves": 4, "matches": 1}})))
    training, records = made[0], []
    phase = training._phase

    def noting(record: Any) -> MatchLearned:
        records.append(record)
        return phase(record)

    training._phase = noting  # type: ignore[method-assign]
    matches_of(training)
    assert len(records) == 12
    for record in records:
        opening = list(training.opening(record.index))
        assert list(record.moves[: len(opening)]) == opening
        assert len(record.values) == len(record.moves) - len(opening)
