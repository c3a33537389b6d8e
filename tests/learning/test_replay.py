"""The array form of replay against the reference transcription, draw for draw."""

from collections import Counter, deque
from typing import Any, Literal

import numpy as np
import pytest
from athenan import make_game
from athenan._core import encode_packed
from athenan.learning.growing import GrowingMemory
from athenan.learning.replay import ExperienceMemory, StratifiedMemory, number_of_minibatches
from athenan.learning.settings import Replay
from athenan.learning.table import Data, ReplayTable, with_symmetries
from athenan.reference import replay as reference
from numpy.typing import NDArray


def data_of(first: int, size: int) -> Data:
    """Pairs whose value is their number: the state holds it too."""
    numbers = np.arange(first, first + size)
    states = numbers.astype("<u8").view(np.uint8).reshape(size, 8).copy()
    return Data(states, numbers.astype(np.float32))


class Recorder(np.random.Generator):
    """A generator that keeps the permutations that it has drawn."""

    def __init__(self, seed: int) -> None:
        super().__init__(np.random.PCG64(seed))
        self.drawn: list[NDArray[np.int64]] = []

    def permutation(self, x: Any, axis: int = 0) -> NDArray[np.int64]:
        order: NDArray[np.int64] = super().permutation(x, axis)
        self.drawn.append(order)
        return order


def picks(order: NDArray[np.int64], listed: list[int]) -> deque[int]:
    """Where each item of a permutation stands in a list of which the earlier ones are taken."""
    left = list(listed)
    out: deque[int] = deque()
    for item in order.tolist():
        place = left.index(item)
        out.append(place)
        left.pop(place)
    return out


class Script:
    """The random source of the transcription: replays what the array form has drawn.

    The transcription draws a pair of the match, then a minibatch, in turn.
    """

    def __init__(self, pair_picks: list[int], group_picks: list[int]) -> None:
        self.both = deque(x for two in zip(pair_picks, group_picks, strict=True) for x in two)

    def below(self, n: int) -> int:
        pick = self.both.popleft()
        assert 0 <= pick < n
        return pick

    def uniform(self) -> float:
        raise AssertionError("stratified replay draws integers only")


@pytest.mark.parametrize(
    ("mu", "delta", "batch"), [(1, 1, 4), (3, 2, 5), (5, 3, 7), (4, 2.5, 1000)]
)
def test_stratified_replay_equals_the_transcription(mu: int, delta: float, batch: int) -> None:
    random = Recorder(7)
    memory = StratifiedMemory(mu, delta, ReplayTable(8))
    paper = reference.StratifiedMemory(mu, delta)
    first = 0
    # By the first number of a match: the picks still to come, and the list they are made from
    # after that. A refilled D lists its pairs in the order in which they were learned.
    orders: dict[int, deque[int]] = {}
    listed: dict[int, list[int]] = {}
    for size in [1, 4, 9, 2, 30, 7, 7, 1, 12, 25, 3, 16]:
        before = dict(zip(memory.first.tolist(), memory.next.tolist(), strict=True))
        random.drawn.clear()
        batches = memory.phase(data_of(first, size), batch, random)
        drawn = deque(random.drawn)
        order = drawn.popleft()
        orders[first], listed[first] = picks(order, list(range(size))), order.tolist()
        pair_picks: list[int] = []
        for match, total in zip(memory.first.tolist(), memory.size.tolist(), strict=True):
            taken = before.get(match, 0)
            for _ in range(int(np.ceil(delta * total / mu))):
                pair_picks.append(orders[match].popleft())
                taken += 1
                if taken == total:
                    order, taken = drawn.popleft(), 0
                    orders[match] = picks(order, listed[match])
                    listed[match] = order.tolist()
        group_picks: list[int] = []
        while drawn:
            order = drawn.popleft()
            group_picks.extend(picks(order, list(range(len(order)))))
        script = Script(pair_picks, group_picks[: len(pair_picks)])
        pairs: list[Any] = [(number, float(number)) for number in range(first, first + size)]
        expected = reference.stratified_experience_replay(pairs, paper, batch, script)
        assert [sorted(memory.table.values[rows].tolist()) for rows in batches] == [
            sorted(value for _, value in part) for part in expected
        ]
        assert not script.both
        first += size


@pytest.mark.parametrize(("mu", "delta"), [(10, 1), (10, 3), (60, 2)])
def test_stratified_replay_learns_delta_times_what_is_generated(mu: int, delta: int) -> None:
    """Every pair is learned δ times while it is in memory, within the rounding of the quotas.

    Sixty matches have more pairs than a table has room for at first.
    """
    sizes = [37, 60, 1, 24, 81, 50, 33] * 12
    memory = StratifiedMemory(mu, delta, ReplayTable(8))
    random = np.random.default_rng(0)
    learned: Counter[float] = Counter()
    total = 0
    first = 0
    for size in sizes:
        batches = memory.phase(data_of(first, size), 16, random)
        for rows in batches:
            learned.update(memory.table.values[rows].tolist())
            total += len(rows)
        first += size
    assert abs(total - delta * sum(sizes[:-mu])) <= delta * sum(sizes[-mu:]) + len(sizes) * mu
    out_of_memory = [learned[float(number)] for number in range(sum(sizes[:-mu]))]
    assert min(out_of_memory) >= delta
    # Rounding up gives at most one pair more per phase and match.
    first = 0
    for size in sizes[:-mu]:
        counts = out_of_memory[first : first + size]
        assert delta * size <= sum(counts) <= delta * size + mu
        assert max(counts) - min(counts) <= 1
        first += size


@pytest.mark.parametrize(("unit", "mu"), [("pairs", 50), ("matches", 4)])
def test_experience_replay_keeps_and_draws_as_the_transcription(
    unit: Literal["pairs", "matches"], mu: int
) -> None:
    memory = ExperienceMemory(mu, 0.3, unit == "matches", ReplayTable(8))
    paper = reference.ReplayMemory(mu, 0.3, unit)
    random = np.random.default_rng(3)
    first = 0
    for size in [5, 1, 20, 13, 40, 2, 17, 60, 9]:
        pairs: list[Any] = [(number, float(number)) for number in range(first, first + size)]
        expected = reference.experience_replay(pairs, paper, FirstOnes())
        batches = memory.phase(data_of(first, size), 7, random)
        assert memory.table.all().values.tolist() == [value for _, value in paper.pairs()]
        drawn = np.concatenate([memory.table.values[rows] for rows in batches])
        assert len(drawn) == len(expected) == len(set(drawn.tolist()))
        assert set(drawn.tolist()) <= {value for _, value in paper.pairs()}
        assert [len(rows) for rows in batches[:-1]] == [7] * (len(batches) - 1)
        first += size


class FirstOnes:
    """A random source that always takes the first."""

    def below(self, _n: int) -> int:
        return 0

    def uniform(self) -> float:
        return 0.0


def test_experience_replay_draws_uniformly() -> None:
    memory = ExperienceMemory(1000, 0.05, False, ReplayTable(8))
    random = np.random.default_rng(5)
    counts: Counter[float] = Counter()
    memory.phase(data_of(0, 1000), 10, random)
    empty = Data(np.empty((0, 8), np.uint8), np.empty(0, np.float32))
    phases = 2000
    for _ in range(phases):
        for rows in memory.phase(empty, 10, random):
            counts.update(memory.table.values[rows].tolist())
    seen = np.array([counts[float(n)] for n in range(1000)])
    assert seen.sum() == 50 * phases
    # Each is drawn Binomial(2000, 0.05) times: mean 100, deviation 9.7.
    assert abs(seen - 100).max() < 5 * 9.75
    chi_square = ((seen - 100) ** 2 / 95).sum()
    assert abs(chi_square - 999) < 5 * np.sqrt(2 * 999)


@pytest.mark.parametrize("n", [0, 1, 5, 127, 128, 129, 191, 192, 193, 1000])
def test_the_number_of_minibatches_is_that_of_the_transcription(n: int) -> None:
    for batch in (1, 7, 128):
        assert number_of_minibatches(n, batch) == reference.number_of_minibatches(n, batch)


@pytest.mark.parametrize("kind", ["stratified", "pairs", "matches"])
def test_a_restored_memory_goes_on_in_the_same_way(kind: str) -> None:
    def fresh() -> StratifiedMemory | ExperienceMemory:
        if kind == "stratified":
            return StratifiedMemory(5, 3, ReplayTable(8))
        return ExperienceMemory(
            60 if kind == "pairs" else 5, 0.4, kind == "matches", ReplayTable(8)
        )

    one, random = fresh(), np.random.default_rng(11)
    for k in range(9):
        one.phase(data_of(100 * k, 20 + k), 8, random)
    other, again = fresh(), np.random.default_rng(0)
    other.restore(one.arrays())
    again.bit_generator.state = random.bit_generator.state
    for k in range(9, 15):
        mine = one.phase(data_of(100 * k, 20 + k), 8, random)
        theirs = other.phase(data_of(100 * k, 20 + k), 8, again)
        assert [one.table.values[r].tolist() for r in mine] == [
            other.table.values[r].tolist() for r in theirs
        ]


@pytest.mark.parametrize("name", ["hex:size=5", "othello", "arimaa", "breakthrough", "morpion"])
def test_symmetric_copies_are_images_with_the_same_value(name: str) -> None:
    game = make_game(name)
    state = game.initial_state()
    states = []
    for k in range(12):
        moves = state.legal_moves()
        states.append(state)
        state = state.play(moves[(7 * k + 3) % len(moves)])
    packed = np.array(
        [np.frombuffer(game.pack([s])[0], np.uint8)[: game.packed_size] for s in states]
    )
    data = Data(packed, np.arange(len(states), dtype=np.float32))
    both = with_symmetries(game, data, np.random.default_rng(1), threads=1)
    assert len(both) == 2 * len(states)
    assert both.values.tolist() == data.values.tolist() * 2
    planes = encode_packed(game, both.states, np.arange(len(both)), 1)
    for k, state in enumerate(states):
        assert (planes[k] == state.encode()).all()
        images = [state.transform(s).encode() for s in range(1, game.symmetries)]
        assert any((planes[len(states) + k] == image).all() for image in images)


def test_all_symmetries_but_the_identity_are_drawn() -> None:
    game = make_game("othello")
    state = game.initial_state().play("f5").play("d6").play("c3").play("g5")
    packed = game.pack([state])[:, : game.packed_size].repeat(400, axis=0)
    data = Data(np.ascontiguousarray(packed), np.zeros(400, np.float32))
    both = with_symmetries(game, data, np.random.default_rng(2))
    copies = Counter(bytes(row) for row in both.states[400:])
    assert len(copies) == game.symmetries - 1
    assert min(copies.values()) > 25


def test_every_symmetric_copy_can_be_asked_for() -> None:
    game = make_game("othello")
    states = [game.initial_state().play("f5").play("d6").play("c3")]
    states.append(states[0].play("g5"))
    packed = np.ascontiguousarray(game.pack(states)[:, : game.packed_size])
    data = Data(packed, np.array([2, 3], np.float32))
    every = with_symmetries(game, data, np.random.default_rng(2), every_symmetry=True)
    assert every.values.tolist() == [2, 3] * game.symmetries
    planes = encode_packed(game, every.states, np.arange(len(every)), 1)
    images = [state.transform(k).encode() for k in range(game.symmetries) for state in states]
    assert (planes == np.array(images)).all()


def test_a_table_grows_and_forgets() -> None:
    table = ReplayTable(8)
    random = np.random.default_rng(1)
    kept: list[float] = []
    first = 0
    for _ in range(300):
        size = int(random.integers(0, 90))
        table.append(data_of(first, size))
        kept += [float(n) for n in range(first, first + size)]
        first += size
        gone = int(random.integers(0, len(kept) + 1)) if random.random() < 0.3 else 0
        table.drop(gone)
        kept = kept[gone:]
        assert table.all().values.tolist() == kept
        assert table.all().states.reshape(-1).view("<u8").tolist() == kept


@pytest.mark.parametrize("share", [0.1, 0.25, 0.4, 0.5, 0.9])
def test_growing_replay_holds_out_its_share_of_the_matches(share: float) -> None:
    settings = Replay(kind="growing", held_out=share, every=1000, size=100)
    memory, random = GrowingMemory(settings, ReplayTable(8)), np.random.default_rng(1)
    for match in range(300):
        memory.phase(data_of(3 * match, 3), 32, random)
    held_out, learned = memory.held_out(), np.concatenate(memory.epoch(32, random))
    assert len(held_out) == pytest.approx(300 * share, abs=3)
    assert sorted(np.concatenate([held_out, learned])) == sorted(
        memory.table.rows(np.arange(600, 900))
    )
