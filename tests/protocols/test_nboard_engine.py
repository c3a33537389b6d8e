"""athenan as an engine that speaks NBoard."""

from random import Random

import athenan
from athenan.protocols import Settings, converse

GAME = athenan.make_game("othello:size=8")
SETTINGS = Settings(model="mcts:iterations=30", seed=1)
START = "8 ---------------------------O*------*O--------------------------- *"


def answers(*lines: str) -> list[str]:
    return converse("nboard", GAME, lines, SETTINGS)


def test_it_says_its_name_and_answers_pings() -> None:
    assert answers("nboard 2", "ping 7") == ["set myname athenan", "pong 7"]


def test_go_names_a_legal_move_and_does_not_play_it() -> None:
    game = f"set game (;GM[Othello]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[{START}]B[F5//1.2]W[D6];)"
    first, second = answers(game, "go"), answers(game, "go", "go")
    state = GAME.initial_state().play("f5").play("d6")
    (told,) = [line for line in first if line.startswith("===")]
    move, value, seconds = told.removeprefix("=== ").split("/")
    assert move.lower() in state.legal_move_strings()
    assert -64 <= float(value) <= 64
    assert float(seconds) >= 0
    assert sum(line.startswith("===") for line in second) == 2


def test_moves_may_carry_a_value_and_a_time() -> None:
    told = answers("move F5/-1.2/0.5", "move d6", "go")
    assert [line for line in told if line.startswith("===")]
    assert not [line for line in told if "legal" in line]


def test_a_pass_is_written_pa() -> None:
    random, state, moves = Random(1), GAME.initial_state(), list[str]()
    while state.legal_move_strings() != ["pass"]:
        if state.is_terminal:
            state, moves = GAME.initial_state(), []
        moves.append(random.choice(state.legal_move_strings()))
        state = state.play(moves[-1])
    told = answers(*(f"move {'PA' if move == 'pass' else move.upper()}" for move in moves), "go")
    assert [line for line in told if line.startswith("=== PA/")]


def test_hint_shows_as_many_moves_as_asked() -> None:
    told = answers("hint 3")
    assert sum(line.startswith("search ") for line in told) == 3


def test_mistakes_get_one_sentence() -> None:
    for line in ("move z9", "set game (;)", "set game (;BO[6 -- *];)", "set speed 3", "dance"):
        (told,) = answers(line)
        assert told.startswith("status ")
        assert len(told) > 20
