"""`analyse`: a position or a whole match, judged by a search."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import overload

from athenan._core import Error, Game, SearchSpec, State, Stop, Stopped
from athenan.analysis.judgement import Judgement
from athenan.analysis.match_analysis import MISTAKE, MatchAnalysis, judged_match, states_of
from athenan.analysis.thinking import Thinking, step
from athenan.arena.players import usual_player
from athenan.arena.record import Match
from athenan.evaluators import Evaluator
from athenan.expected import (
    expect,
    expect_each,
    expect_game,
    expect_number,
    expect_seed,
    expect_stop,
    wrong,
)
from athenan.machine import megabytes_per_tree
from athenan.searches import ModelLike, prepared

SLOTS = 32  # positions at a time: enough for large batches, few enough for the memory
EXPANSIONS = 400
"""Per position, for a search that names no limit."""

Report = Callable[[int, int], None]
"""Hears how many positions are judged, of how many."""


@overload
def analyse(
    subject: State,
    model: ModelLike = None,
    spec: SearchSpec | str | None = None,
    *,
    game: Game | None = None,
    threshold: float = MISTAKE,
    seed: int = 0,
    stop: Stop | None = None,
    report: Report | None = None,
    **options: int | float | bool | str,
) -> Judgement: ...


@overload
def analyse(
    subject: Match,
    model: ModelLike = None,
    spec: SearchSpec | str | None = None,
    *,
    game: Game | None = None,
    threshold: float = MISTAKE,
    seed: int = 0,
    stop: Stop | None = None,
    report: Report | None = None,
    **options: int | float | bool | str,
) -> MatchAnalysis: ...


def analyse(
    subject: State | Match,
    model: ModelLike = None,
    spec: SearchSpec | str | None = None,
    *,
    game: Game | None = None,
    threshold: float = MISTAKE,
    seed: int = 0,
    stop: Stop | None = None,
    report: Report | None = None,
    **options: int | float | bool | str,
) -> Judgement | MatchAnalysis:
    """Judge a position, or every position of a match.

    `model`, `spec` and `options` are those of `athenan.search`; without a model and a search base
    MCTS judges, and a search without a limit has 400 expansions per position. Of a match each move
    is told what it cost; `threshold` is the share of the scale that makes it a mistake, `game` the
    game of a match that was played in a Python file, `report` is told the progress. A request to
    stop ends a position as a budget does, and a match by raising `Stopped`.

    >>> import athenan
    >>> from athenan.analysis import analyse
    >>> state = athenan.make_game("tic_tac_toe").parse_position("xx1/oo1/3 x")
    >>> judged = analyse(state, spec="ubfm-safe", expansions=50)
    >>> judged.best_move, judged.proven_outcome, judged.win_probability
    ('c1', 1, 1.0)
    >>> [each.move for each in judged.candidates]
    ['c1', 'c2', 'a3', 'b3', 'c3']

    >>> from athenan.arena import Match
    >>> match = Match("tic_tac_toe", "3/3/3 x", ("a", "b"), ("b2", "b1", "c1", "a3"), None)
    >>> (mistake,) = analyse(match, spec="ubfm-safe", expansions=2000).mistakes
    >>> mistake.move, mistake.better.move, mistake.lost_outcome
    ('b1', 'c3', (0, -1))
    """
    expect_number(threshold, "the threshold of a mistake", 0)
    if game is not None:
        expect_game(game)
    states = _states(subject, game)
    with prepared(states[0].game, model, _spec(states[0].game, model, spec), options) as made:
        judgements = judge(states, *made, seed, stop, report)
    if isinstance(subject, State):
        return judgements[0]
    return judged_match(states, subject.moves, judgements, subject.players, threshold)


def _states(subject: State | Match, game: Game | None) -> list[State]:
    if isinstance(subject, State):
        return [subject]
    if isinstance(subject, Match):
        return states_of(subject, game)
    raise Error(f"analyse expects a State or a Match, not {type(subject).__name__}")


def _spec(game: Game, model: ModelLike, spec: SearchSpec | str | None) -> SearchSpec | str | None:
    return usual_player(game) if model is None and spec is None else spec


def limited(spec: SearchSpec, expansions: int = EXPANSIONS) -> SearchSpec:
    """Return a search that ends: one without a limit gets one."""
    return spec if spec.is_limited else spec.with_(expansions=expansions)


def judge(
    states: Sequence[State],
    spec: SearchSpec,
    evaluator: Evaluator,
    seed: int = 0,
    stop: Stop | None = None,
    report: Report | None = None,
) -> list[Judgement]:
    """Judge states with one search for each, all of which share an evaluator."""
    states = expect_each(states, State, "a list of States")
    expect(spec, SearchSpec, "a SearchSpec")
    expect(evaluator, Evaluator, "an evaluator")  # type: ignore[type-abstract]
    seed, stop = expect_seed(seed), expect_stop(stop)
    if report is not None and not callable(report):
        raise wrong(report, "a function that is told the progress")
    spec = limited(spec)
    slots = 1 if spec.is_timed else min(SLOTS, len(states))  # with a clock, each has it alone
    if not spec.options["memory_mb"]:
        spec = spec.with_(memory_mb=megabytes_per_tree(slots))
    found: dict[int, Judgement] = {}
    thinkers = [(n, Thinking(state, spec, seed)) for n, state in enumerate(states)]
    for number, judgement in _finished(thinkers, evaluator, slots, stop):
        found[number] = judgement
        if report is not None:
            report(len(found), len(states))
    return [found[number] for number in range(len(states))]


def _finished(
    thinkers: Iterable[tuple[int, Thinking]], evaluator: Evaluator, slots: int, stop: Stop | None
) -> Iterator[tuple[int, Judgement]]:
    """Let all of them think, a number at a time, and yield each when it has ended."""
    waiting, working = deque(thinkers), list[tuple[int, Thinking]]()
    alone = len(waiting) == 1
    while waiting or working:
        while waiting and len(working) < slots:
            working.append(waiting.popleft())
        if stop is not None and stop.requested:
            if not alone:
                raise Stopped("the analysis was stopped")
            working[0][1].end()
        step([each for _, each in working], evaluator)
        for number, each in working:
            if each.is_over and (judgement := each.judgement()) is not None:
                yield number, judgement
        working = [(number, each) for number, each in working if not each.is_over]
