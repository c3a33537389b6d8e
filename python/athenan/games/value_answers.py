"""What simple rules answer to each question of the engine: the author's values, or bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from athenan._core import Error, PositionError
from athenan.games.boards import cell_text
from athenan.games.simple import gives

if TYPE_CHECKING:
    from athenan.games.value_rules import ValueRules


def planes_of(rules: ValueRules, _: bytes, value: Any) -> Any:
    """Return what a network sees: the author's planes, or those of the board in the value."""
    if gives(rules.simple, "planes"):
        return rules.simple.planes(value)
    assert rules.layout is not None
    return rules.layout.planes(value, rules.simple.to_move(value))


def _moves(rules: ValueRules, data: bytes, value: Any) -> list[int]:
    legal = rules.legal_moves(data, value)
    if not rules.move_list:
        return list(range(len(legal)))
    return [rules.number_of(data, value, move) for move in legal]


def _transformed_move(
    rules: ValueRules, data: bytes, value: Any, symmetry: int, number: int
) -> int:
    move, simple = rules.move_of(data, value, number), rules.simple
    if symmetry == 0:
        return number
    image = simple.transform_move(value, symmetry, move)
    other = simple.transform(value, symmetry)
    try:
        return rules.number_of(rules.bytes_of(other, "transform"), other, image)
    except ValueError:
        raise Error(
            f"symmetry {symmetry} of {rules.title} maps the move {move!r} to {image!r}, which is "
            f"not legal in the image, for the state {rules.text(value)}"
        ) from None


def _path(
    rules: ValueRules, data: bytes, value: Any, number: int
) -> tuple[str, list[tuple[int, int]]]:
    if rules.geometry is None:
        raise PositionError(
            f"{rules.title} does not say which cells a move touches: write the method cells"
        )
    move = rules.move_of(data, value, number)
    kind, cells = rules.simple.kind(value, move), rules.geometry(value, move)
    if not isinstance(kind, str):
        raise rules.wrong("kind", kind, "it must be one of the kinds", value)
    return kind, cells


def _move_text(rules: ValueRules, data: bytes, value: Any, number: int) -> str:
    move = rules.move_of(data, value, number)
    if gives(rules.simple, "move_text"):
        return rules.simple.move_text(value, move)
    derived = None if gives(rules.simple, "cells") else rules.geometry
    if derived is not None and (cells := derived(value, move)):
        return "-".join(map(cell_text, cells))
    if isinstance(move, str) and move and move == move.strip() and move.isprintable():
        return move
    return rules.text(move)


def _drawing(rules: ValueRules, _: bytes, value: Any) -> str:
    if gives(rules.simple, "drawing"):
        drawn = rules.simple.drawing(value)
        if not isinstance(drawn, str):
            raise rules.wrong("drawing", drawn, "it must be a text", value)
        return drawn.strip("\n") + "\n"
    return rules.text(value) + "\n" if rules.layout is None else rules.layout.drawing(value)


QUESTIONS: dict[str, Callable[..., Any]] = {
    "to_move": lambda rules, _, value: rules.simple.to_move(value),
    "result": lambda rules, _, value: rules.simple.result(value),
    "moves": _moves,
    "apply": lambda rules, data, value, number: rules.bytes_of(
        rules.simple.play(value, rules.move_of(data, value, number)), "play"
    ),
    "encode": planes_of,
    "transform": lambda rules, data, value, symmetry: (
        rules.bytes_of(rules.simple.transform(value, symmetry), "transform") if symmetry else data
    ),
    "transform_move": _transformed_move,
    "move_path": _path,
    "move_text": _move_text,
    "position_text": lambda rules, _, value: rules.text(value),
    "drawing": _drawing,
    "score": lambda rules, _, value: rules.simple.score(value),
    "pieces": lambda rules, _, value, player: rules.simple.pieces(value, player),
    "ply_of": lambda rules, _, value: rules.simple.ply_of(value),
    "swap_sides": lambda rules, _, value: rules.bytes_of(
        rules.simple.swap_sides(value), "swap_sides"
    ),
    "swapped": lambda rules, _, value: rules.simple.swapped(value),
}
"""The engine's questions: a method of `Rules`, and who answers it for values."""
BYTES = frozenset({"apply", "transform", "swap_sides"})
"""The answers that are states already, as bytes."""
