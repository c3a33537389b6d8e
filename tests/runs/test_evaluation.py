"""Evaluation during training: when, with which weights, and who may call which evaluator."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from athenan import Error
from athenan._core import Stop
from athenan.arena import matches as arena
from athenan.evaluators.network import network_evaluator
from athenan.learning.settings import Config
from athenan.learning.training import Training
from athenan.runs import Run, evaluation
from athenan.runs.evaluation import Duels, Solos, make_examiner
from athenan.runs.metrics import Line, TensorBoard, read_metrics
from athenan.runs.session import Session
from small_runs import DETERMINISTIC, Watcher, go_on, learned, small_config, train

SEARCH = "ubfm-safe:expansions=3"


def examiner(game: str = "tic_tac_toe", **settings: Any) -> Duels:
    chosen = {"opponent": "mcts:iterations=10", "search": SEARCH, "matches": 6, "every_matches": 1}
    return Duels(small_config({"game": game, "evaluation": chosen | settings}))


@pytest.fixture
def training() -> Iterator[Training]:
    made = Training(small_config())
    yield made
    made.close()


class Users:
    """Notes which threads use which evaluator."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, training: Training) -> None:
        self.threads: dict[int, set[int]] = defaultdict(set)
        self.made: list[Any] = [self.watched(training.evaluator)]
        monkeypatch.setattr(training, "evaluator", self.made[0])
        monkeypatch.setattr(evaluation, "network_evaluator", self.make)

    def make(self, *arguments: Any, **options: Any) -> Any:
        self.made.append(self.watched(network_evaluator(*arguments, **options)))
        return self.made[-1]

    def watched(self, evaluator: Any) -> Any:
        evaluate = type(evaluator).evaluate
        threads = self.threads

        class Watched(type(evaluator)):  # type: ignore[misc]
            def evaluate(self, planes: Any, moves: Any = None) -> Any:
                threads[id(self)].add(threading.get_ident())
                return evaluate(self, planes, moves)

        evaluator.__class__ = Watched
        return evaluator


@pytest.mark.parametrize(
    ("opponent", "search"),
    [("mcts:seconds=0.003", SEARCH), ("mcts:iterations=5", "ubfm-safe:seconds=0.003")],
)
def test_with_a_clock_each_worker_has_an_evaluator_of_its_own(
    opponent: str, search: str, training: Training, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena, "available_cores", lambda: 3)
    users = Users(monkeypatch, training)
    line = examiner(opponent=opponent, search=search, matches=12).examine(training, Stop())
    assert line is not None
    assert line["played"] == 12
    assert len(users.made) == 4
    assert all(each.threads == 1 for each in users.made[1:])
    assert id(users.made[0]) not in users.threads
    assert 1 <= len(users.threads) <= 3
    for threads in users.threads.values():
        assert len(threads - {threading.get_ident()}) <= 1  # this one tries each of them first


def test_without_a_clock_all_matches_share_the_trainings_evaluator(
    training: Training, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena, "available_cores", lambda: 3)
    users = Users(monkeypatch, training)
    lines = [examiner().examine(training, Stop()) for _ in range(2)]
    assert lines[0] == lines[1]
    assert len(users.made) == 1
    assert set(users.threads) == {id(users.made[0])}
    assert lines[0] is not None
    assert lines[0]["wins"] + lines[0]["draws"] + lines[0]["losses"] == lines[0]["played"] == 6
    assert lines[0]["low"] <= lines[0]["win_rate"] <= lines[0]["high"]


def test_the_latest_weights_play(training: Training) -> None:
    with torch.no_grad():
        training.network.output.bias.add_(100)
    planes = training.game.encode([training.game.initial_state()])
    assert training.evaluator is not None
    before = training.evaluator(planes)
    examiner().examine(training, Stop())
    assert np.all(training.evaluator(planes) > before + 99)


def test_a_stopped_series_says_nothing(training: Training) -> None:
    stop = Stop()
    threading.Timer(0.3, stop.request).start()
    start = time.monotonic()
    endless = examiner(opponent="mcts:iterations=100000000", matches=100)
    assert endless.examine(training, stop) is None
    assert time.monotonic() - start < 1.3


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"opponent": "nobody"}, "there is no player 'nobody'"),
        ({"search": "mcts:iterations=5"}, "evaluation.search is 'mcts:iterations=5'"),
        ({"search": "puct:expansions=5"}, "evaluation.search is 'puct:expansions=5'"),
        ({"search": "ubfm:expansion=5"}, "expansion"),
        ({"search": "ubfm"}, "search is 'ubfm', which has no limit: .* as in ubfm:expansions=50"),
        ({"opponent": "mcts:c=1"}, "opponent is 'mcts:c=1', .* as in mcts:expansions=50"),
        ({"game": "hex:size=5", "opponent": "hex-5"}, "as in hex-5@expansions=50"),
    ],
)
def test_impossible_evaluations_are_refused(settings: dict[str, str], words: str) -> None:
    with pytest.raises(Error, match=words):
        examiner(**settings)


def test_an_impossible_evaluation_is_refused_before_anything_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("athenan.runs.session.Training", lambda *_, **__: pytest.fail("it began"))
    config = small_config({"evaluation": {"search": "ubfm", "every_matches": 1}})
    with pytest.raises(Error, match="has no limit"):
        Session(Run(tmp_path / "run"), config)


def evaluations(path: Path) -> list[Line]:
    return [
        {name: value for name, value in line.items() if name != "seconds"}
        for line in read_metrics(path / "metrics.jsonl")
        if line["kind"] == "evaluation"
    ]


def test_evaluations_come_when_they_are_due_in_a_resumed_run_too(tmp_path: Path) -> None:
    wanted = {"opponent": "random", "search": SEARCH, "matches": 4, "every_matches": 5}
    config = small_config(DETERMINISTIC, {"selfplay": {"matches": 1}, "evaluation": wanted})
    train(tmp_path / "once", config)
    lines = evaluations(tmp_path / "once")
    assert [line["matches"] for line in lines] == [0, 5, 10, 12]
    train(tmp_path / "run", config, Watcher(learned(9)))
    go_on(tmp_path / "run")
    assert evaluations(tmp_path / "run") == lines


# Games for one.

ALONE = {
    "game": "morpion",
    "selfplay": {"search": "descent:expansions=1", "matches": 1},
    "stop": {"matches": 2},
}


def solo_config(**settings: Any) -> Config:
    chosen = {"search": "ubfm-safe:expansions=1", "matches": 4, "every_matches": 1} | settings
    return small_config(ALONE, {"evaluation": chosen})


@pytest.fixture
def alone() -> Iterator[Training]:
    made = Training(solo_config())
    yield made
    made.close()


def test_a_game_for_one_is_played_alone_and_its_score_counts(alone: Training) -> None:
    line = Solos(solo_config()).examine(alone, Stop())
    assert line is not None
    assert (line["kind"], line["matches"], line["played"]) == ("evaluation", 0, 4)
    assert 20 < line["mean_score"] <= line["best_score"] <= 84
    assert line["best_score"] == int(line["best_score"])
    assert "opponent" not in line
    assert Solos(solo_config()).examine(alone, Stop()) == line


def test_the_scores_are_those_of_the_latest_weights(alone: Training) -> None:
    lines = []
    for sign in (1, -1):
        with torch.no_grad():
            for parameter in alone.network.parameters():
                parameter.mul_(sign)
        lines.append(Solos(solo_config(matches=3)).examine(alone, Stop()))
    assert lines[0] != lines[1]


def test_a_game_for_one_may_be_played_by_the_clock_and_stopped(alone: Training) -> None:
    line = Solos(solo_config(search="ubfm-safe:seconds=0.001", matches=2)).examine(alone, Stop())
    assert line is not None
    assert line["played"] == 2
    stop = Stop()
    threading.Timer(0.3, stop.request).start()
    endless = Solos(solo_config(search="ubfm-safe:expansions=100000000", matches=2))
    assert endless.examine(alone, stop) is None


def test_no_opponent_or_no_time_means_no_evaluation() -> None:
    assert make_examiner(small_config(ALONE, {"evaluation": {"opponent": ""}})) is None
    assert make_examiner(small_config(ALONE)) is None
    assert make_examiner(small_config({"evaluation": {"opponent": ""}})) is None
    assert make_examiner(small_config()) is None
    assert isinstance(make_examiner(solo_config()), Solos)
    assert isinstance(make_examiner(small_config({"evaluation": {"every_minutes": 1}})), Duels)


def test_a_training_for_one_reports_its_scores(tmp_path: Path) -> None:
    watcher = Watcher()
    train(tmp_path / "run", solo_config(), watcher)
    lines = evaluations(tmp_path / "run")
    assert [line["matches"] for line in lines] == [0, 1, 2]
    assert [line["matches"] for line in watcher.lines if "best_score" in line] == [0, 1, 2]


def test_tensorboard_gets_the_scores(tmp_path: Path) -> None:
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    board = TensorBoard(tmp_path)
    for matches, best in ((0, 50.0), (7, 61.0)):
        scores = {"played": 4, "mean_score": best - 5, "best_score": best, "search": SEARCH}
        board.append({"kind": "evaluation", "matches": matches, "seconds": 1.5} | scores)
    board.close()
    read = events.EventAccumulator(str(tmp_path))
    read.Reload()
    assert [(at.step, at.value) for at in read.Scalars("evaluation/best_score")] == [
        (0, 50.0),
        (7, 61.0),
    ]
    assert read.Scalars("evaluation/mean_score")[1].value == 56.0
