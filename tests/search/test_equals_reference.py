"""The C++ trees equal the plain-Python transcription edge by edge, after every iteration."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import asdict
from typing import Any, Literal

import athenan
import numpy as np
import pytest
from athenan import _core
from athenan import reference as ref

# Small members of every game: some end quickly, some are long and cyclic.
SMALL = {
    "tic_tac_toe": ["tic_tac_toe"],
    "connect_four": ["connect_four:rows=4,columns=4"],
    "hex": ["hex:size=3", "hex:size=4,swap=false"],
    "othello": ["othello:size=4"],
    "clobber": ["clobber:rows=3,columns=4"],
    "breakthrough": ["breakthrough:rows=4,columns=4"],
    "amazons": ["amazons:size=4", "amazons:size=4,plies=1"],
    "lines_of_action": ["lines_of_action"],
    "morpion": ["morpion"],
    "havannah": ["havannah:size=3"],
    "ataxx": ["ataxx:size=5,walls=square"],
    "santorini": ["santorini"],
    "arimaa": ["arimaa"],
    "xiangqi": ["xiangqi:repetition=4,no_capture=40"],
    "shobu": ["shobu"],
    "surakarta": ["surakarta:no_capture=10,blocked=loses"],
    "international_draughts": ["international_draughts:king_moves=5,endgames=false"],
    "brazilian_draughts": ["brazilian_draughts:endgames=false"],
    "canadian_draughts": ["canadian_draughts:king_moves=5,endgames=false"],
    "go": ["go:size=3,komi=0,ko=simple", "go:size=2"],
    "outer_open_gomoku": ["outer_open_gomoku:size=5"],
    "connect6": ["connect6:size=6"],
}
GAMES = [variant for name in athenan.game_names() for variant in SMALL[name]]
# Matches of 40 plies and more, or states with many moves: fewer iterations, switches and depths.
LONG = {
    "lines_of_action",
    "morpion",
    "santorini",
    "arimaa",
    "xiangqi",
    "shobu",
    "international_draughts",
    "brazilian_draughts",
    "canadian_draughts",
    "connect6",
}
SEEDS = [1, 2]


def evaluator(seed: int) -> athenan.evaluators.Evaluator:
    return athenan.hash_evaluator(seed + 1)


def rows(labels: list[_core.MoveLabel]) -> tuple[Any, ...]:
    return tuple((a.move, a.value, a.completion, int(a.resolved), a.count) for a in labels)


def engine_labels(search: _core.Search) -> Counter[Any]:
    return Counter((key, rows(labels)) for key, labels in search.labels())


def reference_labels(search: ref.BestFirstSearch) -> Counter[Any]:
    return Counter(
        (node.state.key, tuple((a.move, a.v, a.c, a.r, a.n) for a in node.edges))
        for node in search.nodes.values()
        if node.edges
    )


def switches() -> list[dict[str, bool]]:
    names = ["completion", "transpositions", "reuse", "early_stop"]
    every = [dict(zip(names, on, strict=True)) for on in itertools.product([True, False], repeat=4)]
    return [s for s in every if s["transpositions"] or s["reuse"]]  # reuse needs a table


def variants(game: athenan.Game) -> list[tuple[dict[str, bool], int]]:
    """All switches under all seeds; where one descent is hundreds of plies long, a few of them."""
    every = list(itertools.product(switches(), SEEDS))
    return every[::8] if game.name in LONG else every


def end_of(name: str) -> Literal["terminal", "expansion"]:
    return "terminal" if name == "descent" else "expansion"


def text_of(name: str, options: dict[str, bool], **more: object) -> str:
    words = [f"{k}={str(v).lower()}" for k, v in {**options, **more}.items()]
    return f"{name}:{','.join(words)}"


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("name", ["descent", "ubfm"])
def test_best_first_labels_after_every_iteration(game_id: str, name: str) -> None:
    game = athenan.make_game(game_id)
    state = game.initial_state()
    count = 2 if game.name in LONG else 12 if name == "descent" else 40
    for options, seed in variants(game):
        config = ref.BestFirst(end_of(name), **options)
        plain = ref.BestFirstSearch(config, evaluator(seed), ref.CLASSIC, athenan.Random(seed))
        if options["early_stop"]:  # the path is kept within one search: compare searches of k
            engine = _core.Search(game, text_of(name, options, iterations=count), seed)
            compare_after(engine, plain, state, ref.Budget(iterations=count), seed)
            continue
        engine = _core.Search(game, text_of(name, options, iterations=1), seed)
        for _ in range(count):
            result = compare_after(engine, plain, state, ref.Budget(iterations=1), seed)
            if result.stop != "budget":
                break


def compare_after(
    engine: _core.Search,
    plain: ref.BestFirstSearch,
    state: athenan.State,
    budget: ref.Budget,
    seed: int,
) -> ref.SearchResult:
    engine.begin(state)
    engine.run_fake(seed + 1)
    return compare_now(engine, plain, state, budget)


def compare_now(
    engine: _core.Search, plain: ref.BestFirstSearch, state: athenan.State, budget: ref.Budget
) -> ref.SearchResult:
    """Compare what the engine has found with what the reference finds."""
    result = plain.search(state, budget)
    assert engine_labels(engine) == reference_labels(plain)
    assert (engine.root_value, engine.root_completion, int(engine.root_resolved)) == (
        result.root.v,
        result.root.c,
        result.root.r,
    )
    assert engine.spent.expansions == result.spent.expansions
    assert engine.spent.evaluations == result.spent.evaluations
    assert engine.spent.iterations == result.spent.iterations
    return result


@pytest.mark.parametrize(
    "game_id", ["connect_four:rows=4,columns=4", "othello:size=4", "hex:size=3"]
)
@pytest.mark.parametrize("name", ["descent", "ubfm-safe"])
def test_labels_persist_over_the_moves_of_a_match(game_id: str, name: str) -> None:
    game = athenan.make_game(game_id)
    for transpositions in (True, False):
        config = ref.BestFirst(end_of(name), transpositions=transpositions)
        plain = ref.BestFirstSearch(config, evaluator(3), ref.CLASSIC, athenan.Random(3))
        options = {"transpositions": transpositions}
        engine = _core.Search(game, text_of(name, options, expansions=15), 3)
        state = game.initial_state()
        while not state.is_terminal:
            result = compare_after(engine, plain, state, ref.Budget(expansions=15), 3)
            decide = ref.safest_action if name == "ubfm-safe" else ref.best_action
            move = decide(result.root, plain.random).move
            assert engine.decide() == move
            state = state.play(move)
        plain_targets = sorted((s.key, v) for s, v in plain.learning_states() if not s.is_terminal)
        states, values = engine.targets()
        assert len(states) == len(values)
        assert sorted(values.tolist()) == sorted(v for _, v in plain_targets)


@pytest.mark.parametrize(
    ("game_id", "terminal", "evaluation"),
    [
        ("othello:size=4", "score", ref.SCORE),
        ("othello:size=4", "additive_depth", ref.ADDITIVE_DEPTH),
        ("othello:size=4", "multiplicative_depth", ref.MULTIPLICATIVE_DEPTH),
        ("othello:size=4", "mobility", ref.MOBILITY),
        ("othello:size=4", "presence", ref.PRESENCE),
        ("amazons:size=4", "score", ref.SCORE),
        ("hex:size=3", "additive_depth", ref.ADDITIVE_DEPTH),
        ("breakthrough:rows=4,columns=4", "presence", ref.PRESENCE),
        ("lines_of_action", "additive_depth", ref.ADDITIVE_DEPTH),
        ("havannah:size=3", "additive_depth", ref.ADDITIVE_DEPTH),
        ("hex:size=3", "multiplicative_depth", ref.MULTIPLICATIVE_DEPTH),
        ("arimaa", "arimaa", ref.ARIMAA),
        ("morpion", "score", ref.SCORE),
    ],
)
def test_terminal_evaluations(
    game_id: str, terminal: str, evaluation: ref.TerminalEvaluation
) -> None:
    game = athenan.make_game(game_id)
    plain = ref.BestFirstSearch(ref.COMPLETED_DESCENT, evaluator(5), evaluation, athenan.Random(5))
    engine = _core.Search(game, f"descent:iterations=4,terminal={terminal}", 5)
    result = compare_labels_without_keys(engine, plain, game.initial_state(), 4)
    assert result.spent.expansions == engine.spent.expansions


def compare_labels_without_keys(
    engine: _core.Search, plain: ref.BestFirstSearch, state: athenan.State, iterations: int
) -> ref.SearchResult:
    engine.begin(state)
    engine.run_fake(6)
    result = plain.search(state, ref.Budget(iterations=iterations))
    assert Counter(rows(labels) for _, labels in engine.labels()) == Counter(
        tuple((a.move, a.v, a.c, a.r, a.n) for a in node.edges)
        for node in plain.nodes.values()
        if node.edges
    )
    return result


@pytest.mark.parametrize("game_id", ["tic_tac_toe", "hex:size=3", "breakthrough:rows=4,columns=4"])
def test_memory_of_resolved_states(game_id: str) -> None:
    game = athenan.make_game(game_id)
    memory = _core.ResolvedMemory()
    known: dict[Any, tuple[int, float]] = {}
    for seed in range(3):
        plain = ref.BestFirstSearch(
            ref.COMPLETED_DESCENT, evaluator(seed), ref.CLASSIC, athenan.Random(seed), dict(known)
        )
        engine = _core.Search(game, "descent:expansions=150", seed)
        engine.use_memory(memory)
        compare_after(engine, plain, game.initial_state(), ref.Budget(expansions=150), seed)
        known |= plain.resolved_states()
        memory.merge(engine.newly_resolved)
        assert len(memory) == len(known)
        assert all(memory.find(key) == label for key, label in known.items())


@pytest.mark.parametrize(
    "game_id", ["tic_tac_toe", "othello:size=4", "hex:size=3", "amazons:size=4"]
)
def test_uct_with_network_leaves(game_id: str) -> None:
    game = athenan.make_game(game_id)
    state = game.initial_state()
    for seed in SEEDS:
        plain = ref.MctsSearch(
            ref.Uct(0.4), ref.network_leaf(evaluator(seed)), ref.CLASSIC, athenan.Random(seed)
        )
        engine = _core.Search(game, "uct:c=0.4,iterations=1", seed, keep_terminals=True)
        for _ in range(60):
            engine.begin(state)
            engine.run_fake(seed + 1)
            plain.search(state, ref.Budget(iterations=1))
            assert mcts_rows(engine) == Counter(
                tuple((move, float(np.float32(w / n)) if n else None, n) for move, w, n in labels)
                for labels in plain.labels().values()
            )
            learned = [(bytes(s)[: game.packed_size], v) for s, v in plain.learning_states()]
            states, values = engine.targets()
            assert sorted(zip(map(bytes, states), values.tolist(), strict=True)) == sorted(learned)


@pytest.mark.parametrize("name", ["uct", "puct"])
@pytest.mark.parametrize("game_id", ["othello:size=6", "hex:size=5"])
def test_tree_learning_leaves_out_what_mcts_never_went_below(name: str, game_id: str) -> None:
    game = athenan.make_game(game_id)
    engine = _core.Search(game, f"{name}:iterations=300", 1)
    values = HashPolicy() if name == "puct" else evaluator(1)
    athenan.searches.drive(engine, game.initial_state(), values)
    visited = sum(any(move.count for move in moves) for _, moves in engine.labels())
    assert len(engine.targets()[1]) == visited < len(engine.labels())


def mcts_rows(engine: _core.Search) -> Counter[Any]:
    return Counter(
        tuple((a.move, a.value if a.count else None, a.count) for a in labels)
        for _, labels in engine.labels()
    )


class HashPolicy(athenan.evaluators.Evaluator):
    """Values and logits that look random; a logit depends on its state and move alone."""

    has_policy = True

    def evaluate(
        self,
        planes: athenan.evaluators.Planes,
        moves: athenan.evaluators.LegalMoves | None = None,
    ) -> athenan.evaluators.Evaluation:
        values = _core.hash_values(planes, 7)
        if moves is None:
            return athenan.evaluators.Evaluation(values)
        states = np.repeat(np.arange(len(planes)), np.diff(moves.offsets))
        logits = self.logits(_core.hash_values(planes, 8)[states], moves.numbers)
        return athenan.evaluators.Evaluation(values, logits)

    def all_logits(self, planes: athenan.evaluators.Planes, move_count: int) -> Any:
        """The logits of the moves below a number: [B, move_count]."""
        return self.logits(_core.hash_values(planes, 8)[:, None], np.arange(move_count))

    def logits(self, states: Any, moves: Any) -> Any:
        """Logits from -1 to 1 of moves, by a number for the state of each."""
        return (np.mod(states.astype(float) + 0.6180339887 * moves, 2) - 1).astype(np.float32)


@pytest.mark.parametrize(
    "game_id", ["othello:size=4", "hex:size=3", "breakthrough:rows=4,columns=4"]
)
@pytest.mark.parametrize("name", ["puct", "exit"])
def test_searches_with_a_policy(name: str, game_id: str) -> None:
    game = athenan.make_game(game_id)
    state, policy = game.initial_state(), HashPolicy()

    def plain_policy(planes: athenan.evaluators.Planes) -> Any:
        return _core.hash_values(planes, 7), policy.all_logits(planes, game.move_count)

    formula = ref.Puct(1.25) if name == "puct" else ref.ExItUct(0.05, 100.0, 0.75)
    options = "" if name == "puct" else ",rollouts=false,temperature=1"
    plain = ref.MctsSearch(formula, ref.policy_leaf(plain_policy), ref.CLASSIC, athenan.Random(1))
    engine = _core.Search(game, f"{name}:iterations=80{options}", 1)
    athenan.searches.drive(engine, state, policy)
    plain.search(state, ref.Budget(iterations=80))
    assert mcts_rows(engine) == Counter(
        tuple((move, float(np.float32(w / n)) if n else None, n) for move, w, n in labels)
        for labels in plain.labels().values()
    )


def play_and_compare(
    game: athenan.Game, engine: _core.Search, plain: ref.MctsSearch, iterations: int
) -> None:
    """A few moves of a match, with the tree kept: all labels, and the move decided on."""
    state = game.initial_state()
    for _ in range(4):
        athenan.searches.drive(engine, state, HashPolicy())
        plain.search(state, ref.Budget(iterations=iterations))
        assert mcts_rows(engine) == Counter(
            tuple((move, float(np.float32(w / n)) if n else None, n) for move, w, n in labels)
            for labels in plain.labels().values()
        )
        move = engine.decide()
        assert move == plain.decide(state).move
        state = state.play(move)
        if state.is_terminal:
            break


def plain_policy(game: athenan.Game) -> ref.PolicyEvaluator:
    policy = HashPolicy()

    def evaluate(planes: athenan.evaluators.Planes) -> Any:
        return _core.hash_values(planes, 7), policy.all_logits(planes, game.move_count)

    return evaluate


# Of guesses: none are judged, the best, the best and others, all that the best move needs, all.
JUDGING = [
    ref.MoveValued(),
    ref.MoveValued(judged=2),
    ref.MoveValued(judged=1, sampled=2),
    ref.MoveValued(sampled=1),
    ref.MoveValued(judged=2, sampled=1, judge_best=True),
    ref.MoveValued(judged=1000),
]


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("name", ["descent", "ubfm"])
def test_best_first_labels_with_values_of_moves(game_id: str, name: str) -> None:
    """After every iteration, but with the early stop; and what the two would learn of moves."""
    game = athenan.make_game(game_id)
    state = game.initial_state()
    count = 2 if game.name in LONG else 8 if name == "descent" else 25
    every = list(itertools.product(switches(), JUDGING))
    for seed, (options, judging) in enumerate(every[::16] if game.name in LONG else every[::5]):
        config = ref.BestFirst(end_of(name), **options)
        luck = athenan.Random(seed)
        plain = ref.MoveValuedSearch(config, judging, plain_policy(game), ref.CLASSIC, luck)
        text = text_of(name, options, values="moves", **asdict(judging))
        at_once = count if options["early_stop"] else 1
        engine = _core.Search(game, f"{text},iterations={at_once}", seed)
        for _ in range(count // at_once):
            athenan.searches.drive(engine, state, HashPolicy())
            stop = compare_now(engine, plain, state, ref.Budget(iterations=at_once)).stop
            if stop != "budget":
                break
        compare_move_targets(engine, plain)


def compare_move_targets(engine: _core.Search, plain: ref.MoveValuedSearch) -> None:
    offsets, numbers, values = engine.move_targets()
    moves = list(zip(numbers.tolist(), values.tolist(), strict=True))
    learned = [moves[start:end] for start, end in itertools.pairwise(offsets)]
    assert sorted(learned) == sorted(plain.move_targets(n) for n in plain.nodes.values() if n.edges)


@pytest.mark.parametrize("game_id", ["othello:size=4", "hex:size=3"])
@pytest.mark.parametrize("name", ["descent", "ubfm-safe"])
def test_values_of_moves_over_a_match(game_id: str, name: str) -> None:
    game = athenan.make_game(game_id)
    for judging in JUDGING:
        config, luck = ref.BestFirst(end_of(name)), athenan.Random(3)
        plain = ref.MoveValuedSearch(config, judging, plain_policy(game), ref.CLASSIC, luck)
        text = text_of(name, {}, values="moves", **asdict(judging))
        engine = _core.Search(game, f"{text},expansions=15", 3)
        state = game.initial_state()
        while not state.is_terminal:
            athenan.searches.drive(engine, state, HashPolicy())
            root = compare_now(engine, plain, state, ref.Budget(expansions=15)).root
            decide = ref.safest_action if name == "ubfm-safe" else ref.best_action
            move = decide(root, plain.random).move
            assert engine.decide() == move
            state = state.play(move)


@pytest.mark.parametrize("name", ["descent", "ubfm"])
def test_values_of_all_children_as_guesses_give_the_tree_of_the_paper(name: str) -> None:
    """Where q(s, a) is v of the child to the last bit, and where every guess is judged."""
    game = athenan.make_game("breakthrough:rows=4,columns=4")
    state, values = game.initial_state(), athenan.hash_evaluator(7)
    paper = _core.Search(game, f"{name}:iterations=60", 1)
    athenan.searches.drive(paper, state, values)
    judged = _core.Search(game, f"{name}:iterations=60,values=moves,judged=1000", 1)
    athenan.searches.drive(judged, state, HashPolicy())
    assert engine_labels(judged) == engine_labels(paper)


WITH_A_POLICY = ["othello:size=4", "hex:size=3", "breakthrough:rows=4,columns=4"]


@pytest.mark.parametrize("game_id", WITH_A_POLICY)
@pytest.mark.parametrize("alpha", [0.0, 0.3, 2.0])
def test_noise_at_the_root(game_id: str, alpha: float) -> None:
    game = athenan.make_game(game_id)
    leaf, noise = ref.policy_leaf(plain_policy(game)), ref.RootNoise(0.25, alpha)
    plain = ref.MctsSearch(ref.Puct(1.25), leaf, ref.CLASSIC, athenan.Random(3), noise)
    engine = _core.Search(game, f"puct:iterations=60,noise=0.25,alpha={alpha}", 3)
    play_and_compare(game, engine, plain, 60)


@pytest.mark.parametrize("game_id", WITH_A_POLICY)
@pytest.mark.parametrize(
    ("iterations", "considered", "noise"), [(2, 16, 1.0), (16, 4, 1.0), (33, 16, 1.0), (50, 8, 0)]
)
def test_gumbel_search(game_id: str, iterations: int, considered: int, noise: float) -> None:
    game = athenan.make_game(game_id)
    setting = ref.Gumbel(considered, noise, 20.0, 0.5)
    plain = ref.GumbelSearch(setting, ref.log_policy_leaf(plain_policy(game)), athenan.Random(3))
    options = f"considered={considered},noise={noise},c_visit=20,c_scale=0.5"
    engine = _core.Search(game, f"gumbel:iterations={iterations},{options}", 3)
    play_and_compare(game, engine, plain, iterations)


@pytest.mark.parametrize("alpha", [0.1, 1.0, 5.0])
def test_dirichlet_shares_have_the_mean_and_the_variance_of_theirs(alpha: float) -> None:
    drawn = np.array([ref.dirichlet(alpha, 4, athenan.Random(seed)) for seed in range(4000)])
    assert drawn.sum(axis=1) == pytest.approx(1)
    variance = (1 / 4) * (3 / 4) / (4 * alpha + 1)
    assert drawn.mean(axis=0) == pytest.approx(0.25, abs=5 * (variance / 4000) ** 0.5)
    assert drawn.var(axis=0) == pytest.approx(variance, rel=0.15)


def test_sequential_halving_as_the_authors_plan_it() -> None:
    """Worked by hand: 4 moves and 8 simulations in two phases, 16 moves and 16 simulations."""
    assert ref.considered_visits(4, 8) == [0, 0, 0, 0, 1, 1, 2, 2]
    assert ref.considered_visits(4, 16) == [0] * 4 + [1] * 4 + [2, 2, 3, 3, 4, 4, 5, 5]
    assert ref.considered_visits(16, 16) == [0] * 16
    assert ref.considered_visits(1, 3) == [0, 1, 2]
    assert ref.considered_visits(2, 5) == [0, 0, 1, 1, 2]


@pytest.mark.parametrize("game_id", GAMES)
def test_alpha_beta_labels_at_every_depth(game_id: str) -> None:
    game = athenan.make_game(game_id)
    state = game.initial_state()
    depths = 1 if game.name == "shobu" else 2 if game.name in LONG else 4
    for depth in range(1, depths + 1):
        plain = ref.AlphaBetaSearch(evaluator(4), ref.CLASSIC)
        engine = _core.Search(game, f"alphabeta:depth={depth}", 4)
        engine.begin(state)
        engine.run_fake(5)
        result = plain.search(state, ref.Budget(iterations=depth))
        assert engine.decide() == result.move
        assert engine.root_value == result.value
        assert engine.root_resolved == result.solved
        assert Counter(
            tuple((a.move, a.value) for a in labels) for _, labels in engine.labels()
        ) == Counter(
            tuple((move, v) for move, v, *_ in labels) for labels in plain.labels().values()
        )
        if depth <= 2:
            assert engine.root_value == ref.minimax(state, depth, evaluator(4), ref.CLASSIC)
            fixed = _core.Search(game, f"minimax:depth={depth}", 4)
            fixed.begin(state)
            fixed.run_fake(5)
            assert fixed.root_value == engine.root_value


@pytest.mark.parametrize(
    "game_id", ["connect_four:rows=4,columns=4", "othello:size=4", "go:size=2"]
)
@pytest.mark.parametrize("expansions", [3, 17, 60])
def test_what_an_interrupted_depth_of_alpha_beta_leaves(game_id: str, expansions: int) -> None:
    """Over the moves of a match the two keep, decide by and learn the same."""
    game = athenan.make_game(game_id)
    plain = ref.AlphaBetaSearch(evaluator(4), ref.CLASSIC)
    engine = _core.Search(game, f"alphabeta:expansions={expansions}", 4, keep_terminals=True)
    state, interrupted = game.initial_state(), 0
    while not state.is_terminal:
        engine.begin(state)
        engine.run_fake(5)
        result = plain.search(state, ref.Budget(expansions=expansions))
        assert (engine.decide(), engine.root_value) == (result.move, result.value)
        assert engine.root_resolved == result.solved
        assert engine.spent.expansions == result.spent.expansions
        interrupted += result.spent.expansions == expansions and not result.solved
        assert Counter(
            tuple((a.move, a.value) for a in labels) for _, labels in engine.labels()
        ) == Counter(
            tuple((move, v) for move, v, *_ in labels) for labels in plain.labels().values()
        )
        learned = sorted(v for _, v in plain.learning_states())
        assert sorted(engine.targets()[1].tolist()) == learned
        state = state.play(result.move)
    assert interrupted


@pytest.mark.parametrize("game_id", ["tic_tac_toe", "othello:size=4", "clobber:rows=3,columns=4"])
@pytest.mark.parametrize("name", ["descent", "ubfm"])
def test_plain_searches_break_ties_at_random(game_id: str, name: str) -> None:
    """All leaves are worth the same: without completion any of them is as good as another."""
    game = athenan.make_game(game_id)
    config = ref.BestFirst(end_of(name), completion=False)
    constant = athenan.constant_evaluator()
    for seed in range(5):
        plain = ref.BestFirstSearch(config, constant, ref.CLASSIC, athenan.Random(seed))
        engine = _core.Search(game, f"{name}:completion=false,iterations=30", seed)
        state = game.initial_state()
        while not state.is_terminal:
            athenan.searches.drive(engine, state, constant)
            root = plain.search(state, ref.Budget(iterations=30)).root
            assert engine_labels(engine) == reference_labels(plain)
            move = ref.plain_best_action(root.state, root.edges, plain.random).move
            assert engine.decide() == move
            state = state.play(move)
