"""What a match is does not depend on how many others are played beside it."""

import pytest
from athenan import make_game
from athenan._core import MatchRecord, Mind, Pool
from athenan.evaluators import network_evaluator
from athenan.networks import Architecture, build_network
from athenan.selfplay import play
from athenan.selfplay.rounds import Rounds

NETWORK = Architecture(filters=16, blocks=1, margin="same", dense=(16,))
MATCHES = 12


def facts(record: MatchRecord) -> tuple[object, ...]:
    states, values = record.targets
    return record.moves, record.values, states.tobytes(), values.tobytes()


@pytest.mark.parametrize("name", ["hex:size=5", "othello:size=6", "breakthrough:rows=6,columns=5"])
@pytest.mark.parametrize(
    "search", ["descent:expansions=8", "ubfm:expansions=8", "uct:expansions=8"]
)
def test_the_same_seeds_give_the_same_matches_in_any_pool(name: str, search: str) -> None:
    game = make_game(name)
    network = build_network(NETWORK, game, seed=2)
    found = []
    for slots, threads, halves in ((1, 1, 1), (5, 2, 1), (MATCHES, 2, 1), (6, 2, 2)):
        evaluator = network_evaluator(
            network, device="cpu", threads=threads, precision="float32", batch_invariant=True
        )
        mind = Mind(search, "ordinal:schedule=uniform")
        pools = [Pool(game, [mind], "tree", slots // halves, threads) for _ in range(halves)]
        records: list[MatchRecord] = []
        if halves == 1:
            for index in range(MATCHES):
                pools[0].add(index, 100 + index)
            records = list(play(pools[0], [evaluator]))
        else:
            rounds = Rounds(pools, evaluator)
            for index in range(MATCHES):
                rounds.add(index, 100 + index, 0.0)
                rounds.skip()
            while len(records) < MATCHES:
                records += rounds.step()
                rounds.skip()
        evaluator.close()
        found.append([facts(r) for r in sorted(records, key=lambda record: record.index)])
    assert len(found[0]) == MATCHES
    assert all(other == found[0] for other in found[1:])
