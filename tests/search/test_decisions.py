"""Decisions and selection distributions: equal to the reference, and to their closed forms."""

from __future__ import annotations

from collections import Counter
from math import exp

import athenan
import pytest
from athenan import _core
from athenan import reference as ref

# The probability that a right implementation fails a test of this file is below 1e-6 per test:
# a bound on the chi-square statistic of k cells, from the Wilson-Hilferty approximation.
Z = 4.76  # the normal quantile of 1e-6


def chi_square_limit(cells: int) -> float:
    k = cells - 1
    return float(k * (1 - 2 / (9 * k) + Z * (2 / (9 * k)) ** 0.5) ** 3)


def random_labels(random: athenan.Random, count: int) -> list[_core.MoveLabel]:
    """Labels with many ties, some resolved."""
    labels = []
    for move in range(count):
        resolved = random.below(3) == 0
        completion = random.below(3) - 1 if resolved else 0
        labels.append(
            _core.MoveLabel(move, random.below(4) / 4, completion, int(resolved), random.below(3))
        )
    return labels


def edges_of(labels: list[_core.MoveLabel], player: int) -> ref.Node:
    """A state of tic-tac-toe with the player to move and these labels on its moves."""
    state = athenan.make_game("tic_tac_toe").initial_state()
    if player == 1:
        state = state.play("a1")
    node = ref.Node(state, state.key)
    node.edges = [
        ref.Edge(a.move, state, 0, v=a.value, c=a.completion, r=int(a.resolved), n=a.count)
        for a in labels
    ]
    return node


@pytest.mark.parametrize("player", [0, 1])
def test_decisions_equal_the_reference(player: int) -> None:
    source = athenan.Random(11)
    for seed in range(300):
        labels = random_labels(source, 1 + source.below(7))
        node = edges_of(labels, player)
        pairs = [
            (_core.best_action(labels, player, False, athenan.Random(seed)), ref.best_action),
            (_core.safest_action(labels, player, False, athenan.Random(seed)), ref.safest_action),
            (
                _core.safest_action(labels, player, True, athenan.Random(seed)),
                ref.safest_action_preferring_draws,
            ),
        ]
        for chosen, reference in pairs:
            assert labels[chosen].move == reference(node, athenan.Random(seed)).move


def frequencies(
    text: str, values: list[float], player: int, progress: float, draws: int
) -> Counter[int]:
    selection = _core.Selection(text)
    labels = [_core.MoveLabel(move, value) for move, value in enumerate(values)]
    random = athenan.Random(7)
    return Counter(selection(labels, player, progress, random) for _ in range(draws))


def assert_distribution(observed: Counter[int], expected: list[float]) -> None:
    draws = sum(observed.values())
    statistic = sum(
        (observed[i] - draws * p) ** 2 / (draws * p) for i, p in enumerate(expected) if p
    )
    assert all(observed[i] == 0 for i, p in enumerate(expected) if p == 0)
    assert statistic < chi_square_limit(len(expected))


VALUES = [0.3, -0.5, 0.9, 0.1, -0.2]


def by_rank(probabilities: list[float], player: int) -> list[float]:
    order = sorted(range(len(VALUES)), key=lambda i: VALUES[i], reverse=player == 0)
    return [probabilities[order.index(i)] for i in range(len(VALUES))]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("rate", [0.0, 0.25, 0.7, 1.0])
def test_ordinal_closed_form(player: int, rate: float) -> None:
    """P(c_i) = (ε' + (1 - ε') / (n - i)) (1 - Σ_{j<i} P(c_j))."""
    n, rest, expected = len(VALUES), 1.0, []
    for i in range(n):
        expected.append((rate + (1 - rate) / (n - i)) * rest)
        rest -= expected[-1]
    assert expected == pytest.approx(ref.ordinal_probabilities(n, rate))
    for text, progress in (
        (f"ordinal:exploitation={rate}", 0.5),
        ("ordinal:schedule=annealed", rate),
    ):
        observed = frequencies(text, VALUES, player, progress, 20_000)
        assert_distribution(observed, by_rank(expected, player))


def test_ordinal_with_a_uniform_rate_is_the_mean_over_rates() -> None:
    steps = 2000
    mean = [0.0] * len(VALUES)
    for k in range(steps):
        for i, p in enumerate(ref.ordinal_probabilities(len(VALUES), (k + 0.5) / steps)):
            mean[i] += p / steps
    assert_distribution(
        frequencies("ordinal:schedule=uniform", VALUES, 0, 0, 40_000), by_rank(mean, 0)
    )


@pytest.mark.parametrize("player", [0, 1])
def test_epsilon_greedy(player: int) -> None:
    rate = 0.6
    expected = by_rank([rate + (1 - rate) / 5] + [(1 - rate) / 5] * 4, player)
    observed = frequencies(f"epsilon-greedy:exploitation={rate}", VALUES, player, 0, 20_000)
    assert_distribution(observed, expected)


@pytest.mark.parametrize("player", [0, 1])
def test_softmax(player: int) -> None:
    sign, temperature = (1 if player == 0 else -1), 0.5
    weights = [exp(sign * v / temperature) for v in VALUES]
    expected = [w / sum(weights) for w in weights]
    assert_distribution(
        frequencies(f"softmax:temperature={temperature}", VALUES, player, 0, 20_000), expected
    )


@pytest.mark.parametrize("text", ["max", "ordinal", "epsilon-greedy", "softmax"])
def test_ties_are_broken_uniformly(text: str) -> None:
    assert_distribution(frequencies(text, [0.5] * 4, 0, 0, 20_000), [0.25] * 4)


def test_completed_selection_plays_wins_and_avoids_losses() -> None:
    random = athenan.Random(1)
    win = _core.MoveLabel(0, 0.1, 1, 1)
    loss = _core.MoveLabel(1, 0.9, -1, 1)
    open_move = _core.MoveLabel(2, -0.9)
    for text in (
        "max",
        "ordinal:exploitation=0",
        "epsilon-greedy:exploitation=0",
        "softmax:temperature=100",
    ):
        selection = _core.Selection(text)
        assert {selection([loss, win, open_move], 0, 0, random) for _ in range(50)} == {1}
        assert {selection([loss, open_move, open_move], 0, 0, random) for _ in range(50)} <= {1, 2}
        assert {selection([loss, loss], 0, 0, random) for _ in range(50)} <= {0, 1}
        assert {selection([loss, win, open_move], 1, 0, random) for _ in range(50)} == {0}
    plain = _core.Selection("max:completed=false")
    assert plain([loss, open_move], 0, 0, random) == 1  # by (c, v): a proven loss is worst
    uniform = _core.Selection("epsilon-greedy:exploitation=0,completed=false")
    assert {uniform([loss, win], 0, 0, random) for _ in range(50)} == {0, 1}


@pytest.mark.parametrize("law", ["max", "epsilon-greedy", "softmax", "ordinal"])
@pytest.mark.parametrize("completed", [True, False])
def test_selections_equal_the_reference(law: str, completed: bool) -> None:
    source = athenan.Random(5)
    options = {
        "epsilon-greedy": ",exploitation=0.4",
        "ordinal": ",exploitation=0.4",
        "softmax": ",temperature=0.7",
    }
    engine = _core.Selection(f"{law}:completed={str(completed).lower()}{options.get(law, '')}")
    for seed in range(200):
        player = source.below(2)
        labels = random_labels(source, 1 + source.below(7))
        node = edges_of(labels, player)
        chosen = reference_selection(law, completed, node, athenan.Random(seed))
        assert labels[engine(labels, player, 0.0, athenan.Random(seed))].move == chosen


def reference_selection(law: str, completed: bool, node: ref.Node, random: athenan.Random) -> int:
    config = ref.ActionSelection(
        {"max": "max", "epsilon-greedy": "epsilon_greedy"}.get(law, law),  # type: ignore[arg-type]
        exploitation=0.4,
        temperature=0.7,
        completed=completed,
    )
    return ref.action_selection(node.state, node.edges, config, 0.0, random).move
