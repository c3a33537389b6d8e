"""Golden results: the trees and the matches that given seeds lead to, as checksums.

A difference means that some search, selection or match goes another way than before, in exact
arithmetic: the evaluator is a hash. If that is wanted, `python -m pytest
tests/search/test_golden_records.py --regenerate-golden` writes the file anew.
"""

import hashlib
import json
from pathlib import Path
from random import Random

import athenan
import pytest
from athenan._core import Mind, Pool, Search, hash_values
from conformance.variants import VARIANTS

FILE = Path(__file__).parents[1] / "data" / "records.json"
SEARCHES = (
    "descent:expansions=40",
    "descent:expansions=40,completion=false",
    "ubfm:expansions=40",
    "ubfm-safe:expansions=40,reuse=false,early_stop=true",
    "descent:expansions=30,transpositions=false",
    "alphabeta:depth=2,expansions=60",
    "minimax:depth=2",
)
LEARNING = ("tree", "root", "terminal")


def digest(*parts: object) -> str:
    """Return the beginning of a checksum of anything that prints what it is."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def tree_of(game: athenan.Game, search: str) -> str:
    """Think about a state near the start, and sum up everything that was found."""
    state, random = game.initial_state(), Random(1)
    for _ in range(4):
        following = state.play(random.choice(state.legal_moves()))
        state = state if following.is_terminal else following
    mind = Search(game, search, 7)
    mind.begin(state)
    mind.run_fake(3)
    labels = [
        (key, [(m.move, m.value, m.completion, m.resolved, m.count) for m in moves])
        for key, moves in mind.labels()
    ]
    states, values = mind.targets()
    spent = mind.spent.expansions, mind.spent.evaluations, mind.spent.transpositions
    return digest(labels, mind.decide(), mind.root_value, states.tobytes(), values.tobytes(), spent)


def matches_of(game: athenan.Game, learning: str) -> str:
    """Play two matches at a time, and sum up their records.

    Descent would go to the end of the match at each move, which is long in cyclic games.
    """
    pool = Pool(game, [Mind("ubfm:expansions=2", "ordinal:schedule=uniform")], learning, 2, 2)
    for index in range(2):
        pool.add(index, 100 + index, [], progress=0.3)
    while pool.collect():
        pool.resume(0, hash_values(pool.batch(0), 5))
    return digest(
        [
            (r.moves, r.values, r.outcome, r.targets[0].tobytes(), r.targets[1].tobytes())
            for r in sorted(pool.take_finished(), key=lambda record: record.index)
        ]
    )


def results_of(name: str) -> dict[str, str]:
    """Return the checksums of a game, of its smallest variant."""
    game = athenan.make_game(VARIANTS[name][0])
    return {search: tree_of(game, search) for search in SEARCHES} | {
        f"matches for {learning} learning": matches_of(game, learning) for learning in LEARNING
    }


@pytest.mark.parametrize("name", athenan.game_names())
def test_trees_and_matches_are_as_they_were(name: str, request: pytest.FixtureRequest) -> None:
    found = results_of(name)
    kept = json.loads(FILE.read_text()) if FILE.exists() else {}
    if request.config.getoption("--regenerate-golden"):
        kept[name] = found
        FILE.write_text(json.dumps(kept, indent=1) + "\n")
    assert kept.get(name) == found
