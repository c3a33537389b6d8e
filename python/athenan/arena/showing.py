"""Matches and tallies as notebooks show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from athenan import html
from athenan._core import Error
from athenan.games.python_files import known_game
from athenan.games.turns import last_turn
from athenan.pictures import svg_of

if TYPE_CHECKING:
    from athenan.arena.record import Match
    from athenan.arena.statistics import Tally

SIZE = 320  # pixels
PLAYERS = ("first player", "second player")


def svg_of_match(match: Match) -> str | None:
    """Draw the last position of a match; None where its game or a move of it is not known here."""
    try:
        game = known_game(match.game)
        if game is None:
            return None
        states = [game.parse_position(match.position)]
        for move in match.moves:
            states.append(states[-1].play(move))
    except Error:
        return None
    turn = last_turn(states, match.moves) if match.moves else []
    return svg_of(states[-1], last_turn=turn, size=SIZE)


def html_of_match(match: Match) -> str:
    """Show the last position, who played, what was played and how it ended."""
    facts: dict[str, object] = {
        "game": match.game,
        **dict(zip(PLAYERS, match.players, strict=False)),
        "moves": " ".join(match.moves),
        "outcome": match.outcome,
        "ended by": match.reason,
    }
    rows = [(name, value) for name, value in facts.items() if value is not None]
    return html.side_by_side(svg_of_match(match) or "", html.table((), rows))


def html_of_tally(tally: Tally) -> str:
    """Show wins, draws and losses with either colour, and how sure the score is.

    >>> from athenan.arena.statistics import Tally
    >>> html_of_tally(Tally()).count("<tr>")
    4
    """
    columns = ("", "wins", "draws", "losses", "score")
    counts = {"A": tally.counts, "first": tally.as_first, "second": tally.as_second}
    rows = [
        (name, each.wins, each.draws, each.losses, each.score if each.matches else None)
        for name, each in counts.items()
    ]
    low, high = tally.interval
    words = f"score of A: {tally.counts.score:.3f}, 95 % between {low:.3f} and {high:.3f}"
    return html.table(columns, rows, below=words)
