"""What a search found out, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from athenan import SearchResult, State
from athenan._core import MoveLabel
from athenan.games.words import counted
from athenan.searches import OUTCOMES

if TYPE_CHECKING:
    from rich.table import Table

HINTS = 8  # moves that are listed
LINE = 12  # moves of the principal variation that are shown


def hints(state: State, found: SearchResult) -> Table:
    """List the best moves, the one to play first, with their labels v, c and n."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("move")
    table.add_column("value", justify="right")
    table.add_column("selected", justify="right")
    table.add_column("proven")
    players = state.game.datasheet.players
    for label in _by_merit(state, found)[:HINTS]:
        proven = OUTCOMES[players][label.completion] if label.resolved else ""
        name = state.move_to_string(label.move)
        table.add_row(name, f"{label.value:+.3f}", str(label.count), proven)
    more = f"and {len(found.moves) - HINTS} more; " if len(found.moves) > HINTS else ""
    table.caption = f"{more}values are the first player's"
    table.caption_justify = "left"
    return table


def evaluation(state: State, found: SearchResult) -> str:
    """Say the value of a state, its proven outcome and the line that both players prefer."""
    sentences = []
    if found.value is not None:
        probability = None if found.proven_outcome is not None else found.win_probability
        chance = "" if probability is None else f", win probability {probability:.0%}"
        sentences.append(f"value {found.value:+.3f} for the first player{chance}")
    if found.proven_outcome is not None:
        proven = OUTCOMES[state.game.datasheet.players][found.proven_outcome]
        sentences.append(f"proven: {proven}")
    if found.line:
        sentences.append(f"expected: {' '.join(found.line[:LINE])}")
    work = f"{counted(found.spent.expansions, 'expansion')}, "
    work += f"{counted(found.spent.evaluations, 'state')} evaluated"
    if found.memory_full:
        work += ", stopped by the limit of memory"
    return "\n".join([*sentences, work])


def _by_merit(state: State, found: SearchResult) -> list[MoveLabel]:
    """Sort moves as the one to move prefers them: the move to play, then by c, n and v."""
    sign = -1 if state.to_move else 1
    return sorted(
        found.moves,
        key=lambda label: (
            label.move != found.best_move,
            -sign * label.completion,
            -label.count,
            -sign * label.value,
        ),
    )
