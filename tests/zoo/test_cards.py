"""The models that come with athenan, and their cards."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import athenan
import pytest
from athenan.arena import SoloMatch, distinct_openings, play_matches, player, tally_of
from athenan.commands import main
from athenan.learning import complete_config, merged, preset
from athenan.learning.completion import method, method_names
from athenan.learning.settings import parse_assignments
from athenan.networks import load_model
from athenan.runs.publishing import command_of
from athenan.signals import INTERRUPTED
from athenan.zoo import CARD, own_folder, stated_by
from athenan.zoo.card import Card, Claim, card_in, card_of, page
from small_models import write_model
from small_runs import EVALUATION, small_flags

FOLDER = own_folder() or Path("models")
FILES = sorted(FOLDER.glob("*.safetensors"))
NAMES = [file.stem for file in FILES]
ALONE = [
    file.stem for file in FILES if athenan.make_game(stated_by(file).game).datasheet.players == 1
]
PLAYING = [name for name in NAMES if name not in ALONE]
"""Those of games for one, and those that play against others."""
MAX_BYTES = 4_000_000
QUICK = 20  # matches of a claim that are played again
SERIES: dict[str, Any] = {
    "game": "tic_tac_toe",
    "a": {
        "name": "runs/x@expansions=5",
        "description": "runs/x@expansions=5 with ubfm:expansions=5",
    },
    "b": {"name": "mcts:iterations=9", "description": "mcts:iterations=9"},
    "control": "",
    "planned": 10,
    "seed": 3,
    "kind_of_openings": "random",
    "matches": 10,
    "wins": 7,
    "draws": 2,
    "losses": 1,
    "interval": [0.5, 0.95],
}


def test_every_game_has_a_model() -> None:
    games = {stated_by(file).game.partition(":")[0] for file in FILES}
    assert games == set(athenan.game_names())
    assert {"hex-5", "hex-11", "othello-6", "othello-8", "breakthrough-6x6"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_is_small_and_its_page_is_made_from_its_file(name: str) -> None:
    stated = stated_by(FOLDER / f"{name}.safetensors")
    assert stated.type == "F16"
    assert stated.size <= MAX_BYTES
    card = card_in(stated)
    assert card is not None
    assert card.claims or card.solos, "a model that was not measured has no place here"
    assert card.training.hardware
    assert (FOLDER / f"{name}.md").read_text() == page(stated)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_loads_and_plays(name: str) -> None:
    with athenan.load(name) as model:
        state = model.make_game().initial_state()
        while state.ply < 3 and not state.is_terminal:  # two passes end a match of Go
            state = model.play(state, expansions=1)
        assert state.ply > 1


def repeatable(name: str) -> Claim:
    card = card_in(stated_by(FOLDER / f"{name}.safetensors"))
    assert card is not None
    return next(claim for claim in card.claims if claim.command)


@pytest.mark.parametrize("name", PLAYING)
def test_a_card_has_a_claim_that_a_command_repeats(name: str) -> None:
    words = shlex.split(repeatable(name).command)
    assert words[:2] == ["athenan", "match"]
    assert words[2].startswith(f"{name}@")
    assert "seconds=" not in words[2] + words[3]


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYING)
def test_the_first_claim_of_a_card_holds(name: str) -> None:
    claim = repeatable(name)
    words = shlex.split(claim.command)
    options = dict(zip(words[4::2], words[5::2], strict=True))
    game = athenan.make_game(options.get("--game") or athenan.load(name).game)
    pair = player(words[2], game), player(words[3], game)
    seed = int(options["--seed"])
    openings = distinct_openings(game, QUICK // 2, seed)
    again = tally_of(play_matches(game, *pair, QUICK, seed=seed, openings=openings))
    low, high = again.interval
    assert low <= claim.high
    assert claim.low <= high


@pytest.mark.parametrize("name", ALONE)
def test_the_best_match_of_a_game_for_one_has_the_score_that_its_card_says(name: str) -> None:
    card = card_in(stated_by(FOLDER / f"{name}.safetensors"))
    assert card is not None
    for solo in card.solos:
        state = athenan.load(name).make_game().initial_state()
        for move in solo.moves:
            state = state.play(move)
        assert state.is_terminal
        assert state.score == solo.best


@pytest.mark.slow
@pytest.mark.parametrize("name", ALONE)
def test_the_scores_of_a_game_for_one_are_found_again(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    card = card_in(stated_by(FOLDER / f"{name}.safetensors"))
    assert card is not None
    solo = card.solos[0]
    words = shlex.split(solo.command)[1:]
    words[words.index("--matches") + 1] = str(min(QUICK, solo.matches))
    assert main([*words, "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert abs(again["mean"] - solo.mean) < 0.1 * solo.mean


def test_the_page_of_strength_has_every_series_of_every_card(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATHENAN_MODELS", "nowhere")
    assert main(["models", "--claims"]) == 0
    table = capsys.readouterr().out
    assert table.count("\n") > len(NAMES)
    page = Path(__file__).parents[2] / "docs" / "strength.md"
    assert table in page.read_text(), "docs/strength.md has what athenan models --claims prints"


def test_a_game_for_one_is_played_and_its_best_match_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    game = "morpion:variant=5D,board=18"
    write_model(tmp_path / "alone.safetensors", game, "ubfm-safe:terminal=score")
    player = "alone.safetensors@ubfm:expansions=1,terminal=score"
    words = ["solo", player, "--matches", "3", "--seed", "2"]
    assert main([*words, "--json", "--save", "moves.txt"]) == 0
    printed = capsys.readouterr().out
    found = json.loads(printed)
    assert found["best"] == max(found["scores"]) == len(found["moves"])
    assert found["mean"] == pytest.approx(sum(found["scores"]) / 3)
    assert Path("moves.txt").read_text().split() == found["moves"]
    Path("solo.json").write_text(printed)
    Path("notes.toml").write_text(
        "[training]\nhardware = 'x'\ncommand = 'y'\nminutes = 1\nmatches = 3\n"
    )
    more = ["--notes", "notes.toml", "--claim", "solo.json"]
    card = published("alone.safetensors", "alone", *more)
    (solo,) = card.solos
    assert (solo.best, list(solo.moves)) == (found["best"], found["moves"])
    assert solo.command.startswith("athenan solo alone@ubfm:expansions=1,terminal=score ")
    monkeypatch.setenv("ATHENAN_MODELS", "zoo")
    capsys.readouterr()
    assert main(["models", "alone"]) == 0
    card_text = capsys.readouterr().out
    assert f"athenan show {game} {found['moves'][0]} " in card_text
    assert main(["models", "alone", "--claims"]) == 0
    assert "none (a game for one)" in capsys.readouterr().out
    assert main(["models"]) == 0
    assert f"the best {found['best']:g}" in " ".join(capsys.readouterr().out.split())
    assert main(["show", game, *found["moves"]]) == 0
    assert main(["solo", "hex-5", "--matches", "1"]) == 2
    assert "is for two players" in capsys.readouterr().err


def test_matches_alone_that_were_interrupted_are_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def two(*_: object, **__: object) -> Iterator[SoloMatch]:
        yield SoloMatch(1, 60, ("a",))
        yield SoloMatch(0, 50, ("b",))
        raise athenan.Stopped("asked to")

    monkeypatch.setattr("athenan.commands.solo.play_alone", two)
    words = ["solo", "random", "--game", "morpion"]
    assert main([*words, "--json"]) == INTERRUPTED
    found = json.loads(capsys.readouterr().out)
    assert (found["scores"], found["best"], found["moves"]) == ([50, 60], 60, ["a"])
    assert main(words) == INTERRUPTED
    assert "2 matches: the mean score is 55.0, the best 60\n" in capsys.readouterr().out


def published(*arguments: str) -> Card:
    assert main(["publish", *arguments, "--into", "zoo"]) == 0
    name = arguments[1]
    stated = stated_by(Path("zoo") / f"{name}.safetensors")
    assert stated.type == "F16"
    assert (Path("zoo") / f"{name}.md").read_text() == page(stated)
    card = card_in(stated)
    assert card is not None
    return card


def test_a_run_is_published_with_what_it_knows_and_what_is_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", *small_flags({"evaluation": EVALUATION}), "--run", "run"]) == 0
    Path("notes.toml").write_text(
        'limits = ["It is a toy."]\n[training]\nhardware = "a core"\ncommit = "abc"\n'
    )
    Path("series.json").write_text(json.dumps(SERIES))
    more = ["--notes", "notes.toml", "--claim", "series.json"]
    card = published("run", "toy", *more)
    assert card.training.matches == 12
    assert card.training.generated > 0
    assert card.training.hardware == "a core"
    assert "--set network.filters=8" in card.training.command
    assert "--set stop.matches=12" in card.training.command
    assert card.curve[0].matches == 0
    assert card.curve[-1].matches == 12
    (claim,) = card.claims
    assert (claim.score, claim.low, claim.high) == (0.8, 0.5, 0.95)
    assert claim.command == (
        "athenan match toy@ubfm:expansions=5 mcts:iterations=9 --matches 10 --seed 3"
    )
    capsys.readouterr()
    assert main(["models", "zoo/toy.safetensors"]) == 0
    shown = capsys.readouterr().out
    assert "80 % (50–95)" in shown
    assert "- It is a toy." in shown

    other = SERIES | {"b": {"name": "random", "description": "random"}}
    Path("other.json").write_text(json.dumps(other))
    again = published(
        "zoo/toy.safetensors", "toy", "--claim", "other.json", "--claim", "series.json"
    )
    assert [each.opponent for each in again.claims] == ["mcts:iterations=9", "random"]
    assert again.training == card.training
    exact, half = load_model("run/model.safetensors"), load_model("zoo/toy.safetensors")
    for ours, theirs in zip(exact.network.parameters(), half.network.parameters(), strict=True):
        assert (ours.half().float() == theirs).all()


@pytest.mark.parametrize("name", [name for name in method_names() if name != "athenan"])
def test_the_command_of_a_card_makes_the_same_settings(name: str) -> None:
    own = {"game": "hex:size=4", "stop": {"evaluations": 12_345_678, "minutes": 0.25}}
    config = complete_config(own, merged(preset("large"), method(name)))
    words = shlex.split(command_of(config))
    game, base = words[2], words[words.index("--preset") + 1]
    given = [after for word, after in pairwise(words) if word == "--set"]
    again = complete_config({"game": game, **parse_assignments(given)}, preset(base))
    assert again == config.model_copy(update={"evaluation": again.evaluation})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"control": "10+0.1"}, "without clocks"),
        ({"a": {"name": "random", "description": "random"}}, "player A is the model"),
        ({"b": {"name": "m", "description": "mcts:seconds=1"}}, "without clocks"),
        ({"matches": 8, "uncounted": 1}, "9 of 10 matches were played"),
        ({"wins": "many"}, "not what athenan match --json prints"),
        ({"interval": 3}, "not what athenan match --json prints"),
    ],
)
def test_a_series_that_proves_nothing_is_no_claim(changes: dict[str, Any], said: str) -> None:
    from athenan.runs.publishing import claim_of

    with pytest.raises(athenan.Error, match=said):
        claim_of(SERIES | changes, "toy", "tic_tac_toe")


def test_matches_alone_that_were_interrupted_are_no_claim() -> None:
    from athenan.runs.publishing import solo_of

    player = {"name": "x", "description": "x with ubfm:expansions=5"}
    found = {"player": player, "seed": 1, "planned": 5, "matches": 3, "mean": 2, "best": 3}
    with pytest.raises(athenan.Error, match="3 of 5 matches were played"):
        solo_of(found | {"moves": []}, "toy")


def test_a_model_may_lie_in_a_folder_with_any_name() -> None:
    from athenan.runs.publishing import claim_of

    a = {"name": "x", "description": "runs/one with swap with ubfm:expansions=5"}
    assert claim_of(SERIES | {"a": a}, "toy", "tic_tac_toe").player == "ubfm:expansions=5"


def test_bad_names_and_notes_are_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_model(tmp_path / "m.safetensors", "tic_tac_toe", "ubfm")
    Path("notes.toml").write_text(
        "[training]\nhardware = 'x'\ncommand = 'y'\nminutes = -1\nmatches = 3\n"
    )
    for arguments, said in (
        (["m.safetensors", "toy"], "training: Field required"),
        (["m.safetensors", "toy", "--notes", "notes.toml"], "training.minutes: "),
        (["hex-5", "mcts"], "a model cannot be called 'mcts'"),
        (["hex-5", "a/b"], "a model cannot be called 'a/b'"),
        (["hex-5", "toy", "--claim", "none.json"], "the series none.json cannot be read"),
        (["nothing", "toy"], "there is no model 'nothing'"),
    ):
        assert main(["publish", *arguments, "--into", "zoo"]) == 2
        assert said in capsys.readouterr().err


def test_a_damaged_card_is_named() -> None:
    stated = stated_by(FILES[0])
    stated.info[CARD] = '{"training": 3}'
    with pytest.raises(athenan.Error, match=f"the card in {FILES[0].name} is damaged: training"):
        page(stated)
    with pytest.raises(athenan.Error, match="some notes does not describe a card"):
        card_of({"training": []}, "some notes")
