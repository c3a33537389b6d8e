"""Nested rollout policy adaptation: it equals the transcription in Python, and finds the best."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Iterable
from dataclasses import asdict

import athenan
import pytest
from athenan import ParameterError, SimpleRules, _core, game_from_rules
from athenan import reference as ref

MORPION = athenan.make_game("morpion")
WEIGHTS = (4, 7, 5, 9, 3, 8, 6, 7, 2, 9, 8, 5, 6)


class Apart(SimpleRules[frozenset[int], int]):
    """Choose numbers around a circle, never two neighbours; their weights are added up."""

    max_length = len(WEIGHTS)
    players = 1
    all_moves = tuple(range(len(WEIGHTS)))

    def initial(self) -> frozenset[int]:
        return frozenset()

    def to_move(self, state: frozenset[int]) -> int:  # noqa: ARG002
        return 0

    def free(self, state: frozenset[int]) -> list[int]:
        near = {(i + step) % len(WEIGHTS) for i in state for step in (-1, 0, 1)}
        return [i for i in self.all_moves if i not in near]

    def result(self, state: frozenset[int]) -> int | None:
        return None if self.free(state) else 0

    def moves(self, state: frozenset[int]) -> Iterable[int]:
        return self.free(state)

    def play(self, state: frozenset[int], move: int) -> frozenset[int]:
        return state | {move}

    def planes(self, state: frozenset[int]) -> list[list[list[int]]]:
        return [[[int(i in state) for i in self.all_moves]]]

    def score(self, state: frozenset[int]) -> float:
        return float(sum(WEIGHTS[i] for i in state))


class Exactly(Apart):
    """The same without a score: whoever has chosen the best weights has won."""

    score = SimpleRules.score

    def result(self, state: frozenset[int]) -> int | None:
        return None if self.free(state) else int(sum(WEIGHTS[i] for i in state) == best_apart())


def best_apart() -> int:
    """Try every set."""
    return max(
        sum(WEIGHTS[i] for i in chosen)
        for size in range(len(WEIGHTS))
        for chosen in itertools.combinations(range(len(WEIGHTS)), size)
        if not any((i + 1) % len(WEIGHTS) in chosen for i in chosen)
    )


def searched(search: _core.Search, state: athenan.State) -> _core.Search:
    search.begin(state)
    assert search.advance() is None
    return search


def compare(engine: _core.Search, plain: ref.NrpaSearch, line: ref.Line) -> None:
    assert engine.principal_variation == line.moves
    assert engine.root_value == line.value
    assert [(a.move, a.value, a.count) for a in engine.root_moves] == [
        (move, plain.values[move], count) for move, count in plain.counts.items()
    ]
    assert engine.spent.iterations == plain.spent.iterations
    assert engine.spent.expansions == plain.spent.expansions


CONFIGS = [ref.Nrpa(1, 7), ref.Nrpa(2, 5, 0.5), ref.Nrpa(3, 3, 2.0), ref.Nrpa(2, 20, 3.0, 1)]
GAMES = {"morpion": MORPION, "morpion 5T": athenan.make_game("morpion:variant=5T,board=22")}
GAMES |= {"in Python": game_from_rules(Apart()), "to win": game_from_rules(Exactly())}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_it_equals_the_reference(name: str, config: ref.Nrpa) -> None:
    """Over the moves of a match, with budgets inside a level, at its end and of several runs."""
    game = GAMES[name]
    for seed, iterations in enumerate([1, 6, 30]):
        for terminal in (ref.CLASSIC, ref.SCORE) if game.datasheet.has_score else (ref.CLASSIC,):
            options = ",".join(f"{name}={value}" for name, value in asdict(config).items())
            text = f"nrpa:{options},terminal={terminal.name},iterations={iterations}"
            engine = _core.Search(game, text, seed)
            plain = ref.NrpaSearch(config, terminal, athenan.Random(seed))
            state = game.initial_state()
            for _ in range(3):
                line = plain.search(state, ref.Budget(iterations=iterations))
                compare(searched(engine, state), plain, line)
                assert engine.decide() == plain.decide()
                state = state.play(plain.decide())
                if state.is_terminal:
                    break


@pytest.mark.parametrize("repetitions", [0, 2])
def test_it_equals_the_reference_in_a_whole_run(repetitions: int) -> None:
    config = ref.Nrpa(2, 30, 1.0, repetitions)
    plain = ref.NrpaSearch(config, ref.SCORE, athenan.Random(5))
    text = f"nrpa:level=2,per_level=30,repetitions={repetitions},terminal=score"
    engine = _core.Search(MORPION, text, 5)
    state = MORPION.initial_state()
    line = plain.search(state, ref.Budget())
    compare(searched(engine, state), plain, line)
    assert (engine.spent.iterations == 900) == (repetitions == 0)


def test_a_step_of_the_adaptation_by_hand() -> None:
    """Three moves of equal weight: the one of the line gains 1 - 1/3, the others lose 1/3."""
    policy = ref.adapted({}, ref.Line([ref.Ply(1, [0, 1, 2])]), 1.0)
    assert policy == pytest.approx({0: -1 / 3, 1: 2 / 3, 2: -1 / 3})
    # Of two plies both steps are by the policy before them.
    twice = ref.adapted({5: math.log(3)}, ref.Line([ref.Ply(5, [5, 6]), ref.Ply(6, [6])]), 2.0)
    assert twice == pytest.approx({5: math.log(3) + 2 - 1.5, 6: -0.5 + 2 - 2})


@pytest.mark.parametrize("seed", range(5))
def test_it_finds_the_best_sum_of_all(seed: int) -> None:
    state = GAMES["in Python"].initial_state()
    found = athenan.search(state, None, "nrpa:level=2,per_level=20,terminal=score", seed=seed)
    assert found.value == best_apart()


def test_a_win_where_nothing_tells_wins_apart_ends_the_search() -> None:
    state = GAMES["to win"].initial_state()
    found = athenan.search(state, None, "nrpa:iterations=1000000", seed=1)
    assert found.value == 1
    assert found.spent.iterations < 10_000
    for move in found.principal_variation:
        state = state.play(move)
    assert state.outcome == 1


def test_the_score_decides_among_equal_values() -> None:
    """In Morpion every end is a draw that can be reached: its length matters all the same."""
    search = searched(_core.Search(MORPION, "nrpa:level=2", 1), MORPION.initial_state())
    assert search.root_value == 0
    assert len(search.principal_variation) >= 60  # a random match has 43 moves


def test_the_best_line_is_kept_from_move_to_move() -> None:
    search = _core.Search(MORPION, "nrpa:iterations=40,terminal=score", 3)
    state, expected = MORPION.initial_state(), -math.inf
    while not state.is_terminal:
        searched(search, state)
        assert search.root_value >= expected
        expected = search.root_value
        after = state
        for move in search.principal_variation:
            after = after.play(move)
        assert after.is_terminal
        assert after.score == expected
        state = state.play(search.decide())
    assert state.score == expected


def test_another_root_has_no_line_yet() -> None:
    search = _core.Search(MORPION, "nrpa:iterations=40,terminal=score", 3)
    first = searched(search, MORPION.initial_state()).decide()
    other = next(m for m in MORPION.initial_state().legal_moves() if m != first)
    state = MORPION.initial_state().play(other)
    searched(search, state)
    assert sum(each.count for each in search.root_moves) == 40
    for move in search.principal_variation:
        state = state.play(move)
    assert state.is_terminal


def test_it_learns_the_states_of_its_best_line() -> None:
    for keep in (False, True):
        search = _core.Search(MORPION, "nrpa:iterations=20,terminal=score", 3, keep_terminals=keep)
        searched(search, MORPION.initial_state())
        length = len(search.principal_variation)
        states, values = search.targets()
        assert len(states) == length + keep
        assert set(values.tolist()) == {search.root_value} == {float(length)}
        offsets, numbers, targets = search.move_targets()
        assert numbers.tolist() == search.principal_variation
        assert offsets.tolist() == [*range(length + 1), *([length] if keep else [])]
        assert targets.tolist() == values.tolist()[:length]


def test_games_of_two_are_refused() -> None:
    hexagons = athenan.make_game("hex:size=4").initial_state()
    with pytest.raises(ParameterError, match="nrpa is for games for one player, and hex has two"):
        athenan.search(hexagons, None, "nrpa:iterations=5")
    plain = ref.NrpaSearch(ref.Nrpa(), ref.CLASSIC, athenan.Random(1))
    with pytest.raises(ParameterError, match="for games for one player"):
        plain.search(hexagons, ref.Budget(iterations=5))


def test_the_weights_must_fit_the_memory() -> None:
    search = _core.Search(MORPION, "nrpa:level=20,memory_mb=1,iterations=5", 1)
    with pytest.raises(ParameterError, match=r"memory_mb of 1 is too little: .* need 2"):
        search.begin(MORPION.initial_state())
    enough = _core.Search(MORPION, "nrpa:level=20,memory_mb=2,iterations=5", 1)
    assert searched(enough, MORPION.initial_state()).tree_bytes == 21 * MORPION.move_count * 8


def test_time_is_kept() -> None:
    state = MORPION.initial_state()
    found = athenan.search(state, None, "nrpa", cpu_seconds=0.05)
    assert found.spent.iterations > 20
    found = athenan.search(state, None, "nrpa", seconds=0.2)
    assert 0.1 < found.spent.seconds < 2
    stop = athenan.Stop()
    threading.Timer(0.1, stop.request).start()
    found = athenan.search(state, None, "nrpa", seconds=60, stop=stop)
    assert found.spent.seconds < 10
    assert found.best_move == found.principal_variation[0]
    # Stopped before the first playout is over: any move will do.
    found = athenan.search(state, None, "nrpa", seconds=60, stop=stop)
    assert found.best_move in state.legal_moves()
