"""The presets hold the numbers that the paper prints, section by section.

The paper is arXiv:2008.01188. What it does not settle is in `DECIDED`, with the reason in a comment
of the preset.
"""

from collections.abc import Mapping
from functools import reduce
from typing import Any

import pytest
from athenan import make_game, network_for_preset
from athenan.learning import Config, complete_config, merged, preset
from athenan.networks import weight_count

# "Common Experiment Protocol", technical details; L2 in the caption of "stochastic gradient
# descent"; the selection in that of "ε-greedy".
PROTOCOL = {
    "network.convolutions": 3,
    "network.filters": 64,
    "network.blocks": 0,
    "network.dense": (100,),
    "network.margin": "valid",
    "network.output": "tanh",
    "selfplay.search": "descent:seconds=2",
    "selfplay.terminal": "classic",
    "selfplay.selection": "epsilon-greedy:schedule=annealed",
    "selfplay.matches": 1,
    "learning.batch_size": 128,
    "learning.replay.kind": "experience",
    "learning.replay.unit": "pairs",
    "learning.replay.size": 10**6,
    "learning.replay.sampling": 0.04,
    "learning.symmetry": False,
    "learning.l2": 0.001,
    "stop.minutes": 48 * 60,
}
# "The Experimental Comparison" with ExIt, technical details.
EXIT = {
    "network.filters": 132,
    "network.blocks": 8,
    "network.squeeze": 0,
    "network.pooling": 0,
    "network.output": "tanh",
    "selfplay.search": "descent:seconds=3",
    "selfplay.terminal": "classic",
    "selfplay.selection": "ordinal:schedule=uniform",
    "selfplay.matches": 1,
    "selfplay.resolved_memory": True,
    "selfplay.forget_hours": 12,
    "learning.data": "tree",
    "learning.batch_size": 3000,
    "learning.replay.kind": "stratified",
    "learning.replay.size": 100,
    "learning.replay.duplication": 3,
    "learning.adam.learning_rate": 0.0001,
    "learning.adam.beta1": 0.9,
    "learning.adam.beta2": 0.999,
    "learning.adam.epsilon": 1e-7,
    "learning.l2": 0.001,
    "learning.pretraining": 10_000_000,
    "stop.minutes": 15 * 24 * 60,
}
# "A Long Training for Hex 11", technical details; the selection in the caption of "ordinal".
HEX_11 = {
    "game": "hex:size=11,swap=true",
    "network.filters": 83,
    "network.blocks": 4,
    "network.squeeze": 0,
    "network.pooling": 0,
    "network.dense": (74,),
    "network.output": "linear",
    "selfplay.search": "descent:seconds=2",
    "selfplay.terminal": "additive_depth",
    "selfplay.selection": "ordinal:schedule=annealed",
    "selfplay.matches": 1,
    "selfplay.resolved_memory": True,
    "selfplay.forget_hours": 48,
    "learning.data": "tree",
    "learning.symmetry": True,
    "learning.batch_size": 3000,
    "learning.replay.kind": "experience",
    "learning.replay.unit": "matches",
    "learning.replay.size": 100,
    "learning.l2": 0.001,
    "learning.pretraining": 15_168_000,
    "stop.matches": 34_321,
}
# "A Long Training for Hex 13", technical differences.
HEX_13 = HEX_11 | {
    "game": "hex:size=13,swap=true",
    "network.filters": 186,
    "network.blocks": 8,
    "network.dense": (220, 220),
    "selfplay.search": "descent:seconds=5",
    "learning.replay.size": 250,
    "learning.pretraining": 0,
    "stop.matches": 5_288,
}
# "Othello", technical details.
OTHELLO = {
    "game": "othello:size=8",
    "network.filters": 373,
    "network.blocks": 8,
    "network.squeeze": 16,
    "network.pooling": 4453,
    "network.dense": (4453,),
    "network.output": "linear",
    "selfplay.search": "descent:seconds=5",
    "selfplay.terminal": "score",
    "selfplay.selection": "ordinal:schedule=uniform",
    "selfplay.matches": 1,
    "selfplay.resolved_memory": True,
    "selfplay.forget_hours": 12,
    "learning.data": "tree",
    "learning.symmetry": True,
    "learning.batch_size": 4000,
    "learning.replay.kind": "stratified",
    "learning.replay.size": 100,
    "learning.replay.duplication": 3,
    "learning.adam.learning_rate": 0.0001,
    "learning.adam.beta1": 0.9,
    "learning.adam.beta2": 0.999,
    "learning.adam.epsilon": 1e-5,
    "learning.pretraining": 10_000_000,
    "stop.matches": 52_470,
}
# "Arimaa", technical details; the selection in the caption of "ordinal".
ARIMAA = OTHELLO | {
    "game": "arimaa:setup=pieces",
    "network.filters": 263,
    "network.blocks": 4,
    "network.squeeze": 0,
    "network.pooling": 2217,
    "network.dense": (2217,),
    "selfplay.terminal": "arimaa",
    "selfplay.selection": "ordinal:schedule=annealed",
    "learning.adam.beta2": 0.99,
    "learning.adam.epsilon": 1e-7,
    "learning.l2": 0.001,
    "stop.matches": 6_317,
}
# "Morpion Solitaire", technical details; the selection in the caption of "ordinal".
MORPION = OTHELLO | {
    "game": "morpion:variant=5D,board=18",
    "network.filters": 186,
    "network.pooling": 0,
    "network.dense": (104, 104),
    "selfplay.search": "descent:seconds=1",
    "selfplay.selection": "ordinal:schedule=annealed",
    "learning.batch_size": 3000,
    "learning.adam.beta2": 0.99,
    "learning.adam.epsilon": 1e-8,
    "learning.l2": 0.001,
    "stop.matches": 58_971,
}
SGD = {"learning.loss": "sum"}  # the algorithm "stochastic gradient descent"
PRINTED = {
    "paper-protocol": PROTOCOL,
    "paper-exit-comparison": EXIT,
    "paper-hex11": HEX_11,
    "paper-hex13": HEX_13,
    "paper-othello": OTHELLO,
    "paper-arimaa": ARIMAA,
    "paper-morpion": MORPION,
}
DECIDED: dict[str, Mapping[str, float]] = {
    "paper-protocol": {"learning.adam.learning_rate": 0.001},
    "paper-hex11": {"learning.adam.learning_rate": 0.0001, "learning.replay.sampling": 0.013},
    "paper-hex13": {"learning.adam.learning_rate": 0.0001, "learning.replay.sampling": 0.0045},
    "paper-othello": {"learning.l2": 0.001},
}
LONG = {"hex11": 100, "hex13": 200, "othello": 200, "arimaa": 200, "morpion": 50}
"""The long trainings, with the expansions that the paper's hardware made in a search."""


def config_of(name: str) -> Config:
    return complete_config(merged({"game": "othello"}, preset(name)))


def settings_of(name: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    config = config_of(name)
    return {path: reduce(getattr, path.split("."), config) for path in wanted}


@pytest.mark.parametrize("name", PRINTED)
def test_a_preset_has_the_numbers_that_the_paper_prints(name: str) -> None:
    printed = PRINTED[name] | SGD
    assert settings_of(name, printed) == printed


@pytest.mark.parametrize("name", DECIDED)
def test_what_the_paper_leaves_open_is_as_decided(name: str) -> None:
    assert settings_of(name, DECIDED[name]) == DECIDED[name]


@pytest.mark.parametrize(
    ("name", "learned", "expansions"), [("paper-hex11", 59e7, 196e6), ("paper-hex13", 16e7, 64e6)]
)
def test_hex_learns_as_much_as_the_totals_of_the_paper_say(
    name: str, learned: float, expansions: float
) -> None:
    """A match gives about 2.3 states per expansion: expanded and ended ones, each with a copy."""
    replay = config_of(name).learning.replay
    assert 2.3 * replay.sampling * replay.size == pytest.approx(learned / expansions, rel=0.05)


# The totals are printed in the technical details of Othello, Arimaa and Morpion Solitaire.
@pytest.mark.parametrize(
    ("name", "weights"),
    [("paper-othello", 41_695_147), ("paper-arimaa", 10_511_017), ("paper-morpion", 9_989_285)],
)
def test_a_network_has_the_published_number_of_weights(name: str, weights: int) -> None:
    config = config_of(name)
    assert weight_count(config.network, make_game(config.game)) == weights
    if weights < 11_000_000:
        assert network_for_preset(name).weight_count == weights


# The table "Number of hidden dense neurons N used by ExIt and Athénan".
@pytest.mark.parametrize(
    ("game", "neurons"),
    [
        ("go:size=9", 365),
        ("go:size=11", 228),
        ("hex:size=11", 228),
        ("hex:size=13", 155),
        ("othello:size=8", 477),
        ("othello:size=10", 286),
        ("outer_open_gomoku", 111),
        ("connect6", 65),
        ("havannah:size=8", 111),
        ("havannah:size=10", 65),
    ],
)
def test_the_comparison_preset_is_sized_to_the_board(game: str, neurons: int) -> None:
    config = complete_config(merged(preset("paper-exit-comparison"), {"game": game}))
    assert (config.network.filters, config.network.dense) == (132, (neurons, neurons))


# The games of the protocol's tables; a footnote excepts Surakarta from the three convolutions.
@pytest.mark.parametrize(
    ("game", "convolutions"),
    [
        ("hex:size=11", 3),
        ("othello", 3),
        ("surakarta", 2),
        ("outer_open_gomoku", 3),
        ("clobber", 3),
        ("breakthrough", 3),
        ("amazons", 3),
        ("lines_of_action", 3),
        ("santorini", 3),
    ],
)
def test_the_protocol_has_a_network_for_each_of_its_games(game: str, convolutions: int) -> None:
    network = network_for_preset("paper-protocol", game)
    assert len(network.stem) == network.architecture.convolutions == convolutions
    assert complete_config(merged(preset("paper-protocol"), {"game": game})).fit_to_board is False


@pytest.mark.parametrize("run", LONG)
def test_a_fast_preset_differs_in_widths_and_in_how_matches_are_played(run: str) -> None:
    fast, paper = config_of(f"fast-{run}"), config_of(f"paper-{run}")
    widths = [fast.network.filters, fast.network.pooling, *fast.network.dense]
    assert not any(width % 32 for width in widths)
    assert fast.selfplay.search == f"descent:expansions={LONG[run]}"
    assert fast.selfplay.matches == 0
    if run.startswith("hex"):  # as its measured trainings were
        measured = {
            "selfplay": {"selection": "ordinal:schedule=uniform"},
            "learning": {"loss": "mean", "replay": {"sampling": 0.05 if run == "hex11" else 0.02}},
        }
        paper = complete_config(merged(preset(f"paper-{run}"), measured))
    same = {"exclude": {"network": True, "selfplay": {"search", "matches"}}}
    assert fast.model_dump(**same) == paper.model_dump(**same)  # type: ignore[arg-type]
