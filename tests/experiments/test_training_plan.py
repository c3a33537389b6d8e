"""Training plans: who gets the next stretch, what is kept, and how it goes on elsewhere."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import athenan
import pytest
from athenan.commands import main
from athenan.experiments.results import held
from athenan.experiments.stretches import Workshop, counters_of, train_by_plan
from athenan.experiments.training_plan import (
    Item,
    Stretch,
    TrainingPlan,
    expected_gain,
    minutes_of_next,
    next_item,
    read_ledger,
    read_training_plan,
)
from athenan.learning.schedule import Counters
from athenan.runs.checkpoint import checkpoints_in
from athenan.zoo import model_file, stated_by

ROOT = Path(__file__).parents[2]
ITEM = Item(game="tic_tac_toe", stretch=10, target=0.8)
TINY = """
game = "tic_tac_toe"
stretch = 0.03
[items.{name}.settings]
network = {{ filters = 4, blocks = 0, dense = [4] }}
selfplay = {{ search = "descent:expansions=3", matches = 4 }}
hardware = {{ device = "cpu", threads = 1 }}
evaluation = {{ opponent = "random", search = "ubfm-safe:expansions=2", matches = 4 }}
"""


def stretch(
    total: float, score: float | None, high: float | None = None, item: str = "a"
) -> Stretch:
    return Stretch(
        item=item, minutes=10, minutes_in_all=total, matches=5, score=score, low=0, high=high
    )


def test_what_was_not_measured_may_gain_everything() -> None:
    assert expected_gain(ITEM, []) == pytest.approx(0.1)
    assert expected_gain(ITEM, [stretch(10, None)]) == pytest.approx(0.1)


def test_the_gain_is_what_is_missing_by_the_rate_of_the_last_stretch() -> None:
    first = stretch(10, 0.2, 0.3)
    assert expected_gain(ITEM, [first]) == pytest.approx(0.075)
    slow = [first, stretch(20, 0.2, 0.24)]
    assert expected_gain(ITEM, slow) == pytest.approx(0.04 / 0.8 / 10)
    lucky = [first, stretch(20, 0.2, 0.6)]
    assert expected_gain(ITEM, lucky) == pytest.approx(0.4 / 0.8 / 10)
    near = [first, stretch(20, 0.76, 0.9)]
    assert expected_gain(ITEM, near) == pytest.approx(0.005)
    worse = [stretch(10, 0.5, 0.6), stretch(20, 0.3, 0.45)]
    assert expected_gain(ITEM, worse) == pytest.approx(0.05 * (1 - 0.3 / 0.8) / 10)


def test_a_score_against_another_opponent_does_not_count() -> None:
    item = ITEM.model_copy(update={"settings": {"evaluation": {"opponent": "mcts:iterations=9"}}})
    easy = stretch(10, 0.8).model_copy(update={"opponent": "random"})
    assert expected_gain(item, [easy]) == pytest.approx(0.1)
    hard = easy.model_copy(update={"opponent": "mcts:iterations=9"})
    assert expected_gain(item, [easy, hard]) == 0


def test_an_item_takes_the_terminal_evaluation_of_its_origin() -> None:
    item = ITEM.model_copy(update={"game": "othello:size=6", "origin": "othello-6"})
    assert item.config(1).selfplay.terminal == "classic"
    own = item.model_copy(update={"settings": {"selfplay": {"terminal": "score"}}})
    assert own.config(1).selfplay.terminal == "score"


def test_an_item_takes_the_network_of_its_origin() -> None:
    """Which may grow, as with athenan train --from; it is not that of the preset."""
    item = ITEM.model_copy(update={"game": "othello:size=6", "origin": "othello-6"})
    shape = stated_by(model_file("othello-6")).architecture
    assert item.config(1).network.filters == shape["filters"] != 96
    large = item.model_copy(update={"preset": "large"})
    assert large.config(1).network == item.config(1).network
    grown = item.model_copy(update={"settings": {"network": {"filters": 96}}})
    assert grown.config(1).network.filters == 96


def test_targets_and_limits_end_an_item() -> None:
    assert expected_gain(ITEM, [stretch(10, 0.8)]) == 0
    limited = ITEM.model_copy(update={"limit": 30})
    assert expected_gain(limited, [stretch(29, 0.1)]) > 0
    assert expected_gain(limited, [stretch(30, 0.1)]) == 0
    plan = TrainingPlan(items={"a": limited})
    assert minutes_of_next(plan, "a", [stretch(29, 0.1)]) == pytest.approx(1)
    assert minutes_of_next(plan, "a", [stretch(9, 0.1)]) == 10


def test_the_next_item_is_the_one_that_gains_most() -> None:
    heavy = ITEM.model_copy(update={"weight": 3})
    plan = TrainingPlan(items={"a": ITEM, "b": heavy, "c": ITEM})
    assert next_item(plan, []) == "b"
    assert next_item(plan, [], busy=["b"]) == "a"
    spent = [stretch(10, 0.8, item="b"), stretch(10, 0.6, item="a")]
    assert next_item(plan, spent) == "c"
    done = [stretch(10, 0.9, item=name) for name in "abc"]
    assert next_item(plan, done) is None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan").mkdir()
    items = "".join(f"[items.{name}]{TINY.format(name=name)}" for name in ("one", "two"))
    (tmp_path / "plan" / "plan.toml").write_text(f"side_by_side = 2\n{items}")
    return tmp_path / "plan"


def test_a_plan_is_trained_and_goes_on_from_its_light_checkpoints(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = read_training_plan(folder / "plan.toml")
    here = Workshop(plan, folder, tmp_path / "runs", "a core")
    origin = Stretch(item="one", minutes=7, minutes_in_all=7, matches=70)
    here.ledger.write_text(origin.model_dump_json() + "\n")
    first = train_by_plan(here, 0.06)
    ones = [each for each in first if each.item == "one"]
    assert all(each.minutes_in_all > 7 and each.matches >= 70 for each in ones)
    assert ones[-1].minutes_in_all == pytest.approx(7 + sum(each.minutes for each in ones), abs=0.1)
    assert {each.item for each in first} == {"one", "two"}
    for each in first:
        assert each.minutes > 0
        assert each.hardware == "a core"
    measured = [each for each in read_ledger(here.ledger) if each.score is not None]
    assert measured
    assert {each.opponent for each in measured} == {"random"}
    before = counters_of(here.run("one"))
    stale = tmp_path / "stale" / "one"
    shutil.copytree(tmp_path / "runs" / "one", stale)
    for newer in checkpoints_in(stale / "checkpoints")[1:]:
        newer.unlink()
    behind = Workshop(plan, folder, tmp_path / "stale")
    assert counters_of(behind.run("one")).seconds < before.seconds
    assert behind.prepare("one", 1) == before
    assert (tmp_path / "stale" / "one-behind-1" / "config.toml").is_file()
    shutil.rmtree(tmp_path / "runs")
    there = Workshop(plan, folder, tmp_path / "elsewhere")
    had = there.prepare("one", 1)
    assert had == before
    assert counters_of(there.run("one")).matches == before.matches
    assert there.run("one").config().stop.minutes == pytest.approx(had.seconds / 60 + 1)
    assert main(["plan", str(folder / "plan.toml")]) == 0
    shown = capsys.readouterr().out
    assert "next: " in shown
    assert (folder / "spent.md").read_text() in shown


@pytest.fixture
def workshop(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """One whose runs have no checkpoints."""
    monkeypatch.setattr("athenan.experiments.stretches.export_run", lambda *_: 0)
    return Workshop(read_training_plan(folder / "plan.toml"), folder, tmp_path / "runs")


def test_minutes_of_a_stretch_that_was_killed_are_in_the_next_one(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin = Stretch(item="one", minutes=7, minutes_in_all=7, matches=70)
    workshop.ledger.write_text(origin.model_dump_json() + "\n")
    now = Counters()
    monkeypatch.setattr("athenan.experiments.stretches.counters_of", lambda _run: now)
    now = Counters(seconds=600, matches=100)
    first = workshop.settle("one", Counters())
    assert (first.minutes, first.minutes_in_all, first.matches) == (10, 17, 170)
    # Ten minutes more, killed; then five minutes.
    had, now = Counters(seconds=1200, matches=190), Counters(seconds=1500, matches=230)
    second = workshop.settle("one", had)
    assert (second.minutes, second.minutes_in_all, second.matches) == (15, 32, 300)
    # The run was removed, with its light checkpoint, and begun anew.
    now = Counters(seconds=60, matches=9)
    third = workshop.settle("one", Counters())
    assert (third.minutes, third.minutes_in_all, third.matches) == (1, 33, 309)
    assert read_ledger(workshop.ledger) == [origin, first, second, third]


def test_a_run_follows_its_plan_but_for_what_it_keeps(workshop: Workshop) -> None:
    """Otherwise a score against an opponent that the plan no longer names would never count."""
    workshop.prepare("one", 1)
    file = workshop.folder / "plan.toml"
    text = file.read_text()
    file.write_text(text.replace('"random"', '"mcts:iterations=7"'))
    changed = replace(workshop, plan=read_training_plan(file))
    changed.prepare("one", 2)
    config = changed.run("one").config()
    assert config.evaluation.opponent == "mcts:iterations=7"
    assert config.stop.minutes == 2
    file.write_text(text.replace("filters = 4", "filters = 8"))
    with pytest.raises(athenan.Error, match="has another network than one in the plan"):
        replace(workshop, plan=read_training_plan(file)).prepare("one", 2)


def test_two_plans_are_not_trained_in_one_folder(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with held(folder):
        assert main(["plan", str(folder / "plan.toml"), "--minutes", "1"]) != 0
    assert "another process works in" in capsys.readouterr().err


def test_a_request_to_stop_is_heard_and_what_was_had_is_kept(folder: Path, tmp_path: Path) -> None:
    text = (folder / "plan.toml").read_text().replace("stretch = 0.03", "stretch = 60")
    (folder / "plan.toml").write_text(text.replace("side_by_side = 2", "side_by_side = 1"))
    stop = athenan.Stop()
    here = Workshop(read_training_plan(folder / "plan.toml"), folder, tmp_path / "runs")
    seen = []

    def tell(sentence: str) -> None:
        seen.append(sentence)
        stop.request()

    train_by_plan(here, 60, tell=tell, stop=stop)
    assert seen[0].startswith("one: 60 minutes")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "items"),
        ('[items.a]\ngame = "chess"\n', "a: .*there is no game 'chess'"),
        ('[items.a]\ngame = "tic_tac_toe"\nstretch = 0\n', "stretch"),
        (
            '[items.a]\ngame = "tic_tac_toe"\nsettings.stop.matches = 5\n',
            "a: settings has stop, and the plan decides how long",
        ),
        ('[items.a]\ngame = "tic_tac_toe"\norigin = "nothing"\n', "a: there is no model 'nothing'"),
        ('[items.a]\ngame = "tic_tac_toe"\npreset = "nothing"\n', "a: .*nothing"),
        ('[items."../a"]\ngame = "tic_tac_toe"\n', "the item '../a' needs a name of"),
        (
            '[items.a]\ngame = "tic_tac_toe"\nsettings.network.code = "x.py:Net"\n',
            "a: the network 'x.py:Net' is in a Python file",
        ),
        (
            '[items.a]\ngame = "hex:size=3"\nstrech = 3\n',
            "there is no setting items.a.strech; accepted are game, preset, origin",
        ),
    ],
)
def test_a_plan_that_cannot_be_is_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(text)
    with pytest.raises(athenan.Error, match=said):
        read_training_plan(tmp_path / "plan.toml")
    with pytest.raises(athenan.Error, match="there is no plan"):
        read_training_plan(tmp_path / "none.toml")


def test_a_damaged_ledger_is_named(tmp_path: Path) -> None:
    ledger = tmp_path / "spent.jsonl"
    ledger.write_text(json.dumps({"item": "a", "minutes": -1}) + "\n")
    with pytest.raises(athenan.Error, match="line 1: this is no stretch"):
        read_ledger(ledger)
    ledger.write_text(stretch(10, 0.2).model_dump_json() + '\n{"item": "a", "minu')
    assert read_ledger(ledger) == [stretch(10, 0.2)], "a crash has cut the other line"


def test_the_plan_of_the_repository_can_be_read() -> None:
    plan = read_training_plan(ROOT / "training" / "plan.toml")
    assert {"hex-11", "othello-8"} <= plan.items.keys()
    assert next_item(plan, read_ledger(ROOT / "training" / "spent.jsonl")) in plan.items
