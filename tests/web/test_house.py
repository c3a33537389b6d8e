"""Trainings and tournaments: for the owner of the machine, and not for strangers."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from athenan.runs import Run
from athenan.web.settings import Settings
from athenan.web.training import Trainings
from web.servers import PATIENCE, Served, served

MCTS = {"model": None}
MORE = {"model": None, "expansions": 99}
MODELS = Path(__file__).parents[2] / "models"


def write_run(folder: Path, name: str, lines: int) -> Path:
    """Make the directory of a run as a training leaves it, without a model."""
    run = folder / name
    run.mkdir(parents=True)
    (run / "config.toml").write_text('game = "tic_tac_toe"\nseed = 1\n')
    with (run / "metrics.jsonl").open("w") as file:
        for n in range(1, lines + 1):
            file.write(json.dumps(training_line(n)) + "\n")
    return run


def training_line(n: int) -> dict[str, object]:
    return {
        "kind": "training",
        "seconds": 2.0 * n,
        "matches": 10 * n,
        "loss": 1 / n,
        "length": 7.5,
        "start_value": 0.1,
        "states_per_second": 1000 + n,
    }


@pytest.fixture
def owned(tmp_path: Path) -> Iterator[tuple[Served, Path]]:
    """A server with runs of its own."""
    with served(Settings(models=(MODELS,), runs=tmp_path)) as running:
        yield running, tmp_path


def test_runs_and_their_metrics(owned: tuple[Served, Path]) -> None:
    server, folder = owned
    write_run(folder, "one", 5)
    write_run(folder, "two", 5000)
    (folder / "no run").mkdir()
    names = {each["name"]: each for each in server.get("api/runs").json()["runs"]}
    assert set(names) == {"one", "two"}
    assert names["one"]["game"] == "tic_tac_toe"
    assert not names["one"]["running"]
    lines = server.get("api/runs/one/metrics").json()["lines"]
    assert [line["matches"] for line in lines] == [10, 20, 30, 40, 50]
    many = server.get("api/runs/two/metrics").json()["lines"]
    assert len(many) <= 2001
    assert many[-1]["matches"] == 50_000


@pytest.mark.parametrize(
    "name", ["..", "..%2Fone", "%2Fetc", "one%2F..%2F..", "nothing", "a%00b", "." * 90]
)
def test_a_run_is_no_path(owned: tuple[Served, Path], name: str) -> None:
    server, folder = owned
    write_run(folder, "one", 1)
    for path, ask in (("metrics", server.get), ("stop", None), ("resume", None)):
        address = f"api/runs/{name}/{path}"
        answer = ask(address) if ask else server.post(address, {})
        assert answer.status_code in (400, 404), address


def test_what_cannot_be_stopped_or_trained(owned: tuple[Served, Path]) -> None:
    server, folder = owned
    write_run(folder, "one", 1)
    assert "not being trained" in server.post("api/runs/one/stop", {}).json()["error"]
    for message in (
        {"game": "../game.py"},
        {"game": "examples/tic_tac_toe.py"},
        {"game": "hex", "minutes": -1},
        {"game": "hex", "minutes": "9"},
        {"game": "--help"},
    ):
        assert server.post("api/runs", message).status_code == 400, message
    assert {each.name for each in folder.iterdir()} == {"one"}


def test_a_public_server_has_no_house(tmp_path: Path) -> None:
    write_run(tmp_path, "one", 1)
    with served(Settings(models=(MODELS,), runs=tmp_path, public=True)) as server:
        offer = server.get("api/offer").json()
        assert offer["public"]
        assert not offer["training"]
        assert all(not each["id"].startswith("run ") for each in offer["models"])
        for path in ("runs", "runs/one/metrics", "tournaments"):
            assert server.get(f"api/{path}").status_code == 404, path
        for path in ("runs", "runs/one/resume", "runs/one/stop", "tournaments"):
            assert server.post(f"api/{path}", {}).status_code in (404, 405), path


def test_a_tournament(owned: tuple[Served, Path]) -> None:
    server, _ = owned
    players = [{"model": None, "expansions": each} for each in (20, 5, 80)]
    message = {"game": "tic_tac_toe", "players": players, "matches": 4, "expansions": 20}
    made = server.post("api/tournaments", message).json()["id"]
    deadline = time.monotonic() + PATIENCE
    while (table := server.get(f"api/tournaments/{made}").json())["state"] in (
        "waiting",
        "playing",
    ):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert (table["state"], table["played"], table["total"]) == ("over", 12, 12)
    assert {(each["a"], each["b"]) for each in table["results"]} == {(0, 1), (0, 2), (1, 2)}
    assert table["players"] == ["MCTS", "MCTS, 5 expansions", "MCTS, 80 expansions"]
    assert sum(row["points"] for row in table["standings"]) == 12
    assert [row["elo"] for row in table["standings"]] == sorted(
        (row["elo"] for row in table["standings"]), reverse=True
    )
    record = server.get(f"api/tournaments/{made}/matches/11").json()
    assert len(record["moves"]) == table["matches"][11]["plies"]
    assert server.get(f"api/tournaments/{made}/matches/12").status_code == 400
    assert server.get("api/tournaments").json()["tournaments"][0]["id"] == made


@pytest.mark.parametrize(
    "message",
    [
        {"game": "morpion", "players": [MCTS, MCTS]},
        {"game": "hex", "players": [MCTS]},
        {"game": "hex", "players": [MCTS] * 7},
        {"game": "hex", "players": [MCTS, MCTS]},
        {"game": "hex", "players": [MCTS, None]},
        {"game": "hex", "players": [MCTS, {"model": "/etc/passwd"}]},
        {"game": "hex", "players": [MCTS, {"model": "hex-5"}]},
        {"game": "hex", "players": [MCTS, {"player": "random"}]},
        {"game": "hex", "players": [MCTS, MORE | {"expansions": True}]},
        {"game": "hex", "players": [MCTS, MORE], "matches": 10**6},
        {"game": "hex", "players": [MCTS, MORE], "expansions": 1.5},
    ],
)
def test_no_such_tournament(owned: tuple[Served, Path], message: dict[str, object]) -> None:
    server, _ = owned
    answer = server.post("api/tournaments", message)
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]


def test_the_match_of_a_training_is_seen(owned: tuple[Served, Path]) -> None:
    server, folder = owned
    run = write_run(folder, "one", 1)
    assert server.get("api/runs/one/match").json() == {"match": None}
    seen = {"game": "hex:size=5", "number": 7, "moves": ["c3", "swap"], "values": [0.25]}
    (run / "match.json").write_text(json.dumps(seen))
    match = server.get("api/runs/one/match").json()["match"]
    assert (match["number"], match["view"]["ply"], match["values"]) == (7, 2, [0.25])
    for damaged in ("", "[]", "{", '{"game": "x.py"}', '{"game": "hex", "moves": ["z99"]}'):
        (run / "match.json").write_text(damaged)
        answer = server.get("api/runs/one/match")
        assert answer.status_code in (200, 400), damaged
    (run / "match.json").write_text(json.dumps(seen))
    long_ago = time.time() - 3600
    os.utime(run / "match.json", (long_ago, long_ago))
    assert server.get("api/runs/one/match").json() == {"match": None}, "nobody trains any more"


def test_a_training_that_went_wrong_is_shown_too(owned: tuple[Served, Path]) -> None:
    server, folder = owned
    run = write_run(folder, "one", 1)
    (run / "config.toml").write_text('game = "hex"\nrate = nan\nsizes = [1, inf]\n')
    with (run / "metrics.jsonl").open("a") as file:
        file.write('{"kind": "training", "matches": 20, "loss": NaN, "length": Infinity}\n')
        file.write('{"kind": "training", "matches": NaN}\n')
    answer = server.get("api/runs/one/metrics")
    assert answer.status_code == 200
    last = answer.json()["lines"][-1]
    assert (last["matches"], last["loss"], last["length"]) == (20, None, None)
    assert answer.json()["settings"] == {"game": "hex", "rate": None, "sizes": [1, None]}
    seen = '{"game": "hex", "number": 1, "moves": ["a1"], "values": [NaN, 1]}'
    (run / "match.json").write_text(seen)
    assert server.get("api/runs/one/match").status_code == 400


def test_settings_come_with_the_metrics(owned: tuple[Served, Path]) -> None:
    server, folder = owned
    run = write_run(folder, "one", 1)
    (run / "config.toml").write_text('game = "hex"\n[network]\nblocks = 3\n')
    assert server.get("api/runs/one/metrics").json()["settings"] == {
        "game": "hex", "network.blocks": 3,
    }  # fmt: skip
    (run / "config.toml").write_text("game = ")
    assert server.get("api/runs/one/metrics").json()["settings"] == {}


def test_a_run_that_is_trained_elsewhere_is_known(owned: tuple[Served, Path]) -> None:
    """It can be watched; going on with it, or stopping it, is for whoever began it."""
    server, folder = owned
    run = Run(write_run(folder, "one", 1))
    run.match.write_text('{"game": "hex:size=5", "number": 1, "moves": [], "values": []}')

    def one() -> dict[str, Any]:
        (found,) = server.get("api/runs").json()["runs"]
        return dict(found)

    assert not one()["elsewhere"]
    with run.in_use():
        assert (one()["running"], one()["elsewhere"]) == (False, True)
        said = server.post("api/runs/one/resume", {"minutes": 1}).json()["error"]
        assert said == "the run 'one' is being trained by another process"
        assert "not being trained from here" in server.post("api/runs/one/stop", {}).json()["error"]
    assert not one()["elsewhere"]


def program(folder: Path, text: str) -> str:
    """Return a program that stands in for Python when a training is started."""
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def only_run(trainings: Trainings, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the only run once it is as wanted."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        (found,) = trainings.listed()
        if wanted(found):
            return found
        time.sleep(0.02)
    raise AssertionError(f"the run is {found}")


def test_a_training_is_listed_while_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loading torch takes seconds, in which there are no files of the run."""
    monkeypatch.setattr(sys, "executable", program(tmp_path, "exec sleep 60"))
    trainings = Trainings(tmp_path / "runs")
    name = trainings.start("hex:size=5", 1)
    (run,) = trainings.listed()
    assert (run["name"], run["game"], run["running"], run["beginning"]) == (
        name, "hex:size=5", True, True,
    )  # fmt: skip
    assert run["problem"] is None
    trainings.stop(name)
    deadline = time.monotonic() + PATIENCE
    while trainings.listed() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert trainings.listed() == []


def test_a_server_in_the_background_stops_trainings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a script begins with `&` ignores SIGINT, and its children inherit that."""
    monkeypatch.setattr(sys, "executable", program(tmp_path, "exec sleep 60"))
    trainings = Trainings(tmp_path / "runs")
    earlier = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        name = trainings.start("hex:size=5", 1)
    finally:
        signal.signal(signal.SIGINT, earlier)
    trainings.stop(name)
    deadline = time.monotonic() + PATIENCE
    while trainings.listed() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert trainings.listed() == []


@pytest.mark.parametrize(("minutes", "every"), [(5, "1"), (90, "9")])
def test_a_training_is_evaluated_while_it_learns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, minutes: float, every: str
) -> None:
    """Or its win rate would have no curve."""
    monkeypatch.setattr(sys, "executable", program(tmp_path, "echo $* >&2; exit 1"))
    trainings = Trainings(tmp_path / "runs")
    trainings.start("hex:size=5", minutes)
    run = only_run(trainings, lambda run: not run["running"])
    assert run["problem"].endswith(f"--set evaluation.every_minutes={every}")


def test_why_a_training_ended_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "echo noise >&2; echo 'training needs torch: pip install' >&2; exit 1"
    monkeypatch.setattr(sys, "executable", program(tmp_path, words))
    trainings = Trainings(tmp_path / "runs")
    name = trainings.start("hex:size=5", 1)
    run = only_run(trainings, lambda run: not run["running"])
    assert run["problem"] == "training needs torch: pip install"
    write_run(tmp_path / "runs", name, 2)  # it may also end when it has learned something
    run = only_run(trainings, lambda run: not run["running"])
    assert (run["beginning"], run["problem"]) == (False, "training needs torch: pip install")
    monkeypatch.setattr(sys, "executable", program(tmp_path, "exit 3"))
    trainings.resume(name, 1)
    run = only_run(trainings, lambda run: not run["running"])
    assert run["problem"] == "the training ended with status 3"
    monkeypatch.setattr(sys, "executable", program(tmp_path, "exit 0"))
    trainings.resume(name, 1)
    assert only_run(trainings, lambda run: not run["running"])["problem"] is None


def test_a_training_from_its_start_to_its_resumption(owned: tuple[Served, Path]) -> None:
    server, folder = owned
    name = server.post("api/runs", {"game": "tic_tac_toe", "minutes": 5}).json()["name"]

    def wait_for(what: str, enough: int = 1) -> None:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            runs = {each["name"]: each for each in server.get("api/runs").json()["runs"]}
            run = runs.get(name)
            if run and what == "end" and not run["running"]:
                return
            if run and what == "lines" and not run["beginning"]:
                lines = server.get(f"api/runs/{name}/metrics").json()["lines"]
                if len(lines) >= enough:
                    return
            time.sleep(0.2)
        raise AssertionError(what)

    wait_for("lines")
    assert "already" in server.post(f"api/runs/{name}/resume", {}).json()["error"]
    assert server.post(f"api/runs/{name}/stop", {}).status_code == 200
    wait_for("end")
    assert (folder / name / "model.safetensors").is_file()
    lines = len(server.get(f"api/runs/{name}/metrics").json()["lines"])
    assert server.post(f"api/runs/{name}/resume", {"minutes": 5}).status_code == 200
    wait_for("lines", lines + 1)
    assert server.post(f"api/runs/{name}/stop", {}).status_code == 200
    wait_for("end")
