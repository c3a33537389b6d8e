"""`athenan.search`: what gives the values, which search, and on which scale."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import athenan
import numpy as np
import pytest
from athenan.evaluators import Planes
from athenan.searches import SearchResult, combined, read_model
from small_models import write_model

HEX = athenan.make_game("hex:size=4,swap=false")
WON = "xo2/xo2/xo2/4 x"  # a4 wins at once


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose values are on the scale of additive depth."""
    folder = tmp_path_factory.mktemp("run")
    own = "ubfm-safe:terminal=additive_depth,expansions=7"
    write_model(folder / "model.safetensors", HEX.id, own)
    return folder


def test_a_model_brings_its_search_and_its_scale(run: Path) -> None:
    state = HEX.parse_position(WON)
    result = athenan.search(state, run)
    assert str(result.spec) == "ubfm-safe:expansions=7,terminal=additive_depth"
    assert result.proven_outcome == 1
    assert result.value is not None
    assert result.value > 1.0  # a proven win now, with plies to spare, and not a mere 1
    other = athenan.search(state, run, "alphabeta:depth=1")
    assert str(other.spec) == "alphabeta:terminal=additive_depth,depth=1"
    assert other.value == result.value
    classic = athenan.search(state, run, "alphabeta:depth=1,terminal=classic")
    assert classic.value == 1.0


def test_a_model_can_be_given_in_many_ways(run: Path) -> None:
    start, model = HEX.initial_state(), read_model(run)
    file = run / "model.safetensors"
    found = [athenan.search(start, each) for each in (run, str(run), file, os.fspath(file), model)]
    assert len({(result.best_move, result.value) for result in found}) == 1
    with athenan.network_evaluator(model.network, batch_invariant=True) as evaluator:
        same = athenan.search(start, evaluator, model.search)
    assert (same.best_move, same.value) == (found[0].best_move, found[0].value)


@pytest.mark.parametrize(
    ("spec", "options", "expected"),
    [
        (None, {}, "ubfm-safe:expansions=7,terminal=additive_depth"),
        (None, {"evaluations": 9}, "ubfm-safe:evaluations=9,terminal=additive_depth"),
        (
            None,
            {"early_stop": True},
            "ubfm-safe:expansions=7,terminal=additive_depth,early_stop=true",
        ),
        ("iterations=3", {}, "ubfm-safe:iterations=3,terminal=additive_depth"),
        ("descent", {"iterations": 2}, "descent:iterations=2,terminal=additive_depth"),
        (athenan.SearchSpec("ubfm:iterations=2"), {}, "ubfm:iterations=2,terminal=additive_depth"),
    ],
)
def test_what_is_given_replaces_parts_of_the_models_search(
    spec: athenan.SearchSpec | str | None, options: dict[str, Any], expected: str, run: Path
) -> None:
    assert str(athenan.search(HEX.initial_state(), run, spec, **options).spec) == expected


def test_without_a_model() -> None:
    result = athenan.search(HEX.initial_state(), expansions=5)
    assert (str(result.spec), result.value) == ("ubfm-safe:expansions=5", 0.0)
    both = athenan.search(HEX.initial_state(), None, "ubfm:expansions=50", iterations=2)
    assert str(both.spec) == "ubfm:expansions=50,iterations=2"
    proven = athenan.search(HEX.parse_position(WON))
    assert proven.proven_outcome == 1
    policy = athenan.search(HEX.initial_state(), spec="puct", iterations=3)
    assert policy.spent.iterations == 3


def test_a_plain_function_gives_values() -> None:
    def stones(planes: Planes) -> Any:
        return planes[:, 0].sum(axis=(1, 2)).astype(np.float64)

    start = athenan.make_game("tic_tac_toe").initial_state()
    assert athenan.search(start, stones, "minimax:depth=1").value == 1.0


def test_a_search_that_values_nothing_has_no_value() -> None:
    result = athenan.search(HEX.initial_state(), spec="random", seed=3)
    assert isinstance(result, SearchResult)
    assert (result.value, result.moves, result.proven_outcome) == (None, [], None)
    assert result.best_move in HEX.initial_state().legal_moves()


def test_mistakes_end_in_one_sentence(run: Path, tmp_path: Path) -> None:
    start = HEX.initial_state()
    with pytest.raises(athenan.Error, match="plays hex:size=4,swap=false, not tic_tac_toe"):
        athenan.search(athenan.make_game("tic_tac_toe").initial_state(), run)
    with pytest.raises(athenan.Error, match=r"has no model\.safetensors"):
        athenan.search(start, tmp_path)
    with pytest.raises(athenan.Error, match="there is no model 'nowhere'"):
        athenan.search(start, "nowhere")
    with pytest.raises(athenan.Error, match="needs a policy, and the network of the model"):
        athenan.search(start, run, "puct:iterations=2")
    with pytest.raises(athenan.Error, match="an evaluator or a function"):
        athenan.search(start, 5)  # type: ignore[arg-type]
    with pytest.raises(athenan.Error, match="no policy"):
        athenan.search(start, athenan.hash_evaluator(), "puct:iterations=2")
    with pytest.raises(athenan.ParameterError, match="has no option 'speed'"):
        athenan.search(start, run, speed=2)


def test_an_own_depth_does_not_lift_the_own_budget() -> None:
    own = athenan.SearchSpec("alphabeta:depth=8,seconds=5")
    assert combined(own, "transpositions=false").budget.seconds == 5
    assert combined(own, "") == own
    assert str(combined(own, "depth=2", "seconds=9")) == "alphabeta:depth=2"


def test_a_model_plays_with_and_without_the_swap(tmp_path: Path) -> None:
    for game, other in (("hex:size=4", "hex:size=4,swap=false"), ("go:size=5", "go:size=5,komi=3")):
        write_model(tmp_path / "model.safetensors", game, "ubfm-safe:expansions=3")
        state = athenan.make_game(other).initial_state()
        found = athenan.search(state, tmp_path / "model.safetensors")
        assert found.best_move in state.legal_moves()
    with pytest.raises(athenan.Error, match=r"plays go:size=5,komi=7\.5,ko=superko, not go:size=6"):
        athenan.search(
            athenan.make_game("go:size=6").initial_state(), tmp_path / "model.safetensors"
        )
