"""Series and tournaments: every player against every other one, the table growing live."""

from __future__ import annotations

import itertools
import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from athenan._core import Error, Game, SearchSpec, Stop, Stopped
from athenan.arena import Match, PlayerSpec, SearchPlayerSpec, Tally, play_matches
from athenan.arena.players import usual_player
from athenan.searches import combined, model_evaluator
from athenan.web.catalogue import Catalogue

KEPT = 20  # tournaments
MAX_PLAYERS = 6
MAX_MATCHES = 200  # per pairing
MAX_EXPANSIONS = 10_000


@dataclass(eq=False)
class Tournament:
    """Players who meet each other in series of matches."""

    game: Game
    players: Sequence[PlayerSpec]
    matches: int
    id: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    stop: Stop = field(default_factory=Stop)
    tallies: dict[tuple[int, int], Tally] = field(default_factory=dict)
    played: list[Match] = field(default_factory=list)
    state: str = "waiting"

    def play(self) -> None:
        """Play all pairings one after the other, in the thread of the caller."""
        self.state = "playing"
        try:
            for pairing in itertools.combinations(range(len(self.players)), 2):
                a, b = (self.players[each] for each in pairing)
                for match in play_matches(self.game, a, b, self.matches, workers=1, stop=self.stop):
                    self.tallies.setdefault(pairing, Tally()).add(match)
                    self.played.append(match)
            self.state = "over"
        except Stopped:
            self.state = "stopped"
        except Error as problem:
            self.state = f"failed: {problem}"

    def as_json(self) -> dict[str, Any]:
        """Return the table as it stands."""
        pairings = len(self.players) * (len(self.players) - 1) // 2
        return {
            "id": self.id,
            "game": self.game.id,
            "state": self.state,
            "players": [each.name for each in self.players],
            "total": pairings * self.matches,
            "played": len(self.played),
            "results": [_result(pairing, tally) for pairing, tally in list(self.tallies.items())],
        }

    def records(self) -> list[dict[str, Any]]:
        """Return the matches played so far, without their moves."""
        return [
            {"number": n, "players": list(each.players), "outcome": each.outcome,
             "plies": len(each.moves)}
            for n, each in enumerate(list(self.played))
        ]  # fmt: skip


def _result(pairing: tuple[int, int], tally: Tally) -> dict[str, Any]:
    counts = tally.counts
    low, high = tally.interval
    return {
        "a": pairing[0],
        "b": pairing[1],
        "wins": counts.wins,
        "draws": counts.draws,
        "losses": counts.losses,
        "score": counts.score,
        "low": low,
        "high": high,
    }


class Tournaments:
    """The tournaments of a server; one is played at a time."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._kept: OrderedDict[str, Tournament] = OrderedDict()
        self._turn = threading.Lock()
        self._closed = False

    def start(self, game: Game, players: object, matches: int, expansions: int) -> Tournament:
        """Begin a tournament of models, by id, and of base MCTS, by null."""
        if game.datasheet.players != 2:
            raise Error(f"{game.id} is for one player: there is nobody to play against")
        if not isinstance(players, list) or not 2 <= len(players) <= MAX_PLAYERS:
            raise Error(f"a tournament has 2 to {MAX_PLAYERS} players")
        if sum(each.state in ("waiting", "playing") for each in self._kept.values()) >= 3:
            raise Error("three tournaments are waiting or played: stop one of them first")
        specs = [self._player(each, game, expansions) for each in players]
        made = Tournament(game, specs, matches)
        self._kept[made.id] = made
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)[1].stop.request()
        threading.Thread(target=self._play, args=(made,), daemon=True).start()
        return made

    def get(self, identity: object) -> Tournament:
        """Return a tournament by its id."""
        found = self._kept.get(identity) if isinstance(identity, str) else None
        if found is None:
            raise Error("there is no such tournament here")
        return found

    def listed(self) -> list[dict[str, Any]]:
        """Return all that are kept, the latest first."""
        return [each.as_json() for each in reversed(self._kept.values())]

    def close(self) -> None:
        """Stop all of them."""
        self._closed = True
        for each in self._kept.values():
            each.stop.request()

    def _play(self, tournament: Tournament) -> None:
        with self._turn:
            if tournament.stop.requested or self._closed:
                tournament.state = "stopped"
            else:
                tournament.play()

    def _player(self, request: object, game: Game, expansions: int) -> PlayerSpec:
        budget = f"expansions={expansions}"
        if request is None:
            search = SearchSpec(usual_player(game)).updated(budget)
            return SearchPlayerSpec("MCTS", search)
        listed = self._catalogue.listed(request)
        if listed.game != game.id:
            raise Error(f"the model {listed.id!r} is for {listed.game}, not for {game.id}")
        search = combined(SearchSpec(listed.search), budget)
        model = self._catalogue.model(listed.id)
        return SearchPlayerSpec(
            listed.id, search, lambda threads: model_evaluator(model, game, search, threads)
        )
