"""Reproductions: every plan is one, the percentages are the paper's, the verdicts are earned."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from athenan import ParameterError, make_game
from athenan.commands import main
from athenan.experiments import Contest, Entrant, SeriesResult, comparisons, plan_of
from athenan.experiments.agreement import panels
from athenan.experiments.agreement_plot import draw_curves
from athenan.experiments.reproduction import SIZES, Reproduction, Table, reproduction, reproductions
from athenan.experiments.shares import mean_shares, shares
from athenan.networks import load_model

PLAN = {
    "games": ["tic_tac_toe"],
    "repetitions": 2,
    "preset": "small",
    "budget": {"matches": 4},
    "settings": {
        "network": {"filters": 4, "blocks": 0, "dense": [4]},
        "selfplay": {"search": "descent:expansions=3", "matches": 2},
        "learning": {"batch_size": 16},
        "hardware": {"device": "cpu", "threads": 1, "deterministic": True},
        "checkpoints": {"every_minutes": 0},
    },
    "variants": {"plain": {}, "other": {"learning": {"data": "root"}}},
    "contest": {"budget": "minimax:depth=1", "matches": 4},
}


@pytest.mark.parametrize("name", reproductions())
def test_every_size_is_a_plan_and_grows(name: str) -> None:
    sizes = [reproduction(name, size) for size in SIZES]
    for each in sizes:
        known = set(each.plan.contest.play or each.plan.variants)
        table = each.table
        assert set(table.variants) <= known
        for claim in table.claims:
            assert {claim.better, claim.worse} <= known
        for game, percentages in table.published.items():
            assert game == "mean" or make_game(game).name
            assert set(percentages) <= known
    budgets = [each.plan.budget.limits for each in sizes]
    assert all(budgets)
    (unit,) = budgets[0]
    assert budgets[0][unit] < budgets[1][unit]


@pytest.mark.parametrize("name", reproductions())
def test_a_tiny_one_depends_on_its_seeds_alone(name: str) -> None:
    """But for the one at equal processor time, whose trainings are counted by a clock."""
    plan = reproduction(name, "tiny").plan
    for job in plan.jobs(Path()):
        config = plan.config(job)
        assert config.hardware.deterministic == (name != "rivals")
        assert bool(config.stop.cpu_minutes) == (name == "rivals")
        assert config.hardware.device == "cpu"
        assert config.hardware.threads == 1
        assert not config.selfplay.spec.is_timed


@pytest.mark.parametrize("name", reproductions())
def test_a_stopped_one_goes_on_with_the_settings_that_it_wrote(name: str, tmp_path: Path) -> None:
    for size in SIZES:
        plan = reproduction(name, size).plan
        for job in plan.jobs(tmp_path / size):
            if job.repetition == 0:
                config = plan.config(job)
                job.run.create(config)
                assert job.run.config() == config


def test_the_published_values_are_those_of_the_tables() -> None:
    """Rows and columns as printed: three cells of each table, read by hand."""
    data, search, heuristics = (
        reproductions()[name][1].published for name in ("data", "search", "heuristics")
    )
    assert data["outer_open_gomoku"]["mcts_root"] == 87.3
    assert data["lines_of_action"]["alphabeta_terminal"] == 2.7
    assert data["mean"]["alphabeta_tree"] == 70.7
    assert search["santorini"]["ubfm"] == 71.8
    assert search["othello"]["alphabeta_root"] == 22.1
    assert search["mean"]["descent"] == 82.4
    assert heuristics["surakarta"]["mobility"] == 55.6
    assert heuristics["breakthrough"]["presence"] == 48.5
    assert "score" not in heuristics["hex"]
    for table in (data, search, heuristics):
        games = [row for game, row in table.items() if game != "mean"]
        assert len(games) == 9
        for variant, mean in table["mean"].items():
            values = [row[variant] for row in games if variant in row]
            assert np.mean(values) == pytest.approx(mean, abs=0.07)


def series(
    rates: dict[tuple[str, str], float], repetitions: int = 3, seed: int = 0
) -> list[SeriesResult]:
    """All-play-all of variants whose first of two wins at a rate."""
    random = np.random.default_rng(seed)
    return [
        SeriesResult(
            "hex",
            1.0,
            Entrant(a, i + 1),
            Entrant(b, j + 1),
            tuple(map(float, random.binomial(2, rate, 20))),
        )
        for (a, b), rate in rates.items()
        for i in range(repetitions)
        for j in range(repetitions)
    ]


def test_percentages_count_the_own_trainings_as_one_half() -> None:
    """Of 3 variants that always win in order: (1 + 1 + ½) / 3, ½, and ½ / 3."""
    found = shares(series({("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 1}), ("a", "b", "c"))
    assert found is not None
    assert found.values == pytest.approx([250 / 3, 50, 50 / 3])
    assert found.difference("a", "c").value == pytest.approx(200 / 3)
    assert found.difference("a", "c").low == pytest.approx(200 / 3)  # no luck, no spread


def test_the_order_of_the_names_does_not_matter() -> None:
    results = series({("a", "b"): 0.8})
    one, other = shares(results, ("a", "b")), shares(results, ("b", "a"))
    assert one is not None
    assert other is not None
    assert one.values == pytest.approx(other.values[::-1])


def test_a_missing_pairing_gives_no_percentages() -> None:
    assert shares(series({("a", "b"): 0.5}), ("a", "b", "c")) is None


def test_of_a_stopped_experiment_the_complete_repetitions_count() -> None:
    results = series({("a", "b"): 1}, repetitions=3)
    found = shares([each for each in results if each.a.repetition != 3], ("a", "b"))
    assert found is not None
    assert found.repetitions == 2
    assert found.values[0] == 75
    assert shares([each for each in results if each.a.repetition == 3], ("a", "b")) is None


def test_intervals_hold_the_truth() -> None:
    """Equal variants, luck of 10 points between trainings: 95 of 100 intervals hold 0."""
    random, missed = np.random.default_rng(1), 0
    for trial in range(60):
        luck = random.normal(0, 0.1, (3, 4))
        results = [
            SeriesResult(
                "hex",
                1.0,
                Entrant("abc"[a], i + 1),
                Entrant("abc"[b], j + 1),
                tuple(map(float, random.binomial(2, 0.5 + luck[a, i] - luck[b, j], 10))),
            )
            for a, b in ((0, 1), (0, 2), (1, 2))
            for i in range(4)
            for j in range(4)
        ]
        found = shares(results, ("a", "b", "c"), seed=trial, draws=200)
        assert found is not None
        missed += found.difference("a", "b").sign != 0
    assert missed <= 6


def test_the_mean_over_games_is_narrower() -> None:
    each = [shares(series({("a", "b"): 0.5}, seed=seed), ("a", "b")) for seed in range(4)]
    games = [one for one in each if one is not None]
    mean = mean_shares(games)
    assert mean.values[0] == pytest.approx(np.mean([one.values[0] for one in games]))
    width = mean.of("a").high - mean.of("a").low
    assert width < games[0].of("a").high - games[0].of("a").low


def test_verdicts_agree_differ_or_stay_open() -> None:
    table = Table(
        item="Table 0",
        question="?",
        radius=1,
        published={"hex": {"a": 70, "b": 50, "c": 49, "d": 20}},
    )
    plan = plan_of({**PLAN, "games": ["hex"], "variants": {name: {} for name in "abcd"}}, "a plan")
    here = Reproduction(name="x", size="tiny", source="x", table=table, plan=plan)
    rates = {("a", "b"): 0.9, ("a", "c"): 0.9, ("b", "c"): 0.5, ("a", "d"): 0.3, ("b", "d"): 0.5}
    (panel,) = panels(here, series({**rates, ("c", "d"): 0.1}))
    verdicts = {pair.better + pair.worse: pair.verdict for pair in panel.pairs}
    assert "bc" not in verdicts  # the paper does not separate 50 from 49
    assert verdicts["ab"] == "agrees"
    assert verdicts["cd"] == "differs"
    assert set(verdicts) == {"ab", "ac", "ad", "bd", "cd"}


def test_searches_with_the_same_networks_are_compared_training_by_training(tmp_path: Path) -> None:
    play = {"deep": "ubfm:expansions=20", "flat": "minimax:depth=1"}
    contest = {**PLAN["contest"], "play": play}  # type: ignore[dict-item]
    plan = plan_of({**PLAN, "variants": {"plain": {}}, "contest": contest}, "a plan")
    from athenan.experiments import train_all

    train_all(plan, tmp_path)
    results = Contest(plan, tmp_path).play()
    assert {(each.a.variant, each.b.variant) for each in results} == {("deep", "flat")}
    assert [each.a.repetition for each in results] == [each.b.repetition for each in results]
    assert len(results) == 2
    assert comparisons(results)[0].repetitions == (2, 2)


def test_games_for_one_are_compared_by_their_scores(tmp_path: Path) -> None:
    lines = [
        {
            "game": "morpion",
            "fraction": 1.0,
            "entrant": {"variant": who, "repetition": k},
            "scores": s,
        }
        for who, k, s in (
            ("plain", 1, [30.0, 40.0]),
            ("plain", 2, [35.0, 40.0]),
            ("other", 1, [31.0, 40.0]),
            ("other", 2, [20.0, 20.0]),
        )
    ]
    plan = plan_of({**PLAN, "games": ["morpion"], "contest": {"matches": 2}}, "a plan")
    contest = Contest(plan, tmp_path)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "scores.jsonl").write_text(text + '{"game": "morp')
    found = {(r.a.repetition, r.b.repetition): r.pairs for r in contest.results()}
    assert found == {(1, 1): (0, 1), (1, 2): (2, 2), (2, 1): (2, 1), (2, 2): (2, 2)}
    (tmp_path / "scores.jsonl").write_text(text + '{"game": 5}\n')
    with pytest.raises(Exception, match=r"scores\.jsonl, line 5: this is no result"):
        contest.results()


def test_curves_have_a_panel_for_each_game_and_a_line_for_each_variant(tmp_path: Path) -> None:
    """Three variants of two games against one opponent, at two moments."""
    contest = {"matches": 4, "fractions": [0.5, 1.0], "opponents": ["random"]}
    games = ["hex:size=3", "tic_tac_toe"]
    changed = {**PLAN, "games": games, "variants": {name: {} for name in "abc"}, "contest": contest}
    plan = plan_of({**changed, "repetitions": 1}, "a plan")
    table = Table(item="Figure 0", question="?")
    here = Reproduction(name="x", size="tiny", source="x", table=table, plan=plan)
    assert here.has_curves
    lines = [
        SeriesResult(game, part, Entrant(name, 1), Entrant("random"), (2.0 * part, part))
        for game in games
        for part in (0.5, 1.0)
        for name in "abc"
    ]
    text = "".join(json.dumps(asdict(each)) + "\n" for each in lines)
    (tmp_path / "results.jsonl").write_text(text)
    figure = draw_curves(here, Contest(plan, tmp_path), tmp_path / "a.png")
    assert [panel.get_title() for panel in figure.axes] == [
        f"{game}\nagainst random" for game in games
    ]
    legend = figure.axes[-1].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b", "c"]
    for panel in figure.axes:
        assert [line.get_label() for line in panel.containers] == ["a", "b", "c"]
        for line in panel.containers:
            assert line[0].get_ydata().tolist() == [37.5, 75.0]
    assert (tmp_path / "a.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"without": {"hex": ["plain"]}}, "without names the game 'hex', which the plan has not"),
        ({"without": {"tic_tac_toe": ["best"]}}, "without names the variant 'best'"),
        ({"without": {"tic_tac_toe": ["plain", "other"]}}, "leaves no variant for tic_tac_toe"),
        ({"contest": {"play": {"a": "ubfm:expansions=5"}}}, "the networks of one variant"),
        ({"contest": {"play": {"a": "ubfm:seconds=5"}}}, "must not depend on the load"),
    ],
)
def test_what_is_wrong_with_a_plan_is_one_sentence(
    change: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ParameterError, match=re.escape(sentence)):
        plan_of({**PLAN, **change}, "a plan")


def test_the_command_lists_and_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "--list"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in reproductions())
    assert main(["reproduce", "table-12"]) == 2
    assert "accepted are" in capsys.readouterr().err
    assert main(["reproduce"]) == 2
    assert "--list describes them" in capsys.readouterr().err
    assert main(["reproduce", "all", "--run", "somewhere"]) == 2
    assert "leave out --run" in capsys.readouterr().err


MIXED = """
games = ["tic_tac_toe", "morpion"]
repetitions = 2
preset = "small"
at_a_time = 2

[budget]
matches = 4

[settings]
network = { filters = 4, blocks = 0, dense = [4] }
selfplay = { search = "descent:expansions=2", matches = 2 }
learning = { batch_size = 64, replay = { size = 5, duplication = 1 } }
hardware = { device = "cpu", threads = 1, deterministic = true }
checkpoints = { every_minutes = 0, every_matches = 2 }

[variants.plain]
[variants.root]
learning.data = "root"

[contest]
budget = "minimax:depth=1"
matches = 4
"""


def keys_of(folder: Path) -> list[str]:
    """What each line of the results is about, its points aside."""
    lines = []
    for name in ("results.jsonl", "scores.jsonl"):
        for line in (folder / name).read_text().splitlines():
            data = json.loads(line)
            del data["pairs" if "pairs" in data else "scores"]
            lines.append(json.dumps(data))
    return lines


@pytest.mark.slow
def test_killed_again_and_again_it_counts_nothing_twice(tmp_path: Path) -> None:
    """Killed in a training, in the matches for two and in those for one: the same results."""
    plan = tmp_path / "plan.toml"
    plan.write_text(MIXED)
    command = [sys.executable, "-m", "athenan", "experiment", str(plan), "--run"]

    def has_lines(name: str) -> Callable[[Path], bool]:
        return lambda folder: (folder / name).exists() and (folder / name).stat().st_size > 0

    moments: list[Callable[[Path], bool]] = [
        lambda folder: bool(list(folder.rglob("checkpoints/*"))),
        has_lines("results.jsonl"),
        has_lines("scores.jsonl"),
    ]
    killed = tmp_path / "killed"
    for moment in moments:
        process = subprocess.Popen([*command, str(killed)], stdout=subprocess.DEVNULL)
        while process.poll() is None and not moment(killed):
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert len(keys_of(killed)) < 2 * 2 + 2 * 2
    for folder in (killed, tmp_path / "once"):
        assert subprocess.run([*command, str(folder)], stdout=subprocess.DEVNULL).returncode == 0
    assert len(keys_of(killed)) == len(set(keys_of(killed))) == 2 * 2 + 2 * 2
    for name in ("results.jsonl", "scores.jsonl"):
        one, other = (
            sorted((each / name).read_text().splitlines()) for each in (killed, tmp_path / "once")
        )
        assert one == other


@pytest.mark.slow
def test_a_tiny_reproduction_of_everything_is_deterministic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All tables at once; then one training of each plan anew, which ends with the same bits."""
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", "all", "--size", "tiny"]) == 0
    seen = set()
    for name in reproductions():
        here = reproduction(name, "tiny")
        assert (here.folder / f"{name}.json").is_file()
        if here.source in seen:
            continue
        seen.add(here.source)
        job = next(here.plan.jobs(here.folder))
        if not job.run.config().hardware.deterministic:
            assert name == "rivals"  # which counts the time of the processor
            continue
        again = next(here.plan.jobs(tmp_path / "again" / here.source))
        again.run.create(job.run.config())
        trainee = [sys.executable, "-m", "athenan.experiments.trainee", str(again.run.path)]
        with subprocess.Popen(trainee, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
            assert process.wait() == 0
        one, other = (load_model(each.run.model).network for each in (job, again))
        for a, b in zip(one.parameters(), other.parameters(), strict=True):
            assert bool((a == b).all()), name
