"""The line below a picture: the ply, what was played, and whose turn it is, with its piece."""

from __future__ import annotations

from collections.abc import Sequence

from athenan._core import State
from athenan.games.words import turn_or_end
from athenan.pictures.looks import Look
from athenan.pictures.svg import Box, Point, group, scaled, text
from athenan.pictures.turn import Ply

PLAYERS = ("first player", "second player")
LETTER = 0.56  # the width of a letter by its height
SEPARATOR = " · "


def words_of(state: State, last_turn: Sequence[Ply]) -> str:
    """Say the ply, who played what, and whose turn it is or how the match ended.

    >>> import athenan
    >>> start = athenan.make_game("go:size=5").initial_state()
    >>> words_of(start.play("pass"), [(start, "pass")])
    'ply 1 · first player passed · second player to move'
    """
    parts = [f"ply {state.ply}", *_played(last_turn), turn_or_end(state)]
    return SEPARATOR.join(parts)


def _played(last_turn: Sequence[Ply]) -> list[str]:
    if not last_turn:
        return []
    before, move = last_turn[0]
    mover = PLAYERS[before.to_move] if before.game.datasheet.players > 1 else "you"
    path = before.move_path(move)
    if path is not None and not path.cells and path.kind in _DEEDS:
        return [f"{mover} {_DEEDS[path.kind]}"]
    return [f"{mover} played {' '.join(_name(state, move) for state, move in last_turn)}"]


_DEEDS = {"pass": "passed", "swap": "swapped"}


def _name(state: State, move: int | str) -> str:
    return move if isinstance(move, str) else state.move_to_string(move)


def caption(words: str, box: Box, look: Look | None, player: int | None) -> tuple[Box, str]:
    """Return a picture's box with room for the line below it, and the line.

    `player` is the one whose piece stands before the words, if any.
    """
    margin = 0.03 * box.width
    room = box.width - 2 * margin
    piece = 1.5 if look is not None and player is not None else 0.0  # in heights of the letters
    height = min(0.045 * box.width, 0.45, room / (LETTER * len(words) + piece))
    middle = box.top + box.height + 0.75 * height
    left = box.left + margin
    elements = [
        text(
            Point(left + piece * height, middle),
            words,
            height,
            text_anchor="start",
            class_="ink",
        )
    ]
    if look is not None and player is not None:
        size = 1.25 * height
        place = f"translate({scaled(left + 0.5 * height)} {scaled(middle)}) scale({size:.3f})"
        elements.append(group("to-move", look.sample(player, Point(0, 0)), transform=place))
    taller = Box(box.left, box.top, box.width, box.height + 1.8 * height)
    return taller, group("caption", elements)
