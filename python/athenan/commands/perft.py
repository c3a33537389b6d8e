"""`athenan perft`: count the sequences of moves of a given length."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from athenan import Error, Game, State, make_game
from athenan.commands.arguments import GameArgument, PositionOption, state_of
from athenan.terminal.page import say
from athenan.terminal.waiting import Tell, shown


def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(min=0, help="The number of moves.")],
    position: PositionOption = None,
    threads: Annotated[
        int, typer.Option(min=0, max=1024, help="Threads to use; 0 is one per core.")
    ] = 0,
    divide: Annotated[
        bool, typer.Option("--divide", help="Print the count of each first move.")
    ] = False,
) -> None:
    """Count the sequences of exactly DEPTH moves.

    A match that ends earlier is not counted. If two programs have the same counts, they play by the
    same rules.
    """
    made = make_game(game)
    state = state_of(made, position)
    _refuse_impossible(made, depth, divide)
    start = time.perf_counter()
    with shown(lambda: f"counting the leaves at depth {depth}") as tell:
        leaves = _divided(state, depth, threads, tell) if divide else state.perft(depth, threads)
    seconds = time.perf_counter() - start
    rate = f"{leaves / seconds:,.0f} leaves/s" if seconds > 0 else "too fast to measure"
    say(f"{leaves} {'leaf' if leaves == 1 else 'leaves'} at depth {depth}, {seconds:.3f} s, {rate}")


def _refuse_impossible(game: Game, depth: int, divide: bool) -> None:
    longest = game.datasheet.max_length
    if depth > longest:
        raise Error(f"the depth is {depth}, but a match of {game.id} has at most {longest} moves")
    if divide and depth == 0:
        raise Error("--divide prints the count of each first move: it needs a depth of at least 1")


def _divided(state: State, depth: int, threads: int, tell: Tell) -> int:
    total = 0
    for move in state.legal_moves():
        leaves = state.play(move).perft(depth - 1, threads)
        tell(f"{state.move_to_string(move)}: {leaves}")
        total += leaves
    return total
