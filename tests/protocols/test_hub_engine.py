"""athenan as an engine that speaks Hub."""

import athenan
import pytest
from athenan.dialects import dialect_for
from athenan.protocols import Settings, converse
from athenan.protocols.hub import arguments

SETTINGS = Settings(model="mcts:iterations=20", seed=1)
NAMES = ("international_draughts", "brazilian_draughts", "canadian_draughts")


def answers(*lines: str, name: str = NAMES[0]) -> list[str]:
    return converse("hub", athenan.make_game(name), lines, SETTINGS)


def test_it_introduces_itself() -> None:
    told = answers("hub", "set-param name=threads value=1", "init", "ping")
    assert arguments(told[0].removeprefix("id "))["name"] == "athenan"
    assert "wait" in told
    assert told[-2:] == ["ready", "pong"]
    assert any("name=expansions" in line for line in told)


@pytest.mark.parametrize("name", NAMES)
def test_it_plays_on_every_board(name: str) -> None:
    dialect = dialect_for("hub", athenan.make_game(name))
    start = dialect.game.initial_state()
    first = dialect.write(start, start.legal_moves()[0])
    pos = f'pos pos={dialect.write_position(start)} moves="{first}"'
    told = answers("init", pos, "level nodes=5", "go think", name=name)
    done = arguments(told[-1].removeprefix("done "))
    state = start.play(start.legal_moves()[0])
    assert dialect.read(state, done["move"]) in state.legal_moves()
    if "ponder" in done:
        after = state.play(dialect.read(state, done["move"]))
        assert dialect.read(after, done["ponder"]) in after.legal_moves()


def test_each_go_has_one_done() -> None:
    told = answers("init", "level infinite", "go analyze", "stop", "go ponder", "stop", "go think")
    assert sum(line.startswith("done ") for line in told) == 3


def test_a_ponder_hit_is_answered_once() -> None:
    told = answers("init", "level nodes=20", "go ponder", "ponder-hit", "ping")
    assert sum(line.startswith("done ") for line in told) == 1


def test_mistakes_get_one_sentence_and_unknown_commands_nothing() -> None:
    for line in ("pos pos=W", "level move-time=x", "go away", "set-param name=speed value=1",
                 'pos moves="1-2"'):  # fmt: skip
        (told,) = answers(line)
        assert told.startswith("error message=")
        assert told.count('"') == 2
    assert answers("dance with=me") == []
