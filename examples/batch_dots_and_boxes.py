"""Dots and Boxes with NumPy, for speed: all methods that matter work on many states at once.

Try it:  athenan perft examples/batch_dots_and_boxes.py 5

A state is a byte per edge (1: drawn), a byte per box (1, 2: its owner), and the player to move.
"""

from typing import Any

import numpy as np
from athenan import BatchRules, Datasheet
from athenan.games import ONGOING, Expanded, StateBytes, States
from numpy.typing import NDArray


class DotsAndBoxes(BatchRules):
    """Who closes a box owns it and moves again; who owns more boxes at the end wins."""

    def __init__(self, size: int = 2) -> None:
        self.size, self.side = size, 2 * size + 1
        grid = np.arange(self.side**2).reshape(self.side, self.side)
        row, column = np.indices(grid.shape)
        self.edge_cells = grid[(row + column) % 2 == 1]
        self.box_cells = grid[(row % 2 == 1) & (column % 2 == 1)]
        self.edges, self.boxes = len(self.edge_cells), len(self.box_cells)
        place = {int(cell): number for number, cell in enumerate(self.edge_cells)}
        around = (-self.side, self.side, -1, 1)
        self.walls = np.array([[place[int(c) + d] for d in around] for c in self.box_cells])

    def datasheet(self) -> Datasheet:
        return Datasheet(
            title="Dots and Boxes",
            rows=self.side,
            columns=self.side,
            planes=["edges", "first player's boxes", "second player's boxes", "player to move"],
            move_count=self.edges,
            max_length=self.edges,
            max_length_reason="each move draws an edge",
            has_draws=self.size % 2 == 0,
            has_score=True,
            board_determines_ply=True,
        )

    def initial(self) -> StateBytes:
        return np.zeros(self.edges + self.boxes + 1, np.uint8)

    def to_move(self, state: StateBytes) -> int:
        return int(state[-1])

    def ply_of(self, state: StateBytes) -> int:
        return int(np.count_nonzero(state[: self.edges]))

    def score(self, state: StateBytes) -> float:
        return float(self.scores(state[None])[0])

    def result(self, state: StateBytes) -> int | None:
        return int(np.sign(self.score(state))) if state[: self.edges].all() else None

    def flaw(self, state: StateBytes) -> str:
        owners = state[self.edges : -1]
        fits = state[: self.edges].max() < 2 and state[-1] < 2 and owners.max() < 3
        closed = state[self.walls].all(1) if fits else owners
        return "" if fits and np.array_equal(closed, owners > 0) else "the boxes do not fit"

    def scores(self, states: States) -> NDArray[Any]:
        owners = states[:, self.edges : -1]
        score: NDArray[Any] = np.sum(owners == 1, 1) - np.sum(owners == 2, 1)
        return score

    def expand_many(self, states: States) -> Expanded:
        parents, moves = np.nonzero(states[:, : self.edges] == 0)
        children = states[parents]
        children[np.arange(len(moves)), moves] = 1
        owners = children[:, self.edges : -1]  # a view: writing to it changes the children
        closed = children[:, self.walls].all(2) & (owners == 0)
        owners[closed] = (children[:, -1:] + 1).repeat(self.boxes, 1)[closed]
        children[:, -1] ^= ~closed.any(1)
        over = children[:, : self.edges].all(1)
        results = np.where(over, np.sign(self.scores(children)), ONGOING)
        return Expanded(parents, moves, children, results)

    def encode_many(self, states: States) -> NDArray[np.int8]:
        planes = np.zeros((len(states), 4, self.side**2), np.int8)
        planes[:, 0, self.edge_cells] = states[:, : self.edges]
        for owner in (1, 2):
            planes[:, owner, self.box_cells] = states[:, self.edges : -1] == owner
        planes[:, 3] = states[:, -1:]
        return planes.reshape(-1, 4, self.side, self.side)
