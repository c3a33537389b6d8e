"""Openings: short, different, fair to draw, and all of them where there are few."""

from __future__ import annotations

from pathlib import Path

import athenan
import pytest
from athenan.arena import (
    balanced_openings,
    distinct_openings,
    play_matches,
    player,
    read_openings,
)

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "tic_tac_toe.py")
# Tic-tac-toe after 0 to 6 plies, up to symmetry, without the ended matches.
CLASSES = [1, 3, 12, 38, 108, 153, 183]


def images(state: athenan.State) -> set[athenan.State]:
    return {state.transform(symmetry) for symmetry in range(state.game.symmetries)}


@pytest.mark.parametrize("plies", range(len(CLASSES)))
def test_the_shortest_length_that_is_rich_enough(plies: int) -> None:
    game = athenan.make_game("tic_tac_toe")
    for wanted in {CLASSES[plies], (CLASSES[plies - 1] if plies else 0) + 1}:
        drawn = distinct_openings(game, wanted, seed=1)
        assert len(drawn) == wanted
        assert {len(opening.moves) for opening in drawn} == {plies}


@pytest.mark.parametrize("game_id", [*athenan.game_names(), EXAMPLE])
def test_no_two_openings_are_symmetric_and_none_is_over(game_id: str) -> None:
    game = athenan.make_game(game_id)
    drawn = distinct_openings(game, 40, seed=3)
    assert len(drawn) == 40
    seen: set[athenan.State] = set()
    for opening in drawn:
        state = game.initial_state()
        for move in opening.moves:
            state = state.play(move)
        assert state == opening.state
        assert not state.is_terminal
        assert state not in seen
        seen |= images(state)


def test_the_seed_decides() -> None:
    game = athenan.make_game("othello")
    lines = [[o.moves for o in distinct_openings(game, 20, seed)] for seed in (1, 1, 2)]
    assert lines[0] == lines[1] != lines[2]


def test_every_opening_can_be_drawn() -> None:
    game = athenan.make_game("tic_tac_toe")
    drawn = {distinct_openings(game, 2, seed)[0].state.key for seed in range(60)}
    smallest = {min(s.key for s in images(game.initial_state().play(m))) for m in range(9)}
    assert len(smallest) == 3
    assert len(drawn) >= 3  # corner, edge and centre, in whichever orientation


def test_a_small_game_gives_all_it_has() -> None:
    assert len(distinct_openings(athenan.make_game("tic_tac_toe"), 10**6)) == max(CLASSES)
    tiny = athenan.make_game("hex:size=2,swap=false")
    drawn = distinct_openings(tiny, 100)
    assert 1 < len(drawn) < 100
    assert not any(opening.state.is_terminal for opening in drawn)


def advantage(state: athenan.State) -> float:
    """What many random matches say; no relative of the judge's search."""
    tally = state.playouts(4000, seed=7)
    return abs(tally.first_wins - tally.second_wins) / 4000


def test_balanced_openings_are_distinct_and_more_even() -> None:
    game = athenan.make_game("othello:size=6")
    drawn, even = distinct_openings(game, 80, seed=2), balanced_openings(game, 20, seed=2)
    assert len({opening.state.key for opening in even}) == 20
    assert {opening.moves for opening in even} <= {opening.moves for opening in drawn}
    mean = [sum(advantage(o.state) for o in some) / len(some) for some in (drawn, even)]
    assert mean[1] < 0.6 * mean[0]


def test_balanced_openings_of_a_tiny_game_are_all_there_are() -> None:
    game = athenan.make_game("tic_tac_toe")
    assert len(balanced_openings(game, 10**6)) == max(CLASSES)
    assert balanced_openings(game, 5, seed=4) == balanced_openings(game, 5, seed=4)


def test_openings_from_a_file(tmp_path: Path) -> None:
    game = athenan.make_game("tic_tac_toe")
    file = tmp_path / "openings.txt"
    file.write_text("# positions and moves\n\nb2 a1\nb2, c3\nxx1/oo1/3 x\n")
    moves, others, position = read_openings(game, file)
    assert moves.moves == (4, 0)
    assert moves.start is None
    assert others.state == game.initial_state().play("b2").play("c3")
    assert position.moves == ()
    assert position.start == position.state == game.parse_position("xx1/oo1/3 x")
    a, b = player("random", game), player("minimax", game)
    matches = list(play_matches(game, a, b, 6, openings=[moves, others, position]))
    begun = {match.position for match in matches if match.index >= 4}
    assert begun == {position.state.position}
    assert len(matches) == 6


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has no openings"),
        ("b2 zz", "line 1: 'b2 zz' is neither a position .* nor moves"),
        ("# x\nxxx/oo1/3 o", "line 2: after the opening .* the match is over"),
        ("b2 b2", "line 1: 'b2 b2' is neither a position"),
    ],
)
def test_openings_that_are_none(text: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text(text)
    with pytest.raises(athenan.Error, match=reason):
        read_openings(athenan.make_game("tic_tac_toe"), file)


@pytest.mark.parametrize(("game_id", "plies"), [("arimaa", 16), ("amazons", 2), ("connect6", 1)])
def test_an_opening_ends_with_a_turn(game_id: str, plies: int) -> None:
    drawn = distinct_openings(athenan.make_game(game_id), 10, seed=1)
    assert {len(opening.moves) for opening in drawn} == {plies}
    assert {opening.state.to_move for opening in drawn} == {1}
