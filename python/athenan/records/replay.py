"""What all readers of records share: a match that is played move by move as it is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from athenan._core import Error, Game, State
from athenan.arena.record import Match
from athenan.games import game_names, make_game


class BadRecord(Error):  # noqa: N818 (it names what it is about)
    """A file is no record: where, and why."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(f"line {line}: {sentence}")


@dataclass(frozen=True)
class Verdict:
    """How a match ended, as a record says it."""

    outcome: int | None
    """+1, 0 or -1 for the first player; None if it does not say."""
    reason: str | None = None
    """ "resigned", "time", or None."""
    text: str = ""
    """As it stands there."""


class Replay:
    """The moves of a record, played by our rules."""

    def __init__(self, game: Game, start: State | None = None) -> None:
        self.start = self.state = start or game.initial_state()
        self.moves: list[str] = []

    def play(self, move: str, line: int) -> None:
        """Play a move in our notation."""
        if self.state.is_terminal:
            raise BadRecord(line, f"the match is over by our rules before the move {move!r}")
        try:
            after = self.state.play(move)
        except Error as problem:
            raise BadRecord(line, str(problem)) from None
        self.moves.append(self.state.move_to_string(self.state.parse_move(move)))
        self.state = after

    def go_back(self, state: State, moves: int) -> None:
        """Forget the moves since a state, which came after this number of them."""
        self.state = state
        del self.moves[moves:]

    def match(self, players: tuple[str, ...], verdict: Verdict) -> Match:
        """Return the match; what the record says of its end counts, and a difference is told."""
        game, ours = self.state.game, self.state.outcome
        outcome, reason, sentence = ours, None, ""
        if verdict.outcome is not None and verdict.outcome != ours:
            outcome, reason = verdict.outcome, verdict.reason or "recorded"
            if ours is not None:
                sentence = f"the record says {verdict.text!r}, our rules say {ours:+d}"
        elif ours is None:
            reason = verdict.reason
        who = None
        if reason in ("resigned", "time") and outcome:
            who = 1 if outcome > 0 else 0
        return Match(
            game=game.id,
            position=self.start.position,
            players=players[: game.datasheet.players],
            moves=tuple(self.moves),
            outcome=outcome,
            reason=reason,
            who=who,
            sentence=sentence,
        )


def builtin_game(identity: str, line: int) -> Game:
    """Make a game that a file names: never a Python file, which would be run."""
    if identity.partition(":")[0] not in game_names():
        raise BadRecord(line, f"there is no game {identity!r}; a Python game is named by --game")
    try:
        return make_game(identity)
    except Error as problem:
        raise BadRecord(line, str(problem)) from None


def options_of(game: Game) -> dict[str, str]:
    """Return the options of a game as texts.

    >>> import athenan
    >>> options_of(athenan.make_game("hex:size=5"))
    {'size': '5', 'swap': 'true'}
    """
    words = game.id.partition(":")[2]
    return dict(word.split("=", 1) for word in words.split(",") if word)


def states_of(match: Match, game: Game) -> list[State]:
    """Replay a match: the states before and after each move."""
    states = [game.parse_position(match.position)]
    for move in match.moves:
        states.append(states[-1].play(move))
    return states


def refuse_illegal(matches: Iterable[Match], path: Path, given: Game | None) -> None:
    """Refuse matches that our rules do not allow."""
    for number, match in enumerate(matches, 1):
        try:
            states_of(match, game_of(match, given))
        except Error as problem:
            raise Error(f"{path}, match {number}: {problem}") from None


def game_of(match: Match, given: Game | None) -> Game:
    """Return the game of a match: the one that was given, or the one that it names."""
    if given is not None:
        if given.id != match.game:
            raise Error(f"the match is a match of {match.game}, not of {given.id}")
        return given
    if match.game.partition(":")[0] not in game_names():
        raise Error(
            f"the match is a match of {match.game!r}: name the file of that game with --game"
        )
    return make_game(match.game)


def verdict_text(match: Match) -> str:
    """Write how a match ended: 1-0, 1/2-1/2, 0-1 or *, and the reason if there is one."""
    score = {1: "1-0", 0: "1/2-1/2", -1: "0-1", None: "*"}[match.outcome]
    return " ".join([score, *(match.reason or "").split()])


def read_verdict(text: str, line: int) -> Verdict:
    """Read what `verdict_text` wrote."""
    score, _, reason = text.partition(" ")
    outcomes = {"1-0": 1, "1/2-1/2": 0, "0-1": -1, "*": None}
    if score not in outcomes:
        raise BadRecord(line, f"the result {score!r} is not one of {', '.join(outcomes)}")
    return Verdict(outcomes[score], reason.strip() or None, text)
