"""What a person types as a move: the notation of the game, and what is close enough to it.

A line may hold several moves of one turn, as the steps of Arimaa or a queen and her arrow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from athenan import Error, State

SHOWN = 3  # moves that a line could mean
CAPTURE = re.compile(r"(?<=\d)[xX](?=[A-Za-z0-9])")  # the x of 26x37 and a2xb3
SIGN = re.compile(r"[A-Za-z]|\d+")
PLACING = "place"  # how the kinds of moves of a set-up begin, whose order is free

Key = tuple[str, ...]


def find_moves(state: State, line: str) -> list[int]:
    """Return the moves that a line means: one, or several that one player makes in a row.

    >>> import athenan
    >>> start = athenan.make_game("international_draughts").initial_state()
    >>> [start.move_to_string(move) for move in find_moves(start, "32 28")]
    ['32-28']
    >>> start = athenan.make_game("amazons").initial_state()
    >>> len(find_moves(start, "d1-d7/g7"))
    2
    """
    if (move := _whole(state, line)) is not None:
        return [move]
    if several := next(_sequences(state, key_of(line)), None):
        return several
    words = line.split()
    if len(words) > 1:
        return _words(state, words)
    return [_begun(state, line)]


def key_of(text: str) -> Key:
    """Return the letters and numbers of a move: what is between them does not matter.

    >>> key_of("d1-d7") == key_of("d1 d7") == key_of("d1d7")
    True
    """
    return tuple(SIGN.findall(CAPTURE.sub(" ", text)))


def _named(state: State) -> dict[str, int]:
    return dict(zip(state.legal_move_strings(), state.legal_moves(), strict=True))


def _whole(state: State, line: str) -> int | None:
    """Return the only move that a line names in full, its capitals or not."""
    moves = _named(state)
    if line in moves:
        return moves[line]
    for key in (key_of(line), _lower(key_of(line))):
        same = [
            move
            for name, move in moves.items()
            if key and (key_of(name) == key or _lower(key_of(name)) == key)
        ]
        if len(same) == 1:
            return same[0]
    counted = _column(moves, line)
    return _only_kind(state, line) if counted is None else counted


def _lower(key: Key) -> Key:
    return tuple(sign.lower() for sign in key)


def _column(moves: dict[str, int], line: str) -> int | None:
    """Return the move into a column that was counted: the fourth one is d."""
    if not line.isdecimal() or not line.isascii() or any(len(name) > 1 for name in moves):
        return None
    return moves.get(chr(ord("a") + int(line) - 1)) if 1 <= int(line) <= 26 else None


def _only_kind(state: State, line: str) -> int | None:
    """Return the only move of a kind, such as pass."""
    if line.lower() not in (*state.game.datasheet.move_kinds, "swap", "pass"):
        return None
    paths = {move: state.move_path(move) for move in state.legal_moves()}
    same = [move for move, path in paths.items() if path and path.kind == line.lower()]
    return same[0] if len(same) == 1 else None


def _sequences(state: State, key: Key) -> Iterator[list[int]]:
    """Yield the ways to read letters and numbers as moves of one turn."""
    if not key or state.is_terminal:
        return
    for name, move in _named(state).items():
        own = key_of(name)
        if not own or _lower(key[: len(own)]) != _lower(own):
            continue
        after, rest = state.play(move), key[len(own) :]
        if not rest:
            yield [move]
        elif after.to_move == state.to_move:
            yield from ([move, *following] for following in _sequences(after, rest))


def _words(state: State, words: Sequence[str]) -> list[int]:
    """Return one move per word; pieces of a set-up may be named in any order."""
    found: list[int] = []
    left, mover = list(words), state.to_move
    while left:
        if found and (state.is_terminal or state.to_move != mover):
            raise Error(f"your turn is over before {left[0]!r}: type one turn at a time")
        word = next((each for each in left if _is_placing(state, each)), left[0])
        left.remove(word)
        try:
            move = _whole(state, word)
            found.append(_begun(state, word) if move is None else move)
        except Error as mistake:
            after = f" after {' '.join(words[: len(found)])}" if found else ""
            raise Error(f"{mistake}{after}") from None
        state = state.play(found[-1])
    return found


def _is_placing(state: State, word: str) -> bool:
    move = _named(state).get(word)
    path = None if move is None else state.move_path(move)
    return path is not None and path.kind.startswith(PLACING)


def _begun(state: State, text: str) -> int:
    """Return the only move that begins as the text does."""
    moves = _named(state)
    key = _lower(key_of(text))
    found = [
        name
        for name in moves
        if name.lower().startswith(text.lower())
        or (key and _lower(key_of(name))[: len(key)] == key)
    ]
    if len(found) == 1:
        return moves[found[0]]
    if found:
        some = ", ".join(found[:SHOWN]) + (", ..." if len(found) > SHOWN else "")
        raise Error(f"{text!r} could be {some}")
    raise Error(f"{text!r} is not a legal move here; moves lists them, help lists the commands")
