"""athenan as an engine that speaks AEI."""

import athenan
from athenan.dialects import dialect_for
from athenan.protocols import Settings, converse

GAME = athenan.make_game("arimaa")
SETTINGS = Settings(model="mcts:iterations=5", seed=1)
SETUP = "Ra1 Rb1 Rc1 Cd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Dc2 Ed2 He2 Cf2 Mg2 Rh2"
POSITION = "g [rrrddrrrrhcmechr" + " " * 32 + "RHCEMCHRRRRDDRRR]"


def answers(*lines: str) -> list[str]:
    return converse("aei", GAME, lines, SETTINGS)


def best(lines: list[str]) -> str:
    (told,) = [line for line in lines if line.startswith("bestmove ")]
    return told.removeprefix("bestmove ")


def test_it_introduces_itself() -> None:
    told = answers("aei", "isready")
    assert told[0] == "protocol-version 1"
    assert "id name athenan" in told
    assert told[-2:] == ["aeiok", "readyok"]


def test_the_set_up_is_one_turn_of_sixteen_pieces() -> None:
    gold = best(answers("aei", "newgame", "go"))
    assert len(gold.split()) == 16
    assert gold.split()[0].endswith("a1")
    silver = best(answers("newgame", f"makemove {SETUP}", "go"))
    assert len(silver.split()) == 16
    assert silver.islower()


def test_a_turn_has_up_to_four_steps_and_is_legal() -> None:
    dialect = dialect_for("aei", GAME)
    turn = best(answers("newgame", f"setposition {POSITION}", "go"))
    assert 1 <= sum(not word.endswith("x") for word in turn.split()) <= 4
    assert dialect.read_turn(dialect.read_position(POSITION), turn)


def test_pondering_tells_nothing_and_a_move_ends_it() -> None:
    told = answers("newgame", f"makemove {SETUP}", "go ponder", f"makemove {silver()}", "go")
    assert sum(line.startswith("bestmove") for line in told) == 1


def silver() -> str:
    flipped = {str(row): str(9 - row) for row in range(1, 9)}
    return " ".join(word[:2].lower() + flipped[word[2]] for word in SETUP.split())


def test_the_clock_of_the_protocol_limits_a_turn() -> None:
    lines = ("newgame", "setoption name tcmove value 0.2", f"setposition {POSITION}", "go")
    told = converse("aei", GAME, lines, Settings(model="mcts", seed=1))
    assert best(told)


def test_mistakes_are_logged_in_one_sentence() -> None:
    for line in ("makemove Ra1", "setposition g []", "setoption", "dance", "setoption name hash"):
        (told,) = answers(line)
        assert told.startswith("log ")
