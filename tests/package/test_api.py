"""What `import athenan` offers: nothing else, all of it explained, and readable when printed."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import athenan
import pytest
from athenan import _core
from processes import ENVIRONMENT

ROOT = Path(__file__).parents[2]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
HEX = athenan.make_game("hex:size=5")
START = HEX.initial_state()


def test_dir_shows_what_there_is_and_nothing_else() -> None:
    program = (
        "import athenan\n"
        "names = dir(athenan)\n"
        "packages = set(names) - set(athenan.__all__) - {'__version__'}\n"
        "print(*sorted(packages))\n"
        "print(all(getattr(athenan, name) is not None for name in names))\n"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout.splitlines()
    folders = {path.parent.name for path in (ROOT / "python" / "athenan").glob("*/__init__.py")}
    assert {"arena", "learning", "reference"} <= set(shown[0].split()) <= folders
    assert shown[1] == "True"


@pytest.mark.parametrize("name", athenan.__all__)
def test_every_public_name_has_an_example_that_runs(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    text = inspect.getdoc(getattr(athenan, name)) or ""
    assert ">>> " in text, f"{name} shows no example"
    names = {each: getattr(athenan, each) for each in athenan.__all__}
    example = doctest.DocTestParser().get_doctest(text + "\n", names, name, None, 0)
    told: list[str] = []
    assert doctest.DocTestRunner(optionflags=OPTIONS).run(example, out=told.append).failed == 0, (
        told
    )


def members() -> Iterator[Any]:
    for name in athenan.__all__:
        thing = getattr(athenan, name)
        if inspect.isclass(thing) and thing.__module__.startswith("athenan"):
            for member, value in vars(thing).items():
                if not member.startswith("_") and not isinstance(value, int | str | float | None):
                    yield pytest.param(f"{name}.{member}", value, id=f"{name}.{member}")


@pytest.mark.parametrize(("name", "member"), list(members()))
def test_every_public_member_is_explained(name: str, member: object) -> None:
    assert inspect.getdoc(member), f"{name} has no docstring"


REPRS: dict[str, tuple[Callable[[], object], str]] = {
    "a budget": (lambda: athenan.Budget(seconds=0.5), r"Budget\(seconds=0\.5\)"),
    "no budget": (athenan.Budget, r"Budget\(\)"),
    "a tally": (
        lambda: START.playouts(10, seed=1),
        r"PlayoutTally\(first_wins=\d+, draws=0, second_wins=\d+, plies=\d+\)",
    ),
    "work": (
        lambda: athenan.search(START, expansions=3).spent,
        r"Spent\(expansions=3, evaluations=\d+, iterations=\d+, transpositions=\d+, "
        r"seconds=[\d.e-]+\)",
    ),
    "a label": (
        lambda: athenan.search(START, expansions=3).moves[0],
        r"MoveLabel\(move=0, value=0, completion=0, resolved=False, count=\d\)",
    ),
    "a datasheet": (lambda: HEX.datasheet, r"<Datasheet of Hex: 2 players, .*>"),
    "a stop": (athenan.Stop, "<Stop>"),
    "moves": (lambda: HEX.legal_moves([START]), "<LegalMoves: 25 of 1 states>"),
    "an option": (lambda: athenan.game_parameters("hex")[1], "<Parameter swap=true: one of .*>"),
    "a search": (lambda: athenan.algorithms()[0], "<Algorithm descent: .*>"),
    "a result": (
        lambda: athenan.search(START, expansions=3),
        r"<SearchResult: [a-e]\d, value \+0, nothing is proven; 3 expansions in \S+ s>",
    ),
    "a result that memory bounded": (
        lambda: athenan.search(
            athenan.make_game("othello").initial_state(), athenan.hash_evaluator(), memory_mb=1
        ),
        r"<SearchResult: .*, ended by the limit of its memory>",
    ),
    "a solution": (
        lambda: athenan.solve(athenan.make_game("tic_tac_toe").initial_state()),
        r"<Solution: [a-c][1-3], proven: a draw; [\d,]+ expansions in \S+ s>",
    ),
}


@pytest.mark.parametrize(("make", "shown"), REPRS.values(), ids=REPRS)
def test_what_is_printed_can_be_read(make: Callable[[], object], shown: str) -> None:
    assert re.fullmatch(shown, repr(make())), repr(make())


def test_results_and_solutions_agree_in_their_names() -> None:
    state = athenan.make_game("tic_tac_toe").parse_position("xx1/oo1/3 x")
    result, solution = athenan.search(state, expansions=100), athenan.solve(state)
    for name in (
        *("state", "best_move", "best_move_text", "proven_outcome"),
        *("principal_variation", "line"),
    ):
        assert getattr(result, name) == getattr(solution, name), name
    assert solution.line == [solution.best_move_text] == ["c1"]
    assert [state.parse_move(text) for text in result.line] == result.principal_variation
    over = athenan.solve(state.play("c1"))
    assert (over.best_move, over.best_move_text, over.line) == (None, "", [])


def test_a_result_says_what_ended_the_search() -> None:
    solved = athenan.make_game("tic_tac_toe").initial_state()
    large = athenan.make_game("othello").initial_state()
    assert athenan.search(solved).ended_by == "proof"
    assert athenan.search(large, expansions=2).ended_by == "budget"
    bounded = athenan.search(large, athenan.hash_evaluator(), memory_mb=1)
    assert bounded.ended_by == "memory"
    assert bounded.memory_full


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "make_game": (lambda: athenan.make_game(None), "a text such as 'hex:size=5', not None"),  # type: ignore[arg-type]
    "make_game of a game": (lambda: athenan.make_game(HEX), "a game is named by a text"),  # type: ignore[arg-type]
    "search": (lambda: athenan.search(HEX), r"a game; its start is game\.initial_state\(\)"),  # type: ignore[arg-type]
    "search a text": (lambda: athenan.search("hex"), "search expects a State, not 'hex'"),  # type: ignore[arg-type]
    "solve": (lambda: athenan.solve(None), "solve expects a State, not None"),  # type: ignore[arg-type]
    "play": (lambda: START.play(3.5), "a move is a number of legal_moves.*, not 3.5"),  # type: ignore[arg-type]
    "play nothing": (lambda: START.play(None), "a move is a number of legal_moves.*, not None"),  # type: ignore[arg-type]
    "play a negative number": (lambda: START.play(-1), "a move is a number of legal_moves"),
    "move_path": (lambda: START.move_path([]), "a move is a number of legal_moves"),  # type: ignore[arg-type]
    "move_to_string": (lambda: START.move_to_string("a1"), "a move is a number of legal_moves"),  # type: ignore[arg-type]
    "parse_move": (lambda: START.parse_move(3), "a move is read from a text"),  # type: ignore[arg-type]
    "parse_position": (lambda: HEX.parse_position(3), "a position is a text"),  # type: ignore[arg-type]
    "SearchSpec": (lambda: athenan.SearchSpec(3), "a search is a text such as 'ubfm-safe"),  # type: ignore[arg-type]
    "Random": (lambda: athenan.Random(-1), "the seed of a Random is an integer from 0"),
    "game_parameters": (lambda: athenan.game_parameters(3), "a game is named by a text"),  # type: ignore[arg-type]
    "load": (lambda: athenan.load(3), "its name or from a path, not 3"),  # type: ignore[arg-type]
    "load_model": (lambda: athenan.load_model(None), "the path of a file, not None"),  # type: ignore[arg-type]
    "a model": (lambda: athenan.search(START, 3), "an evaluator or a function"),  # type: ignore[arg-type]
    "encode": (lambda: HEX.encode(5), "many states are a list of them, or the array of pack"),  # type: ignore[arg-type]
    "encode a state": (lambda: HEX.encode(START), "many states are a list of them"),  # type: ignore[arg-type]
    "encode long": (lambda: HEX.encode(["a1"] * 99), "many states .*, not a list"),  # type: ignore[list-item]
    "expand": (lambda: HEX.expand(["a1"]), r"many states are a list of them, .*, not \['a1'\]"),  # type: ignore[list-item]
    "legal_moves": (lambda: HEX.legal_moves(None), "many states are a list of them"),  # type: ignore[arg-type]
    "pack": (lambda: HEX.pack(START), "many states are a list of them"),  # type: ignore[arg-type]
    "unpack": (lambda: HEX.unpack([START]), "a uint8 array .*, as pack makes it"),  # type: ignore[arg-type]
    "count_children": (lambda: HEX.count_children("a"), "many states are a list of them"),  # type: ignore[arg-type]
    "threads": (lambda: HEX.encode([START], "all"), "threads is a whole number, 0 for all cores"),  # type: ignore[arg-type]
    "perft": (lambda: HEX.perft("3"), "the depth of perft is a whole number, not '3'"),  # type: ignore[arg-type]
    "perft of a state": (lambda: START.perft(None), "the depth of perft is a whole number"),  # type: ignore[arg-type]
    "playouts": (lambda: START.playouts("many"), "the number of playouts is at least 0"),  # type: ignore[arg-type]
    "seed": (lambda: START.playouts(1, seed=-1), "a seed is an integer from 0"),
    "transform": (lambda: START.transform("flip"), "a symmetry is a number, 0 for the identity"),  # type: ignore[arg-type]
    "rules": (lambda: athenan.game_from_rules(HEX), "a subclass of athenan.Rules"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("call", "sentence"), WRONG.values(), ids=WRONG)
def test_a_wrong_type_is_told_what_was_expected(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(athenan.Error, match=sentence) as refused:
        call()
    assert "\n" not in str(refused.value)


MEANT = {
    "game": (lambda: athenan.make_game("hexx"), "(did you mean hex?)"),
    "part of a game": (lambda: athenan.make_game("gomoku"), "(did you mean outer_open_gomoku?)"),
    "spelling": (lambda: athenan.make_game("Tic-Tac-Toe"), "(did you mean tic_tac_toe?)"),
    "option": (lambda: athenan.make_game("hex:siez=3"), "(did you mean size?)"),
    "search": (lambda: athenan.SearchSpec("mtcs"), "(did you mean mcts?)"),
    "search option": (lambda: athenan.SearchSpec("mcts:iteration=3"), "(did you mean iterations?)"),
    "keyword": (lambda: athenan.search(START, second=1), "(did you mean seconds?)"),
    "selection": (lambda: _core.Selection("sofmax"), "(did you mean softmax?)"),
}


@pytest.mark.parametrize(("call", "meant"), MEANT.values(), ids=MEANT)
def test_a_misspelt_name_is_told_what_was_meant(call: Callable[[], object], meant: str) -> None:
    with pytest.raises(athenan.ParameterError) as refused:
        call()
    assert meant in str(refused.value)


def test_nothing_is_suggested_for_what_is_like_nothing() -> None:
    with pytest.raises(athenan.ParameterError) as refused:
        athenan.make_game("chess")
    assert "did you mean" not in str(refused.value)
