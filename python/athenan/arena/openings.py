"""Openings that make every match of a series a different one.

Two players without much randomness would play the same match again and again. So each pair of
matches begins from a position of its own, and both players get both sides of it. A random opening
may be as good as won for one side; then the pair is split and says nothing, however different the
players are. Balanced openings are those that a neutral judge finds most even.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from athenan._core import Error, Game, Search, SearchSpec, State, Stop, Stopped
from athenan.arena.stopping import relayed
from athenan.expected import (
    MOST_MATCHES,
    expect_each,
    expect_game,
    expect_path,
    expect_seed,
    expect_stop,
    expect_whole,
    wrong,
)
from athenan.games import ONGOING
from athenan.machine import available_cores

SURPLUS = 4  # openings judged for each that is kept
JUDGE = SearchSpec("mcts:iterations=5000")  # knows the rules alone: independent of both players


@dataclass(frozen=True)
class Opening:
    """A position near the start, and moves that lead to it."""

    moves: tuple[int, ...]
    state: State
    start: State | None = None
    """Where the moves begin, if not at the start of the game."""


def expect_openings(openings: object, game: Game) -> list[Opening]:
    """Return the openings of a series of this game: at least one."""
    what = "openings, as distinct_openings returns them"
    listed = expect_each(openings, Opening, what)
    if not listed:
        raise wrong(openings, what)
    for opening in listed:
        if opening.state.game != game:
            raise Error(f"an opening is of {opening.state.game.id}, and the series of {game.id}")
    return listed


def distinct_openings(game: Game, wanted: int, seed: int = 0) -> list[Opening]:
    """Draw openings of equal length, no two of them equal or symmetric to each other.

    The length is the smallest at which the game has `wanted` such positions that are not ended and
    begin a turn: engines of games with turns of several plies know whole turns only. A game too
    small to have so many at any length gives all those of its richest length: fewer than wanted.

    >>> import athenan
    >>> [len(distinct_openings(athenan.make_game("tic_tac_toe"), n)) for n in (1, 3, 50, 10**6)]
    [1, 3, 50, 183]
    """
    expect_game(game)
    expect_whole(wanted, "the number of openings", 0, SURPLUS * MOST_MATCHES)
    expect_seed(seed)
    random = np.random.default_rng(seed)
    layer = richest = [Opening((), game.initial_state())]
    while layer and len(richest) < wanted:
        layer = _next_layer(game, layer, wanted, random)
        richest = max(richest, [each for each in layer if _begins_turn(game, each)], key=len)
    return richest


def balanced_openings(
    game: Game, wanted: int, seed: int = 0, stop: Stop | None = None
) -> list[Opening]:
    """Draw four times as many distinct openings, and keep those that base MCTS finds most even.

    A request to stop raises `Stopped`.

    >>> import athenan
    >>> len(balanced_openings(athenan.make_game("hex:size=5"), 10))
    10
    """
    expect_whole(wanted, "the number of openings", 0, MOST_MATCHES)
    expect_stop(stop)
    drawn = distinct_openings(game, SURPLUS * wanted, seed)
    advantages = _advantages(game, drawn, seed, stop)
    most_even = np.argsort(advantages, kind="stable")[:wanted]
    return [drawn[index] for index in sorted(most_even.tolist())]


def read_openings(game: Game, path: str | os.PathLike[str]) -> list[Opening]:
    """Read openings from a file: each line is a position, or the moves that lead to one.

    Moves are separated by spaces or commas; lines that begin with # and empty ones are left out.
    """
    expect_game(game)
    openings = []
    path = expect_path(path, "a file of openings")
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                openings.append(_opening_of(game, line.strip()))
            except Error as problem:
                raise Error(f"{path}, line {number}: {problem}") from None
    if not openings:
        raise Error(f"{path} has no openings: each line must be a position of {game.id}, or moves")
    return openings


def _opening_of(game: Game, line: str) -> Opening:
    try:
        state = start = game.parse_position(line)
        moves: list[int] = []
    except Error as no_position:
        state, start, moves = game.initial_state(), None, []
        for word in line.replace(",", " ").split():
            try:
                after = state.play(word)
            except Error as no_move:
                reasons = f"neither a position ({no_position}) nor moves ({no_move})"
                raise Error(f"{line!r} is {reasons}") from None
            moves.append(state.parse_move(word))
            state = after
    if state.is_terminal:
        raise Error(f"after the opening {line!r} the match is over")
    return Opening(tuple(moves), state, start)


OPENINGS: dict[str, Callable[[Game, int, int, Stop | None], list[Opening]]] = {
    "random": lambda game, wanted, seed, _stop: distinct_openings(game, wanted, seed),
    "balanced": balanced_openings,
}
"""The ways to draw openings, by name."""


def _advantages(
    game: Game, openings: Sequence[Opening], seed: int, asked: Stop | None
) -> list[float]:
    """Return how far from even the judge finds each opening, from 0 to 1."""

    def judge(opening: Opening) -> float:
        search = Search(game, JUDGE, seed)
        search.begin(opening.state)
        search.run_fake(0, stop)
        if stop.requested:
            raise Stopped("the choice of openings was stopped")
        return abs(search.root_value)

    with ThreadPoolExecutor(available_cores()) as threads, relayed(asked) as stop:
        return list(threads.map(judge, openings))


def _next_layer(
    game: Game, layer: list[Opening], wanted: int, random: np.random.Generator
) -> list[Opening]:
    """Return the openings one ply longer, in random order: all of them, or the first `wanted`."""
    offsets, moves, packed, results, keys = game.expand([opening.state for opening in layer])
    parents = np.searchsorted(offsets, np.arange(len(moves)), side="right") - 1
    ongoing = np.flatnonzero(results == ONGOING)
    if not len(ongoing):
        return []
    _, first = np.unique(keys[ongoing], return_index=True)
    found: dict[int, Opening] = {}
    for child in random.permutation(ongoing[first]):
        (state,) = game.unpack(packed[child : child + 1])
        line = (*layer[parents[child]].moves, int(moves[child]))
        found.setdefault(_class_of(state), Opening(line, state))
        if len(found) == wanted:
            break
    return list(found.values())


def _begins_turn(game: Game, opening: Opening) -> bool:
    """Tell whether the last ply of an opening ended a turn; alone, every ply does."""
    before = game.initial_state()
    for move in opening.moves[:-1]:
        before = before.play(move)
    return game.datasheet.players == 1 or before.to_move != opening.state.to_move


def _class_of(state: State) -> int:
    """Return a number that symmetric positions share: the smallest key among them."""
    return min(state.transform(symmetry).key for symmetry in range(state.game.symmetries))
