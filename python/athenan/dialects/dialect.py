"""What a dialect is: how a community writes the moves and positions of a game.

The dialect here is athenan's own notation. A community's dialect is a subclass that says what
differs; `registry.py` has the list. Dialects are used in both directions: by athenan as an engine,
and by athenan when it drives somebody's engine.
"""

from __future__ import annotations

from collections.abc import Sequence

from athenan._core import Error, Game, IllegalMoveError, State


class Dialect:
    """The notation of the game itself.

    >>> from athenan.games import make_game
    >>> dialect = Dialect(make_game("tic_tac_toe"))
    >>> start = dialect.game.initial_state()
    >>> dialect.write(start, dialect.read(start, "b2"))
    'b2'
    >>> dialect.read_position(dialect.write_position(start)) == start
    True
    """

    turn_plies: int = 1
    """The largest number of plies that the notation writes as one move, a whole turn."""
    colours: tuple[str, str] = ("black", "white")
    """What protocols with named sides call the first and the second player."""

    def __init__(self, game: Game) -> None:
        self.game = game

    # Moves.

    def write(self, state: State, move: int) -> str:
        """Return the text of one of our moves, which has no spaces."""
        return state.move_to_string(move).replace(" ", "_")

    def read(self, state: State, text: str) -> int:
        """Return the legal move of a text; IllegalMoveError for any other text."""
        try:
            return state.parse_move(text)
        except Error:
            if "_" in text:
                for move in state.legal_moves():
                    if self.write(state, move) == text:
                        return move
            raise

    # Turns: of most games a turn is one move.

    def ends_turn(self, before: State, after: State) -> bool:
        """Tell whether the move between two states is the last of its turn."""
        return self.turn_plies == 1 or after.is_terminal or after.to_move != before.to_move

    def write_turn(self, state: State, moves: Sequence[int]) -> str:
        """Return the text of a turn that begins in a state."""
        (move,) = moves
        return self.write(state, move)

    def read_turn(self, state: State, text: str) -> list[int]:
        """Return the moves of a turn that begins in a state."""
        return [self.read(state, text)]

    def expected_plies(self, state: State, done: int) -> int:  # noqa: ARG002 (some look)
        """Return about how many plies of a turn are left after a number of plies."""
        return max(1, self.turn_plies - done)

    # Positions.

    def write_position(self, state: State) -> str:
        """Return the text of a position; Error where the community has none."""
        return state.position

    def read_position(self, text: str) -> State:
        """Return the state of a position's text."""
        return self.game.parse_position(text)


def illegal(state: State, text: str) -> IllegalMoveError:
    """Return the complaint about a text that is not a legal move of a state."""
    return IllegalMoveError(
        f"{text!r} is not a legal move of {state.game.name} in the position {state.position}"
    )
