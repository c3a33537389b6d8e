"""athenan by GTP and HTP: the commands, what is refused, and analysis that streams."""

from __future__ import annotations

import re

import athenan
import pytest
from athenan.protocols import Settings, converse

GO = athenan.make_game("go:size=5,komi=2.5")
HEX = athenan.make_game("hex:size=4")
QUICK = Settings(model="mcts:expansions=20", seed=1)


def answers(*lines: str, game: athenan.Game = GO, protocol: str = "gtp") -> list[str]:
    """Return the answer to each line; an answer ends with an empty line."""
    text = "\n".join(converse(protocol, game, lines, QUICK))
    return [each.strip("\n") for each in re.split(r"\n\n+", text) if each.strip("\n")]


def test_every_command_answers_with_its_number() -> None:
    assert answers("1 protocol_version", "2 name", "quit") == ["=1 2", "=2 athenan", "="]
    assert answers("7 known_command genmove", "8 known_command fly") == ["=7 true", "=8 false"]
    listed = answers("list_commands")[0].removeprefix("= ").split("\n")
    assert {"boardsize", "komi", "undo", "final_score", "time_left", "kata-analyze"} <= set(listed)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("fly", "? unknown command"),
        ("12", "?12 a command is missing"),
        ("play", "? play takes a colour and a move"),
        ("play green C3", "? a colour is black or white, not 'green'"),
        ("play black Z9", "? illegal move"),
        ("play black", "? play takes a colour and a move"),
        ("undo", "? cannot undo"),
        ("boardsize 1", "? unacceptable size"),
        ("boardsize", "? boardsize takes one number"),
        ("boardsize x", "? unacceptable size"),
        ("komi much", "? a komi is a number from -400 to 400"),
        ("time_settings 1 2", "? 3 arguments are wanted, not 2"),
        ("time_left black x 0", "? 'x' is not a number"),
        ("set_random_seed -1", "? the option seed takes an integer from 0 to 9223372036854775808"),
        ("athenan-option wings 2", "? there is no option 'wings'"),
        ("athenan-option model nobody", "? there is no player 'nobody'"),
        ("genmove purple", "? a colour is black or white, not 'purple'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(line: str, answer: str) -> None:
    first, last = answers(line, "3 name")
    assert first.startswith(answer)
    assert "\n" not in first
    assert last == "=3 athenan"


def test_a_pass_that_nobody_asked_for_is_taken_back() -> None:
    position = "athenan-position"
    after_a1, _both, again = answers(
        "play b A1", position, "play b B1", position, "undo", position, "quit"
    )[1:6:2]
    assert again == after_a1
    told = answers("play b A1", "play b B1", "undo", "undo", position, "undo")
    assert told[4] == f"= {GO.initial_state().position}"
    assert told[5] == "? cannot undo"


@pytest.mark.parametrize("command", ["reg_genmove b", "lz-analyze b 1", "play b Z9"])
def test_a_question_about_the_other_side_changes_nothing(command: str) -> None:
    moves = ["play b A1", "play w C3", "play b D4"]
    told = answers("play b A1", command, "play w C3", "play b D4", "athenan-position")
    assert told[-1] == answers(*moves, "athenan-position")[-1]


def test_comments_blanks_and_control_characters_are_passed_over() -> None:
    assert answers("", "   ", "# only a comment", "na\x07me # yes", "\t1\tname\r") == [
        "= athenan",
        "=1 athenan",
    ]


def test_a_match_is_played_shown_scored_and_taken_back() -> None:
    lines = ["play b C3", "play w c4", "athenan-position", "undo", "athenan-position", "showboard"]
    _, _, both, _, one, shown = answers(*lines)
    assert both == "= 5/2O2/2X2/5/5 X - C3,C4"
    assert one == "= 5/5/2X2/5/5 O - C3"
    assert shown.count("X") == 1
    scores = answers("play b C3", "play w pass", "play b pass", "final_score", "genmove w")
    assert scores[-2:] == ["= B+22.5", "= pass"]


def test_a_colour_that_moves_twice_lets_the_other_pass() -> None:
    assert answers("play b C3", "play b D3", "athenan-position")[-1].endswith("C3,pass,D3")


def test_size_and_komi_change_the_game_and_komi_keeps_the_moves() -> None:
    lines = ["boardsize 7", "play b C3", "komi 0.5", "athenan-position", "clear_board"]
    assert answers(*lines, "final_score")[3:] == ["= 7/7/7/7/2X4/7/7 O - C3", "=", "= W+0.5"]


def test_moves_are_legal_to_the_end_and_the_seed_decides() -> None:
    def moves() -> list[str]:
        colours = ["black", "white"] * 4
        return answers("set_random_seed 5", *(f"genmove {each}" for each in colours))

    first = moves()
    state = GO.initial_state()
    for answer in first[1:]:
        state = state.play(answer.removeprefix("= "))
    assert moves() == first


def test_a_time_per_move_is_kept() -> None:
    lines = ["time_settings 0 1 20", "genmove b", "time_left w 0.5 5", "genmove w"]
    assert all(each.startswith("=") for each in answers(*lines))


@pytest.mark.parametrize("command", ["kata-genmove_analyze", "lz-genmove_analyze"])
def test_analysis_ends_with_the_move(command: str) -> None:
    (answer,) = answers(f"4 {command} b 5")
    first, *infos, last = answer.split("\n")
    assert first == "=4"
    assert infos[-1].startswith("info move ")
    assert re.fullmatch(r"play (pass|[A-E][1-5])", last)


def test_analysis_streams_until_the_next_line() -> None:
    stream, name = answers("9 kata-analyze b 1", "10 name")
    assert stream.startswith("=9")
    assert name == "=10 athenan"
    fields = re.findall(
        r"info move (\S+) visits (\d+) winrate (\S+)", "\n".join(converse_until_info())
    )
    assert fields
    assert all(0 <= float(winrate) <= 1 for _, _, winrate in fields)


def converse_until_info() -> list[str]:
    """Analyse for a moment: the next line comes late."""
    import time
    from collections.abc import Iterator

    from athenan.protocols import protocol_entry, serve

    heard: list[str] = []

    def lines() -> Iterator[str]:
        yield "kata-analyze b 1"
        until = time.monotonic() + 20
        while len(heard) < 3 and time.monotonic() < until:
            time.sleep(0.01)
        yield "quit"

    serve(protocol_entry("gtp").protocol(GO, Settings(seed=1), heard.append), lines())
    return heard


# Hex and Havannah.


def test_hex_swaps_and_says_who_won() -> None:
    lines = ["play b a2", "play w swap-pieces", "athenan-position", "genmove b", "final_score"]
    *_, position, move, score = answers(*lines, game=HEX, protocol="htp")
    assert position == "= 1o2/4/4/4 x"
    assert re.fullmatch(r"= [a-d][1-4]", move)
    assert score == "? cannot score"
    down = [
        f"play {colour} {column}{row}" for row in range(1, 5) for colour, column in ("ba", "wb")
    ]
    assert (
        answers("boardsize 4 4", *down[:-1], "final_score", game=HEX, protocol="htp")[-1] == "= B+"
    )


def test_the_swap_can_be_forbidden() -> None:
    lines = ["param_game", "param_game allow_swap 0", "play b a1", "play w swap-pieces"]
    assert answers(*lines, game=HEX, protocol="htp") == [
        "= [bool] allow_swap 1",
        "=",
        "=",
        "? illegal move",
    ]


def test_in_hex_nobody_moves_twice() -> None:
    lines = ["play b a1", "play b a2", "genmove b", "all_legal_moves"]
    twice, asked, legal = answers(*lines, game=HEX, protocol="htp")[1:]
    assert twice == asked == "? it is the turn of white"
    assert "swap-pieces" in legal.split()


def test_it_may_think_on_the_opponents_time() -> None:
    settings = Settings(model="mcts:expansions=20", seed=1, ponder=True)
    lines = ["genmove b", "name", "genmove w", "undo", "undo", "genmove b", "quit"]
    heard = [line for line in converse("gtp", GO, lines, settings) if line]
    assert [line[0] for line in heard] == ["="] * 7
