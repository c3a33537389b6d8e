"""The JSON-lines engine: many queries at once, judged together, answered by id.

Lines come from one thread; a second one thinks about all positions at once, the most urgent first,
and answers each as soon as it is judged. Without a clock an answer never depends on the others.
"""

from __future__ import annotations

import heapq
import itertools
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from time import monotonic
from typing import Any

from athenan._core import Error, Game, SearchSpec
from athenan.analysis.judgement import Judgement
from athenan.analysis.match_analysis import JudgedMove, judged_match
from athenan.analysis.queries import (
    Command,
    Id,
    Query,
    QueryReader,
    Refusal,
    read_command,
    read_line,
)
from athenan.analysis.thinking import Thinking, give_values
from athenan.evaluators import Evaluator
from athenan.machine import megabytes_per_tree

SLOTS = 64  # positions that are thought about at a time
MAX_QUEUED = 20_000
"""Positions that wait; a query that would exceed it is refused."""

Write = Callable[[str], None]
"""Sends one line; any thread may call it."""


@dataclass(eq=False)
class Open:
    """A query that is not answered in full."""

    query: Query
    judgements: dict[int, Judgement] = field(default_factory=dict)
    cancelled: bool = False


@dataclass(eq=False)
class Task:
    """One position of a query."""

    open: Open
    ply: int
    thinking: Thinking
    reported: float = field(default_factory=monotonic)


class AnalysisService:
    """Takes lines, and writes lines when there is something to say.

    >>> import athenan
    >>> from athenan.evaluators import constant_evaluator
    >>> game, heard = athenan.make_game("tic_tac_toe"), []
    >>> spec = athenan.SearchSpec("ubfm-safe")
    >>> service = AnalysisService(game, lambda _: spec, constant_evaluator(), heard.append)
    >>> service.hear('{"id": "a", "position": "xx1/oo1/3 x", "expansions": 50}')
    >>> service.finish()
    >>> answer = json.loads(heard[0])
    >>> answer["id"], answer["final"], answer["best_move"], answer["proven_outcome"]
    ('a', True, 'c1', 1)
    """

    def __init__(
        self,
        game: Game,
        spec_of: Callable[[Game], SearchSpec],
        evaluator: Evaluator,
        write: Write,
    ) -> None:
        """Make a service; `spec_of` gives the search of a game, or refuses the game."""
        self._reader = QueryReader(game, spec_of, evaluator, megabytes_per_tree(SLOTS))
        self._evaluator = evaluator
        self._write = write
        self._changed = threading.Condition()
        self._open: dict[Id, Open] = {}
        self._queue: list[tuple[int, int, Open, int]] = []
        self._numbers = itertools.count()
        self._working: list[Task] = []
        self._closing = False
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def hear(self, line: str) -> None:
        """Take a line; whatever is wrong with it is answered in one sentence."""
        if not line.strip():
            return
        try:
            data = read_line(line)
            if "action" in data:
                self._obey(read_command(data))
            else:
                self._add(self._reader.read(data))
        except Refusal as refusal:
            self._send(id=refusal.id, kind="error", error=_sentence(refusal))

    def finish(self) -> None:
        """Answer everything that was asked for, then end."""
        with self._changed:
            while self._open and self._thread.is_alive():
                self._changed.wait(0.1)
        self.close()

    def close(self) -> None:
        """End at once; what is not answered stays so."""
        with self._changed:
            self._closing = True
            self._queue.clear()
            for task in self._working:
                task.thinking.end()
            self._changed.notify_all()
        self._thread.join()

    # What lines do.

    def _add(self, query: Query) -> None:
        opened = Open(query)
        with self._changed:
            if query.id in self._open:
                raise Refusal(query.id, f"the id {query.id!r} is in use: wait for its answer")
            if len(self._queue) + len(query.wanted) > MAX_QUEUED:
                raise Refusal(
                    query.id,
                    f"{MAX_QUEUED} positions are waiting already: ask again after some answers",
                )
            if not query.wanted:
                raise Refusal(query.id, "plies is empty: there is nothing to judge")
            self._open[query.id] = opened
            for ply in query.wanted:
                entry = (-query.priority, next(self._numbers), opened, ply)
                heapq.heappush(self._queue, entry)
            self._changed.notify_all()

    def _obey(self, command: Command) -> None:
        if command.action == "cancel":
            self._cancel(command)
        elif command.action == "version":
            self._send(id=command.id, kind="version", version=version("athenan"))
        else:
            with self._changed:
                counts = {"queries": len(self._open), "waiting": len(self._queue)}
                counts["thinking"] = len(self._working)
            self._send(id=command.id, kind="status", **counts)

    def _cancel(self, command: Command) -> None:
        """End queries: positions under way are answered with what is known of them."""
        with self._changed:
            if command.query is not None and command.query not in self._open:
                raise Refusal(command.id, f"there is no query {command.query!r} to cancel")
            chosen = [
                each
                for each in self._open.values()
                if command.query is None or each.query.id == command.query
            ]
            for each in chosen:
                each.cancelled = True
            self._queue = [entry for entry in self._queue if not entry[2].cancelled]
            heapq.heapify(self._queue)
            under_way = [task for task in self._working if task.open.cancelled]
            for task in under_way:
                task.thinking.end()
            idle = [each for each in chosen if all(task.open is not each for task in under_way)]
        self._send(id=command.id, kind="cancel", queries=[each.query.id for each in chosen])
        for each in idle:
            self._end(each)

    # Thinking.

    def _work(self) -> None:
        while self._fill():
            for task in self._working:
                self._guarded(task, task.thinking.advance)
            asking = [task.thinking for task in self._working if task.thinking.planes is not None]
            try:
                give_values(asking, self._evaluator)
            except Exception as problem:
                for task in list(self._working):
                    self._fail(task.open, problem)
            for task in list(self._working):
                self._guarded(task, partial(self._look, task))

    def _fill(self) -> bool:
        """Take the most urgent positions; False when the service is closed."""
        failed = list[tuple[Open, Exception]]()
        with self._changed:
            while not (self._queue or self._working or self._closing):
                self._changed.wait()
            while self._queue and len(self._working) < SLOTS and not self._closing:
                _, _, opened, ply = heapq.heappop(self._queue)
                query = opened.query
                try:
                    thinking = Thinking(query.states[ply], query.spec, query.seed)
                except Exception as problem:
                    failed.append((opened, problem))
                else:
                    self._working.append(Task(opened, ply, thinking))
        for each in failed:
            self._fail(*each)
        return not self._closing

    def _guarded(self, task: Task, work: Callable[[], None]) -> None:
        """Do something for a position; an exception of its rules is told to the client."""
        if task not in self._working:
            return
        try:
            work()
        except Exception as problem:
            self._fail(task.open, problem)

    def _look(self, task: Task) -> None:
        """Answer a position that is judged, or report one that is not yet."""
        query, thinking = task.open.query, task.thinking
        if thinking.is_over:
            judgement = thinking.judgement()
            if judgement is not None:
                self._answer(task, judgement)
        elif query.report_every and monotonic() - task.reported >= query.report_every:
            task.reported = monotonic()
            judgement = thinking.judgement()
            if judgement is not None:
                self._tell(task, judgement, final=False)

    def _answer(self, task: Task, judgement: Judgement) -> None:
        opened = task.open
        opened.judgements[task.ply] = judgement
        self._tell(task, judgement, final=True)
        with self._changed:
            self._working.remove(task)
            under_way = any(each.open is opened for each in self._working)
            wanted = set(opened.judgements) if opened.cancelled else set(opened.query.wanted)
            ended = not under_way and wanted == set(opened.judgements)
        if ended:
            self._end(opened)

    def _end(self, opened: Open) -> None:
        """Say that nothing more comes; only the code that closes a query says so, and once."""
        query = opened.query
        if not self._close(opened):
            return
        if opened.cancelled:
            self._send(id=query.id, kind="cancelled", judged=sorted(opened.judgements))
        elif query.is_match:
            judgements = [opened.judgements[ply] for ply in range(len(query.states))]
            found = judged_match(query.states, query.moves, judgements)
            self._send(id=query.id, kind="match", moves=[_cost(each) for each in found.moves])

    def _fail(self, opened: Open, problem: Exception) -> None:
        """Give up a query: its other positions would fail likewise."""
        with self._changed:
            opened.cancelled = True
            self._queue = [entry for entry in self._queue if entry[2] is not opened]
            heapq.heapify(self._queue)
            self._working = [each for each in self._working if each.open is not opened]
        if self._close(opened):
            kind = "" if isinstance(problem, Error) else f"{type(problem).__name__}: "
            self._send(id=opened.query.id, kind="error", error=_sentence(problem, kind))

    def _close(self, opened: Open) -> bool:
        """Forget a query; False if that was done already."""
        with self._changed:
            self._changed.notify_all()
            return self._open.pop(opened.query.id, None) is opened

    def _tell(self, task: Task, judgement: Judgement, *, final: bool) -> None:
        query = task.open.query
        self._send(
            id=query.id,
            kind="judgement",
            index=task.ply,
            final=final,
            **judgement.as_json(query.top),
        )

    def _send(self, **answer: Any) -> None:
        try:
            self._write(json.dumps(answer))
        except (OSError, ValueError):  # nobody reads any more
            self._closing = True


def _cost(move: JudgedMove) -> dict[str, Any]:
    return {
        "ply": move.ply,
        "move": move.move,
        "loss": move.loss,
        "lost_outcome": move.lost_outcome,
        "is_mistake": move.is_mistake,
        "better": move.better.move if move.better else None,
    }


def _sentence(problem: Exception, kind: str = "") -> str:
    return kind + " ".join(str(problem).split())
