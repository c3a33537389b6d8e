"""International, Brazilian and Canadian draughts."""

import athenan
import pytest


def position(text: str, game: str = "international_draughts") -> athenan.State:
    return athenan.make_game(game).parse_position(text)


def moves_of(text: str, game: str = "international_draughts") -> list[str]:
    return sorted(position(text, game).legal_move_strings())


@pytest.mark.parametrize(
    ("game", "men", "squares", "moves"),
    [
        ("international_draughts", 20, 50, 9),
        ("brazilian_draughts", 12, 32, 7),
        ("canadian_draughts", 30, 72, 11),
    ],
)
def test_the_start(game: str, men: int, squares: int, moves: int) -> None:
    start = athenan.make_game(game).initial_state()
    assert (start.pieces(0), start.pieces(1), len(start.legal_moves())) == (men, men, moves)
    ranges = f"W:W{squares - men + 1}-{squares}:B1-{men}"
    assert start == start.game.parse_position(ranges)
    assert start == start.game.parse_position(f"W:B1-{men}:W{squares - men + 1}-{squares}")


def test_moves_are_numbered_as_in_books() -> None:
    start = athenan.make_game("international_draughts").initial_state()
    assert sorted(start.legal_move_strings()) == [
        *("31-26", "31-27", "32-27", "32-28", "33-28", "33-29", "34-29", "34-30", "35-30"),
    ]
    after = start.play("32-28").play("19-23").play("28x19")
    assert sorted(after.legal_move_strings()) == ["13x24", "14x23"]


# Men


def test_men_move_forward_and_take_in_all_directions() -> None:
    assert moves_of("W:W28:B1") == ["28-22", "28-23"]
    assert moves_of("B:W50:B28") == ["28-32", "28-33"]
    assert moves_of("W:W28:B33") == ["28x39"]
    assert moves_of("W:W28:B22,23,32,33") == ["28x17", "28x19", "28x37", "28x39"]
    assert moves_of("W:W28:B22,17,6") == ["28-23"]  # no square behind


def test_nothing_is_taken_across_an_edge() -> None:
    assert moves_of("W:W26:B21,4") == ["26x17"]
    assert moves_of("W:W31:B26,4") == ["31-27"]
    assert moves_of("W:W40:B35,4") == ["40-34"]


def test_a_man_becomes_a_king_where_its_turn_ends() -> None:
    assert position("W:W12:B8,40").play("12x3").position == "B:WK3:B40 @1"
    assert position("W:W7:B40").play("7-1").position == "B:WK1:B40 @1"
    assert position("B:W50:B42").play("42-47").position == "W:W50:BK47 @1"


def test_a_man_passing_through_the_far_row_stays_a_man() -> None:
    state = position("W:W12:B8,9,40")  # 12, 3, 14
    assert state.legal_move_strings() == ["12x14"]
    assert state.play("12x14").position == "B:W14:B40 @1"


# Kings


def test_kings_fly() -> None:
    assert moves_of("W:WK46:B1") == [
        *("46-10", "46-14", "46-19", "46-23", "46-28", "46-32", "46-37", "46-41", "46-5"),
    ]
    assert moves_of("W:WK46,23:B1") == ["23-18", "23-19", "46-28", "46-32", "46-37", "46-41"]
    assert moves_of("W:WK46:B23,1") == ["46x10", "46x14", "46x19", "46x5"]
    assert moves_of("W:WK46:B23,5") == ["46x10", "46x14", "46x19"]
    assert moves_of("W:WK46:B23,10") == ["46x5"]
    assert moves_of("W:WK46:B23,19") == ["46-28", "46-32", "46-37", "46-41"]


def test_most_pieces_must_be_taken_whatever_they_are() -> None:
    # 28x19 would take a king; over 31 and 21 it is two men.
    assert moves_of("W:W28,36:B21,K23,31") == ["36x16"]
    assert moves_of("W:W28,36:BK23,31") == ["28x19", "36x27"]


def test_captured_pieces_bar_the_way_until_the_turn_ends() -> None:
    # 29, over 22 to 15, over 19 to 24, over 27 to 31. From there 17 could be taken if 22 were gone.
    state = position("W:WK29:B17,19,22,27", "brazilian_draughts")
    assert state.legal_move_strings() == ["29x31"]
    assert state.play("29x31").position == "B:WK31:B17 @1"


def test_the_starting_square_is_free_and_the_order_of_captures_does_not_matter() -> None:
    # 2, 11, 22, 13, 2 or the other way round.
    state = position("W:WK2:B7,8,17,18")
    assert state.legal_move_strings() == ["2x2"]
    assert state.play("2x2").outcome == 1


def test_captures_with_the_same_ends_are_told_apart_by_their_squares() -> None:
    state = position("W:WK5:B11,14,19,24", "brazilian_draughts")
    assert sorted(state.legal_move_strings()) == [
        *("5x23x16x2", "5x23x16x7", "5x27x20x2", "5x27x20x7"),
    ]
    assert state.play("5x23x16x7").position == "B:WK7:B24 @1"
    assert state.play("5x27x20x7").position == "B:WK7:B19 @1"
    pairs = 32 * 32
    assert sorted(move >= pairs for move in state.legal_moves()) == [False, False, True, True]


def path_of(state: athenan.State, move: str) -> tuple[str, list[tuple[int, int]]]:
    path = state.move_path(move)
    assert path is not None
    return path.kind, path.cells


def test_a_move_touches_its_two_squares() -> None:
    start = athenan.make_game("international_draughts").initial_state()
    assert path_of(start, "32-28") == ("move", [(6, 3), (5, 4)])


def test_jumps_with_the_same_ends_differ_in_the_squares_that_they_touch() -> None:
    # From, captured, landing, captured, landing: 5, 14, 23 or 27, 19 or 24, 16 or 20, 11, 7.
    state = position("W:WK5:B11,14,19,24", "brazilian_draughts")
    assert path_of(state, "5x23x16x7") == (
        "jump",
        [(1, 0), (3, 2), (5, 4), (4, 5), (3, 6), (2, 5), (1, 4)],
    )
    assert path_of(state, "5x27x20x7") == (
        "jump",
        [(1, 0), (3, 2), (6, 5), (5, 6), (4, 7), (2, 5), (1, 4)],
    )


def test_a_jump_may_end_where_it_began() -> None:
    # 2, over 7 to 11, over 17 to 22, over 18 to 13, over 8 to 2
    kind, cells = path_of(position("W:WK2:B7,8,17,18"), "2x2")
    assert (kind, len(cells), cells[0], cells[-1]) == ("jump", 9, (0, 3), (0, 3))
    assert sorted(cells[1::2]) == [(1, 2), (1, 4), (3, 2), (3, 4)]


# Ends


def test_a_player_who_cannot_move_loses() -> None:
    # 36 is barred by 41, and 47 behind it is occupied.
    state = position("W:WK38,41:B36").play("38-47")
    assert (state.outcome, state.to_move) == (1, 1)
    assert position("W:W28:B23").play("28x19").outcome == 1


def test_many_moves_by_kings_alone_are_a_draw() -> None:
    state = position("W:WK47,31:BK4,16:H49")
    assert state.play("47-41").outcome == 0
    assert state.play("31-26").outcome is None
    assert ":H" not in state.play("31-26").position
    assert ":H" not in position("W:WK46,50:BK5,23,16:H49").play("46x19").position
    early = position("W:WK47,31:BK4,16:H48")
    assert early.play("47-41").position == "B:W31,K41:BK4,16:H49 @1"


def test_a_win_comes_before_a_draw() -> None:
    state = position("W:WK38,41:B36:H49")
    assert state.play("38-47").outcome == 1
    assert state.play("38-33").outcome == 0


@pytest.mark.parametrize(
    ("game", "pieces", "move", "plies"),
    [
        ("international_draughts", "W36,K46:BK5,16", "46-41", 50),
        ("brazilian_draughts", "W21,K29:BK4,9", "29-25", 40),
        ("brazilian_draughts:king_moves=15", "W21,K29:BK4,9", "29-25", 30),
        ("canadian_draughts", "W55,K67:BK6,19", "67-61", 50),
    ],
)
def test_the_limit_of_moves_by_kings(game: str, pieces: str, move: str, plies: int) -> None:
    assert position(f"W:{pieces}:H{plies - 2}", game).play(move).outcome is None
    assert position(f"W:{pieces}:H{plies - 1}", game).play(move).outcome == 0


def test_moves_by_kings_need_not_count() -> None:
    state = position("W:WK47,31:BK4,16", "international_draughts:king_moves=0")
    assert ":H" not in state.play("47-41").position
    with pytest.raises(athenan.PositionError, match="plies of kings"):
        position("W:WK47,31:BK4,16:H1", "international_draughts:king_moves=0")


@pytest.mark.parametrize(
    ("pieces", "plies"),
    [
        ("WK1,K2,K3:BK50", 32),
        ("WK1,K2,7:BK50", 32),
        ("WK1,7,8:BK50", 32),
        ("WK50:BK1,K2,K3", 32),
        ("WK1,K2:BK50", 10),
        ("WK1,7:BK50", 10),
        ("WK1:BK50", 10),
        ("W7,8,9:BK50", None),  # no king among the three
        ("WK1,K2,K3:B40", None),
        ("WK1,K2,K3,K4:BK50", None),
        ("WK1,K2:BK49,K50", None),
    ],
)
def test_endgames_of_few_pieces(pieces: str, plies: int | None) -> None:
    for game, last in (("international_draughts", 50), ("canadian_draughts", 72)):
        text = f"W:{pieces}".replace("50", str(last))
        count = "" if plies is None else f":E{plies}"
        assert position(text, game).position == f"{text}{count} @0"


@pytest.mark.parametrize(
    ("pieces", "counted"),
    [
        ("WK1,K2:BK31,K32", True),
        ("WK1,K2:BK32", True),
        ("WK1,K2:BK32,9", True),
        ("WK1,5:BK31,K32", True),
        ("WK1:BK32", True),
        ("WK1:BK32,9", True),
        ("WK1,5:BK32,9", False),
        ("WK1,K2,K3:BK32", False),
        ("WK1:B9,10", False),
    ],
)
def test_endgames_of_few_pieces_in_brazil(pieces: str, counted: bool) -> None:
    assert position(f"W:{pieces}", "brazilian_draughts").position.endswith(":E10 @0") is counted


def test_an_endgame_is_drawn_when_its_plies_are_played() -> None:
    state = position("W:WK1,K2,K3:BK50:E2")
    state = state.play("1-6")
    assert state.outcome is None
    assert state.play("50-45").outcome == 0


def test_a_capture_does_not_prolong_an_endgame() -> None:
    state = position("B:WK1,K2,44:BK50:E5")
    assert state.play("50x39").position == "W:WK1,K2:BK39:E4 @1"
    late = position("B:WK1,K2,44:BK50:E31")
    assert late.play("50x39").position == "W:WK1,K2:BK39:E10 @1"


def test_endgames_need_not_count() -> None:
    game = "international_draughts:endgames=false"
    assert position("W:WK1,K2,K3:BK50", game).position == "W:WK1,K2,K3:BK50 @0"
    with pytest.raises(athenan.PositionError, match="endgame"):
        position("W:WK1,K2,K3:BK50:E9", game)
    assert not athenan.make_game(f"{game},king_moves=0").datasheet.has_draws
    assert athenan.make_game(game).datasheet.has_draws


# Positions


@pytest.mark.parametrize(
    "text",
    [
        "W:W1:B6",  # a man on the far row
        "W:W28:B46",
        "W:W28:B28",
        "W:W28,28:B1",
        "W:W51:B1",
        "W:W0:B1",
        "W:W28:W1",
        "W:W28",
        "W:W28:B1:",
        "W:W28,:B1",
        "W:W28-27:B1",
        "W:W28:B1:H51",
        "W:W28:B1:E5",
        "W:WK1,K2,K3:BK50:E33",
        "W:W28:B",
        "W:W29-49:B1",
        "28",
    ],
)
def test_impossible_positions_are_refused(text: str) -> None:
    with pytest.raises(athenan.PositionError):
        position(text)
