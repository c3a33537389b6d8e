"""What visitors may choose from: games and models, each by a name and never by a path."""

from __future__ import annotations

import gzip
import re
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from athenan._core import Error, Game, Random, make_builtin_game
from athenan.arena.draft import Draft
from athenan.games import game_names, game_parameters
from athenan.games.goals import goal_of
from athenan.pictures import svg_of
from athenan.searches import read_model
from athenan.web.settings import Settings
from athenan.web.strength import Strength, sources, strength_of
from athenan.zoo import CARD, RUN_FILE, SUFFIX, stated_by

if TYPE_CHECKING:
    from athenan.networks import Model

MAX_TEXT = 200
KEPT_GAMES = 64
RUN = "run "
"""How the ids of models of runs begin."""
AREAS = re.compile(r'<g class="cells"[^>]*>(?:<polygon[^>]*/>\s*)*</g>')
"""What reacts to clicks in a picture: nobody clicks on the cells of the gallery's."""
SHOWN_PLIES = 0.35
"""Of a typical match: how far the match in the picture of the gallery is."""


@dataclass(frozen=True)
class Listed:
    """A model that visitors may play against."""

    id: str
    path: Path
    changed: float
    """When its file was written."""
    game: str
    search: str
    info: dict[str, str]
    strength: Strength | None = None
    seen: tuple[float, ...] = ()
    """When the files were written that were read for this."""

    def as_json(self) -> dict[str, Any]:
        """Return what a visitor may know: not the path."""
        notes = {key: text for key, text in self.info.items() if key != CARD}
        return {
            "id": self.id,
            "game": self.game,
            "search": self.search,
            "strength": self.strength,
            "info": notes,
        }


class Catalogue:
    """The games and models of a server. Threads may share it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._pictures: dict[str, bytes] = {}
        self._models: dict[str, Listed] = {}

    def game(self, text: object) -> Game:
        """Return a game by its text, as in hex:size=5; a Python game only if the server has it."""
        if not isinstance(text, str) or len(text) > MAX_TEXT:
            raise Error(f"a game is a text of at most {MAX_TEXT} characters, as in hex:size=5")
        if text in self._settings.games:
            return self._settings.games[text]
        with self._lock:
            game = self._games.pop(text, None)
        game = game or make_builtin_game(text)
        with self._lock:
            self._games[text] = game
            while len(self._games) > KEPT_GAMES:
                self._games.popitem(last=False)
        return game

    @cached_property
    def games(self) -> list[dict[str, Any]]:
        """Every game with its options."""
        listed = [(name, make_builtin_game(name), game_parameters(name)) for name in game_names()]
        listed += [(name, game, []) for name, game in self._settings.games.items()]
        return [
            {
                "name": name,
                "title": game.datasheet.title,
                "id": game.id,
                "players": game.datasheet.players,
                "options": [
                    {
                        "name": each.name,
                        "description": each.description,
                        "default": each.default,
                        "accepted": each.accepted,
                    }
                    for each in options
                ],
                "goal": goal_of(game),
                "moves": game.datasheet.move_notation,
                "positions": game.datasheet.position_notation,
            }
            for name, game, options in listed
        ]

    def picture(self, name: str) -> bytes:
        """Return the picture of a game for the gallery, a match under way; compressed by gzip."""
        if name not in {each["name"] for each in self.games}:
            raise Error(f"there is no game {name[:MAX_TEXT]!r}")
        if name not in self._pictures:
            self._pictures[name] = gzip.compress(self._drawn(name).encode(), mtime=0)
        return self._pictures[name]

    def _drawn(self, name: str) -> str:
        game, random = self.game(name), Random(3)
        state = game.initial_state()
        for _ in range(int(SHOWN_PLIES * (game.datasheet.typical_length or 12))):
            legal = state.legal_moves()
            following = state.play(legal[random.below(len(legal))])
            if following.is_terminal:
                break
            state = following
        return AREAS.sub("", svg_of(state, caption=False, size=240))

    def models(self) -> list[Listed]:
        """Return every model there is now; a file that is none is left out."""
        found: dict[str, Listed] = {}
        for identity, path in self._files():
            try:
                if identity in found:
                    continue
                seen = tuple(each.stat().st_mtime for each in sources(path))
                known = self._models.get(identity)
                if known is None or (known.path, known.seen) != (path, seen):
                    known = _read(identity, path, seen)
                found[identity] = known
            except (Error, OSError):
                continue
        self._models = found
        return list(found.values())

    def listed(self, identity: object) -> Listed:
        """Return a model by its id."""
        known = self._models.get(identity) if isinstance(identity, str) else None
        if known is None:
            for each in self.models():
                if each.id == identity:
                    return each
            raise Error(f"there is no model {str(identity)[:MAX_TEXT]!r} here")
        return known

    def model(self, identity: str) -> Model:
        """Read a model by its id."""
        return read_model(self.listed(identity).path)

    def player(self, name: object) -> tuple[str, Draft]:
        """Return a player that the owner of the server has named."""
        if not isinstance(name, str) or name not in self._settings.players:
            raise Error(f"there is no player {str(name)[:MAX_TEXT]!r} here")
        return name, self._settings.players[name]

    def _files(self) -> Iterator[tuple[str, Path]]:
        """Find model files; their names, and those of runs, are their ids. The first one wins.

        Those that the owner named come first: they are what a click plays against.
        """
        runs = None if self._settings.runs is None else self._settings.runs.resolve()
        for place in self._settings.models:
            if place.is_dir() and not (place / RUN_FILE).is_file():
                yield from ((each.stem, each) for each in sorted(place.glob(f"*{SUFFIX}")))
            elif place.is_dir():
                whole = place.resolve()
                prefix = RUN if whole.parent == runs else ""  # it is listed there too
                yield prefix + whole.name, whole / RUN_FILE
            else:
                yield place.stem, place
        for place in self._settings.named:
            yield from ((each.stem, each) for each in sorted(place.glob(f"*{SUFFIX}")))
        if runs is not None and runs.is_dir():
            for each in sorted(runs.glob(f"*/{RUN_FILE}")):
                yield RUN + each.parent.name, each


def _read(identity: str, path: Path, seen: tuple[float, ...]) -> Listed:
    stated = stated_by(path)
    strength = strength_of(stated)
    game, search, info = stated.game, stated.search, stated.info
    return Listed(identity, path, seen[0], game, search, info, strength, seen)
