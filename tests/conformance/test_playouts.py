"""Playouts: reproducible, and with the law of uniformly random matches.

Games may play at random with faster code than move by move. The law is tested twice: against
matches played through the API from the start, and near the end against exact probabilities. The
tests are two-sided with significance 1e-6, and their seeds are fixed.
"""

import re
from collections import Counter
from itertools import count
from math import erfc, exp, sqrt
from random import Random

import athenan
from athenan._core import PlayoutTally
from conformance.variants import VARIANTS, game_of
from conformance.walks import positions, walk, walk_from
from hypothesis import given
from hypothesis import strategies as st

SIGNIFICANCE = 1e-6
OUTCOMES = (1, 0, -1)


def outcomes_of(tally: PlayoutTally) -> list[int]:
    return [tally.first_wins, tally.draws, tally.second_wins]


def tail(chi_square: float, freedom: int) -> float:
    """Return the probability of a larger chi-square with 1 or 2 degrees of freedom."""
    return erfc(sqrt(chi_square / 2)) if freedom == 1 else exp(-chi_square / 2)


def same_law(first: list[int], second: list[int]) -> float:
    """Return the p-value of two samples of outcomes having one law."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a + b]
    if len(pairs) < 2:
        return 1.0
    ratio = sqrt(sum(second) / sum(first))
    chi_square = sum((a * ratio - b / ratio) ** 2 / (a + b) for a, b in pairs)
    return tail(chi_square, len(pairs) - 1)


def follows_law(sample: list[int], law: list[float]) -> float:
    """Return the p-value of a sample of outcomes under given probabilities."""
    assert all(p > 0 or not seen for seen, p in zip(sample, law, strict=True)), "impossible outcome"
    terms = [(seen, p * sum(sample)) for seen, p in zip(sample, law, strict=True) if p > 0]
    if len(terms) < 2:
        return 1.0
    return tail(sum((seen - mean) ** 2 / mean for seen, mean in terms), len(terms) - 1)


def deviation(mean: float, expected: float, variance: float) -> float:
    """Return the p-value of a mean that is normal around the expected one."""
    if variance == 0:
        return 1.0 if mean == expected else 0.0
    return erfc(abs(mean - expected) / sqrt(2 * variance))


@given(data=st.data())
def test_a_tally_adds_up(game: athenan.Game, data: st.DataObject) -> None:
    state = data.draw(positions(game))
    tally = state.playouts(10, seed=data.draw(st.integers(0, 2**64 - 1)), threads=1)
    assert sum(outcomes_of(tally)) == 10
    assert 0 <= tally.plies <= 10 * (game.datasheet.max_length - state.ply)
    if state.outcome is not None:
        assert tally.plies == 0
        assert outcomes_of(tally)[OUTCOMES.index(state.outcome)] == 10


def test_the_seed_alone_decides(game: athenan.Game) -> None:
    start = game.initial_state()
    tallies = {
        (seed, *outcomes_of(tally), tally.plies)
        for threads in (0, 1, 2, 3)
        for seed in (0, 1, 2**63)
        for tally in [start.playouts(50, seed=seed, threads=threads)]
    }
    assert len(tallies) == 3


def test_seeds_differ(game: athenan.Game) -> None:
    start = game.initial_state()
    tallies = [start.playouts(20, seed=seed) for seed in range(20)]
    assert len({(*outcomes_of(tally), tally.plies) for tally in tallies}) > 1


def test_no_playouts_tally_nothing(game: athenan.Game) -> None:
    tally = game.initial_state().playouts(0)
    assert outcomes_of(tally) == [0, 0, 0]
    assert tally.plies == 0


def test_playouts_follow_the_law_of_matches_played_move_by_move(game: athenan.Game) -> None:
    start, matches = game.initial_state(), 200
    random = Random(5)
    ends = [walk_from(start, random).states[-1] for _ in range(matches)]
    singles = [start.playouts(1, seed=seed, threads=1) for seed in range(matches)]

    counted = Counter(end.outcome for end in ends)
    tallied = [sum(column) for column in zip(*map(outcomes_of, singles), strict=True)]
    assert same_law([counted[outcome] for outcome in OUTCOMES], tallied) > SIGNIFICANCE

    played, tossed = [end.ply for end in ends], [tally.plies for tally in singles]
    means = [sum(lengths) / matches for lengths in (played, tossed)]
    variance = sum(
        sum((length - mean) ** 2 for length in lengths) / matches**2
        for lengths, mean in zip((played, tossed), means, strict=True)
    )
    assert deviation(means[0], means[1], variance) > SIGNIFICANCE


def exact_law(state: athenan.State) -> tuple[list[float], float, float]:
    """Return the probabilities of the outcomes and the mean and mean square of the plies left."""
    if state.outcome is not None:
        return [float(state.outcome == outcome) for outcome in OUTCOMES], 0.0, 0.0
    laws = [exact_law(child) for child in state.children()]
    share = 1 / len(laws)
    outcomes = [share * sum(law[0][i] for law in laws) for i in range(3)]
    mean = 1 + share * sum(law[1] for law in laws)
    square = share * sum(1 + 2 * law[1] + law[2] for law in laws)
    return outcomes, mean, square


def moves_below(state: athenan.State, most: int) -> int:
    """Count the moves in the whole tree below a state, or stop beyond `most`."""
    total = 0
    for depth in count(1):
        total += (leaves := state.perft(depth, threads=1))
        if leaves == 0 or total > most:
            return total
    raise AssertionError


def with_plies_left(state: athenan.State, plies: int) -> athenan.State:
    """Return the same board a few plies before the end of an over-long match.

    A FEN holds the number of the move: in it there may be one ply more.
    """
    ply = state.game.datasheet.max_length - plies
    board, at, _ = state.position.rpartition(" @")
    if at:
        return state.game.parse_position(f"{board} @{ply}")
    number = (ply - state.to_move) // 2 + 1
    return state.game.parse_position(
        re.sub(r"( [wb] - - \d+) \d+", rf"\g<1> {number}", state.position)
    )


def countable_end(game: athenan.Game, seed: int, most: int) -> athenan.State:
    """Return a position late in a random match whose tree is small enough to sum up."""
    states = walk(game, seed).states
    if game.datasheet.board_determines_ply and not game.datasheet.cyclic:
        candidates = reversed(states)
    else:
        late = states[-2 - seed % 3 :][0]
        candidates = (with_plies_left(late, plies) for plies in range(20))
    chosen = states[-1]
    for candidate in candidates:
        if moves_below(candidate, most) > most:
            break
        chosen = candidate
    return chosen


def test_playouts_near_the_end_follow_the_exact_law(game: athenan.Game) -> None:
    built_in = game.name in athenan.game_names()
    ends, most, matches = (30, 5000, 5000) if built_in else (5, 500, 300)
    undecided = 0
    for seed in range(ends):
        state = countable_end(game, seed, most)
        law, mean, square = exact_law(state)
        undecided += square > mean**2
        tally = state.playouts(matches, seed=seed)
        assert follows_law(outcomes_of(tally), law) > SIGNIFICANCE, state.position
        variance = max(0.0, square - mean**2) / matches + 1e-18
        assert deviation(tally.plies / matches, mean, variance) > SIGNIFICANCE, state.position
    smallest = game_of(VARIANTS.get(game.name, [game.id])[0])
    assert undecided or game != smallest, "no end had anything to toss for"
