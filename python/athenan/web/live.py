"""The live connection: one WebSocket per page, over which matches and thoughts come.

Every message is a JSON object. What a visitor asks says what to `do`; what he hears says what it
`is`. docs/web.md lists them.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from athenan._core import Error, Stop
from athenan.searches import SearchResult
from athenan.web.analysis import labels_of, thought_of
from athenan.web.bench import Bench
from athenan.web.board import replayed
from athenan.web.guard import Bucket
from athenan.web.hall import Hall
from athenan.web.match import Match
from athenan.web.queue import SearchQueue
from athenan.web.requests import Message, Reading
from athenan.web.review import Review
from athenan.web.settings import Limits
from athenan.web.thinking import Thinking, Work

OUTBOX = 200  # messages that a slow visitor may be behind
WATCHED = 16  # matches per connection
GOING_AWAY, TOO_BIG, TRY_LATER = 1001, 1009, 1013
THINK, REVIEW = "think", "review"
_numbers = itertools.count(1)


class Connection:
    """One page that is open somewhere."""

    def __init__(
        self,
        socket: WebSocket,
        hall: Hall,
        queue: SearchQueue[Bench],
        reading: Reading,
        address: str,
        bucket: Bucket,
    ) -> None:
        self.visitor, self.address = f"visitor {next(_numbers)}", address
        self._shared = bucket
        """What all connections of this address may say."""
        self._socket, self._hall, self._queue, self._reading = socket, hall, queue, reading
        self._limits: Limits = reading.limits
        self._outbox: asyncio.Queue[str | None] = asyncio.Queue(OUTBOX)
        self._unread = 0
        """Characters in the outbox."""
        self._is_behind = False
        self._watched: dict[str, Match] = {}
        self._loop = asyncio.get_running_loop()
        self._stops: dict[str, Stop] = {}
        """Of the last search and of the last review; both may go on at a time."""
        self._thinking: Thinking | None = None

    async def run(self) -> None:
        """Serve until either side leaves."""
        bucket = Bucket(self._limits.messages_per_second)
        sender = asyncio.create_task(self._send())
        try:
            while True:
                text = await self._socket.receive_text()
                if len(text) > self._limits.body_bytes:
                    await self._socket.close(TOO_BIG)
                    return
                if self._is_behind:
                    continue
                if bucket.take(len(text)) and self._shared.take(len(text)):
                    self._handle(text)
                else:
                    self.tell({"is": "refusal", "error": "too many messages: wait a moment"})
        except (WebSocketDisconnect, KeyError, RuntimeError):  # KeyError: bytes and not text
            return
        finally:
            self._leave()
            sender.cancel()
            with suppress(asyncio.CancelledError):
                await sender

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message soon."""
        self.send(json.dumps(message, allow_nan=False))

    def send(self, text: str) -> None:
        """Send a message that is JSON already; a visitor who is far behind is disconnected."""
        if self._is_behind:
            return
        unread = self._unread + len(text)
        if not self._outbox.full() and (not self._unread or unread <= self._limits.unread_bytes):
            self._outbox.put_nowait(text)
            self._unread = unread
            return
        self._is_behind = True
        while not self._outbox.empty():
            self._outbox.get_nowait()
        self._outbox.put_nowait(None)

    async def _send(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            while (text := await self._outbox.get()) is not None:
                self._unread -= len(text)
                await self._socket.send_text(text)
            await self._socket.close(TRY_LATER)

    def _handle(self, text: str) -> None:
        reply: dict[str, Any] = {}
        try:
            message = Message.of_text(text)
            reply = message.reply
            action = message.choice("do", ACTIONS)
            ACTIONS[action](self, message)
        except Error as mistake:
            self.tell({"is": "refusal", "error": " ".join(str(mistake).split())} | reply)

    def _leave(self) -> None:
        for match in self._watched.values():
            self._hall.leave(match, self)
        self._watched.clear()
        self._stop(REVIEW)
        self._forget()

    def _forget(self) -> None:
        """Let the last search go: it tells this connection, a circle that nobody collects soon."""
        self._stop(THINK)
        self._thinking = None

    def _stop(self, what: str) -> None:
        if stop := self._stops.pop(what, None):
            stop.request()

    def _tell_later(self, message: dict[str, Any]) -> None:
        """Send a message from a thread that searches."""
        with suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(self.tell, message)

    def _submit(self, message: Message, slice_of: Callable[[Bench, Stop], bool]) -> Stop:
        """Let something be searched; what goes wrong is told. Return what ends it early."""

        def work(bench: Bench, stop: Stop) -> bool:
            try:
                return slice_of(bench, stop)
            except Error as problem:
                sentence = " ".join(str(problem).split())
                self._tell_later({"is": "refusal", "error": sentence} | message.reply)
                return False

        return self._queue.submit(self.visitor, self.address, work).stop

    # What a visitor may ask.

    def watch(self, message: Message) -> None:
        """Follow a match."""
        match = self._hall.match(message.get("match"))
        if match.id not in self._watched and len(self._watched) >= WATCHED:
            raise Error(f"one connection watches at most {WATCHED} matches: leave one of them")
        self._watched[match.id] = match
        self._hall.watch(match, self)

    def leave(self, message: Message) -> None:
        """Follow a match no more."""
        match = self._hall.match(message.get("match"))
        self._watched.pop(match.id, None)
        self._hall.leave(match, self)

    def move(self, message: Message) -> None:
        """Make a move."""
        match = self._hall.match(message.get("match"))
        key, ply, text = (message.get(name) for name in ("key", "ply", "move"))
        self._hall.change(match, lambda: match.play_as(key, ply, text))
        if self._thinking is not None and self._thinking.ended:
            self._forget()  # the match has gone on: nobody looks into that tree any more

    def undo(self, message: Message) -> None:
        """Take back a move."""
        match = self._hall.match(message.get("match"))
        self._hall.change(match, lambda: match.undo(message.get("key")))

    def resign(self, message: Message) -> None:
        """Give up."""
        match = self._hall.match(message.get("match"))
        self._hall.change(match, lambda: match.resign(message.get("key")))

    def think(self, message: Message) -> None:
        """Analyse a position; what was analysed before is given up."""
        self._stop(THINK)
        states, _ = self._reading.line(message)
        state = states[-1]
        if state.is_terminal:
            raise Error("the match is over in this position: there is nothing to think about")
        thinker = self._reading.thinker(message, state)
        seconds = message.number("seconds", 5.0, 0.05, self._limits.seconds)

        def hear(
            found: SearchResult | int, work: Work, ended: bool, lengths: Sequence[int | None]
        ) -> None:
            self._tell_later(thought_of(state, found, work, ended, lengths) | message.reply)

        self._thinking = Thinking(thinker, state, seconds, hear)
        self._stops[THINK] = self._submit(message, self._thinking)

    def stop(self, message: Message) -> None:
        """Think no more, or review no more."""
        self._stop(message.choice("what", (THINK, REVIEW)) if "what" in message.fields else THINK)

    def node(self, message: Message) -> None:
        """Look into the tree of the last search: the labels of a state, by the moves to it."""
        thinking, texts = self._thinking, message.texts("moves", self._limits.plies)
        if thinking is None:
            raise Error("there is no tree to look into: analyse a position first")
        states, moves = replayed(thinking.state, texts)

        def work(_bench: Bench, _stop: Stop) -> bool:
            labels = labels_of(states[-1], *thinking.labels(moves))
            self._tell_later({"is": "node", "moves": texts, "labels": labels} | message.reply)
            return False

        self._submit(message, work)

    def review(self, message: Message) -> None:
        """Judge every move of a match."""
        self._stop(REVIEW)
        states, moves = self._reading.line(message)
        if not moves:
            raise Error("there is no move to judge")
        thinker = self._reading.thinker(message, states[-1])
        texts = message.texts("moves", self._limits.plies)
        review = Review(
            thinker, states, texts, lambda heard: self._tell_later(heard | message.reply)
        )
        self._stops[REVIEW] = self._submit(message, review)

    def ping(self, message: Message) -> None:
        """Tell that the connection is alive."""
        self.tell({"is": "pong"} | message.reply)


Action = Callable[[Connection, Message], None]
ACTIONS: Mapping[str, Action] = {
    "watch": Connection.watch,
    "leave": Connection.leave,
    "move": Connection.move,
    "undo": Connection.undo,
    "resign": Connection.resign,
    "think": Connection.think,
    "stop": Connection.stop,
    "node": Connection.node,
    "review": Connection.review,
    "ping": Connection.ping,
}
