"""Records that visitors send and take away, in every format of the arena."""

from __future__ import annotations

import re

from athenan._core import Error, Game
from athenan.arena.record import Match as Record
from athenan.records import FORMATS
from athenan.web.catalogue import Catalogue
from athenan.web.requests import Message, Reading

PLAIN, LINES = ".txt", ".jsonl"
BEGINNINGS = {
    LINES: r"\s*\{",
    ".ggf": r"\s*\(\s*;\s*GM\[Othello\]",
    ".sgf": r"\s*\(\s*;",
    ".pdn": r"\s*\[",
    ".arimaa": r"(?:\s*#.*\n)*\s*1[gw]\s+[A-Za-z][a-h][1-8]",
}
"""How texts of each format begin; any other one is a list of moves."""


def format_of(text: str) -> str:
    """Return the format of a record.

    >>> format_of("(;GM[11]SZ[5];B[c3])"), format_of("1. c3 swap")
    ('.sgf', '.txt')
    """
    return next((name for name, how in BEGINNINGS.items() if re.match(how, text)), PLAIN)


def read_record(text: str, game: object, reading: Reading) -> dict[str, object]:
    """Return the line of the first match of a text: a record, or moves of a game that is named."""
    match = _first_match(text, game, reading.catalogue)
    line: dict[str, object] = {
        "game": match.game,
        "position": match.position,
        "moves": list(match.moves),
    }
    states, _ = reading.line(Message(line))
    return line | {"game": states[-1].game.id}


def write_record(match: Record, name: str, game: Game) -> str:
    """Return a record in a format, which is named as files end: .sgf."""
    if name not in FORMATS:
        raise Error(f"a format is one of {', '.join(FORMATS)}; not {name[:20]!r}")
    return FORMATS[name].write([match], game)


def formats_for(game: Game) -> dict[str, str]:
    """Return the formats that can hold a match of a game, with their descriptions."""
    players = ("first", "second")[: game.datasheet.players]
    match = Record(game.id, game.initial_state().position, players, (), None)
    found = {}
    for name, form in FORMATS.items():
        try:
            form.write([match], game)
        except Error:
            continue
        found[name] = form.description.partition(":")[0].partition(",")[0]
    return found


def _first_match(text: str, game: object, catalogue: Catalogue) -> Record:
    form = format_of(text)
    if form == LINES:
        return Record.from_json(Message.of_text(text.strip().splitlines()[0]).fields)
    if form != PLAIN:
        return FORMATS[form].read(text.replace("\r", ""), None)[0]
    stated = re.search(r"^# *game:(.*)$", text, re.MULTILINE)
    named = catalogue.game(stated[1].strip() if stated else game)
    counted = re.sub(r"(?<!\S)\d+\.+(?!\S)", "", text)  # as in 1. c3 swap 2. d4
    found = FORMATS[PLAIN].read(counted, named)
    if not found:
        raise Error("there is no move in this text")
    return found[0]
