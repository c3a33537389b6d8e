"""Searches and decisions that are used the wrong way say so; nothing crashes."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable

import athenan
import numpy as np
import pytest
from athenan import Error, _core

HEX = athenan.make_game("hex:size=5")
MORPION = athenan.make_game("morpion")
GAMES = {each.name: MORPION if each.for_one_player else HEX for each in _core.algorithms()}


def new_search(spec: str) -> _core.Search:
    return _core.Search(GAMES[spec.split(":")[0]], spec, 1)


def answer(search: _core.Search, planes: object) -> None:
    moves = search.waiting_moves
    logits = np.zeros(len(moves), np.float32) if moves is not None else None
    assert isinstance(planes, np.ndarray)
    search.receive(np.zeros(len(planes), np.float32), logits)


def repeat(action: Callable[[], object]) -> None:
    while True:
        action()


QUESTIONS: dict[str, Callable[[_core.Search], object]] = {
    "root_moves": lambda search: search.root_moves,
    "root_value": lambda search: search.root_value,
    "root_resolved": lambda search: search.root_resolved,
    "root_completion": lambda search: search.root_completion,
    "principal_variation": lambda search: search.principal_variation,
    "decide": lambda search: search.decide(),
}


@pytest.mark.parametrize("algorithm", GAMES)
def test_there_is_an_order_to_follow(algorithm: str) -> None:
    start = GAMES[algorithm].initial_state()
    search = new_search(f"{algorithm}:expansions=3,iterations=3")
    for again in range(2):
        for question in QUESTIONS.values():
            with pytest.raises(Error, match="knows no moves yet"):
                question(search)
        with pytest.raises(Error, match="advance was called before begin"):
            search.advance()
        with pytest.raises(Error, match="no state waits"):
            search.receive(np.empty(0, np.float32), np.empty(0, np.float32))
        with pytest.raises(Error, match=r"run_fake was called before begin|say nothing of moves"):
            search.run_fake(1)
        assert (search.labels(), len(search.targets()[1]), search.node_count) == ([], 0, 0)
        search.begin(start)
        while (planes := search.advance()) is not None:
            answer(search, planes)
        assert search.decide() in start.legal_moves()
        for question in QUESTIONS.values():
            question(search)
        search.new_match(again)


def test_begin_does_not_forget_that_values_are_waited_for() -> None:
    search = new_search("ubfm:expansions=4")
    search.begin(HEX.initial_state())
    planes = search.advance()
    assert planes is not None
    with pytest.raises(Error, match="receive them, or call new_match"):
        search.begin(HEX.initial_state())
    answer(search, planes)
    with pytest.raises(Error, match="no state waits"):
        search.receive(np.empty(0, np.float32))
    search.advance()
    search.new_match(0)  # forgets what it waits for
    search.begin(HEX.initial_state())
    search.run_fake(1)
    again = new_search("ubfm:expansions=4")
    again.new_match(0)
    again.begin(HEX.initial_state())
    again.run_fake(1)
    assert search.decide() == again.decide()


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_values_and_logits_are_finite(wrong: float) -> None:
    search = new_search("puct:iterations=3")
    search.begin(HEX.initial_state())
    assert search.advance() is not None
    one, logits = np.zeros(1, np.float32), np.zeros(25, np.float32)
    with pytest.raises(Error, match="as value number 0; a finite number"):
        search.receive(one + np.float32(wrong), logits)
    logits[7] = wrong
    with pytest.raises(Error, match="as logit number 7; a finite number"):
        search.receive(one, logits)
    search.receive(one, np.zeros(25, np.float32))
    assert search.root_value == 0


def test_a_decision_needs_moves_and_a_player() -> None:
    random, label = _core.Random(1), _core.MoveLabel(3, 0.5)
    decisions: list[Callable[[list[_core.MoveLabel], int], int]] = [
        lambda moves, player: _core.best_action(moves, player, False, random),
        lambda moves, player: _core.safest_action(moves, player, True, random),
        lambda moves, player: _core.most_visited(moves, player, random),
        lambda moves, player: _core.Selection("ordinal")(moves, player, 0.5, random),
        lambda moves, player: _core.Selection("softmax")(moves, player, math.nan, random),
    ]
    for decide in decisions:
        assert decide([label], 0) == 0
        with pytest.raises(Error, match="no move to choose from"):
            decide([], 1)
        for player in (-1, 2):
            with pytest.raises(Error, match="players are 0 and 1"):
                decide([label], player)
    untried = [_core.MoveLabel(move, -math.inf) for move in range(3)]
    assert 0 <= _core.Selection("softmax")(untried, 0, 0.0, random) < 3
    with pytest.raises(Error, match="a number, not nan"):
        _core.MoveLabel(3, math.nan)
    with pytest.raises(Error, match=r"\+1, 0 or -1, not 2"):
        _core.MoveLabel(3, 0.0, 2)
    with pytest.raises(Error, match="at least 1"):
        random.below(0)


def test_what_is_proven_is_finite_and_an_outcome() -> None:
    memory = _core.ResolvedMemory()
    keys, values = np.arange(2, dtype=np.uint64), np.zeros(2, np.float32)
    with pytest.raises(Error, match=r"\+1, 0 or -1, not 3"):
        memory.load(keys, values, np.array([0, 3], np.int8))
    for wrong in (math.nan, math.inf):
        with pytest.raises(Error, match="finite"):
            memory.load(keys, values + np.float32(wrong), np.zeros(2, np.int8))
        with pytest.raises(Error, match="finite"):
            _core.Resolved(1, wrong, 0)
    assert len(memory) == 0


def test_a_budget_is_a_number() -> None:
    for seconds in (-1.0, math.nan, math.inf):
        with pytest.raises(athenan.ParameterError, match="a number from 0 on"):
            _core.Budget(seconds=seconds)


def test_one_thread_at_a_time_uses_a_search() -> None:
    search, stop = new_search("ubfm:completion=false"), _core.Stop()
    search.begin(athenan.make_game("hex:size=5").initial_state())
    thinking = threading.Thread(target=search.run_fake, args=(1, stop))
    thinking.start()
    try:
        with pytest.raises(Error, match="this search is in use"):
            repeat(lambda: search.node_count)
    finally:
        stop.request()
        thinking.join()
    assert search.node_count > 0


def test_a_memory_does_not_change_while_it_is_read() -> None:
    memory, stop = _core.ResolvedMemory(), _core.Stop()
    search = new_search("ubfm")
    search.use_memory(memory)
    search.begin(athenan.make_game("hex:size=5").initial_state())
    thinking = threading.Thread(target=search.run_fake, args=(1, stop))
    thinking.start()
    try:
        with pytest.raises(Error, match="read by a search"):
            repeat(memory.clear)
    finally:
        stop.request()
        thinking.join()
    memory.merge([_core.Resolved(1, 1.0, 1)])
    assert len(memory) == 1


def test_numbers_beyond_reason_are_refused() -> None:
    state = HEX.initial_state()
    with pytest.raises(Error, match="at most 1000000000000"):
        state.playouts(2**64 - 1)
    with pytest.raises(Error, match="at most 1000000000"):
        _core.random_ends(HEX, "classic", 2**62, 1)
    for threads in (-1, 100_000):
        for work in (
            lambda threads: state.playouts(100, threads=threads),
            lambda threads: state.perft(4, threads=threads),
            lambda threads: HEX.encode([state], threads),
            lambda threads: _core.Pool(HEX, [_core.Mind("random")], threads=threads),
        ):
            with pytest.raises(athenan.ParameterError, match="from 0, which is one per core, to"):
                work(threads)
    for slots in (0, -1, 2**31 - 1):
        with pytest.raises(athenan.ParameterError, match="from 1 to 100000 slots"):
            _core.Pool(HEX, [_core.Mind("random")], slots=slots)
    assert state.perft(2**31 - 1) == 0  # no match is so long
    assert athenan.make_game("tic_tac_toe").perft(10) == 0
    with pytest.raises(Error, match="at least 0"):
        state.perft(-1)
    other = athenan.make_game("hex:size=11").initial_state()
    for bulk in (HEX.encode, HEX.pack, HEX.legal_moves, HEX.expand, HEX.count_children):
        with pytest.raises(Error, match="None was given to hex"):
            bulk([state, None])  # type: ignore[list-item]
        with pytest.raises(Error, match="a state of hex:size=11"):
            bulk([state, other])
    for wrong in (-1, 2**32, 1.5, None):
        with pytest.raises(athenan.IllegalMoveError, match="a move is a number of legal_moves"):
            state.play(wrong)  # type: ignore[arg-type]


def test_a_text_that_is_no_unicode_is_refused_in_a_sentence() -> None:
    with pytest.raises(athenan.ParameterError, match="a search is a SearchSpec or a text"):
        _core.Mind("\ud800")
    with pytest.raises(athenan.ParameterError, match="terminal"):
        athenan.SearchSpec("ubfm").with_(terminal="\ud800")
