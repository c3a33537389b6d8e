"""`athenan check`: each way to break a promise is found and named, and nothing of it is trained."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path
from random import random
from typing import Any

import athenan
import numpy as np
import pytest
from athenan import SimpleRules, game_from_rules
from athenan.commands import main
from athenan.games.check import check_game, refuse_broken_rules
from athenan.games.findings import Finding
from commands.complaints import complaint_of
from conformance.variants import DEFAULT_IDS, ROOT, game_of
from games.test_lying_games import Liar

EXAMPLES = [f"examples/{name}.py" for name in ("tic_tac_toe", "simple_tic_tac_toe")]


class Row(SimpleRules[Any, Any]):
    """Two players fill a row of five; who fills the last cell wins. One member may be a lie."""

    all_moves = range(5)
    max_length = 5
    draws = False
    symmetries = 2

    def __init__(self, **lies: Any) -> None:
        for name, value in lies.items():
            setattr(self, name, value)

    def initial(self) -> Any:
        return "....."

    def to_move(self, state: Any) -> int:
        return int(5 - state.count(".")) % 2

    def ply_of(self, state: Any) -> int:
        return 5 - int(state.count("."))

    def result(self, state: Any) -> int | None:
        return None if "." in state else 1

    def moves(self, state: Any) -> Any:
        return [cell for cell in range(5) if state[cell] == "."]

    def play(self, state: Any, move: Any) -> Any:
        return state[:move] + "xo"[self.to_move(state)] + state[move + 1 :]

    def planes(self, state: Any) -> Any:
        shown = [[[symbol == cell for cell in state]] for symbol in ".x"]
        return [*shown, [[self.to_move(state)] * 5]]

    def cells(self, state: Any, move: Any) -> Any:  # noqa: ARG002
        return [(0, move)]

    def transform(self, state: Any, symmetry: int) -> Any:  # noqa: ARG002
        return state[::-1]

    def transform_move(self, state: Any, symmetry: int, move: Any) -> Any:  # noqa: ARG002
        return 4 - move


def honest(name: str) -> Callable[..., Any]:
    return getattr(Row(), name)  # type: ignore[no-any-return]


def forgetful() -> Callable[[Any], Any]:
    """Return a `moves` that leaves out another move at each call, until one is left."""
    calls = itertools.count()

    def moves(state: Any) -> Any:
        legal = honest("moves")(state)
        return legal if len(legal) < 3 else legal[next(calls) % 2 :]

    return moves


def counting() -> Callable[[Any], Any]:
    """Return a `result` that depends on how often it was asked."""
    calls = itertools.count()
    return lambda s: 1 if s.count(".") == 2 and next(calls) % 2 else honest("result")(s)


class Moody(Row):
    """Another result in every other match."""

    matches = 0
    symmetries = 1

    def moves(self, state: Any) -> Any:
        return [state.index(".")]

    def initial(self) -> Any:
        self.matches += 1
        return super().initial()

    def result(self, state: Any) -> int | None:
        return None if "." in state else 1 - 2 * (self.matches % 2)


LIES: dict[str, tuple[Callable[[], athenan.Game], str, str]] = {
    "planes of 0.5": (
        lambda: row(planes=lambda _: np.full((1, 1, 5), 0.5)),
        "planes",
        "integers from -128 to 127",
    ),
    "planes of 1000": (
        lambda: row(planes=lambda _: np.full((1, 1, 5), 1000)),
        "planes",
        "integers from -128 to 127",
    ),
    "a symmetry of other moves": (
        lambda: row(transform=lambda state, _: state[1:] + state[:1]),
        "symmetry",
        "1 and then symmetry 1 gives another position than symmetry 1 and then",
    ),
    "a symmetry of fewer moves": (
        lambda: row(
            moves=lambda s: [c for c in range(5) if s[c] == "." and (c < 4 or s[:4].count(".") < 2)]
        ),
        "symmetry",
        "the images of the moves",
    ),
    "a symmetry that loses a stone": (
        lambda: row(transform=lambda state, _: "." + state[:0:-1]),
        "symmetry",
        "gives another position",
    ),
    "wrong plies": (
        lambda: row(ply_of=lambda state: min(5, 2 * (5 - state.count(".")))),
        "plies",
        "ply_of says 2, but the moves played are 1",
    ),
    "an undeclared draw": (
        lambda: row(result=lambda state: None if "." in state[:4] else 0),
        "undeclared draw",
        "the match is a draw, and the game says that it has none",
    ),
    "a move twice": (lambda: row(moves=lambda s: [0, *honest("moves")(s)]), "moves", "twice"),
    "a move beyond all": (
        lambda: row(moves=lambda s: [*honest("moves")(s), 7]),
        "moves",
        "returned 7, which is not among all_moves",
    ),
    "moves that change": (
        lambda: row(moves=forgetful(), symmetries=1),
        "not the same twice",
        "the list of moves is another one",
    ),
    "a result that changes": (
        lambda: row(result=counting(), symmetries=1),
        "not the same twice",
        "the result is another one",
    ),
    "a result per match": (
        lambda: game_from_rules(Moody(all_moves=[0, 1, 2, 3, 4])),
        "equal states differ",
        "where the same position was met before",
    ),
    "moves at random": (
        lambda: row(moves=lambda s: sorted(honest("moves")(s), key=lambda _: random())),
        "not the same twice",
        "depend on something besides the state",
    ),
    "cells outside": (
        lambda: row(cells=lambda _, move: [(0, move + 1)]),
        "rules",
        "touches row 0, column 5, outside its board",
    ),
    "cells of two moves": (
        lambda: row(cells=lambda *_: [(0, 0)]),
        "geometry",
        "the moves 0 and 1 touch the same cells in the same way",
    ),
    "an undeclared cycle": (
        lambda: row(
            initial=lambda: (0, 0),
            to_move=lambda state: state[1],
            result=lambda _: None,
            moves=lambda _: [1, 2],
            play=lambda state, move: ((state[0] + move) % 3, 1 - state[1]),
            planes=lambda state: [[[*state, 0, 0, 0]]],
            ply_of=None,
            symmetries=1,
            max_length=30,
        ),
        "undeclared cycle",
        "comes again",
    ),
    "planes without the player": (
        lambda: row(planes=lambda _: [[[0] * 5]]),
        "planes hide the player",
        "",
    ),
    "a mutated state": (
        lambda: game_from_rules(Liar("apply", mutating)),
        "exception",
        "ValueError: assignment destination is read-only",
    ),
    "one text for two moves": (
        lambda: row(move_text=lambda *_: "go"),
        "move texts",
        "two moves are written 'go'",
    ),
}


def mutating(state: Any, move: int) -> Any:
    state[0] = move
    return state


class Plain(Row):
    ply_of = SimpleRules.ply_of


class Cyclic(Plain):
    cells = SimpleRules.cells


def row(**lies: Any) -> athenan.Game:
    if "ply_of" in lies and lies["ply_of"] is None:
        del lies["ply_of"]
        return game_from_rules(Cyclic(**lies))
    if "planes" in lies and "transform" not in lies and len(lies) == 1:
        return game_from_rules(Plain(**lies))
    if "move_text" in lies:
        return game_from_rules(Said(**lies))
    return game_from_rules(Row(**lies))


class Said(Row):
    def move_text(self, state: Any, move: Any) -> str:  # noqa: ARG002
        return str(move)


def named(findings: list[Finding], name: str) -> Finding:
    found = [finding for finding in findings if finding.name == name]
    assert found, [str(finding) for finding in findings]
    return found[0]


def test_the_honest_row_keeps_its_word() -> None:
    assert [str(finding) for finding in check_game(row(), 6)] == []


@pytest.mark.parametrize("lie", LIES)
def test_each_lie_is_found_and_named(lie: str) -> None:
    make, name, words = LIES[lie]
    finding = named(check_game(make(), 6), name)
    assert finding.grave
    assert words in finding.sentence
    assert str(finding).startswith(f"{name}: a")  # at the start, after these moves


def test_a_finding_names_the_moves_that_lead_there() -> None:
    finding = named(check_game(LIES["an undeclared draw"][0]()), "undeclared draw")
    state = row(result=lambda state: None if "." in state[:4] else 0).initial_state()
    for move in finding.moves or ():
        state = state.play(move)
    assert state.outcome == 0


def test_a_number_of_moves_that_differs_is_told_as_such() -> None:
    moves = lambda s: [c for c in range(5) if s[c] == "." and (c or s[1] == ".")] or [0]  # noqa: E731
    finding = named(check_game(row(moves=moves)), "symmetry")
    assert re.fullmatch(
        r"the position has (\d) moves, the image under symmetry 1 has (?!\1)\d", finding.sentence
    )


@pytest.mark.parametrize("identity", [*DEFAULT_IDS, *EXAMPLES], ids=str)
def test_our_games_keep_their_word(identity: str) -> None:
    game = game_of(str(ROOT / identity) if identity.endswith(".py") else identity)
    assert [str(finding) for finding in check_game(game, 2, seconds=0.3)] == []


@pytest.mark.parametrize(
    "lie", ["planes of 1000", "a symmetry of other moves", "wrong plies", "a move twice"]
)
def test_a_lying_game_is_not_trained(lie: str) -> None:
    with pytest.raises(athenan.Error, match="cannot be trained: "):
        refuse_broken_rules(LIES[lie][0]())


BROKEN = """
from athenan import SimpleRules

class Broken(SimpleRules):
    max_length = 4
    def initial(self): return (0, 0)
    def to_move(self, state): return state[1]
    def result(self, state): return None if state[0] < 4 else 1
    def moves(self, state): return [1]
    def play(self, state, move):
        return self.next(state)
    def next(self, state):
        return (state[0] + 1, 1 - state[1]) if HARMLESS else 1 // 0
"""


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("broken.py").write_text(BROKEN.replace("HARMLESS", "state[0] < 2"))
    return "broken.py"


@pytest.mark.parametrize("command", ["perft broken.py 4", "show broken.py", "train broken.py"])
def test_an_exception_shows_the_users_own_lines(
    command: str, broken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == 2
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said
    assert f"{broken}, line 13, in next: return (state[0] + 1" in said
    assert f"{broken}, line 11, in play: return self.next(state)" in said
    assert "athenan/" not in said
    assert "Traceback" not in said


def test_the_command_lists_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ended.py").write_text(
        BROKEN.replace("HARMLESS", "True").replace(
            "< 4 else 1\n", "< 3 else 0\n    draws = False\n"
        )
    )
    assert main(["check", "ended.py"]) == 1
    said = capsys.readouterr().out
    assert "wrong: undeclared draw: after 1 1 1 the match is a draw" in said
    assert main(["check", "tic_tac_toe", "--matches", "3"]) == 0
    assert "tic_tac_toe has no grave findings in 3 random matches" in capsys.readouterr().out
    assert "undeclared draw" in complaint_of(capsys, "train", "ended.py")
