"""Records as they are found in the world: variations, comments, several matches, old habits."""

from __future__ import annotations

import time
from pathlib import Path

import athenan
import pytest
from athenan import Error
from athenan.arena import Match
from athenan.records import FORMATS, read_records
from matches_at_random import random_match


def read(suffix: str, text: str, game: str | None = None) -> list[Match]:
    return FORMATS[suffix].read(text, athenan.make_game(game) if game else None)


def only(suffix: str, text: str, game: str | None = None) -> Match:
    (match,) = read(suffix, text, game)
    return match


def test_go_with_variations_comments_and_escaped_brackets() -> None:
    text = r"""mail header (not a record)
    (;FF[4]GM[1]SZ[9]KM[6.5]PB[Black [9d\]]PW[White\\]RE[W+R]C[two ; ( \] signs]
    ;B[ee]C[good :-\)](;W[gc]N[main];B[cc](;W[gg])(;W[cg]))(;W[cg];B[aa])(;W[dd]))"""
    match = only(".sgf", text)
    assert match.game == "go:size=9,komi=6.5,ko=superko"
    assert match.moves == ("E5", "G7", "C7", "G3")
    assert match.players == ("Black [9d]", "White\\")
    assert (match.outcome, match.reason, match.who) == (-1, "resigned", 0)


def test_go_passes_handicap_and_two_moves_of_one_colour() -> None:
    text = "(;GM[1]SZ[9]AB[gc][cg]HA[2]KM[0.5];W[ee];B[];W[tt])"
    match = only(".sgf", text)
    assert match.position == "9/9/6X2/9/9/9/2X6/9/9 O"
    assert match.moves == ("E5", "pass", "pass")
    assert match.outcome == 1 or match.outcome == -1
    assert only(".sgf", "(;GM[1]SZ[9];B[ee];B[ff])").moves == ("E5", "pass", "F4")
    rectangle = only(".sgf", "(;GM[1]SZ[5]AW[aa:bb]PL[B];B[ee])")
    assert rectangle.position.startswith("OO3/OO3/5/5/5 X")


def test_a_result_that_our_rules_do_not_give() -> None:
    text = "(;GM[1]SZ[9]RE[W+12.5];B[ee];W[];B[])"
    match = only(".sgf", text)
    assert (match.outcome, match.reason) == (-1, "recorded")  # the dead stone was taken off
    assert match.sentence == "the record says 'W+12.5', our rules say +1"


def test_stones_are_set_up_before_the_first_move() -> None:
    whole = only(".sgf", "(;GM[1]SZ[9]AB[gc][cg]HA[2]KM[0.5];W[ee])")
    assert only(".sgf", "(;GM[1]SZ[9]HA[2]KM[0.5];AB[gc]C[a];AB[cg]PL[W];W[ee])") == whole
    assert only(".sgf", "(;GM[1]SZ[9];B[aa];W[];B[];AE[aa])").moves == ("A9", "pass", "pass")
    hex_match = only(".sgf", "(;GM[11]SZ[4];AB[a1]AW[b2]PL[B];B[c3])")
    assert (hex_match.position, hex_match.moves) == ("x3/1o2/4/4 x", ("c3",))


def test_several_trees_and_no_game_number() -> None:
    both = read(".sgf", "(;SZ[9];B[aa])\n\n(;GM[11]SZ[5];B[a1];W[b2])")
    assert [match.game.partition(":")[0] for match in both] == ["go", "hex"]


def test_hex_with_letters_swaps_and_white_first() -> None:
    assert only(".sgf", "(;GM[11]SZ[5];B[bc];W[swap-pieces])").moves == ("b3", "swap")
    white = only(".sgf", "(;GM[11]SZ[5]PB[b]PW[w]RE[W+R];W[b1];B[a3])")
    assert white.moves == ("a2", "c1")  # the first player joins top and bottom here
    assert (white.players, white.outcome) == (("w", "b"), 1)
    sides = only(".sgf", "(;GM[11]SZ[5];B[b3];W[swap-sides];B[a4])")
    assert sides.moves == ("b3", "swap", "d1")
    assert only(".sgf", "(;GM[11]SZ[5];B[b3];W[resign])").moves == ("b3",)


def test_havannah_by_its_event_or_by_name() -> None:
    text = "(;FF[4]EV[havannah.in.DEFAULT]SZ[5];W[c3];B[d4])"
    assert only(".sgf", text).game == "havannah:size=5,swap=true"
    assert only(".sgf", "(;FF[4];B[c3])", "havannah:size=4").moves == ("c3",)


def test_othello_from_a_game_server() -> None:
    text = (
        "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]"
        "RW[2199.72]TI[05:00//02:00]TY[8]RE[-10.00:t]BO[8 -------- -------- -------- ---O*--- "
        "---*O--- -------- -------- -------- *]B[d3//0.01]W[c3/-1.2/0.5]B[c4]W[e3/+0.5];)"
        "\nnoise\n(;GM[Othello]PB[a]PW[b];)"
    )
    server, empty = read(".ggf", text)
    assert server.moves == ("d3", "c3", "c4", "e3")
    assert (server.outcome, server.reason, server.players[0]) == (-1, "time", "Saio1200")
    assert empty.moves == ()
    assert empty.outcome is None


def test_othello_without_passes() -> None:
    game = athenan.make_game("othello:size=4")
    matches = [random_match(game, seed) for seed in range(20)]
    passing = [match for match in matches if "pass" in match.moves]
    assert passing
    for match in passing:
        whole = FORMATS[".ggf"].write([match], None)
        without = whole.replace("B[pa]", "").replace("W[pa]", "")
        assert only(".ggf", without).moves == match.moves


def test_signs_within_the_names_of_players() -> None:
    moves = {".ggf": ("othello:size=6", "b3"), ".txt": ("hex:size=3,swap=true", "a1")}
    for suffix, (name, move) in moves.items():
        start = athenan.make_game(name).initial_state().position
        for first in ("sh -c (; go;) [x] \\", "a | b", "a \n\nb"):
            match = Match(name, start, (first, "c"), (move,), None)
            found = only(suffix, FORMATS[suffix].write([match], None))
            assert (found.game, found.moves) == (name, (move,))
            assert [player.split() for player in found.players] == [first.split(), ["c"]]


WORDY = """
import athenan

class Wordy(athenan.SimpleRules):
    all_moves = ["take one", "take two"]
    def initial(self): return (5, 0)
    def to_move(self, state): return state[1]
    def result(self, state): return None if state[0] > 0 else 1 - 2 * state[1]
    def moves(self, state): return self.all_moves[: state[0]]
    def play(self, state, move):
        return (state[0] - 1 - self.all_moves.index(move), 1 - state[1])
"""


def test_moves_of_several_words(tmp_path: Path) -> None:
    file = tmp_path / "wordy.py"
    file.write_text(WORDY)
    game = athenan.make_game(str(file))
    match = random_match(game, 1)
    assert "take two" in match.moves
    text = FORMATS[".txt"].write([match], game)
    (found,) = FORMATS[".txt"].read(text, game)
    assert found.moves == match.moves


PDN = """
[Event "Wch \\"2005\\""]
[White "A. Schwarzman"]
[Black "G. Valneris"]
[Result "1-1"]
[GameType "20,W,10,0,N2,0"]
{A comment, with 1-0 in it} 1. 32-28 19-23! 2. 28x19 $5 14x23 (2... 13x24 3. 33-28 (3. 37-32))
3. 33-28 ; the rest of a line 0-2
23x32 4.37x28 1-1

[White "c"]
[Black "d"]
[GameType "26"]
1. 22-18 11-15 2. 18x11 *
"""


def test_draughts_with_everything() -> None:
    first, second = read(".pdn", PDN)
    assert first.moves == ("32-28", "19-23", "28x19", "14x23", "33-28", "23x32", "37x28")
    assert first.players == ("A. Schwarzman", "G. Valneris")
    assert (first.outcome, first.reason) == (0, "recorded")
    assert second.game.startswith("brazilian_draughts")
    assert second.moves == ("22-18", "11-15", "18x11")
    assert second.outcome is None


def test_draughts_with_all_squares_of_a_capture() -> None:
    fen = '[FEN "W:W47:B41,31,21"]\n'
    match = only(".pdn", fen + "1. 47x36x27x16 2-0")
    assert match.moves == ("47x16",)
    assert match.outcome == 1


ARIMAA = """
# players: gold player | silver player
1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ca2 Db2 Hc2 Ed2 Me2 Hf2 Dg2 Ch2
1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ca7 db7 hc7 md7 ee7 hf7 dg7 ch7
2w Ed2n Ed3n Db2n
2b hc7s hc6x
3w resigns
"""


def test_arimaa_with_old_colours_removals_and_short_turns() -> None:
    match = only(".arimaa", ARIMAA)
    assert match.players == ("gold player", "silver player")
    assert (match.outcome, match.reason, match.who) == (-1, "resigned", 0)
    assert match.moves[32:] == ("Ed2n", "Ed3n", "Db2n", "pass", "hc7s,hc6x", "pass")
    mixed = ARIMAA.replace("Ra1 Rb1", "Rb1 Ra1").replace("3w", "3g")
    assert only(".arimaa", mixed).moves == match.moves


def test_turns_of_arimaa_that_were_taken_back_or_lost() -> None:
    """What follows a takeback is read; it once ended the match without a word."""
    taken_back = "2b hc7s hc6x\n3w takeback\n2b md7s\n3w takeback\n2b hc7s hc6x"
    whole = only(".arimaa", ARIMAA)
    assert only(".arimaa", ARIMAA.replace("2b hc7s hc6x", taken_back)) == whole
    lost = only(".arimaa", ARIMAA.replace("3w resigns", "3w lost"))
    assert (lost.outcome, lost.reason, lost.moves) == (-1, "recorded", whole.moves)


BAD = {
    "no tree": (".sgf", "nothing", "line 1: there is no SGF tree"),
    "no end": (".sgf", "\n(;GM[1];B[aa]", "line 2: the tree that begins here has no end"),
    "open value": (".sgf", "(;GM[1]\nC[never", "line 2: a value that begins here has no end"),
    "another game": (".sgf", "(;GM[3])", r"GM\[3\] is not one of athenan's games"),
    "an occupied point": (".sgf", "(;GM[1]SZ[9]\n;B[aa]\n;W[aa])", "line 3: "),
    "no point": (".sgf", "(;GM[1]SZ[9];B[zz])", "'zz' is not a point of Go"),
    "a size": (".sgf", "(;GM[1]SZ[99])", "size"),
    "stones later": (".sgf", "(;GM[1]SZ[9];B[aa]\n;AB[bb];W[cc])", "line 2: AB changes the board"),
    "a turn of Hex": (".sgf", "(;GM[11]SZ[4];B[a1]\n;B[b2])", "line 2: it is not the turn of B"),
    "python": (".sgf", "(;XG[evil.py];B[aa])", "there is no game 'evil.py'"),
    "komi": (".sgf", "(;GM[1]SZ[9]KM[much])", "is not a number"),
    "unclosed": (".ggf", "(;GM[Othello]B[d3]", "has no end: ;\\) is missing"),
    "a wrong turn": (".ggf", "(;GM[Othello]W[d3];)", "not the turn of W"),
    "a wrong board": (".ggf", "(;GM[Othello]BO[8 --- *];)", "the board BO"),
    "an illegal move": (".pdn", "1. 32-28\n2. 1-2", "line 2: "),
    "noise": (".pdn", "1. e4 e5", "line 1: unexpected 'e'"),
    "a game type": (".pdn", '[GameType "21"]\n*', "not one of 20 "),
    "no turn": (".arimaa", "hello", "line 1: 'hello' is not a turn"),
    "a bad step": (".arimaa", "1g Ra1 Zz9", "not a step such as"),
    "too few": (".arimaa", "1g Ra2 Rb2", "a set-up has 16 pieces"),
    "nothing to take back": (".arimaa", "1g takeback", "there is no turn to take back"),
    "no game": (".txt", "a1 b2", "line 1: the record does not say which game"),
    "python too": (".txt", "# game: evil.py\na1", "line 1: there is no game 'evil.py'"),
    "a bad move": (".txt", "# game: hex:size=3\n\n# game: hex:size=3\na1 a1", "line 4: "),
    "after the end": (".txt", "# game: tic_tac_toe\na1 b1 a2 b2 a3 b3", "is over by our rules"),
    "a bad result": (".txt", "# game: tic_tac_toe\n# result: won", "line 2: the result 'won'"),
}


@pytest.mark.parametrize(("suffix", "text", "reason"), BAD.values(), ids=BAD)
def test_a_bad_file_gets_one_sentence(suffix: str, text: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / f"bad{suffix}"
    file.write_text(text)
    with pytest.raises(athenan.Error, match=reason) as caught:
        read_records(file)
    assert str(caught.value).startswith(f"{file}, line ")


def test_files_of_other_systems(tmp_path: Path) -> None:
    file = tmp_path / "old.sgf"
    file.write_bytes("(;GM[1]SZ[9]PB[J\xf6rg]\r\n;B[ee]\r\n;W[aa])".encode("latin-1"))
    (match,) = read_records(file)
    assert match.players[0] == "Jörg"
    file.write_bytes(b"\xef\xbb\xbf(;GM[1]SZ[9];B[ee])")
    assert len(read_records(file)) == 1


def test_lines_of_ggf_are_counted_over_several_records() -> None:
    text = "\n(;GM[Othello]TY[8]\nB[d3]\n;)\n\n(;GM[Othello]\nB[d3]\nB[c3]\n;)"
    with pytest.raises(Error, match="line 8: it is not the turn of B"):
        read(".ggf", text)


def test_long_ggf_is_read_in_time_that_grows_with_its_length() -> None:
    def seconds(plies: int) -> float:
        text, tries = "(;GM[Othello]TY[8]" + "B[d3]" * plies + ";)", []
        for _ in range(3):
            begun = time.process_time()
            with pytest.raises(Error, match="not the turn"):
                read(".ggf", text)
            tries.append(time.process_time() - begun)
        return min(tries)

    assert seconds(80_000) < 9 * seconds(20_000)  # 16 times, if it grew with the square
