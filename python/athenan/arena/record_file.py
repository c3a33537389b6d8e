"""A file of matches, one line of JSON each: appended to, and gone on with after a crash."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from athenan._core import Error, Game
from athenan.arena.clocks import TimeControl
from athenan.arena.openings import Opening
from athenan.arena.player import PlayerSpec
from athenan.arena.record import Match, notation_of
from athenan.arena.tables import seed_of
from athenan.expected import expect_path
from athenan.files import locked


def read_matches(path: str | os.PathLike[str]) -> list[Match]:
    """Read the matches of a file; a last line without its end, which a crash cut, is left out.

    Anything else that is no record is refused with the number of its line.
    """
    path = expect_path(path, "a file of matches")
    whole = path.read_bytes().rpartition(b"\n")[0].decode("utf-8", errors="replace")
    matches = []
    for number, line in enumerate(whole.split("\n"), 1):
        if line.strip():
            try:
                matches.append(_match_of(line))
            except Error as problem:
                raise Error(f"{path}, line {number}: {problem}") from None
    return matches


def _match_of(line: str) -> Match:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise Error("this is not JSON") from None
    if not isinstance(data, dict):
        raise Error("this is not a record of a match")
    return Match.from_json(data)


class RecordFile:
    """The file while it is open: one process writes to it, one match after the other."""

    def __init__(self, path: Path) -> None:
        _mend(path)
        self._lines = path.open("a", encoding="utf-8")
        self.matches = read_matches(path)
        """What it held at the start."""

    def append(self, match: Match) -> None:
        """Write a match; it survives the death of the process."""
        self._lines.write(json.dumps(match.as_json()) + "\n")
        self._lines.flush()

    def close(self) -> None:
        """Bring everything to the disk."""
        self._lines.flush()
        os.fsync(self._lines.fileno())
        self._lines.close()


@contextmanager
def record_file(path: Path) -> Iterator[RecordFile]:
    """Open a file of matches, made if it is not there; refuse it while another process writes."""
    with locked(path) as is_ours:
        if not is_ours:
            raise Error(f"another process is writing to {path}")
        file = RecordFile(path)
        try:
            yield file
        finally:
            file.close()


def of_series(
    matches: Iterable[Match],
    game: Game,
    players: Sequence[PlayerSpec],
    seed: int,
    openings: Sequence[Opening],
    planned: int,
    control: TimeControl,
) -> list[Match]:
    """Return those matches that a series with this seed would play, each index once.

    Players of another search or budget play other matches, even if they have the same names.
    """
    names = [each.name for each in players]
    described = [each.description for each in players]
    clock = str(control) if control != TimeControl() else ""
    found: dict[int, Match] = {}
    for match in matches:
        index = match.index
        if (
            index < planned
            and match.game == game.id
            and list(match.players) == _seated(names, index)
            and list(match.descriptions) in ([], _seated(described, index))
            and match.control == clock
            and match.seed == seed_of(seed, index)
            and _begins_with(match, game, openings[index // 2 % len(openings)])
        ):
            found.setdefault(index, match)
    return [found[index] for index in sorted(found)]


def _seated(players: list[str], index: int) -> list[str]:
    """Return what is said of a and b in the order in which they play a match."""
    return players[::-1] if index % 2 else players


def indices(matches: Collection[Match]) -> frozenset[int]:
    """Return the indices of matches."""
    return frozenset(match.index for match in matches)


def _begins_with(match: Match, game: Game, opening: Opening) -> bool:
    start = opening.start or game.initial_state()
    moves = notation_of(start, opening.moves)
    return match.position == start.position and match.moves[: len(moves)] == moves


def _mend(path: Path) -> None:
    """Cut off a last line that was not written to its end."""
    with path.open("rb+") as file:
        data = file.read()
        whole = len(data) - len(data.rpartition(b"\n")[2])
        if whole < len(data):
            file.truncate(whole)
