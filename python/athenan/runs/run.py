"""A run: the directory of one learning process.

config.toml          the complete settings, each with its sentence
checkpoints/         everything needed to go on
metrics.jsonl        one line per interval and per evaluation
match.json           while it is trained: a match of self-play that is under way
model.safetensors    the latest network, ready to play
snapshots/           the models after fractions of the training, where they are wanted
tensorboard/         the same metrics for TensorBoard, where it is installed
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tomlkit
from pydantic import BaseModel
from tomlkit.items import Table

from athenan._core import Error, Game
from athenan.files import locked, write_text
from athenan.games import game_of_record
from athenan.learning.completion import recorded_config
from athenan.learning.settings import Config, Overrides, read_toml


class Run:
    """The files of a run, by name; the directory itself need not exist yet."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.config_file = self.path / "config.toml"
        self.checkpoints = self.path / "checkpoints"
        self.metrics = self.path / "metrics.jsonl"
        self.match = self.path / "match.json"
        self.model = self.path / "model.safetensors"
        self.snapshots = self.path / "snapshots"
        self.tensorboard = self.path / "tensorboard"

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Run:
        """Return an existing run."""
        run = cls(path)
        if not run.config_file.is_file():
            raise Error(f"{run.path} is not a run: it has no config.toml")
        return run

    def refuse_if_taken(self) -> None:
        """Refuse a path at which there is something already, an empty directory aside."""
        if self.config_file.is_file():
            raise Error(
                f"{self.path} is a run already; go on with it by: athenan resume {self.path}, "
                "or choose another directory with --run"
            )
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise Error(f"{self.path} exists already; choose another directory with --run")

    def create(self, config: Config) -> None:
        """Make the directory."""
        self.refuse_if_taken()
        self.path.mkdir(parents=True, exist_ok=True)
        self.write_config(config)

    def config(self, game: Game | None = None) -> Config:
        """Read the settings; of a run of a Python game the user must give the game."""
        return run_config(read_toml(self.config_file), game, f"the run {self.path}")

    def write_config(self, config: Config) -> None:
        """Write the settings."""
        write_text(self.config_file, config_text(config))

    @property
    def is_in_use(self) -> bool:
        """Whether a process trains it now, this one or another."""
        lock = self.path / ".lock"
        if not lock.is_file():
            return False
        with locked(lock) as held:
            return not held

    @contextmanager
    def in_use(self) -> Iterator[Callable[[], None]]:
        """Hold the run, so that no second process trains it at the same time.

        Gives a function that refuses to go on once the directory is gone: nothing is ever written
        to another one in its place.
        """
        lock = self.path / ".lock"
        with locked(lock) as held:
            if not held:
                raise Error(f"the run {self.path} is being trained by another process")
            ours = lock.stat()

            def check() -> None:
                if not (lock.exists() and os.path.samestat(lock.stat(), ours)):
                    raise Error(f"the run {self.path} was removed while it was trained")

            yield check


def run_config(settings: Overrides, game: Game | None, what: str) -> Config:
    """Return the settings of a run, whose file runs no code: a Python game is what is given."""
    identity, sha256 = settings.get("game"), settings.get("game_sha256", "")
    if isinstance(identity, str) and isinstance(sha256, str):
        settings = settings | {"game": game_of_record(game, identity, sha256, what)}
    return recorded_config(settings)


def free_name(folder: Path, game: str) -> Path:
    """Return a directory name for a new run of a game that is not taken yet."""
    stem = game.replace(":", "-").replace("=", "").replace(",", "-").replace("/", "-")
    number = 1
    while (folder / f"{stem}-{number}").exists():
        number += 1
    return folder / f"{stem}-{number}"


def config_text(config: Config) -> str:
    """Write settings as TOML, each with its sentence."""
    document = tomlkit.document()
    document.add(tomlkit.comment("The settings of this run. See docs/training.md."))
    _add_fields(document, config)
    return tomlkit.dumps(document)


def _add_fields(into: Any, settings: BaseModel) -> None:
    branches: list[tuple[str, BaseModel, str]] = []
    lists: list[tuple[str, tuple[BaseModel, ...]]] = []
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        if isinstance(value, BaseModel):
            branches.append((name, value, field.description or ""))
            continue
        if isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
            lists.append((name, value))
            continue
        item = tomlkit.item(list(value) if isinstance(value, tuple) else value)
        if field.description:
            item.comment(field.description)
        into.add(name, item)
    for name, branch, description in branches:
        table: Table = tomlkit.table()
        table.comment(description)
        _add_fields(table, branch)
        into.add(name, table)
    for name, several in lists:
        tables = tomlkit.aot()
        for each in several:
            table = tomlkit.table()
            _add_fields(table, each)
            tables.append(table)
        into.add(name, tables)
