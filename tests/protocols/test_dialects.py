"""Dialects: whole matches at random, translated there and back; oracles where there are any."""

from __future__ import annotations

import athenan
import pytest
from athenan.dialects import DIALECTS, Dialect, dialect_for
from athenan.dialects.uci_variants import uci_variants

CASES = [
    ("ugi", "connect6:size=6", ""),
    ("ugi", "morpion", ""),
    ("gtp", "go:size=7", ""),
    ("htp", "hex:size=6", ""),
    ("htp", "havannah:size=5", ""),
    ("htp", "havannah:size=5", "castro"),
    ("htp", "hex:size=5,swap=false", "morat"),
    ("htp", "havannah:size=4", "morat"),
    *(("uci", game, "") for game in uci_variants().values()),
    ("uci", "amazons:plies=1", ""),
    ("ucci", "xiangqi", ""),
    ("uai", "ataxx:walls=square", ""),
]


def random_match(game: athenan.Game, seed: int) -> list[tuple[athenan.State, int]]:
    """Return the states and the moves of a match at random."""
    random, state, line = athenan.Random(seed), game.initial_state(), []
    while not state.is_terminal:
        moves = state.legal_moves()
        move = moves[random.below(len(moves))]
        line.append((state, move))
        state = state.play(move)
    return line


def turns_of(
    dialect: Dialect, line: list[tuple[athenan.State, int]]
) -> list[tuple[athenan.State, list[int]]]:
    """Return the whole turns of a match."""
    turns: list[tuple[athenan.State, list[int]]] = []
    turn: list[int] = []
    for state, move in line:
        if not turn:
            start = state
        turn.append(move)
        if dialect.ends_turn(state, state.play(move)):
            turns.append((start, turn))
            turn = []
    assert not turn
    return turns


def test_every_dialect_of_these_protocols_has_a_case() -> None:
    tried = {(name, athenan.make_game(game).name, form) for name, game, form in CASES}
    for entry in DIALECTS:
        for game in entry.games if entry.protocol in {name for name, _, _ in CASES} else ():
            assert (entry.protocol, game, entry.name) in tried


@pytest.mark.parametrize(("protocol", "game_id", "name"), CASES)
def test_whole_matches_are_translated_there_and_back(
    protocol: str, game_id: str, name: str
) -> None:
    game = athenan.make_game(game_id)
    dialect = dialect_for(protocol, game, name)
    for seed in range(3):
        for start, turn in turns_of(dialect, random_match(game, seed)):
            text = dialect.write_turn(start, turn)
            assert text.split() == [text]
            assert dialect.read_turn(start, text) == turn


@pytest.mark.parametrize(("protocol", "game_id", "name"), CASES)
def test_no_two_moves_are_written_alike(protocol: str, game_id: str, name: str) -> None:
    game = athenan.make_game(game_id)
    dialect = dialect_for(protocol, game, name)
    if dialect.turn_plies > 1:
        return
    for state, _ in random_match(game, 5)[::7]:
        moves = state.legal_moves()
        assert len({dialect.write(state, move) for move in moves}) == len(moves)


@pytest.mark.parametrize(("protocol", "game_id", "name"), CASES)
def test_positions_are_translated_there_and_back(protocol: str, game_id: str, name: str) -> None:
    game = athenan.make_game(game_id)
    dialect = dialect_for(protocol, game, name)
    for start, _ in turns_of(dialect, random_match(game, 7))[::5]:
        read = dialect.read_position(dialect.write_position(start))
        assert read.position.split()[0] == start.position.split()[0]
        assert read.to_move == start.to_move
        if start.ply:
            assert sorted(read.legal_moves()) or read.is_terminal


@pytest.mark.parametrize("text", ["", "zz", "a1a1a1a1", "pass!", "\x00", "P@", "d1d7,", "i" * 99])
@pytest.mark.parametrize(("protocol", "game_id", "name"), CASES)
def test_nonsense_is_no_move(protocol: str, game_id: str, name: str, text: str) -> None:
    game = athenan.make_game(game_id)
    dialect = dialect_for(protocol, game, name)
    with pytest.raises(athenan.Error):
        dialect.read_turn(game.initial_state(), text)


def test_what_is_missing_is_said_in_a_sentence() -> None:
    with pytest.raises(athenan.Error, match=r"^gtp does not play hex: it plays go; ugi plays"):
        dialect_for("gtp", athenan.make_game("hex"))
    with pytest.raises(
        athenan.Error, match=r"htp has no dialect 'x' of havannah; it has the usual"
    ):
        dialect_for("htp", athenan.make_game("havannah"), "x")
    with pytest.raises(athenan.Error, match=r"UCI has no variant for othello:size=6"):
        dialect_for("uci", athenan.make_game("othello:size=6"))


ORACLES = ["breakthrough", "clobber10", "clobber", "flipello", "flipello10", "amazons", "ataxx"]


@pytest.mark.parametrize("variant", [*ORACLES, "xiangqi"])
def test_fairy_stockfish_reads_our_moves_and_positions(variant: str) -> None:
    """In whole matches at random its legal moves are ours, as the dialect writes them."""
    pyffish = pytest.importorskip("pyffish")
    game = athenan.make_game(uci_variants()[variant])
    dialect = dialect_for("uci", game)
    start, played = pyffish.start_fen(variant), list[str]()
    assert dialect.write_position(game.initial_state()).split()[:2] == [
        start.split()[0].partition("[")[0],
        "w",
    ]
    turns = turns_of(dialect, random_match(game, 3))
    for number, (state, turn) in enumerate(turns):
        text = dialect.write_turn(state, turn)
        if number % 6 == 0 or len(turns) - number < 3:
            legal = pyffish.legal_moves(variant, start, played)
            if text == "0000":
                (text,) = legal
            assert text in legal
            if dialect.turn_plies == 1:
                ours = {dialect.write(state, move) for move in state.legal_moves()}
                assert len(legal) == len(ours)
                assert {move for move in legal if move[:2] != move[2:]} == ours - {"0000"}
            fen = pyffish.get_fen(variant, start, played)
            assert dialect.read_position(fen).position.split()[0] == state.position.split()[0]
        elif text == "0000":
            (text,) = pyffish.legal_moves(variant, start, played)
        played.append(text)
