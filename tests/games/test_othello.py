import athenan
import pytest


def position(text: str, size: int = 4) -> athenan.State:
    return athenan.make_game("othello", size=size).parse_position(text)


def board(size: int, first: set[str], second: set[str]) -> str:
    names = [f"{chr(ord('a') + column)}{row + 1}" for row in range(size) for column in range(size)]
    return "".join("X" if name in first else "O" if name in second else "-" for name in names)


def test_the_first_player_starts_with_e4_and_d5() -> None:
    start = athenan.make_game("othello").initial_state()
    assert sorted(start.legal_move_strings()) == ["c4", "d3", "e6", "f5"]
    after = start.play("f5")
    assert after.position == "-" * 27 + "OX------XXX" + "-" * 26 + " O @1"
    assert (after.pieces(0), after.pieces(1), after.score) == (4, 1, 3)


def test_a_player_passes_only_when_it_cannot_move_and_the_other_can() -> None:
    # The corner a1 cannot be flipped; the second player has c1 and d4.
    state = position("OX-- -XX- -XX- ----".replace(" ", "") + " X")
    assert state.legal_move_strings() == ["pass"]
    passed = state.play("pass")
    assert (passed.to_move, passed.ply, passed.score) == (1, 1, state.score)
    assert sorted(passed.legal_move_strings()) == ["c1", "d4"]
    assert passed.play("d4").score == -1


def test_a_match_ends_at_once_when_nobody_can_move() -> None:
    state = athenan.make_game("othello").initial_state()
    for move in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]:
        assert state.outcome is None
        state = state.play(move)
    assert (state.outcome, state.score, state.ply) == (1, 13, 9)


@pytest.mark.parametrize(
    ("rows", "outcome", "score"),
    [
        ("XXOO XXOO XXOO XXOO", 0, 0),
        ("XXOO XXOO XXOO XOOO", -1, -2),
        ("-XX- XXXX XXXX -XX-", 1, 12),  # empty cells belong to nobody
    ],
)
def test_more_discs_win(rows: str, outcome: int, score: int) -> None:
    state = position(rows.replace(" ", "") + " X")
    assert (state.outcome, state.score) == (outcome, score)


@pytest.mark.parametrize("size", [4, 8, 10, 16])
def test_lines_do_not_go_on_in_the_next_row(size: int) -> None:
    letters, middle = "abcdefghijklmnop"[:size], size // 2
    centre = {
        f"{column}{row}"
        for column in letters[middle - 1 : middle + 1]
        for row in (middle, middle + 1)
    }
    cells = board(size, centre | {f"{letters[-2]}1"}, {f"{letters[-1]}1"})
    # Only a2 would enclose the corner, the one disc of the second player.
    assert position(cells + " X", size).legal_move_strings() == ["pass"]


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ([f"a{row}" for row in range(1, 16)], "a16"),
        ([f"{column}1" for column in "abcdefghijklmno"], "p1"),
        ([f"{column}{row}" for row, column in enumerate("abcdefghijklmno", 1)], "p16"),
        ([f"{column}{row}" for row, column in enumerate("ponmlkjihgfedcb", 1)], "a16"),
    ],
)
def test_the_longest_lines_flip(line: list[str], move: str) -> None:
    second = set(line[1:])
    state = position(board(16, {line[0], "h8", "i8", "h9", "i9"} - second, second) + " X", 16)
    assert (state.pieces(1), state.play(move).pieces(1)) == (14, 0)


def test_the_centre_is_never_empty() -> None:
    with pytest.raises(athenan.PositionError, match="centre"):
        position("XO-- ---- ---- ----".replace(" ", "") + " X")


def path(state: athenan.State, move: str) -> tuple[str, list[tuple[int, int]]]:
    found = state.move_path(move)
    assert found is not None
    return found.kind, found.cells


def test_a_pass_touches_no_cell() -> None:
    assert path(athenan.make_game("othello").initial_state(), "f5") == ("place", [(4, 5)])
    assert path(position("OX-- -XX- -XX- ----".replace(" ", "") + " X"), "pass") == ("pass", [])
