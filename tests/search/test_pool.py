"""Matches in a pool are the matches one by one, whatever the threads and the batches."""

from __future__ import annotations

from typing import Any

import athenan
import numpy as np
import pytest
from athenan import _core
from athenan.evaluators import Evaluation, Evaluator, LegalMoves, Planes, as_evaluator
from athenan.networks.architecture import MoveAnswers
from athenan.selfplay import play

SEARCHES = [
    "descent:expansions=12",
    "ubfm:expansions=12",
    "alphabeta:evaluations=60",
    "uct:iterations=20",
]
TWO_BATCHES = "descent:expansions=12,values=moves,judged=2,sampled=1"


def summary(record: _core.MatchRecord, minds: int) -> tuple[Any, ...]:
    targets = [record.targets_of(mind) for mind in range(minds)]
    work = [(s.expansions, s.evaluations, s.iterations) for s in record.spent]
    return (
        record.index,
        tuple(record.moves),
        tuple(record.values),
        tuple(work),
        record.outcome,
        tuple((states.tobytes(), values.tobytes()) for states, values in targets),
        len(record.resolved),
        None if minds > 1 or record.move_targets is None else _bytes(record.move_targets),
    )


def _bytes(arrays: tuple[Any, ...]) -> tuple[bytes, ...]:
    return tuple(each.tobytes() for each in arrays)


class HashMoves(Evaluator):
    """Values of states and of moves that look random, and depend on nothing else."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    @property
    def says_of_moves(self) -> MoveAnswers:
        return "values"

    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        values = _core.hash_values(planes, self._seed)
        if moves is None:
            return Evaluation(values)
        states = np.repeat(_core.hash_values(planes, self._seed + 9), np.diff(moves.offsets))
        answers = np.sin(1000 * states + moves.numbers).astype(np.float32)
        return Evaluation(values, answers)


def played(
    game: athenan.Game,
    minds: list[_core.Mind],
    learning: str,
    slots: int,
    threads: int,
    order: int = 1,
) -> list[tuple[Any, ...]]:
    asks = minds[0].search.asks_of_moves == "values" and learning == "tree"
    pool = _core.Pool(game, minds, learning, slots, threads, moves="values" if asks else "none")
    for index in range(10)[::order]:
        pool.add(index, 1000 + index, first_mind=index % 2, progress=index / 10)
    evaluators = [HashMoves(1), HashMoves(2)]
    return sorted(summary(record, len(minds)) for record in play(pool, evaluators))


@pytest.mark.parametrize("search", [*SEARCHES, TWO_BATCHES])
@pytest.mark.parametrize("learning", ["tree", "root", "terminal"])
def test_a_record_depends_on_its_plan_alone(search: str, learning: str) -> None:
    game = athenan.make_game("othello:size=4")
    minds = [_core.Mind(search, "ordinal:schedule=annealed")]
    alone = played(game, minds, learning, slots=1, threads=1)
    assert len(alone) == 10
    assert len({record[1] for record in alone}) > 1  # the seeds give different matches
    for slots, threads, order in [(3, 1, 1), (10, 2, 1), (4, 3, -1)]:
        assert played(game, minds, learning, slots, threads, order) == alone


@pytest.mark.parametrize("learning", ["none", "tree", "root", "terminal"])
def test_two_minds_with_two_evaluators(learning: str) -> None:
    game = athenan.make_game("connect_four:rows=5,columns=5")
    minds = [
        _core.Mind("ubfm-safe:expansions=10", evaluator=0),
        _core.Mind("descent:expansions=5", evaluator=1),
    ]
    alone = played(game, minds, learning, slots=1, threads=1)
    assert played(game, minds, learning, slots=6, threads=2) == alone


def test_each_of_two_minds_learns_from_its_own_searches() -> None:
    """The second mind asks another evaluator and has other values for the ends."""
    game = athenan.make_game("othello:size=4")
    minds = [
        _core.Mind("descent:expansions=10", "ordinal:schedule=uniform", evaluator=0),
        _core.Mind("descent:expansions=10,terminal=score", "max", evaluator=1),
    ]
    evaluators = [athenan.hash_evaluator(1), athenan.hash_evaluator(2)]
    for learning in ("tree", "root", "terminal"):
        pool = _core.Pool(game, minds, learning)
        pool.add(0, 3, first_mind=1)
        (record,) = play(pool, evaluators)
        with pytest.raises(athenan.Error, match="of two minds"):
            record.targets  # noqa: B018
        with pytest.raises(athenan.ParameterError, match="a number below 2, not 2"):
            record.targets_of(2)
        visited = [game.initial_state()]
        for move in record.moves:
            visited.append(visited[-1].play(move))
        end = visited[-1]
        for mind, value in ((0, float(record.outcome)), (1, end.score)):
            thought = [s for s, mover in zip(visited, record.movers, strict=False) if mover == mind]
            states, values = record.targets_of(mind)
            learned = dict(zip(map(bytes, states), values.tolist(), strict=True))
            if learning != "tree":
                assert list(learned) == [bytes(s)[: game.packed_size] for s in [*thought, end]]
            assert {bytes(s)[: game.packed_size] for s in thought} <= learned.keys()
            assert learned.get(bytes(end)[: game.packed_size], value) == value
            if learning == "terminal":
                assert set(learned.values()) == {value}
            else:
                own = [v for v, k in zip(record.values, record.movers, strict=True) if k == mind]
                assert learning == "tree" or values.tolist() == [*own, value]


def test_a_match_in_a_pool_is_a_search_per_move() -> None:
    game = athenan.make_game("hex:size=4")
    pool = _core.Pool(game, [_core.Mind("descent:expansions=15", "max")], "tree", 4, 2)
    for index in range(4):
        pool.add(index, index)
    evaluate = athenan.hash_evaluator(1)
    for record in play(pool, [evaluate]):
        state = game.initial_state()
        search = _core.Search(game, "descent:expansions=15", 0, keep_terminals=True)
        for move, value in zip(record.moves, record.values, strict=True):
            athenan.searches.drive(search, state, evaluate)
            assert {label.move for label in search.root_moves} == set(state.legal_moves())
            assert np.isfinite(value)
            state = state.play(move)
        assert state.outcome == record.outcome
        states, values = record.targets
        assert len(values) == len(states) > len(record.moves)


def test_targets_are_states_with_the_values_of_the_paper() -> None:
    game = athenan.make_game("tic_tac_toe")
    records = {}
    for learning in ("root", "terminal", "tree"):
        pool = _core.Pool(game, [_core.Mind("descent:expansions=20", "max")], learning, 1, 1)
        pool.add(0, 5)
        (records[learning],) = play(pool, [athenan.hash_evaluator(1)])
    moves = records["root"].moves
    visited = [game.initial_state()]
    for move in moves:
        visited.append(visited[-1].play(move))
    for learning in ("root", "terminal"):
        states, values = records[learning].targets
        assert len(states) == len(visited)
        for row, state in zip(states, visited, strict=True):
            assert row.tobytes() == bytes(state)[: game.packed_size]
        if learning == "terminal":
            assert set(values.tolist()) == {float(visited[-1].outcome or 0)}
        else:
            assert values[:-1].tolist() == records[learning].values
            assert values[-1] == visited[-1].outcome


def test_openings_and_mistakes() -> None:
    game = athenan.make_game("tic_tac_toe")
    mind = _core.Mind("ubfm:expansions=5")
    pool = _core.Pool(game, [mind])
    pool.add(0, 1, opening=[4, 0])
    (record,) = play(pool, [athenan.constant_evaluator()])
    assert record.moves[:2] == [4, 0]
    assert len(record.values) == len(record.moves) - 2
    pool.add(1, 1, opening=[4, 4])
    with pytest.raises(athenan.IllegalMoveError, match="not legal"):
        pool.collect()
    with pytest.raises(athenan.ParameterError, match="1 or 2 minds"):
        _core.Pool(game, [mind, mind, mind], "tree")
    other_ends = _core.Mind("ubfm:expansions=5,terminal=presence")
    with pytest.raises(athenan.ParameterError, match="one terminal evaluation"):
        _core.Pool(game, [mind, other_ends], memory=_core.ResolvedMemory())
    with pytest.raises(athenan.ParameterError, match="none, tree, root, terminal"):
        _core.Pool(game, [mind], "forest")
    with pytest.raises(athenan.ParameterError, match="algorithms are"):
        _core.Mind("minimaks")
    with pytest.raises(athenan.ParameterError, match="selections are"):
        _core.Mind("ubfm", "ordinary")
    other = _core.Pool(game, [mind])
    other.add(0, 0)
    assert other.collect() == len(other.batch(0))
    with pytest.raises(athenan.Error, match="before every batch"):
        other.collect()
    with pytest.raises(athenan.Error, match="values for"):
        other.resume(0, np.zeros(1, np.float32))


def test_matches_added_on_the_way_are_played_even_if_nothing_waits() -> None:
    """Where every state is proven already, a match ends without asking for a single value."""
    game = athenan.make_game("tic_tac_toe")
    memory = _core.ResolvedMemory()
    pool = _core.Pool(game, [_core.Mind("descent:expansions=5")], "tree", 4, 1, memory)
    pool.add(0, 0)
    played = 0
    for record in play(pool, [athenan.hash_evaluator()]):
        played += 1
        record.remember(memory)
        if played < 200:
            pool.add(played, played)
    assert played == 200


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    "game_id", ["hex:size=4", "othello:size=6", "breakthrough:rows=5,columns=4"]
)
def test_no_state_is_evaluated_twice_within_a_match(search: str, game_id: str) -> None:
    """The planes of these games show the whole state, so equal planes would be a state again."""
    game = athenan.make_game(game_id)
    pool = _core.Pool(game, [_core.Mind(search, "ordinal:schedule=uniform")], "tree", 1, 1)
    pool.add(0, 7)
    hashed = athenan.hash_evaluator(1)
    seen: list[bytes] = []

    def evaluate(planes: Any) -> Any:
        seen.extend(plane.tobytes() for plane in planes)
        return hashed(planes)

    (record,) = play(pool, [as_evaluator(evaluate)])
    assert len(seen) == sum(spent.evaluations for spent in record.spent) > 100
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_pool_counts_its_work_while_matches_are_under_way(search: str) -> None:
    pool = _core.Pool(athenan.make_game("othello:size=4"), [_core.Mind(search)], "tree", 3, 2)
    for index in range(7):  # more than slots: some slots play several matches
        pool.add(index, index)
    hashed = athenan.hash_evaluator(1)
    evaluated, records = 0, []
    while waiting := pool.collect():
        assert pool.spent.evaluations == evaluated + waiting
        pool.resume(0, hashed(pool.batch(0)))
        evaluated += waiting
        records += pool.take_finished()
    records += pool.take_finished()
    assert len(records) == 7
    every = [spent for record in records for spent in record.spent]
    for name in ("expansions", "evaluations", "iterations", "transpositions"):
        assert getattr(pool.spent, name) == sum(getattr(spent, name) for spent in every)
    assert pool.spent.expansions > 0
    assert pool.plies == sum(len(record.moves) for record in records) > 0
    assert pool.spent.evaluations == evaluated
