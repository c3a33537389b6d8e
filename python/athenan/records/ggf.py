"""Matches of Othello as GGF, the form of the Generic Game Server and of NBoard.

(;GM[Othello]PB[black]PW[white]TY[8]RE[+4.00]BO[8 ---...--- *]B[d3//0.5]W[c3/-1.5]...;)

Black is our first player. A move may carry a value and seconds; `pa` is a pass. Several matches
may stand in a file, with anything between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from athenan._core import Error, Game, State
from athenan.arena.record import Match
from athenan.records.replay import (
    BadRecord,
    Replay,
    Verdict,
    builtin_game,
    game_of,
    options_of,
    states_of,
)

_PROPERTY = re.compile(r"([A-Z]+)\s*\[((?:\\.|[^\]\\])*)\]", re.DOTALL)
_BODY = re.compile(r"(?:[^\[;]|\[(?:\\.|[^\]\\])*\]|;(?!\)))*", re.DOTALL)
"""What comes before ;) in a record: brackets and signs in a value mean nothing."""
_RESULT = re.compile(r"([+-]?\d+(?:\.\d+)?)(?::([a-z]+))?")
_REASONS = {"r": "resigned", "t": "time", "l": "time"}
PASS = "pa"

Property = tuple[int, str, str]
"""The line it stands in, its name and its value."""


def read_ggf(text: str, game: Game | None) -> list[Match]:
    """Read all matches of a text."""
    found, at, line = [], 0, 1
    while (start := text.find("(;", at)) >= 0:
        body = _BODY.match(text, start + 1)
        end = body.end() if body else start
        line += text.count("\n", at, start)
        if not text.startswith(";)", end):
            raise BadRecord(line, "the record that begins here has no end: ;) is missing")
        found.append(_match(_properties(text[start:end], line), line, game))
        line, at = line + text.count("\n", start, end), end
    if not found:
        raise BadRecord(1, "there is no record: nothing begins with (;")
    return found


def write_ggf(matches: Iterable[Match], game: Game | None) -> str:
    """Write one line per match."""
    return "".join(_record(match, game_of(match, game)) for match in matches)


# Reading.


def _properties(text: str, line: int) -> list[Property]:
    found, at = [], 0
    for each in _PROPERTY.finditer(text):
        line, at = line + text.count("\n", at, each.start()), each.start()
        found.append((line, each[1], re.sub(r"\\(.)", r"\1", each[2])))
    return found


def _match(properties: list[Property], line: int, given: Game | None) -> Match:
    said = {name: value.strip() for _, name, value in properties if name not in ("B", "W")}
    if said.get("GM", "Othello").lower() not in ("othello", "reversi"):
        raise BadRecord(line, f"GM[{said['GM']}] is not Othello")
    words = said.get("BO", "8").split()
    size = words[0] if words and words[0].isdecimal() else "8"
    game = given or builtin_game(f"othello:size={size}", line)
    if game.id.partition(":")[0] != "othello":
        raise Error(f"GGF is for othello, not for {game.id}")
    replay = Replay(game, _start(game, words[1:], line))
    for number, name, value in properties:
        if name in ("B", "W"):
            _play(replay, name, value, number)
    players = said.get("PB", "black"), said.get("PW", "white")
    return replay.match(players, _verdict(said.get("RE", "")))


def _start(game: Game, rows: list[str], line: int) -> State | None:
    if not rows:
        return None
    cells, side = "".join(rows[:-1]), rows[-1]
    symbols = str.maketrans("*xXoO-._", "XXXOO---")
    plies = max(0, sum(sign in "*xXoO" for sign in cells) - 4)  # of passes nothing is known
    try:
        return game.parse_position(f"{cells.translate(symbols)} {side.translate(symbols)} @{plies}")
    except Error as problem:
        raise BadRecord(line, f"the board BO: {problem}") from None


def _play(replay: Replay, colour: str, value: str, line: int) -> None:
    move = value.partition("/")[0].strip().lower()
    move = "pass" if move in (PASS, "pass", "") else move
    side = "BW".index(colour)
    if side != replay.state.to_move and replay.state.legal_move_strings() == ["pass"]:
        if move == "pass":
            raise BadRecord(line, f"it is not the turn of {colour}")
        replay.play("pass", line)  # some programs leave passes out
    if replay.state.is_terminal and move == "pass":
        return  # neither side could move: by our rules the match had ended
    if side != replay.state.to_move:
        raise BadRecord(line, f"it is not the turn of {colour}")
    replay.play(move, line)


def _verdict(text: str) -> Verdict:
    if not (said := _RESULT.fullmatch(text)):
        return Verdict(None, None, text)
    points = float(said[1])
    return Verdict((points > 0) - (points < 0), _REASONS.get(said[2] or ""), text)


# Writing.


def _record(match: Match, game: Game) -> str:
    if game.id.partition(":")[0] != "othello":
        raise Error(f"GGF is for othello, not for {game.id}")
    size, states = int(options_of(game)["size"]), states_of(match, game)
    first, second = (*match.players, "", "")[:2]
    head = {"GM": "Othello", "PC": "athenan", "PB": first, "PW": second, "TY": str(size)}
    head |= {"RE": _result(match, states[-1]), "BO": _board(states[0], size)}
    words = [f"{name}[{_escaped(value)}]" for name, value in head.items()]
    for number, (state, move) in enumerate(zip(states[:-1], match.moves, strict=True)):
        words.append(f"{'BW'[state.to_move]}[{_move(match, number, move)}]")
    return f"(;{''.join(words)};)\n"


def _move(match: Match, number: int, move: str) -> str:
    written = PASS if move == "pass" else move
    after = number - match.opening
    if 0 <= after < len(match.seconds):
        return f"{written}//{match.seconds[after]:.2f}"
    return written


def _board(state: State, size: int) -> str:
    cells, side = state.position.split()[:2]
    symbols = str.maketrans("XO", "*O")
    rows = [cells[at : at + size].translate(symbols) for at in range(0, size * size, size)]
    return f"{size} {' '.join(rows)} {side.translate(symbols)}"


def _result(match: Match, end: State) -> str:
    if match.outcome is None:
        return "?"
    reason = {"resigned": ":r", "time": ":t"}.get(match.reason or "", "")
    points = end.score if end.is_terminal and not match.reason else None
    points = 64.0 * match.outcome if points is None else points
    return f"{points:+.2f}{reason}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
