"""Weaker levels choose among nearly best moves."""

import athenan
import pytest
from athenan import Error
from athenan._core import MoveLabel, Random
from athenan.searches import search
from athenan.web.levels import LEVELS, Level, chosen_move, level_of, near_best


def test_a_proven_loss_is_never_near_the_best() -> None:
    labels = [MoveLabel(0, 0.5), MoveLabel(1, 0.9, -1, True), MoveLabel(2, 0.45)]
    assert near_best(labels, 0, 1.0) == [0, 2]
    won = [MoveLabel(0, 5.0), MoveLabel(1, 0.9, 1, True), MoveLabel(2, 0.1)]
    assert near_best(won, 0, 0.1) == [1]  # proven: whatever the others are worth
    assert near_best(labels[1:2], 0, 0.5) == [1]  # nothing else is left
    assert near_best([], 0, 0.5) == []


def test_what_was_not_tried_is_not_near_the_best() -> None:
    """Its value is the worst there is, and a share of an infinite range would be everything."""
    never = float("-inf")
    labels = [MoveLabel(0, never), MoveLabel(1, 0.5), MoveLabel(2, never), MoveLabel(3, -1.0)]
    assert near_best(labels, 0, 1.0, 0.5) == [1]
    assert near_best(labels, 0, 1.0) == [1, 3]


def test_share_and_tolerance_widen_the_choice() -> None:
    labels = [MoveLabel(n, n) for n in range(11)]
    assert [len(near_best(labels, 0, share)) for share in (0.0, 0.1, 0.3, 0.5, 1.0)] == [
        1, 2, 4, 6, 11,
    ]  # fmt: skip
    sizes = [len(near_best(labels, 0, 1.0, bound)) for bound in (0.0, 0.1, 0.3, 0.5, 1.0)]
    assert sizes == [1, 2, 4, 6, 11]
    assert near_best(labels, 1, 0.1) == [0, 1]


def test_levels_grow() -> None:
    looks = [each.looks or 10**9 for each in LEVELS]
    for growing in (looks, [each.seconds for each in LEVELS]):
        assert growing == sorted(growing)
    for shrinking in ([each.share for each in LEVELS], [each.tolerance for each in LEVELS]):
        assert shrinking == sorted(shrinking, reverse=True)
    assert LEVELS[0].iterations(30, has_model=False) == 60
    assert LEVELS[0].iterations(30, has_model=True) == 2
    assert LEVELS[-1].iterations(30, has_model=False) == 0
    for wrong in (-1, len(LEVELS), 1.5, "2", None, True):
        with pytest.raises(Error, match="there is no level"):
            level_of(wrong)


def test_the_first_level_can_be_beaten_and_a_strong_one_cannot() -> None:
    """By a player that looks a little ahead, on a small board: each level with its own looks."""
    game = athenan.make_game("breakthrough:rows=5,columns=4")
    random = Random(5)

    def won(level: Level) -> int:
        points = 0
        for number in range(12):
            state, side = game.initial_state(), number % 2
            while not state.is_terminal:
                mine = state.to_move == side
                looks = level.iterations(len(state.legal_moves()), False) if mine else 150
                seed = random.below(1 << 30)
                found = search(state, spec="mcts", iterations=looks, seed=seed)
                choice = chosen_move(found, state.to_move, level, random)
                state = state.play(choice if mine else found.best_move)
            assert state.outcome is not None
            points += (state.outcome > 0) == (side == 0)
        return points

    weak, strong = won(LEVELS[0]), won(LEVELS[4])
    assert weak <= 3
    assert strong >= 8
