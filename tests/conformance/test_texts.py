"""Moves and positions are written and read back."""

import athenan
import pytest
from athenan import IllegalMoveError, PositionError
from conformance.walks import ongoing_positions, positions, seeds, walk
from hypothesis import given
from hypothesis import strategies as st


@given(seed=seeds)
def test_legal_moves_have_distinct_texts(game: athenan.Game, seed: int) -> None:
    for state in walk(game, seed).states:
        texts = state.legal_move_strings()
        assert len(set(texts)) == len(texts)
        assert all(text and text == text.strip() and text.isprintable() for text in texts)


@given(data=st.data())
def test_moves_are_read_back(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(ongoing_positions(game))
    move = data.draw(st.sampled_from(state.legal_moves()))
    text = state.move_to_string(move)
    assert state.parse_move(text) == move
    assert state.play(text) == state.play(move)


def test_numbers_that_are_no_moves_have_no_text(game: athenan.Game) -> None:
    with pytest.raises(IllegalMoveError, match="does not exist"):
        game.initial_state().move_to_string(game.move_count)


@given(data=st.data())
def test_positions_are_read_back(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(positions(game))
    again = game.parse_position(state.position)
    assert again == state
    assert again.position == state.position
    assert again.key == state.key
    assert again.ply == state.ply
    assert again.to_move == state.to_move
    assert again.legal_moves() == state.legal_moves()
    assert again.legal_move_strings() == state.legal_move_strings()
    assert again.outcome == state.outcome
    assert str(again) == str(state)


@given(seed=seeds)
def test_a_match_goes_on_alike_from_a_position_read_back(game: athenan.Game, seed: int) -> None:
    match = walk(game, seed)
    middle = len(match.moves) // 2
    state = game.parse_position(match.states[middle].position)
    for move, expected in zip(match.moves[middle:], match.states[middle + 1 :], strict=True):
        state = state.play(move)
        assert state == expected
    assert state.outcome == match.states[-1].outcome


@pytest.mark.parametrize("text", ["", " ", "@", "@3", "x", "8/8/8/8 w", "\0", "9" * 300, "é"])
def test_texts_that_are_no_positions_are_refused(game: athenan.Game, text: str) -> None:
    with pytest.raises(PositionError) as refusal:
        game.parse_position(text)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 500


def test_a_ply_that_cannot_be_is_refused(game: athenan.Game) -> None:
    start = game.initial_state().position
    if game.datasheet.board_determines_ply:
        with pytest.raises(PositionError):
            game.parse_position(f"{start} @0")
        return
    board = start.rpartition(" @")[0]
    for ply in (game.datasheet.max_length + 1, 2**32, -1, "", "1x", "+1"):
        with pytest.raises(PositionError, match="ply"):
            game.parse_position(f"{board} @{ply}")


@given(data=st.data())
def test_drawings_are_whole_lines(game: athenan.Game, data: st.DataObject) -> None:
    drawing = str(data.draw(positions(game)))
    assert drawing.endswith("\n")
    assert not drawing.endswith("\n\n")
    assert all(line.rstrip() for line in drawing.splitlines())


def test_drawings_change_in_a_match(game: athenan.Game) -> None:
    states = walk(game, 0).states
    assert str(states[0]) != str(states[-1])


def test_a_state_names_its_game_and_position(game: athenan.Game) -> None:
    state = walk(game, 0).states[-1]
    assert game.id in repr(state)
    assert state.position in repr(state)
