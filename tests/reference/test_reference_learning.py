"""Matches, learning data, replay and ExIt."""

from collections import Counter
from math import ceil, log, sqrt

import athenan
import pytest
from athenan import reference as ref
from athenan.reference import (
    ActionSelection,
    Budget,
    ReplayMemory,
    StratifiedMemory,
    experience_replay,
    minibatches,
    stratified_experience_replay,
)
from athenan.reference.mcts import MctsEdge, MctsNode
from athenan.reference.replay import number_of_minibatches
from reference.graph_game import NoLuck, Script, hash_evaluate, random_toy

START = athenan.make_game("tic_tac_toe").initial_state()
Data = list[tuple[athenan.State, float]]


def numbered(*values: float) -> Data:
    return [(START, value) for value in values]


def values_of(data: Data) -> list[float]:
    return [value for _, value in data]


def searchers(seed: int) -> list[ref.Searcher]:
    luck = athenan.Random(seed)
    return [
        ref.BestFirstSearch(ref.COMPLETED_DESCENT, hash_evaluate, ref.CLASSIC, luck),
        ref.BestFirstSearch(
            ref.BestFirst("expansion", transpositions=False), hash_evaluate, ref.CLASSIC, luck
        ),
        ref.MctsSearch(ref.Uct(), ref.network_leaf(hash_evaluate), ref.CLASSIC, luck),
        ref.AlphaBetaSearch(hash_evaluate, ref.CLASSIC),
    ]


@pytest.mark.parametrize("which", range(4))
def test_matches_and_what_they_teach(which: int) -> None:
    searcher = searchers(1)[which]
    setting = ActionSelection("ordinal", 0.5)
    luck = athenan.Random(2)
    match = ref.play_match(
        START, searcher, Budget(expansions=20), ref.by_selection(setting, 0.0, luck)
    )
    state = START
    for move, expected in zip(match.moves, match.states[1:], strict=True):
        state = state.play(move)
        assert state == expected
    assert state.is_terminal
    end = ref.CLASSIC(state)

    roots = ref.root_learning(match)
    assert [s for s, _ in roots] == match.states
    assert values_of(roots)[:-1] == [searcher.value(s) for s in match.states[:-1]]
    assert values_of(roots)[-1] == end
    assert ref.terminal_learning(match) == [(s, end) for s in match.states]

    tree = ref.tree_learning(match)
    assert {s.key for s, _ in tree} >= {s.key for s in match.states[:-1]}
    assert all(value == ref.CLASSIC(s) for s, value in tree if s.is_terminal)
    assert any(s.is_terminal for s, _ in tree)

    again = ref.play_match(
        START,
        searchers(1)[which],
        Budget(expansions=20),
        ref.by_selection(setting, 0.0, athenan.Random(2)),
    )
    assert (again.moves, again.values) == (match.moves, match.values)


def test_tree_learning_leaves_out_leaves_that_are_not_terminal() -> None:
    searcher = ref.BestFirstSearch(
        ref.COMPLETED_UBFM, hash_evaluate, ref.CLASSIC, athenan.Random(1)
    )
    state = START.play("a1").play("b2")
    searcher.search(state, Budget(expansions=30))
    learned = {s.key for s, _ in searcher.learning_states()}
    expanded = set(searcher.labels())
    leaves = [edge.child for node in searcher.nodes.values() for edge in node.edges]
    ends = {leaf.key for leaf in leaves if leaf.is_terminal}
    assert learned == expanded | ends
    assert not {leaf.key for leaf in leaves} <= learned


def test_perfect_play_is_a_draw() -> None:
    searcher = ref.BestFirstSearch(
        ref.COMPLETED_UBFM, hash_evaluate, ref.CLASSIC, athenan.Random(1)
    )

    state = START
    while not state.is_terminal:
        state = state.play(ref.ubfms(searcher, state, Budget()))
    assert state.outcome == 0
    assert {searcher.value(root) for _, root in searcher.roots} == {0.0}


def test_the_learning_loop() -> None:
    seen: list[object] = []

    def play(progress: float) -> ref.Match:
        seen.append(progress)
        searcher = searchers(3)[0]
        choose = ref.by_selection(ActionSelection("max"), progress, athenan.Random(3))
        return ref.play_match(START, searcher, Budget(iterations=1), choose)

    def processing(data: Data) -> Data:
        seen.append("processing")
        return data[:2]

    def update(data: Data) -> None:
        seen.append(len(data))

    ref.learn(4, play, ref.terminal_learning, processing, update)
    assert seen[0::3] == [0.0, 0.25, 0.5, 0.75]
    assert seen[1::3] == ["processing"] * 4
    assert seen[2::3] == [2] * 4


def test_symmetric_copies() -> None:
    state = START.play("a1").play("b1")
    data = [(state, 0.5)] * 4000
    doubled = ref.symmetry(data, athenan.Random(1))
    assert doubled[:4000] == data
    assert len(doubled) == 8000
    copies = Counter(copy.position for copy, _ in doubled[4000:])
    symmetries = state.game.symmetries
    others = Counter(state.transform(i).position for i in range(1, symmetries))
    assert copies.keys() == others.keys()
    for position, count in others.items():
        p = count / (symmetries - 1)
        assert abs(copies[position] - 4000 * p) <= 5.5 * sqrt(4000 * p * (1 - p))
    assert {value for _, value in doubled} == {0.5}


def test_a_game_without_symmetries_has_no_copies() -> None:
    data = [(random_toy(1).root, 0.5)]
    assert ref.symmetry(data, NoLuck()) == data


def test_experience_replay_by_hand() -> None:
    memory = ReplayMemory(mu=5, sigma=0.6)
    assert values_of(experience_replay(numbered(1, 2), memory, NoLuck())) == [1, 2]
    assert values_of(experience_replay(numbered(3), memory, NoLuck())) == [1, 2, 3]
    # M = 1..4: three different ones of four.
    luck = Script((4, 3), (3, 0), (2, 1))
    assert values_of(experience_replay(numbered(4), memory, luck)) == [4, 2, 1]
    # 1 and 2 are forgotten.
    luck = Script((5, 0), (4, 0), (3, 0))
    assert values_of(experience_replay(numbered(5, 6, 7), memory, luck)) == [3, 4, 5]
    assert values_of(memory.pairs()) == [3, 4, 5, 6, 7]


def test_experience_replay_of_matches() -> None:
    memory = ReplayMemory(mu=2, sigma=0.5, unit="matches")
    luck = athenan.Random(1)
    sizes = []
    for match in ([1, 2, 3, 4], [5, 6], [7, 8, 9, 10, 11, 12]):
        sizes.append(len(experience_replay(numbered(*match), memory, luck)))
    assert sizes == [2, 3, 4]
    assert values_of(memory.pairs()) == [5, 6, 7, 8, 9, 10, 11, 12]


def test_replay_is_uniform_and_without_repetition() -> None:
    memory = ReplayMemory(mu=10, sigma=0.4)
    luck = athenan.Random(5)
    memory.stored.extend(numbered(*range(10))[i : i + 1] for i in range(10))
    drawn: Counter[float] = Counter()
    for _ in range(5000):
        values = values_of(experience_replay([], memory, luck))
        assert len(set(values)) == 4
        drawn.update(values)
    assert all(abs(drawn[i] - 2000) <= 5.5 * sqrt(5000 * 0.4 * 0.6) for i in range(10))


def test_minibatches() -> None:
    data = numbered(*range(10))
    batches = minibatches(data, 4, athenan.Random(1))
    assert [len(batch) for batch in batches] == [4, 4, 2]
    assert sorted(value for batch in batches for _, value in batch) == list(range(10))
    assert values_of(batches[0]) != [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("n", "batch", "g"),
    [
        (3, 10, 1),
        (10, 10, 1),
        (13, 10, 1),
        (14, 10, 2),
        (16, 10, 2),
        (19, 10, 2),
        (26, 10, 3),
        (0, 10, 1),
    ],
)
def test_number_of_minibatches(n: int, batch: int, g: int) -> None:
    # n = 13: 13 or 6 per set; 14: 14 or 7; 16: 16 or 8; 19: 19 or 9; 26: 13 or 8.
    assert number_of_minibatches(n, batch) == g


def test_stratified_replay_line_by_line() -> None:
    memory = StratifiedMemory(mu=2, delta=1)
    # One match of 3: the quota is ⌈3/2⌉ = 2, one minibatch, always 0.
    luck = Script((3, 1), (1, 0), (2, 1), (1, 0))
    batches = stratified_experience_replay(numbered(1, 2, 3), memory, 2, luck)
    assert list(map(values_of, batches)) == [[2, 3]]
    assert values_of(memory.stored[0].to_learn) == [1]
    assert values_of(memory.stored[0].learned) == [2, 3]

    # Then one of 4: quotas 2 and 2, n = 4, two minibatches. D of the first match is refilled from
    # D' when its 1 is taken, the set G when both minibatches had their turn.
    luck = Script((1, 0), (2, 1), (3, 2), (1, 0), (4, 0), (2, 0), (3, 2), (1, 0))
    batches = stratified_experience_replay(numbered(4, 5, 6, 7), memory, 2, luck)
    assert list(map(values_of, batches)) == [[1, 4], [1, 7]]
    assert luck.answers == []
    assert values_of(memory.stored[0].to_learn) == [2, 3]
    assert values_of(memory.stored[0].learned) == [1]
    assert values_of(memory.stored[1].to_learn) == [5, 6]
    assert values_of(memory.stored[1].learned) == [4, 7]

    # The first match is forgotten.
    stratified_experience_replay(numbered(8), memory, 2, athenan.Random(1))
    assert len(memory.stored) == 2
    assert values_of(memory.stored[1].to_learn) == [8]


@pytest.mark.parametrize(("mu", "delta"), [(4, 3), (10, 3), (5, 1), (3, 7)])
def test_stratified_replay_learns_delta_times_what_is_generated(mu: int, delta: int) -> None:
    memory = StratifiedMemory(mu, delta)
    luck = athenan.Random(mu)
    sizes = [int(20 + 30 * luck.uniform()) for _ in range(6 * mu)]
    learned: Counter[float] = Counter()
    for match, size in enumerate(sizes):
        data = numbered(*(match + i / 1000 for i in range(size)))
        batches = stratified_experience_replay(data, memory, 16, luck)
        stored = sizes[max(0, match - mu + 1) : match + 1]
        assert sum(map(len, batches)) == sum(ceil(delta * s / mu) for s in stored)
        assert max(map(len, batches)) - min(map(len, batches)) <= 1
        learned.update(value for batch in batches for _, value in batch)
    for match, size in enumerate(sizes[: -mu + 1]):
        times = [learned[match + i / 1000] for i in range(size)]
        assert delta * size <= sum(times) < delta * size + mu
        assert max(times) - min(times) <= 1


def test_expert_iteration() -> None:
    calls: list[object] = []

    def build_expert(apprentice: int):  # type: ignore[no-untyped-def]
        calls.append(("expert of", apprentice))
        return lambda state: (state.ply, apprentice)

    def train(data: list[tuple[athenan.State, tuple[int, int]]]) -> int:
        calls.append([target for _, target in data])
        return len(data)

    last = ref.expert_iteration(0, build_expert, lambda _: [START, START.play("a1")], train, 2)
    assert last == 4
    assert calls == [
        ("expert of", 0),
        [(0, 0), (1, 0)],
        ("expert of", 2),
        [(0, 0), (1, 0), (0, 2), (1, 2)],
        ("expert of", 4),
    ]


def test_losses_of_exit() -> None:
    root = MctsNode(START, 0, 0.0, [MctsEdge(i, START, i, n=n) for i, n in enumerate((3, 0, 1))])
    target = ref.tree_policy_target(root)
    assert target == [0.75, 0.0, 0.25]
    loss = ref.policy_loss(target, [0.5, 0.0, 0.5])
    assert loss == pytest.approx(-log(0.5))
    assert ref.value_loss(1, 0.8) == pytest.approx(-log(0.8))
    assert ref.value_loss(0, 0.8) == pytest.approx(-log(0.2))
