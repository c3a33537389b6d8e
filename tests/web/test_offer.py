"""What a visitor may choose from: models with their strength, and how long they think."""

import json
import shutil
from pathlib import Path

import pytest
from athenan.web.catalogue import Catalogue
from athenan.web.settings import Settings
from athenan.web.strength import METRICS, TAIL
from athenan.zoo import RUN_FILE
from playwright.sync_api import Page, expect
from web.conftest import MODELS
from web.servers import Served
from web.test_house import training_line, write_run

PERSON = {"who": "person"}
MODEL = {"who": "machine", "model": "hex-5"}
RATED = {"kind": "evaluation", "matches": 9, "played": 40, "low": 0.6, "high": 0.9}


def run_with_model(folder: Path, name: str) -> Path:
    """Make a run of Hex 5 with a model but without evaluations."""
    run = write_run(folder, name, 2)
    shutil.copy(MODELS / "hex-5.safetensors", run / RUN_FILE)
    return run


def measure(run: Path, line: object, times: int = 1) -> None:
    with (run / METRICS).open("a") as file:
        file.writelines(json.dumps(line) + "\n" for _ in range(times))


def test_models_come_with_their_strength(tmp_path: Path) -> None:
    run = run_with_model(tmp_path, "one")
    catalogue = Catalogue(Settings(models=(MODELS,), runs=tmp_path))
    found = {each.id: each.as_json() for each in catalogue.models()}
    card = found["hex-5"]["strength"]
    assert card["opponent"] == "mcts:iterations=1000"
    assert 0.5 < card["low"] < card["score"] < card["high"] <= 1
    assert found["run one"]["strength"] is None
    measure(run, RATED | {"opponent": "mcts", "win_rate": 0.2})
    measure(run, RATED | {"opponent": "mcts", "win_rate": 0.75})
    measure(run, training_line(3), times=50)
    (run / METRICS).open("a").write('{"kind": "evaluation", "win_r')  # cut by a crash
    now = {each.id: each.strength for each in catalogue.models()}["run one"]
    assert now == {"score": 0.75, "low": 0.6, "high": 0.9, "matches": 40, "opponent": "mcts"}


@pytest.mark.parametrize("line", [
    "[1]", "null", '{"kind": "evaluation"}', '{"kind": "evaluation", "win_rate": "high"}',
    '{"kind": "evaluation", "win_rate": NaN}', '"evaluation"', "\xff\x00evaluation", "[" * 99999,
])  # fmt: skip
def test_metrics_of_anything_else_say_nothing_of_strength(tmp_path: Path, line: str) -> None:
    run = run_with_model(tmp_path, "one")
    (run / METRICS).write_text(line + "\n")
    catalogue = Catalogue(Settings(runs=tmp_path))
    assert [each.strength for each in catalogue.models()] == [None]


def test_very_long_metrics_are_read_from_their_end(tmp_path: Path) -> None:
    run = run_with_model(tmp_path, "one")
    measure(run, training_line(3), times=TAIL // 50)
    measure(run, {"kind": "evaluation", "mean_score": 61.5})
    catalogue = Catalogue(Settings(runs=tmp_path))
    assert [each.strength for each in catalogue.models()] == [{"mean_score": 61.5}]


def test_a_named_run_is_listed_once_and_before_the_others(tmp_path: Path) -> None:
    """It is what one click in the gallery plays against: `make demo` names it."""
    for name in ("a", "demo"):
        run_with_model(tmp_path, name)
    demo = tmp_path / "demo"
    here = Settings(models=(demo,), named=(MODELS,), runs=tmp_path)
    ids = [each.id for each in Catalogue(here).models()]
    assert ids[0] == "run demo"
    assert ids.count("run demo") == 1
    assert "demo" not in ids
    assert {"hex-5", "run a"} < set(ids)
    public = Settings(models=(demo,), named=(MODELS,), public=True)
    assert Catalogue(public).models()[0].id == "demo"


def test_full_strength_thinks_for_as_long_as_it_is_told(server: Served) -> None:
    made = server.begin("hex:size=5", PERSON, MODEL | {"level": 5, "seconds": 1.5})
    seat = server.get(f"api/matches/{made['id']}").json()["seats"][1]
    assert seat["level"] == "full strength, 1.5 s"
    for level, seconds in ((5, 1e9), (5, 0), (5, "1"), (5, True), (2, 1)):
        seats = [PERSON, MODEL | {"level": level, "seconds": seconds}]
        answer = server.post("api/matches", {"game": "hex:size=5", "seats": seats})
        assert answer.status_code == 400
        assert "seconds" in answer.json()["error"]


def test_the_gallery_says_how_strong_models_are(page: Page, server: Served) -> None:
    page.goto(server.url)
    card = page.locator(".card", has_text="Connect Four")
    expect(card).to_contain_text("connect-four 77 % against MCTS with 1,000 iterations")


def test_a_model_gets_a_budget_by_clicks(page: Page, server: Served) -> None:
    page.goto(f"{server.url}#/game/hex")
    page.get_by_label("Opponent").select_option("model hex-5")
    expect(page.locator("form")).to_contain_text(
        "92 % (85–96) of 100 matches against MCTS with 1,000 iterations"
    )
    expect(page.get_by_label("It thinks")).to_be_hidden()
    page.get_by_label("Strength").press("End")
    page.get_by_label("It thinks").select_option("10 s for each move")
    page.locator("form").get_by_role("button", name="Play").click()
    expect(page.locator(".player").first).to_contain_text("full strength, 10 s")
