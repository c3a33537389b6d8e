"""Settings without effect are refused, each with its reason; none is forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from athenan import ParameterError
from athenan.commands import main
from athenan.learning import complete_config, merged, preset
from athenan.learning.completion import all_names, method, method_names, preset_names
from athenan.learning.dormant import REASONS, dormant
from athenan.learning.settings import Config, parse_assignments
from athenan.networks import own_architecture
from athenan.runs import Run
from athenan.runs.run import config_text
from commands.complaints import complaint_of

OWN = {"network": own_architecture("examples/own_network.py:Net:width=4").model_dump()}
ALWAYS = set(
    """
    game seed origin network.policy network.move_values network.code selfplay.search
    selfplay.terminal selfplay.chooser
    selfplay.selection selfplay.matches selfplay.networks selfplay.expert
    selfplay.random_moves learning.data learning.moves learning.replay.kind
    learning.replay.size learning.batch_size learning.adam.learning_rate learning.adam.beta1
    learning.adam.beta2 learning.adam.epsilon learning.loss learning.value_loss
    learning.values_weight learning.l2 stages learning.pretraining
    checkpoints.every_minutes checkpoints.every_matches checkpoints.keep stop.minutes
    stop.cpu_minutes stop.matches stop.expansions stop.evaluations hardware.device
    hardware.precision hardware.backend hardware.threads hardware.learners
    hardware.deterministic
    """.split()  # noqa: SIM905 (a list would be a page)
)
"""Settings that have an effect whatever the others are, or are refused with another sentence."""


def settings_of(words: str) -> dict[str, Any]:
    """Read assignments, for Hex unless they name a game; `own` is a network of one's own."""
    own, *assignments = words.split() if words.startswith("own") else ["", *words.split()]
    return merged({"game": "hex:size=5", **(OWN if own else {})}, parse_assignments(assignments))


CASES = {
    "game_sha256=00": "the game is not written in Python",
    "own network.filters=8": "the network is your own",
    "own network.convolutions=2": "its file says how it is built",
    "own network.margin=same": "its file says",
    "own network.blocks=2": "its file says",
    "own network.squeeze=4": "its file says",
    "own network.pooling=4": "its file says",
    "own network.dense=[8]": "its file says",
    "own network.output=tanh": "its file says",
    "own fit_to_board=true": "its file says",
    "own weights=1e5": "its file says",
    "own round_widths_to=8": "its file says",
    "network.code_sha256=00": "set network.code",
    "keep_optimiser=true": "begin with --from RUN",
    "learning.moves_weight=2": "set learning.moves",
    "learning.temperature=2": "set learning.moves",
    "learning.temperature=2 learning.moves=values network.move_values=true": "of moves have none",
    "learning.moves_taught=2": "no values of moves are learned: set learning.moves=values",
    "learning.moves_taught=2 learning.moves=values network.move_values=true": None,
    "learning.replay.every=5": "set learning.replay.kind=growing",
    "learning.replay.held_out=0.2": "set learning.replay.kind=growing",
    "learning.replay.patience=2": "set learning.replay.kind=growing",
    "selfplay.forget_hours=2": "set selfplay.resolved_memory=true",
    "selfplay.forget_matches=9": "no table of solved states",
    "selfplay.forget_states=9": "no table of solved states",
    "selfplay.resolved_memory=true selfplay.search=alphabeta:depth=2": "resolves no states",
    "selfplay.averaged=true": "set learning.averaging",
    "game=brazilian_draughts learning.symmetry=all": "the game has no symmetries",
    "game=brazilian_draughts learning.symmetry=false": None,
    "game=xiangqi learning.symmetry=all": None,
    "learning.averaging=9 learning.replay.kind=growing": "keeps its best weights",
    "learning.averaging=9": None,
    "learning.replay.sampling=0.1": "set learning.replay.kind=experience",
    "learning.replay.unit=pairs": "belongs to another kind of replay",
    "learning.replay.kind=experience learning.replay.duplication=2": "kind=stratified",
    "learning.replay.kind=experience learning.replay.sampling=0.1": None,
    "learning.adam.final_share=0.1": "the end of the training, which has none",
    "learning.adam.final_share=0.1 stop.expansions=9": None,
    "checkpoints.snapshots=[0.5]": "set stop.minutes or stop.matches",
    "evaluation.opponent=random": "set evaluation.every_matches",
    "evaluation.search=ubfm:expansions=3": "nothing is evaluated",
    "evaluation.matches=6": "nothing is evaluated",
    "evaluation.openings=balanced": "nothing is evaluated",
    "evaluation.opponent=random evaluation.every_matches=2": None,
    "evaluation.opponent= evaluation.every_matches=2": "evaluation.opponent is empty",
    "evaluation.opponent= evaluation.every_minutes=2": "evaluation.opponent is empty",
    "evaluation.opponent=": None,
    "game=morpion evaluation.opponent=random evaluation.every_matches=2": "the game is for one",
    "game=morpion evaluation.openings=balanced evaluation.every_matches=2": "for one",
    "game=morpion evaluation.matches=4 evaluation.every_matches=2": None,
    "selfplay.search=descent:expansions=5,decision=safest": "leave out decision=safest",
    "selfplay.selection=ordinal:schedule=uniform,exploitation=0.5": "with schedule=uniform",
}


@pytest.mark.parametrize(("words", "reason"), CASES.items(), ids=CASES)
def test_what_has_no_effect_is_refused_and_what_has_is_not(words: str, reason: str | None) -> None:
    settings = settings_of(words)
    if reason is None:
        complete_config(settings)
        return
    with pytest.raises(ParameterError) as refusal:
        complete_config(settings)
    assert reason in str(refusal.value)
    assert "no effect" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_every_setting_has_been_thought_of() -> None:
    branches = {name.rpartition(".")[0] for name in all_names(Config)}
    leaves = {name for name in all_names(Config) if name not in branches}
    sometimes = {name for reason in REASONS for name in reason.names}
    assert sometimes | ALWAYS == leaves
    assert not sometimes & ALWAYS
    tried = " ".join(words for words, reason in CASES.items() if reason)
    assert all(f"{name}=" in tried for name in sometimes)


@pytest.mark.parametrize("name", preset_names())
def test_presets_have_no_setting_without_effect(name: str) -> None:
    config = complete_config(merged({"game": "othello:size=6"}, preset(name)))
    assert dormant(config, config.make_game()) == {}


def test_what_a_preset_sets_for_another_kind_goes_back_to_its_default() -> None:
    base = preset("small") | {"game": "hex:size=5"}
    plain = complete_config({"learning": {"replay": {"kind": "experience"}}}, base)
    assert plain.learning.replay.duplication == 3  # the preset's is 2, for stratified replay
    quiet = complete_config({"evaluation": {"opponent": ""}}, base | {"evaluation": {"matches": 8,
                            "every_matches": 2}})  # fmt: skip
    assert not quiet.evaluation.opponent
    own = complete_config(OWN, preset("paper-exit-comparison") | {"game": "hex:size=5"})
    assert own.network.code.startswith("own_network.py")
    assert own.network.output == "linear"


def test_a_settings_file_that_contradicts_itself_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('base = "small"\n[learning.replay]\nsampling = 0.1\n')
    given = ["train", "hex:size=5", "--preset", str(file), "--dry-run"]
    told = complaint_of(capsys, *given)
    assert "learning.replay.sampling is 0.1 and has no effect" in told
    assert main([*given, "--set", "learning.replay.kind=experience"]) == 0
    file.write_text('base = "small"\n[learning.replay]\nkind = "experience"\nsampling = 0.1\n')
    assert main(given) == 0
    assert main([*given, "--set", "learning.replay.kind=stratified"]) == 0
    assert "sampling = 0.05 " in capsys.readouterr().out.rpartition("kind = ")[2]


@pytest.mark.parametrize("name", method_names())
def test_a_method_goes_over_any_preset(name: str) -> None:
    base = merged(preset("small"), method(name)) | {"game": "hex:size=5"}
    config = complete_config({}, base)
    assert all(asleep.startswith("evaluation.") for asleep in dormant(config, config.make_game()))


def test_a_run_of_former_times_goes_on_without_them(tmp_path: Path) -> None:
    run, config = Run(tmp_path), complete_config({"game": "hex:size=5"})
    replay = config.learning.replay.model_copy(update={"sampling": 0.1})
    former = config.model_copy(
        update={"learning": config.learning.model_copy(update={"replay": replay})}
    )
    run.config_file.write_text(config_text(former), encoding="utf-8")
    assert run.config() == config
