"""Series of matches: fair, reproducible, and honest about what happened."""

from __future__ import annotations

import math
import threading
import time
from pathlib import Path

import athenan
import numpy as np
import pytest
from athenan import machine
from athenan.arena import (
    Counts,
    MatchResult,
    Player,
    Work,
    distinct_openings,
    matches,
    play_matches,
    player,
    tally_of,
)
from athenan.evaluators import Planes, Values
from athenan.selfplay import Mind, Pool

TIC_TAC_TOE = athenan.make_game("tic_tac_toe")
HEX = athenan.make_game("hex:size=4")


def series(
    game: athenan.Game, a: str, b: str, count: int, seed: int = 0, workers: int = 0
) -> list[MatchResult]:
    players = player(a, game), player(b, game)
    played = play_matches(game, *players, count, seed=seed, workers=workers)
    return sorted(played, key=lambda result: result.index)


def untimed(results: list[MatchResult]) -> list[tuple[object, ...]]:
    """Return results without what clocks say."""
    return [
        (
            *(r.index, r.seed, r.first, r.opening, r.moves, r.outcome),
            *((w.moves, w.expansions, w.evaluations) for w in r.work),
        )
        for r in results
    ]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("mcts:iterations=30", "random"),
        ("ubfm-safe:expansions=10", "mcts:iterations=30"),
        ("puct:iterations=10", "alphabeta:depth=2"),
    ],
)
def test_the_seed_decides_whatever_the_workers(a: str, b: str) -> None:
    alone = untimed(series(HEX, a, b, 9, seed=5, workers=1))
    assert untimed(series(HEX, a, b, 9, seed=5, workers=3)) == alone
    assert untimed(series(HEX, a, b, 9, seed=6, workers=1)) != alone


def test_networks_play_the_same_whatever_the_workers(hex_model: Path) -> None:
    a, b = f"{hex_model}@expansions=5", f"{hex_model}@alphabeta:depth=1"
    alone = series(HEX, a, b, 8, workers=1)
    assert untimed(series(HEX, a, b, 8, workers=2)) == untimed(alone)
    assert all(work.evaluations > 0 for result in alone for work in result.work)


def test_each_opening_is_played_with_both_colours() -> None:
    results = series(TIC_TAC_TOE, "random", "random", 30)
    assert [result.index for result in results] == list(range(30))
    assert [result.first for result in results] == [0, 1] * 15
    lines = [tuple(result.moves[: result.opening]) for result in results]
    assert lines[0::2] == lines[1::2]
    assert len(set(lines)) == 15
    assert len({result.seed for result in results}) == 30


def test_all_matches_of_a_series_are_different() -> None:
    results = series(HEX, "ubfm-safe:expansions=5", "alphabeta:depth=1", 40)
    assert len({tuple(result.moves) for result in results if result.first == 0}) == 20


@pytest.mark.parametrize("game_id", ["othello:size=4", "amazons:size=5", "hex:size=4"])
def test_a_result_is_what_the_rules_say(game_id: str) -> None:
    game = athenan.make_game(game_id)  # with passes, with turns of two moves, with swaps
    for result in series(game, "random", "mcts:iterations=5", 6):
        state = game.initial_state()
        movers = []
        for name in result.notation:
            movers.append(state.to_move ^ result.first)
            state = state.play(name)
        assert state.outcome == result.outcome
        assert result.gain == (result.outcome if result.first == 0 else -result.outcome)
        after = movers[result.opening :]
        assert [work.moves for work in result.work] == [after.count(0), after.count(1)]
        # One iteration per move of the random player, more of the other.
        assert result.work[0].expansions == result.work[0].moves


def test_the_stronger_player_wins_from_either_seat() -> None:
    strong, weak = "mcts:iterations=200", "random"
    forwards = tally_of(series(HEX, strong, weak, 40))
    backwards = tally_of(series(HEX, weak, strong, 40))
    assert forwards.as_first.wins + forwards.as_second.wins >= 36
    assert backwards.counts.losses >= 36
    assert forwards.counts.matches == 40
    assert forwards.as_first.matches == forwards.as_second.matches == 20
    assert 5 < forwards.mean_length < 17


def test_an_odd_number_and_given_openings() -> None:
    openings = distinct_openings(TIC_TAC_TOE, 2)
    players = player("random", TIC_TAC_TOE), player("random", TIC_TAC_TOE)
    results = list(play_matches(TIC_TAC_TOE, *players, 7, openings=openings))
    used = [tuple(r.moves[: r.opening]) for r in sorted(results, key=lambda r: r.index)]
    a, b = (opening.moves for opening in openings)
    assert used == [a, a, b, b, a, a, b]


def test_clocks_count_where_matches_do_not_share_a_pool() -> None:
    timed = series(HEX, "mcts:seconds=0.002", "ubfm-safe:expansions=3", 4, workers=2)
    for result in timed:
        clocked, other = result.work
        assert clocked.seconds >= 0.0015 * clocked.moves > 0
        assert math.isfinite(other.seconds)
    pooled = series(HEX, "ubfm-safe:expansions=3", "random", 4)
    assert all(math.isnan(work.seconds) for result in pooled for work in result.work)


def test_timed_players_never_share_an_evaluator() -> None:
    users: list[set[int]] = []

    def make(threads: int) -> athenan.evaluators.Evaluator:
        assert threads == 1
        mine: set[int] = set()
        users.append(mine)

        def evaluate(planes: Planes) -> Values:
            mine.add(threading.get_ident())
            return np.zeros(len(planes), np.float32)

        return evaluate

    timed = Player("timed", "ubfm-safe:seconds=0.001", evaluator=make)
    list(play_matches(HEX, timed, timed, 6, workers=3))
    assert len(users) == 6  # two players, three workers
    assert all(len(threads) <= 1 for threads in users)


def test_a_gpu_is_not_shared_by_timed_matches() -> None:
    made: list[object] = []

    class OnGpu:
        device = "cuda:0"

        def __call__(self, planes: Planes) -> Values:
            return np.zeros(len(planes), np.float32)

    def make(_threads: int) -> OnGpu:
        made.append(OnGpu())
        return OnGpu()

    timed = Player("timed", "ubfm-safe:seconds=0.001", evaluator=make)
    assert len(list(play_matches(HEX, timed, player("random", HEX), 4, workers=3))) == 4
    assert len(made) == 1


def test_evaluators_are_closed_at_the_end() -> None:
    closed = threading.Event()

    class Closing:
        def __call__(self, planes: Planes) -> Values:
            return np.zeros(len(planes), np.float32)

        def close(self) -> None:
            closed.set()

    asking = Player("asking", "ubfm:expansions=2", evaluator=lambda _threads: Closing())
    list(play_matches(HEX, asking, player("random", HEX), 2))
    assert closed.wait(10)


def test_a_failing_evaluator_ends_the_series() -> None:
    def fail(_planes: Planes) -> Values:
        raise athenan.Error("out of order")

    failing = Player("failing", "ubfm:expansions=2", evaluator=lambda _threads: fail)
    with pytest.raises(athenan.Error, match="out of order"):
        list(play_matches(HEX, failing, player("random", HEX), 2))


def test_closing_the_iterator_ends_the_series() -> None:
    before = threading.active_count()
    slow = player("mcts:iterations=5000", HEX)  # hours for the whole series
    played = play_matches(HEX, slow, slow, 10**4, openings=distinct_openings(HEX, 9))
    next(played)
    played.close()  # type: ignore[attr-defined]
    deadline = time.monotonic() + 30
    while threading.active_count() > before:
        assert time.monotonic() < deadline, "the workers go on"
        time.sleep(0.01)


def test_reaching_the_limit_of_memory_is_told() -> None:
    game = athenan.make_game("hex:size=11")
    results = series(game, "ubfm-safe:expansions=300,memory_mb=1", "random", 1)
    assert results[0].memory_full > 0
    assert tally_of(results).memory_full == results[0].memory_full


def test_the_trees_share_the_free_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[str] = []

    def pool(game: athenan.Game, minds: list[Mind], slots: int, threads: int) -> Pool:
        searches.extend(mind.search for mind in minds)
        return Pool(game, minds, slots=slots, threads=threads)

    monkeypatch.setattr(matches, "Pool", pool)
    monkeypatch.setattr(matches, "megabytes_per_tree", lambda trees: 1000 // trees)
    series(HEX, "mcts:iterations=2", "random", 2, workers=2)
    assert len(searches) == 4
    assert all("memory_mb=250," in search for search in searches)


@pytest.mark.parametrize(("free", "share"), [(0, 0), (1000, 1), (8 << 30, 1024), (1 << 62, 10**6)])
def test_a_share_of_the_memory_is_one_that_a_search_accepts(
    free: int, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "available_memory", lambda: free)
    assert machine.megabytes_per_tree(4) == share
    Mind(f"mcts:memory_mb={share}")


def test_the_free_memory_is_known_here() -> None:
    assert 1 << 20 < machine.available_memory() < 1 << 50


def test_a_game_for_one_has_no_matches() -> None:
    game = athenan.make_game("morpion")
    with pytest.raises(athenan.Error, match="for one player"):
        play_matches(game, player("random", game), player("random", game), 2)


def test_a_tally_counts_from_the_point_of_view_of_a() -> None:
    def result(first: int, outcome: int) -> MatchResult:
        work = (Work(2, 1.0, 10, 20), Work(3, 2.0, 30, 40))
        return MatchResult(0, 0, first, 1, [1, 2, 3], ["a", "b", "c"], outcome, work, 1)

    tally = tally_of([result(0, 1), result(0, -1), result(1, 1), result(1, 0), result(1, -1)])
    assert tally.as_first == Counts(wins=1, losses=1)
    assert tally.as_second == Counts(wins=1, draws=1, losses=1)
    assert (tally.plies, tally.mean_length, tally.memory_full) == (15, 3.0, 5)
    assert tally.work == (Work(10, 5.0, 50, 100), Work(15, 10.0, 150, 200))
    assert tally_of([]).mean_length == 0.0
