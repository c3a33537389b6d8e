"""Experiments: plans, trainings that survive, series played once, honest intervals."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import asdict
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from athenan import Error, ParameterError, SearchSpec, Stop, Stopped
from athenan.commands import main
from athenan.experiments import (
    Contest,
    Entrant,
    Job,
    SeriesResult,
    comparisons,
    read_plan,
    train_all,
)
from athenan.experiments.report import _lines, draw_report
from athenan.experiments.reproduction import reproduction
from athenan.experiments.results import digest_of, held
from athenan.experiments.trainings import Progress, TrainingProcess
from athenan.learning.completion import all_names
from athenan.learning.dormant import names_given
from athenan.learning.settings import Config, read_toml
from athenan.learning.settings import Stop as Budget
from athenan.networks import load_model

PLAN = """
games = ["tic_tac_toe"]
repetitions = 2
preset = "small"
at_a_time = 2

[budget]
matches = 6

[settings]
network = { filters = 8, blocks = 1, dense = [8] }
selfplay = { search = "descent:expansions=5", matches = 2 }
learning = { batch_size = 32, replay = { size = 5 } }
hardware = { device = "cpu", deterministic = true }
checkpoints = { every_minutes = 0, every_matches = 2 }

[variants.plain]
[variants.averaged]
learning.averaging = 300

[contest]
budget = "expansions=5"
matches = 4
fractions = [0.5, 1.0]
opponents = ["random"]
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


def test_the_command_trains_plays_and_reports_and_does_nothing_twice(
    plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "lab"
    assert main(["experiment", str(plan), "--run", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "4 of 4 trainings" in said
    assert re.search(r"averaged +plain +100% +0\.\d+", said)
    assert re.search(r"plain +random +50% +\d\.\d+", said)
    results = (folder / "results.jsonl").read_bytes()
    assert len(results.splitlines()) == 2 * (2 * 2 + 4 * 1)  # fractions, pairings, opponents
    models = {file: file.stat().st_mtime_ns for file in folder.rglob("snapshots/*")}
    assert len(models) == 8
    assert int(load_model(next(folder.rglob("snapshots/0.5.safetensors"))).info["matches"]) < 6
    report = json.loads((folder / "report.json").read_text())
    assert {each["b"] for each in report["comparisons"]} >= {"plain", "averaged", "random"}
    assert (folder / "report.png").stat().st_size > 1000

    assert main(["experiment", str(plan), "--run", str(folder)]) == 0
    assert (folder / "results.jsonl").read_bytes() == results
    assert {file: file.stat().st_mtime_ns for file in models} == models


@pytest.mark.slow
def test_killed_with_its_trainings_it_goes_on_and_ends_the_same(plan: Path, tmp_path: Path) -> None:
    """And one training at a time gives what two side by side do."""
    one_thread = PLAN.replace("deterministic = true", "deterministic = true, threads = 1")
    for folder in ("once", "killed"):
        at_a_time = f"at_a_time = {1 if folder == 'once' else 2}"
        plan.write_text(one_thread.replace("at_a_time = 2", at_a_time))
        command = [sys.executable, "-m", "athenan", "experiment", str(plan), "--run"]
        process = subprocess.Popen([*command, str(tmp_path / folder)], stdout=subprocess.DEVNULL)
        if folder == "killed":
            runs = tmp_path / "killed" / "runs"
            deadline = time.monotonic() + 120
            while not list(runs.rglob("checkpoints/*")) and time.monotonic() < deadline:
                time.sleep(0.05)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            process = subprocess.Popen([*command, str(tmp_path / folder)])
        assert process.wait(240) == 0
    once, killed = (tmp_path / each / "results.jsonl" for each in ("once", "killed"))
    assert sorted(once.read_text().splitlines()) == sorted(killed.read_text().splitlines())


def test_a_request_to_stop_saves_the_trainings(plan: Path, tmp_path: Path) -> None:
    stop, folder = Stop(), tmp_path / "lab"

    def report(_progress: Progress) -> None:
        if list(folder.rglob("checkpoints/*")):
            stop.request()

    longer = read_plan(plan).model_copy(update={"budget": Budget(matches=500)})
    with pytest.raises(Stopped):
        train_all(longer, folder, report=report, stop=stop)
    assert not list(folder.rglob("snapshots/1.safetensors"))


def test_a_line_cut_by_a_crash_is_played_again(plan: Path, tmp_path: Path) -> None:
    contest = Contest(read_plan(plan), tmp_path)
    line = '{"game": "tic_tac_toe", "fraction": 1.0, "a": {"variant": "plain", "repe'
    contest.file.write_text(line)
    assert contest.results() == []
    contest.file.write_text('{"game": 5}\n')
    with pytest.raises(Error, match=r"results\.jsonl, line 1: this is no result"):
        contest.results()


@pytest.mark.parametrize(("pairings", "meetings"), [("all", 3), ("first", 2)])
def test_all_variants_meet_or_each_meets_the_first(
    plan: Path, tmp_path: Path, pairings: str, meetings: int
) -> None:
    """What counts of a file with the results of all pairings."""
    text = PLAN.replace("[contest]", f'[variants.third]\n\n[contest]\npairings = "{pairings}"')
    plan.write_text(text)
    contest, names = Contest(read_plan(plan), tmp_path), ("plain", "averaged", "third")
    pairs = [(a, b) for a in names for b in names if a != b]
    results = [
        SeriesResult("tic_tac_toe", 1.0, Entrant(a, i), Entrant(b, j), (1.0, 1.0))
        for a, b in pairs
        for i in (1, 2)
        for j in (1, 2)
    ]
    contest.file.write_text("".join(json.dumps(asdict(each)) + "\n" for each in results))
    met = [{each.a.variant, each.b.variant} for each in contest.results()]
    assert len(met) == 2 * 2 * meetings
    assert all(pairings == "all" or "plain" in pair for pair in met)


@pytest.mark.parametrize(
    "change",
    [
        ('budget = "expansions=5"', 'budget = "expansions=6"'),
        ("repetitions", "seed = 5\nrepetitions"),
    ],
    ids=["budget", "seed"],
)
def test_results_of_other_terms_do_not_count(
    plan: Path, tmp_path: Path, change: tuple[str, str]
) -> None:
    """The matches of a plan whose budget or openings have changed are played again."""
    assert change[0] in PLAN
    contest = Contest(read_plan(plan), tmp_path)
    players = Entrant("plain", 1), Entrant("averaged", 1)
    ours = SeriesResult("tic_tac_toe", 1.0, *players, (1.0, 1.0), contest.plan.terms)
    contest.file.write_text(json.dumps(asdict(ours)) + "\n")
    assert contest.results() == [ours]
    plan.write_text(PLAN.replace(*change))
    assert Contest(read_plan(plan), tmp_path).results() == []


def test_what_a_game_of_the_users_prints_is_no_progress() -> None:
    training = TrainingProcess.__new__(TrainingProcess)
    training.done = 0.0
    training._read(StringIO('hello\n{"done": 0.5, "matches": 1}\n[1]\n7\n{"done": null}\n'))
    assert training.done == 0.5


def test_earlier_models_may_meet_the_opponents_alone(plan: Path, tmp_path: Path) -> None:
    """Of a file with every pairing at both fractions."""
    plan.write_text(PLAN + 'earlier = "opponents"\n')
    contest = Contest(read_plan(plan), tmp_path)
    results = [
        SeriesResult("tic_tac_toe", part, a, b, (1.0, 1.0))
        for part in (0.5, 1.0)
        for a in (Entrant("plain", 1), Entrant("averaged", 2))
        for b in (Entrant("averaged", 1), Entrant("random"))
        if a.variant != b.variant
    ]
    contest.file.write_text("".join(json.dumps(asdict(each)) + "\n" for each in results))
    met = {(each.fraction, each.a.variant, each.b.variant) for each in contest.results()}
    random = {(part, name, "random") for part in (0.5, 1.0) for name in ("plain", "averaged")}
    assert met == random | {(1.0, "plain", "averaged")}


def test_other_settings_of_a_run_that_is_there_are_refused(plan: Path, tmp_path: Path) -> None:
    stop = Stop()
    stop.request()
    with pytest.raises(Stopped):
        train_all(read_plan(plan), tmp_path / "lab", stop=stop)
    plan.write_text(PLAN.replace("batch_size = 32", "batch_size = 16"))
    with pytest.raises(Error, match=r"settings than the plan \(learning.batch_size\): "):
        train_all(read_plan(plan), tmp_path / "lab", stop=stop)
    plan.write_text(PLAN.replace("[variants.plain]", "[variants.first]\n[variants.plain]"))
    with pytest.raises(Error, match=r"\(seed\): .* give new variants their place after the others"):
        train_all(read_plan(plan), tmp_path / "lab", stop=stop)


@pytest.mark.parametrize("opponents", ['["random"]', "[]"])
def test_a_single_variant_is_drawn_against_its_opponents(
    plan: Path, tmp_path: Path, opponents: str
) -> None:
    text = PLAN.replace("[variants.averaged]\nlearning.averaging = 300\n", "")
    plan.write_text(text.replace('["random"]', opponents))
    alone, player = read_plan(plan), Entrant("plain", 1)
    played = [SeriesResult("tic_tac_toe", 1.0, player, Entrant("random"), (1.0, 2.0))]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw_report(alone, comparisons(played), tmp_path / "report.png")
    lines = _lines(alone, comparisons(played), "tic_tac_toe")
    scores = {label: [each.score for each in points] for label, points in lines.items()}
    assert scores == ({"against random": [0.75]} if alone.contest.opponents else {})


def test_few_trainings_share_all_cores(
    plan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a training whose directory was being made when it was killed is no obstacle."""
    monkeypatch.setattr("athenan.experiments.trainings.available_cores", lambda: 8)
    plan.write_text(PLAN.replace("at_a_time = 2", ""))
    stop, few = Stop(), read_plan(plan)
    stop.request()
    jobs = list(few.jobs(tmp_path))
    jobs[0].run.path.mkdir(parents=True)
    (jobs[0].run.path / ".config.toml.0.tmp").write_text("game")
    with pytest.raises(Stopped):
        train_all(few, tmp_path, stop=stop)
    assert {job.run.config().hardware.threads for job in jobs} == {2}


def test_a_model_of_the_end_does_not_stand_for_one_that_is_gone(plan: Path, tmp_path: Path) -> None:
    """The training would go on from its end, and keep what it has for the first half."""
    stop, two = Stop(), read_plan(plan)
    stop.request()
    with pytest.raises(Stopped):
        train_all(two, tmp_path, stop=stop)
    run = next(two.jobs(tmp_path)).run
    run.snapshots.mkdir()
    (run.snapshots / "1.safetensors").write_bytes(b"a model")
    with pytest.raises(Error, match=r"0.5.safetensors is gone, .* remove .*plain-1, and it is"):
        train_all(two, tmp_path, stop=stop)


def test_two_commands_do_not_work_in_one_directory(
    plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with held(tmp_path / "lab"):
        assert main(["experiment", str(plan), "--run", str(tmp_path / "lab")]) != 0
    assert "another process works in" in capsys.readouterr().err
    assert not (tmp_path / "lab" / "runs").exists()


def test_results_of_models_that_are_gone_count_and_those_of_other_models_do_not(
    plan: Path, tmp_path: Path
) -> None:
    """A training whose directory was removed is begun anew, and its matches are, too."""
    contest = Contest(read_plan(plan), tmp_path)
    a, b, opponent = Entrant("plain", 1), Entrant("averaged", 1), Entrant("random")
    file = Job("tic_tac_toe", "plain", 0, tmp_path / "runs").run.snapshots / "1.safetensors"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"a model")
    terms = contest.plan.terms
    results = [
        SeriesResult("tic_tac_toe", 1.0, a, other, (1.0, 1.0), terms, (digest_of(file), of_other))
        for other, of_other in ((b, "0123456789abcdef"), (opponent, ""))
    ]
    contest.file.write_text("".join(json.dumps(asdict(each)) + "\n" for each in results))
    assert contest.results() == results
    file.write_bytes(b"another model")
    assert contest.results() == []
    file.unlink()
    assert contest.results() == results


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("matches = 6", "", "the budget has no limit"),
        ('"tic_tac_toe"', '"tic_tac_toe", "tic_tac_toe"', "a game is named twice"),
        ('"tic_tac_toe"', '"checkers"', "checkers"),
        ('expansions=5"\nmatches', 'seconds=1"\nmatches', "must not depend on the load"),
        ('"random"', '"mcts:seconds=1"', "has a clock"),
        ("learning.averaging = 300", "learning.averages = 300", "learning.averages"),
        ("[variants.plain]", '[variants."a b"]', "needs a name"),
        ("repetitions = 2", "repetition = 2", "there is no setting repetition"),
        ("matches = 4", "matches = 5", "contest.matches"),
        ("matches = 6", "cpu_minutes = 0", "evaluations or cpu_minutes"),
        ('"random"', '"plain"', "'plain' is the name of a variant and an opponent"),
        ('"random"', '"random", "random"', "contest.opponents has 'random' twice"),
        ("0.5, 1.0", "1.0, 0.5, 0.5", "contest.fractions has 0.5 twice"),
        ('"tic_tac_toe"', '"hex:size=3", "hex:size=3,swap=true"', "a game is named twice"),
        ('"tic_tac_toe"', '"mine.py"', "'mine.py' is in a Python file"),
        ('"expansions=5"\nmatches', '"mcts:iterations=5"\nmatches', "which asks no network"),
        ("learning.averaging = 300", "stop.matches = 3", "averaged has stop"),
        ("learning.averaging = 300", "seed = 3", "averaged has seed"),
        ("[settings]", '[settings]\ngame = "hex"', "settings has game"),
        (
            "learning.averaging = 300",
            'network.code = "mine.py:Net"',
            "'mine.py:Net' is in a Python file",
        ),
    ],
)
def test_what_is_wrong_with_a_plan_is_one_sentence(
    old: str, new: str, sentence: str, plan: Path
) -> None:
    assert old in PLAN
    plan.write_text(PLAN.replace(old, new))
    with pytest.raises(ParameterError, match=re.escape(sentence)) as caught:
        read_plan(plan)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(plan))


@pytest.mark.parametrize("name", ["cpu", "gpu"])
def test_the_yardstick_is_a_plan(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    plan = read_plan(root / "benchmarks" / "yardstick" / f"{name}.toml")
    assert list(plan.variants) == ["zero", "now"]


@pytest.mark.parametrize("name", ["cpu", "gpu"])
def test_the_zero_of_the_yardstick_names_every_setting(name: str) -> None:
    """A default that changes later must not change it."""
    root = Path(__file__).parents[2]
    zero = read_toml(root / "benchmarks" / "yardstick" / f"zero-{name}.toml")
    named = set(names_given(zero))
    recipe = ("network.", "selfplay.", "learning.")
    settings = {each for each in all_names(Config) if each.startswith(recipe)}
    branches = {"learning.replay", "learning.adam", "network.code", "network.code_sha256"}
    assert settings - branches <= named
    spec, limits = SearchSpec(zero["selfplay"]["search"]), set(SearchSpec("uct").options)
    given = {each.partition("=")[0] for each in str(zero["selfplay"]["search"]).split(",")[1:]}
    assert set(spec.options) - limits <= given


@pytest.mark.parametrize("name", ["ratio", "schedule", "shape", "steps", "steps-longer"])
def test_the_studies_are_plans(name: str) -> None:
    plan = read_plan(Path(__file__).parents[2] / "benchmarks" / "studies" / f"{name}.toml")
    assert plan.contest.pairings == "first"
    assert all(plan.config(job).stop.cpu_minutes > 0 for job in plan.jobs(Path()))


def test_the_study_of_heuristics_has_the_settings_of_the_reproduction() -> None:
    """But for its length, and the moments at which its models play."""
    study = read_plan(Path(__file__).parents[2] / "benchmarks" / "studies" / "heuristics.toml")
    shorter = reproduction("heuristics", "tiny").plan
    assert study.games[0] in shorter.games
    for variant in study.variants:
        one, other = (
            plan.config(Job(study.games[0], variant, 0, Path())).model_dump()
            for plan in (study, shorter)
        )
        assert {key for key in one if one[key] != other[key]} == {"seed", "stop", "checkpoints"}
        assert one["stop"]["expansions"] == 4 * other["stop"]["expansions"]
    assert (study.contest.budget, study.contest.matches) == (
        shorter.contest.budget,
        shorter.contest.matches,
    )


def luck(
    advantage: float, spread: float, repetitions: int, random: np.random.Generator
) -> list[SeriesResult]:
    """Series of two recipes whose trainings differ by luck, 20 matches each."""
    strengths = random.normal(0, spread, (2, repetitions))
    results = []
    for i in range(repetitions):
        for j in range(repetitions):
            rate = np.clip(0.5 + advantage + strengths[0, i] - strengths[1, j], 0, 1)
            pairs = random.binomial(2, rate, 10).astype(float)
            a, b = Entrant("a", i + 1), Entrant("b", j + 1)
            results.append(SeriesResult("hex", 1.0, a, b, tuple(pairs)))
    return results


@pytest.mark.parametrize("spread", [0.0, 0.15])
def test_equal_recipes_are_rarely_found_different(spread: float) -> None:
    random, series = np.random.default_rng(3), 60
    found = [comparisons(luck(0, spread, 4, random), draws=60)[0] for _ in range(series)]
    assert sum(each.is_clear for each in found) <= 0.1 * series


def test_a_better_recipe_is_found_better() -> None:
    random = np.random.default_rng(4)
    better, worse = comparisons(luck(0.3, 0.05, 5, random), draws=200)
    assert (better.a, better.b, worse.a) == ("a", "b", "b")
    assert better.low > 0.5
    assert better.is_clear
    assert worse.score == pytest.approx(1 - better.score)
    assert better.matches == 5 * 5 * 20
    assert better.elo[0] > 100


def test_one_lucky_training_proves_no_recipe() -> None:
    """Many matches of few trainings make no narrow interval."""
    random = np.random.default_rng(5)
    few = comparisons(luck(0, 0.2, 3, random), draws=200)[0]
    matches_alone = 2 * 0.5 / np.sqrt(few.matches)
    assert few.high - few.low > 4 * matches_alone
