"""Tournaments, evaluations and experiments on a real cluster of Ray: as on one machine."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from athenan import Error, Stop, Stopped, make_game
from athenan.arena import Match, Tournament, distinct_openings, player, read_matches
from athenan.arena.tournament import Pairing
from athenan.cluster import Cluster, ClusterSource, ClusterTrainers, play_as_tasks
from athenan.cluster.shares import Share
from athenan.commands import main
from athenan.experiments import Contest, read_plan, train_all
from athenan.experiments.trainings import Progress
from athenan.learning.concurrency import Plan
from athenan.learning.settings import Stop as Budget
from athenan.learning.training import Training
from athenan.runs import Run
from athenan.runs.evaluation import make_examiner
from athenan.runs.metrics import Line
from athenan.runs.session import Session
from small_runs import EVALUATION, Watcher, saved_matches, small_config

CPU = {"hardware": {"threads": 1, "backend": "torch"}}
SEARCH = '''
import os, pathlib, signal
from athenan.arena import PythonSearch


class Mortal(PythonSearch):
    """Plays the first legal move, but kills its process the first time that it is asked."""

    def __init__(self, game, evaluator=None, marker="", fails=False):
        super().__init__(game, evaluator)
        self.marker, self.fails = pathlib.Path(marker), fails

    def choose(self, state, budget):
        if self.fails:
            raise RuntimeError("no idea")
        if not self.marker.exists():
            self.marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return state.legal_moves()[0]
'''


def cup_of(tmp_path: Path) -> tuple[Tournament, Path]:
    """A tournament with a search from a file, which dies once, and the mark that it did."""
    file, marker = tmp_path / "mortal.py", tmp_path / "died"
    file.write_text(SEARCH)
    game = make_game("tic_tac_toe")
    texts = [f"{file}:Mortal:marker={marker}", "mcts:iterations=30", "ubfm-safe:expansions=20"]
    players = [player(text, game).called(name) for text, name in zip(texts, "abc", strict=True)]
    return Tournament(game, tuple(players), distinct_openings(game, 4), matches=8, seed=3), marker


def essence(match: Match) -> Any:
    """Everything but times."""
    efforts = tuple((each.moves, each.expansions, each.evaluations) for each in match.efforts)
    return replace(match, efforts=(), seconds=()), efforts


def by_number(played: list[tuple[Pairing, Match]]) -> dict[tuple[Pairing, int], Any]:
    return {(pairing, match.index): essence(match) for pairing, match in played}


def test_a_tournament_is_the_one_of_a_single_machine_though_a_worker_dies(
    cluster: Cluster, tmp_path: Path
) -> None:
    cup, marker = cup_of(tmp_path)
    marker.touch()
    alone = by_number(list(cup.play()))
    marker.unlink()
    known = list(cup.play(play=play_as_tasks(cluster, 1)))
    assert marker.exists()
    assert len(known) == len(alone) == cup.planned
    assert by_number(known) == alone
    some = known[::3]
    rest = list(cup.play(some, play=play_as_tasks(cluster, 1)))
    assert len(rest) + len(some) == cup.planned
    assert by_number(rest + some) == alone


def test_the_commands_write_the_same_files_on_a_cluster(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = cluster.machines.address  # type: ignore[attr-defined]
    players = ["tic_tac_toe", "mcts:iterations=30", "ubfm-safe:expansions=20", "random"]
    for command, arguments in (("match", players[:3]), ("tournament", players)):
        arguments = [command, *arguments, "--matches", "6", "--seed", "2", "--json"]
        alone, beyond = tmp_path / f"{command}-alone", tmp_path / f"{command}-beyond"
        assert main([*arguments, "--save", str(alone)]) == 0
        on_cluster = [*arguments, "--save", str(beyond), "--cluster", address]
        assert main(on_cluster) == 0
        found = [
            {(m.players, m.index): essence(m) for m in read_matches(f)} for f in (alone, beyond)
        ]
        assert found[0] == found[1]
        written = beyond.read_text()
        assert main([*on_cluster, *(["--resume"] if command == "match" else [])]) == 0
        assert beyond.read_text() == written  # nothing is played twice
        capsys.readouterr()


def test_what_a_player_raises_is_told_and_a_request_to_stop_is_heard(
    cluster: Cluster, tmp_path: Path
) -> None:
    cup, _ = cup_of(tmp_path)
    endless = player("mcts:iterations=1000000000", cup.game)
    stop = Stop()
    slow = replace(cup, players=(endless, cup.players[1]))
    threading.Timer(2.0, stop.request).start()
    started = time.monotonic()
    with pytest.raises(Stopped):
        list(slow.play(stop=stop, play=play_as_tasks(cluster, 1)))
    assert time.monotonic() - started < 10
    broken = player(f"{tmp_path / 'mortal.py'}:Mortal:fails=true", cup.game).called("a")
    worse = replace(cup, players=(broken, *cup.players[1:]))
    with pytest.raises(Error, match="a worker failed: RuntimeError: no idea"):
        list(worse.play(play=play_as_tasks(cluster)))


def test_evaluation_matches_are_played_by_the_workers(cluster: Cluster, tmp_path: Path) -> None:
    """The line is that of one machine though a worker dies, and the training goes on."""
    every = {"matches": 40, "every_matches": 16, "opponent": "mcts:iterations=5"}
    config = small_config(CPU, {"evaluation": EVALUATION | every}, {"stop": {"matches": 40}})
    source = ClusterSource(cluster, config, Plan.of(config), workers=2)
    asked: list[int] = []
    play = source.play_series

    def counted(series: Any, stop: Stop | None) -> Any:
        for number, match in play(series, stop):
            asked.append(match.index)
            if len(asked) == 41:  # of the second evaluation
                busy = next(each for each in source.crew.ready if each.ready)
                os.kill(busy.ready.pid, signal.SIGKILL)  # type: ignore[union-attr]
            yield number, match

    watcher = Watcher()
    session = Session(Run(tmp_path / "run"), config, [watcher], source=source, play=counted)
    try:
        session.begin()
        session.train()
        line = [line for line in watcher.lines if line["kind"] == "evaluation"][-1]
        examiner = make_examiner(config)
        assert examiner is not None
        alone = examined(examiner, session.training)
    finally:
        session.close()
    assert len(asked) >= 80
    assert sorted(asked[-40:]) == list(range(40))
    assert source.crew.losses == 1
    assert session.training.counters.matches == 40
    names = ("played", "wins", "draws", "losses", "matches", "search", "opponent")
    assert {name: line[name] for name in names} == {name: alone[name] for name in names}


def examined(examiner: Any, training: Training) -> Line:
    with training.paused():
        line = examiner.examine(training, Stop())
    assert line is not None
    return dict(line)


PLAN = """
games = ["tic_tac_toe"]
repetitions = 1
preset = "small"

[budget]
matches = 12

[settings]
network = { filters = 8, blocks = 1, dense = [8] }
selfplay = { search = "descent:expansions=5", matches = 2 }
learning = { batch_size = 32, replay = { size = 5 } }
hardware = { device = "cpu", deterministic = true, threads = 1 }
checkpoints = { every_minutes = 0, every_matches = 2 }

[variants.plain]
[variants.averaged]
learning.averaging = 300

[contest]
budget = "expansions=5"
matches = 4
opponents = ["random"]
"""


def trainers_pids() -> list[int]:
    """The processes of Ray in which a run is being trained."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().startswith(b"ray::Trainer.train"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.slow
def test_an_experiment_is_the_one_of_a_single_machine_though_a_trainer_dies(
    cluster: Cluster, tmp_path: Path
) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(PLAN)
    plan = read_plan(file)
    killed: list[int] = []

    def kill_once(_progress: object) -> None:
        if not killed and (found := trainers_pids()):
            killed.append(found[0])
            os.kill(found[0], signal.SIGKILL)

    trainers, stop = ClusterTrainers(cluster, Share(1)), Stop()
    endless = plan.model_copy(update={"budget": Budget(matches=10**6)})

    def stop_soon(progress: Progress) -> None:
        if any(progress.under_way.values()):
            stop.request()

    with pytest.raises(Stopped):
        train_all(endless, tmp_path / "stopped", trainers=trainers, report=stop_soon, stop=stop)
    runs = [job.run for job in endless.jobs(tmp_path / "stopped")]
    assert max(saved_matches(run.path) for run in runs if run.checkpoints.is_dir()) > 0
    train_all(plan, tmp_path / "beyond", trainers=trainers, report=kill_once)
    assert killed
    train_all(plan, tmp_path / "alone")
    for folder in ("alone", "beyond"):
        play = play_as_tasks(cluster, 1) if folder == "beyond" else None
        contest = Contest(plan, tmp_path / folder)
        contest.play(play=play)
        written = contest.file.read_text()
        contest.play(play=play)
        assert contest.file.read_text() == written  # nothing is counted twice
    lines = [(tmp_path / each / "results.jsonl").read_text() for each in ("alone", "beyond")]
    assert len(lines[0].splitlines()) == 3
    assert sorted(map(json.dumps, map(json.loads, lines[0].splitlines()))) == sorted(
        map(json.dumps, map(json.loads, lines[1].splitlines()))
    )
    other = plan.model_copy(update={"seed": 9})
    address = cluster.machines.address  # type: ignore[attr-defined]
    arguments = ["experiment", str(file), "--run", str(tmp_path / "beyond"), "--cluster", address]
    assert main(arguments) == 0
    assert (tmp_path / "beyond" / "results.jsonl").read_text() == lines[1]
    with pytest.raises(Error, match="has other settings than the plan"):
        train_all(other, tmp_path / "beyond", trainers=trainers)
