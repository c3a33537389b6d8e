"""Budgets, memory caps, long and cyclic games, and what is refused."""

from __future__ import annotations

import athenan
import numpy as np
import pytest
from athenan import _core


def run(game_id: str, algorithm: str, seed: int = 1) -> _core.Search:
    game = athenan.make_game(game_id)
    search = _core.Search(game, algorithm, seed)
    search.begin(game.initial_state())
    search.run_fake(seed)
    return search


@pytest.mark.parametrize("name", ["descent", "ubfm", "alphabeta", "uct"])
def test_every_budget_ends_the_search(name: str) -> None:
    for limit, amount in (("expansions", 40), ("evaluations", 40), ("iterations", 2)):
        spent = run("hex:size=7", f"{name}:{limit}={amount}").spent
        assert getattr(spent, limit) >= amount
        # An iteration is finished, then the search ends: one descent is at most 50 expansions.
        assert spent.expansions <= 40 + 50 + 1
    # What would end too late is not begun, and on a busy machine everything takes long.
    assert run("hex:size=7", f"{name}:seconds=0.2").spent.seconds >= 0.1


@pytest.mark.parametrize("name", ["descent", "ubfm", "alphabeta"])
def test_every_child_is_new_or_a_transposition(name: str) -> None:
    search = run("hex:size=4", f"{name}:expansions=300")
    edges = sum(len(moves) for _, moves in search.labels())
    assert 20 < search.spent.transpositions == edges + 1 - search.node_count


def test_a_descent_to_the_end_of_the_longest_games() -> None:
    for game_id in ("arimaa", "lines_of_action"):
        search = run(game_id, "descent:iterations=3", seed=2)
        longest = athenan.make_game(game_id).datasheet.max_length
        assert search.spent.iterations == 3
        assert 50 < search.spent.expansions <= 3 * longest
        assert len(search.principal_variation) <= longest


def test_a_descent_reaches_the_draw_at_900_moves() -> None:
    """Four plies before the end no rabbit of this position can reach its goal."""
    game = athenan.make_game("arimaa")
    assert game.datasheet.max_length == 900
    state = game.parse_position("g" + "r" + "." * 62 + "R" + " @896")
    result = athenan.search(state, spec="descent")
    assert result.proven_outcome == 0
    for move in result.principal_variation:
        assert not state.is_terminal
        state = state.play(move)
    assert (state.ply, state.outcome, state.legal_moves()) == (900, 0, [])


@pytest.mark.parametrize("algorithm", ["descent", "ubfm", "uct", "mcts", "alphabeta"])
def test_the_memory_cap_is_honoured_and_reported(algorithm: str) -> None:
    search = run("hex:size=9", f"{algorithm}:memory_mb=4,expansions=1000000")
    assert search.memory_full
    assert search.tree_bytes <= 1.05 * 4 * 2**20
    assert search.tree_bytes > 0.5 * 4 * 2**20
    assert len(search.root_moves) == 81
    assert search.decide() in athenan.make_game("hex:size=9").initial_state().legal_moves()


@pytest.mark.parametrize(
    ("algorithm", "memory_mb"),
    [("mcts:iterations=2500", 3), ("mcts:iterations=2500", 1), ("uct:iterations=2500", 2)],
)
def test_a_whole_match_is_played_in_little_memory(algorithm: str, memory_mb: int) -> None:
    game = athenan.make_game("hex:size=11")
    search = _core.Search(game, f"{algorithm},memory_mb={memory_mb}", 1)
    state = game.initial_state()
    full = 0
    while not state.is_terminal:
        search.begin(state)
        search.run_fake(1)
        full += search.memory_full
        assert search.tree_bytes <= 1.05 * memory_mb * 2**20
        assert search.spent.iterations >= 20
        state = state.play(search.decide())
    assert full > 0


def test_a_full_tree_makes_room_for_the_next_move() -> None:
    game = athenan.make_game("hex:size=9")
    search = _core.Search(game, "ubfm-safe:memory_mb=4,expansions=1000000", 1)
    state = game.initial_state()
    for _ in range(3):
        search.begin(state)
        search.run_fake(1)
        assert search.memory_full
        assert search.tree_bytes <= 1.05 * 4 * 2**20
        state = state.play(search.decide())


def test_the_steady_state_allocates_nothing() -> None:
    """The second match of a search reuses the memory of the first."""
    game = athenan.make_game("othello:size=6")
    search = _core.Search(game, "descent:expansions=300", 1)
    sizes = []
    for _ in range(4):
        search.new_match(1)
        search.begin(game.initial_state())
        search.run_fake(1)
        sizes.append(search.tree_bytes)
    assert len(set(sizes)) == 1


def test_what_is_refused() -> None:
    game = athenan.make_game("hex:size=5")
    state = game.initial_state()
    with pytest.raises(
        athenan.ParameterError, match=r"makes no sense for hex.*classic, additive_depth"
    ):
        _core.Search(game, "descent:terminal=score")
    with pytest.raises(athenan.ParameterError, match="algorithms are descent, ubfm"):
        athenan.search(state, spec="alphazero")
    with pytest.raises(athenan.ParameterError, match=r"seconds.*a number from 0"):
        athenan.search(state, seconds=-1)
    with pytest.raises(athenan.ParameterError, match=r"does not support|do not support"):
        _core.Search(game, "mcts:terminal=mobility")
    mobile = _core.Search(game, "descent:terminal=mobility")
    with pytest.raises(athenan.ParameterError, match="not sound"):
        mobile.use_memory(_core.ResolvedMemory())
    search = _core.Search(game, "ubfm:expansions=3")
    with pytest.raises(athenan.Error, match="was given to a search of"):
        search.begin(athenan.make_game("hex:size=4").initial_state())
    ended = athenan.make_game("tic_tac_toe").parse_position("xxx/oo1/3 o")
    with pytest.raises(athenan.Error, match="is over"):
        athenan.search(ended)
    search.begin(state)
    planes = search.advance()
    assert planes is not None
    with pytest.raises(athenan.Error, match="before the values"):
        search.advance()
    with pytest.raises(athenan.Error, match="2 values for 25"):
        search.receive(np.zeros(2, np.float32))
    with pytest.raises(athenan.Error, match="finite"):
        search.receive(np.full(len(planes), np.nan, np.float32))
    with pytest.raises(athenan.Error, match="policy"):
        athenan.search(state, athenan.hash_evaluator(), "puct", iterations=3)


@pytest.mark.parametrize("name", ["mcts", "random"])
def test_what_evaluates_nothing_counts_no_evaluations(name: str) -> None:
    """As a limit it would never be reached."""
    with pytest.raises(athenan.ParameterError, match="has no option 'evaluations'"):
        _core.SearchSpec(f"{name}:evaluations=100")


def test_a_gumbel_search_of_any_length_begins_at_once() -> None:
    """Sequential halving needs no memory for the simulations that it plans."""
    game = athenan.make_game("connect_four")
    search = _core.Search(game, "gumbel:iterations=1000000000000", 1)
    search.begin(game.initial_state())
    for _ in range(50):
        planes, moves = search.advance(), search.waiting_moves
        assert planes is not None
        assert moves is not None
        search.receive(np.zeros(len(planes), np.float32), np.zeros(len(moves.numbers), np.float32))
    assert search.spent.iterations >= 49
