"""Sources: what a match is does not depend on where, or beside which others, it is played."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Timer

import pytest
from athenan import Error, Game, make_game
from athenan._core import MatchRecord, Mind, Pool, SearchSpec, Stop
from athenan.evaluators import network_evaluator
from athenan.evaluators.cpu import CpuEvaluator
from athenan.evaluators.network import NetworkEvaluator
from athenan.networks import Architecture, build_network
from athenan.selfplay import play
from athenan.selfplay.lanes import Lanes
from athenan.selfplay.rounds import Rounds
from athenan.selfplay.source import Deal, Source

NETWORK = Architecture(filters=16, blocks=1, margin="same", dense=(16,))
MATCHES = 12


def facts(record: MatchRecord) -> tuple[object, ...]:
    states, values = record.targets
    return record.moves, record.values, states.tobytes(), values.tobytes()


def one_pool(game: Game, mind: Mind, slots: int, evaluator: NetworkEvaluator) -> list[MatchRecord]:
    pool = Pool(game, [mind], "tree", slots, 2)
    for index in range(MATCHES):
        pool.add(index, 100 + index)
    return list(play(pool, [evaluator]))


def stepped(source: Source) -> list[MatchRecord]:
    for index in range(MATCHES):
        source.add(index, 100 + index, 0.0)
    records: list[MatchRecord] = []
    while not source.at_rest:
        records += source.step()
    assert source.step() == []
    return records


@pytest.mark.parametrize("name", ["hex:size=5", "othello:size=6", "breakthrough:rows=6,columns=5"])
@pytest.mark.parametrize(
    "search", ["descent:expansions=8", "ubfm:expansions=8", "uct:expansions=8"]
)
def test_the_same_seeds_give_the_same_matches_however_they_are_played(
    name: str, search: str
) -> None:
    game = make_game(name)
    network = build_network(NETWORK, game, seed=2)
    mind = Mind(SearchSpec(search), "ordinal:schedule=uniform")

    def pools(count: int) -> list[Pool]:
        return [Pool(game, [mind], "tree", 6 // count, 1) for _ in range(count)]

    with (
        network_evaluator(network, device="cpu", threads=2, batch_invariant=True) as evaluator,
        ThreadPoolExecutor(2) as threads,
    ):
        assert isinstance(evaluator, CpuEvaluator)
        ways = [
            one_pool(game, mind, 1, evaluator),
            one_pool(game, mind, 5, evaluator),
            one_pool(game, mind, MATCHES, evaluator),
            stepped(Rounds(pools(2), evaluator)),
            stepped(Lanes(pools(1), evaluator, threads)),
            stepped(Lanes(pools(3), evaluator, threads)),
        ]
    found = [[facts(r) for r in sorted(way, key=lambda record: record.index)] for way in ways]
    assert len(found[0]) == MATCHES
    assert all(other == found[0] for other in found[1:])


def test_lanes_count_what_they_do() -> None:
    game = make_game("tic_tac_toe")
    network = build_network(NETWORK, game, seed=2)
    mind = Mind(SearchSpec("descent:expansions=3"), "ordinal:schedule=uniform")
    with (
        network_evaluator(network, device="cpu", threads=2) as evaluator,
        ThreadPoolExecutor(2) as threads,
    ):
        assert isinstance(evaluator, CpuEvaluator)
        lanes = Lanes([Pool(game, [mind], "tree", 4, 1) for _ in range(2)], evaluator, threads)
        records = stepped(lanes)
    spent = sum(each.evaluations for record in records for each in record.spent)
    assert lanes.work.evaluations == spent > 0
    assert lanes.work.batches == lanes.work.batch_sizes.total() > 0
    assert 0 < lanes.work.rules_share < 1


def test_a_mistake_in_a_lane_is_heard() -> None:
    game = make_game("tic_tac_toe")
    network = build_network(NETWORK, make_game("connect_four"), seed=2)  # takes other planes
    mind = Mind(SearchSpec("descent:expansions=3"), "ordinal:schedule=uniform")
    with (
        network_evaluator(network, device="cpu", threads=1) as evaluator,
        ThreadPoolExecutor(1) as threads,
    ):
        assert isinstance(evaluator, CpuEvaluator)
        lanes = Lanes([Pool(game, [mind], "tree", 4, 1)], evaluator, threads)
        with pytest.raises(Error, match="the network takes planes"):
            stepped(lanes)


# Which pool gets a match.


def dealt(deal: Deal, matches: int) -> list[int]:
    return [deal.deal() for _ in range(matches)]


def test_pools_are_filled_by_turns() -> None:
    deal = Deal(3)
    assert dealt(deal, 7) == [0, 1, 2, 0, 1, 2, 0]
    assert deal.matches == [3, 2, 2]


def test_a_match_follows_in_the_pool_where_one_ended() -> None:
    deal = Deal(2)
    dealt(deal, 5)
    for pool, ended in ((0, 1), (1, 2), (0, 3), (1, 1)):
        deal.ended(pool, ended)
        assert dealt(deal, ended) == [pool] * ended
        assert deal.turn == 1 - pool


def test_after_a_rest_pools_are_filled_from_the_one_whose_turn_it_is() -> None:
    deal = Deal(2)
    dealt(deal, 2)
    deal.ended(1, 1)
    deal.ended(0, 1)
    assert deal.at_rest
    assert dealt(deal, 4) == [1, 0, 1, 0]


# Stopping.


@pytest.mark.parametrize("kind", ["rounds", "lanes"])
def test_a_request_to_stop_ends_a_step_that_would_last_for_ever(kind: str) -> None:
    game = make_game("othello")
    network = build_network(NETWORK, game, seed=2)
    mind = Mind(SearchSpec("mcts:iterations=1000000000"))
    stop = Stop()
    with (
        network_evaluator(network, device="cpu", threads=1) as evaluator,
        ThreadPoolExecutor(1) as threads,
    ):
        assert isinstance(evaluator, CpuEvaluator)
        pools = [Pool(game, [mind], "none", 2, 1)]
        source = Rounds(pools, evaluator) if kind == "rounds" else Lanes(pools, evaluator, threads)
        source.add(0, 1, 0.0)
        alarm = Timer(0.2, stop.request)
        alarm.start()
        start = time.monotonic()
        assert source.step(stop) == []
        assert 0.2 <= time.monotonic() - start < 1.2
        assert not source.at_rest
        assert source.step(stop) == []
        source.close()


@pytest.mark.parametrize("kind", ["rounds", "lanes"])
def test_a_stopped_source_can_go_on_as_if_nothing_had_been(kind: str) -> None:
    game = make_game("tic_tac_toe")
    network = build_network(NETWORK, game, seed=2)
    mind = Mind(SearchSpec("descent:expansions=3"), "ordinal:schedule=uniform")
    asked = Stop()
    asked.request()
    with (
        network_evaluator(network, device="cpu", threads=2, batch_invariant=True) as evaluator,
        ThreadPoolExecutor(2) as threads,
    ):
        assert isinstance(evaluator, CpuEvaluator)

        def source() -> Source:
            pools = [Pool(game, [mind], "tree", 4, 1)]
            return (
                Rounds(pools, evaluator) if kind == "rounds" else Lanes(pools, evaluator, threads)
            )

        undisturbed, disturbed = source(), source()
        expected = stepped(undisturbed)
        for index in range(MATCHES):
            disturbed.add(index, 100 + index, 0.0)
        found: list[MatchRecord] = []
        while not disturbed.at_rest:
            found += disturbed.step(asked)
            found += disturbed.step()
    by_index = sorted(found, key=lambda record: record.index)
    for name in ("evaluations", "expansions", "plies", "batches"):
        assert getattr(disturbed.work, name) == getattr(undisturbed.work, name) > 0, name
    assert [facts(each) for each in by_index] == [
        facts(each) for each in sorted(expected, key=lambda record: record.index)
    ]
