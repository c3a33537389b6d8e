"""Two processes play what one process plays: every move, whatever the protocol between them."""

from __future__ import annotations

from pathlib import Path

import athenan
import pytest
from athenan.arena import player
from own_engine import moves_of, own_engine
from small_models import write_model

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "tic_tac_toe.py")
CASES = [
    ("gtp", "go:size=5,komi=2.5"),
    ("htp", "hex:size=5"),
    ("htp", "havannah:size=4,swap=false"),
    ("uci", "breakthrough"),
    ("uci", "amazons"),
    ("ucci", "xiangqi:no_capture=20"),
    ("uai", "ataxx:size=5"),
    ("ugi", "hex:size=5"),
    ("ugi", "amazons:size=5"),
    ("ugi", EXAMPLE),
    ("nboard", "othello:size=6"),
    ("aei", "arimaa:setup=pieces"),
    ("aei", "arimaa:setup=choice"),
    ("gomocup", "outer_open_gomoku:size=9,overline=exact"),
    ("hub", "international_draughts"),
    ("hub", "brazilian_draughts"),
]
"""Of each protocol, its games at a small size."""
SEARCH = "ubfm-safe:expansions=4"
OPPONENT = "mcts:expansions=20"


def compare(protocol: str, game_id: str, matches: int, text: str = SEARCH) -> None:
    """Play some matches with the engine beside us and inside, on each side of the board."""
    game = athenan.make_game(game_id)
    search = player(text, game)
    engine = own_engine(protocol, game_id, "--model", text)
    with (
        engine.make(game, 1) as outside,
        search.make(game, 1) as inside,
        player(OPPONENT, game).make(game, 1) as opponent,
    ):
        for seed in range(matches):
            opening = game.datasheet.typical_length // 2 if seed % 4 == 3 else 2 * (seed % 2)
            expected = moves_of(game, (inside, opponent), seed, opening)
            assert moves_of(game, (outside, opponent), seed, opening) == expected
            expected = moves_of(game, (opponent, inside), seed, opening)
            assert moves_of(game, (opponent, outside), seed, opening) == expected


every_case = pytest.mark.parametrize(
    ("protocol", "game_id"), CASES, ids=[f"{name}-{Path(game).name}" for name, game in CASES]
)


@every_case
def test_an_engine_plays_the_same_moves(protocol: str, game_id: str) -> None:
    compare(protocol, game_id, 2)


@pytest.mark.slow
@every_case
def test_an_engine_plays_the_same_moves_in_a_hundred_matches(protocol: str, game_id: str) -> None:
    compare(protocol, game_id, 50)


def compare_model(path: Path, protocol: str, game_id: str, matches: int) -> None:
    model = path / "model.safetensors"
    write_model(model, game_id, SEARCH)
    compare(protocol, game_id, matches, str(model))


def test_a_model_plays_the_same_moves(tmp_path: Path) -> None:
    compare_model(tmp_path, "ugi", "hex:size=4", 1)


@pytest.mark.slow
@every_case
def test_a_model_plays_the_same_moves_in_twenty_matches(
    protocol: str, game_id: str, tmp_path: Path
) -> None:
    compare_model(tmp_path, protocol, game_id, 10)
