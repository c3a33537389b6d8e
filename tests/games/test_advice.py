"""What `athenan check` advises: no promise is broken, and the author may not have meant it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import athenan
import pytest
from athenan import SimpleRules, game_from_rules
from athenan.commands import main
from athenan.games.check import check_game

ROWS = {0: "xx", 1: "oo"}


class Pairs(SimpleRules[Any, Any]):
    """Two players fill a row of four; who has two neighbours wins."""

    max_length = 4

    def initial(self) -> Any:
        return ("....", 0)

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def result(self, state: Any) -> int | None:
        won = [player for player, row in ROWS.items() if row in state[0]]
        return 1 - 2 * won[0] if won else None if "." in state[0] else 0

    def moves(self, state: Any) -> Any:
        return [cell for cell in range(4) if state[0][cell] == "."]

    def play(self, state: Any, move: Any) -> Any:
        return state[0][:move] + "xo"[state[1]] + state[0][move + 1 :], 1 - state[1]


def lost_by_the_last(self: Pairs, state: Any) -> int | None:
    """Say what is true for the player to move, who has just lost, as that player's win."""
    result = Pairs.result(self, state)
    return result if not result else 1 - 2 * int(state[1])


def always_lost(self: Pairs, state: Any) -> int | None:
    result = Pairs.result(self, state)
    return result if not result else -1


ADVICE: dict[str, tuple[dict[str, Any], str]] = {
    "a max_length that is one too small": (
        {"max_length": 3},
        "max_length: .* of 40 random matches had not ended after 3 plies, and the engine called "
        "them draws: max_length is the most plies that a match can have",
    ),
    "a max_length that nobody gave": (
        {"max_length": 1000},
        "max_length: it is 1,000, and the longest random match had 4 plies; depth heuristics",
    ),
    "the result of the player to move": (
        {"result": lost_by_the_last},
        "result: who moved last lost each of the .* decided matches; result says +1 if the first",
    ),
    "a loss for whoever": (
        {"result": always_lost},
        "result: the second player won each of the .* decided matches; result says +1 if the",
    ),
    "a member in another spelling": (
        {"symetries": 2},
        "names: the rules have symetries, which is never asked for; is symmetries meant?",
    ),
    "a method in another spelling": (
        {"move_txt": lambda _self, _state, move: str(move)},
        "names: the rules have move_txt, which is never asked for; is move_text meant?",
    ),
}


def advised(**members: Any) -> list[str]:
    findings = check_game(game_from_rules(type("Pairs", (Pairs,), members)()), 40)
    assert not any(finding.grave for finding in findings)
    return [str(finding) for finding in findings]


def test_what_is_meant_needs_no_advice() -> None:
    assert advised() == []


@pytest.mark.parametrize("mistake", ADVICE)
def test_what_may_not_be_meant_is_told(mistake: str) -> None:
    members, sentence = ADVICE[mistake]
    (told,) = advised(**members) or [""]
    before, _, after = sentence.partition(".*")
    assert told.startswith(before.rstrip())
    assert after in told


def test_helpers_of_the_author_are_no_misspelt_members() -> None:
    helpers = {"cell": 1, "move": 2, "plane": 3, "draw": False, "neighbours": len, "size": 4}
    assert advised(**helpers) == []


def test_a_limit_with_a_reason_and_a_game_with_cycles_may_cut_matches() -> None:
    assert advised(max_length=3, max_length_reason="a blitz") == []
    assert advised(max_length=3, cyclic=True) == []


RECURSION = """
from athenan import SimpleRules

class Deep(SimpleRules):
    def initial(self): return 0
    def to_move(self, state): return 0
    def result(self, state): return self.again(state)
    def again(self, state): return self.result(state)
    def moves(self, state): return [0]
    def play(self, state, move): return state
"""


def test_a_recursion_without_end_is_told_in_a_few_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("deep.py").write_text(RECURSION)
    assert main(["check", "deep.py"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert "RecursionError" in lines[-1]
    assert any("more calls" in line for line in lines)
    assert len(lines) < 15


def test_the_match_goes_on_only_where_the_engine_ended_it() -> None:
    game = game_from_rules(type("Pairs", (Pairs,), {"max_length": 3})())
    state = game.initial_state()
    for move in ("0", "1", "2"):
        assert not athenan.games.goes_on(state)
        state = state.play(move)
    assert state.outcome == 0
    assert athenan.games.goes_on(state)
