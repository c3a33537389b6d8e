"""Matches of Go, Hex and Havannah as SGF.

Go is written as everywhere: two letters, rows from the top, an empty value for a pass. Hex is
GM[11] with cells such as `a3` and `swap-pieces`; two letters are read too. Black joins top and
bottom and is our first player; where White begins, the board is mirrored. Havannah has no number
in SGF and is written with our cells. The private properties XG and XP hold our game with all its
options, and the position if the match did not begin at the start.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from athenan._core import Error, Game, State
from athenan.arena.record import FAULTS, Match
from athenan.records.replay import (
    BadRecord,
    Replay,
    Verdict,
    builtin_game,
    game_of,
    options_of,
    states_of,
)
from athenan.records.sgf import Node, escaped, read_trees

COLOURS = "BW"
STONES = {"AB", "AW", "AE"}
"""The properties that set up stones, or take them off."""
_RESULT = re.compile(r"([BW])(?:\+(.*))?", re.DOTALL)
_CELL = re.compile(r"([A-Za-z])(\d+)")
_GO_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_WORDS = {"swap-pieces": "swap", "swap-sides": "swap", "swap": "swap"}


def read_sgf(text: str, game: Game | None) -> list[Match]:
    """Read the main lines of all trees."""
    return [_match(nodes, game) for nodes in read_trees(text)]


def write_sgf(matches: Iterable[Match], game: Game | None) -> str:
    """Write one tree per match."""
    return "".join(_tree(match, game_of(match, game)) for match in matches)


@dataclass(frozen=True)
class Manner:
    """How SGF writes one game."""

    number: str
    """The value of GM; empty if there is none."""
    default: Callable[[Node], str]
    """Returns the game with its options."""
    read: Callable[[str, int], str]
    """Returns our move of a value, on a board of this size."""
    write: Callable[[str, int], str]
    symbols: str
    """Of the first player and of the second in positions."""


def _go(root: Node) -> str:
    komi = root.value("KM")
    if komi and not re.fullmatch(r"[+-]?\d+(\.\d*)?", komi):
        raise BadRecord(root.line, f"the komi KM[{komi}] is not a number")
    return f"go:size={_size(root, '19')}" + (f",komi={float(komi):g}" if komi else "")


def _go_move(value: str, size: int) -> str:
    value = value.strip()
    if value == "" or (value == "tt" and size <= 19):
        return "pass"
    if len(value) != 2 or not all("a" <= letter <= "s" for letter in value.lower()):
        raise Error(f"{value!r} is not a point of Go")
    column, row = (ord(letter) - ord("a") for letter in value.lower())
    return f"{_GO_COLUMNS[column]}{size - row}"


def _go_value(move: str, size: int) -> str:
    if move == "pass":
        return ""
    column, row = _GO_COLUMNS.index(move[0].upper()), size - int(move[1:])
    return chr(ord("a") + column) + chr(ord("a") + row)


def _cell(value: str, size: int) -> str:  # noqa: ARG001 (Go needs it)
    value = value.strip()
    if value in _WORDS:
        return _WORDS[value]
    if re.fullmatch("[a-z]{2}", value):
        return f"{value[0]}{ord(value[1]) - ord('a') + 1}"
    if _CELL.fullmatch(value):
        return value.lower()
    raise Error(f"{value!r} is not a cell")


def _value(move: str, size: int) -> str:  # noqa: ARG001
    return "swap-pieces" if move == "swap" else move


def _size(root: Node, default: str) -> str:
    text = (root.value("SZ") or default).partition(":")[0]
    return text if text.isdecimal() else default


MANNERS = {
    "go": Manner("1", _go, _go_move, _go_value, "XO"),
    "hex": Manner("11", lambda root: f"hex:size={_size(root, '11')}", _cell, _value, "xo"),
    "havannah": Manner("", lambda root: f"havannah:size={_size(root, '8')}", _cell, _value, "xo"),
}


def manner_of(game: Game) -> Manner:
    """Return how SGF writes a game."""
    name = game.id.partition(":")[0]
    if name not in MANNERS:
        raise Error(f"SGF is for {', '.join(MANNERS)}, not for {name}")
    return MANNERS[name]


# Reading.


def _match(nodes: list[Node], given: Game | None) -> Match:
    root = nodes[0]
    game = given or _game(root)
    manner, size = manner_of(game), int(options_of(game)["size"])
    colours = [next((c for c in COLOURS if c in node.properties), "") for node in nodes]
    start = _start(game, manner, _set_up(nodes, colours), size)
    begins = next((colour for colour in colours if colour), "B")
    white_begins = begins == "W" and start is None and manner.number != "1"
    replay = Replay(game, start)
    mirrored, sides_swapped = white_begins and manner.number == "11", False
    for node, colour in zip(nodes, colours, strict=True):
        if not colour:
            continue
        value = node.value(colour) or ""
        if value.lower() in ("resign", "forfeit"):
            break
        try:
            move = manner.read(value, size)
        except Error as problem:
            raise BadRecord(node.line, str(problem)) from None
        if mirrored and move != "swap":
            move = _mirrored(move)
        side = COLOURS.index(colour) ^ white_begins
        if side != replay.state.to_move and not (replay.state.is_terminal or sides_swapped):
            if manner.number != "1":
                raise BadRecord(node.line, f"it is not the turn of {colour}")
            replay.play("pass", node.line)  # two moves of one colour: the other one passed
        replay.play(move, node.line)
        sides_swapped |= value == "swap-sides"
        mirrored ^= value == "swap-sides"
    names = [root.value(f"P{colour}") or colour for colour in COLOURS]
    players = tuple(names[::-1] if white_begins else names)
    return replay.match(players, _verdict(root.value("RE") or "", white_begins))


def _game(root: Node) -> Game:
    if own := root.value("XG"):
        return builtin_game(own, root.line)
    number = root.value("GM") or ("" if "havannah" in (root.value("EV") or "").lower() else "1")
    for manner in MANNERS.values():
        if manner.number == number:
            return builtin_game(manner.default(root), root.line)
    raise BadRecord(
        root.line, f"GM[{number}] is not one of athenan's games in SGF: {', '.join(MANNERS)}"
    )


def _set_up(nodes: list[Node], colours: list[str]) -> Node:
    """Return the root with the stones that are set up before the first move."""
    moves = [number for number, colour in enumerate(colours) if colour] or [len(nodes)]
    properties = {name: list(values) for name, values in nodes[0].properties.items()}
    for node in nodes[1 : moves[0]]:
        for name in {"PL", *STONES} & node.properties.keys():
            properties.setdefault(name, []).extend(node.properties[name])
    for node in nodes[moves[0] + 1 : moves[-1]]:
        for name in STONES & node.properties.keys():
            raise BadRecord(node.line, f"{name} changes the board in the middle of the match")
    return Node(nodes[0].line, properties)


def _start(game: Game, manner: Manner, root: Node, size: int) -> State | None:
    """Return the position of set-up stones; None without any."""
    stones = [(colour, value) for colour in "BW" for value in root.properties.get(f"A{colour}", [])]
    if position := root.value("XP"):
        return _parsed(game, position, root.line)
    if not stones:
        return None
    if manner.number not in ("1", "11"):
        raise BadRecord(root.line, f"set-up stones are not read in {game.id}")
    rows = [["."] * size for _ in range(size)]
    for colour, value in stones:
        try:
            for row, column in _points(manner, value, size):
                rows[row][column] = manner.symbols[COLOURS.index(colour)]
        except (Error, IndexError, ValueError):
            raise BadRecord(root.line, f"there is no point {value!r} for a stone") from None
    begins = root.value("PL") or ("W" if "AB" in root.properties else "B")
    side = manner.symbols[COLOURS.index(begins[:1].upper() if begins[:1].upper() in "BW" else "B")]
    return _parsed(game, f"{'/'.join(_packed(row) for row in rows)} {side}", root.line)


def _points(manner: Manner, value: str, size: int) -> Iterable[tuple[int, int]]:
    """Return the rows and columns of a point, or of a rectangle such as aa:cc."""
    corners = [_place(manner.read(each, size), manner, size) for each in value.split(":")]
    (top, left), (bottom, right) = corners[0], corners[-1]
    return [(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)]


def _place(move: str, manner: Manner, size: int) -> tuple[int, int]:
    if manner.number == "1":
        return size - int(move[1:]), _GO_COLUMNS.index(move[0])
    return int(move[1:]) - 1, ord(move[0]) - ord("a")


def _packed(row: list[str]) -> str:
    return re.sub(r"\.+", lambda empty: str(len(empty[0])), "".join(row))


def _parsed(game: Game, position: str, line: int) -> State:
    try:
        return game.parse_position(position)
    except Error as problem:
        raise BadRecord(line, str(problem)) from None


def _mirrored(cell: str) -> str:
    """Exchange rows and columns."""
    return f"{chr(ord('a') + int(cell[1:]) - 1)}{ord(cell[0]) - ord('a') + 1}"


def _verdict(text: str, white_begins: bool) -> Verdict:
    if text in ("0", "Draw", "D"):
        return Verdict(0, None, text)
    if not (said := _RESULT.fullmatch(text)):
        return Verdict(None, None, text)
    outcome = 1 if (said[1] == "B") != white_begins else -1
    how = (said[2] or "").lower()
    reason = "resigned" if how in ("r", "resign") else "time" if how in ("t", "time") else None
    return Verdict(outcome, reason, text)


# Writing.


def _tree(match: Match, game: Game) -> str:
    manner, size = manner_of(game), int(options_of(game)["size"])
    states = states_of(match, game)
    first, second = (*match.players, "", "")[:2]
    head = [("FF", "4"), ("CA", "UTF-8"), ("AP", "athenan"), ("GM", manner.number)]
    head += [("SZ", str(size)), ("KM", options_of(game).get("komi", ""))]
    head += [("PB", first), ("PW", second), ("RE", _result(match, states[-1])), ("XG", game.id)]
    if match.position != game.initial_state().position:
        head.append(("XP", match.position))
    words = [f"{name}[{escaped(value)}]" for name, value in head if value]
    lines = [f"(;{''.join(words)}"]
    for state, move in zip(states[:-1], match.moves, strict=True):
        lines.append(f";{COLOURS[state.to_move]}[{manner.write(move, size)}]")
    return "\n".join(_joined(lines)) + ")\n"


def _joined(words: list[str]) -> list[str]:
    """Put ten moves on a line."""
    return [words[0], *("".join(words[at : at + 10]) for at in range(1, len(words), 10))]


def _result(match: Match, end: State) -> str:
    if match.outcome is None:
        return "Void" if match.reason in FAULTS else "?"
    if match.outcome == 0:
        return "0"
    winner = COLOURS[match.outcome < 0]
    if match.reason in ("resigned", "time"):
        return f"{winner}+{'R' if match.reason == 'resigned' else 'T'}"
    scored = end.game.datasheet.has_score and end.is_terminal and not match.reason
    return f"{winner}+{abs(end.score or 0):g}" if scored else f"{winner}+"
