"""Models by name: those that come with athenan, and the user's own.

A name is that of a file: `hex-11` is `hex-11.safetensors`. It is looked for in the user's folders
first, which the environment variable `ATHENAN_MODELS` lists as `PATH` lists those of programs, or
else in `~/.local/share/athenan/models`; then among the models that come with athenan.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from operator import index
from pathlib import Path
from typing import Any

import athenan._core as core
from athenan._core import Error

VARIABLE = "ATHENAN_MODELS"
CARD = "card"
"""The note of a model file that is its card (`athenan.zoo.card`)."""
SUFFIX = ".safetensors"
RUN_FILE = "model.safetensors"
"""The latest model of a run, in the run's directory."""
MAX_HEADER = 1 << 20  # bytes
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
TYPES = {"F16": 2, "F32": 4, "BF16": 2}
"""Bytes of the numbers that model files hold."""


@dataclass(frozen=True)
class Stated:
    """What a model file states of itself: unchecked, and read without torch."""

    path: Path
    game: str
    search: str
    info: dict[str, str]
    architecture: dict[str, Any]
    weights: int
    type: str
    """Of its numbers, as in F16."""

    @property
    def name(self) -> str:
        """By which it is found, if it lies in one of the folders."""
        return self.path.name.removesuffix(SUFFIX)

    @property
    def size(self) -> int:
        """Bytes."""
        return self.path.stat().st_size


def user_folders() -> list[Path]:
    """Return where the user's own models are looked for."""
    if given := os.environ.get(VARIABLE):
        return [Path(each).expanduser() for each in given.split(os.pathsep) if each]
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return [Path(data).expanduser() / "athenan" / "models"]


def own_folder() -> Path | None:
    """Return where the models are that come with athenan: in the package, or in a checkout."""
    package = Path(__file__).parents[1]
    checkout = package.parents[1]
    if (package / "models").is_dir():
        return package / "models"
    if (checkout / "pyproject.toml").is_file() and (checkout / "models").is_dir():
        return checkout / "models"
    return None


def folders() -> list[Path]:
    """Return every folder in which names are looked up; the first that has a name wins."""
    return [*user_folders(), *filter(None, [own_folder()])]


def zoo() -> dict[str, Path]:
    """Return the files of all models that have a name, by name."""
    found: dict[str, Path] = {}
    for folder in folders():
        for file in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []:
            name = file.name.removesuffix(SUFFIX)
            if is_name(name):
                found.setdefault(name, file)
    return dict(sorted(found.items()))


def is_name(text: str) -> bool:
    """Whether a model may be called so; games and searches have names of their own.

    >>> is_name("hex-11"), is_name("runs/hex"), is_name("mcts"), is_name("hex")
    (True, False, False, False)
    """
    taken = core.SearchSpec.names_algorithm(text) or text in core.game_names()
    return bool(NAME.fullmatch(text)) and not taken


def named_model(name: str) -> Path | None:
    """Return the file of the model of this name, if there is one."""
    if not is_name(name):
        return None
    candidates = (folder / f"{name}{SUFFIX}" for folder in folders())
    return next((file for file in candidates if file.is_file()), None)


def model_path(text: str) -> Path | None:
    """Return the model file or the run directory that a text names: a path, or a name of the zoo.

    What lies at the path goes first.
    """
    return Path(text) if exists(text) else named_model(text)


def exists(path: str) -> bool:
    """Whether there is something at a path; what cannot be a path is none."""
    try:
        return bool(path) and Path(path).exists()
    except (OSError, ValueError):  # too long for a name, or with a null character
        return False


def model_file(text: str | os.PathLike[str]) -> Path:
    """Return the model file that a text names: a path, a run's latest model, a name of the zoo."""
    path = model_path(text) if isinstance(text, str) else Path(text)
    if path is None or not path.exists():
        raise _no_model(str(text))
    if not path.is_dir():
        return path
    if not (path / RUN_FILE).is_file():
        raise Error(
            f"the directory {str(text)!r} has no {RUN_FILE}: it is not a run that has learned"
        )
    return path / RUN_FILE


def _no_model(text: str) -> Error:
    if not is_name(text):
        return Error(f"there is no model file {text!r}")
    near = get_close_matches(text, zoo(), 1)
    meant = f"; did you mean {near[0]!r}?" if near else ""
    return Error(f"there is no model {text!r}{meant} (athenan models lists those with a name)")


def stated_by(path: Path) -> Stated:
    """Return what a model file states of itself, without torch, which takes seconds to load.

    It is unchecked; a model is checked when it is loaded to play.
    """
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(min(length, MAX_HEADER)))
        entry = json.loads(header.pop("__metadata__")["athenan"])
        tensors = [dict(each) for each in header.values()]
        return Stated(
            path,
            str(entry["game"]),
            str(entry["search"]),
            {str(key): str(value) for key, value in dict(entry["info"]).items()},
            dict(entry["architecture"]),
            sum(math.prod(map(index, each["shape"])) for each in tensors),
            str(tensors[0]["dtype"]) if tensors else "F32",
        )
    except (AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError) as problem:
        raise Error(f"{str(path)!r} is not a model file: {problem}") from None


def stated_models() -> Iterator[Stated]:
    """Yield what the models of the zoo state of themselves; a file that is none is passed over."""
    for path in zoo().values():
        try:
            yield stated_by(path)
        except Error:
            continue
