"""GTP for Go: `athenan engine gtp`, with the analysis that Sabaki, KaTrain and others show."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from athenan._core import Game, State
from athenan.protocols.engine import Request, Turn
from athenan.protocols.gtp_core import COLOURS, Failure, GtpCore
from athenan.protocols.limits import Limits
from athenan.protocols.protocol import Write
from athenan.protocols.reports import Line, Report
from athenan.protocols.settings import Settings

CENTISECONDS = 100
PASS = "pass"


class Gtp(GtpCore):
    """Go."""

    name: ClassVar[str] = "gtp"

    def __init__(self, game: Game, settings: Settings, write: Write, dialect: str = "") -> None:
        super().__init__(game, settings, write, dialect)
        self._passed: dict[int, State] = {}
        """The states after passes that no client asked for, by the number of moves."""

    def _own_commands(self) -> dict[str, Callable[[list[str]], str | None]]:
        return super()._own_commands() | {
            "boardsize": self._boardsize,
            "komi": self._komi,
            "final_score": lambda _: self._final_score(),
            "gogui-analyze_commands": lambda _: "string/Position/athenan-position",
            "lz-analyze": lambda words: self._analyse(words, _leela),
            "kata-analyze": lambda words: self._analyse(words, _kata),
            "lz-genmove_analyze": lambda words: self._genmove_analysed(words, _leela),
            "kata-genmove_analyze": lambda words: self._genmove_analysed(words, _kata),
        }

    def _boardsize(self, words: list[str]) -> str:
        if len(words) != 1:
            raise Failure("boardsize takes one number")
        return self.begin_in(self.game_with("size", words[0], "unacceptable size"))

    def _komi(self, words: list[str]) -> str:
        """Go on with another komi: the moves stay."""
        if len(words) != 1:
            raise Failure("komi takes one number")
        game = self.game_with("komi", words[0], "a komi is a number from -400 to 400")
        if game != self.engine.game:
            self.replay_in(game)
        return ""

    def _final_score(self) -> str:
        score = self.engine.state.score
        if not score:
            return "0"
        return f"B+{score:g}" if score > 0 else f"W+{-score:g}"

    def give_turn(self, player: int) -> None:
        """Let the other side pass where it is its turn: clients set up handicaps so.

        Such a pass is taken back with the move that needed it, or after an analysis.
        """
        self._take_back_passes()
        state = self.engine.state
        if not state.is_terminal and state.to_move != player:
            self.engine.play([state.parse_move(PASS)])
            self._passed[len(self.engine.moves)] = self.engine.state

    def _take_back_passes(self) -> None:
        while self._passed.get(len(self.engine.moves)) is self.engine.state:
            self.engine.undo()

    def _undo(self, words: list[str]) -> str:
        self._take_back_passes()
        answer = super()._undo(words)
        self._take_back_passes()
        return answer

    def answer_at_end(self) -> str:
        """Two passes have ended the match: everything that follows is one more."""
        return PASS

    # Analysis.

    def _analyse(self, words: list[str], form: Form) -> None:
        """Stream what the search finds, until the next command."""
        player, interval = _analysis_arguments(words)
        if player is not None:
            self.give_turn(player)
        if self.engine.state.is_terminal:
            self.send(f"={self._number}\n")
            return
        request = Request(
            Limits(infinite=True),
            lambda _: None,
            lambda _: None,
            lambda report: self.send(form(self, report)),
            interval,
        )
        self.open_stream(request)

    def _genmove_analysed(self, words: list[str], form: Form) -> None:
        """Stream what the search finds, and then the move, which is played."""
        player, interval = _analysis_arguments(words)
        limits = self.limits_for([] if player is None else [self.colour_of(player)])
        turns: list[Turn] = []
        problems: list[str] = []
        if not self.engine.state.is_terminal:
            self.open_stream(
                Request(
                    limits,
                    turns.append,
                    problems.append,
                    lambda report: self.send(form(self, report)),
                    interval,
                )
            )
            self.engine.wait()
        self._streaming = False
        if problems:
            self.send(f"play {PASS}\n")
            return
        if turns:
            self.engine.play(turns[0].moves)
            self.send(f"play {self._text(turns[0].moves[0], turns[0])}\n")
        else:
            self.send(f"={self._number}\nplay {PASS}\n")

    def _text(self, move: int, turn: Turn) -> str:
        return self.engine.dialect.write(turn.state, move)


Form = Callable[[Gtp, Report], str]
"""Writes a report as one line."""


def _analysis_arguments(words: list[str]) -> tuple[int | None, float]:
    """Return the player and the seconds between two reports; other arguments are for others."""
    player, interval, previous = None, 1.0, ""
    for word in words:
        if word.lower() in COLOURS and player is None:
            player = COLOURS[word.lower()]
        elif word.isdigit() and previous in {"", "interval"}:
            interval = max(int(word), 1) / CENTISECONDS
        previous = word.lower() if not (word.isdigit() or word.lower() in COLOURS) else ""
    return player, interval


def _variation(protocol: Gtp, report: Report, line: Line) -> str:
    state, texts = report.state, []
    for move in line.variation:
        texts.append(protocol.engine.dialect.write(state, move))
        state = state.play(move)
    return " ".join(texts)


def _leela(protocol: Gtp, report: Report) -> str:
    return " ".join(
        f"info move {protocol.engine.dialect.write(report.state, line.move)}"
        f" visits {line.count} winrate {round(10000 * line.chance)} prior 0"
        f" lcb {round(10000 * line.chance)} order {order}"
        f" pv {_variation(protocol, report, line)}"
        for order, line in enumerate(_shown(report))
    )


def _kata(protocol: Gtp, report: Report) -> str:
    return " ".join(
        f"info move {protocol.engine.dialect.write(report.state, line.move)}"
        f" visits {line.count} winrate {line.chance:.6f}{_lead(report, line)}"
        f" prior 0 lcb {line.chance:.6f} utility {2 * line.chance - 1:.6f} order {order}"
        f" pv {_variation(protocol, report, line)}"
        for order, line in enumerate(_shown(report))
    )


def _lead(report: Report, line: Line) -> str:
    """Return the lead in points, where the values of the search are points."""
    if all(abs(each.value) <= 1 for each in report.lines):
        return ""
    return f" scoreMean {line.value:.6g} scoreLead {line.value:.6g} scoreStdev 0"


def _shown(report: Report) -> list[Line]:
    """Return the moves to show: those that the search has selected, or else the best."""
    selected = [line for line in report.lines if line.count]
    return selected or report.lines[:1]
