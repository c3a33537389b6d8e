"""Who sits at a match: persons with a key each, and machines."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from athenan._core import Error, Game
from athenan.web.bench import USUAL_BUDGET, Thinker
from athenan.web.catalogue import Catalogue
from athenan.web.levels import AS_TOLD, SHORTEST, Level, level_of
from athenan.web.requests import Message

PERSON = "person"
MACHINE = "machine"
PLAYER = "player"


@dataclass(frozen=True)
class Seat:
    """One side of a match."""

    number: int
    """0 plays first."""
    name: str
    level: Level | None = None
    """Of a machine; a person has none."""
    thinker: Thinker = field(default_factory=Thinker)
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(9))

    @property
    def key(self) -> str:
        """Who knows it may move for this side, if it is a person's."""
        return f"{self.number}.{self.secret}"

    @property
    def is_person(self) -> bool:
        """Whether a person sits here."""
        return self.level is None

    def as_json(self) -> dict[str, Any]:
        """Return what everybody may know."""
        return {
            "who": PERSON if self.is_person else MACHINE,
            "seat": self.number,
            "name": self.name,
            "level": self.level.name if self.level else None,
            "model": self.thinker.model,
        }


def seats_of(
    request: object, game: Game, catalogue: Catalogue, max_seconds: float
) -> tuple[Seat, ...]:
    """Return the seats that a request asks for, one for each player of the game."""
    players = game.datasheet.players
    if not isinstance(request, list) or len(request) != players:
        raise Error(f"{game.id} has {players} seats: name who sits at each of them")
    return tuple(_seat(n, each, game, catalogue, max_seconds) for n, each in enumerate(request))


def _seat(
    number: int, request: object, game: Game, catalogue: Catalogue, max_seconds: float
) -> Seat:
    given = request if isinstance(request, dict) else {}
    who = given.get("who")
    if who == PERSON:
        return Seat(number, "Person")
    if who == PLAYER:
        name, draft = catalogue.player(given.get("player"))
        draft.spec(game, USUAL_BUDGET)  # refuses a game that it cannot play
        return Seat(number, name, AS_TOLD, Thinker(player=name))
    if who != MACHINE:
        raise Error(f"a seat is taken by a {PERSON}, a {MACHINE} or a {PLAYER}")
    level = level_of(given.get("level", 2))
    if given.get("seconds") is not None:
        seconds = Message(given).number("seconds", level.seconds, SHORTEST, max_seconds)
        level = level.within(seconds)
    model = given.get("model")
    if model is None:
        return Seat(number, "MCTS", level)
    listed = catalogue.listed(model)
    if listed.game != game.id:
        raise Error(f"the model {listed.id!r} is for {listed.game}, not for {game.id}")
    return Seat(number, listed.id, level, Thinker(model=listed.id))
