"""Which move: while searching, and after a search.

Algorithms "descente-completion-suite" (completed_best_action, completed_best_action_dual,
backup_resolution) and "ubfms-decision-1" (safest_action) with its remark on preferring draws.
Where the paper writes n(s,s') read n(s,a). Its remark prints n for the second player who prefers
draws; as everywhere else that player must minimise -n.

The plain algorithms "descente" and "Unbounded-Best-First-Mininmax" choose by v alone, while
searching and after it, and break ties at random (plain_best_action).
"""

from __future__ import annotations

from collections.abc import Sequence

from athenan._core import State
from athenan.reference.draws import RandomSource, draw_one
from athenan.reference.labels import Edge, Node, argmax, argmin, best_by_value, first_player


def plain_best_action(state: State, edges: Sequence[Edge], random: RandomSource) -> Edge:
    """Return the move of best value, in a search and after it; without completion c = 0."""
    return draw_one(best_by_value(state, edges), random)


def completed_best_action(state: State, edges: Sequence[Edge], random: RandomSource) -> Edge:
    """Return the a priori best move; among equals the most selected."""
    if first_player(state):
        return draw_one(argmax(edges, lambda a: (a.c, a.v, a.n)), random)
    return draw_one(argmin(edges, lambda a: (a.c, a.v, -a.n)), random)


def completed_best_action_dual(state: State, edges: Sequence[Edge], random: RandomSource) -> Edge:
    """Return the move to follow in a search: the best; among equals the least selected."""
    if first_player(state):
        return draw_one(argmax(edges, lambda a: (a.c, a.v, -a.n)), random)
    return draw_one(argmin(edges, lambda a: (a.c, a.v, a.n)), random)


def backup_resolution(node: Node) -> int:
    """Return r(s): 1 once a win is proven, or once every move is resolved."""
    return 1 if abs(node.c) == 1 else min(a.r for a in node.edges)


def safest_action(node: Node, random: RandomSource) -> Edge:
    """Return the most selected move among those of the best completion.

    When every move is a resolved loss the value decides: a slow defeat.
    """
    state, edges = node.state, node.edges
    if all(lost(state, a) for a in edges):
        return completed_best_action(state, edges, random)
    if first_player(state):
        return draw_one(argmax(edges, lambda a: (a.c, a.n, a.v)), random)
    return draw_one(argmin(edges, lambda a: (a.c, -a.n, a.v)), random)


def safest_action_preferring_draws(node: Node, random: RandomSource) -> Edge:
    """Return the safest move of a player who would rather secure a draw than try to win."""
    state, edges = node.state, node.edges
    if all(lost(state, a) for a in edges):
        return completed_best_action(state, edges, random)
    if first_player(state):
        return draw_one(argmax(edges, lambda a: (a.c, a.r, a.n, a.v)), random)
    return draw_one(argmin(edges, lambda a: (a.c, -a.r, -a.n, a.v)), random)


def best_action(node: Node, random: RandomSource) -> Edge:
    """Return the move of best value, the decision of unbounded minimax without safety."""
    return completed_best_action(node.state, node.edges, random)


def won(state: State, edge: Edge) -> bool:
    """Return whether the move is a resolved win of the player to move."""
    return edge.r == 1 and edge.c == (1 if first_player(state) else -1)


def lost(state: State, edge: Edge) -> bool:
    """Return whether the move is a resolved loss of the player to move."""
    return edge.r == 1 and edge.c == (-1 if first_player(state) else 1)
