"""athenan as an engine that speaks the Gomocup protocol."""

import re

import athenan
from athenan.arena.clocks import SHORTEST
from athenan.protocols import Settings, converse
from athenan.protocols.gomocup import Gomocup

GAME = athenan.make_game("outer_open_gomoku")
SETTINGS = Settings(model="mcts:iterations=20", seed=1)


def answers(*lines: str) -> list[str]:
    return converse("gomocup", GAME, lines, SETTINGS)


def is_point(text: str, size: int = 15) -> bool:
    found = re.fullmatch(r"(\d+),(\d+)", text)
    return found is not None and max(int(found[1]), int(found[2])) < size


def test_a_match_begins_and_goes_on() -> None:
    ready, first = answers("START 15", "BEGIN")
    assert ready == "OK"
    assert is_point(first)
    x, y = map(int, first.split(","))
    assert min(x, y) < 2 or max(x, y) > 12, "the first stone lies on the outer lines"
    told = answers("start 11", "turn 0,0", "turn 5,5", "end", "begin")
    assert len(told) == 3
    assert all(is_point(point, 11) for point in told[1:])


def test_a_board_is_taken_in_any_order() -> None:
    for stones in (["0,0,1", "7,7,2"], ["7,7,2", "0,0,1"], ["0,1,2"], []):
        _ready, point = answers("START 15", "BOARD", *stones, "DONE")
        assert is_point(point)
        assert f"{point},1" not in stones
        assert f"{point},2" not in stones


def test_each_stone_of_a_board_is_whose_the_client_says() -> None:
    heard: list[str] = []
    gomocup = Gomocup(GAME, SETTINGS, heard.append)
    ours_first = ["0,0,1", "1,1,1", "5,5,2", "6,6,2"]
    for stones in (ours_first, ours_first[::-1], [ours_first[at] for at in (0, 2, 1, 3)]):
        for line in ("START 15", "BOARD", *stones, "DONE"):
            gomocup.hear(line)
        state = gomocup.engine.states[-2]  # before the answer
        rows = state.position.split("/")
        assert [rows[0], rows[1], rows[5], rows[6]] == ["x14", "1x13", "5o9", "6o8"]
        assert state.to_move == 0
    gomocup.close()
    assert all(is_point(point) for point in heard[1::2])


def test_exactly_five_is_a_rule_of_the_client() -> None:
    told = answers("START 15", "INFO rule 1", "BEGIN", "TAKEBACK 0,0", "RESTART")
    assert told[0] == told[2] == told[3] == "OK"
    assert is_point(told[1])


def test_the_time_of_a_turn_is_kept() -> None:
    lines = ("START 15", "INFO timeout_turn 60", "INFO timeout_match 1000", "INFO time_left 500")
    told = converse("gomocup", GAME, (*lines, "BEGIN"), Settings(model="mcts", seed=1))
    assert is_point(told[-1])


def test_no_time_for_a_turn_is_as_fast_as_possible() -> None:
    gomocup = Gomocup(GAME, SETTINGS, lambda _line: None)
    assert gomocup.limits().seconds == 0, "nothing was said"
    gomocup.hear("INFO timeout_turn 0")
    assert gomocup.limits().seconds == SHORTEST
    gomocup.close()


def test_mistakes_get_error_and_unknown_commands_get_unknown() -> None:
    for line in ("START 99", "START", "TURN 7,7", "TURN x", "RECTSTART 10,12", "TAKEBACK 1,1"):
        (told,) = answers(line)
        assert told.startswith("ERROR "), line
    assert answers("BOARD", "1,1,9", "DONE")[0].startswith("ERROR ")
    assert answers("SWAP2BOARD")[0].startswith("UNKNOWN ")
    assert answers("about")[0].startswith('name="athenan"')
