"""Networks of every kind, with random biases, and random planes and moves for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import athenan
import numpy as np
import torch
from athenan.evaluators import Evaluation, LegalMoves, Planes, Values
from athenan.evaluators.touches import move_logits
from athenan.networks import Architecture, Network, input_shape
from athenan.networks.network import new_network
from numpy.typing import NDArray

ARCHITECTURES = {
    "protocol": Architecture(filters=24, convolutions=3, blocks=0, dense=(20,)),
    "same": Architecture(filters=16, convolutions=2, margin="same", blocks=1, dense=(20,)),
    "residual": Architecture(filters=19, blocks=2, dense=(20,)),
    "squeeze": Architecture(filters=32, blocks=2, squeeze=16, dense=(20,)),
    "pooling": Architecture(filters=16, blocks=1, pooling=23, dense=(20,)),
    "two dense": Architecture(filters=16, blocks=1, dense=(30, 20), output="tanh"),
    "no dense": Architecture(filters=16, blocks=1, dense=()),
    "policy": Architecture(filters=16, blocks=1, dense=(20,), policy=True),
    "move values": Architecture(filters=16, blocks=1, dense=(20,), move_values=True),
    "all": Architecture(
        filters=33,
        margin="same",
        blocks=2,
        squeeze=8,
        pooling=17,
        dense=(31, 7),
        output="tanh",
        policy=True,
    ),
}


def make_network(architecture: Architecture, seed: int = 1) -> Network:
    """A network for Hex 5 whose biases matter."""
    game = athenan.make_game("hex", size=5)
    network = new_network(architecture, input_shape(game), kinds_of(game), seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for bias in network.biases():
            bias.normal_(0, 0.3, generator=generator)
    return network


def random_planes(network: Network, rows: int, seed: int = 1) -> Planes:
    generator = np.random.default_rng(seed)
    return generator.integers(-1, 2, (rows, *network.input_shape), np.int8)


@dataclass(frozen=True)
class Moves:
    """Legal moves as the engine gives them."""

    offsets: NDArray[np.int64]
    numbers: NDArray[np.uint32]
    kinds: NDArray[np.uint8]
    cells: NDArray[np.int16]

    def of(self, rows: slice) -> Moves:
        """Those of some states."""
        offsets = self.offsets[rows.start : rows.stop + 1]
        here = slice(offsets[0], offsets[-1])
        return Moves(offsets - offsets[0], self.numbers[here], self.kinds[here], self.cells[here])


def random_moves(states: int, kinds: int, cells: int, seed: int = 1) -> Moves:
    """From none to 30 moves of each state, with paths of none to four cells."""
    random = np.random.default_rng(seed)
    offsets = np.concatenate([[0], random.integers(0, 31, states).cumsum()])
    count = int(offsets[-1])
    paths = random.integers(0, cells, (count, 4))
    paths[np.arange(4) >= random.integers(0, 5, count)[:, None]] = -1
    return Moves(
        offsets,
        random.integers(0, 2**20, count).astype(np.uint32),
        random.integers(0, kinds, count).astype(np.uint8),
        paths.astype(np.int16),
    )


def moves_for(network: Network, states: int, seed: int = 1) -> Moves | None:
    """Random moves if the network says anything of moves."""
    _, rows, columns = network.input_shape
    kinds = network.kinds
    return random_moves(states, kinds, rows * columns, seed) if kinds else None


def kinds_of(game: athenan.Game) -> int:
    """The kinds of moves of a game; two for a game without geometry."""
    return len(game.datasheet.move_kinds) or 2


def legal_moves(game: athenan.Game, states: Sequence[athenan.State]) -> Moves:
    """The legal moves of states; their geometry is made up where the game has none."""
    each = [state.legal_moves() for state in states]
    found = [
        geometry(game, state, move)
        for state, moves in zip(states, each, strict=True)
        for move in moves
    ]
    return Moves(
        np.cumsum([0, *map(len, each)]),
        np.concatenate(each).astype(np.uint32),
        np.array([kind for kind, _ in found], np.uint8),
        np.array([cells for _, cells in found], np.int16),
    )


def geometry(game: athenan.Game, state: athenan.State, move: int) -> tuple[int, list[int]]:
    """The kind of a move and its four cells, -1 for those that it has not."""
    sheet = game.datasheet
    path = state.move_path(move)
    if path is None:
        cells = [move // 7**i % (sheet.rows * sheet.columns) for i in range(4)]
        return move % 2, cells[: move % 5] + [-1] * (4 - move % 5)
    cells = [
        (row + sheet.border) * sheet.columns + column + sheet.border for row, column in path.cells
    ]
    if len(cells) > 4:
        cells = [*cells[:3], cells[-1]]
    return sheet.move_kinds.index(path.kind), cells + [-1] * (4 - len(cells))


def expected(network: Network, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
    """What torch itself computes."""
    with torch.no_grad():
        values, *touches = network.outputs(torch.from_numpy(planes).float())
    logits = None if moves is None else move_logits(touches[0].numpy(), moves)
    if logits is not None and network.architecture.move_values:
        assert moves is not None
        counts = np.diff(moves.offsets)
        of_states = [v for v, n in zip(values.tolist(), counts, strict=True) for _ in range(n)]
        logits = np.array(of_states, np.float32) + logits
    return Evaluation(values.numpy(), logits)


def assert_close(answer: Evaluation, wanted: Evaluation, tolerance: float = 1e-5) -> None:
    """Compare relative to the largest number of each output."""
    assert_near(answer.values, wanted.values, tolerance)
    if answer.logits is None or wanted.logits is None:
        assert answer.logits is wanted.logits
    else:
        assert_near(answer.logits, wanted.logits, tolerance)


def assert_near(found: Values, wanted: Values, tolerance: float) -> None:
    assert found.dtype == np.float32
    assert found.shape == wanted.shape
    assert np.abs(found - wanted).max(initial=0) <= tolerance * np.abs(wanted).max(initial=0)


def assert_same(answer: Evaluation, wanted: Evaluation) -> None:
    """Compare bit by bit."""
    for found, reference in zip(answer, wanted, strict=True):
        np.testing.assert_array_equal(found, reference)
