"""Cross-play: random matches agree, ply by ply, with independent implementations.

Compared: the player to move, the set of legal moves, whether the match is over, and who won. Where
an oracle is slow, every few plies are compared; over the seeds all of them come up.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

import athenan
import pytest
from crossplay.fairy_stockfish import (
    FairyAmazons,
    FairyAtaxx,
    FairyBreakthrough,
    FairyClobber,
    FairyOthello,
    FairyXiangqi,
)
from crossplay.open_spiel import (
    OpenSpiel,
    OpenSpielAmazons,
    OpenSpielGo,
    OpenSpielGomoku,
    OpenSpielHavannah,
    OpenSpielXiangqi,
    breakthrough_move,
    connect_four_move,
    go_points,
    lines_of_action_move,
    tic_tac_toe_move,
)
from crossplay.oracles import Oracle, squares
from crossplay.plain import PlainGo, PlainInARow
from crossplay.py_draughts import PyBrazilianDraughts, PyInternationalDraughts

MATCHES = 200
FIRST_MATCHES = 40  # of a pairing whose oracle is slow; the others are slow tests


class Pairing(NamedTuple):
    """One of our games and an oracle that plays it too."""

    game: str
    oracle: Callable[[], Oracle]
    compared_every: int = 1  # plies; which ones depends on the seed, the end is always compared
    may_repeat: bool = True  # false if only one side ends a match when a position comes again
    draws_agree: bool = True  # false if other draws are different: they end the comparison
    slow: bool = False
    oracle_is_slow: bool = False


def open_spiel_pairings() -> list[Pairing]:
    hexes = [(size, swap) for size in (3, 5, 8) for swap in ("True", "False")] + [(11, "True")]
    return [
        Pairing("tic_tac_toe", partial(OpenSpiel, "tic_tac_toe", tic_tac_toe_move)),
        *(
            Pairing(
                f"connect_four:rows={rows},columns={columns}",
                partial(
                    OpenSpiel, f"connect_four(rows={rows},columns={columns})", connect_four_move
                ),
            )
            for rows, columns in [(6, 7), (4, 5), (8, 9)]
        ),
        *(
            Pairing(
                f"hex:size={size},swap={swap.lower()}",
                partial(OpenSpiel, f"hex(board_size={size},swap={swap})"),
                compared_every=4 if size > 8 else 1,
            )
            for size, swap in hexes
        ),
        Pairing("othello:size=8", partial(OpenSpiel, "othello")),
        *(
            Pairing(
                f"clobber:rows={rows},columns={columns}",
                partial(OpenSpiel, f"clobber(rows={rows},columns={columns})"),
                compared_every=4 if rows > 8 else 1,
            )
            for rows, columns in [(3, 4), (5, 6), (8, 8), (10, 10)]
        ),
        # OpenSpiel gives lower boards than six rows a single row of pieces.
        *(
            Pairing(
                f"breakthrough:rows={rows},columns={columns}",
                partial(
                    OpenSpiel,
                    f"breakthrough(rows={rows},columns={columns})",
                    breakthrough_move(rows),
                ),
            )
            for rows, columns in [(6, 5), (7, 4), (8, 8)]
        ),
        *(
            Pairing(f"amazons:size={size},plies=2", partial(OpenSpielAmazons, size))
            for size in (6, 8, 10)
        ),
        *(
            Pairing(
                f"havannah:size={size},swap={str(swap).lower()}",
                partial(OpenSpielHavannah, size, swap),
                compared_every=1 if size < 8 else 8,
            )
            for size, swap in [(3, True), (4, True), (4, False), (5, False), (8, True), (10, False)]
        ),
        # In OpenSpiel the mover wins if both sides are connected, and a repetition is a draw.
        Pairing(
            "lines_of_action:simultaneous=mover",
            partial(OpenSpiel, "lines_of_action", lines_of_action_move),
            compared_every=4,
            may_repeat=False,
        ),
        # OpenSpiel knows no draw but after 500 plies.
        Pairing(
            "xiangqi",
            OpenSpielXiangqi,
            compared_every=24,
            may_repeat=False,
            draws_agree=False,
        ),
        *(
            Pairing(
                f"go:size={size},komi={komi},ko=simple",
                partial(OpenSpielGo, size, komi),
                compared_every=every,
                may_repeat=False,
            )
            for size, komi, every in [(2, 1, 1), (3, 0, 1), (5, 7.5, 2), (9, 7.5, 8), (13, 6, 64)]
        ),
        *(
            Pairing(
                f"outer_open_gomoku:size={size}",
                partial(OpenSpielGomoku, size),
                compared_every=every,
            )
            for size, every in [(5, 1), (7, 1), (15, 16), (19, 64)]
        ),
    ]


def plain_pairings() -> list[Pairing]:
    return [
        *(
            Pairing(f"go:size={size},komi={komi}", partial(PlainGo, size, komi))
            for size, komi in [(2, 0), (3, 1), (4, 0.5)]
        ),
        *(
            Pairing(
                f"outer_open_gomoku:size={size},overline=exact",
                partial(PlainInARow, squares(size), "x{5}", outer_opening=True),
                compared_every=every,
            )
            for size, every in [(6, 1), (15, 32)]
        ),
        *(
            Pairing(
                f"connect6:size={size}",
                partial(PlainInARow, go_points(size), "x{6,}", stones_per_turn=2),
                compared_every=every,
            )
            for size, every in [(6, 1), (8, 2), (19, 64)]
        ),
    ]


def fairy_stockfish_pairings() -> list[Pairing]:
    return [
        Pairing("breakthrough:rows=8,columns=8", FairyBreakthrough, compared_every=24),
        Pairing("clobber:rows=10,columns=10", FairyClobber, compared_every=24),
        Pairing("othello:size=8", partial(FairyOthello, 8), compared_every=24),
        Pairing("othello:size=10", partial(FairyOthello, 10), compared_every=32),
        Pairing("amazons:size=10,plies=1", FairyAmazons, compared_every=32, oracle_is_slow=True),
        Pairing("xiangqi", FairyXiangqi, compared_every=256, oracle_is_slow=True),
        Pairing("ataxx:size=7,walls=none", FairyAtaxx, compared_every=64, oracle_is_slow=True),
        *(
            Pairing(
                f"ataxx:size=7,walls={walls}",
                partial(FairyAtaxx, rows),
                compared_every=24,
                slow=True,
            )
            for walls, rows in [
                ("square", "P5p/7/2*1*2/7/2*1*2/7/p5P"),
                ("diamond", "P5p/7/3*3/2*1*2/3*3/7/p5P"),
            ]
        ),
    ]


def py_draughts_pairings() -> list[Pairing]:
    return [
        Pairing("international_draughts", PyInternationalDraughts, compared_every=4),
        Pairing(
            "brazilian_draughts:king_moves=15,endgames=false",
            PyBrazilianDraughts,
            compared_every=4,
        ),
    ]


def parameters() -> list[object]:
    """List pairings with the seeds of their matches."""
    found: list[object] = []
    for oracle, pairings in (
        ("open_spiel", open_spiel_pairings()),
        ("fairy_stockfish", fairy_stockfish_pairings()),
        ("py_draughts", py_draughts_pairings()),
        ("plain", plain_pairings()),
    ):
        for pairing in pairings:
            name = f"{oracle}-{pairing.game}"
            marks = [pytest.mark.slow] if pairing.slow else []
            first = FIRST_MATCHES if pairing.oracle_is_slow else MATCHES
            found.append(pytest.param(pairing, range(first), id=name, marks=marks))
            if first < MATCHES:
                further = range(first, MATCHES)
                found.append(
                    pytest.param(pairing, further, id=f"{name}-further", marks=pytest.mark.slow)
                )
    return found


def board_of(state: athenan.State) -> str:
    return state.position.split()[0]


def random_move(state: athenan.State, random: Random, passed: set[str] | None) -> int | None:
    """Choose a move; if boards have been passed, one that leads to none but the last of them."""
    moves = state.legal_moves()
    if passed is None:
        return random.choice(moves)
    random.shuffle(moves)
    older = passed - {board_of(state)}
    return next((move for move in moves if board_of(state.play(move)) not in older), None)


def check_match(pairing: Pairing, seed: int) -> int:
    """Play one match on both sides; return how many sets of moves were compared."""
    state, oracle, random = (
        athenan.make_game(pairing.game).initial_state(),
        pairing.oracle(),
        Random(seed),
    )
    passed = None if pairing.may_repeat else {board_of(state)}
    compared = 0
    while not state.is_terminal:
        if not pairing.draws_agree and oracle.outcome == 0:
            return compared
        if state.ply % pairing.compared_every == seed % pairing.compared_every:
            assert oracle.outcome is None, state
            assert oracle.to_move == state.to_move, state
            assert sorted(oracle.moves()) == sorted(state.legal_move_strings()), state
            compared += 1
        move = random_move(state, random, passed)
        if move is None:
            return compared
        oracle.play(state.move_to_string(move))
        state = state.play(move)
        if passed is not None:
            passed.add(board_of(state))
    if state.outcome != 0 or pairing.draws_agree:
        assert oracle.outcome == state.outcome, state
    return compared


@pytest.mark.parametrize(("pairing", "seeds"), parameters())
def test_matches_agree_with_the_oracle(pairing: Pairing, seeds: range) -> None:
    assert sum(check_match(pairing, seed) for seed in seeds) > len(seeds)


# Endings with few pieces, in which checks and repetitions are frequent.
XIANGQI_ENDINGS = [
    "5k3/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1",
    "3k5/4r4/9/9/9/9/9/9/9/5K3 b - - 0 1",
    "3r5/4k4/9/4c4/1r7/4N4/9/9/9/3KC4 w - - 0 1",
    "3ak4/4a4/9/9/9/9/4C4/9/4A4/3AK1R2 b - - 0 1",
    "4k4/9/9/9/9/9/9/2n1C4/3n5/4K4 b - - 0 1",
    "3k5/9/3P5/9/9/9/9/9/3r5/4K4 w - - 114 70",
]


def repeating_move(state: athenan.State, last_own: str, random: Random) -> str:
    """Choose a move: mostly a check, often the last own move taken back."""
    moves = state.legal_move_strings()
    checks = [move for move in moves if "check" in str(state.play(move))]
    if checks and random.random() < 0.9:
        moves = checks
    back = last_own[2:] + last_own[:2]
    return back if back in moves and random.random() < 0.8 else random.choice(moves)


@pytest.mark.parametrize("start", XIANGQI_ENDINGS)
def test_repetitions_in_xiangqi_agree_with_fairy_stockfish(start: str) -> None:
    game = athenan.make_game("xiangqi")
    for seed in range(5):
        state, oracle, random = game.parse_position(start), FairyXiangqi(start), Random(seed)
        played: list[str] = []
        while not state.is_terminal and len(played) < 30:
            assert oracle.outcome is None, state.position
            played.append(repeating_move(state, (["", "", *played])[-2], random))
            oracle.play(played[-1])
            state = state.play(played[-1])
        assert oracle.outcome == state.outcome, state.position


def kings_and_men(squares: int, most: int, random: Random) -> str:
    """Draw a few white kings among many black men, where captures are long and ways meet."""
    kings, men = random.randint(1, 3), random.randint(4, most)
    inside = range(squares // 8 + 1, squares + 1 - squares // 8)  # no man on the far rows
    chosen = random.sample(inside, kings + men)
    white = ",".join(f"K{square}" for square in chosen[:kings])
    return f"W:W{white}:B{','.join(map(str, chosen[kings:]))}"


@pytest.mark.parametrize(
    ("game", "oracle", "squares", "most"),
    [
        ("international_draughts", PyInternationalDraughts, 50, 16),
        ("brazilian_draughts", PyBrazilianDraughts, 32, 10),
    ],
)
def test_long_captures_agree_with_py_draughts(
    game: str, oracle: Callable[[str], Oracle], squares: int, most: int
) -> None:
    random, told_apart = Random(0), 0
    for _ in range(500):
        text = kings_and_men(squares, most, random)
        moves = athenan.make_game(game).parse_position(text).legal_move_strings()
        assert sorted(oracle(text).moves()) == sorted(moves), text
        told_apart += any(move.count("x") > 1 for move in moves)
    assert told_apart > 5


def test_a_disagreement_is_seen() -> None:
    other = Pairing("hex:size=3,swap=false", lambda: OpenSpiel("hex(board_size=3,swap=True)"))
    with pytest.raises(AssertionError):
        check_match(other, 0)
