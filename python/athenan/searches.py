"""Thinking about a position: `search` and `solve`.

>>> import athenan
>>> state = athenan.make_game("tic_tac_toe").parse_position("xx1/oo1/3 x")
>>> result = athenan.search(state, spec="ubfm-safe", expansions=50)
>>> result.best_move_text, result.proven_outcome
('c1', 1)
>>> athenan.solve(athenan.make_game("hex:size=3,swap=false").initial_state()).proven_outcome
1

Everything here ends promptly after Ctrl-C, and after the request of a `Stop` from another thread.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import perf_counter, thread_time
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Self, TypeAlias

from athenan import html
from athenan._core import Budget as Budget
from athenan._core import Error, Game, ParameterError, State
from athenan._core import MoveLabel as MoveLabel
from athenan._core import Search as Search
from athenan._core import SearchSpec as SearchSpec
from athenan._core import Selection as Selection
from athenan._core import Spent as Spent
from athenan._core import Stop as Stop
from athenan._core import Stopped as Stopped
from athenan._core import exact_value as exact_value
from athenan._core import terminal_evaluations as terminal_evaluations
from athenan.evaluators import Evaluator, Planes, Values, as_evaluator, constant_evaluator
from athenan.evaluators.pace import PIECE, Pace
from athenan.expected import expect_seed, expect_stop, expect_text, expect_whole, shown, wrong
from athenan.games import refuse_other_game
from athenan.machine import megabytes_per_tree
from athenan.zoo import model_file

if TYPE_CHECKING:
    from athenan.networks import Model
    from athenan.networks.architecture import MoveAnswers

DEFAULT_SEARCH = "ubfm-safe"
FREE_OPTIONS = ("swap", "komi")
"""Of games: no network sees them, so a model plays whatever they are."""
FilePath: TypeAlias = str | os.PathLike[str]
ValueFunction: TypeAlias = Callable[[Planes], Values]
ModelLike: TypeAlias = "Model | FilePath | Evaluator | ValueFunction | None"
"""What can give values to states; see `search`."""
OUTCOMES = {
    1: {1: "a win", 0: "no win", -1: "a loss"},
    2: {1: "the first player wins", 0: "a draw", -1: "the second player wins"},
}
"""A proven outcome in words, by the number of players."""
MEMORY = "memory_mb, 0 for half of the free memory"
LISTED = 12  # moves in the table of a notebook
PICTURE = "_repr_svg_"


class _Line:
    """What results have in common: moves as numbers, and the same as texts."""

    state: State
    proven_outcome: int | None
    principal_variation: list[int]

    @property
    def line(self) -> list[str]:
        """The principal variation in the notation of the game."""
        state, texts = self.state, []
        for move in self.principal_variation:
            texts.append(state.move_to_string(move))
            state = state.play(move)
        return texts

    def _outcome_in_words(self) -> str:
        if self.proven_outcome is None:
            return "nothing is proven"
        return f"proven: {OUTCOMES[self.state.game.datasheet.players][self.proven_outcome]}"


@dataclass(frozen=True, repr=False)
class SearchResult(_Line):
    """What a search found out about a state.

    >>> import athenan
    >>> state = athenan.make_game("tic_tac_toe").parse_position("xx1/oo1/3 x")
    >>> result = athenan.search(state, expansions=50)
    >>> result.best_move, result.best_move_text, result.proven_outcome, result.line
    (2, 'c1', 1, ['c1'])
    >>> result
    <SearchResult: c1, value +1, proven: the first player wins; ... expansions in ... s>
    """

    state: State = field(repr=False)
    best_move: int
    value: float | None
    """v(s), from the first player's point of view; None of a search that values nothing."""
    proven_outcome: int | None
    """+1, 0 or -1 if the outcome under best play is proven, else None."""
    moves: list[MoveLabel]
    """The labels of each legal move; none of a search that values nothing."""
    principal_variation: list[int]
    """The moves that both sides prefer; `line` has them as texts."""
    spent: Spent
    memory_full: bool
    """Whether the search ended because its tree reached the limit of its memory."""
    spec: SearchSpec

    @property
    def best_move_text(self) -> str:
        """The best move in the notation of the game."""
        return self.state.move_to_string(self.best_move)

    @property
    def win_probability(self) -> float | None:
        """The first player's, a draw being half a win; None where values are no probabilities.

        They are with the terminal evaluation `classic`, whose values run from -1 to 1.
        """
        if self.state.game.datasheet.players == 1:
            return None
        if self.proven_outcome is not None:
            return (1 + self.proven_outcome) / 2
        if self.value is None or self.spec.options["terminal"] != "classic":
            return None
        return (1 + min(1.0, max(-1.0, self.value))) / 2

    @property
    def ended_by(self) -> Literal["proof", "memory", "budget"]:
        """What ended the search: a proof, the limit of memory, or its budget (or a request)."""
        if self.proven_outcome is not None:
            return "proof"
        return "memory" if self.memory_full else "budget"

    def __repr__(self) -> str:
        value = "" if self.value is None else f", value {self.value:+g}"
        memory = ", ended by the limit of its memory" if self.ended_by == "memory" else ""
        return (
            f"<SearchResult: {self.best_move_text}{value}, {self._outcome_in_words()}; "
            f"{_work(self.spent)}{memory}>"
        )

    def _repr_html_(self) -> str:
        sign = -1 if self.state.to_move else 1
        ordered = sorted(
            self.moves,
            key=lambda each: (
                each.move != self.best_move,
                -sign * each.completion,
                -each.count,
                -sign * each.value,
            ),
        )
        rows = [
            (
                self.state.move_to_string(each.move),
                each.value,
                each.completion if each.resolved else None,
                each.count,
            )
            for each in ordered[:LISTED]
        ]
        columns = ("move", "value", "proven", "selected")
        words = f"{self!r}"[1:-1]
        table = html.table(columns, rows, below=f"{words}. Values are the first player's.")
        return html.side_by_side(_picture(self.state), table)

    @classmethod
    def of(cls, search: Search, state: State) -> Self:
        """Let a search that has thought about a state choose its move; return all it found out."""
        has_tree = search.node_count > 0
        return cls(
            state=state,
            best_move=search.decide(),
            value=search.root_value if has_tree else None,
            proven_outcome=search.root_completion if search.root_resolved else None,
            moves=search.root_moves if has_tree else [],
            principal_variation=search.principal_variation,
            spent=search.spent,
            memory_full=search.memory_full,
            spec=search.spec,
        )


@dataclass(frozen=True, repr=False)
class Solution(_Line):
    """The proven outcome of a state under best play, and a line that shows it.

    >>> import athenan
    >>> solution = athenan.solve(athenan.make_game("hex:size=2,swap=false").initial_state())
    >>> solution
    <Solution: b1, proven: the first player wins; ... expansions in ... s>
    >>> solution.proven_outcome, solution.line
    (1, ['b1', 'a1', 'a2'])
    """

    state: State = field(repr=False)
    proven_outcome: int
    """+1, 0 or -1 for the first player."""
    principal_variation: list[int]
    """Best moves of both sides to the end; `line` has them as texts."""
    spent: Spent

    @property
    def best_move(self) -> int | None:
        """The first move of the line; None if the match is over."""
        return self.principal_variation[0] if self.principal_variation else None

    @property
    def best_move_text(self) -> str:
        """The best move in the notation of the game; empty if the match is over."""
        return "" if self.best_move is None else self.state.move_to_string(self.best_move)

    def __repr__(self) -> str:
        move = self.best_move_text or "the match is over"
        return f"<Solution: {move}, {self._outcome_in_words()}; {_work(self.spent)}>"

    def _repr_html_(self) -> str:
        rows = (
            ("outcome", self._outcome_in_words()),
            ("best play", " ".join(self.line)),
            ("work", _work(self.spent)),
        )
        return html.side_by_side(_picture(self.state), html.table((), rows))


def _picture(state: State) -> str:
    """Draw a state as notebooks do."""
    svg: str = getattr(state, PICTURE)()
    return svg


def _work(spent: Spent) -> str:
    return f"{spent.expansions:,} expansions in {spent.seconds:.3g} s"


def search(
    state: State,
    model: ModelLike = None,
    spec: SearchSpec | str | None = None,
    *,
    seed: int = 0,
    stop: Stop | None = None,
    **options: int | float | bool | str,
) -> SearchResult:
    """Think about a state.

    `model` gives values to states: a model or its name, a model file or a run directory, an
    evaluator, or a function from planes to values; without one every state that is not
    ended has the value 0.
    `spec` and `options` name a search and its settings, together or apart, as in
    `search(state, "runs/hex5", "alphabeta:depth=2")` and `search(state, net, "ubfm", seconds=2)`.

    A model brings its own search: what is given replaces parts of it, and its terminal evaluation,
    the scale of its values, is kept unless named. Otherwise the search is safe UBFM. Without any
    budget it ends when the outcome of the state is proven; a request to stop ends it as a budget
    does, and so does a tree that fills its `memory_mb`, by default half of the free memory;
    `SearchResult.ended_by` says which it was. A model given here is prepared anew by each call: for
    many searches make an evaluator.

    >>> import athenan
    >>> state = athenan.make_game("connect_four").initial_state()
    >>> athenan.search(state, spec="mcts", iterations=500).best_move_text
    'd'
    >>> athenan.search(state, lambda planes: planes[:, 0].sum(axis=(1, 2)), expansions=9).spec
    SearchSpec('ubfm-safe:expansions=9')
    """
    refuse_no_state(state, "search")
    seed, stop = expect_seed(seed), expect_stop(stop)
    with prepared(state.game, model, spec, options) as (chosen, evaluator):
        return thought(chosen, state, evaluator, seed, stop)


@contextmanager
def prepared(
    game: Game,
    model: ModelLike,
    spec: SearchSpec | str | None = None,
    options: Mapping[str, int | float | bool | str] = MappingProxyType({}),
) -> Iterator[tuple[SearchSpec, Evaluator]]:
    """Yield the search and the evaluator that `search` makes of its arguments, for many states."""
    if spec is not None and not isinstance(spec, str | SearchSpec):
        raise wrong(spec, "a search, as in 'ubfm-safe:seconds=1'")
    given = read_model(model) if isinstance(model, str | os.PathLike) else model
    if given is not None and not callable(given):
        from athenan.networks import Model

        if isinstance(given, Model):
            chosen = chosen_search(given, spec, options)
            with model_evaluator(given, game, chosen) as evaluator:
                yield chosen, evaluator
            return
    chosen = SearchSpec(str(spec or DEFAULT_SEARCH)).with_(**options)
    yield chosen, constant_evaluator() if given is None else as_evaluator(given)


def drive(
    search: Search,
    state: State,
    evaluator: Evaluator,
    *,
    budget: Budget | None = None,
    stop: Stop | None = None,
) -> None:
    """Let a search think to the end of its budget, or of another one, asking for values."""
    for _ in steps(search, state, evaluator, budget=budget, stop=stop):
        pass


def steps(
    search: Search,
    state: State,
    evaluator: Evaluator,
    *,
    budget: Budget | None = None,
    stop: Stop | None = None,
    interval: float = 0,
    pace: Pace | None = None,
) -> Iterator[None]:
    """Let a search think, and pause for the caller to look at it.

    It pauses after each batch of values, and every `interval` seconds of a search that asks for
    none. With a budget in seconds it begins no batch that would end too late, going by the `pace`
    of those before it, and gives up one that does end too late; so does a request to stop. The
    expansion that waited for it is taken back: no value is guessed, but where no move of the root
    has one, and then the tree is forgotten before the next search.
    """
    search.begin(state, budget)
    pace = pace or Pace()
    limit = budget or search.spec.budget
    seconds = limit.seconds
    ends = perf_counter() + seconds if seconds else math.inf

    def is_late() -> bool:
        return perf_counter() + PIECE > ends or (stop is not None and stop.requested)

    while not search.is_over:
        planes = search.advance(stop, interval)
        if planes is not None:
            started = thread_time() if limit.cpu_seconds else 0.0
            answer, whole = pace.evaluate(evaluator, planes, search.waiting_moves, is_late)
            if limit.cpu_seconds:
                search.charge(thread_time() - started)
            if whole or not search.cut():
                search.receive(*answer, whole=whole)
            if not whole or perf_counter() + pace.expected > ends:
                search.end_soon()
        yield


def solve(state: State, *, memory_mb: int = 0, stop: Stop | None = None) -> Solution:
    """Prove the outcome of a state under best play, with completed Descent.

    The tree may take `memory_mb`, or half of the free memory. A request to stop raises `Stopped`.

    >>> import athenan
    >>> athenan.solve(athenan.make_game("tic_tac_toe").initial_state()).proven_outcome
    0
    """
    refuse_no_state(state, "solve")
    expect_stop(stop)
    expect_whole(memory_mb, MEMORY)
    spec = within_memory(SearchSpec("descent").with_(memory_mb=memory_mb))
    search = Search(state.game, spec)
    if state.outcome is not None:
        return Solution(state, state.outcome, [], search.spent)
    search.begin(state)
    search.run_fake(0, stop)
    if not search.root_resolved and stop and stop.requested:
        raise Stopped(f"the proof of {state.game.id} was stopped")
    if not search.root_resolved:
        limit = spec.options["memory_mb"]
        raise Error(f"{state.game.id} was not solved within {limit} MB of memory (memory_mb)")
    return Solution(state, search.root_completion, search.principal_variation, search.spent)


def combined(own: SearchSpec, given: str, budget: str = "") -> SearchSpec:
    """Return the search of a model with what is `given`, and with a `budget` if it has no limit.

    `given` is options or another search; a limit among them, or a budget, replaces the limits of
    the model's own search.

    >>> own = SearchSpec("ubfm-safe:terminal=score,expansions=7")
    >>> print(combined(own, "alphabeta:depth=2"), combined(own, "seconds=1", "expansions=9"))
    alphabeta:terminal=score,depth=2 ubfm-safe:seconds=1,terminal=score
    """
    if SearchSpec.names_algorithm(given):
        chosen = own.updated(given)
    elif given and SearchSpec(own.name).updated(given).is_limited:
        return own.unlimited.updated(given)
    else:
        chosen = (own.unlimited if budget else own).updated(given)
    return chosen.updated(budget) if budget and not chosen.is_limited else chosen


def read_model(name: FilePath) -> Model:
    """Read a model: by its name in the zoo, from its file, or the latest of a run directory."""
    from athenan.networks import load_model

    if not isinstance(name, str | os.PathLike):
        raise ParameterError(f"a model is loaded by its name or from a path, not {shown(name)}")
    if isinstance(name, str):
        expect_text(name, "the name or the path of a model")
    return load_model(model_file(name))


def model_evaluator(model: Model, game: Game, spec: SearchSpec, threads: int = 0) -> Evaluator:
    """Make an evaluator of a model for a search; `threads` is how many it uses, 0 for all cores.

    Without a clock everything that a search does depends on its seed alone: so must the values of
    states, which is to say not on the batches around them. With a clock an evaluator has worked
    before it is handed over.
    """
    from athenan.evaluators import network_evaluator

    check_model(model, game, spec)
    timed = spec.is_timed
    evaluator = network_evaluator(model.weights, threads=threads, batch_invariant=not timed)
    if timed:
        warm_up(evaluator, game)
    return evaluator


def warm_up(evaluator: Evaluator, game: Game) -> None:
    """Let an evaluator work before a clock runs: the first batches of a size can take a second."""
    planes = game.encode(game.initial_state().children())
    if evaluator.is_steady:
        evaluator(planes[:1])
        return
    for power in range(len(planes).bit_length()):
        evaluator(planes[: 1 << power])
    evaluator(planes)


def within_memory(spec: SearchSpec) -> SearchSpec:
    """Return a search whose tree may take half of the free memory, unless it has its own limit."""
    return spec if spec.options["memory_mb"] else spec.with_(memory_mb=megabytes_per_tree(1))


def check_model(model: Model, game: Game, spec: SearchSpec, name: str = "the model") -> None:
    """Refuse a model of another game, and one that does not say what a search asks of moves.

    A model trained with the swap rule plays without it too, and the other way round.
    """
    refuse_other_game(game, model.game, model.game_sha256, name, FREE_OPTIONS)
    refuse_silent(spec, model.weights.architecture.says_of_moves, f"the network of {name}")


def refuse_silent(spec: SearchSpec, said: MoveAnswers, who: str) -> None:
    """Refuse a search that asks of moves what the one who evaluates does not say."""
    asked = spec.asks_of_moves
    if asked not in ("none", said):
        what = "a policy" if asked == "policy" else "values of moves"
        raise Error(f"{spec} needs {what}, and {who} has none")


def chosen_search(
    model: Model, spec: SearchSpec | str | None, options: Mapping[str, int | float | bool | str]
) -> SearchSpec:
    """Return the search of a model with some of its parts replaced."""
    chosen = combined(SearchSpec(model.search), str(spec or ""))
    limited = spec is None and SearchSpec(chosen.name).with_(**options).is_limited
    return (chosen.unlimited if limited else chosen).with_(**options)


def thought(
    spec: SearchSpec, state: State, evaluator: Evaluator, seed: int, stop: Stop | None
) -> SearchResult:
    """Let a search with its evaluator think about a state."""
    search = Search(state.game, within_memory(spec), seed)
    drive(search, state, evaluator, stop=stop)
    return replace(SearchResult.of(search, state), spec=spec)


def refuse_no_state(state: object, action: str) -> None:
    """Say what is missing where a state is wanted."""
    if isinstance(state, State):
        return
    how = ".initial_state()" if isinstance(state, Game) else ""
    what = f"a game; its start is game{how}" if how else shown(state)
    raise ParameterError(f"{action} expects a State, not {what}")
