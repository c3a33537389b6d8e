"""Matches: they end in time, offer moves until then and none after, and refuse everything else."""

import athenan
import pytest
from athenan import IllegalMoveError
from conformance.walks import ongoing_positions, positions, seeds, walk
from hypothesis import given
from hypothesis import strategies as st


@given(seed=seeds)
def test_a_random_match_ends_within_the_maximum_length(game: athenan.Game, seed: int) -> None:
    states = walk(game, seed).states
    assert len(states) - 1 <= game.datasheet.max_length
    assert [state.ply for state in states] == list(range(len(states)))
    assert states[-1].is_terminal


@given(seed=seeds)
def test_a_state_has_no_legal_move_iff_the_match_is_over(game: athenan.Game, seed: int) -> None:
    for state in walk(game, seed).states:
        over = not state.legal_moves()
        assert state.is_terminal == over
        assert (state.outcome is not None) == over
        assert state.outcome in (None, -1, 0, 1)


@given(seed=seeds)
def test_legal_moves_are_distinct_numbers_below_the_move_count(
    game: athenan.Game, seed: int
) -> None:
    for state in walk(game, seed).states:
        moves = state.legal_moves()
        assert len(set(moves)) == len(moves)
        assert all(0 <= move < game.move_count for move in moves)


@given(seed=seeds)
def test_draws_happen_only_where_the_datasheet_says_so(game: athenan.Game, seed: int) -> None:
    end = walk(game, seed).states[-1]
    if end.outcome == 0:
        assert game.datasheet.has_draws or end.ply == game.datasheet.max_length


@given(seed=seeds)
def test_the_player_to_move_is_one_of_the_players(game: athenan.Game, seed: int) -> None:
    players = {state.to_move for state in walk(game, seed).states}
    assert players == set(range(game.datasheet.players))


@given(seed=seeds)
def test_the_swap_is_offered_exactly_at_the_second_ply(game: athenan.Game, seed: int) -> None:
    for state in walk(game, seed).states:
        offered = "swap" in state.legal_move_strings()
        assert offered == (game.offers_swap and state.ply == 1)
        assert offered == (game.datasheet.move_count in state.legal_moves())


def test_the_number_of_the_swap_comes_after_those_of_the_moves(game: athenan.Game) -> None:
    assert game.move_count == game.datasheet.move_count + game.offers_swap


@given(data=st.data())
def test_numbers_that_are_not_legal_are_refused(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(ongoing_positions(game))
    numbers = st.one_of(st.integers(0, game.move_count + 1), st.integers(0, 2**32 - 1))
    move = data.draw(numbers.filter(lambda number: number not in state.legal_moves()))
    with pytest.raises(IllegalMoveError, match="not legal") as refusal:
        state.play(move)
    assert game.name in str(refusal.value)
    assert str(move) in str(refusal.value)


@given(data=st.data())
def test_texts_that_are_not_legal_are_refused(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(ongoing_positions(game))
    legal = state.legal_move_strings()
    text = data.draw(st.sampled_from(["", "zz99", "SWAP", " ", f"{legal[0]} ", legal[0] * 2]))
    for refused in (state.play, state.parse_move):
        with pytest.raises(IllegalMoveError, match="is not legal") as refusal:
            refused(text)
        assert game.name in str(refusal.value)


@given(seed=seeds)
def test_no_move_follows_the_end(game: athenan.Game, seed: int) -> None:
    *_, (before, move, end) = walk(game, seed).steps()
    for attempt in (move, before.move_to_string(move), game.move_count, "zz99"):
        with pytest.raises(IllegalMoveError, match="over") as refusal:
            end.play(attempt)
        assert game.name in str(refusal.value)
    with pytest.raises(IllegalMoveError, match="over"):
        end.parse_move(before.move_to_string(move))


@given(data=st.data())
def test_the_score_agrees_with_the_outcome_at_the_end(
    game: athenan.Game, data: st.DataObject
) -> None:
    state = data.draw(positions(game))
    assert (state.score is None) == (not game.datasheet.has_score)
    if (
        state.score is not None
        and game.datasheet.players == 2
        and state.ply < game.datasheet.max_length
    ):
        sign = (state.score > 0) - (state.score < 0)
        assert state.outcome in (None, sign)


@given(data=st.data())
def test_pieces_are_counted_where_the_datasheet_says_so(
    game: athenan.Game, data: st.DataObject
) -> None:
    state = data.draw(positions(game))
    if game.datasheet.has_pieces:
        assert all(state.pieces(player) >= 0 for player in (0, 1))
    else:
        with pytest.raises(athenan.Error, match="pieces"):
            state.pieces(0)
    with pytest.raises(athenan.Error, match="player"):
        state.pieces(2)
