"""athenan as an engine in a process of its own, and a match move by move."""

from __future__ import annotations

import shlex
import sys

import athenan
from athenan.arena import Player
from athenan.arena.engines import EngineSpec
from processes import ENVIRONMENT


def own_engine(protocol: str, game: str, *arguments: str, **fields: object) -> EngineSpec:
    """Describe `athenan engine` of a game."""
    words = [sys.executable, "-m", "athenan", "engine", protocol, "--game", game, *arguments]
    return EngineSpec(
        name=f"own {protocol}",
        protocol=protocol,
        command=shlex.join(words),
        environment={"PYTHONPATH": ENVIRONMENT["PYTHONPATH"], "OMP_NUM_THREADS": "1"},
        **fields,  # type: ignore[arg-type]
    )


def moves_of(
    game: athenan.Game, players: tuple[Player, Player], seed: int, opening: int = 0
) -> list[str]:
    """Play a match after whole turns at random; each player has a seed of its own."""
    for number, player in enumerate(players):
        player.begin(game, 2 * seed + number)
    random, state, texts = athenan.Random(seed), game.initial_state(), []
    opened = opening == 0
    while not state.is_terminal:
        if not opened:
            moves = state.legal_moves()
            move = moves[random.below(len(moves))]
        else:
            move = players[state.to_move].think(state).move
        for player in players:
            player.hear(state, move)
        texts.append(state.move_to_string(move))
        mover, state = state.to_move, state.play(move)
        opened = opened or (state.ply >= opening and state.to_move != mover)
    return texts
