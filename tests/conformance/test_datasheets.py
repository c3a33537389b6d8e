"""Datasheets say everything that a person or a network needs to know."""

import re

import athenan
import pytest
from conformance.variants import VARIANTS, game_of
from conformance.walks import walk

PROSE = ["title", "max_length_reason", "symmetry_group", "move_notation", "position_notation"]


def test_the_words_are_filled_in(game: athenan.Game) -> None:
    for field in PROSE:
        assert getattr(game.datasheet, field).strip(), f"{field} is empty"


def test_built_in_games_say_where_their_rules_are_written(game: athenan.Game) -> None:
    if game.name in athenan.game_names():
        assert re.search(r"https?://\S+|\d{4}", game.datasheet.reference)


def test_the_numbers_are_possible(game: athenan.Game) -> None:
    sheet = game.datasheet
    assert sheet.players in (1, 2)
    assert min(sheet.rows, sheet.columns, sheet.move_count, sheet.max_length) >= 1
    assert 0 <= sheet.typical_length <= sheet.max_length
    assert sheet.longest_length == 0 or sheet.typical_length < sheet.longest_length
    assert sheet.longest_length < sheet.max_length
    assert 0 <= 2 * sheet.border < min(sheet.rows, sheet.columns)


def test_the_typical_length_is_roughly_that_of_random_matches(game: athenan.Game) -> None:
    typical = game.datasheet.typical_length
    if typical:
        mean = game.initial_state().playouts(100, seed=0).plies / 100
        assert typical == pytest.approx(mean, rel=0.25, abs=2)


def test_the_longest_length_is_roughly_that_of_random_matches(game: athenan.Game) -> None:
    if longest := game.datasheet.longest_length:
        start = game.initial_state()
        most = max(start.playouts(1, seed=seed).plies for seed in range(300))
        assert 0.4 * longest < most < 1.2 * longest


def test_every_built_in_game_says_how_long_random_matches_are() -> None:
    assert [name for name in VARIANTS if not game_of(name).datasheet.typical_length] == []


def test_planes_have_distinct_names(game: athenan.Game) -> None:
    assert all(game.datasheet.planes)
    assert len(set(game.datasheet.planes)) == len(game.datasheet.planes) >= 1


def test_the_symmetry_group_names_its_order(game: athenan.Game) -> None:
    assert game.symmetries == game.datasheet.symmetries >= 1
    if game.symmetries > 1:
        assert f"({game.symmetries})" in game.datasheet.symmetry_group


def test_the_notation_of_positions_holds_the_ply_unless_the_board_does(game: athenan.Game) -> None:
    state = walk(game, 0).states[1]
    assert state.position.endswith(" @1") != game.datasheet.board_determines_ply


def test_the_move_notation_shows_the_swap_where_it_is_offered(game: athenan.Game) -> None:
    assert ("swap" in game.datasheet.move_notation) == game.offers_swap
