"""How many plies a proven win takes: what the tree says, against every answer there is."""

from functools import cache

import athenan
import pytest
from athenan import Game, State
from athenan._core import Search
from athenan.evaluators import constant_evaluator
from athenan.searches import drive

PROVEN = [
    ("tic_tac_toe", "xx1/oo1/3 x"),
    ("tic_tac_toe", "x2/1o1/2x o"),
    ("hex:size=3,swap=false", None),
    ("breakthrough:rows=4,columns=3", None),
    ("clobber:rows=2,columns=4", None),
]
Line = tuple[int, ...]


def solved(game: str, position: str | None, spec: str) -> tuple[Search, State]:
    made = athenan.make_game(game)
    state = made.parse_position(position) if position else made.initial_state()
    search = Search(made, athenan.SearchSpec(spec))
    drive(search, state, constant_evaluator())
    return search, state


def longest_end(search: Search, line: Line, state: State, winner: int) -> int:
    """Play every answer to the winner's shortest way; return when the last match is over."""
    if state.is_terminal:
        assert state.outcome == (1 if winner == 0 else -1), "the proven winner must win"
        return 0
    lengths = search.proof_lengths_after(list(line))
    legal = state.legal_moves()
    assert len(lengths) == len(legal)
    if state.to_move == winner:
        labels = search.labels_after(list(line))
        won = 1 if winner == 0 else -1
        wins = [(n, a.move) for n, a in zip(lengths, labels, strict=True) if a.completion == won]
        tried = [min((n, move) for n, move in wins if n is not None)[1]]
    else:
        assert None not in lengths, "against a proven win every answer is known to lose"
        tried = legal
    return 1 + max(longest_end(search, (*line, m), state.play(m), winner) for m in tried)


def shortest_win(game: Game, start: State, winner: int) -> int | None:
    """Search everything, with no tree of ours: the plies of the quickest forced win."""

    @cache
    def plies(position: str) -> int | None:
        state = game.parse_position(position)
        if state.is_terminal:
            return 0 if state.outcome == (1 if winner == 0 else -1) else None
        below = [plies(state.play(move).position) for move in state.legal_moves()]
        if state.to_move == winner:
            known = [each for each in below if each is not None]
            return 1 + min(known) if known else None
        return None if None in below else 1 + max(each for each in below if each is not None)

    return plies(start.position)


@pytest.mark.parametrize("spec", ["descent", "ubfm:transpositions=false", "ubfm-safe"])
@pytest.mark.parametrize(("game", "position"), PROVEN)
def test_the_winner_wins_within_the_length(game: str, position: str | None, spec: str) -> None:
    search, state = solved(game, position, spec)
    winner = {1: 0, -1: 1}.get(search.root_completion)
    lengths = search.proof_lengths_after([])
    if winner is None:
        assert search.root_resolved
        return
    known = [each for each in lengths if each is not None]
    wins = [
        length
        for length, label in zip(lengths, search.root_moves, strict=True)
        if length is not None and label.completion == search.root_completion
    ]
    assert all(
        label.completion != 0 or length is None
        for length, label in zip(lengths, search.root_moves, strict=True)
    )
    stated = min(wins) if state.to_move == winner else max(known)
    assert longest_end(search, (), state, winner) == stated
    best = shortest_win(state.game, state, winner)
    assert best is not None
    assert stated >= best


def test_a_mate_in_one_and_a_loss_in_two() -> None:
    search, state = solved("tic_tac_toe", "xx1/oo1/3 x", "ubfm")
    assert search.proof_lengths_after([])[state.legal_moves().index(state.parse_move("c1"))] == 1
    search, state = solved("tic_tac_toe", "xx1/xo1/2o o", "descent")
    assert search.root_completion == 1  # two lines are open: one of them stays so
    assert max(each or 0 for each in search.proof_lengths_after([])) == 2


def test_nothing_is_proven_where_nothing_can_be() -> None:
    search, state = solved("tic_tac_toe", None, "descent")
    assert search.root_completion == 0
    draws = [label.move for label in search.root_moves if label.completion == 0]
    by_move = dict(zip(state.legal_moves(), search.proof_lengths_after([]), strict=True))
    assert all(by_move[move] is None for move in draws)
    game = athenan.make_game("tic_tac_toe")
    plain = Search(game, athenan.SearchSpec("mcts:iterations=50"))
    drive(plain, game.initial_state(), constant_evaluator())
    assert plain.proof_lengths_after([]) == []
    assert search.proof_lengths_after([0, 0]) == []  # no such state in the tree
