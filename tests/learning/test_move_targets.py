"""Targets of moves, from the record of a match over replay to the steps of the learner."""

from dataclasses import replace
from itertools import pairwise

import athenan
import numpy as np
import pytest
import torch
from athenan import Error, make_game
from athenan import reference as ref
from athenan._core import (
    Mind,
    Pool,
    Stop,
    describe_moves,
    encode_packed,
    hash_values,
    transform_moves,
    transform_packed,
)
from athenan.evaluators.touches import move_logits
from athenan.learning.batches import Encoder
from athenan.learning.gpu_steps import padded, usual_width
from athenan.learning.learner import Learner
from athenan.learning.losses import Loss, likelihood_error, said_of_moves
from athenan.learning.settings import Adam, Learning
from athenan.learning.table import Data, MoveTargets, ReplayTable, with_symmetries
from athenan.networks import Architecture, Network, build_network
from moves_to_learn import data_of_matches, records_of, table_of_moves

HEX = make_game("hex:size=3")
BREAKTHROUGH = make_game("breakthrough:rows=5,columns=4")
SMALL = Architecture(filters=8, blocks=1, margin="same", dense=(8,), policy=True)
POLICY = Learning(
    data="terminal", moves="policy", moves_weight=0.5, adam=Adam(learning_rate=3e-3), l2=0
)


def test_a_record_has_the_shares_of_all_legal_moves() -> None:
    for record in records_of(HEX, "puct:iterations=20", 3):
        data = Data.of_match(record)
        assert data.moves is not None
        offsets, numbers, shares = vars(data.moves).values()
        assert len(data.moves) == len(data) == len(record.moves) + 1
        state = HEX.initial_state()
        for index, played in enumerate(record.moves):
            here = slice(offsets[index], offsets[index + 1])
            assert numbers[here].tolist() == state.legal_moves()
            assert shares[here].sum() == pytest.approx(1)
            assert played in numbers[here][shares[here] == shares[here].max()]
            assert bytes(data.states[index]) == bytes(HEX.pack([state])[0][: HEX.packed_size])
            state = state.play(played)
        assert offsets[-2] == offsets[-1], "an ended match has no moves"


def test_values_alone_come_without_moves() -> None:
    pool = athenan._core.Pool(HEX, [athenan._core.Mind("mcts:iterations=5")], "root")
    pool.add(0, 1)
    assert pool.collect() == 0
    assert pool.take_finished()[0].move_targets is None
    with pytest.raises(athenan.ParameterError, match="learning root or terminal"):
        records_of(HEX, "mcts:iterations=5", 1, "tree")


def test_base_mcts_teaches_a_policy_too() -> None:
    (record,) = records_of(HEX, "mcts:iterations=30", 1)
    data = Data.of_match(record)
    assert data.moves is not None
    assert data.moves.targets[: data.moves.offsets[1]].max() > 1 / 9


@pytest.mark.parametrize(
    "name",
    [
        "hex:size=3",
        "breakthrough:rows=5,columns=4",
        "amazons:size=5",
        "go:size=4",
        "othello:size=4",
        "surakarta",
        "santorini",
        "connect_four:rows=4,columns=4",
    ],
)
def test_the_image_of_a_move_leads_to_the_image_of_its_child(name: str) -> None:
    game = make_game(name)
    random = athenan.Random(3)
    state = game.initial_state()
    for _ in range(6):
        legal = state.legal_moves()
        packed = np.ascontiguousarray(game.pack([state])[:, : game.packed_size])
        offsets, numbers = np.array([0, len(legal)]), np.array(legal, np.uint32)
        for symmetry in range(game.symmetries):
            how = np.array([symmetry], np.uint8)
            images = transform_moves(game, packed, offsets, numbers, how)
            mirrored = state.transform(symmetry)
            assert sorted(images.tolist()) == sorted(mirrored.legal_moves())
            for move, image in zip(legal, images.tolist(), strict=True):
                expected = state.play(move).transform(symmetry)
                assert mirrored.play(image).encode().tolist() == expected.encode().tolist()
            image_of_state = transform_packed(game, packed, how)
            kinds, cells = describe_moves(
                game, image_of_state, np.zeros(1, np.int64), offsets, images
            )
            known = game.legal_moves([mirrored])
            order = [known.numbers.tolist().index(image) for image in images.tolist()]
            assert kinds.tolist() == known.kinds[order].tolist()
            assert cells.tolist() == known.cells[order].tolist()
        state = state.play(legal[random.below(len(legal))])
        if state.is_terminal:
            break


def test_numbers_that_are_no_moves_are_refused() -> None:
    game = BREAKTHROUGH
    packed = np.ascontiguousarray(game.pack([game.initial_state()])[:, : game.packed_size])
    for offsets, numbers, complaint in (
        ([0, 1], [2**31], "is none of a state to learn"),
        ([0, 2], [1], "offsets"),
        ([0], [], "offsets"),
    ):
        with pytest.raises(Error, match=complaint):
            describe_moves(
                game, packed, np.zeros(1, np.int64), np.array(offsets), np.array(numbers, np.uint32)
            )


def numbered(first: int, size: int, random: np.random.Generator) -> Data:
    """Pairs with up to 40 moves each, whose targets are the number of the pair."""
    counts = random.integers(0, 40, size)
    offsets = np.append(0, np.cumsum(counts))
    pairs = np.arange(first, first + size)
    targets = np.repeat(pairs, counts).astype(np.float32)
    numbers = random.integers(0, 2**32, len(targets), dtype=np.uint32)
    return Data(
        np.zeros((size, 8), np.uint8),
        pairs.astype(np.float32),
        MoveTargets(offsets, numbers, targets),
    )


def test_a_table_keeps_the_moves_of_its_pairs() -> None:
    """Against plain lists, while it grows, forgets the oldest and takes back the newest."""
    table = ReplayTable(8, with_moves=True)
    random = np.random.default_rng(1)
    kept: list[list[int]] = []
    first = 0
    for _ in range(200):
        data = numbered(first, int(random.integers(0, 90)), random)
        assert data.moves is not None
        table.append(data)
        kept += [part.tolist() for part in np.split(data.moves.numbers, data.moves.offsets[1:-1])][
            : len(data)
        ]
        first += len(data)
        if random.random() < 0.2:
            table.withdraw(len(data))
            kept = kept[: len(kept) - len(data)]
        gone = int(random.integers(0, len(kept) + 1)) if random.random() < 0.3 else 0
        table.drop(gone)
        kept = kept[gone:]
        found = table.all()
        assert found.moves is not None
        assert found.moves.numbers.tolist() == [number for each in kept for number in each]
        assert found.moves.counts.tolist() == [len(each) for each in kept]
        assert (found.moves.targets == np.repeat(found.values, found.moves.counts)).all()
    again = Data.of_arrays(table.all().arrays())
    assert again.moves is not None
    assert again.moves.numbers.tolist() == [number for each in kept for number in each]


def test_arrays_that_do_not_fit_together_are_refused() -> None:
    arrays = numbered(0, 20, np.random.default_rng(1)).arrays()
    Data.of_arrays(arrays)
    for name, wrong in (
        ("counts", arrays["counts"] + 1),
        ("counts", -arrays["counts"]),
        ("moves", arrays["moves"][1:]),
        ("targets", np.full_like(arrays["targets"], np.nan)),
        ("values", arrays["values"][1:]),
    ):
        with pytest.raises(ValueError, match="do not fit together"):
            Data.of_arrays(arrays | {name: wrong})


def test_symmetric_copies_have_the_targets_of_their_originals() -> None:
    data = data_of_matches(HEX, 3)
    both = with_symmetries(HEX, data, np.random.default_rng(1), every_symmetry=True)
    assert both.moves is not None
    assert data.moves is not None
    assert len(both) == HEX.symmetries * len(data)
    assert (both.moves.targets == np.tile(data.moves.targets, HEX.symmetries)).all()
    assert (both.moves.counts == np.tile(data.moves.counts, HEX.symmetries)).all()


def loss_in_plain_words(network: Network, data: Data) -> tuple[float, float]:
    """The means of (z − v)² and of −Σ share · log π, state by state."""
    game = BREAKTHROUGH
    assert data.moves is not None
    planes = encode_packed(game, data.states, np.arange(len(data)), 1)
    with torch.no_grad():
        values, touches = network.outputs(torch.from_numpy(planes).float())
    errors = ((values.numpy() - data.values) ** 2).tolist()
    entropies = []
    for k in range(len(data)):
        here = slice(data.moves.offsets[k], data.moves.offsets[k + 1])
        numbers, shares = data.moves.numbers[here], data.moves.targets[here]
        if len(numbers) == 0:
            entropies.append(0.0)
            continue
        offsets, row = np.array([0, len(numbers)]), np.array([k])
        kinds, cells = describe_moves(game, data.states, row, offsets, numbers)
        legal = Listed(offsets, numbers, kinds, cells)
        logits = move_logits(touches[k : k + 1].numpy(), legal).astype(float)
        logs = logits - logits.max() - np.log(np.exp(logits - logits.max()).sum())
        entropies.append(float(-(shares * logs).sum()))
    return float(np.mean(errors)), float(np.mean(entropies))


class Listed:
    def __init__(self, offsets: np.ndarray, numbers: np.ndarray, *geometry: np.ndarray) -> None:
        self.offsets, self.numbers = offsets, numbers
        self.kinds, self.cells = geometry


def test_the_loss_is_that_of_the_papers() -> None:
    table = table_of_moves(BREAKTHROUGH, 4)
    learner = Learner(
        BREAKTHROUGH, build_network(SMALL, BREAKTHROUGH, 4), POLICY, torch.device("cpu"), 1
    )
    expected = loss_in_plain_words(learner.network, table.all())
    report = learner.learn(table, [np.arange(len(table))])
    assert report.loss == pytest.approx(expected[0], rel=1e-5)
    assert report.move_loss == pytest.approx(expected[1], rel=1e-5)
    learner.close()


def test_a_pass_is_summed_from_the_mean_of_its_plane() -> None:
    """Learning reads the logits of moves from touch planes as playing does."""
    game = make_game("go:size=4")
    states = [game.initial_state(), game.initial_state().play("A1").play("B2")]
    moves = game.legal_moves(states)
    table = ReplayTable(game.packed_size, with_moves=True)
    targets = np.zeros(len(moves.numbers), np.float32)
    packed = np.ascontiguousarray(game.pack(states)[:, : game.packed_size])
    found = MoveTargets(moves.offsets, moves.numbers, targets)
    table.append(Data(packed, np.zeros(2, np.float32), found))
    encoded = Encoder(game, with_moves=True)(table, [np.arange(2)], 1)
    assert encoded.moves is not None
    kinds = len(game.datasheet.move_kinds)
    touches = np.random.default_rng(1).normal(size=(2, 4 * kinds, 4, 4)).astype(np.float32)
    places, _, counts = encoded.moves.padded()
    said = said_of_moves(torch.from_numpy(touches), torch.from_numpy(places)).numpy()
    expected = np.split(move_logits(touches, moves), moves.offsets[1:-1])
    assert (moves.cells < 0).all(axis=1).any(), "a pass is among them"
    for row, count, own in zip(said, counts, expected, strict=True):
        assert row[:count] == pytest.approx(own, abs=1e-5)


def test_threads_and_padding_change_nothing() -> None:
    """A minibatch split over threads, and one padded as a GPU's graphs need it."""
    table = table_of_moves(BREAKTHROUGH, 4)
    rows = [np.arange(len(table))[:70], np.arange(len(table))[70:120]]
    reports, made = [], []
    for threads in (1, 3):
        network = build_network(SMALL, BREAKTHROUGH, 4)
        learner = Learner(BREAKTHROUGH, network, POLICY, torch.device("cpu"), threads)
        reports.append(learner.learn(table, rows))
        made.append(torch.cat([p.detach().flatten() for p in network.parameters()]))
        learner.close()
    assert reports[0].move_loss == pytest.approx(reports[1].move_loss, rel=1e-5)
    torch.testing.assert_close(made[0], made[1], rtol=1e-3, atol=1e-5)

    network, loss = build_network(SMALL, BREAKTHROUGH, 4), Loss(POLICY, torch.device("cpu"))
    encoded = Encoder(BREAKTHROUGH, with_moves=True)(table, rows, 1)
    inputs = padded(encoded, 80, usual_width(BREAKTHROUGH), averages=True, pinned=False)
    with torch.no_grad():
        for k, minibatch in enumerate(encoded.minibatches()):
            planes, values, shares, *moves = (each[k] for each in inputs)
            parts = loss.parts(network.outputs(planes.float()), values, shares, moves)
            assert minibatch.moves is not None
            own = map(torch.from_numpy, minibatch.moves.padded())
            states = torch.from_numpy(minibatch.planes).float()
            share = torch.full((len(minibatch),), 1 / len(minibatch))
            wanted = torch.from_numpy(minibatch.values)
            expected = loss.parts(network.outputs(states), wanted, share, list(own))
            torch.testing.assert_close(parts, expected)


def test_a_policy_is_learned() -> None:
    """The cross entropy falls to nearly the entropy of the targets."""
    table = table_of_moves(HEX, 4)
    data = table.all()
    assert data.moves is not None
    shares = data.moves.targets[data.moves.targets > 0]
    entropy = float(-(shares * np.log(shares)).sum()) / len(data)
    network = build_network(SMALL, HEX, 4)
    learner = Learner(HEX, network, POLICY, torch.device("cpu"), 1)
    before = learner.learn(table, [np.arange(len(table))])
    for _ in range(200):
        after = learner.learn(table, [np.arange(len(table))])
    learner.close()
    assert before.move_loss is not None
    assert after.move_loss is not None
    assert after.move_loss - entropy < 0.5 * (before.move_loss - entropy)
    assert after.loss < 0.5 * before.loss


def test_the_likelihood_is_that_of_exit() -> None:
    """−z log p − (1 − z) log(1 − p), of the reference, with p = (v + 1) / 2."""
    values = torch.tensor([0.9, -0.2, 0.0, 0.5], requires_grad=True)
    outcomes = torch.tensor([1.0, -1.0, 0.0, -1.0])
    expected = [
        ref.value_loss((z + 1) / 2, (v + 1) / 2)
        for v, z in zip(values.tolist(), outcomes.tolist(), strict=True)
    ]
    assert likelihood_error(values, outcomes).tolist() == pytest.approx(expected)
    certain = torch.tensor([1.0, -1.0], requires_grad=True)
    wrong = likelihood_error(certain, torch.tensor([-1.0, 1.0]))
    assert torch.isfinite(wrong).all()


def test_values_of_moves_are_those_of_the_states_that_they_lead_to() -> None:
    """With values=states all moves of the tree have some; here against the rules and the hashes."""
    pool = Pool(BREAKTHROUGH, [Mind("descent:expansions=12")], "tree", moves="values")
    pool.add(0, 1)
    while pool.collect():
        pool.resume(0, hash_values(pool.batch(), 1))
    (record,) = pool.take_finished()
    data = Data.of_match(record)
    assert data.moves is not None
    states = states_of(record)
    learned = {state.key for state in states}
    ended = new = 0
    for state, (start, end) in zip(states, pairwise(data.moves.offsets), strict=True):
        taught = data.moves.numbers[start:end].tolist()
        assert taught == ([] if state.is_terminal else state.legal_moves())
        for move, value in zip(taught, data.moves.targets[start:end].tolist(), strict=True):
            child = state.play(move)
            if child.is_terminal:
                ended += 1
                assert value == child.outcome
            elif child.key not in learned:
                new += 1
                assert value == hash_values(child.encode()[None], 1)[0]
    assert min(ended, new) > 20


def states_of(record: athenan._core.MatchRecord) -> list[athenan.State]:
    """The states that are learned, found again by all ways of a few moves from those played."""
    wanted = [bytes(packed) for packed in record.targets[0]]
    found: dict[bytes, athenan.State] = {}
    around = [BREAKTHROUGH.initial_state()]
    while around and not all(each in found for each in wanted):
        state = around.pop()
        packed = bytes(BREAKTHROUGH.pack([state])[0][: BREAKTHROUGH.packed_size])
        if packed in found or packed not in wanted:
            continue
        found[packed] = state
        around += state.children()
    return [found[each] for each in wanted]


def test_some_moves_of_each_state_are_drawn() -> None:
    data = numbered(0, 60, np.random.default_rng(2))
    assert data.moves is not None
    before = np.split(data.moves.numbers, data.moves.offsets[1:-1])
    drawn = [data.moves.drawn(5, np.random.default_rng(seed)) for seed in range(400)]
    for few in drawn[:20]:
        assert few.counts.tolist() == [min(5, len(each)) for each in before]
        for all_of_it, part in zip(before, np.split(few.numbers, few.offsets[1:-1]), strict=True):
            places = [all_of_it.tolist().index(number) for number in part]
            assert places == sorted(set(places))
        assert (few.targets == np.repeat(np.arange(60), few.counts)).all()
    longest = int(np.argmax(data.moves.counts))
    chosen = np.concatenate(
        [few.numbers[slice(*few.offsets[longest : longest + 2])] for few in drawn]
    )
    share = np.unique(chosen, return_counts=True)[1] / len(drawn)
    assert share == pytest.approx(5 / len(before[longest]), abs=0.1)


def test_the_loss_of_values_of_moves() -> None:
    """By hand: the value of the state and what the head adds to it; both learn."""
    settings = Learning(moves="values", moves_weight=0.5)
    values = torch.tensor([2.0, -1.0, 5.0], requires_grad=True)
    touches = torch.zeros((3, 4, 2, 2), requires_grad=True)
    places = torch.full((3, 2, 4), 17)  # nowhere: a zero
    places[0, 0, 0], places[0, 1, 0], places[1, 0, :2] = 0, 3, torch.tensor([1, 5])
    targets = torch.tensor([[3.0, 1.0], [1.0, 0], [0, 0]])
    counts = torch.tensor([2, 1, 0])
    moves = places, targets, counts
    loss = Loss(settings, torch.device("cpu"))
    own = torch.tensor([2.0, -1.0, 5.0])
    parts = loss.parts((values, touches), own, torch.ones(3), moves)
    assert parts.tolist() == [0, ((3 - 2) ** 2 + (1 - 2) ** 2) / 2 + (1 + 1) ** 2]
    assert float(loss.total(parts).detach()) == 0.5 * 5
    parts[1].backward()  # type: ignore[no-untyped-call]
    assert values.grad is not None
    assert values.grad.tolist() == [0, -4, 0]
    assert touches.grad is not None
    assert touches.grad[0, 0].tolist() == [[-1, 0], [0, 1]]
    assert touches.grad[1, :2].flatten(1).tolist() == [[0, -4, 0, 0], [0, -4, 0, 0]]
    assert not touches.grad[2].any()


def test_values_of_moves_are_learned() -> None:
    """Where the value is the number of pieces more: from three moves of each state, for others."""
    architecture = Architecture(filters=8, blocks=1, margin="same", dense=(16,), move_values=True)
    network = build_network(architecture, BREAKTHROUGH, 1)
    pool = Pool(BREAKTHROUGH, [Mind("ubfm:expansions=8", "max")], "tree", moves="values")
    for index in range(4):
        pool.add(index, index)
    while pool.collect():
        pieces = pool.batch().astype(np.float32).sum((2, 3))
        pool.resume(0, np.ascontiguousarray(pieces[:, 0] - pieces[:, 1]))
    *shown, held_out = [Data.of_match(record) for record in pool.take_finished()]
    settings = Learning(moves="values", values_weight=0, adam=Adam(learning_rate=3e-3), l2=0)
    learner = Learner(BREAKTHROUGH, network, settings, torch.device("cpu"), 1)
    few, others = (ReplayTable(BREAKTHROUGH.packed_size, with_moves=True) for _ in range(2))
    others.append(held_out)
    for each in shown:
        assert each.moves is not None
        few.append(replace(each, moves=each.moves.drawn(3, np.random.default_rng(1))))
    tables = {table: np.arange(len(table)) for table in (few, others)}
    before = [learner.loss(table, rows, Stop()) for table, rows in tables.items()]
    for _ in range(15):
        learner.learn(few, np.array_split(tables[few], 1 + len(few) // 64))
    after = [learner.loss(table, rows, Stop()) for table, rows in tables.items()]
    learner.close()
    assert after[0] < 0.5 * before[0]
    assert after[1] < 0.7 * before[1]
