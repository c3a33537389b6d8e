"""Runs so small that they cost nothing: tiny networks, tiny budgets, a few matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from athenan.learning import Config, complete_config, merged, preset
from athenan.learning.events import AtRest, Event, MatchLearned
from athenan.runs import Run
from athenan.runs.checkpoint import latest_readable
from athenan.runs.metrics import Line
from athenan.runs.session import Session

SMALL: dict[str, Any] = {
    "game": "tic_tac_toe",
    "seed": 5,
    "network": {"filters": 8, "blocks": 1, "margin": "same", "dense": [8]},
    "selfplay": {"search": "descent:expansions=5", "matches": 4},
    "learning": {"batch_size": 32, "replay": {"size": 5}},
    "checkpoints": {"every_minutes": 0, "every_matches": 4},
    "stop": {"matches": 12},
    "hardware": {"device": "cpu", "threads": 2},
}
DETERMINISTIC = {"hardware": {"deterministic": True}}

EVALUATION = {
    "opponent": "random",
    "search": "ubfm-safe:expansions=3",
    "matches": 4,
    "every_matches": 2,
}


def small_config(*changes: Mapping[str, Any]) -> Config:
    """The settings of a small run with some changed."""
    given: dict[str, Any] = {}
    for change in changes:
        given = merged(given, change)
    return complete_config(given, merged(preset("small"), SMALL))


def small_flags(*changes: Mapping[str, Any]) -> list[str]:
    """The same settings as arguments of `athenan train`."""
    settings = SMALL
    for change in changes:
        settings = merged(settings, change)
    flags = [str(settings["game"])]
    for branch, values in settings.items():
        if isinstance(values, Mapping):
            for name, value in _leaves(branch, values):
                text = str(value).lower() if isinstance(value, bool) else value
                flags += ["--set", f"{name}={text}"]
    return [*flags, "--seed", str(settings["seed"]), "--preset", "small"]


def _leaves(path: str, values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    leaves = []
    for name, value in values.items():
        inner = f"{path}.{name}"
        leaves += _leaves(inner, value) if isinstance(value, Mapping) else [(inner, value)]
    return leaves


class Watcher:
    """A listener that remembers, and stops the training when a condition holds."""

    def __init__(self, stop_when: Any = lambda _event: False) -> None:
        self.stop_when = stop_when
        self.stop: Callable[[], None] = lambda: None
        self.events: list[Event] = []
        self.lines: list[Line] = []
        self.said: list[str] = []

    def on_event(self, event: Event) -> None:
        self.events.append(event)
        if self.stop_when(event):
            self.stop()

    def on_line(self, line: Line) -> None:
        self.lines.append(line)

    def say(self, sentence: str) -> None:
        self.said.append(sentence)


def at_rest(matches: int) -> Callable[[Event], bool]:
    """Whether an event is the rest after so many matches."""
    return lambda event: isinstance(event, AtRest) and event.at.matches == matches


def learned(matches: int) -> Callable[[Event], bool]:
    """Whether an event is the end of a learning phase, so many matches on or more."""
    return lambda event: isinstance(event, MatchLearned) and event.at.matches >= matches


def train(path: Path, config: Config, watcher: Watcher | None = None) -> Watcher:
    """Begin a run and train it to its end, or until the watcher stops it."""
    return _trained(Session(Run(path), config, [watcher := watcher or Watcher()]), watcher, "begin")


def go_on(path: Path, watcher: Watcher | None = None) -> Watcher:
    """Resume a run and train it to its end, or until the watcher stops it."""
    run = Run.open(path)
    watcher = watcher or Watcher()
    return _trained(Session(run, run.config(), [watcher]), watcher, "resume")


def _trained(session: Session, watcher: Watcher, start: str) -> Watcher:
    watcher.stop = session.training.stop.request
    try:
        getattr(session, start)()
        session.train()
    finally:
        session.close()
    return watcher


def assert_same_end(one: Path, other: Path) -> None:
    """The last checkpoints of two runs hold the same bits, the clock aside."""
    _, arrays, values = latest_readable(Run(one).checkpoints)
    _, other_arrays, other_values = latest_readable(Run(other).checkpoints)
    for each in (values, other_values):
        for name in ("seconds", "cpu_seconds", "forgotten_at_seconds"):
            del each["counters"][name]
    assert values == other_values
    assert arrays.keys() == other_arrays.keys()
    for name, array in arrays.items():
        assert array.dtype == other_arrays[name].dtype
        assert np.array_equal(array, other_arrays[name]), name
    assert any(name.startswith("network.") for name in arrays)
    assert any(name.startswith("adam.") for name in arrays)
    assert len(arrays["replay.values"]) > 0


def saved_matches(path: Path) -> int:
    """How many matches the last checkpoint has learned."""
    return int(latest_readable(Run(path).checkpoints)[2]["counters"]["matches"])
