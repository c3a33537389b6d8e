"""Gumbel search equals mctx, the library of its authors, on positions of tic-tac-toe.

`tests/data/mctx_gumbel.json` is what mctx 0.0.71 answered (`crossplay/mctx_gumbel.py`): the visits
of the root, its improved policy and the move, for values and logits that look random.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import athenan
import numpy as np
import pytest
from athenan import _core
from athenan.selfplay import play
from crossplay.mctx_gumbel import SETTINGS

ROWS = json.loads((Path(__file__).parents[1] / "data" / "mctx_gumbel.json").read_text())
GAME = athenan.make_game("tic_tac_toe")


class Tables(athenan.evaluators.Evaluator):
    """The values and logits that mctx was given, of the states that these planes show."""

    has_policy = True

    def evaluate(
        self,
        planes: athenan.evaluators.Planes,
        moves: athenan.evaluators.LegalMoves | None = None,
    ) -> athenan.evaluators.Evaluation:
        assert moves is not None
        every = np.stack([_core.hash_values(planes, 100 + move) for move in range(9)], 1)
        of_state = np.repeat(np.arange(len(planes)), np.diff(moves.offsets))
        logits = 3 * every[of_state, moves.numbers]
        return athenan.evaluators.Evaluation(_core.hash_values(planes, 7), logits)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_visits_policy_and_move_are_those_of_mctx(setting: dict[str, Any]) -> None:
    """Here the first iteration asks for the root itself, which mctx does not count."""
    given = setting | {"iterations": setting["iterations"] + 1}
    options = ",".join(f"{name}={value}" for name, value in given.items())
    rows = [row for row in ROWS if {name: row[name] for name in setting} == setting]
    assert len(rows) == 40
    for row in rows:
        state, spec = GAME.initial_state(), f"gumbel:{options},transpositions=false"
        for move in row["opening"]:
            state = state.play(move)
        engine = _core.Search(GAME, spec)
        athenan.searches.drive(engine, state, Tables())
        assert [each.move for each in engine.root_moves] == state.legal_moves()
        assert [each.count for each in engine.root_moves] == row["visits"]
        assert engine.decide() == row["move"]

        pool = _core.Pool(GAME, [_core.Mind(spec)], "terminal", moves="policy")
        pool.add(0, 0, opening=row["opening"])
        (record,) = play(pool, [Tables()])
        assert record.move_targets is not None
        offsets, numbers, shares = record.move_targets
        assert record.moves[len(row["opening"])] == row["move"]
        assert numbers[: offsets[1]].tolist() == state.legal_moves()
        assert shares[: offsets[1]] == pytest.approx(row["policy"], abs=2e-4)
