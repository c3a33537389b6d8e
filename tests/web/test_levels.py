"""Weaker levels choose among nearly best moves."""

import athenan
import pytest
from athenan import Error
from athenan._core import MoveLabel, Random
from athenan.searches import search
from athenan.web.levels import LEVELS, chosen_move, level_of, near_best


def test_a_proven_loss_is_never_near_the_best() -> None:
    labels = [MoveLabel(0, 0.5), MoveLabel(1, 0.9, -1, True), MoveLabel(2, 0.45)]
    assert near_best(labels, 0, 1.0) == [0, 2]
    assert near_best(labels[1:2], 0, 0.5) == [1]  # nothing else is left
    assert near_best([], 0, 0.5) == []


def test_tolerance_widens_the_choice() -> None:
    labels = [MoveLabel(n, n) for n in range(11)]
    sizes = [len(near_best(labels, 0, tolerance)) for tolerance in (0.0, 0.1, 0.3, 0.5, 1.0)]
    assert sizes == [1, 2, 4, 6, 11]
    assert near_best(labels, 1, 0.1) == [0, 1]


def test_levels_grow() -> None:
    assert [each.seconds for each in LEVELS] == sorted(each.seconds for each in LEVELS)
    tolerances = [each.tolerance for each in LEVELS]
    assert tolerances == sorted(tolerances, reverse=True)
    for wrong in (-1, len(LEVELS), 1.5, "2", None, True):
        with pytest.raises(Error, match="there is no level"):
            level_of(wrong)


def test_the_first_level_can_be_beaten_and_the_last_cannot() -> None:
    """Against a player that looks a little ahead, on a small board."""
    game = athenan.make_game("breakthrough:rows=5,columns=4")
    random = Random(5)

    def score(level: int) -> int:
        won = 0
        for number in range(12):
            state, side = game.initial_state(), number % 2
            while not state.is_terminal:
                found = search(state, spec="mcts", iterations=150, seed=random.below(1 << 30))
                mine = state.to_move == side
                choice = chosen_move(found, state.to_move, LEVELS[level], random)
                state = state.play(choice if mine else found.best_move)
            assert state.outcome is not None
            won += (state.outcome > 0) == (side == 0)
        return won

    weak, strong = score(0), score(len(LEVELS) - 1)
    assert weak < strong
    assert weak <= 5
