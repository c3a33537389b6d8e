"""Completed searches prove the true outcome; the independent proof is plain alpha-beta."""

from __future__ import annotations

import athenan
import numpy as np
import pytest
from athenan import _core

# (game, outcome under best play for the first player)
SOLVED = [
    ("tic_tac_toe", 0),
    ("connect_four:rows=4,columns=4", 0),
    ("hex:size=2,swap=false", 1),
    ("hex:size=2,swap=true", -1),
    ("hex:size=3,swap=false", 1),
    ("hex:size=3,swap=true", -1),
    ("breakthrough:rows=4,columns=4", -1),
    ("clobber:rows=3,columns=4", None),
    ("othello:size=4", -1),
]
LARGER = [
    ("clobber:rows=4,columns=4", None),
    ("amazons:size=4", None),
    ("amazons:size=4,plies=1", None),
    ("connect_four:rows=4,columns=5", 0),
    ("breakthrough:rows=5,columns=3", -1),
    ("hex:size=4,swap=false", 1),
    ("hex:size=4,swap=true", -1),
    ("clobber:rows=4,columns=5", None),
]


def check(
    game_id: str, known: int | None, algorithm: str, seed: int, opening: tuple[str, ...] = ()
) -> None:
    state = athenan.make_game(game_id).initial_state()
    for move in opening:
        state = state.play(move)
    proven = int(_core.exact_value(state))
    if known is not None:
        assert proven == known
    search = _core.Search(state.game, algorithm, 1)
    search.begin(state)
    search.run_fake(seed)
    assert search.root_resolved
    assert search.root_completion == proven
    assert not search.memory_full


@pytest.mark.parametrize(("game_id", "known"), SOLVED)
@pytest.mark.parametrize("algorithm", ["descent", "ubfm", "ubfm-safe"])
def test_completed_search_proves_the_outcome(
    game_id: str, known: int | None, algorithm: str
) -> None:
    check(game_id, known, algorithm, seed=0)
    if game_id in ("tic_tac_toe", "othello:size=4", "hex:size=3,swap=true"):
        check(game_id, known, algorithm, seed=3)


@pytest.mark.parametrize("algorithm", ["descent", "ubfm"])
def test_positions_of_games_that_take_longer(algorithm: str) -> None:
    for game_id in ("amazons:size=4", "amazons:size=4,plies=1", "clobber:rows=4,columns=4"):
        for seed in range(3):
            check(game_id, None, algorithm, seed=0, opening=random_opening(game_id, 6, seed))


def random_opening(game_id: str, plies: int, seed: int) -> tuple[str, ...]:
    state = athenan.make_game(game_id).initial_state()
    random = athenan.Random(seed)
    texts = []
    for _ in range(plies):
        if state.is_terminal:
            return random_opening(game_id, plies, seed + 100)
        moves = state.legal_move_strings()
        texts.append(moves[random.below(len(moves))])
        state = state.play(texts[-1])
    return tuple(texts) if not state.is_terminal else random_opening(game_id, plies, seed + 100)


@pytest.mark.parametrize(("game_id", "known"), LARGER)
@pytest.mark.parametrize("algorithm", ["descent", "ubfm"])
@pytest.mark.slow
def test_completed_search_proves_larger_games(
    game_id: str, known: int | None, algorithm: str
) -> None:
    check(game_id, known, algorithm, seed=0)


def test_the_line_of_a_solution_is_best_play() -> None:
    state = athenan.make_game("hex:size=3,swap=false").initial_state()
    solution = athenan.solve(state)
    assert solution.proven_outcome == 1
    for move in solution.principal_variation:
        assert athenan.solve(state).proven_outcome == 1
        state = state.play(move)
    assert state.outcome == 1


def test_othello_4_is_lost_by_8_discs() -> None:
    state = athenan.make_game("othello:size=4").initial_state()
    assert _core.exact_value(state, "score") == -8
    result = athenan.search(state, spec="alphabeta:terminal=score")
    assert (result.value, result.proven_outcome) == (-8, -1)


def test_completion_repairs_the_choice_by_value_alone() -> None:
    """The paper's example: a proven win beside a higher evaluation of an unproven move."""

    class TwoDoors(athenan.Rules):
        """Move 0 wins at once; move 1 leads to a state that looks better but is lost."""

        def datasheet(self) -> athenan.Datasheet:
            return athenan.Datasheet(
                title="Two doors", rows=1, columns=1, planes=["place"], move_count=2, max_length=5
            )

        def initial(self) -> athenan.games.StateBytes:
            return np.array([0], "uint8")

        def to_move(self, state: athenan.games.StateBytes) -> int:
            return int(state[0] == 2)

        def result(self, state: athenan.games.StateBytes) -> int | None:
            return {1: 1, 3: -1}.get(int(state[0]))

        def moves(self, state: athenan.games.StateBytes) -> list[int]:
            return [0, 1] if state[0] == 0 else [0]

        def apply(self, state: athenan.games.StateBytes, move: int) -> athenan.games.StateBytes:
            after = 3 if state[0] == 2 else 1 + move
            return np.array([after], "uint8")

        def encode(self, state: athenan.games.StateBytes) -> object:  # type: ignore[override]
            return state.reshape(1, 1, 1)

    state = athenan.game_from_rules(TwoDoors()).initial_state()
    optimist = athenan.constant_evaluator(5.0)
    for algorithm in ("ubfm", "descent"):
        by_value = athenan.search(
            state, optimist, algorithm, iterations=1, completion=False, decision="best"
        )
        completed = athenan.search(state, optimist, algorithm, iterations=1)
        assert completed.best_move == 0
        assert completed.proven_outcome == 1
        if algorithm == "ubfm":
            assert by_value.best_move == 1
