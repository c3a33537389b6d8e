"""docs/paper.md says where each item of the paper is: whatever it writes as code must exist.

A word in code letters is a file, a test, a setting, a search, a selection, a game, a preset, a
terminal evaluation, or a name that occurs in a file named in the same row. In the part of a preset
`setting=value` must be what that preset gives.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import athenan
import pytest
from athenan import ParameterError
from athenan._core import SearchSpec, Selection
from athenan.learning import complete_config, preset
from athenan.learning.completion import preset_names
from athenan.learning.settings import Config
from athenan.searches import terminal_evaluations
from pydantic import BaseModel

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "paper.md").read_text()
PLACES = (ROOT, ROOT / "python" / "athenan", ROOT / "tests")
FILE = re.compile(r"[\w/.-]+(\.(py|cpp|h|md|toml)|/)")
SETTING = re.compile(r"([a-z_0-9]+(?:\.[a-z_0-9]+)+)(?:=(.+))?")
NUMBERED = {"Algorithm": 15, "Table": 11, "Figure": 18}  # floats of the paper, in its order


class Code(NamedTuple):
    """Something in code letters, with the line and the section where it stands."""

    text: str
    line: str
    section: str


def codes() -> list[Code]:
    found, section = [], ""
    for line in PAGE.splitlines():
        if line.startswith("#"):
            section = line
        found += [Code(text, line, section) for text in re.findall(r"`([^`]+)`", line)]
    return found


def path_of(text: str) -> Path | None:
    return next((place / text for place in PLACES if (place / text).exists()), None)


@cache
def words_of(path: Path) -> frozenset[str]:
    files = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
    texts = (file.read_text() for file in files if file.suffix in (".py", ".h", ".cpp", ".toml"))
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))


@cache
def functions_of(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text())
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def leaves(settings: type[BaseModel] = Config, path: str = "") -> Iterator[str]:
    for name, field in settings.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from leaves(kind, f"{path}{name}.")
        else:
            yield f"{path}{name}"


@cache
def names() -> frozenset[str]:
    games = [athenan.make_game(name) for name in athenan.game_names()]
    terminals = [name for game in games for name in terminal_evaluations(game)]
    searches = [algorithm.name for algorithm in athenan.algorithms()]
    return frozenset([*preset_names(), *athenan.game_names(), *terminals, *searches])


def is_made(text: str) -> bool:
    """Whether it is a search, a selection or a game with its options."""
    makers = (SearchSpec, Selection, athenan.make_game)
    return any(_accepts(maker, text) for maker in makers)


def _accepts(maker: Any, text: str) -> bool:
    try:
        maker(text)
    except ParameterError:
        return False
    return True


def exists(code: Code) -> bool:
    text = code.text
    if ".py::" in text:
        file, _, test = text.partition("::")
        path = path_of(file)
        return path is not None and test in functions_of(path)
    if FILE.fullmatch(text):
        return path_of(text) is not None
    if setting := SETTING.fullmatch(text):
        return setting[1] in leaves()
    if text in names() or text in leaves() or is_made(text):
        return True
    paths = [path_of(each) for each in re.findall(r"`([^`]+)`", code.line) if FILE.fullmatch(each)]
    known = frozenset[str]().union(*(words_of(path) for path in paths if path))
    return set(re.findall(r"\w+", text)) <= known


def test_all_that_is_named_exists() -> None:
    assert [code.text for code in codes() if not exists(code)] == []


@pytest.mark.parametrize("name", [each for each in preset_names() if f"### `{each}`" in PAGE])
def test_the_parameters_of_a_preset_are_as_listed(name: str) -> None:
    config = complete_config({"game": "othello"} | preset(name))
    listed = [
        setting
        for code in codes()
        if code.section.startswith(f"### `{name}`") and (setting := SETTING.fullmatch(code.text))
    ]
    assert len(listed) > 5
    for setting in listed:
        value: Any = config
        for part in setting[1].split("."):
            value = getattr(value, part)
        assert value == _value(setting[2]), setting[0]


def _value(text: str) -> Any:
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    return tuple(value) if isinstance(value, list) else value


def test_every_preset_of_the_paper_has_its_part() -> None:
    assert all(f"### `{name}`" in PAGE for name in preset_names() if name.startswith("paper-"))


@pytest.mark.parametrize("kind", NUMBERED)
def test_every_numbered_item_of_the_paper_has_a_row(kind: str) -> None:
    rows = "\n".join(line for line in PAGE.splitlines() if line.startswith("|"))
    listed: set[int] = set()
    for first, last in re.findall(rf"{kind} (\d+)(?:–(\d+))?", rows):
        listed |= set(range(int(first), int(last or first) + 1))
    assert listed == set(range(1, NUMBERED[kind] + 1))
