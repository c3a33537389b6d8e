"""What a match is does not depend on how many others are played beside it."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from athenan import Error, Game, make_game
from athenan._core import MatchRecord, Mind, Pool
from athenan.evaluators import network_evaluator
from athenan.evaluators.cpu import CpuEvaluator
from athenan.evaluators.network import NetworkEvaluator
from athenan.networks import Architecture, build_network
from athenan.selfplay import play
from athenan.selfplay.lanes import Lanes
from athenan.selfplay.rounds import Rounds

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


def stepped(rounds: Rounds | Lanes) -> list[MatchRecord]:
    for index in range(MATCHES):
        rounds.add(index, 100 + index, 0.0)
        rounds.skip()
    records: list[MatchRecord] = []
    while not rounds.at_rest:
        records += rounds.step()
        rounds.skip()
    assert rounds.step() == []
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
    mind = Mind(search, "ordinal:schedule=uniform")

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
    mind = Mind("descent:expansions=3", "ordinal:schedule=uniform")
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
    mind = Mind("descent:expansions=3", "ordinal:schedule=uniform")
    with (
        network_evaluator(network, device="cpu", threads=1) as evaluator,
        ThreadPoolExecutor(1) as threads,
    ):
        assert isinstance(evaluator, CpuEvaluator)
        lanes = Lanes([Pool(game, [mind], "tree", 4, 1)], evaluator, threads)
        with pytest.raises(Error, match="the network takes planes"):
            stepped(lanes)
