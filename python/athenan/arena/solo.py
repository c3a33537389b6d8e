"""Matches of a game for one player: no opponent, but a score to compare."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import NamedTuple

from athenan._core import Error, Game, MatchRecord, Mind, Pool, Stop
from athenan.arena.openings import Opening, distinct_openings, expect_openings
from athenan.arena.search_player import SearchPlayerSpec
from athenan.expected import (
    MOST_MATCHES,
    expect,
    expect_game,
    expect_seed,
    expect_stop,
    expect_whole,
)
from athenan.machine import available_cores, megabytes_per_tree
from athenan.selfplay.source import answer, ask

SLOTS = 32  # matches at a time
MOST_THREADS = 1024


class SoloMatch(NamedTuple):
    """A match that somebody played alone."""

    number: int
    score: float
    """The outcome where a game has no score."""
    moves: tuple[str, ...]
    """All of them, those of the opening included."""


def solo_openings(game: Game, matches: int, seed: int = 0) -> list[Opening]:
    """Return where matches for one begin: the first at the start, the others each elsewhere."""
    expect_game(game)
    expect_whole(matches, "the number of matches", 1, MOST_MATCHES)
    return [Opening((), game.initial_state()), *distinct_openings(game, matches - 1, seed)]


def play_alone(
    game: Game,
    player: SearchPlayerSpec,
    matches: int,
    *,
    openings: Sequence[Opening],
    seed: int = 0,
    threads: int = 0,
    stop: Stop | None = None,
) -> Generator[SoloMatch, None, None]:
    """Play matches of a game for one; yield each when it ends. Raises Stopped if asked to stop.

    >>> import athenan
    >>> from athenan.arena import player
    >>> game = athenan.make_game("morpion")
    >>> anybody, start = player("random", game), solo_openings(game, 1)
    >>> [20 < each.score < 84 for each in play_alone(game, anybody, 1, openings=start)]
    [True]
    """
    expect_game(game)
    expect(player, SearchPlayerSpec, "a search as a player, as player('mcts', game) returns it")
    expect_whole(matches, "the number of matches", 1, MOST_MATCHES)
    expect_whole(threads, "the number of threads, 0 for one per core", 0, MOST_THREADS)
    seed, stop = expect_seed(seed), expect_stop(stop)
    openings = expect_openings(openings, game)
    if game.datasheet.players != 1:
        raise Error(f"{game.id} is for two players")
    threads = threads or available_cores()
    slots = 1 if player.is_timed else min(SLOTS, matches)
    player = player.within(megabytes_per_tree(slots))
    pool = Pool(game, [Mind(player.search)], slots=slots, threads=threads)
    for index in range(matches):
        pool.add(index, seed + index, openings[index % len(openings)].moves)
    with closing(player.make(game, threads)) as thinker:
        waiting = 1
        while waiting or pool.queued:
            waiting = pool.collect(stop)
            if waiting:
                answer(pool, ask(pool, thinker.evaluator.evaluate))
            for record in pool.take_finished():
                yield _played(game, record)


def _played(game: Game, record: MatchRecord) -> SoloMatch:
    state, moves = game.initial_state(), []
    for move in record.moves:
        moves.append(state.move_to_string(move))
        state = state.play(move)
    assert state.outcome is not None
    score = state.outcome if state.score is None else state.score
    return SoloMatch(record.index, score, tuple(moves))
