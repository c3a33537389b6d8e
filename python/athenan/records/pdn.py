"""Matches of draughts as PDN: tags, then numbered moves and the result.

[White "a"]
[Black "b"]
[Result "2-0"]
[GameType "20"]
1. 32-28 19-23 2. 28x19 14x23 2-0

White begins and is our first player. Comments in braces, variations in round brackets, $-glyphs and
signs such as ! are passed over. Results are 2-0, 1-1, 0-2, or 1-0, 1/2-1/2, 0-1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from athenan._core import Error, Game, State
from athenan.arena.record import Match
from athenan.records.replay import BadRecord, Replay, Verdict, builtin_game, game_of

TYPES = {
    "20": "international_draughts",
    "26": "brazilian_draughts",
    "27": "canadian_draughts",
}
RESULTS = {"2-0": 1, "1-1": 0, "0-2": -1, "1-0": 1, "1/2-1/2": 0, "0-1": -1, "*": None, "0-0": None}
WRITTEN = {1: "2-0", 0: "1-1", -1: "0-2", None: "*"}

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:\\.|[^"\\])*)"\s*\]')
_TOKEN = re.compile(
    r"(?P<tag>\[\s*\w+\s+\"(?:\\.|[^\"\\])*\"\s*\])|(?P<comment>\{[^}]*\})|(?P<rest>;[^\n]*)"
    r"|(?P<open>\()|(?P<close>\))|(?P<glyph>\$\d+)|(?P<number>\d+\s*\.+)"
    r"|(?P<result>2-0|1-1|0-2|1-0|1/2-1/2|0-1|0-0|\*)(?![\dx-])"
    r"|(?P<move>\d+(?:\s*[-x:]\s*\d+)+)[!?*]*|(?P<space>\s+)|(?P<other>\S)"
)


def read_pdn(text: str, game: Game | None) -> list[Match]:
    """Read all matches of a text."""
    found, tags, reading = [], dict[str, str](), list[tuple[int, str, str]]()
    line = 1
    for line, kind, word in _tokens(text):
        if kind == "tag" and reading:
            found.append(_match(tags, reading, game))
            tags, reading = {}, []
        if kind == "tag" and (tag := _TAG.fullmatch(word)):
            tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        elif kind == "move":
            reading.append((line, kind, re.sub(r"\s+", "", word).replace(":", "x")))
        elif kind == "result":
            reading.append((line, kind, word))
            found.append(_match(tags, reading, game))
            tags, reading = {}, []
    if tags or reading:
        found.append(_match(tags, reading or [(line, "result", "*")], game))
    if not found:
        raise BadRecord(1, "there is no match: neither tags nor moves")
    return found


def write_pdn(matches: Iterable[Match], game: Game | None) -> str:
    """Write matches, an empty line between them."""
    return "\n".join(_record(match, game_of(match, game)) for match in matches)


# Reading.


def _tokens(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the words that count, with their lines and kinds."""
    line, depth = 1, 0
    for token in _TOKEN.finditer(text):
        kind, word = str(token.lastgroup), token[0]
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "other" and depth == 0 and word not in "!?+#":
            raise BadRecord(line, f"unexpected {word!r}: neither a tag nor a move nor a comment")
        elif kind in ("tag", "move", "result") and depth == 0:
            yield line, kind, token["move"] or word
        line += word.count("\n")


def _match(tags: dict[str, str], words: list[tuple[int, str, str]], given: Game | None) -> Match:
    line = words[0][0]
    game = given or _game(tags, line)
    if game.id.partition(":")[0] not in TYPES.values():
        raise Error(f"PDN is for {', '.join(TYPES.values())}, not for {game.id}")
    replay = Replay(game, _start(game, tags.get("FEN"), line))
    for number, kind, word in words:
        if kind == "move":
            replay.play(_move(replay.state, word), number)
    result = words[-1][2] if words[-1][1] == "result" else "*"
    if RESULTS[result] is None:
        result = tags.get("Result", "*")
    players = tags.get("White", "white"), tags.get("Black", "black")
    verdict = Verdict(RESULTS.get(result), tags.get("Termination"), result)
    return replay.match(players, verdict)


def _game(tags: dict[str, str], line: int) -> Game:
    if own := tags.get("AthenanGame"):
        return builtin_game(own, line)
    number = re.match(r"\d+", tags.get("GameType", "20"))
    if number is None or number[0] not in TYPES:
        known = ", ".join(f"{key} ({name})" for key, name in TYPES.items())
        raise BadRecord(line, f"the GameType {tags.get('GameType')!r} is not one of {known}")
    return builtin_game(TYPES[number[0]], line)


def _start(game: Game, fen: str | None, line: int) -> State | None:
    if not fen:
        return None
    try:
        return game.parse_position(fen.rstrip(". "))
    except Error as problem:
        raise BadRecord(line, f"the FEN: {problem}") from None


def _move(state: State, word: str) -> str:
    """Return our form of a move: others may write more squares of a capture, or fewer."""
    legal = state.legal_move_strings()
    if word in legal:
        return word
    squares = re.split("[-x]", word)
    ends = [
        move
        for move in legal
        for ours in [re.split("[-x]", move)]
        if (ours[0], ours[-1]) == (squares[0], squares[-1])
    ]
    fitting = [
        move
        for move in ends
        for ours in [set(re.split("[-x]", move))]
        if ours <= set(squares) or set(squares) <= ours
    ]
    candidates = fitting or ends
    return candidates[0] if len(candidates) == 1 else word


# Writing.


def _record(match: Match, game: Game) -> str:
    name = game.id.partition(":")[0]
    if name not in TYPES.values():
        raise Error(f"PDN is for {', '.join(TYPES.values())}, not for {name}")
    number = next(key for key, value in TYPES.items() if value == name)
    first, second = (*match.players, "", "")[:2]
    tags = {"White": first, "Black": second, "Result": WRITTEN[match.outcome]}
    tags |= {"GameType": number, "AthenanGame": game.id}
    if match.position != game.initial_state().position:
        tags["FEN"] = match.position
    if match.reason:
        tags["Termination"] = match.reason
    lines = [f'[{key} "{_escaped(value)}"]' for key, value in tags.items()]
    words = [
        f"{number // 2 + 1}. {move}" if number % 2 == 0 else move
        for number, move in enumerate(match.moves)
    ]
    body = [" ".join(words[at : at + 12]) for at in range(0, len(words), 12)]
    return "\n".join([*lines, *body, WRITTEN[match.outcome]]) + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
