"""The reinforcement heuristics: values by hand, and the order of the gain in every game."""

from itertools import pairwise
from random import Random
from types import SimpleNamespace

import athenan
import numpy as np
import pytest
from athenan import reference as ref
from athenan.reference.terminal_evaluation import ARIMAA_VALUES
from athenan.searches import terminal_evaluations

MATCHES = 8


def played(*moves: str) -> athenan.State:
    state = athenan.make_game("tic_tac_toe").initial_state()
    for move in moves:
        state = state.play(move)
    return state


FIRST_WINS = played("a1", "a2", "b1", "b2", "c1")
SECOND_WINS = played("a1", "a2", "b1", "b2", "c3", "c2")
DRAW = played("a1", "b1", "c1", "a2", "b2", "a3", "c2", "c3", "b3")
ENDS = (FIRST_WINS, SECOND_WINS, DRAW)


def single(value: float) -> float:
    return float(np.float32(value))


def test_gain() -> None:
    assert [ref.CLASSIC(end) for end in ENDS] == [1.0, -1.0, 0.0]
    with pytest.raises(athenan.ParameterError, match="only a terminal state has a gain"):
        ref.gain(played("a1"))


def end(outcome: int, depth: int, **facts: int) -> athenan.State:
    """A terminal state of a game with these facts, as far as a depth evaluation looks."""
    sheet = SimpleNamespace(**{"longest_length": 0, "typical_length": 0, "max_length": 9} | facts)
    game = SimpleNamespace(datasheet=sheet, offers_swap=False)
    return SimpleNamespace(outcome=outcome, depth=depth, game=game)  # type: ignore[return-value]


def test_depths() -> None:
    # P = 9, P' = 8, and p = 5, 6, 9.
    assert [ref.ADDITIVE_DEPTH(each) for each in ENDS] == [5.0, -4.0, 0.0]
    assert [ref.MULTIPLICATIVE_DEPTH(each) for each in ENDS] == [single(8 / 5), single(-8 / 6), 0.0]


def test_depths_where_the_maximum_is_not_known() -> None:
    longest = [ref.ADDITIVE_DEPTH(end(won, p, longest_length=6)) for won, p in ((1, 4), (-1, 6))]
    assert longest == [2.0, -1.0]
    assert ref.ADDITIVE_DEPTH(end(1, 8, longest_length=6)) == 1.0
    assert ref.MULTIPLICATIVE_DEPTH(end(1, 3)) == 1.5
    assert ref.MULTIPLICATIVE_DEPTH(end(-1, 3, typical_length=6)) == -2.0


@pytest.mark.parametrize("name", ["hex:size=4", "havannah:size=3"])
def test_the_swap_is_no_move_on_the_board(name: str) -> None:
    offered, without = athenan.make_game(name), athenan.make_game(name + ",swap=false")
    declined = taken = 0
    for each in random_ends(offered, 40):
        swapped = each.ply - each.depth
        taken += swapped
        stones = each.pieces(0) + each.pieces(1)
        empty = offered.datasheet.move_count - stones
        assert each.depth == stones
        assert ref.ADDITIVE_DEPTH(each) == ref.gain(each) * (empty + 1)
        if not swapped:
            declined += 1
            same = without.parse_position(each.position)
            assert ref.ADDITIVE_DEPTH(each) == ref.ADDITIVE_DEPTH(same)
            assert ref.MULTIPLICATIVE_DEPTH(each) == ref.MULTIPLICATIVE_DEPTH(same)
    assert declined
    assert taken


def test_mobility() -> None:
    # Moves to choose from: 9, 7, 5 for the first player; 8, 6 and then 4 for the second.
    assert ref.MOBILITY(FIRST_WINS) == single((9 + 7 + 5) / 3 / ((8 + 6) / 2))
    assert ref.MOBILITY(SECOND_WINS) == single(-((8 + 6 + 4) / 3) / ((9 + 7 + 5) / 3))
    assert ref.MOBILITY(DRAW) == 0.0
    without_turn = SimpleNamespace(outcome=1, mobility=(4.0, 0.0))
    assert ref.MOBILITY(without_turn) == 4.0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("outcome", "first", "second", "value"),
    [(1, 9, 4, 5), (1, 4, 9, 1), (-1, 4, 9, -5), (-1, 9, 4, -1), (0, 9, 4, 0)],
)
def test_presence(outcome: int, first: int, second: int, value: int) -> None:
    end = SimpleNamespace(outcome=outcome, pieces=lambda player: (first, second)[player])
    assert ref.PRESENCE(end) == value  # type: ignore[arg-type]


def test_score() -> None:
    for outcome, players, value in ((-1, 2, -12.0), (0, 2, 0.0), (0, 1, -12.0)):
        game = SimpleNamespace(datasheet=SimpleNamespace(players=players))
        end = SimpleNamespace(score=-12.0, outcome=outcome, game=game)
        assert ref.SCORE(end) == value  # type: ignore[arg-type]


@pytest.mark.parametrize("outcome", [1, 0, -1])
def test_arimaa(outcome: int) -> None:
    names = [*reversed(ARIMAA_VALUES), "player to move"]
    planes = np.zeros((7, 8, 8), np.int8)
    counts = {"elephants": -1, "camels": 1, "horses": 2, "dogs": 0, "cats": -2, "rabbits": 5}
    for name, count in counts.items():
        planes[names.index(name), 0, : abs(count)] = np.sign(count)
    planes[6] = 1
    sheet = SimpleNamespace(planes=[f"{name}: of both" for name in names])
    end = SimpleNamespace(
        outcome=outcome, encode=lambda: planes, game=SimpleNamespace(datasheet=sheet)
    )
    difference = -5 + 4 + 2 * 3 - 2 * 1 + 5 * 6
    assert ref.ARIMAA(end) == (69 * outcome + difference if outcome else 0)  # type: ignore[arg-type]


def test_arimaa_in_the_game() -> None:
    for end in random_ends(athenan.make_game("arimaa"), 2):
        assert not end.outcome or ref.ARIMAA(end) == end.score


def random_ends(game: athenan.Game, matches: int) -> list[athenan.State]:
    luck = Random(game.id)
    ends = []
    for _ in range(matches):
        state = game.initial_state()
        while not state.is_terminal:
            state = state.play(luck.choice(state.legal_moves()))
        ends.append(state)
    return ends


@pytest.mark.parametrize("name", athenan.game_names())
def test_every_heuristic_keeps_the_order_of_the_gain(name: str) -> None:
    game = athenan.make_game(name)
    ends = random_ends(game, MATCHES)
    for heuristic in ref.heuristics_of(game):
        if game.datasheet.players == 2:
            assert all(heuristic(end) * ref.gain(end) > 0 for end in ends if ref.gain(end))
        values = sorted((ref.gain(end), heuristic(end)) for end in ends)
        for (low, worse), (high, better) in pairwise(values):
            assert low == high or worse < better, heuristic.name


@pytest.mark.parametrize("name", athenan.game_names())
def test_heuristics_of_a_game(name: str) -> None:
    game = athenan.make_game(name)
    names = [heuristic.name for heuristic in ref.heuristics_of(game)]
    assert sorted(names) == sorted(terminal_evaluations(game))


@pytest.mark.parametrize(
    ("determines", "cyclic", "with_ply"),
    [(True, False, False), (False, True, False), (False, False, True)],
)
def test_the_ply_in_keys(determines: bool, cyclic: bool, with_ply: bool) -> None:
    sheet = SimpleNamespace(board_determines_ply=determines, cyclic=cyclic)
    state = SimpleNamespace(key=17, ply=4, game=SimpleNamespace(datasheet=sheet))
    for heuristic in (ref.ADDITIVE_DEPTH, ref.MULTIPLICATIVE_DEPTH):
        assert ref.state_key(state, heuristic) == ((17, 4) if with_ply else 17)  # type: ignore[arg-type]
    for heuristic in (ref.CLASSIC, ref.SCORE, ref.MOBILITY, ref.PRESENCE):
        assert ref.state_key(state, heuristic) == 17  # type: ignore[arg-type]
