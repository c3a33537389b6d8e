"""athenan as an engine, whatever the protocol: a position, and a player that thinks about it.

A protocol reads commands on one thread and calls an `Engine`; thinking happens on another. A turn
is what the protocol's community writes as one move: several plies of ours in Arimaa and Amazons.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from athenan._core import Budget, Error, Game, Search, State, Stop
from athenan.arena.clocks import SHORTEST
from athenan.arena.player import Player
from athenan.arena.search_player import SearchPlayer, SearchPlayerSpec
from athenan.dialects import Dialect
from athenan.protocols.limits import Limits
from athenan.protocols.reports import Report
from athenan.protocols.settings import DEFAULT_SECONDS, Settings
from athenan.searches import SearchResult, warm_up

REPORT_INTERVAL = 0.25
"""Seconds between two reports, unless a protocol asks for others."""


@dataclass(frozen=True)
class Turn:
    """What the engine plays: moves from the state it was asked about."""

    state: State
    moves: tuple[int, ...]
    result: SearchResult | None
    """What the search of the first ply found out, if the player tells."""


@dataclass(frozen=True)
class Request:
    """What to think about, and who is told the result, on the thread that thinks."""

    limits: Limits
    done: Callable[[Turn], None]
    failed: Callable[[str], None]
    """Is told in one sentence why there is no turn."""
    report: Callable[[Report], None] | None = None
    interval: float = REPORT_INTERVAL


class Engine:
    """A position, a player that thinks about it, and the options of both."""

    def __init__(self, game: Game, dialect: Dialect, settings: Settings) -> None:
        self.game, self.dialect = game, dialect
        self._settings = settings
        self.states = [game.initial_state()]
        """From the start of the match to the present."""
        self.moves: list[int] = []
        self._player: Player | None = None
        self._own = Budget()
        self._new_match = True
        self._thinking: Thinking | None = None

    # Options.

    @property
    def settings(self) -> Settings:
        """The options."""
        return self._settings

    def configure(self, settings: Settings) -> None:
        """Take other options; a player that they change is made anew when it is needed."""
        if settings.without_player() != self._settings.without_player():
            settings.spec(self.game)  # refuses what cannot play
            self._close_player()
        elif settings.seed != self._settings.seed:
            self._new_match = True
        self._settings = settings

    def change_game(self, game: Game, dialect: Dialect) -> None:
        """Play another game, from its start."""
        self._settings.spec(game)
        self._close_player()
        self.game, self.dialect = game, dialect
        self.new_match()

    # The position.

    @property
    def state(self) -> State:
        """The present one."""
        return self.states[-1]

    def new_match(self) -> None:
        """Forget everything of the match before."""
        self.stop()
        self.states, self.moves = [self.game.initial_state()], []
        self._new_match = True

    def set_line(self, start: State, turns: Sequence[str]) -> None:
        """Take the position after some turns; of an illegal one nothing is taken."""
        self.stop()
        states, moves = [start], list[int]()
        for text in turns:
            for move in self.dialect.read_turn(states[-1], text):
                moves.append(move)
                states.append(states[-1].play(move))
        known = len(self.moves)
        extends = states[: known + 1] == self.states and moves[:known] == self.moves
        self.states, self.moves = states, moves
        if extends and self._player is not None and not self._new_match:
            for state, move in zip(states[known:-1], moves[known:], strict=True):
                self._player.hear(state, move)

    def play(self, moves: Sequence[int]) -> None:
        """Play on from the present position."""
        self.stop()
        for move in moves:
            before, after = self.state, self.state.play(move)
            self.states.append(after)
            self.moves.append(move)
            if self._player is not None and not self._new_match:
                self._player.hear(before, move)

    def undo(self) -> None:
        """Take back the last turn."""
        if not self.moves:
            raise Error("there is no move to take back")
        self.stop()
        whole = False
        while self.moves and not whole:
            self.states.pop()
            self.moves.pop()
            whole = not self.moves or self.dialect.ends_turn(self.states[-2], self.state)

    # Thinking.

    def prepare(self) -> Player:
        """Return the player, ready to think: whatever takes long at first has been done."""
        if self._player is None:
            spec = self._settings.spec(self.game)
            self._player = spec.make(self.game, self._settings.threads)
            if isinstance(self._player, SearchPlayer) and isinstance(spec, SearchPlayerSpec):
                self._own = spec.search.budget
                warm_up(self._player.evaluator, self.game)
            self._new_match = True
        if self._new_match:
            self._player.begin(self.game, self._settings.match_seed())
            for state, move in zip(self.states, self.moves, strict=False):
                self._player.hear(state, move)
            self._new_match = False
        return self._player

    @property
    def deepens(self) -> bool:
        """Whether a depth means something to the search: each of its iterations is one deeper."""
        return isinstance(self._player, SearchPlayer) and self._player.deepens

    @property
    def is_thinking(self) -> bool:
        """Whether a request is not yet answered."""
        return self._thinking is not None and self._thinking.is_alive

    def think(self, request: Request) -> None:
        """Begin to think about the present position, in the background."""
        self.stop()
        if self.state.is_terminal:
            raise Error("the match is over: there is no move to play")
        player = self.prepare()
        self._thinking = Thinking(self, player, request)

    def wait(self) -> None:
        """Wait until a request with a limit is answered; one without a limit is stopped."""
        if (thinking := self._thinking) is not None:
            thinking.wait()
            self._thinking = None

    def stop(self) -> None:
        """End the thinking at once: a request is answered with the best move so far."""
        if (thinking := self._thinking) is not None:
            thinking.stop()
            self._thinking = None

    def discard(self) -> None:
        """End the thinking at once, without an answer."""
        if self._thinking is not None:
            self._thinking.is_heard = False
        self.stop()

    def ponder(self) -> None:
        """Think about the present position until the next command, without an answer."""
        if not self.state.is_terminal:
            self.think(Request(Limits(infinite=True), lambda _: None, lambda _: None))

    def close(self) -> None:
        """Give everything back."""
        self.stop()
        self._close_player()

    def budget(self, limits: Limits, seconds: float | None) -> Budget:
        """Return the budget of one ply: what the protocol says, and the player's own limits."""
        if limits.infinite:
            return Budget()
        own, nodes = self._own, limits.nodes
        depth = limits.depth if self.deepens else 0
        if nodes or depth:
            return Budget(seconds=seconds or 0, expansions=nodes, iterations=depth)
        if seconds is None and not own.cpu_seconds and not _counts(own):
            seconds = own.seconds or DEFAULT_SECONDS
        return Budget(
            seconds=seconds or 0,
            cpu_seconds=own.cpu_seconds,
            expansions=own.expansions,
            iterations=own.iterations,
            evaluations=own.evaluations,
        )

    def _close_player(self) -> None:
        self.stop()
        if self._player is not None:
            self._player.close()
            self._player, self._own = None, Budget()


def _counts(budget: Budget) -> bool:
    """Tell whether anything but time limits a search."""
    return bool(budget.expansions or budget.iterations or budget.evaluations)


class Thinking:
    """One turn being thought about, on a thread of its own."""

    def __init__(self, engine: Engine, player: Player, request: Request) -> None:
        self._engine, self._player, self._request = engine, player, request
        self._state = engine.state
        self._token, self._stopped = Stop(), threading.Event()
        self.is_heard = True
        self._started = self._reported = perf_counter()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether the answer is still to come."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Ask for the answer at once, and wait for it."""
        self._stopped.set()
        self._token.request()
        self._thread.join()

    def wait(self) -> None:
        """Wait for the answer; without a limit it is asked for at once."""
        if self._request.limits.infinite:
            self.stop()
        self._thread.join()

    def _run(self) -> None:
        request = self._request
        try:
            turn = self._think()
            if request.limits.infinite:
                self._stopped.wait()
            if self.is_heard:
                request.done(turn)
        except Exception as problem:
            if request.limits.infinite:
                self._stopped.wait()
            request.failed(" ".join(str(problem).split()))

    def _think(self) -> Turn:
        """Think about each ply of a turn; with a clock, each gets its share of the time left."""
        engine, dialect = self._engine, self._engine.dialect
        deadline = self._request.limits.deadline(self._state)
        state, moves, first = self._state, list[int](), None
        while True:
            seconds = None
            if deadline is not None:
                plies = dialect.expected_plies(state, len(moves))
                seconds = max((deadline - perf_counter()) / plies, SHORTEST)
            budget = engine.budget(self._request.limits, seconds)
            move, found = self._thought(state, budget)
            first = first if moves else found
            moves.append(move)
            after = state.play(move)
            if dialect.ends_turn(state, after) or self._request.limits.infinite:
                return Turn(self._state, tuple(moves), first)
            state = after

    def _thought(self, state: State, budget: Budget) -> tuple[int, SearchResult | None]:
        if self._request.report is None or not isinstance(self._player, SearchPlayer):
            return self._player.think(state, budget, self._token)
        thought = self._player.think(state, budget, self._token, self._look)
        if thought.result is not None and state is self._state:
            self._request.report(Report.of_result(state, thought.result, self._seconds))
        return thought

    @property
    def _seconds(self) -> float:
        return perf_counter() - self._started

    def _look(self, search: Search) -> None:
        """Report from time to time what the search has found so far."""
        now = perf_counter()
        if now - self._reported < self._request.interval or not self._request.report:
            return
        self._reported = now
        report = Report.of_search(self._state, search, self._seconds)
        if report is not None:
            self._request.report(report)
