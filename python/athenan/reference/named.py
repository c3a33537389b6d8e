"""Searches as players use them: put together by the names and options of those in C++."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from athenan._core import Game, ParameterError, State
from athenan.reference.alpha_beta import AlphaBetaSearch
from athenan.reference.best_first import BestFirst, BestFirstSearch
from athenan.reference.budget import Budget
from athenan.reference.decide import (
    best_action,
    plain_best_action,
    safest_action,
    safest_action_preferring_draws,
)
from athenan.reference.draws import RandomSource
from athenan.reference.evaluation import Evaluator
from athenan.reference.labels import float32
from athenan.reference.mcts import MctsSearch, Uct, network_leaf
from athenan.reference.terminal_evaluation import ARIMAA, TerminalEvaluation, heuristics_of

Options = Mapping[str, Any]
Choice = tuple[int, float]
"""A move, and the value of the state."""
Thinking = Callable[[State, Options], Choice]
"""Thinks about a state within limits, those of a `Budget`, and keeps its tree for the next one."""


@dataclass(frozen=True)
class Ask:
    """What a search is made of."""

    name: str
    options: Options
    evaluate: Evaluator
    terminal: TerminalEvaluation
    random: RandomSource


def thinking(
    name: str, options: Options, game: Game, evaluate: Evaluator, random: RandomSource
) -> Thinking:
    """Make one of the `NAMED` searches, with the options of the search in C++."""
    wanted = options["terminal"]
    for terminal in [*heuristics_of(game), ARIMAA]:
        if terminal.name == wanted:
            return NAMED[name](Ask(name, options, evaluate, terminal, random))
    raise ParameterError(f"athenan.reference has no terminal evaluation {wanted!r}")


def _best_first(ask: Ask) -> Thinking:
    options = ask.options
    if options["values"] != "states":
        raise ParameterError(
            f"the reference player {ask.name} takes values=states alone: what gives it values "
            "says nothing of moves"
        )
    config = BestFirst(
        "terminal" if ask.name == "descent" else "expansion",
        **{
            switch: bool(options[switch])
            for switch in ("completion", "transpositions", "reuse", "early_stop")
        },
    )
    search = BestFirstSearch(config, ask.evaluate, ask.terminal, ask.random)

    def think(state: State, limits: Options) -> Choice:
        root = search.search(state, Budget(**limits)).root
        if not config.completion:
            edge = plain_best_action(state, root.edges, ask.random)
        elif options["decision"] == "best":
            edge = best_action(root, ask.random)
        elif options["prefer_draws"] in ("both", ("first", "second")[state.to_move]):
            edge = safest_action_preferring_draws(root, ask.random)
        else:
            edge = safest_action(root, ask.random)
        return edge.move, float(root.c if root.r else root.v)

    return think


def _alpha_beta(ask: Ask) -> Thinking:
    search = AlphaBetaSearch(ask.evaluate, ask.terminal)

    def think(state: State, limits: Options) -> Choice:
        depth = int(ask.options["depth"])
        if depth:
            limits = {**limits, "iterations": min(limits["iterations"] or depth, depth)}
        result = search.search(state, Budget(**limits))
        return result.move, float(result.value)

    return think


def _uct(ask: Ask) -> Thinking:
    formula = Uct(float(ask.options["c"]))
    leaf = network_leaf(ask.evaluate)
    search = MctsSearch(formula, leaf, ask.terminal, ask.random)

    def think(state: State, limits: Options) -> Choice:
        root = search.search(state, Budget(**limits))
        return search.decide(state).move, float(float32(root.value))

    return think


NAMED: dict[str, Callable[[Ask], Thinking]] = {
    "descent": _best_first,
    "ubfm": _best_first,
    "ubfm-safe": _best_first,
    "alphabeta": _alpha_beta,
    "uct": _uct,
}
"""How each search is put together."""
