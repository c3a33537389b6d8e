"""MCTS: a run by hand, the formulas, and what must hold in any run."""

from math import exp, log, sqrt

import athenan
import numpy as np
import pytest
from athenan import reference as ref
from athenan.reference import Budget, MctsSearch
from athenan.reference.evaluation import Planes, Values
from athenan.reference.mcts import MctsEdge, policy
from reference.graph_game import End, NoLuck, Script, Toy, first, hash_evaluate, second


def small_game() -> Toy:
    return Toy(
        {
            "root": first("a", "b"),
            "a": second("a_draw", "a_loss"),
            "b": second("b1"),
            "b1": first("b_win"),
            "a_draw": End(0, 0),
            "a_loss": End(-1, -1),
            "b_win": End(1, 1),
        },
        {"root": 0.0, "a": 0.5, "b": -0.5, "b1": 0.25},
    )


def rows(search: MctsSearch, toy: Toy) -> dict[str, list[tuple[float, int]]]:
    return {
        toy.name(node.state): [(edge.w, edge.n) for edge in node.edges]
        for node in search.nodes.values()
        if node.edges
    }


def test_by_hand() -> None:
    toy = small_game()
    luck = Script((2, 1), (2, 1))
    search = MctsSearch(ref.Uct(0.4), ref.network_leaf(toy.evaluate), ref.SCORE, luck)
    # The root, then b by lot, then a; then a again by its mean, and a_loss by lot.
    root = search.search(toy.root, Budget(iterations=3))
    assert rows(search, toy)["root"] == [(0.5, 1), (-0.5, 1)]
    assert toy.evaluated == ["root", "b", "a"]
    assert root.value == 0.0
    search.search(toy.root, Budget(iterations=1))
    assert rows(search, toy) == {
        "root": [(-0.5, 2), (-0.5, 1)],
        "b": [(0.0, 0)],
        "a": [(0.0, 0), (-1.0, 1)],
    }
    # a: -0.25 + 0.4 sqrt(ln 3 / 2) = 0.046; b: -0.5 + 0.4 sqrt(ln 3) = -0.081. In a the move
    # never tried.
    search.search(toy.root, Budget(iterations=1))
    assert rows(search, toy)["root"] == [(-0.5, 3), (-0.5, 1)]
    assert rows(search, toy)["a"] == [(0.0, 1), (-1.0, 1)]
    # a: -0.167 + 0.4 sqrt(ln 4 / 3) = 0.105; b: -0.5 + 0.4 sqrt(ln 4) = -0.029. In a the second
    # player prefers -1.
    search.search(toy.root, Budget(iterations=1))
    assert rows(search, toy)["root"] == [(-1.5, 4), (-0.5, 1)]
    assert rows(search, toy)["a"] == [(0.0, 1), (-2.0, 2)]
    assert search.value(toy.root) == ref.labels.float32(-2.0 / 5)
    assert search.decide(toy.root).move == 0
    assert [(edge.v, edge.n) for edge in search.edges(toy.root)] == [(-0.375, 4), (-0.5, 1)]
    learned = {toy.name(state): value for state, value in search.learning_states()}
    assert learned.keys() == {"root", "a", "a_draw", "a_loss"}  # below b nothing was seen
    assert learned["a_loss"] == -1.0
    assert learned["a"] == ref.labels.float32(-2.0 / 3)


def test_formulas() -> None:
    edge = MctsEdge(0, small_game().root, 0, prior=0.25, n=3, w=1.5, network_w=0.6)
    assert ref.Uct(0.4).score(edge, 7, 1) == (0.5 + 0.4 * sqrt(log(7) / 3),)
    assert ref.Uct(0.4).score(edge, 7, -1) == (-0.5 + 0.4 * sqrt(log(7) / 3),)
    assert ref.Puct(2.0).score(edge, 7, -1) == (-0.5 + 2.0 * 0.25 * sqrt(7) / 4,)
    exit_score = ref.ExItUct(0.4, 100.0, 0.75).score(edge, 7, -1)[0]
    assert exit_score == pytest.approx(
        -0.5 + 0.4 * sqrt(log(7) / 3) + 100 * 0.25 / 4 - 0.75 * 0.2, abs=1e-12
    )
    untried = MctsEdge(0, small_game().root, 0, prior=0.25)
    assert ref.Puct(2.0).score(untried, 0, 1) == (0.5,)
    assert ref.Uct().score(untried, 7, 1) > ref.Uct().score(edge, 7, 1)


def test_the_policy_orders_moves_that_exit_never_tried() -> None:
    toy = small_game()

    def leaf(state: athenan.State) -> ref.Leaf:
        count = len(state.legal_moves())
        return ref.Leaf(0.0, 0.0, [0.25, 0.75] if count == 2 else [1.0])

    search = MctsSearch(ref.ExItUct(), leaf, ref.SCORE, NoLuck())
    search.search(toy.root, Budget(iterations=2))
    assert [edge.n for edge in search.edges(toy.root)] == [0, 1]


def test_policy_over_the_legal_moves() -> None:
    state = athenan.make_game("tic_tac_toe").initial_state().play("b2")

    def evaluate(planes: Planes) -> tuple[Values, Values]:
        logits = np.arange(9, dtype=np.float32)[None].repeat(len(planes), 0)
        return np.full(len(planes), 0.5, np.float32), logits

    leaf = ref.policy_leaf(evaluate, temperature=2.0)(state)
    weights = [exp(move / 2) for move in state.legal_moves()]
    assert leaf.priors == pytest.approx([weight / sum(weights) for weight in weights])
    assert leaf.value == leaf.network_value == 0.5
    assert policy([1000.0, 1000.0], 1.0) == [0.5, 0.5]

    search = MctsSearch(ref.Puct(), ref.policy_leaf(evaluate), ref.CLASSIC, athenan.Random(1))
    root = search.search(state, Budget(iterations=2))
    assert [edge.move for edge in root.edges if edge.n] == [8]


@pytest.mark.parametrize("formula", [ref.Uct(), ref.Uct(sqrt(2)), ref.ExItUct(), ref.Puct()])
def test_sums_fit_together(formula: ref.Uct | ref.ExItUct | ref.Puct) -> None:
    start = athenan.make_game("tic_tac_toe").initial_state()
    luck = athenan.Random(4)
    search = MctsSearch(formula, ref.network_leaf(hash_evaluate), ref.CLASSIC, luck)
    root = search.search(start, Budget(iterations=400))
    assert sum(edge.n for edge in root.edges) == 399
    assert search.spent.evaluations == search.spent.expansions == len(search.labels())
    for node in search.nodes.values():
        assert all(abs(edge.w) <= edge.n for edge in node.edges)
        assert -1 <= node.value <= 1
    best = search.decide(start)
    assert best.n == max(edge.n for edge in root.edges)
    again = MctsSearch(formula, ref.network_leaf(hash_evaluate), ref.CLASSIC, athenan.Random(4))
    again.search(start, Budget(iterations=400))
    assert again.labels() == search.labels()


def test_ties_of_visits_go_to_the_mean() -> None:
    toy = small_game()
    search = MctsSearch(ref.Uct(), ref.network_leaf(toy.evaluate), ref.SCORE, Script((2, 0)))
    search.search(toy.root, Budget(iterations=3))
    assert [edge.n for edge in search.edges(toy.root)] == [1, 1]
    assert search.decide(toy.root).move == 0
    search.nodes[toy.root.key].edges[1].w = 0.5
    search.random = Script((2, 1))
    assert search.decide(toy.root).move == 1


@pytest.mark.parametrize(
    ("moves", "winning"), [(["a1", "a2", "b1", "b2"], "c1"), (["a2", "a1", "b3", "b1", "c2"], "c1")]
)
def test_base_mcts_takes_a_win(moves: list[str], winning: str) -> None:
    state = athenan.make_game("tic_tac_toe").initial_state()
    for move in moves:
        state = state.play(move)
    luck = athenan.Random(9)
    leaf = ref.playout_leaf(ref.random_playout(luck))
    search = MctsSearch(ref.Uct(sqrt(2)), leaf, ref.CLASSIC, luck)
    search.search(state, Budget(iterations=500))
    assert state.move_to_string(search.decide(state).move) == winning


def test_a_finished_tree_ends_a_search_by_evaluations() -> None:
    toy = small_game()
    search = MctsSearch(ref.Uct(), ref.network_leaf(toy.evaluate), ref.SCORE, athenan.Random(1))
    search.search(toy.root, Budget(evaluations=100))
    assert search.spent.evaluations == 4
    assert search.spent.iterations > 1000
