"""`athenan show`: draw the board after some moves."""

from __future__ import annotations

from typing import Annotated

import typer

from athenan import State, make_game
from athenan.cli.arguments import GameArgument, PositionOption, state_of

TO_MOVE = {1: ("to move",), 2: ("first player to move", "second player to move")}
ENDINGS = {
    1: {1: "won", 0: "over", -1: "lost"},
    2: {1: "the first player won", 0: "a draw", -1: "the second player won"},
}


def show(
    game: GameArgument,
    moves: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MOVES]...", help="Moves to play, in the game's notation."),
    ] = None,
    position: PositionOption = None,
) -> None:
    """Draw the board after MOVES."""
    state = state_of(make_game(game), position)
    for move in moves or []:
        state = state.play(move)
    typer.echo(str(state).rstrip("\n"))
    typer.echo(f"ply {state.ply}: {status(state)}")
    typer.echo(f"position: {state.position}")


def status(state: State) -> str:
    """Say whose turn it is and how many moves there are, or how the match ended."""
    sheet = state.game.datasheet
    if state.outcome is None:
        count = len(state.legal_moves())
        plural = "" if count == 1 else "s"
        return f"{TO_MOVE[sheet.players][state.to_move]}, {count} legal move{plural}"
    score = f", score {state.score:+g}" if sheet.has_score else ""
    return ENDINGS[sheet.players][state.outcome] + score
