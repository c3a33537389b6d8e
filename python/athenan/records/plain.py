"""Plain move lists, for every game: a few lines that begin with # and the moves.

# game: hex:size=5,swap=true
# players: mcts:iterations=100 | random
# result: 1-0 resigned
c3 b2 d4

An empty line ends a match. Without a line for the game it is the one that the user names; the
position is the start of the game unless one is given. A space within a move is written as _.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from athenan._core import Error, Game, State
from athenan.arena.record import Match
from athenan.records.replay import (
    BadRecord,
    Replay,
    Verdict,
    builtin_game,
    game_of,
    read_verdict,
    verdict_text,
)

SEPARATOR, WRITTEN = " | ", " \\| "
"""Between two names, and what stands for it within one."""
HEADINGS = ("game", "players", "position", "result")

Numbered = tuple[int, str]


def read_plain(text: str, game: Game | None) -> list[Match]:
    """Read matches."""
    return [_match(paragraph, game) for paragraph in paragraphs(text)]


def write_plain(matches: Iterable[Match], game: Game | None) -> str:
    """Write matches."""
    return "\n".join(
        headings(match, game_of(match, game)) + _wrapped(match.moves) + "\n" for match in matches
    )


def paragraphs(text: str) -> Iterator[list[Numbered]]:
    """Yield the matches of a text: their lines with their numbers."""
    lines: list[Numbered] = []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.strip():
            lines.append((number, line.strip()))
        elif lines:
            yield lines
            lines = []


def headings(match: Match, game: Game) -> str:
    """Write the lines that begin with #."""
    players = SEPARATOR.join(_name(each) for each in match.players)
    lines = [f"# game: {match.game}", f"# players: {players}"]
    if match.position != game.initial_state().position:
        lines.append(f"# position: {match.position}")
    lines.append(f"# result: {verdict_text(match)}")
    return "\n".join(lines) + "\n"


class Head:
    """What the lines of a match that begin with # say; the rest are its moves."""

    def __init__(self, lines: list[Numbered], game: Game | None) -> None:
        said: dict[str, Numbered] = {}
        self.first = lines[0][0]
        self.rest: list[Numbered] = []
        for number, line in lines:
            name, colon, value = line.lstrip("# ").partition(":")
            if not line.startswith("#"):
                self.rest.append((number, line))
            elif colon and name in HEADINGS:
                said[name] = number, value.strip()
        self.game = game or self._game(said)
        players = said["players"][1].split(SEPARATOR) if "players" in said else []
        names = tuple(name.replace(WRITTEN, SEPARATOR) for name in players)
        self.players = names if len(names) in (1, 2) else ("first", "second")
        number, result = said.get("result", (self.first, "*"))
        self.verdict: Verdict = read_verdict(result, number)
        self._position = said.get("position")

    def _game(self, said: dict[str, Numbered]) -> Game:
        if "game" not in said:
            raise BadRecord(self.first, "the record does not say which game it is: name it, --game")
        return builtin_game(said["game"][1], said["game"][0])

    def replay(self) -> Replay:
        """Return the match before its first move."""
        if self._position is None:
            return Replay(self.game)
        number, text = self._position
        try:
            return Replay(self.game, self.game.parse_position(text))
        except Error as problem:
            raise BadRecord(number, str(problem)) from None


def _name(name: str) -> str:
    """Write a name on one line; no name is a question mark."""
    return " ".join(name.split()).replace(SEPARATOR, WRITTEN) or "?"


def _match(lines: list[Numbered], game: Game | None) -> Match:
    head = Head(lines, game)
    replay = head.replay()
    for number, line in head.rest:
        for word in line.split():
            replay.play(_ours(replay.state, word), number)
    return replay.match(head.players, head.verdict)


def _ours(state: State, word: str) -> str:
    """Return a move as its game writes it, where it has spaces."""
    if "_" not in word or word in (legal := state.legal_move_strings()):
        return word
    return next((move for move in legal if move.replace(" ", "_") == word), word)


def _wrapped(moves: Iterable[str], width: int = 100) -> str:
    lines = [""]
    for move in (each.replace(" ", "_") for each in moves):
        if lines[-1] and len(lines[-1]) + len(move) >= width:
            lines.append("")
        lines[-1] += f" {move}" if lines[-1] else move
    return "\n".join(lines)
