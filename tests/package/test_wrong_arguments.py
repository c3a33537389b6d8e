"""Every argument of the functions that people script with: a wrong one gets one clear sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import athenan
import numpy as np
import pytest
from athenan import analysis, games, notebooks
from athenan.arena import (
    SPRT,
    Adjudication,
    Conditions,
    Effort,
    Match,
    PythonPlayerSpec,
    ReferencePlayer,
    SearchPlayerSpec,
    Standings,
    TimeControl,
    Tournament,
    balanced_openings,
    distinct_openings,
    play_alone,
    play_matches,
    player,
    read_openings,
    read_player,
    solo_openings,
    tally_of,
)
from athenan.games.check import check_game

GAME = athenan.make_game("tic_tac_toe")
START = GAME.initial_state()
HEX = athenan.make_game("hex:size=3,swap=false")
MORPION = athenan.make_game("morpion:variant=5D,board=18")
RANDOM = player("random", GAME)
THINKER = player("ubfm:expansions=3", GAME)
SPEC = athenan.SearchSpec("ubfm:expansions=3")
ZEROS = athenan.constant_evaluator()
MATCH = Match("tic_tac_toe", "3/3/3 x", ("a", "b"), ("b2", "a1"), None)
OPENINGS = distinct_openings(GAME, 1)
JUDGED = analysis.judge([START, START.play("b2")], SPEC, ZEROS)


class Silent:
    """An object that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError


class Nim(athenan.SimpleRules[Any, Any]):
    """Take one or two of four."""

    def initial(self) -> Any:
        return (4, 0)

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def result(self, state: Any) -> int | None:
        return None if state[0] else 1

    def moves(self, state: Any) -> Any:
        return [n for n in (1, 2) if n <= state[0]]

    def play(self, state: Any, move: Any) -> Any:
        return (state[0] - move, 1 - state[1])


NOTHING_OF_USE: dict[str, Any] = {
    "an object": object(),
    "a silent object": Silent(),
    "a number that is none": float("nan"),
    "infinity": float("inf"),
    "a negative number": -1,
    "a huge number": 10**30,
    "a complex number": 1j,
    "bytes": b"x",
    "lone surrogates": "\udcff",
    "a module": np,
    "a dictionary": {"a": 1},
    "a list of nothing": [None],
    "an array": np.zeros(3),
    "an array of objects": np.array([object()]),
    "dots": ...,
}


def series(**given: Any) -> object:
    usual = {"game": GAME, "a": RANDOM, "b": RANDOM, "matches": 2}
    return list(play_matches(**{**usual, **given}))


def alone(**given: Any) -> object:
    usual = {"game": MORPION, "matches": 1, "openings": solo_openings(MORPION, 1)}
    searcher = player("mcts:iterations=1,terminal=score", MORPION)
    return list(play_alone(**{"player": searcher, **usual, **given}))


def cup(**given: Any) -> object:
    usual = {"game": GAME, "players": (RANDOM, THINKER), "openings": OPENINGS, "matches": 2}
    return list(Tournament(**{**usual, **given}).play())


def thought(spec: Any, **given: Any) -> object:
    with spec.make(GAME) as thinker:
        return thinker.think(**{"state": START, **given})


def own(**given: Any) -> PythonPlayerSpec:
    return PythonPlayerSpec(**{"name": "own", "kind": ReferencePlayer, **given})


def judged(**given: Any) -> object:
    usual = {"states": [START, START.play("b2")], "moves": ["b2"], "judgements": JUDGED}
    return analysis.judged_match(**{**usual, **given})


def record(**given: Any) -> Match:
    usual = {"game": "tic_tac_toe", "position": "3/3/3 x", "players": ("a", "b")}
    return Match(**{**usual, "moves": ("b2",), "outcome": None, **given})


REFUSED: dict[str, Callable[[Any], object]] = {
    "make_game": athenan.make_game,
    "an option of make_game": lambda wrong: athenan.make_game("hex", size=wrong),
    "game_from_rules": athenan.game_from_rules,
    "the name of game_from_rules": lambda wrong: athenan.game_from_rules(Nim(), wrong),
    "search": athenan.search,
    "search with a model": lambda wrong: athenan.search(START, wrong, expansions=2),
    "search with a spec": lambda wrong: athenan.search(START, None, wrong),
    "search with a seed": lambda wrong: athenan.search(START, seed=wrong, expansions=2),
    "search with a stop": lambda wrong: athenan.search(START, stop=wrong, expansions=2),
    "solve": athenan.solve,
    "solve within": lambda wrong: athenan.solve(START, memory_mb=wrong),
    "solve with a stop": lambda wrong: athenan.solve(START, stop=wrong),
    "load": athenan.load,
    "own_picture": games.own_picture,
    "value_of": games.value_of,
    "check_game": check_game,
    "check_game, matches": lambda wrong: check_game(GAME, wrong),
    "check_game, seconds": lambda wrong: check_game(GAME, 1, seconds=wrong),
    "check_game, seed": lambda wrong: check_game(GAME, 1, seed=wrong),
    "player": lambda wrong: player(wrong, GAME),
    "player of a game": lambda wrong: player("random", wrong),
    "player with a budget": lambda wrong: player("mcts", GAME, wrong),
    "read_player": read_player,
    "read_openings of a game": lambda wrong: read_openings(wrong, Path("no.txt")),
    "play_matches, game": lambda wrong: series(game=wrong),
    "play_matches, player": lambda wrong: series(b=wrong),
    "play_matches, matches": lambda wrong: series(matches=wrong),
    "play_matches, seed": lambda wrong: series(seed=wrong),
    "play_matches, workers": lambda wrong: series(workers=wrong),
    "play_matches, openings": lambda wrong: series(openings=wrong),
    "play_matches, an opening": lambda wrong: series(openings=[wrong]),
    "play_matches, conditions": lambda wrong: series(conditions=wrong),
    "play_matches, one played": lambda wrong: series(played=[wrong, "no"]),
    "play_matches, stop": lambda wrong: series(stop=wrong),
    "distinct_openings": lambda wrong: distinct_openings(wrong, 1),
    "distinct_openings, wanted": lambda wrong: distinct_openings(GAME, wrong),
    "distinct_openings, seed": lambda wrong: distinct_openings(GAME, 1, wrong),
    "balanced_openings, wanted": lambda wrong: balanced_openings(GAME, wrong),
    "balanced_openings, seed": lambda wrong: balanced_openings(GAME, 1, wrong),
    "balanced_openings, stop": lambda wrong: balanced_openings(GAME, 1, 0, wrong),
    "solo_openings": lambda wrong: solo_openings(wrong, 1),
    "solo_openings, matches": lambda wrong: solo_openings(MORPION, wrong),
    "solo_openings, seed": lambda wrong: solo_openings(MORPION, 1, wrong),
    "play_alone, game": lambda wrong: alone(game=wrong),
    "play_alone, player": lambda wrong: alone(player=wrong),
    "play_alone, matches": lambda wrong: alone(matches=wrong),
    "play_alone, openings": lambda wrong: alone(openings=wrong),
    "play_alone, seed": lambda wrong: alone(seed=wrong),
    "play_alone, threads": lambda wrong: alone(threads=wrong),
    "play_alone, stop": lambda wrong: alone(stop=wrong),
    "tally_of": tally_of,
    "tally_of a match": lambda wrong: tally_of([wrong]),
    "TimeControl, seconds": lambda wrong: TimeControl(seconds=wrong),
    "TimeControl, periods": lambda wrong: TimeControl(periods=wrong),
    "TimeControl, nodes": lambda wrong: TimeControl(nodes=wrong),
    "TimeControl.parse": TimeControl.parse,
    "Conditions, control": lambda wrong: Conditions(control=wrong),
    "Conditions, margin": lambda wrong: Conditions(margin=wrong),
    "Conditions, faults": lambda wrong: Conditions(faults=wrong),
    "Conditions, adjudication": lambda wrong: Conditions(adjudication=wrong),
    "Adjudication, proven": lambda wrong: Adjudication(proven=wrong),
    "Adjudication, agreed": lambda wrong: Adjudication(agreed=wrong),
    "Adjudication, resign": lambda wrong: Adjudication(resign=wrong),
    "Adjudication, length": lambda wrong: Adjudication(length=wrong),
    "SPRT, elo0": lambda wrong: SPRT(wrong, wrong),
    "SPRT, alpha": lambda wrong: SPRT(0, 10, alpha=wrong),
    "SPRT.parse": SPRT.parse,
    "Tournament, game": lambda wrong: cup(game=wrong),
    "Tournament, players": lambda wrong: cup(players=wrong),
    "Tournament, openings": lambda wrong: cup(openings=wrong),
    "Tournament, matches": lambda wrong: cup(matches=wrong),
    "Tournament, form": lambda wrong: cup(form=wrong),
    "Tournament, conditions": lambda wrong: cup(conditions=wrong),
    "Tournament, seed": lambda wrong: cup(seed=wrong),
    "Tournament, workers": lambda wrong: cup(workers=wrong),
    "Standings": Standings,
    "Match, game": lambda wrong: record(game=wrong),
    "Match, players": lambda wrong: record(players=wrong),
    "Match, moves": lambda wrong: record(moves=wrong),
    "Match, who": lambda wrong: record(who=wrong),
    "Match, opening": lambda wrong: record(opening=wrong),
    "Match, efforts": lambda wrong: record(efforts=wrong),
    "Match, values": lambda wrong: record(values=wrong),
    "SearchPlayerSpec, search": lambda wrong: SearchPlayerSpec("a", wrong),
    "SearchPlayerSpec, evaluator": lambda wrong: SearchPlayerSpec("a", SPEC, wrong),
    "SearchPlayerSpec, made": lambda wrong: THINKER.make(wrong),
    "PythonPlayerSpec, kind": lambda wrong: own(kind=wrong),
    "PythonPlayerSpec, options": lambda wrong: own(options=wrong),
    "PythonPlayerSpec, limits": lambda wrong: own(limits=wrong),
    "PythonPlayerSpec, evaluator": lambda wrong: own(evaluator=wrong),
    "think": lambda wrong: thought(THINKER, state=wrong),
    "think, budget": lambda wrong: thought(THINKER, budget=wrong),
    "think, stop": lambda wrong: thought(THINKER, stop=wrong),
    "think in Python": lambda wrong: thought(own(), state=wrong),
    "think in Python, budget": lambda wrong: thought(own(), budget=wrong),
    "analyse": analysis.analyse,
    "analyse, model": lambda wrong: analysis.analyse(START, wrong, expansions=2),
    "analyse, spec": lambda wrong: analysis.analyse(START, None, wrong),
    "analyse, game": lambda wrong: analysis.analyse(MATCH, game=wrong),
    "analyse, seed": lambda wrong: analysis.analyse(START, seed=wrong),
    "analyse, stop": lambda wrong: analysis.analyse(START, stop=wrong),
    "analyse, report": lambda wrong: analysis.analyse(START, report=wrong),
    "judge": lambda wrong: analysis.judge(wrong, SPEC, ZEROS),
    "judge, spec": lambda wrong: analysis.judge([START], wrong, ZEROS),
    "judge, evaluator": lambda wrong: analysis.judge([START], SPEC, wrong),
    "judged_match, judgements": lambda wrong: judged(judgements=wrong),
    "prove": analysis.prove,
    "prove, news": lambda wrong: analysis.prove(START, news=wrong),
    "prove with a stop": lambda wrong: analysis.prove(START, stop=wrong),
    "states_of": analysis.states_of,
    "progress": lambda wrong: list(notebooks.progress([1], total=wrong)),
    "LivePlot": notebooks.LivePlot,
    "svg_of_charts, columns": lambda wrong: notebooks.svg_of_charts([], wrong),
    "Chart, points": lambda wrong: notebooks.Chart("loss", "minutes", wrong),
    "Chart, bounds": lambda wrong: notebooks.Chart("loss", "minutes", [], wrong),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_a_wrong_argument_gets_one_sentence(call: Callable[[Any], object]) -> None:
    for name, wrong in NOTHING_OF_USE.items():
        with pytest.raises(athenan.Error) as refused:
            call(wrong)
        sentence = str(refused.value)
        assert "\n" not in sentence, (name, sentence)
        assert 10 < len(sentence) < 800, (name, sentence)
        assert "incompatible function arguments" not in sentence, name


def test_the_class_in_the_place_of_its_object_is_told() -> None:
    with pytest.raises(athenan.ParameterError, match=r"an object with .*, such as Nim\(\)"):
        athenan.game_from_rules(Nim)  # type: ignore[arg-type]


def test_true_is_no_number() -> None:
    calls: list[Callable[[], object]] = [
        lambda: series(matches=True),
        lambda: series(seed=False),
        lambda: distinct_openings(GAME, True),
        lambda: TimeControl(seconds=True),
        lambda: Adjudication(length=True),
        lambda: athenan.search(START, seed=True),
        lambda: check_game(GAME, True),
    ]
    for call in calls:
        with pytest.raises(athenan.ParameterError, match=r"not (True|False)$"):
            call()


def test_numbers_of_numpy_are_numbers() -> None:
    assert len(distinct_openings(GAME, np.int64(2))) == 2  # type: ignore[arg-type]
    assert TimeControl(seconds=np.float32(2.0)).is_timed  # type: ignore[arg-type]
    assert athenan.search(START, seed=np.uint64(3), expansions=2).spent.expansions == 2  # type: ignore[arg-type]


def test_openings_of_another_game_are_refused() -> None:
    foreign = distinct_openings(HEX, 1)
    with pytest.raises(athenan.Error, match="an opening is of hex:size=3,swap=false, and the"):
        series(openings=foreign)
    with pytest.raises(athenan.Error, match="an opening is of hex"):
        cup(openings=foreign)
    thinker = player("reference:ubfm:expansions=2", GAME).make(GAME)
    with pytest.raises(athenan.Error, match="plays tic_tac_toe, and the state is of hex"):
        thinker.think(HEX.initial_state())


def test_a_match_for_one_has_the_effort_of_one() -> None:
    match = Match("morpion", "", ("me",), (), None, efforts=(Effort(moves=3),))
    assert match.efforts_of_players == (Effort(moves=3), Effort())
    with pytest.raises(athenan.Error, match="has no outcome"):
        _ = match.gain


def test_a_match_is_drawn_only_at_its_plies() -> None:
    judged_match = analysis.analyse(MATCH, spec="ubfm:expansions=3")
    for ply in (3, -1, 10**30, 2.5):
        with pytest.raises(athenan.ParameterError, match="the ply to draw, a whole number from 0"):
            judged_match.svg(ply)  # type: ignore[arg-type]


def test_thresholds_may_be_pairs() -> None:
    assert Adjudication(agreed=(0.9, 4)) == Adjudication.parse(["agreed=0.9x4"])  # type: ignore[arg-type]


def test_a_loss_that_is_no_number_is_left_out_of_the_curves() -> None:
    lines = [
        {"kind": "training", "seconds": 60.0, "loss": loss} for loss in (0.5, float("nan"), None)
    ]
    assert notebooks.curves(lines).count("<circle") == 1
