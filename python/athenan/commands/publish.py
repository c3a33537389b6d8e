"""`athenan publish`: give a model a name and a card, so that every command finds it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from athenan import Error, Game
from athenan.commands.arguments import GameOption, NetworkOption, given_game, name_networks
from athenan.games import refuse_other_game
from athenan.terminal.page import say
from athenan.zoo import model_file, stated_by, user_folders

MAX_SERIES = 1 << 20  # bytes


def publish(
    source: Annotated[
        str, typer.Argument(metavar="RUN_OR_MODEL", help="A run, a model file or a name.")
    ],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to give, as in hex-11.")],
    notes: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.toml",
            help="What the run cannot know and the card should say: training.hardware, "
            "training.commit, limits.",
        ),
    ] = None,
    claim: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE.json",
            help="Matches of the model as player A: the JSON of athenan match or ladder, or of "
            "athenan solo for a game for one; may be repeated.",
        ),
    ] = None,
    into: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder to write to. The default is your own models' folder."
        ),
    ] = None,
    game: GameOption = None,
    network: NetworkOption = None,
) -> None:
    """Give a model a name and a card: how it was trained, how strong it is and what its limits are.

    The model file is in half precision and contains the card; NAME.md beside it shows the card.
    Publish the same name again with more series of matches to add them to the card.
    """
    from athenan.networks import load_model
    from athenan.runs.publishing import claim_of, solo_of
    from athenan.runs.publishing import publish as write
    from athenan.zoo.card import card_of

    name_networks(network)
    made = given_game(game)
    path = model_file(source)
    model = load_model(path)
    if made is not None:
        refuse_other_game(made, model.game, model.game_sha256, f"the model {source}")
    card = card_of(_fields(source, notes, made), f"what is known of {source}")
    claims = [series for file in claim or [] for series in _read(file)]
    alone = [each for each in claims if "player" in each]
    series = [each for each in claims if "player" not in each]
    card = card.with_claims(claim_of(each, name, model.game) for each in series)
    card = card.with_solos(solo_of(each, name) for each in alone)
    file = write(into or user_folders()[0], name, model, card)
    say(f"{file}: {file.stat().st_size / 1e6:.2f} MB; its card is {name}.md beside it")


def _fields(source: str, notes: Path | None, game: Game | None) -> dict[str, Any]:
    """Return what goes into the card: of the run, or of the model's own card, then of the notes."""
    from athenan.learning.settings import merged, read_toml
    from athenan.runs import Run
    from athenan.runs.publishing import known_of
    from athenan.zoo.card import card_in

    if Path(source).is_dir():
        known = known_of(Run.open(source), game)
    else:
        card = card_in(stated_by(model_file(source)))
        known = card.model_dump() if card else {}
    return merged(known, read_toml(notes)) if notes else known


def _read(file: Path) -> list[dict[str, Any]]:
    """Read one series, or the series of a ladder."""
    try:
        found = json.loads(file.read_bytes()[:MAX_SERIES])
    except (OSError, ValueError, RecursionError) as problem:
        raise Error(f"the series {file} cannot be read: {problem}") from None
    series = found if isinstance(found, list) else [found]
    if not all(
        isinstance(each, dict) and ("interval" in each or "player" in each) for each in series
    ):
        raise Error(f"the series {file} is not what athenan match --json prints")
    return series
