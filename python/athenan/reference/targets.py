"""What a match teaches: pairs of a state and the value to learn for it.

Algorithms "tree-learning", "root-learning" and "terminal-learning", each as the data D of one match
and, in `learn`, as the loop around it.
"""

from __future__ import annotations

from collections.abc import Callable

from athenan._core import State
from athenan.reference.match import Match

Pair = tuple[State, float]
Data = list[Pair]


def tree_learning(match: Match) -> Data:
    """Learn every state of the match's tree that is expanded or terminal."""
    return match.searcher.learning_states()


def root_learning(match: Match) -> Data:
    """Learn the states of the match, with the values their searches found."""
    return list(zip(match.states, match.values, strict=True))


def terminal_learning(match: Match) -> Data:
    """Learn the states of the match, all with the value of its end."""
    return [(state, match.values[-1]) for state in match.states]


def learn(
    matches: int,
    play: Callable[[float], Match],
    data_of: Callable[[Match], Data],
    processing: Callable[[Data], Data],
    update: Callable[[Data], None],
) -> None:
    """Play matches and learn after each of them.

    The number of matches stands for the time t_max of the paper, so `play` gets t / t_max as the
    part of the matches already played.
    """
    for t in range(matches):
        match = play(t / matches)
        update(processing(data_of(match)))
