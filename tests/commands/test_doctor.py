"""`athenan doctor`: it reports what is there, and fails where something is broken."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator

import pytest
from athenan.commands import main
from athenan.commands.doctor import CHECKS, Finding, examination

MODULE = importlib.import_module(
    "athenan.commands.doctor"
)  # the name athenan.commands.doctor is a function


def test_this_installation_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    named = {finding["name"]: finding for finding in found}
    needed = ("athenan", "numpy", "engine", "cores", "memory", "disk", "torch", "search", "network")
    assert [named[name]["status"] for name in needed] == ["ok"] * len(needed)
    assert all(finding["advice"] for finding in found if finding["status"] != "ok")
    compared = [f["detail"] for f in found if "values agree within" in f["detail"]]
    assert any(detail.startswith("torch on cpu") for detail in compared)


def test_lines_for_people(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def check() -> Iterator[Finding]:
        yield Finding("ears", "ok", "two")
        yield Finding("tail", "missing", "none", "grow one")

    monkeypatch.setattr(MODULE, "CHECKS", {"body": check})
    assert main(["doctor"]) == 0
    assert capsys.readouterr().out == (
        "ears         ok      two\ntail         missing none; grow one\n"
    )


def test_a_check_that_fails_has_found_something_broken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def check() -> Iterator[Finding]:
        yield Finding("ears", "ok", "two")
        raise RuntimeError("no\nteeth")

    found = list(examination({"mouth": check, "again": check}))
    assert [finding.status for finding in found] == ["ok", "broken"] * 2
    assert (found[1].name, found[1].detail) == ("mouth", "RuntimeError: no teeth")
    monkeypatch.setattr(MODULE, "CHECKS", {"mouth": check})
    assert main(["doctor"]) == 1
    assert "broken" in capsys.readouterr().out


def test_missing_packages_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    (torch,) = CHECKS["torch"]()
    assert (torch.status, "pip install torch" in torch.advice) == ("missing", True)
    assert list(CHECKS["network"]()) == []


def test_a_wrong_network_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(MODULE, "TOLERANCES", {"cpu": -1.0, "cuda": -1.0})
    found = list(CHECKS["network"]())
    assert {finding.status for finding in found[1:]} == {"broken"}
    assert "values differ by" in found[1].detail
