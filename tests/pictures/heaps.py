"""Games in Python of no known look, and without geometry."""

import athenan
import numpy as np
from athenan.games import StateBytes


class Heap(athenan.Rules):
    """Take one or two of seven: a game with no board to draw."""

    def datasheet(self) -> athenan.Datasheet:
        return athenan.Datasheet(
            title="Heap <7>", rows=1, columns=1, planes=["left"], move_count=2, max_length=7
        )

    def initial(self) -> StateBytes:
        return np.array([7, 0], np.uint8)

    def to_move(self, state: StateBytes) -> int:
        return int(state[1])

    def result(self, state: StateBytes) -> int | None:
        return None if state[0] else (-1 if state[1] == 0 else 1)

    def moves(self, state: StateBytes) -> list[int]:
        return list(range(min(2, int(state[0]))))

    def apply(self, state: StateBytes, move: int) -> StateBytes:
        return np.array([state[0] - 1 - move, 1 - state[1]], np.uint8)

    def encode(self, state: StateBytes) -> StateBytes:
        return state[:1].reshape(1, 1, 1)


class DrawnHeap(Heap):
    """The same with a board of its own, and a character that XML forbids."""

    def drawing(self, state: StateBytes) -> str:
        return f"k#k#\nK..{'o' if state[1] else '.'}\n"

    def position_text(self, state: StateBytes) -> str:
        return f"\x07{state[0]}"
