"""A second search beside the mind: it chooses the moves, and of the mind is learned."""

from __future__ import annotations

import athenan
import pytest
from athenan import _core
from athenan.selfplay import play

GAME = "hex:size=4,swap=false"
DESCENT, UBFM = "descent:expansions=9", "ubfm:expansions=6"


def pool_of(learning: str, memory: _core.ResolvedMemory | None = None) -> _core.Pool:
    pool = _core.Pool(
        athenan.make_game(GAME),
        [_core.Mind(DESCENT)],
        learning,
        slots=3,
        memory=memory,
        chooser=_core.Mind(UBFM, "max"),
    )
    for index in range(5):
        pool.add(index, index, opening=[index])
    return pool


@pytest.mark.parametrize("learning", ["tree", "root"])
def test_the_chooser_plays_and_the_mind_teaches(learning: str) -> None:
    """Both searches are driven by hand over the states of the match, each in a tree of its own."""
    game, evaluate = athenan.make_game(GAME), athenan.hash_evaluator(3)
    kept = learning == "tree"
    differed = 0
    for record in play(pool_of(learning), [evaluate]):
        mind, chooser = (_core.Search(game, spec, keep_terminals=kept) for spec in (DESCENT, UBFM))
        state, learned = game.initial_state().play(record.moves[0]), {}
        for move, value, spent in zip(record.moves[1:], record.values, record.spent, strict=True):
            for search in (mind, chooser):
                athenan.searches.drive(search, state, evaluate)
            assert value == chooser.root_value
            sign = 1 if state.to_move == 0 else -1
            best = max(chooser.root_moves, key=lambda each: sign * each.value)
            assert {each.move: each.value for each in chooser.root_moves}[move] == best.value
            differed += max(mind.root_moves, key=lambda each: sign * each.value).move != move
            assert spent.expansions == mind.spent.expansions + chooser.spent.expansions
            assert spent.evaluations == mind.spent.evaluations + chooser.spent.evaluations
            learned[bytes(state)[: game.packed_size]] = mind.root_value
            state = state.play(move)
        assert state.outcome == record.outcome
        rows, values = record.targets
        found = dict(zip(map(bytes, rows), values.tolist(), strict=True))
        if learning == "tree":
            own, theirs = mind.targets(), chooser.targets()
            assert found == dict(zip(map(bytes, own[0]), own[1].tolist(), strict=True))
            assert not {bytes(row) for row in theirs[0]} <= found.keys()
        else:
            end = {bytes(state)[: game.packed_size]: float(record.outcome)}
            assert found == learned | end
    assert differed > 5


def test_what_was_spent_is_counted_while_matches_are_under_way() -> None:
    pool, hashed, evaluated = pool_of("tree"), athenan.hash_evaluator(1), 0
    while waiting := pool.collect():
        assert pool.spent.evaluations == evaluated + waiting
        pool.resume(0, hashed(pool.batch(0)))
        evaluated += waiting
    records = pool.take_finished()
    assert sum(each.evaluations for record in records for each in record.spent) == evaluated


def test_a_memory_of_resolved_states_serves_both() -> None:
    """Once the start is resolved there, neither of the two has anything to search."""
    game, memory = athenan.make_game("tic_tac_toe"), _core.ResolvedMemory()
    mind, chooser = (
        _core.Mind("descent:expansions=60"),
        _core.Mind(UBFM, "ordinal:schedule=uniform"),
    )
    pool = _core.Pool(game, [mind], "tree", memory=memory, chooser=chooser)
    pool.add(0, 0)
    spent: list[int] = []
    for record in play(pool, [athenan.hash_evaluator(3)]):
        spent.append(sum(each.evaluations for each in record.spent))
        record.remember(memory)
        if len(spent) < 100:
            pool.add(len(spent), len(spent))
    assert len(spent) == 100
    assert spent[0] > 50
    assert spent[-1] == 0


def test_a_chooser_beside_two_minds_or_an_expert_is_refused() -> None:
    game, minds, chooser = athenan.make_game(GAME), [_core.Mind(DESCENT)], _core.Mind(UBFM)
    with pytest.raises(athenan.ParameterError, match="chooses the moves of one mind"):
        _core.Pool(game, minds * 2, "tree", chooser=chooser)
    with pytest.raises(athenan.ParameterError, match="chooses the moves of one mind"):
        _core.Pool(game, minds, "root", expert=_core.Mind("mcts:iterations=5"), chooser=chooser)
    with pytest.raises(athenan.ParameterError, match="chooses the moves of one mind"):
        _core.Pool(game, minds, guests=True, chooser=chooser)
