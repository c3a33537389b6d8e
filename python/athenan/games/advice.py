"""What is no mistake in a game, and may still not be meant: advice to its author.

It comes from how random matches ended, and from the names in the author's class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from athenan._core import Game, State
from athenan.games import goes_on
from athenan.games.findings import Finding
from athenan.games.python_files import author_of
from athenan.games.rules import Rules
from athenan.games.simple import SimpleRules
from athenan.games.words import counted

TELLING = 10
"""Decided matches after which it is no chance that one side won them all."""
ALIKE = 0.85
"""How alike a name must be to that of a member, from 0 to 1."""


@dataclass(frozen=True)
class Ended:
    """How a random match ended."""

    plies: int
    mover: int | None
    """Who made the last move."""
    outcome: int
    cut: bool
    """Whether the engine ended it at max_length, and the rules would have gone on."""


def ended(state: State, mover: int | None) -> Ended:
    """Describe the end of a match."""
    outcome = state.outcome
    assert outcome is not None
    return Ended(state.ply, mover, outcome, goes_on(state))


def advice(game: Game, ends: Sequence[Ended]) -> Iterator[Finding]:
    """List what the author may not have meant."""
    for name, sentence in (*_of_length(game, ends), *_of_results(game, ends), *_of_names(game)):
        yield Finding(name, sentence, None, grave=False)


def _of_length(game: Game, ends: Sequence[Ended]) -> Iterator[tuple[str, str]]:
    sheet = game.datasheet
    if not ends or sheet.max_length_reason:
        return
    longest, cut = max(end.plies for end in ends), sum(end.cut for end in ends)
    if cut and not sheet.cyclic:
        yield (
            "max_length",
            f"{cut} of {counted(len(ends), 'random match')} had not ended after "
            f"{counted(sheet.max_length, 'ply')}, and the engine called them draws: max_length is "
            "the most plies that a match can have",
        )
    elif min(end.plies for end in ends) >= sheet.max_length > TELLING * 5:
        yield (
            "max_length",
            f"every random match went on to max_length, {counted(sheet.max_length, 'ply')}, "
            "and was a draw",
        )
    if longest * 5 < sheet.max_length:
        yield (
            "max_length",
            f"it is {sheet.max_length:,}, and the longest random match had "
            f"{counted(longest, 'ply')}; depth heuristics learn better with a close bound",
        )


def _of_results(game: Game, ends: Sequence[Ended]) -> Iterator[tuple[str, str]]:
    """Say if results look as if they were those of the player to move, or of the last one."""
    decided = [end for end in ends if end.outcome]
    if author_of(game) is None or game.datasheet.players == 1 or len(decided) < TELLING:
        return
    if any(end.cut for end in ends):  # then who wins late has not won
        return
    meaning = "result says +1 if the first player won and -1 if the second did, whoever is to move"
    matches = f"each of the {len(decided)} decided matches"
    if len({end.outcome for end in decided}) == 1:
        winner = "first" if decided[0].outcome == 1 else "second"
        yield "result", f"the {winner} player won {matches}; {meaning}"
    elif all((end.outcome == 1) == (end.mover == 1) for end in decided):
        yield "result", f"who moved last lost {matches}; {meaning}"


def _of_names(game: Game) -> Iterator[tuple[str, str]]:
    """Say which names in the author's class look like members that are written in another way."""
    author = author_of(game)
    if author is None:
        return
    base = SimpleRules if isinstance(author, SimpleRules) else Rules
    known = {name for name in dir(base) if not name.startswith("_")}
    own = set(vars(author))
    for kind in type(author).__mro__:
        own |= set() if kind.__module__.startswith("athenan.") else set(vars(kind))
    missing = sorted(known - own)
    for name in sorted(own - known):
        for meant in get_close_matches(name, missing, 1, ALIKE):
            if f"{name}s" != meant and f"{meant}s" != name:
                yield "names", f"the rules have {name}, which is never asked for; is {meant} meant?"
