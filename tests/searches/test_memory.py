"""The memory of a tree: never more than half of what is free, unless a limit is named."""

from collections.abc import Iterable

import athenan
import numpy as np
import pytest
from athenan import Datasheet, Rules, SearchSpec, game_from_rules
from athenan.games import StateBytes
from athenan.machine import available_memory
from athenan.searches import within_memory
from numpy.typing import NDArray


def test_the_limit_is_half_of_the_free_memory_unless_named() -> None:
    limit = within_memory(SearchSpec("ubfm")).options["memory_mb"]
    assert isinstance(limit, int)
    assert 0.2 * available_memory() < limit * 2**20 < 0.8 * available_memory()
    assert str(within_memory(SearchSpec("ubfm:memory_mb=7"))) == "ubfm:memory_mb=7"
    result = athenan.search(athenan.make_game("tic_tac_toe").initial_state(), expansions=3)
    assert str(result.spec) == "ubfm-safe:expansions=3"


def test_a_full_memory_is_said() -> None:
    state = athenan.make_game("hex:size=7").initial_state()
    assert athenan.search(state, memory_mb=1).memory_full
    with pytest.raises(athenan.Error, match=r"was not solved within 1 MB of memory \(memory_mb\)"):
        athenan.solve(state, memory_mb=1)


class Wide(Rules):
    """One move out of very many ends it."""

    moves_at_once = 20_000

    def datasheet(self) -> Datasheet:
        return Datasheet(
            title="Wide",
            rows=1,
            columns=1,
            planes=["moved"],
            move_count=self.moves_at_once,
            max_length=1,
        )

    def initial(self) -> StateBytes:
        return np.zeros(3, np.uint8)

    def to_move(self, state: StateBytes) -> int:
        return int(state[2])

    def result(self, state: StateBytes) -> int | None:
        return 1 if state[2] else None

    def moves(self, state: StateBytes) -> Iterable[int]:  # noqa: ARG002
        return range(self.moves_at_once)

    def apply(self, state: StateBytes, move: int) -> StateBytes:  # noqa: ARG002
        return np.array([move % 256, move // 256, 1], np.uint8)

    def encode(self, state: StateBytes) -> NDArray[np.uint8]:
        return state[2:].reshape(1, 1, 1)


@pytest.mark.parametrize("algorithm", ["ubfm", "descent", "alphabeta", "uct", "mcts"])
def test_a_limit_without_room_for_one_state_is_refused(algorithm: str) -> None:
    state = game_from_rules(Wide()).initial_state()
    with pytest.raises(athenan.ParameterError, match="memory_mb of 1 is too little: one state of"):
        athenan.search(state, spec=algorithm, memory_mb=1, iterations=2)
