"""One self-play match.

The inner loop of the algorithms "tree-learning", "root-learning" and "terminal-learning".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from athenan._core import State
from athenan.reference.budget import Budget
from athenan.reference.draws import RandomSource
from athenan.reference.labels import Edge
from athenan.reference.selection import ActionSelection, action_selection
from athenan.reference.terminal_evaluation import TerminalEvaluation


class Searcher(Protocol):
    """A search of this package with the labels of its match."""

    terminal_evaluation: TerminalEvaluation

    def search(self, root: State, budget: Budget, /) -> Any:
        """Extend the partial game tree from a state."""

    def edges(self, state: State, /) -> list[Edge]:
        """Return the labelled moves of a searched state."""

    def value(self, state: State, /) -> float:
        """Return v(s)."""

    def learning_states(self) -> list[tuple[State, float]]:
        """Return the states that are expanded or terminal, with their values."""


Choose = Callable[[Searcher, State], int]
"""Decides the move to play in a state that has just been searched."""


@dataclass
class Match:
    """A finished match: its states from the first to the terminal one, and its search."""

    states: list[State]
    searcher: Searcher
    moves: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    """v(s) of each state when its move was chosen, f_t of the last one."""


def play_match(start: State, searcher: Searcher, budget: Budget, choose: Choose) -> Match:
    """Search, choose a move, play it, to the end."""
    match = Match([start], searcher)
    state = start
    while not state.is_terminal:
        searcher.search(state, budget)
        move = choose(searcher, state)
        match.moves.append(move)
        match.values.append(searcher.value(state))
        state = state.play(move)
        match.states.append(state)
    match.values.append(searcher.terminal_evaluation(state))
    return match


def by_selection(setting: ActionSelection, progress: float, random: RandomSource) -> Choose:
    """Choose moves by an action selection distribution; `progress` is t / t_max."""

    def choose(searcher: Searcher, state: State) -> int:
        edges = searcher.edges(state)
        return action_selection(state, edges, setting, progress, random).move

    return choose
