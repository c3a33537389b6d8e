"""athenan as an engine that speaks the Gomocup protocol."""

import re

import athenan
from athenan.protocols import Settings, converse

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


def test_exactly_five_is_a_rule_of_the_client() -> None:
    told = answers("START 15", "INFO rule 1", "BEGIN", "TAKEBACK 0,0", "RESTART")
    assert told[0] == told[2] == told[3] == "OK"
    assert is_point(told[1])


def test_the_time_of_a_turn_is_kept() -> None:
    lines = ("START 15", "INFO timeout_turn 60", "INFO timeout_match 1000", "INFO time_left 500")
    told = converse("gomocup", GAME, (*lines, "BEGIN"), Settings(model="mcts", seed=1))
    assert is_point(told[-1])


def test_mistakes_get_error_and_unknown_commands_get_unknown() -> None:
    for line in ("START 99", "START", "TURN 7,7", "TURN x", "RECTSTART 10,12", "TAKEBACK 1,1"):
        (told,) = answers(line)
        assert told.startswith("ERROR "), line
    assert answers("BOARD", "1,1,9", "DONE")[0].startswith("ERROR ")
    assert answers("SWAP2BOARD")[0].startswith("UNKNOWN ")
    assert answers("about")[0].startswith('name="athenan"')
