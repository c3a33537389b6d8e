"""Settings and presets: what is accepted, what is refused and in which words."""

from pathlib import Path
from typing import Any

import pytest
from athenan import ParameterError
from athenan.learning import complete_config, merged, parse_assignments, preset
from athenan.learning.completion import preset_names
from athenan.runs.run import config_text


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({}, "no game was given"),
        ({"game": "\ud800"}, r"the setting game is '\ud800'"),
        ({"game": "hex", "selfplay": {"search": "\ud800"}}, r"selfplay.search is '\ud800'"),
        ({"game": "hex", "learning": {"batch_size": 0}}, "learning.batch_size is 0"),
        (
            {
                "game": "hex",
                "stages": [{"matches": 1, "search": "mcts:iterations=5", "selects": 1}],
            },
            "there is no setting stages.0.selects; accepted are matches, search, selection",
        ),
        ({"game": "hex", "stop": {"minutes": float("inf")}}, "less than or equal to 1"),
        ({"game": "hex", "learning": {"batchsize": 8}}, "there is no setting learning.batchsize"),
        ({"game": "hex", "learning": {"batchsize": 8}}, "accepted are data, moves"),
        ({"game": "hex", "learning": {"adam": {"beta1": 2}}}, "learning.adam.beta1 is 2"),
        ({"game": "hex", "learning": {"data": "branch"}}, "'tree', 'root' or 'terminal'"),
        ({"game": "hex", "learning": {"symmetry": "both"}}, "learning.symmetry is 'both'"),
        ({"game": "hex", "network": {"filters": "many"}}, "network.filters is 'many'"),
        (
            {"game": "hex", "selfplay": {"terminal": "score"}},
            "for hex accepted is one of auto, classic",
        ),
        ({"game": "hex", "selfplay": {"search": "mcts:seconds=1"}}, "by a network is needed"),
        ({"game": "hex", "selfplay": {"search": "mcts:seconds=1"}}, "descent, ubfm, ubfm-safe"),
        ({"game": "hex", "selfplay": {"search": "descend"}}, "descend"),
        ({"game": "hex", "hardware": {"backend": "jax"}}, "accepted are auto, onnxruntime"),
        ({"game": "hex", "hardware": {"device": "gpu"}}, "accepted are auto, cpu, cuda, cuda:1"),
        ({"game": "hex", "round_widths_to": "big"}, "round_widths_to is 'big'"),
        (
            {"game": "hex", "selfplay": {"search": "ubfm:expansions=5,terminal=classic"}},
            "give it as selfplay.terminal",
        ),
        ({"game": "hex", "selfplay": {"selection": "ordinary"}}, "ordinary"),
        ({"game": "chess"}, "chess"),
        (
            {"game": "hex", "learning": {"value_loss": "likelihood"}},
            "learning.value_loss is 'likelihood', which takes values for probabilities: set",
        ),
        (
            {
                "game": "hex",
                "learning": {"value_loss": "likelihood"},
                "selfplay": {"terminal": "classic"},
            },
            "set selfplay.terminal to classic and network.output to tanh",
        ),
        (
            {"game": "othello", "network": {"output": "tanh"}, "selfplay": {"terminal": "score"}},
            "network.output is 'tanh', which stays between -1 and 1",
        ),
        (
            {"game": "hex", "network": {"output": "tanh"}, "selfplay": {"terminal": "auto"}},
            "selfplay.terminal = 'additive_depth' do not: set network.output to linear",
        ),
        (
            {"game": "hex", "selfplay": {"selection": "ordinal:schedule=annealed"}},
            "set stop.minutes or stop.matches",
        ),
        (
            {"game": "hex", "hardware": {"deterministic": True}},
            "checkpoints.every_minutes must be 0",
        ),
    ],
)
def test_a_mistake_is_one_sentence_that_names_it(overrides: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        complete_config(overrides)
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_assignments_are_read_as_toml_or_as_text() -> None:
    given = parse_assignments(
        ["learning.batch_size=64", "selfplay.search=uct:expansions=5", "network.dense=[8, 9]",
         "learning.symmetry=false", "learning.adam.learning_rate=1e-4"]
    )  # fmt: skip
    assert given == {
        "learning": {"batch_size": 64, "symmetry": False, "adam": {"learning_rate": 1e-4}},
        "selfplay": {"search": "uct:expansions=5"},
        "network": {"dense": [8, 9]},
    }
    for wrong in ("learning", "=3", ""):
        with pytest.raises(ParameterError, match="name=value"):
            parse_assignments([wrong])


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_is_complete_and_reads_back_from_its_own_file(
    name: str, tmp_path: Path
) -> None:
    config = complete_config(merged({"game": "othello:size=6"}, preset(name)))
    file = tmp_path / "config.toml"
    file.write_text(config_text(config), encoding="utf-8")
    assert complete_config(preset(str(file))) == config
    assert config.weights == 0


def test_an_unknown_preset_names_those_that_exist() -> None:
    with pytest.raises(ParameterError, match=r"paper-hex11.*small"):
        preset("papers")
    with pytest.raises(ParameterError, match="no settings file"):
        preset("nowhere.toml")


@pytest.mark.parametrize(
    ("game", "terminal"),
    [("othello", "score"), ("hex:size=5", "additive_depth"), ("lines_of_action", "classic")],
)
def test_the_terminal_evaluation_fits_the_game(game: str, terminal: str) -> None:
    assert complete_config(merged(preset("small"), {"game": game})).selfplay.terminal == terminal


@pytest.mark.parametrize(
    ("given", "meant"),
    {
        "learning.rat=0.1": "learning.adam.learning_rate",
        "learning.rate=0.1": "learning.adam.learning_rate",
        "lerning.rate=0.1": "learning.adam.learning_rate",
        "learning.adam.rat=0.1": "learning.adam.learning_rate",
        "learning.replay.siz=3": "learning.replay.size",
        "netwrk.filters=3": "network.filters",
        "network.filter=3": "network.filters",
        "batchsize=3": "learning.batch_size",
        "selfplay.expansions=3": "stop.expansions",
        "learning.colour=3": None,
    }.items(),
)
def test_a_misspelt_setting_is_proposed_at_any_depth(given: str, meant: str | None) -> None:
    with pytest.raises(ParameterError) as refused:
        complete_config(merged({"game": "tic_tac_toe"}, parse_assignments([given])), {})
    assert (f"(did you mean {meant}?)" if meant else "; accepted are") in str(refused.value)
    assert ("did you mean" in str(refused.value)) == (meant is not None)
