"""Simple games whose class has a wrong member, or whose methods return what cannot be used."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import athenan
import numpy as np
import pytest
from athenan import SimpleRules, game_from_rules, pictures
from athenan.games.check import check_game


class Heap(SimpleRules[Any, Any]):
    """Take one or two of six; who takes the last one wins."""

    max_length = 6

    def initial(self) -> Any:
        return (6, 0)

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def result(self, state: Any) -> int | None:
        return None if state[0] else -1 + 2 * int(state[1])

    def moves(self, state: Any) -> Any:
        return [n for n in (1, 2) if n <= state[0]]

    def play(self, state: Any, move: Any) -> Any:
        return (state[0] - move, 1 - state[1])


def heap(**members: Any) -> athenan.Game:
    return game_from_rules(type("Heap", (Heap,), members)())


async def later(*_: object) -> list[int]:
    return [1]


def answer(value: Any) -> Callable[..., Any]:
    return lambda *_: value


MEMBERS: dict[str, tuple[object, str]] = {
    "players": (3, "players of Heap is 3; accepted is a whole number from 1 to 2"),
    "max_length": (6.0, "max_length of Heap is 6.0; accepted is a whole number from 1 to 100000"),
    "symmetries": ("8", "symmetries of Heap is '8'; accepted is a whole number from 1 to 256"),
    "state_bytes": (-5, "state_bytes of Heap is -5; accepted is a whole number from 0"),
    "title": (5, "title of Heap is 5; accepted is a text"),
    "reference": (None, "reference of Heap is None; accepted is a text"),
    "draws": ("no", "draws of Heap is 'no'; accepted is True or False"),
    "cyclic": (1, "cyclic of Heap is 1; accepted is True or False"),
    "board": ((3, 3, 3), r"board of Heap is \(3, 3, 3\); accepted is a pair of rows and columns"),
    "all_moves": ([[1]], r"all_moves of Heap is \[\[1\]\]; accepted is a list"),
    "symbols": (3, "symbols of Heap is 3; accepted is a list of hashable values"),
    "kinds": ("move", "kinds of Heap is 'move'; accepted is a list of names, at least one"),
    "plane_names": ([1], r"plane_names of Heap is \[1\]; accepted is a list of names"),
    "moves": ([1, 2], r"moves of Heap is \[1, 2\]; accepted is a method"),
    "play": (later, "the method play of Heap is async; write it without async"),
    "result": (lambda _: None, r"the method result of Heap takes \(\), and is called with \(state"),
    "offers_swap": (True, "Heap says offers_swap, and that needs the method swap_sides"),
}


@pytest.mark.parametrize("name", MEMBERS)
def test_a_wrong_member_is_told(name: str) -> None:
    value, sentence = MEMBERS[name]
    with pytest.raises(athenan.ParameterError, match=sentence):
        heap(**{name: value})


@pytest.mark.parametrize("moves", [range(10**9), (n for n in (1, 2)), None, {1: 2}])
def test_all_moves_are_a_list_of_a_sensible_length(moves: object) -> None:
    with pytest.raises(athenan.ParameterError, match="at most 1,000,000 hashable moves"):
        heap(all_moves=moves)


def test_symmetries_need_both_methods() -> None:
    with pytest.raises(athenan.ParameterError, match="needs the method transform_move"):
        heap(symmetries=2, transform=lambda _self, state, _symmetry: state)


STARTS: dict[str, tuple[dict[str, Any], str]] = {
    "no start": ({"initial": answer(None)}, "initial of Heap returned None instead of a state"),
    "a dictionary": ({"initial": answer({})}, "a state cannot hold a dict"),
    "an iterator": ({"initial": lambda _: iter([6, 0])}, "a state cannot hold a list_iterator"),
    "no child": ({"play": answer(None)}, "the method play of Heap returned None instead of a st"),
    "no moves": ({"moves": answer(None)}, "moves of Heap returned None: it must be a list of the"),
    "moves without end": (
        {"moves": lambda *_: itertools.count()},
        "moves of Heap returned .*: a state has at most 65,536 moves, for the state",
    ),
    "ragged planes": ({"planes": answer([[[1], [1, 2]]])}, "whose rows differ in length, instead"),
    "more names than planes": (
        {"planes": answer([[[1]]]), "plane_names": ["a", "b"]},
        "plane_names of Heap has 2 names, and the method planes returned 1 plane",
    ),
}


@pytest.mark.parametrize("name", STARTS)
def test_what_no_game_can_begin_with_is_told(name: str) -> None:
    members, sentence = STARTS[name]
    with pytest.raises(athenan.Error, match=sentence):
        heap(**members)


ANSWERS: dict[str, tuple[dict[str, Any], str]] = {
    "a drawing": ({"drawing": answer(["a"])}, r"drawing of Heap returned \['a'\]: it must be a te"),
    "a picture": ({"svg": answer(b"<svg/>")}, "svg of Heap returned b'<svg/>': it must be the te"),
    "no picture": ({"svg": answer(None)}, "the method svg of Heap returned None: it must be the"),
    "a result": ({"result": answer(False)}, r"returned False: it must be \+1, 0, -1 or None"),
    "cells": ({"cells": answer([(0.5, 0)])}, "it must be a list of cells, each a pair of row and"),
    "no cells": ({"cells": answer(None)}, "the method cells of Heap returned None: it must be a"),
    "a kind": (
        {"cells": answer([(0, 0)]), "kind": answer(None)},
        "kind of Heap returned None: it must be one of the kinds",
    ),
    "a move without text": ({"move_text": answer("")}, "it must be one line, neither empty nor"),
    "a move of two lines": (
        {"move_text": lambda _self, _state, move: f"take\n{move}"},
        "it must be one line, neither empty nor",
    ),
    "a move in bytes": ({"move_text": answer(b"a")}, "returned b'a': it must be a text, for the"),
    "a score": ({"score": answer("3")}, "score of Heap returned '3': it must be a finite number"),
    "planes": (
        {"planes": lambda _, state: np.zeros((1, 1, 1 + (state[0] < 6)))},
        r"the method planes of Heap returned .*: its shape is \[1, 1, 2\] instead of \[1, 1, 1\]",
    ),
    "complex planes": (
        {"planes": answer([[[1j]]])},
        "it must be an array of integers from -128 to 127",
    ),
    "pieces": ({"pieces": answer(None)}, "the method pieces of Heap returned None"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_check_finds_a_wrong_answer_of_any_method(name: str) -> None:
    members, sentence = ANSWERS[name]
    game = heap(**members)
    graves = [finding.sentence for finding in check_game(game, 3) if finding.grave]
    assert graves
    with pytest.raises(athenan.Error, match=sentence):
        raise athenan.Error(graves[0])


def test_a_match_that_is_over_at_once_is_found() -> None:
    (finding,) = [each for each in check_game(heap(result=answer(1)), 2) if each.grave]
    assert (
        str(finding) == "start: at the start the match is over before the first move: see the "
        "method result"
    )


def test_cells_that_nobody_says_are_no_assertion() -> None:
    game = heap()
    with pytest.raises(athenan.PositionError, match="a move touches: write the method cells"):
        game.legal_moves([game.initial_state()])
    assert game.initial_state().move_path(0) is None


def test_a_flaw_may_be_nothing_and_is_a_text_otherwise() -> None:
    assert heap(flaw=answer(None)).parse_position("[3,1]").to_move == 1
    with pytest.raises(athenan.PositionError, match="it must be a text"):
        heap(flaw=answer(True)).parse_position("[3,1]")
    with pytest.raises(athenan.PositionError, match="too many of them") as refused:
        heap(flaw=answer("too many\n  of them")).parse_position("[3,1]")
    assert "\n" not in str(refused.value)


def test_the_authors_picture_is_shown() -> None:
    drawn = "<svg xmlns='http://www.w3.org/2000/svg'/>"
    assert pictures.svg_of(heap(svg=answer(drawn)).initial_state()) == drawn
