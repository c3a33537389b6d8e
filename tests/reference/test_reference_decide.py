"""Decisions and action selection: ranks by hand, the order of the draws, the distributions."""

from collections import Counter
from collections.abc import Sequence
from math import exp, sqrt

import athenan
import pytest
from athenan import reference as ref
from athenan.reference import ActionSelection, Edge, Node, action_selection
from reference.graph_game import NoLuck, Script

FIRST = athenan.make_game("tic_tac_toe").initial_state()
SECOND = FIRST.play("b2")
STATES = {1: FIRST, -1: SECOND}
DRAWS = 20_000
DEVIATIONS = 5.5
"""Counts are accepted within so many standard deviations: one in 2.6e7 fails by bad luck."""


def edge(move: int, v: float, c: int = 0, r: int = 0, n: int = 0) -> Edge:
    return Edge(move, FIRST, move, v, c, r, n)


def both_sides(edges: Sequence[Edge]) -> list[tuple[athenan.State, list[Edge]]]:
    """The same choice for the first player, and mirrored for the second."""
    mirrored = [edge(a.move, -a.v, -a.c, a.r, a.n) for a in edges]
    return [(FIRST, list(edges)), (SECOND, mirrored)]


def node_of(state: athenan.State, edges: list[Edge]) -> Node:
    return Node(state, state.key, edges)


def test_the_best_move_and_its_dual() -> None:
    edges = [edge(0, 1, n=1), edge(1, 2, n=3), edge(2, 2, n=5), edge(3, 9, c=-1, r=1)]
    for state, moves in both_sides(edges):
        assert ref.completed_best_action(state, moves, NoLuck()).move == 2
        assert ref.completed_best_action_dual(state, moves, NoLuck()).move == 1
        assert ref.best_action(node_of(state, moves), NoLuck()).move == 2


def test_completion_comes_before_value_and_value_before_count() -> None:
    for state, moves in both_sides([edge(0, 5, n=9), edge(1, 1, c=1, r=1), edge(2, 6)]):
        assert ref.completed_best_action(state, moves, NoLuck()).move == 1
        assert ref.completed_best_action_dual(state, moves[::2], NoLuck()).move == 2


def test_ties_cost_one_draw_in_the_order_of_the_moves() -> None:
    edges = [edge(4, 1), edge(5, 2, n=1), edge(6, 2), edge(7, 2), edge(8, 2)]
    for state, moves in both_sides(edges):
        assert ref.completed_best_action_dual(state, moves, Script((3, 1))).move == 7


@pytest.mark.parametrize(
    ("edges", "safest", "drawing"),
    [
        ([edge(0, 1, n=5), edge(1, 9, n=4)], 0, 0),
        ([edge(0, 1, n=5), edge(1, 9, n=5)], 1, 1),
        ([edge(0, 9, n=9), edge(1, 1, c=1, r=1, n=1)], 1, 1),
        ([edge(0, 9, n=9, c=-1, r=1), edge(1, 1, n=1)], 1, 1),
        ([edge(0, 9, n=9), edge(1, 0, r=1, n=1)], 0, 1),
        ([edge(0, 9, n=9), edge(1, 0, r=1, n=3), edge(2, 0, r=1, n=4)], 0, 2),
        ([edge(0, -9, c=-1, r=1, n=9), edge(1, -2, c=-1, r=1, n=1)], 1, 1),
        ([edge(0, -2, c=-1, r=1, n=1), edge(1, -2, c=-1, r=1, n=3)], 1, 1),
    ],
    ids=["count", "value", "win", "loss", "draw", "draw by count", "slow defeat", "equal defeats"],
)
def test_safe_decisions(edges: list[Edge], safest: int, drawing: int) -> None:
    for state, moves in both_sides(edges):
        node = node_of(state, moves)
        assert ref.safest_action(node, NoLuck()).move == safest
        assert ref.safest_action_preferring_draws(node, NoLuck()).move == drawing


def test_resolution() -> None:
    edges = [edge(0, 1, r=1), edge(1, 2)]
    assert ref.backup_resolution(Node(FIRST, 0, edges)) == 0
    assert ref.backup_resolution(Node(FIRST, 0, edges, c=-1)) == 1
    assert ref.backup_resolution(Node(FIRST, 0, edges[:1])) == 1


def test_draws_of_epsilon_greedy() -> None:
    for state, moves in both_sides([edge(5, 1), edge(6, 2), edge(7, 2)]):
        assert ref.epsilon_greedy(state, moves, 0.3, Script(0.3, (2, 1))).move == 7
        assert ref.epsilon_greedy(state, moves, 0.3, Script(0.31, (3, 0))).move == 5
        assert ref.epsilon_greedy(state, moves[:2], 0.3, Script(0.2)).move == 6


def test_draws_of_softmax() -> None:
    weights = [exp(-2.0), 1.0, exp(-1.0)]
    total = sum(weights)
    for state, moves in both_sides([edge(5, 1), edge(6, 2), edge(7, 1.5)]):
        for move, below in ((5, weights[0]), (6, weights[0] + 1), (7, total)):
            assert ref.softmax(state, moves, 0.5, Script(below / total - 1e-9)).move == move
        assert ref.softmax(state, moves, 0.5, Script(weights[0] / total + 1e-9)).move == 6


def test_draws_of_ordinal() -> None:
    for state, moves in both_sides([edge(5, 1), edge(6, 2), edge(7, 2)]):
        # The shuffle below makes it 7, 6, 5; then the first is refused and the second is taken.
        luck = Script((3, 0), (2, 1), 0.7, 0.6)
        assert ref.ordinal(state, moves, 0.4, luck).move == 6
        assert luck.answers == []
        # Thresholds: (0.4 * 2 + 1) / 3 = 0.6, (0.4 + 1) / 2 = 0.7, 1.
        assert ref.ordinal(state, moves, 0.4, Script((3, 0), (2, 1), 0.61, 0.71, 0.99)).move == 5
        assert ref.ordinal(state, moves, 0.4, Script((3, 2), (2, 1), 0.59)).move == 6


def test_uniform_exploitation_is_drawn_first_and_not_for_a_win() -> None:
    setting = ActionSelection("epsilon_greedy", "uniform")
    moves = [edge(5, 1), edge(6, 2)]
    assert action_selection(FIRST, moves, setting, 0.0, Script(0.5, 0.4)).move == 6
    assert action_selection(FIRST, moves, setting, 0.0, Script(0.5, 0.6, (2, 0))).move == 5
    moves.append(edge(7, 0, c=1, r=1))
    assert action_selection(FIRST, moves, setting, 0.0, NoLuck()).move == 7


@pytest.mark.parametrize("distribution", ["max", "epsilon_greedy", "softmax", "ordinal"])
def test_completed_selection(distribution: str) -> None:
    setting = ActionSelection(distribution, 0.0, temperature=100.0)  # type: ignore[arg-type]
    luck = athenan.Random(7)
    wins = [edge(0, 9), edge(1, 1, c=1, r=1), edge(2, 3, c=1, r=1), edge(3, 5, c=-1, r=1)]
    losses = [edge(0, 9, c=-1, r=1), edge(1, 1), edge(2, 0, r=1)]
    lost = [edge(0, -9, c=-1, r=1), edge(1, -1, c=-1, r=1)]
    for (state, winning), (_, losing), (_, hopeless) in zip(
        *map(both_sides, (wins, losses, lost)), strict=True
    ):
        for _ in range(50):
            assert action_selection(state, winning, setting, 0.0, luck).move == 2
        seen = {action_selection(state, losing, setting, 0.0, luck).move for _ in range(200)}
        assert seen == ({1} if distribution == "max" else {1, 2})
        seen = {action_selection(state, hopeless, setting, 0.0, luck).move for _ in range(200)}
        assert seen == ({1} if distribution == "max" else {0, 1})


def test_plain_selection_ignores_resolution() -> None:
    setting = ActionSelection("epsilon_greedy", 0.0, completed=False)
    moves = [edge(0, 9, c=1, r=1), edge(1, 1), edge(2, 0, c=-1, r=1)]
    luck = athenan.Random(7)
    assert {action_selection(FIRST, moves, setting, 0.0, luck).move for _ in range(200)} == {
        0,
        1,
        2,
    }


def check_law(
    expected: Sequence[float], setting: ActionSelection, progress: float = 0.0, seed: int = 11
) -> None:
    """The i-th best move has the i-th probability, for both players."""
    order = [3, 0, 4, 1, 2][: len(expected)]
    ranked = [edge(move, -order.index(move)) for move in sorted(order)]
    for state, moves in both_sides(ranked):
        luck = athenan.Random(seed)
        drawn = Counter(
            action_selection(state, moves, setting, progress, luck).move for _ in range(DRAWS)
        )
        for move, p in zip(order, expected, strict=True):
            deviation = sqrt(DRAWS * p * (1 - p))
            assert abs(drawn[move] - DRAWS * p) <= DEVIATIONS * deviation, (move, drawn)


@pytest.mark.parametrize("rate", [0.0, 0.35, 0.8, 1.0])
@pytest.mark.parametrize("n", [2, 5])
def test_law_of_ordinal(n: int, rate: float) -> None:
    closed_form: list[float] = []
    for i in range(n):
        closed_form.append((rate + (1 - rate) / (n - i)) * (1 - sum(closed_form)))
    assert sum(closed_form) == pytest.approx(1)
    assert ref.ordinal_probabilities(n, rate) == pytest.approx(closed_form)
    check_law(closed_form, ActionSelection("ordinal", rate))


def test_law_of_ordinal_with_equal_moves() -> None:
    luck = athenan.Random(2)
    moves = [edge(0, 1), edge(1, 2), edge(2, 2), edge(3, 2)]
    drawn = Counter(ref.ordinal(FIRST, moves, 0.5, luck).move for _ in range(DRAWS))
    last = ref.ordinal_probabilities(4, 0.5)[3]
    for move, p in ((0, last), *((move, (1 - last) / 3) for move in (1, 2, 3))):
        assert abs(drawn[move] - DRAWS * p) <= DEVIATIONS * sqrt(DRAWS * p * (1 - p))


@pytest.mark.parametrize("rate", [0.0, 0.35, 0.8])
def test_law_of_epsilon_greedy(rate: float) -> None:
    others = (1 - rate) / 5
    check_law([rate + others] + 4 * [others], ActionSelection("epsilon_greedy", rate))


def test_law_of_annealed_and_uniform_rates() -> None:
    check_law([0.8, 0.1, 0.1], ActionSelection("epsilon_greedy"), progress=0.7)
    check_law([2 / 3, 1 / 6, 1 / 6], ActionSelection("epsilon_greedy", "uniform"))
    # With ε' uniform: P(c_0) = 1/2 + 1/6; given not c_0, ε' has the density 2 (1 - ε'), whose mean
    # 1/3 makes the second best 2/3 likely.
    check_law([2 / 3, 2 / 9, 1 / 9], ActionSelection("ordinal", "uniform"))


@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_law_of_softmax(temperature: float) -> None:
    weights = [exp(-i / temperature) for i in range(5)]
    setting = ActionSelection("softmax", temperature=temperature)
    check_law([weight / sum(weights) for weight in weights], setting)


def test_parameters_out_of_range_are_refused() -> None:
    with pytest.raises(athenan.ParameterError, match=r"from 0 to 1, not 1\.5"):
        ActionSelection("ordinal", 1.5)
    with pytest.raises(athenan.ParameterError, match="temperature is above 0, not 0"):
        ActionSelection("softmax", temperature=0)
