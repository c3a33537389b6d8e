"""What a run knows for the card of its model, and the files of a model that others may load."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from athenan._core import Error, Game
from athenan.files import write_text
from athenan.games.python_files import is_python_file
from athenan.learning.completion import complete_config, preset
from athenan.learning.schedule import Counters
from athenan.learning.settings import Config, merged
from athenan.networks.model import Model, save_model
from athenan.runs.checkpoint import latest_readable
from athenan.runs.metrics import Line, read_metrics
from athenan.runs.run import Run
from athenan.zoo import CARD, RUN_FILE, SUFFIX, is_name, stated_by
from athenan.zoo.card import Card, Claim, Solo, page

BASE = "small"
"""The preset that a command begins with; whatever differs is set."""
OF_THIS_MACHINE = ("stop", "checkpoints", "hardware", "evaluation", "game", "game_sha256", "origin")
"""Settings that are no part of what was learned, or that the command names apart."""


def publish(folder: Path, name: str, model: Model, card: Card) -> Path:
    """Write a model in half precision, with its card, and the page of the card beside it."""
    if not is_name(name):
        raise Error(
            f"a model cannot be called {name!r}: a name has small letters, digits, - and _, "
            "and is not that of a game or a search"
        )
    file = folder / f"{name}{SUFFIX}"
    info = {key: text for key, text in model.info.items() if key != "origin"}  # a path of ours
    info[CARD] = card.model_dump_json(exclude_defaults=True)
    described = Model(model.weights, model.game, model.search, info, model.game_sha256)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        save_model(file, described, half=True)
        write_text(folder / f"{name}.md", page(stated_by(file)))
    except OSError as problem:
        raise Error(f"{file} could not be written ({problem})") from None
    return file


def known_of(run: Run, game: Game | None = None) -> dict[str, Any]:
    """Return what the card of a run's model has from the run itself.

    Of a run of a Python game the user must give the game.
    """
    config = run.config(game)
    _, _, values = latest_readable(run.checkpoints)
    counters = Counters(**values["counters"])
    training = {
        "command": command_of(config),
        "minutes": round(counters.seconds / 60, 1),
        "matches": counters.matches,
        "evaluated": counters.evaluations,
        "generated": counters.generated,
        "learned": counters.learned,
    }
    lines = (line for line in read_metrics(run.metrics) if line["matches"] <= counters.matches)
    return {"training": training, "curve": [point for line in lines for point in _point(line)]}


def _point(line: Line) -> Iterator[dict[str, Any]]:
    if line["kind"] != "evaluation" or "win_rate" not in line:
        return
    yield {
        "minutes": round(line["seconds"] / 60, 1),
        "matches": line["matches"],
        "opponent": line["opponent"],
        "search": line["search"],
        "played": line["played"],
        "score": line["win_rate"],
        "low": line["low"],
        "high": line["high"],
    }


def command_of(config: Config) -> str:
    """Return the command that trains with these settings."""
    game = {"game": config.game, "game_sha256": config.game_sha256}
    usual = complete_config(merged(preset(BASE), game)).model_dump()
    words = ["athenan", "train", config.game, "--preset", BASE]
    if config.origin:
        words += ["--from", _name_of(Path(config.origin))]
    for name, value in _leaves(config):
        if name.split(".")[0] not in OF_THIS_MACHINE and value != _at(usual, name):
            words += ["--set", f"{name}={_in_toml(value)}"]
    for name, limit in config.stop.limits.items():
        whole = int(limit) if limit == int(limit) else limit
        words += ["--set", f"stop.{name}={whole}"]
    return shlex.join(words)


def _name_of(model: Path) -> str:
    """Return what a model file was called, or its run; where it lay says nothing elsewhere."""
    return model.parent.name if model.name == RUN_FILE else model.name.removesuffix(SUFFIX)


def _leaves(settings: BaseModel, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, BaseModel):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _at(settings: Mapping[str, Any], name: str) -> Any:
    for part in name.split("."):
        settings = settings[part]
    return settings


def _in_toml(value: Any) -> str:
    """Write a value as a command takes it: as TOML, but a text without quotes."""
    return value if isinstance(value, str) else _quoted(value)


def _quoted(value: Any) -> str:
    if isinstance(value, BaseModel):
        given = value.model_dump(exclude_defaults=True).items()
        return f"{{{', '.join(f'{name} = {_quoted(each)}' for name, each in given)}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_quoted, value))}]"
    return json.dumps(value, ensure_ascii=False)


def claim_of(series: Mapping[str, Any], name: str, game: str) -> Claim:
    """Make a claim of what `athenan match --json` printed of a model's series as player A.

    `game` is the model's own.
    """
    try:
        a, b = series["a"], series["b"]
        _, has_search, search = str(a["description"]).rpartition(" with ")
        if not has_search or series["control"] or "seconds=" in f"{search} {b['description']}":
            raise Error(
                "a claim is made of a series whose player A is the model, without clocks: "
                "what depends on the load of a machine cannot be repeated"
            )
        _refuse_part(series["matches"] + series.get("uncounted", 0), series["planned"])
        played = str(series["game"])
        command = ["athenan", "match", f"{name}@{search}", str(b["name"])]
        command += ["--game", played] if played != game or is_python_file(played) else []
        command += ["--matches", str(series["planned"]), "--seed", str(series["seed"])]
        if series["kind_of_openings"] != "random":
            command += ["--openings", str(series["kind_of_openings"])]
        low, high = series["interval"]
        return Claim(
            opponent=str(b["description"]),
            player=search,
            game=played if played != game else "",
            matches=series["matches"],
            wins=series["wins"],
            draws=series["draws"],
            losses=series["losses"],
            low=round(low, 4),
            high=round(high, 4),
            command=shlex.join(command),
        )
    except (LookupError, TypeError, ValueError) as problem:
        if isinstance(problem, Error):
            raise
        raise Error("this is not what athenan match --json prints") from None


def _refuse_part(played: int, planned: int) -> None:
    """Refuse a series that was ended early: a command for so few has other openings."""
    if played < planned:
        raise Error(
            f"a claim is made of a whole series, and {played} of {planned} matches were played: "
            "play the others, or fewer in a series of their own"
        )


def solo_of(found: Mapping[str, Any], name: str) -> Solo:
    """Make a part of a card of what `athenan solo --json` printed of a model."""
    try:
        _, has_search, search = str(found["player"]["description"]).rpartition(" with ")
        if not has_search or "seconds=" in search:
            raise Error("the player must be the model, without a clock, to be repeated")
        _refuse_part(found["matches"], found.get("planned", found["matches"]))
        command = ["athenan", "solo", f"{name}@{search}"]
        command += ["--matches", str(found["matches"]), "--seed", str(found["seed"])]
        return Solo(
            player=search,
            matches=found["matches"],
            mean=round(found["mean"], 2),
            best=found["best"],
            moves=found["moves"],
            command=shlex.join(command),
        )
    except (LookupError, TypeError, ValueError) as problem:
        if isinstance(problem, Error):
            raise
        raise Error("this is not what athenan solo --json prints") from None
