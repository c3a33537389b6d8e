"""The hall: all matches of the server, who watches them, and the machines that play in them."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from athenan._core import Error, Random, State, Stop
from athenan.searches import SearchResult
from athenan.web.bench import Bench
from athenan.web.levels import Level, chosen_move
from athenan.web.match import Match
from athenan.web.queue import BusyError, Job, SearchQueue
from athenan.web.settings import Limits
from athenan.web.thinking import Thinking, Work


class Watcher(Protocol):
    """Who is told of every change of a match."""

    visitor: str
    address: str

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message, some time soon."""

    def send(self, text: str) -> None:
        """Send a message that is JSON already."""


class Hall:
    """The matches, by id. Only the server's loop touches it; machines think in the queue."""

    def __init__(self, queue: SearchQueue[Bench], limits: Limits) -> None:
        self._queue, self._limits = queue, limits
        self._matches: OrderedDict[str, Match] = OrderedDict()  # the one touched last at the end
        self._watchers: dict[str, list[Watcher]] = {}
        self._thinking: dict[str, Job[Bench]] = {}
        self._flags: dict[str, asyncio.TimerHandle] = {}
        self._retries: set[str] = set()
        """Matches whose machine found no room in the queue and will try again."""

    def __len__(self) -> int:
        return len(self._matches)

    def add(self, match: Match) -> None:
        """Take in a match; those that nobody touched for long, or the oldest ones, make room.

        They are of the address that has the most: who begins thousands forgets only his own.
        """
        self._matches[match.id] = match
        self._make_room()

    def _make_room(self) -> None:
        """Forget matches until every bound is kept."""
        limits, earlier = self._limits, list(self._matches.values())[:-1]
        for oldest in earlier:
            if time.monotonic() - oldest.touched <= limits.idle_seconds:
                break
            self._remove(oldest.id)
        while len(self) > max(1, limits.matches):
            self._remove(self._oldest_of_the_greediest(lambda _: 1))
        while len(self) > 1 and sum(map(_length, self._matches.values())) > limits.moves:
            self._remove(self._oldest_of_the_greediest(_length))

    def _oldest_of_the_greediest(self, weight: Callable[[Match], int]) -> str:
        """Return the match, not the newest one, that its owner touched first of those he has."""
        sums: Counter[str] = Counter()
        earlier = list(self._matches.values())[:-1]
        for each in earlier:
            sums[each.owner] += weight(each)
        greediest = max(sums, key=lambda owner: sums[owner])
        return next(each.id for each in earlier if each.owner == greediest)

    def match(self, identity: object) -> Match:
        """Return a match by its id."""
        found = self._matches.get(identity) if isinstance(identity, str) else None
        if found is None:
            raise Error("there is no such match here; the server may have forgotten it")
        self._matches.move_to_end(found.id)
        return found

    def watch(self, match: Match, watcher: Watcher) -> None:
        """Tell a watcher how the match stands, and from now on of every change."""
        watchers = self._watchers.setdefault(match.id, [])
        if watcher not in watchers:
            watchers.append(watcher)
        watcher.tell({"is": "match", "match": match.as_json()})
        self._go_on(match)

    def leave(self, match: Match, watcher: Watcher) -> None:
        """Tell a watcher no more."""
        watchers = self._watchers.get(match.id, [])
        if watcher in watchers:
            watchers.remove(watcher)
        if not watchers:
            self._watchers.pop(match.id, None)

    def change(self, match: Match, how: Callable[[], object]) -> None:
        """Change a match, tell everybody, and let the machine go on."""
        before = match.changes
        how()
        if match.changes == before:
            return
        if job := self._thinking.pop(match.id, None):
            job.cancel()
        self._tell(match)
        self._go_on(match)

    def _tell(self, match: Match) -> None:
        text = json.dumps({"is": "match", "match": match.as_json()}, allow_nan=False)
        for watcher in list(self._watchers.get(match.id, ())):
            watcher.send(text)

    def _go_on(self, match: Match) -> None:
        """Let the machine think if it is its turn and somebody watches; wind the alarm clock."""
        self._wind(match)
        watchers = self._watchers.get(match.id)
        machine = match.mover
        if machine.level is None or not watchers or match.outcome is not None:
            return
        if match.id in self._thinking or match.id in self._retries:
            return
        loop, level, asked = asyncio.get_running_loop(), machine.level, match.changes
        state, random = match.state, Random(secrets.randbits(63))
        seconds = level.seconds
        if match.clock is not None:
            seconds = min(seconds, match.clock.for_thinking(state))

        def hear(
            found: SearchResult | int, _work: Work, ended: bool, _lengths: Sequence[int | None]
        ) -> None:
            if ended:
                answer = _answer(found, state, level, random)
                _hand_over(loop, lambda: self._answered(match, asked, *answer))

        is_told = machine.thinker.player is not None  # a search needs no more than the state
        line = tuple(zip(match.states, match.moves, strict=False)) if is_told else ()
        seed = random.below(1 << 31)
        model = machine.thinker.model
        iterations = level.iterations(len(state.legal_moves()), model is not None)
        thinking = Thinking(machine.thinker, state, seconds, hear, seed, line, iterations)

        def work(bench: Bench, stop: Stop) -> bool:
            try:
                return thinking(bench, stop)
            except Error as problem:
                sentence = str(problem)
                _hand_over(loop, lambda: self._failed(match, asked, sentence))
                return False

        try:
            last = watchers[-1]
            self._thinking[match.id] = self._queue.submit(last.visitor, last.address, work)
        except BusyError as problem:
            for watcher in watchers:
                watcher.tell({"is": "refusal", "error": str(problem)})
            self._retries.add(match.id)
            loop.call_later(1.0, self._retry, match)

    def _retry(self, match: Match) -> None:
        self._retries.discard(match.id)
        self._go_on(match)

    def _answered(self, match: Match, asked: int, move: int, value: float | None) -> None:
        if match.changes != asked or match.outcome is not None:
            return
        self._thinking.pop(match.id, None)
        self.change(match, lambda: match.play(move, value))

    def _failed(self, match: Match, asked: int, sentence: str) -> None:
        if match.changes != asked:
            return
        self._thinking.pop(match.id, None)
        for watcher in self._watchers.get(match.id, ()):
            watcher.tell({"is": "refusal", "error": sentence})

    def _wind(self, match: Match) -> None:
        """Look again when the time of the player to move must be up."""
        if handle := self._flags.pop(match.id, None):
            handle.cancel()
        if match.clock and match.outcome is None:
            left = match.clock.left(match.state.to_move)
            later = asyncio.get_running_loop().call_later(left + 0.01, self._ring, match)
            self._flags[match.id] = later

    def _ring(self, match: Match) -> None:
        if match.id in self._matches:
            self.change(match, match.flag)

    def _remove(self, identity: str) -> None:
        self._matches.pop(identity)
        self._watchers.pop(identity, None)
        if handle := self._flags.pop(identity, None):
            handle.cancel()
        if job := self._thinking.pop(identity, None):
            job.cancel()


def _length(match: Match) -> int:
    return len(match.moves)


def _answer(
    found: SearchResult | int, state: State, level: Level, random: Random
) -> tuple[int, float | None]:
    if isinstance(found, int):
        return found, None
    return chosen_move(found, state.to_move, level, random), found.value


def _hand_over(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Call on the server's loop, unless the server has ended meanwhile."""
    try:
        loop.call_soon_threadsafe(call)
    except RuntimeError:
        return
