"""Judged positions and matches: equal to plain searches, right about what is known exactly."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import athenan
import pytest
from athenan._core import Algorithm, Search, SearchSpec, exact_value
from athenan.analysis import Judgement, analyse, judge, judged_match
from athenan.analysis.judgement import Work
from athenan.analysis.thinking import Thinking, step
from athenan.arena import Match
from athenan.evaluators import Evaluator, constant_evaluator
from athenan.searches import drive

GAMES = ["hex:size=4", "tic_tac_toe", "othello:size=6", "connect_four", "amazons:size=6"]
SPECS = [
    "ubfm-safe:expansions=40",
    "descent:expansions=40",
    "alphabeta:depth=2",
    "uct:iterations=60",
]


def random_states(identity: str, count: int, seed: int = 1) -> Iterator[athenan.State]:
    random, game = athenan.Random(seed), athenan.make_game(identity)
    state = game.initial_state()
    for _ in range(count):
        yield state
        moves = state.legal_moves()
        state = state.play(moves[random.below(len(moves))]) if moves else game.initial_state()


def alone(state: athenan.State, spec: SearchSpec, evaluator: Evaluator) -> Search:
    search = Search(state.game, spec, 0)
    drive(search, state, evaluator)
    return search


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("identity", GAMES)
def test_thinking_together_finds_what_each_finds_alone(identity: str, spec: str) -> None:
    states = list(random_states(identity, 12))
    evaluator = athenan.hash_evaluator(3)
    for state, found in zip(states, judge(states, SearchSpec(spec), evaluator), strict=True):
        if state.is_terminal:
            assert found.proven_outcome == state.outcome
            continue
        search = alone(state, SearchSpec(spec), evaluator)
        if search.root_resolved or found.proven_outcome is None:
            assert found.best_move == state.move_to_string(search.decide())
        assert found.value == search.root_value
        assert {(c.move, c.count) for c in found.candidates} == {
            (state.move_to_string(each.move), each.count) for each in search.root_moves
        }
        assert found.line[0] == found.best_move


@pytest.mark.parametrize("spec", ["mcts:iterations=5000", "mcts:expansions=2000"])
def test_a_search_in_slices_finds_what_it_finds_at_once(spec: str) -> None:
    states = list(random_states("hex:size=5", 6))
    judgements = judge(states, SearchSpec(spec), constant_evaluator())
    for state, found in zip(states, judgements, strict=True):
        search = alone(state, SearchSpec(spec), constant_evaluator())
        expected = {
            (state.move_to_string(each.move), each.count, each.value)
            for each in search.root_moves
            if each.count
        }
        assert {(c.move, c.count, c.value) for c in found.candidates if c.count} == expected
        assert found.work.expansions == search.spent.expansions


@pytest.mark.parametrize("limit", ["seconds", "cpu_seconds"])
def test_a_search_without_values_takes_the_time_that_it_is_given(limit: str) -> None:
    state = athenan.make_game("hex:size=5").initial_state()
    found = analyse(state, spec=f"mcts:{limit}=0.3")
    assert found.work.seconds > 0.25


@pytest.mark.parametrize(
    ("identity", "terminal", "value"),
    [("hex:size=3,swap=false", "additive_depth", 5), ("hex:size=3,swap=false", "classic", 1)],
)
def test_a_winning_move_costs_nothing_on_any_scale(
    identity: str, terminal: str, value: float
) -> None:
    start = athenan.make_game(identity).initial_state()
    moves = ("c1", "c2", "b2", "b1", "b3")
    match = Match(identity, start.position, ("a", "b"), moves, None)
    last = analyse(match, spec=f"ubfm-safe:terminal={terminal},expansions=2000").moves[-1]
    assert last.before.best_move != last.move, "another one wins as well"
    assert last.before.value == last.after.value == value
    assert (last.loss, last.is_mistake) == (0, False)


def test_a_mistake_costs_something_and_does_not_win() -> None:
    start = athenan.make_game("tic_tac_toe").initial_state()
    match = Match("tic_tac_toe", start.position, ("a", "b"), ("b2", "a1"), None)
    found = analyse(match, spec="ubfm-safe:expansions=3000", threshold=0)
    assert found.mistakes == []
    rated = replace(found.judgements[0], value=2.0, proven_outcome=None, best_move="c1")
    for outcome, is_mistake in ((None, True), (1, False)):
        after = replace(found.judgements[1], value=0.5, proven_outcome=outcome)
        (move,) = judged_match(found.states[:2], ["b2"], [rated, after]).moves
        assert (move.loss, move.is_mistake) == (1.5, is_mistake)


def test_policies_are_asked_for_together() -> None:
    states = list(random_states("connect_four", 6))
    spec = SearchSpec("puct:iterations=30")
    for state, found in zip(states, judge(states, spec, constant_evaluator()), strict=True):
        search = alone(state, spec, constant_evaluator())
        assert [c.count for c in found.candidates] == sorted(
            (each.count for each in search.root_moves), reverse=True
        )


def test_lines_are_legal_and_follow_their_moves() -> None:
    state = athenan.make_game("othello:size=6").initial_state()
    found = analyse(state, athenan.hash_evaluator(), "ubfm-safe:expansions=100")
    assert len(found.candidates) == len(state.legal_moves())
    for each in found.candidates:
        assert each.line[0] == each.move
        after = state
        for move in each.line:
            after = after.play(move)
    assert max(len(each.line) for each in found.candidates) > 2
    assert found.line == found.candidates[0].line


@pytest.mark.parametrize("algorithm", athenan.algorithms(), ids=lambda each: each.name)
@pytest.mark.parametrize("expansions", [1, 3, 50])
def test_every_search_has_a_line_for_each_move(algorithm: Algorithm, expansions: int) -> None:
    game = athenan.make_game("morpion" if algorithm.for_one_player else "connect_four")
    state, spec = game.initial_state(), SearchSpec(algorithm.name).with_(expansions=expansions)
    search = alone(state, spec, constant_evaluator())
    for move in state.legal_moves():
        line, after = search.line_after(move), state
        assert line[0] == move
        for each in line:
            after = after.play(each)


def test_asking_in_between_changes_nothing() -> None:
    state = athenan.make_game("hex:size=5").initial_state()
    asked, quiet = (Thinking(state, SearchSpec("ubfm-safe:expansions=60")) for _ in "ab")
    evaluator, partial = athenan.hash_evaluator(), list[Judgement]()
    while not (asked.is_over and quiet.is_over):
        step([asked, quiet], evaluator)
        if (found := asked.judgement()) is not None and not asked.is_over:
            partial.append(found)
    assert asked.judgement() == quiet.judgement()
    work = [each.work.expansions for each in partial]
    assert len(partial) > 20
    assert work == sorted(work)
    assert Thinking(state, SearchSpec("ubfm-safe")).judgement() is None


def test_win_probability_is_given_where_it_means_something() -> None:
    state = athenan.make_game("othello:size=6").initial_state()
    classic = analyse(state, constant_evaluator(0.5), expansions=3)
    assert classic.value == 0.5
    assert classic.win_probability == 0.75
    points = analyse(state, constant_evaluator(7), expansions=3, terminal="score")
    assert (points.value, points.win_probability) == (7.0, None)
    alone = athenan.make_game("morpion").initial_state()
    assert analyse(alone, expansions=20).win_probability is None


def test_proven_outcomes_are_right() -> None:
    for state in random_states("tic_tac_toe", 40, seed=4):
        found = analyse(state, spec="ubfm-safe", expansions=5000)
        exact = value(state)
        assert found.proven_outcome == exact
        assert found.win_probability == (exact + 1) / 2


@pytest.mark.parametrize("spec", ["mcts", "uct"])
def test_searches_that_prove_nothing_have_proofs_beside_them(spec: str) -> None:
    proven = 0
    for state in random_states("tic_tac_toe", 60, seed=2):
        found = analyse(state, spec=spec, expansions=20)
        if state.is_terminal or found.proven_outcome is None:
            continue
        proven += 1
        assert found.proven_outcome == value(state)
        assert found.best_move is not None
        assert value(state.play(found.best_move)) == value(state)
        for each in found.candidates:
            if each.proven_outcome is not None:
                assert each.proven_outcome == value(state.play(each.move))
    assert proven > 30


def test_a_move_that_is_proven_to_lose_is_not_the_best_while_others_are_open() -> None:
    state = athenan.make_game("connect_four").initial_state()
    for move in ["d", "d", "d", "d", "c", "e"]:
        state = state.play(move)
    found = analyse(state, expansions=30)
    losing = {each.move for each in found.candidates if each.proven_outcome == -1}
    assert found.best_move not in losing
    assert found.candidates[0].move == found.best_move


def test_a_search_without_values_names_its_move_alone() -> None:
    found = analyse(athenan.make_game("hex:size=3").initial_state(), spec="random")
    assert found.best_move is not None
    assert (found.value, found.candidates, found.line) == (None, (), ())


def test_mistakes_are_those_that_lose_the_proven_outcome() -> None:
    """Against an oracle that looks at everything: all moves of random matches of tic-tac-toe."""
    random, seen = athenan.Random(9), 0
    for _ in range(6):
        states, moves = [athenan.make_game("tic_tac_toe").initial_state()], []
        while not states[-1].is_terminal:
            legal = states[-1].legal_move_strings()
            moves.append(legal[random.below(len(legal))])
            states.append(states[-1].play(moves[-1]))
        match = Match("tic_tac_toe", states[0].position, ("a", "b"), tuple(moves), None)
        found = analyse(match, spec="ubfm-safe", expansions=5000)
        for judged, before, after in zip(found.moves, states[:-1], states[1:], strict=True):
            values = [
                value(state) * (1 if before.to_move == 0 else -1) for state in (before, after)
            ]
            assert judged.is_mistake == (values[1] < values[0])
            assert judged.lost_outcome == (tuple(values) if values[1] < values[0] else None)
            if judged.is_mistake:
                assert judged.better is not None
                assert value(before.play(judged.better.move)) == value(before)
                seen += 1
    assert seen > 5


def value(state: athenan.State) -> float:
    return float(state.outcome) if state.outcome is not None else exact_value(state)


def test_what_a_move_cost_is_measured_on_the_scale_of_the_match() -> None:
    states = list(random_states("hex:size=4,swap=false", 4))
    moves = [next(m for m in a.legal_move_strings() if a.play(m) == b) for a, b in pairwise(states)]

    def judgement(state: athenan.State, worth: float) -> Judgement:
        return Judgement(state, worth, None, None, "other", (), Work())

    judgements = [judgement(s, v) for s, v in zip(states, [10.0, 7.9, 8.5, 8.4], strict=True)]
    found = judged_match(states, moves, judgements)
    assert [round(each.loss, 3) for each in found.moves] == [2.1, 0.6, 0.1]
    assert [each.is_mistake for each in found.moves] == [True, False, False]
    assert [each.ply for each in judged_match(states, moves, judgements, (), 0.05).mistakes] == [
        0,
        1,
    ]
    assert math.isclose(found.mean_loss(0), 1.1)
    assert found.as_json()["mistakes"] == [0]


def test_pictures_of_judgements_have_heat_and_arrows() -> None:
    state = athenan.make_game("hex:size=4").initial_state()
    found = analyse(state, expansions=200)
    overlay = found.overlay()
    assert overlay.heat
    assert 1 <= len(overlay.arrows) <= 3
    match = Match("tic_tac_toe", "3/3/3 x", ("a", "b"), ("b2", "b1", "c1"), None)
    analysis = analyse(match, spec="ubfm-safe", expansions=2000)
    assert 'class="arrow"' in analysis.svg(2)
    assert analysis._repr_svg_() == analysis.svg(3)


@pytest.mark.parametrize("name", athenan.game_names())
def test_every_game_is_judged_and_drawn(name: str) -> None:
    for state in list(random_states(name, 30))[::14]:
        found = analyse(state, expansions=3)
        assert (found.best_move is None) == state.is_terminal
        assert found.svg().startswith("<svg")
        assert json.dumps(found.as_json(), allow_nan=False)
        assert found.state.is_terminal or found.best_move in state.legal_move_strings()


def test_stopping_ends_a_position_and_a_match() -> None:
    stop = athenan.Stop()
    stop.request()
    state = athenan.make_game("hex:size=11").initial_state()
    assert analyse(state, spec="ubfm-safe", stop=stop, expansions=10**9).best_move is not None
    with pytest.raises(athenan.Stopped):
        analyse(
            Match("hex:size=11,swap=true", state.position, ("a",), ("a1", "a2"), None), stop=stop
        )


@pytest.mark.parametrize(
    ("subject", "sentence"),
    [
        (None, "analyse expects a State or a Match, not NoneType"),
        (Match("chess", "x", ("a",), (), None), "chess"),
        (Match("tic_tac_toe", "3/3/3 x", ("a",), ("b2", "b2"), None), "move 'b2' is not legal"),
        (Match("mine.py", "x", ("a",), (), None), "name its file, as in --game mine.py"),
    ],
)
def test_misuse_is_told_in_a_sentence(subject: Match, sentence: str) -> None:
    with pytest.raises(athenan.Error, match=sentence):
        analyse(subject)
