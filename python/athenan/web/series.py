"""Tournaments on the server: the arena's own, played in a thread of their own, the table live."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from athenan._core import Error, Game, SearchSpec, Stop, Stopped
from athenan.arena import Match, PlayerSpec, SearchPlayerSpec, distinct_openings
from athenan.arena.players import usual_player
from athenan.arena.record import finite
from athenan.arena.tournament import Standings, Tournament
from athenan.searches import combined, model_evaluator
from athenan.web.catalogue import Catalogue

KEPT = 20  # tournaments
MAX_UNDER_WAY = 3
MAX_PLAYERS = 6
MAX_MATCHES = 200  # per pairing
MAX_EXPANSIONS = 10_000
WAITING, PLAYING, OVER, STOPPED = "waiting", "playing", "over", "stopped"


@dataclass(eq=False)
class Event:
    """A tournament of the arena, how far it is, and what was played."""

    tournament: Tournament
    id: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    stop: Stop = field(default_factory=Stop)
    played: list[Match] = field(default_factory=list)
    state: str = WAITING
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._standings = Standings(self.tournament)

    def play(self) -> None:
        """Play all matches in the thread of the caller."""
        self.state = PLAYING
        try:
            for pairing, match in self.tournament.play(stop=self.stop):
                with self._lock:
                    self._standings.add(pairing, match)
                    self.played.append(match)
            self.state = OVER
        except Stopped:
            self.state = STOPPED
        except Error as problem:
            self.state = f"failed: {problem}"

    def as_json(self) -> dict[str, Any]:
        """Return the table as it stands."""
        with self._lock:
            standings, tallies = self._standings, self._standings.tallies
            return {
                "id": self.id,
                "game": self.tournament.game.id,
                "state": self.state,
                "players": [each.name for each in self.tournament.players],
                "total": self.tournament.planned,
                "played": standings.played,
                "results": [
                    {"a": pairing.a, "b": pairing.b} | tally.as_json()
                    for pairing, tally in tallies.items()
                    if tally.played
                ],
                "standings": _standings(standings),
            }

    def records(self) -> list[dict[str, Any]]:
        """Return the matches played so far, without their moves."""
        return [
            {"number": n, "players": list(each.players), "outcome": each.outcome,
             "plies": len(each.moves)}
            for n, each in enumerate(list(self.played))
        ]  # fmt: skip


def _standings(standings: Standings) -> list[dict[str, Any]]:
    """Return the points of each player and its rating above the mean of all, the best first."""
    found, rows = standings.ratings(), list[dict[str, Any]]()
    for player, rating in enumerate(found):
        points, matches = standings.points(player)
        row: dict[str, Any] = {"player": player, "points": points, "matches": matches}
        for name, elo in vars(rating).items():
            row[name] = finite(round(elo, 1))
        rows.append(row)
    return sorted(rows, key=lambda row: -found[row["player"]].elo)


class Tournaments:
    """The tournaments of a server; one at a time is played. Threads may share it."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._kept: OrderedDict[str, Event] = OrderedDict()
        self._turn = threading.Lock()
        self._lock = threading.Lock()  # of the list
        self._closed = False

    def start(self, game: Game, players: object, matches: int, expansions: int) -> Event:
        """Begin a tournament of models, of base MCTS and of players that the server knows."""
        if game.datasheet.players != 2:
            raise Error(f"{game.id} is for one player: there is nobody to play against")
        if not isinstance(players, list) or not 2 <= len(players) <= MAX_PLAYERS:
            raise Error(f"a tournament has 2 to {MAX_PLAYERS} players")
        self._check_room()
        specs = tuple(self._player(each, game, expansions) for each in players)
        openings = distinct_openings(game, (matches + 1) // 2, 0)
        made = Event(Tournament(game, specs, openings, matches, workers=1))
        with self._lock:
            self._check_room()  # others may have begun meanwhile
            self._kept[made.id] = made
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)[1].stop.request()
        threading.Thread(target=self._play, args=(made,), daemon=True).start()
        return made

    def _check_room(self) -> None:
        under_way = sum(each.state in (WAITING, PLAYING) for each in list(self._kept.values()))
        if under_way >= MAX_UNDER_WAY:
            raise Error(f"{under_way} tournaments are waiting or played: stop one of them first")

    def get(self, identity: object) -> Event:
        """Return a tournament by its id."""
        found = self._kept.get(identity) if isinstance(identity, str) else None
        if found is None:
            raise Error("there is no such tournament here")
        return found

    def listed(self) -> list[dict[str, Any]]:
        """Return all that are kept, the latest first."""
        with self._lock:
            kept = list(self._kept.values())
        return [each.as_json() for each in reversed(kept)]

    def close(self) -> None:
        """Stop all of them."""
        self._closed = True
        for each in self._kept.values():
            each.stop.request()

    def _play(self, event: Event) -> None:
        with self._turn:
            if event.stop.requested or self._closed:
                event.state = STOPPED
            else:
                event.play()

    def _player(self, request: object, game: Game, expansions: int) -> PlayerSpec:
        """Return the player of an object such as {"model": "hex-5", "expansions": 200}."""
        if not isinstance(request, dict):
            raise Error('a player is {"model": ID}, {"model": null} for MCTS, or {"player": NAME}')
        own = request.get("expansions", expansions)
        if type(own) is not int or not 1 <= own <= MAX_EXPANSIONS:
            raise Error(f"the expansions of a player are an integer from 1 to {MAX_EXPANSIONS}")
        budget, extra = f"expansions={own}", "" if own == expansions else f", {own} expansions"
        if "player" in request:
            name, draft = self._catalogue.player(request["player"])
            return draft.spec(game, budget).called(name)
        if request.get("model") is None:
            search = SearchSpec(usual_player(game)).updated(budget)
            return SearchPlayerSpec(f"MCTS{extra}", search)
        listed = self._catalogue.listed(request["model"])
        if listed.game != game.id:
            raise Error(f"the model {listed.id!r} is for {listed.game}, not for {game.id}")
        search = combined(SearchSpec(listed.search), budget)
        evaluator = partial(model_evaluator, self._catalogue.model(listed.id), game, search)
        return SearchPlayerSpec(f"{listed.id}{extra}", search, evaluator)
