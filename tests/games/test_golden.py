"""Golden playthroughs: a random match of every game, written down and kept.

A difference means that the rules, a notation or the planes of a game have changed. If that is
wanted, `python -m pytest tests/games/test_golden.py --regenerate-golden` writes the files anew.
"""

import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import athenan
import pytest
from conformance.variants import VARIANTS

FOLDER = Path(__file__).parents[1] / "golden"
FIRST_MOVES = 6
DRAWN_EVERY = 20

PLAYTHROUGHS = {name: name for name in VARIANTS}


def playthrough(identity: str) -> Iterator[str]:
    """Write a seeded random match down, line by line."""
    game = athenan.make_game(identity)
    state, random = game.initial_state(), Random(2024)
    yield f"game {game.id}"
    while not state.is_terminal:
        move = state.legal_moves()[int(random.random() * len(state.legal_moves()))]
        yield from description(state)
        yield f"  plays {state.move_to_string(move)}"
        state = state.play(move)
    yield from description(state)
    yield from drawing(state)
    yield f"outcome {state.outcome:+d}" + (
        f", score {state.score:+g}" if game.datasheet.has_score else ""
    )


def description(state: athenan.State) -> Iterator[str]:
    if state.ply % DRAWN_EVERY == 0:
        yield from drawing(state)
    yield f"{state.ply} {state.position}"
    texts = state.legal_move_strings()
    checksum = zlib.crc32(state.encode().tobytes())
    yield (
        f"  player {state.to_move}, planes {checksum:08x}, "
        f"{len(texts)} moves: {' '.join(texts[:FIRST_MOVES])}".rstrip(" :")
    )


def drawing(state: athenan.State) -> Iterator[str]:
    yield ""
    yield from (f"    {line}".rstrip() for line in str(state).splitlines())
    yield ""


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_the_playthrough_is_as_it_was(name: str, request: pytest.FixtureRequest) -> None:
    text = "\n".join(playthrough(PLAYTHROUGHS[name])) + "\n"
    file = FOLDER / f"{name}.txt"
    if request.config.getoption("--regenerate-golden"):
        file.write_text(text)
    assert file.is_file(), "no playthrough yet: run with --regenerate-golden"
    assert text.splitlines() == file.read_text().splitlines()


def test_every_registered_game_has_a_playthrough_and_no_file_is_left_over() -> None:
    assert set(athenan.game_names()) <= set(PLAYTHROUGHS)
    assert {file.name for file in FOLDER.iterdir()} == {f"{name}.txt" for name in PLAYTHROUGHS}
