"""Alpha-beta equals plain minimax depth by depth; exact values; interrupted iterations."""

import athenan
import pytest
from athenan import reference as ref
from athenan.reference import AlphaBetaSearch, Budget, exact_value, minimax
from reference.graph_game import (
    End,
    Toy,
    coarse,
    first,
    hash_evaluate,
    layered_toy,
    random_toy,
    recording,
    second,
)


def textbook() -> Toy:
    """The second move is refuted by its first reply: the other reply is never looked into."""
    return Toy(
        {
            "root": first("a", "b"),
            "a": second("a1", "a2"),
            "b": second("b1", "b2"),
            "a1": first("five", "four"),
            "a2": first("six", "inner"),
            "b1": first("three", "two"),
            "b2": first("nine", "eight"),
            "inner": second("seven"),
            **{name: End(1, value) for value, name in enumerate(WORDS, 2)},
        },
        {"a": 0, "b": -1, "a1": 5, "a2": 6, "b1": 3, "b2": 9, "inner": 5.5},
    )


WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine"]


def test_by_hand() -> None:
    toy = textbook()
    search = AlphaBetaSearch(toy.evaluate, ref.SCORE)
    one = search.search(toy.root, Budget(iterations=1))
    assert (one.move, one.value, one.depth, one.solved) == (0, 0, 1, False)
    assert toy.evaluated == ["a", "b"]

    two = search.search(toy.root, Budget(iterations=2))
    assert (two.move, two.value, two.solved) == (0, 5, False)
    assert sorted(toy.evaluated) == ["a", "a1", "a2", "b", "b1", "b2"]

    three = search.search(toy.root, Budget(iterations=3))
    names = {toy.name(node.state): node for node in search.nodes.values()}
    assert (three.move, three.value, three.solved) == (0, 5, False)
    assert "b1" in names
    assert "b2" not in names
    assert toy.evaluated[6:] == ["inner"]
    assert [edge.v for edge in names["root"].edges] == [5, 3]
    assert [edge.v for edge in names["b"].edges] == [3, 9]
    assert names["b"].v == 3

    four = search.search(toy.root, Budget())
    assert (four.move, four.value, four.depth, four.solved) == (0, 5, 4, True)
    assert ref.exact_value(toy.root, ref.SCORE) == 5


@pytest.mark.parametrize("seed", range(25))
def test_equals_minimax_on_random_graphs(seed: int) -> None:
    toy = random_toy(seed, layers=6, width=8, most_moves=6)
    evaluate = coarse(toy.evaluate) if seed % 2 else toy.evaluate
    search = AlphaBetaSearch(evaluate, ref.SCORE)
    for depth in range(1, 5):
        result = search.search(toy.root, Budget(iterations=depth))
        assert result.value == minimax(toy.root, result.depth, evaluate, ref.SCORE)
        assert result.depth == depth or result.solved
    result = search.search(toy.root, Budget())
    assert result.solved
    assert result.value == exact_value(toy.root, ref.SCORE)
    assert exact_value(toy.root.play(result.move), ref.SCORE) == result.value


@pytest.mark.parametrize("seed", range(25))
def test_bounds_in_the_table_are_not_taken_for_values(seed: int) -> None:
    toy = layered_toy(seed)
    result = AlphaBetaSearch(toy.evaluate, ref.SCORE).search(toy.root, Budget())
    assert result.solved
    assert result.value == exact_value(toy.root, ref.SCORE)


@pytest.mark.parametrize("seed", range(10))
def test_equals_minimax_over_the_moves_of_a_match(seed: int) -> None:
    toy = random_toy(seed, layers=6)
    search = AlphaBetaSearch(toy.evaluate, ref.SCORE)
    state = toy.root
    while not state.is_terminal:
        for depth in (1, 3, 5):
            result = search.search(state, Budget(iterations=depth))
            assert result.value == minimax(state, result.depth, toy.evaluate, ref.SCORE)
            after = minimax(state.play(result.move), result.depth - 1, toy.evaluate, ref.SCORE)
            assert after == result.value
        state = state.play(result.move)


@pytest.mark.parametrize("moves", [["b2", "a1"], ["a1", "b1", "a2"]])
def test_equals_minimax_in_tic_tac_toe(moves: list[str]) -> None:
    state = athenan.make_game("tic_tac_toe").initial_state()
    for move in moves:
        state = state.play(move)
    heuristic = ref.ADDITIVE_DEPTH
    seen: list[bytes] = []
    search = AlphaBetaSearch(recording(hash_evaluate, seen), heuristic)
    for depth in range(1, 6):
        result = search.search(state, Budget(iterations=depth))
        assert result.value == minimax(state, depth, hash_evaluate, heuristic)
    result = search.search(state, Budget())
    assert result.solved
    assert result.value == exact_value(state, heuristic)
    assert len(seen) == len(set(seen))


def test_alpha_beta_prunes() -> None:
    state = athenan.make_game("tic_tac_toe").initial_state().play("b2").play("a1")
    search = AlphaBetaSearch(hash_evaluate, ref.CLASSIC)
    result = search.search(state, Budget())

    def reachable(state: athenan.State, found: set[int]) -> set[int]:
        if not state.is_terminal and state.key not in found:
            found.add(state.key)
            for child in state.children():
                reachable(child, found)
        return found

    expanded = [node for node in search.nodes.values() if node.edges]
    assert result.solved
    assert result.value == exact_value(state)
    assert len(expanded) < 0.7 * len(reachable(state, set()))


@pytest.mark.parametrize("evaluations", range(1, 60, 3))
def test_an_interrupted_iteration_decides_nothing_and_what_it_leaves_is_sound(
    evaluations: int,
) -> None:
    state = athenan.make_game("tic_tac_toe").initial_state()
    interrupted = AlphaBetaSearch(hash_evaluate, ref.CLASSIC)
    for _ in range(3):
        result = interrupted.search(state, Budget(evaluations=evaluations))
        assert result.value == minimax(state, result.depth, hash_evaluate, ref.CLASSIC)
        after = minimax(state.play(result.move), result.depth - 1, hash_evaluate, ref.CLASSIC)
        assert after == result.value
        assert result.spent.evaluations < evaluations + 9
        for node in interrupted.nodes.values():
            if node.entry is None or node.state.ply < state.ply:
                continue
            exact = minimax(node.state, node.entry.depth, hash_evaluate, ref.CLASSIC)
            assert {
                "exact": node.entry.value == exact,
                "lower": node.entry.value <= exact,
                "upper": node.entry.value >= exact,
            }[node.entry.bound]
        state = state.play(result.move)


def test_what_is_learned() -> None:
    toy = textbook()
    search = AlphaBetaSearch(toy.evaluate, ref.SCORE)
    search.search(toy.root, Budget(iterations=3))
    learned = {toy.name(state): value for state, value in search.learning_states()}
    inner = {"root": 5, "a": 5, "b": 3, "a1": 5, "a2": 6, "b1": 3}
    assert learned == inner | {"five": 5, "four": 4, "six": 6, "three": 3, "two": 2}


def test_exact_values() -> None:
    tic_tac_toe = athenan.make_game("tic_tac_toe").initial_state()
    assert exact_value(tic_tac_toe) == 0
    assert exact_value(tic_tac_toe.play("b2").play("b1")) == 1
    assert exact_value(tic_tac_toe.play("b1").play("a3").play("b3")) == -1
    assert exact_value(tic_tac_toe, ref.ADDITIVE_DEPTH) == 0


SOLVED = {
    "hex:size=3,swap=false": 1,
    "hex:size=2,swap=true": -1,
    "connect_four:rows=4,columns=4": 0,
    "othello:size=4": -1,
}


@pytest.mark.parametrize("identity", SOLVED)
def test_known_solutions(identity: str) -> None:
    start = athenan.make_game(identity).initial_state()
    assert exact_value(start) == SOLVED[identity]


def test_othello_4_is_lost_by_8() -> None:
    assert exact_value(athenan.make_game("othello", size=4).initial_state(), ref.SCORE) == -8


def test_exact_values_agree_with_plain_minimax() -> None:
    for seed in range(15):
        toy = random_toy(seed, layers=6)
        for heuristic in (ref.CLASSIC, ref.SCORE, ref.ADDITIVE_DEPTH):
            value = minimax(toy.root, 20, toy.evaluate, heuristic)
            assert exact_value(toy.root, heuristic) == value
