"""What is written is read again as it was: random matches of every game, in every format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import athenan
import pytest
from athenan.arena import Match
from athenan.records import FORMATS, is_record, read_records, write_records
from matches_at_random import random_match

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "tic_tac_toe.py")
LONG = {"arimaa": 300, "shobu": 200, "surakarta": 200, "xiangqi": 200, "canadian_draughts": 200}
VARIANTS = {
    ".sgf": [
        "go:size=5",
        "go:size=9,komi=5.5,ko=simple",
        "go:size=19",
        "hex:size=5",
        "hex:size=11,swap=false",
        "hex:size=19",
        "havannah:size=4",
        "havannah:size=8,swap=false",
        "havannah:size=10",
    ],
    ".ggf": ["othello:size=4", "othello", "othello:size=10"],
    ".pdn": ["international_draughts", "brazilian_draughts", "canadian_draughts"],
    ".arimaa": ["arimaa"],
}
SIGNS = '()[];:.-/x0123456789abNoise\n\\"{}#'
ALL = [(suffix, name) for suffix, names in VARIANTS.items() for name in names]


def played(game: athenan.Game) -> list[Match]:
    plies = LONG.get(game.id.partition(":")[0], 10**6)
    some = [random_match(game, seed, plies) for seed in range(3)]
    return [*some, random_match(game, 3, 5), random_match(game, 4, 40)]


def same(found: list[Match], expected: list[Match]) -> bool:
    return [replace(match, index=0) for match in found] == expected


@pytest.mark.parametrize("suffix", [".txt", ".jsonl"])
@pytest.mark.parametrize("name", athenan.game_names())
def test_every_game(name: str, suffix: str, tmp_path: Path) -> None:
    game, file = athenan.make_game(name), tmp_path / f"matches{suffix}"
    matches = played(game)
    write_records(file, matches)
    assert is_record(file)
    assert same(read_records(file), matches)


@pytest.mark.parametrize(("suffix", "name"), ALL)
def test_the_formats_of_communities(suffix: str, name: str, tmp_path: Path) -> None:
    game, file = athenan.make_game(name), tmp_path / f"matches{suffix}"
    matches = played(game)
    write_records(file, matches)
    assert same(read_records(file), matches)
    assert same(read_records(file, game), matches)


@pytest.mark.parametrize(
    ("suffix", "name"), [*ALL, *((".txt", each) for each in athenan.game_names())]
)
def test_matches_from_a_position(suffix: str, name: str) -> None:
    game, form = athenan.make_game(name), FORMATS[suffix]
    state, random = game.initial_state(), athenan.Random(7)
    plies = 40 if name == "arimaa" else 7  # after the set-up
    while state.ply < plies or state.is_terminal:
        state = game.initial_state() if state.is_terminal else state
        state = state.play(state.legal_moves()[random.below(len(state.legal_moves()))])
    start = game.parse_position(state.position)
    matches = [random_match(game, 1, 20, start)]
    assert same(form.read(form.write(matches, None), None), matches)


def test_a_game_written_in_python_must_be_named(tmp_path: Path) -> None:
    game, file = athenan.make_game(EXAMPLE), tmp_path / "matches.txt"
    matches = [random_match(game, seed) for seed in range(3)]
    write_records(file, matches, game)
    with pytest.raises(athenan.Error, match=r"line 1: there is no game .* --game"):
        read_records(file)
    assert same(read_records(file, game), matches)


@pytest.mark.parametrize(
    ("suffix", "name", "reason"),
    [
        (".sgf", "othello", "SGF is for go, hex, havannah, not for othello"),
        (".ggf", "hex", "GGF is for othello, not for hex"),
        (".pdn", "hex", "PDN is for international_draughts"),
        (".arimaa", "hex", "notation is for arimaa"),
    ],
)
def test_a_format_for_other_games(suffix: str, name: str, reason: str) -> None:
    with pytest.raises(athenan.Error, match=reason):
        FORMATS[suffix].write([random_match(athenan.make_game(name), 1, 3)], None)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(athenan.Error, match=r"ends in one of \.jsonl .* not 'a\.doc'"):
        read_records(tmp_path / "a.doc")
    with pytest.raises(athenan.Error, match="there is no file"):
        read_records(tmp_path / "a.sgf")
    assert not is_record(tmp_path / "a.sgf")


@pytest.mark.parametrize("suffix", [".txt", ".sgf", ".ggf", ".pdn", ".arimaa"])
def test_damaged_files_get_one_sentence(suffix: str, tmp_path: Path) -> None:
    """Letters changed, removed and inserted: a match or one sentence, nothing else."""
    name = VARIANTS.get(suffix, ["hex:size=5"])[0]
    game, form = athenan.make_game(name), FORMATS[suffix]
    matches = [random_match(game, seed, 60) for seed in range(2)]
    whole, random = form.write(matches, None), athenan.Random(5)
    file, refused = tmp_path / f"damaged{suffix}", 0
    for _ in range(300):
        letters = list(whole)
        for _ in range(1 + random.below(4)):
            at = random.below(len(letters))
            sign = SIGNS[random.below(len(SIGNS))]
            letters[at : at + random.below(3)] = [sign] * random.below(3)
        file.write_text("".join(letters[: random.below(2 * len(letters))]))
        if sentence := _refusal(file):
            assert "\n" not in sentence
            assert sentence.startswith(str(file))
            refused += 1
    assert refused > 30


def _refusal(file: Path) -> str:
    try:
        read_records(file)
    except athenan.Error as problem:
        return str(problem)
    return ""
