"""A model plays without torch, whose import takes longer than all else before the first move."""

import subprocess
import sys
from collections.abc import Sequence

import athenan
import numpy as np
import pytest
from athenan.arena.sharing import SharedEvaluator
from athenan.evaluators import Evaluator, constant_evaluator
from athenan.evaluators.evaluator import Evaluation, LegalMoves, Planes
from athenan.searches import warm_up

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
from athenan.commands import main
sys.exit(main(sys.argv[1:]))
"""


def run_without_torch(arguments: Sequence[str], said: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, *arguments],
        input=said,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_match_against_a_model_needs_no_torch() -> None:
    said = run_without_torch(["play", "hex-5", "--second", "--seconds", "0.01"])
    assert "hex-5 plays " in said


def test_a_series_of_a_model_needs_no_torch() -> None:
    players = ["hex-5@ubfm-safe:expansions=3", "random"]
    said = run_without_torch(["match", *players, "--matches", "2"])
    assert "hex-5" in said


def test_an_engine_of_a_model_needs_no_torch() -> None:
    lines = "ugi\nisready\nposition startpos\ngo nodes 3\n"
    said = run_without_torch(["engine", "ugi", "--model", "hex-5"], lines)
    assert "bestmove " in said


def test_a_search_with_a_model_needs_no_torch() -> None:
    code = (
        "import sys; sys.modules['torch'] = None; import athenan;"
        "model = athenan.load('hex-5'); state = model.make_game().initial_state();"
        "print(repr(model), athenan.search(state, 'hex-5', expansions=2),"
        " model.play(state, expansions=2).ply)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "TrainedModel" in done.stdout
    assert done.stdout.endswith(" 1\n")


class Counting(Evaluator):
    """Gives zeros, and notes the sizes of its batches."""

    def __init__(self, steady: bool) -> None:
        self.is_steady = steady
        self.sizes: list[int] = []

    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:  # noqa: ARG002
        self.sizes.append(len(planes))
        return Evaluation(np.zeros(len(planes), np.float32))


@pytest.mark.parametrize(("steady", "sizes"), [(True, [1]), (False, [1, 2, 4, 8, 9])])
def test_an_evaluator_warms_up_only_as_far_as_it_must(steady: bool, sizes: list[int]) -> None:
    game = athenan.make_game("tic_tac_toe")
    alone = Counting(steady)
    warm_up(alone, game)
    assert alone.sizes == sizes
    asked = Counting(steady)
    with SharedEvaluator(asked) as shared:
        warm_up(shared, game)
    assert asked.sizes == sizes
    assert not constant_evaluator().is_steady
