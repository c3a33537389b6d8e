"""A search that is cut off takes back the expansion that waited for values: nothing is guessed."""

from __future__ import annotations

import athenan
import numpy as np
import pytest
from athenan._core import Budget, Search
from athenan.evaluators import Evaluation, Evaluator, LegalMoves, Planes
from athenan.evaluators.pace import Pace
from athenan.searches import steps

GAME = athenan.make_game("othello:size=4")
VALUES = athenan.hash_evaluator(3)
WITH_POLICY = ("puct", "exit")
TWO_BATCHES = "ubfm:values=moves,judged=2,sampled=1"  # of an expansion
SEARCHES = ("ubfm", "ubfm-safe", "descent", "alphabeta", "uct", *WITH_POLICY, TWO_BATCHES)


def answer(search: Search, planes: Planes) -> tuple[np.ndarray, np.ndarray | None]:
    moves = search.waiting_moves
    logits = None if moves is None else np.linspace(0, 1, len(moves.numbers), dtype=np.float32)
    return VALUES.evaluate(planes).values, logits


def begun(name: str, batches: int) -> Search:
    """Return a search that has taken so many batches and waits for one more."""
    search = Search(GAME, name, seed=1)
    search.begin(GAME.initial_state(), Budget(expansions=10_000))
    for _ in range(batches):
        planes = search.advance()
        assert planes is not None
        search.receive(*answer(search, planes))
    assert search.advance() is not None
    return search


@pytest.mark.parametrize("batches", [1, 2, 5, 20])
@pytest.mark.parametrize("name", ["ubfm", "ubfm-safe", "uct", *WITH_POLICY])
def test_the_tree_is_that_of_the_search_before(name: str, batches: int) -> None:
    cut, whole = begun(name, batches), Search(GAME, name, seed=1)
    assert cut.cut()
    assert cut.is_over
    whole.begin(GAME.initial_state(), Budget(expansions=cut.spent.expansions))
    while (planes := whole.advance()) is not None:
        whole.receive(*answer(whole, planes))
    assert repr(sorted(cut.labels(), key=repr)) == repr(sorted(whole.labels(), key=repr))
    assert cut.spent.evaluations == whole.spent.evaluations
    assert cut.root_value == whole.root_value


def test_an_expansion_of_two_batches_is_taken_back_in_either() -> None:
    for batches in range(2, 30):
        cut, whole = begun(TWO_BATCHES, batches), Search(GAME, TWO_BATCHES, seed=1)
        first = cut.waiting_moves is not None  # the state itself waits, not its children
        assert cut.cut()
        whole.begin(GAME.initial_state(), Budget(expansions=cut.spent.expansions))
        while (planes := whole.advance()) is not None:
            whole.receive(*answer(whole, planes))
        assert repr(sorted(cut.labels(), key=repr)) == repr(sorted(whole.labels(), key=repr))
        assert cut.spent.evaluations == whole.spent.evaluations + (not first)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_goes_on_after_it_was_cut_off(name: str) -> None:
    """What was taken back is expanded again when its turn comes, with all its values."""
    search, state = begun(name, 7), GAME.initial_state()
    assert search.cut()
    known = search.node_count
    for _ in range(3):
        search.begin(state, Budget(expansions=30))
        while (planes := search.advance()) is not None:
            search.receive(*answer(search, planes))
        assert search.decide() in state.legal_moves()
    assert search.node_count >= known
    assert search.spent.expansions >= 1


def test_a_whole_search_after_a_cut_finds_what_it_finds_alone() -> None:
    values = []
    for cut in (False, True):
        search = begun("alphabeta:depth=4", 9)
        if cut:
            search.cut()
            search.begin(GAME.initial_state(), Budget())
            planes = search.advance()
        else:
            search = Search(GAME, "alphabeta:depth=4", seed=1)
            search.begin(GAME.initial_state(), Budget())
            planes = search.advance()
        while planes is not None:
            search.receive(*answer(search, planes))
            planes = search.advance()
        values.append((search.root_value, search.decide()))
    assert values[0] == values[1]


@pytest.mark.parametrize("name", SEARCHES)
def test_the_root_needs_its_values(name: str) -> None:
    search = Search(GAME, name, seed=1)
    search.begin(GAME.initial_state(), Budget())
    planes = search.advance()
    assert planes is not None
    assert not search.cut()
    search.receive(*answer(search, planes), whole=False)
    while (planes := search.advance()) is not None:
        search.receive(*answer(search, planes))
    assert search.decide() in GAME.initial_state().legal_moves()
    search.begin(GAME.initial_state(), Budget())
    assert search.advance() is not None  # the guesses are forgotten: it begins anew
    search.new_match(0)


class Slow(Evaluator):
    """Asks to stop in the middle of the batch with a number; says that each takes long."""

    device = "cpu"

    def __init__(self, stop: athenan.Stop, at: int) -> None:
        self.stop, self.at, self.asked = stop, at, 0
        self.given = {-1.0, 0.0, 1.0}  # and the outcomes

    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        assert moves is None
        self.asked += 1
        if self.asked == self.at:
            self.stop.request()
        found = VALUES.evaluate(planes)
        self.given |= set(found.values.tolist())
        return found


class Divided(Pace):
    """Believes that batches take long: each state is a piece of its own."""

    def evaluate(self, *given):  # type: ignore[no-untyped-def]
        self.expected, self._per_state = 1.0, 1.0
        return super().evaluate(*given)


@pytest.mark.parametrize("name", ["ubfm", "descent", "alphabeta"])
def test_a_request_to_stop_within_a_batch_guesses_no_value(name: str) -> None:
    stop, state = athenan.Stop(), GAME.initial_state()
    search = Search(GAME, name, seed=1)
    evaluator = Slow(stop, 30)
    for _ in steps(search, state, evaluator, stop=stop, pace=Divided()):
        pass
    assert search.is_over
    assert {each.value for _, moves in search.labels() for each in moves} <= evaluator.given


@pytest.mark.parametrize("batches", range(1, 12))
@pytest.mark.parametrize("name", ["descent:values=moves", "descent:values=moves,judged=1"])
def test_a_guess_stays_a_guess_where_the_search_is_ended(name: str, batches: int) -> None:
    """Nobody has judged the state where Descent stops, so it has no value to hand up."""
    game = athenan.make_game("hex:size=5")
    search = Search(game, name, seed=1)
    search.begin(game.initial_state(), Budget(expansions=1000))
    for _ in range(batches):
        planes, moves = search.advance(), search.waiting_moves
        assert planes is not None
        guesses = None if moves is None else np.full(len(moves.numbers), -5, np.float32)
        search.receive(np.full(len(planes), -5, np.float32), guesses)
    search.end_soon()
    while (planes := search.advance()) is not None:
        moves = search.waiting_moves
        guesses = None if moves is None else np.full(len(moves.numbers), -5, np.float32)
        search.receive(np.full(len(planes), -5, np.float32), guesses)
    assert search.root_value == -5
    assert {edge.value for edge in search.root_moves} == {-5}
