"""Dialogues with real engines: recorded once, replayed by a process that says the same again.

A file begins with one line of JSON: the game, the protocol, what the engine was told beside its
command, which player it was, the seed, and the moves of the match as far as it went. The other
lines are the dialogue: > to the engine, < from it.

PYTHONPATH=tests python tests/dialogues.py ENGINE GAME FILE [TURNS] records one, with an engine of
the file engines.toml.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import athenan
from athenan.arena import Player, player
from athenan.arena.engines import EngineSpec

FOLDER = Path(__file__).parent / "data" / "dialogues"
OPPONENT = "mcts:iterations=20"
TOLD = ("options", "seconds", "nodes", "depth", "time", "dialect")


def spec_of(file: Path) -> EngineSpec:
    """Describe the process that replays a dialogue."""
    header = header_of(file)
    command = f"{sys.executable} -S {Path(__file__).with_name('replayed_engine.py')} {file}"
    told = {name: header[name] for name in TOLD if name in header}
    return EngineSpec(f"replayed {file.stem}", header["protocol"], command, timeout=20, **told)


def header_of(file: Path) -> dict[str, Any]:
    """Return the first line of a dialogue."""
    with file.open(encoding="utf-8") as lines:
        header = json.loads(next(lines))
    assert isinstance(header, dict)
    return header


def replayed_moves(file: Path) -> list[str]:
    """Play a recorded match again; what the opponent played is known."""
    header = header_of(file)
    game = athenan.make_game(header["game"])
    side, opening = header["player"], header["opening"]
    played: list[str] = []
    with spec_of(file).make(game, 1) as engine:
        engine.begin(game, header["seed"])
        state = game.initial_state()
        for text in header["moves"]:
            own = state.to_move == side and len(played) >= opening
            move = engine.think(state).move if own else state.parse_move(text)
            engine.hear(state, move)
            played.append(state.move_to_string(move))
            state = state.play(move)
    return played


def record(spec: EngineSpec, game: athenan.Game, file: Path, turns: int, side: int = 1) -> None:
    """Play the first turns of a match and write what was said."""
    opening = [] if game.name != "outer_open_gomoku" else ["a1"]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script"
        seed, moves = 7, list[str]()
        with (
            replace(spec, transcript=script).make(game, 1) as engine,
            player(OPPONENT, game).make(game, 1) as opponent,
        ):
            moves = _play(game, engine, opponent, side, seed, opening, turns)
        said = script.read_text(encoding="utf-8").splitlines()
    told = {name: getattr(spec, name) for name in TOLD if getattr(spec, name)}
    header = {
        "game": game.id, "protocol": spec.protocol, **told, "player": side, "seed": seed,
        "opening": len(opening), "moves": moves,
    }  # fmt: skip
    lines = [found[1] for line in said if (found := re.match(r"\s*[\d.]+ ([<>] ?.*)", line))]
    file.write_text("\n".join([json.dumps(header), *lines]) + "\n", encoding="utf-8")


def _play(
    game: athenan.Game,
    engine: Player,
    opponent: Player,
    side: int,
    seed: int,
    opening: list[str],
    turns: int,
) -> list[str]:
    for each in (engine, opponent):
        each.begin(game, seed)
    state, moves, changes = game.initial_state(), list[str](), 0
    while not state.is_terminal and changes < 2 * turns:
        if len(moves) < len(opening):
            move = state.parse_move(opening[len(moves)])
        else:
            move = (engine if state.to_move == side else opponent).think(state).move
        for each in (engine, opponent):
            each.hear(state, move)
        moves.append(state.move_to_string(move))
        mover, state = state.to_move, state.play(move)
        changes += state.to_move != mover
    return moves


if __name__ == "__main__":
    name, game_id, target, *rest = sys.argv[1:]
    made = athenan.make_game(game_id)
    described = player(name, made)
    assert isinstance(described, EngineSpec)
    record(described, made, Path(target), int(rest[0]) if rest else 4)
