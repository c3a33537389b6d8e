"""Descent and UBFM: labels computed by hand, the paper's recursion as oracle, exact solutions."""

from dataclasses import replace
from itertools import product
from typing import Literal

import athenan
import pytest
from athenan import reference as ref
from athenan.reference import BestFirst, BestFirstSearch, Budget
from reference.graph_game import (
    End,
    Graph,
    NoLuck,
    Script,
    Toy,
    coarse,
    first,
    hash_evaluate,
    random_toy,
    recording,
    second,
)
from reference.paper_recursion import PaperSearch

ENDS: tuple[Literal["terminal", "expansion"], ...] = ("terminal", "expansion")
CONFIGS = [
    BestFirst(end, completion, transpositions, reuse)
    for end, completion, transpositions, reuse in product(
        ENDS, (True, False), (True, False), (True, False)
    )
]


def drawn_game() -> Toy:
    return Toy(
        {
            "root": first("a", "b"),
            "a": second("a_win", "ax"),
            "ax": first("ax_draw", "ax_loss"),
            "b": second("b_loss", "b_win"),
            "a_win": End(1, 3),
            "ax_draw": End(0, 0),
            "ax_loss": End(-1, -1),
            "b_loss": End(-1, -4),
            "b_win": End(1, 1),
        },
        {"a": 0.5, "b": 0.25, "ax": 0.125},
    )


def search_of(toy: Toy, config: BestFirst, **memory: object) -> BestFirstSearch:
    return BestFirstSearch(config, toy.evaluate, ref.SCORE, NoLuck(), **memory)  # type: ignore[arg-type]


def test_completed_descent_by_hand() -> None:
    toy = drawn_game()
    search = search_of(toy, ref.COMPLETED_DESCENT)
    result = search.search(toy.root, Budget(iterations=1))
    assert toy.labels(search) == {
        "root": [(0.0, 0, 1, 1), (0.25, 0, 0, 0)],
        "a": [(3.0, 1, 1, 0), (0.0, 0, 1, 1)],
        "ax": [(0.0, 0, 1, 0), (-1.0, -1, 1, 0)],
    }
    assert result.root.label == (0, 0, 0.25)
    assert (result.spent.iterations, result.spent.expansions, result.spent.evaluations) == (1, 3, 3)
    assert result.stop == "budget"

    result = search.search(toy.root, Budget(iterations=10))
    assert toy.labels(search)["root"] == [(0.0, 0, 1, 1), (-4.0, -1, 1, 1)]
    assert toy.labels(search)["b"] == [(-4.0, -1, 1, 0), (1.0, 1, 1, 0)]
    assert result.root.label == (1, 0, 0.0)
    assert (result.spent.iterations, result.stop) == (1, "resolved")
    assert toy.evaluated == ["a", "b", "ax"]


def test_completed_ubfm_by_hand() -> None:
    toy = drawn_game()
    search = search_of(toy, ref.COMPLETED_UBFM)
    roots = []
    for _ in range(4):
        search.search(toy.root, Budget(iterations=1))
        roots.append(toy.labels(search)["root"])
    assert roots == [
        [(0.5, 0, 0, 0), (0.25, 0, 0, 0)],
        [(0.125, 0, 0, 1), (0.25, 0, 0, 0)],
        [(0.125, 0, 0, 1), (-4.0, -1, 1, 1)],
        [(0.0, 0, 1, 2), (-4.0, -1, 1, 1)],
    ]
    assert search.search(toy.root, Budget(iterations=1)).spent.iterations == 0


def test_plain_descent_by_hand_and_stuck() -> None:
    toy = drawn_game()
    search = search_of(toy, ref.DESCENT)
    result = search.search(toy.root, Budget(iterations=100))
    assert toy.labels(search) == {
        "root": [(0.0, 0, 0, 2), (-4.0, 0, 0, 1)],
        "a": [(3.0, 0, 0, 0), (0.0, 0, 0, 2)],
        "ax": [(0.0, 0, 0, 2), (-1.0, 0, 0, 0)],
        "b": [(-4.0, 0, 0, 1), (1.0, 0, 0, 0)],
    }
    assert (result.stop, result.spent.iterations) == ("stuck", 3)
    assert all(node.r == node.c == 0 for node in search.nodes.values())


def test_plain_ties_are_broken_at_random_until_nothing_new_is_found() -> None:
    toy = Toy({"root": first("x", "y"), "x": End(0, 0), "y": End(0, 0)}, {})
    draws = [(2, int(i < 700)) for i in range(1000)]
    search = BestFirstSearch(ref.UBFM, toy.evaluate, ref.SCORE, Script(*draws))
    result = search.search(toy.root, Budget())
    assert (result.stop, result.spent.iterations) == ("stuck", 1001)
    assert [edge.n for edge in result.root.edges] == [300, 700]


def test_maximising_alone_errs_and_completion_repairs_it() -> None:
    graph: Graph = {
        "root": first("tempting", "winning"),
        "tempting": second("loss"),
        "winning": second("win", "other_win"),
        "loss": End(-1, -1),
        "win": End(1, 1),
        "other_win": End(1, 1),
    }
    toy = Toy(graph, {"tempting": 2.0, "winning": 3.0})
    chosen = {}
    for config in (ref.UBFM, ref.COMPLETED_UBFM):
        search = BestFirstSearch(config, toy.evaluate, ref.CLASSIC, NoLuck())
        result = search.search(toy.root, Budget(iterations=2))
        chosen[config] = toy.name(ref.best_action(result.root, NoLuck()).child)
    assert chosen == {ref.UBFM: "tempting", ref.COMPLETED_UBFM: "winning"}
    assert (result.root.label, result.stop) == ((1, 1, 1.0), "resolved")


def merging_game() -> Toy:
    return Toy(
        {
            "root": first("a", "b"),
            "a": second("t"),
            "b": second("t", "u"),
            "t": first("t_win", "tt"),
            "tt": second("tt_draw"),
            "u": second("u_win"),
            "t_win": End(1, 2),
            "tt_draw": End(0, 0),
            "u_win": End(1, 5),
        },
        {"a": 0.5, "b": 0.25, "t": 0.75, "tt": 0.0, "u": 0.875},
    )


def test_reuse_of_labels_at_expansion() -> None:
    labels = {}
    for reuse in (True, False):
        toy = merging_game()
        search = search_of(toy, BestFirst("expansion", completion=False, reuse=reuse))
        search.search(toy.root, Budget(expansions=3))
        assert toy.labels(search)["t"] == [(2.0, 0, 0, 0), (0.0, 0, 0, 0)]
        search.expand("b", toy.root.play(1))
        labels[reuse] = [(edge.v, edge.n) for edge in search.nodes["b"].edges]
        assert sorted(toy.evaluated) == ["a", "b", "t", "tt", "u"]
    assert labels == {True: [(2.0, 0), (0.875, 0)], False: [(0.75, 0), (0.875, 0)]}


def test_a_tree_keeps_paths_apart_and_a_table_merges_them() -> None:
    sizes = {}
    for transpositions in (True, False):
        toy = merging_game()
        search = search_of(toy, BestFirst("terminal", False, transpositions, reuse=False))
        for _ in range(2):
            search.search(toy.root, Budget(iterations=1))
        search.search(toy.root.play(1), Budget(iterations=1))
        rows = search.labels()
        sizes[transpositions] = len(rows)
        names = [toy.name(node.state) for node in search.nodes.values()]
        assert names.count("t") == (1 if transpositions else 2)
    root = toy.root.key
    assert {(root,), (root, 0), (root, 0, 0), (root, 1), (root, 1, 0)} <= set(rows)
    assert sizes[False] == sizes[True] + 1


def test_labels_persist_over_the_moves_of_a_match() -> None:
    for transpositions in (True, False):
        toy = drawn_game()
        search = search_of(toy, BestFirst("expansion", True, transpositions))
        search.search(toy.root, Budget(iterations=3))
        result = search.search(toy.root.play(0), Budget(iterations=10))
        assert (result.spent.iterations, result.root.label) == (1, (1, 0, 0.0))
        assert [edge.n for edge in search.edges(toy.root.play(0))] == [0, 1]
        assert search.value(toy.root.play(0)) == 0.0


def test_memory_of_resolved_states() -> None:
    toy = drawn_game()
    search = search_of(toy, ref.COMPLETED_DESCENT)
    root = toy.root
    search.search(root, Budget())
    resolved = search.resolved_states()
    ax = root.play(0).play(1)
    assert resolved == {
        root.key: (0, 0.0),
        root.play(0).key: (0, 0.0),
        ax.key: (0, 0.0),
        root.play(1).key: (-1, -4.0),
    }

    toy.evaluated.clear()
    again = search_of(toy, ref.COMPLETED_DESCENT, memory=resolved)
    result = again.search(root, Budget(expansions=1))
    assert (result.stop, result.root.label) == ("resolved", (1, 0, 0.0))
    assert toy.labels(again) == {"root": [(0.0, 0, 1, 0), (-4.0, -1, 1, 0)]}
    assert toy.evaluated == []
    assert again.resolved_states() == {}


def test_memory_is_refused_where_values_depend_on_the_path() -> None:
    with pytest.raises(athenan.ParameterError, match="mobility depends on the path"):
        BestFirstSearch(ref.COMPLETED_DESCENT, hash_evaluate, ref.MOBILITY, NoLuck(), memory={})


def test_early_stop_goes_on_below_the_node_that_kept_its_label() -> None:
    toy = Toy(
        {
            "root": first("a", "b"),
            "a": first("a1", "a2", "a3"),
            "a1": second("x"),
            "a2": second("y"),
            "a3": second("z"),
            "b": first("z"),
            "x": second("end"),
            "y": second("end"),
            "z": second("end"),
            "end": End(0, 0),
        },
        {"a": 0.5, "b": 0.25, "a1": 0.75, "a2": 0.875, "a3": 0.75, "x": 0.5, "y": 0.875, "z": 0.0},
    )
    counts = {}
    for early_stop in (True, False):
        luck = Script((2, 1))
        config = BestFirst("expansion", completion=False, reuse=False, early_stop=early_stop)
        search = BestFirstSearch(config, toy.evaluate, ref.SCORE, luck)
        search.search(toy.root, Budget(iterations=5))
        counts[early_stop] = {
            name: [row[3] for row in rows] for name, rows in toy.labels(search).items()
        }
    # Iterations: root; a; a2 (y is worth as much as a2, so a keeps 0.875); then y, from a or from
    # the root, and its value 0; then the tie of a1 and a3, drawn, from the root again.
    assert counts[False] == {"root": [4, 0], "a": [0, 2, 1], "a2": [1], "y": [0], "a3": [0]}
    assert counts[True] == {"root": [3, 0], "a": [0, 2, 1], "a2": [1], "y": [0], "a3": [0]}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    "config", [ref.DESCENT, ref.COMPLETED_DESCENT, ref.UBFM, ref.COMPLETED_UBFM]
)
def test_early_stop_expands_the_same_states_in_trees_without_ties(
    seed: int, config: BestFirst
) -> None:
    toy = random_toy(seed, merging=False)
    orders = []
    for early_stop in (True, False):
        config = replace(config, transpositions=False, early_stop=early_stop)
        search = BestFirstSearch(config, toy.evaluate, ref.SCORE, athenan.Random(seed))
        search.search(toy.root, Budget(iterations=30))
        orders.append([node.key for node in search.nodes.values() if node.edges])
    assert orders[0] == orders[1]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("completed", [True, False])
@pytest.mark.parametrize("descent", [True, False])
@pytest.mark.parametrize("reuse", [True, False])
def test_equals_the_recursion_of_the_paper(
    seed: int, completed: bool, descent: bool, reuse: bool
) -> None:
    toy = random_toy(seed)
    evaluate = coarse(toy.evaluate) if seed % 2 else toy.evaluate
    paper = PaperSearch(
        lambda s: float(evaluate(s.encode()[None])[0]),
        ref.SCORE,
        athenan.Random(seed),
        completed,
        descent,
        reuse,
    )
    config = BestFirst("terminal" if descent else "expansion", completed, reuse=reuse)
    search = BestFirstSearch(config, evaluate, ref.SCORE, athenan.Random(seed))
    for _ in range(25):
        if paper.r.get(toy.root.key):
            break
        paper.iteration(toy.root)
        search.iteration(search.root_key(toy.root), toy.root)
        assert search.labels() == {
            node.key: paper.rows(node.state) for node in search.nodes.values() if node.edges
        }
        assert set(search.nodes) == paper.S
    assert [key for key, node in search.nodes.items() if node.edges] == paper.order


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("config", [c for c in CONFIGS if c.completion], ids=str)
def test_every_resolved_label_is_exact(seed: int, config: BestFirst) -> None:
    toy = random_toy(seed)
    search = BestFirstSearch(config, coarse(toy.evaluate), ref.SCORE, athenan.Random(seed))
    result = search.search(toy.root, Budget())
    assert result.stop == "resolved"
    for node in search.nodes.values():
        if node.r:
            assert node.c == ref.exact_value(node.state)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_tic_tac_toe(config: BestFirst) -> None:
    state = athenan.make_game("tic_tac_toe").initial_state().play("b2").play("a1").play("c3")
    seen: list[bytes] = []
    search = BestFirstSearch(
        config, recording(hash_evaluate, seen), ref.ADDITIVE_DEPTH, athenan.Random(3)
    )
    result = search.search(state, Budget(expansions=3000))
    assert result.spent.evaluations == len(seen)
    if config.transpositions:
        assert len(set(seen)) == len(seen)
    if config.completion:
        assert result.stop == "resolved"
        assert result.root.c == ref.exact_value(state) == 0


def test_a_whole_solution_of_tic_tac_toe() -> None:
    start = athenan.make_game("tic_tac_toe").initial_state()
    for config in (ref.COMPLETED_DESCENT, ref.COMPLETED_UBFM):
        search = BestFirstSearch(config, hash_evaluate, ref.CLASSIC, athenan.Random(5))
        result = search.search(start, Budget())
        assert (result.stop, result.root.label) == ("resolved", (1, 0, 0.0))
        resolved = [node for node in search.nodes.values() if node.r]
        for node in resolved[::50]:
            assert node.c == ref.exact_value(node.state)


SMALL_GAMES = [
    "hex:size=3,swap=false",
    "hex:size=2,swap=true",
    "clobber:rows=2,columns=5",
    "breakthrough:rows=4,columns=3",
    "othello:size=4",
]


@pytest.mark.parametrize("identity", SMALL_GAMES)
@pytest.mark.parametrize("config", [ref.COMPLETED_DESCENT, ref.COMPLETED_UBFM], ids=["D", "U"])
def test_small_games_are_solved(identity: str, config: BestFirst) -> None:
    start = athenan.make_game(identity).initial_state()
    for heuristic in (ref.CLASSIC, ref.ADDITIVE_DEPTH, ref.MOBILITY):
        search = BestFirstSearch(config, hash_evaluate, heuristic, athenan.Random(1))
        result = search.search(start, Budget(expansions=5000))
        assert result.stop == "resolved"
        assert result.root.c == ref.exact_value(start)


def test_depth_heuristics_tell_plies_apart() -> None:
    toy = Toy(
        {
            "root": first("long", "short"),
            "long": first("via"),
            "via": first("short"),
            "short": first("win"),
            "win": End(1, 1),
        },
        {"long": 9.0, "via": 9.0, "short": 3.0},
    )
    heuristic = ref.ADDITIVE_DEPTH
    search = BestFirstSearch(ref.DESCENT, toy.evaluate, heuristic, NoLuck())
    search.search(toy.root, Budget(iterations=2))
    longest = toy.game.datasheet.max_length
    assert [edge.v for edge in search.edges(toy.root)] == [longest - 3, longest - 1]


def test_a_finished_match_is_refused() -> None:
    toy = drawn_game()
    search = search_of(toy, ref.UBFM)
    with pytest.raises(athenan.ParameterError, match="the match is over"):
        search.search(toy.root.play(1).play(0), Budget(iterations=1))


@pytest.mark.parametrize("name", ["iterations", "expansions", "evaluations", "seconds"])
def test_empty_budgets_are_refused(name: str) -> None:
    with pytest.raises(athenan.ParameterError, match=f"budget of {name} must be above 0, not 0"):
        Budget(**{name: 0})


def test_budgets_are_looked_at_between_iterations() -> None:
    start = athenan.make_game("tic_tac_toe").initial_state()
    search = BestFirstSearch(ref.DESCENT, hash_evaluate, ref.CLASSIC, athenan.Random(1))
    spent = search.search(start, Budget(evaluations=10)).spent
    assert spent.iterations == 1
    assert spent.evaluations > 10
    assert search.search(start, Budget(seconds=1e-9)).spent.iterations == 0
