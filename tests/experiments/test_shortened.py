"""Every reproduction runs from its trainings to its pictures, in a form that takes a second.

One game, one training of each variant, two matches of four expansions a move. The settings, the
stages, the opponents and the searches are those of the size tiny.
"""

from __future__ import annotations

import json
import re
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import athenan.experiments
import athenan.experiments.reproduction as known
import pytest
from athenan.commands import main
from athenan.experiments import train_all
from athenan.experiments.plan import plan_of
from athenan.experiments.reproduction import Reproduction, Size, reproduction, reproductions
from athenan.runs import Run
from athenan.runs.session import Session

SOURCES = sorted({source for source, _ in reproductions().values()})
LONG = {"arimaa"}  # whose matches take half a minute


class Ended:
    """A training that is over."""

    done = 1.0
    has_ended = True

    def wait(self, seconds: float) -> None:
        """There is nothing to wait for."""

    def check(self, is_whole: bool = True) -> None:
        assert is_whole

    def ask_to_end(self) -> None:
        """It has ended."""

    def end(self) -> None:
        """It has ended."""


class InThisProcess:
    """Trains one run after the other, without processes of their own."""

    room = 1
    threads = 1

    def begin(self, run: Run) -> Ended:
        session = Session(run, run.config())
        try:
            session.resume()
            session.train()
        finally:
            session.close()
        return Ended()


def shortened(name: str, size: Size) -> Reproduction:
    here = reproduction(name, size)
    text = json.dumps(here.plan.model_dump(mode="json"))
    data = json.loads(re.sub(r"(iterations|expansions|evaluations)=\d+", r"\1=4", text))
    data |= {"games": data["games"][:1], "repetitions": 1, "budget": {"matches": 2}}
    data["without"] = {game: data["without"].get(game, []) for game in data["games"]}
    data["contest"]["matches"] = 2
    data["settings"].setdefault("learning", {})["pretraining"] = 32
    for variant in data["variants"].values():
        for stage in variant.get("stages", []):
            stage["matches"] = 1
    return here.model_copy(update={"plan": plan_of(data, name)})


@pytest.fixture
def shorter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let the command take shortened plans, and train them here."""
    here = partial(train_all, trainers=InThisProcess())
    monkeypatch.setattr(known, "reproduction", shortened)
    monkeypatch.setattr(athenan.experiments, "train_all", here)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def raw_results(folder: Path) -> dict[str, list[Any]]:
    found = {}
    for name in ("results.jsonl", "scores.jsonl"):
        file = folder / name
        found[name] = sorted(file.read_text().splitlines()) if file.exists() else []
    return found


@pytest.mark.parametrize(
    "source",
    [pytest.param(each, marks=[pytest.mark.slow] * (each in LONG)) for each in SOURCES],
)
def test_every_table_runs_to_its_pictures(
    source: str, shorter: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [each for each, (here, _) in reproductions().items() if here == source]:
        assert main(["reproduce", name]) == 0, name
        folder = shorter / "experiments" / f"{source}-tiny"
        findings = json.loads((folder / f"{name}.json").read_text())
        assert findings["panels"] or findings["against"] or findings["scores"]
        assert (folder / f"{name}.png").stat().st_size > 1000
        assert "One training of each variant" in capsys.readouterr().out
        assert any(raw_results(folder).values())


@pytest.mark.slow
@pytest.mark.parametrize("source", [each for each in SOURCES if each != "rivals"])
def test_the_same_command_twice_gives_the_same_raw_results(source: str, shorter: Path) -> None:
    """But for the rivals, whose trainings are measured by a clock."""
    name = next(each for each, (here, _) in reproductions().items() if here == source)
    for folder in ("one", "two"):
        assert main(["reproduce", name, "--run", folder]) == 0
    assert raw_results(shorter / "one") == raw_results(shorter / "two")
    assert any(raw_results(shorter / "one").values())


@pytest.mark.parametrize("name", reproductions())
def test_long_trainings_save_themselves(name: str) -> None:
    """A killed training loses what it did since its last checkpoint, and not its days before."""
    for size in ("small", "paper"):
        plan = reproduction(name, size).plan
        for job in takewhile(lambda job: job.repetition == 0, plan.jobs(Path())):
            config = plan.config(job)
            every = config.checkpoints
            deterministic = config.hardware.deterministic
            assert every.every_matches if deterministic else every.every_minutes
