"""Series of matches: fair, reproducible, and honest about what happened."""

from __future__ import annotations

import json
import math
import threading
from dataclasses import replace
from pathlib import Path

import athenan
import numpy as np
import pytest
from athenan import SearchSpec, machine
from athenan.arena import (
    Counts,
    Effort,
    Match,
    SearchPlayerSpec,
    distinct_openings,
    play_matches,
    player,
    tally_of,
)
from athenan.arena.record import notation_of
from athenan.evaluators import Evaluation, Evaluator, LegalMoves, Planes, as_evaluator

TIC_TAC_TOE = athenan.make_game("tic_tac_toe")
HEX = athenan.make_game("hex:size=4")


def series(
    game: athenan.Game, a: str, b: str, count: int, seed: int = 0, workers: int = 0
) -> list[Match]:
    players = player(a, game), player(b, game)
    played = play_matches(game, *players, count, seed=seed, workers=workers)
    return sorted(played, key=lambda result: result.index)


def untimed(results: list[Match]) -> list[Match]:
    """Return matches without what clocks say."""
    return [
        replace(each, efforts=tuple(replace(effort, seconds=0.0) for effort in each.efforts))
        for each in results
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
    assert all(effort.evaluations > 0 for match in alone for effort in match.efforts)


def test_each_opening_is_played_with_both_colours() -> None:
    results = series(TIC_TAC_TOE, "random", "random", 30)
    assert [result.index for result in results] == list(range(30))
    lines = [tuple(result.moves[: result.opening]) for result in results]
    assert lines[0::2] == lines[1::2]
    assert len(set(lines)) == 15
    assert len({result.seed for result in results}) == 30


def test_all_matches_of_a_series_are_different() -> None:
    results = series(HEX, "ubfm-safe:expansions=5", "alphabeta:depth=1", 40)
    assert len({match.moves for match in results if match.index % 2 == 0}) == 20


@pytest.mark.parametrize("game_id", ["othello:size=4", "amazons:size=5", "hex:size=4"])
def test_a_result_is_what_the_rules_say(game_id: str) -> None:
    game = athenan.make_game(game_id)  # with passes, with turns of two moves, with swaps
    for match in series(game, "minimax", "mcts:iterations=5", 6):
        state = game.parse_position(match.position)
        movers = []
        for name in match.moves:
            movers.append(state.to_move)
            state = state.play(name)
        assert state.outcome == match.outcome is not None
        assert match.players[match.index % 2] == "minimax"
        assert match.gain == (match.outcome if match.index % 2 == 0 else -match.outcome)
        after = movers[match.opening :]
        assert [effort.moves for effort in match.efforts] == [after.count(0), after.count(1)]
        minimax, mcts = match.efforts_of_players
        assert minimax.expansions == minimax.moves  # its depth is 1
        assert mcts.evaluations == 0


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
    used = [m.moves[: m.opening] for m in sorted(results, key=lambda m: m.index)]
    a, b = (notation_of(TIC_TAC_TOE.initial_state(), opening.moves) for opening in openings)
    assert used == [a, a, b, b, a, a, b]


def test_clocks_count_where_matches_do_not_share_a_pool() -> None:
    timed = series(HEX, "mcts:seconds=0.002", "ubfm-safe:expansions=3", 4, workers=2)
    for match in timed:
        clocked, other = match.efforts_of_players
        assert clocked.seconds >= 0.0015 * clocked.moves > 0
        assert math.isfinite(other.seconds)
    pooled = series(HEX, "ubfm-safe:expansions=3", "random", 4)
    assert all(math.isnan(effort.seconds) for match in pooled for effort in match.efforts)


class Watched(Evaluator):
    """Zeros, and who asked for them."""

    def __init__(self, device: str = "cpu") -> None:
        self.device = device
        self.users: set[int] = set()
        self.closed = 0

    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        assert moves is None
        self.users.add(threading.get_ident())
        return Evaluation(np.zeros(len(planes), np.float32))

    def close(self) -> None:
        self.closed += 1


def watched(spec: str, device: str = "cpu") -> tuple[SearchPlayerSpec, list[Watched]]:
    """Return a player, and the evaluators that will be made for it."""
    made: list[Watched] = []

    def make(_threads: int) -> Watched:
        made.append(Watched(device))
        return made[-1]

    return SearchPlayerSpec("watched", SearchSpec(spec), make), made


def test_timed_players_never_share_an_evaluator() -> None:
    timed, made = watched("ubfm-safe:seconds=0.001")
    list(play_matches(HEX, timed, timed, 6, workers=3))
    assert len(made) == 6  # two players, three workers, whatever the number of matches
    assert all(len(each.users) <= 1 for each in made)
    assert all(each.closed == 1 for each in made)


def test_a_gpu_is_not_shared_by_timed_matches() -> None:
    timed, made = watched("ubfm-safe:seconds=0.001", "cuda:0")
    assert len(list(play_matches(HEX, timed, player("random", HEX), 4, workers=3))) == 4
    assert len(made) == 1


def test_an_evaluator_that_is_lent_is_used_alone_and_not_closed() -> None:
    for search in ("ubfm-safe:seconds=0.001", "ubfm-safe:expansions=3"):
        mine = Watched()
        timed = SearchPlayerSpec("mine", SearchSpec(search), mine)
        assert len(list(play_matches(HEX, timed, player("random", HEX), 6, workers=3))) == 6
        assert (len(mine.users), mine.closed) == (1, 0)


def test_evaluators_are_closed_at_the_end() -> None:
    asking, made = watched("ubfm:expansions=2")
    list(play_matches(HEX, asking, player("random", HEX), 2))
    assert [each.closed for each in made] == [1]


@pytest.mark.parametrize("spec", ["ubfm:expansions=2", "ubfm:seconds=0.01"])
def test_a_failing_evaluator_ends_the_series(spec: str) -> None:
    def fail(_planes: Planes) -> np.ndarray:
        raise athenan.Error("out of order")

    failing = SearchPlayerSpec("failing", SearchSpec(spec), as_evaluator(fail))
    before = threading.active_count()
    with pytest.raises(athenan.Error, match="out of order"):
        list(play_matches(HEX, failing, player("random", HEX), 2))
    assert threading.active_count() == before


def test_reaching_the_limit_of_memory_is_told() -> None:
    game = athenan.make_game("hex:size=11")
    results = series(game, "ubfm-safe:expansions=300,memory_mb=1", "random", 1)
    assert results[0].memory_full > 0
    assert tally_of(results).memory_full == results[0].memory_full


def test_the_trees_share_the_free_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    game = athenan.make_game("hex:size=11")
    monkeypatch.setattr(machine, "available_memory", lambda: 4 << 20)  # a megabyte for each tree
    assert series(game, "mcts:iterations=30000", "random", 1, workers=1)[0].memory_full > 0
    own = "mcts:iterations=30000,memory_mb=1000"
    assert series(game, own, "random", 1, workers=1)[0].memory_full == 0


@pytest.mark.parametrize(("free", "share"), [(0, 0), (1000, 1), (8 << 30, 1024), (1 << 62, 10**6)])
def test_a_share_of_the_memory_is_one_that_a_search_accepts(
    free: int, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "available_memory", lambda: free)
    assert machine.megabytes_per_tree(4) == share
    assert SearchSpec(f"mcts:memory_mb={share}").options["memory_mb"] == share


def test_the_free_memory_is_known_here() -> None:
    assert 1 << 20 < machine.available_memory() < 1 << 50


def test_a_game_for_one_has_no_matches() -> None:
    game = athenan.make_game("morpion")
    with pytest.raises(athenan.Error, match="for one player"):
        play_matches(game, player("random", game), player("random", game), 2)


def test_a_tally_counts_from_the_point_of_view_of_a() -> None:
    def match(index: int, outcome: int) -> Match:
        a, b = Effort(2, 1.0, 10, 20), Effort(3, 2.0, 30, 40)
        efforts = (b, a) if index % 2 else (a, b)
        moves = ("a", "b", "c")
        return Match("g", "", ("x", "y"), moves, outcome, None, 1, efforts, 1, index)

    tally = tally_of([match(0, 1), match(2, -1), match(1, 1), match(3, 0), match(5, -1)])
    assert tally.as_first == Counts(wins=1, losses=1)
    assert tally.as_second == Counts(wins=1, draws=1, losses=1)
    assert (tally.plies, tally.mean_length, tally.memory_full) == (15, 3.0, 5)
    assert tally.efforts == (Effort(10, 5.0, 50, 100), Effort(15, 10.0, 150, 200))
    assert tally_of([]).mean_length == 0.0


def test_the_one_form_as_json(hex_model: Path) -> None:
    for match in series(HEX, f"{hex_model}@expansions=3", "random", 2):
        data = json.loads(json.dumps(match.as_json()), parse_constant=pytest.fail)
        assert data["version"] == 3
        again = Match.from_json(data)
        assert untimed([again]) == untimed([match])
        assert all(math.isnan(effort.seconds) for effort in again.efforts)
    for other in ({}, {**data, "version": 4}, {**data, "weather": "fine"}):
        with pytest.raises(athenan.Error, match="record of a match in a version from 1 to 3"):
            Match.from_json(other)
    effort = data["efforts"][0]
    wrong_parts = {
        "moves": 3,
        "outcome": 7,
        "players": ["a", "\udc00"],
        "opening": 10**6,
        "reason": "\ud800",
        "efforts": [effort | {"moves": "many"}],
    }
    for name, wrong in wrong_parts.items():
        with pytest.raises(athenan.Error, match="parts are missing or of a wrong kind"):
            Match.from_json({**data, name: wrong})


def test_a_record_of_version_1_is_read() -> None:
    old = {
        "version": 1, "game": "tic_tac_toe", "position": "3/3/3 x", "players": ["a", "b"],
        "moves": ["b2", "a1"], "outcome": None, "reason": "resigned", "opening": 0,
        "efforts": [], "memory_full": 0, "index": 0, "seed": 5,
    }  # fmt: skip
    match = Match.from_json(old)
    assert (match.moves, match.reason, match.seed) == (("b2", "a1"), "resigned", 5)
    assert (match.who, match.sentence, match.seconds, match.values) == (None, "", (), ())
