"""athenan by UGI, UCI, UCCI and UAI: positions, limits, options, streams, stop and pondering."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Sequence

import athenan
import pytest
from athenan.protocols import Settings, converse, protocol_entry, serve

FOUR = athenan.make_game("connect_four:rows=5,columns=5")
QUICK = Settings(model="ubfm-safe:expansions=20", seed=1)


def said(*lines: str, game: athenan.Game = FOUR, protocol: str = "ugi") -> list[str]:
    return converse(protocol, game, lines, QUICK)


class Slowly:
    """A client that waits for what it hears before its next line."""

    def __init__(self, game: athenan.Game, settings: Settings, protocol: str = "ugi") -> None:
        self.heard: list[str] = []
        self.times: list[float] = []
        self._news = threading.Condition()
        self._protocol = protocol_entry(protocol).protocol(game, settings, self._hear)

    def _hear(self, line: str) -> None:
        with self._news:
            self.heard.append(line)
            self.times.append(time.perf_counter())
            self._news.notify_all()

    def wait_for(self, start: str, count: int = 1) -> float:
        """Wait until so many lines begin with a text; return when the last one came."""

        def found() -> list[float]:
            pairs = zip(self.heard, self.times, strict=True)
            return [at for line, at in pairs if line.startswith(start)]

        with self._news:
            assert self._news.wait_for(lambda: len(found()) >= count, 30), self.heard
            return found()[count - 1]

    def converse(self, lines: Iterator[str]) -> None:
        serve(self._protocol, lines)


def test_it_introduces_itself() -> None:
    lines = said("ugi", "isready", "quit")
    assert lines[0].startswith("id name athenan")
    assert lines[-2:] == ["ugiok", "readyok"]
    assert "option name Seed type spin default 1 min 0 max 9223372036854775808" in lines


def test_positions_and_queries() -> None:
    won = "position startpos moves a b a b a b a"
    lines = ["position startpos moves a b", "query p1turn", won, "query gameover", "query result"]
    assert said(*lines, "go") == [
        "response true",
        "response true",
        "response p1win",
        "bestmove none",
    ]
    fen = FOUR.initial_state().play("c").position
    assert said(f"position fen {fen} moves c", "query p1turn", "query result") == [
        "response true",
        "response none",
    ]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("position", "position takes startpos, or fen"),
        ("position fen nonsense", "nonsense"),
        ("position startpos moves a q", "q"),
        ("setoption nonsense", "setoption takes name"),
        ("setoption name Wings value 2", "there is no option 'Wings'; there are model"),
        ("setoption name Threads value many", "takes an integer from 0 to 1024, not 'many'"),
        ("setoption name Model value nowhere", "there is no player 'nowhere'"),
        ("query wealth", "query takes one of p1turn, gameover, result"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(line: str, complaint: str) -> None:
    problem, turn = said("position startpos moves a", line, "query p1turn")
    assert problem.startswith("info string error: ")
    assert complaint in problem
    assert turn == "response false"


def test_unknown_words_are_passed_over() -> None:
    assert said("joho isready", "what is this", "", "isready") == ["readyok", "readyok"]


def test_the_budget_is_the_clients_or_our_own() -> None:
    for go, nodes in (("go", 20), ("go nodes 5", 5), ("go movetime 5000", 20), ("go depth 3", 20)):
        *infos, best = said("position startpos moves c", go)
        assert best.startswith("bestmove ")
        assert int(re.findall(r" nodes (\d+) ", infos[-1])[0]) == nodes


def test_lines_are_those_of_the_search_and_proven_ends_are_mates() -> None:
    game = athenan.make_game("tic_tac_toe")
    *infos, best = said("position fen xx1/oo1/3 x", "go nodes 50", game=game)
    assert best == "bestmove c1"
    assert " multipv 1 score mate 1 " in infos[-1]
    assert infos[-1].endswith(" pv c1")
    lost = said("position fen xxo/oo1/xx1 o", "go nodes 50", game=game)
    assert lost[-1] == "bestmove c2"
    lines = said("setoption name MultiPV value 3", "position startpos", "go nodes 30", game=game)
    assert [re.findall(r"multipv (\d)", line)[0] for line in lines[-4:-1]] == ["1", "2", "3"]


def test_a_clock_is_spread_over_the_match() -> None:
    client = Slowly(FOUR, Settings(model="mcts", seed=1))

    def lines() -> Iterator[str]:
        yield "isready"
        started = time.perf_counter()
        yield "go p1time 2000 p2time 60000 p1inc 50"
        spent = client.wait_for("bestmove") - started
        assert 0.02 < spent < 1.9

    client.converse(lines())


def test_stop_ends_infinite_thinking_and_only_stop() -> None:
    client = Slowly(FOUR, Settings(model="mcts", seed=1))

    def lines() -> Iterator[str]:
        yield "isready"
        yield "go infinite"
        client.wait_for("info depth")
        assert not any(line.startswith("bestmove") for line in client.heard)
        yield "isready"
        client.wait_for("readyok", 2)
        yield "stop"
        client.wait_for("bestmove")
        yield "stop"

    client.converse(lines())
    assert sum(line.startswith("bestmove") for line in client.heard) == 1


def test_a_proven_position_waits_for_stop_too() -> None:
    game = athenan.make_game("tic_tac_toe")
    client = Slowly(game, QUICK)

    def lines() -> Iterator[str]:
        yield "position fen xx1/oo1/3 x"
        yield "go infinite"
        client.wait_for("info depth")
        time.sleep(0.1)
        assert not any(line.startswith("bestmove") for line in client.heard)
        yield "stop"
        client.wait_for("bestmove c1")

    client.converse(lines())


def test_a_ponderhit_starts_the_clock() -> None:
    client = Slowly(FOUR, Settings(model="mcts", seed=1))

    def lines() -> Iterator[str]:
        yield "position startpos moves c c"
        yield "go ponder movetime 100"
        client.wait_for("info depth")
        time.sleep(0.15)
        assert not any(line.startswith("bestmove") for line in client.heard)
        yield "ponderhit"
        client.wait_for("bestmove")
        yield "go ponder nodes 20"
        yield "stop"
        client.wait_for("bestmove", 2)

    client.converse(lines())


@pytest.mark.parametrize(
    ("protocol", "game", "lines", "last"),
    [
        ("uci", "breakthrough", ["position startpos moves a2a3 h7h6", "go nodes 2"], "bestmove"),
        ("uci", "amazons", ["go nodes 2"], "bestmove"),
        ("ucci", "xiangqi", ["position startpos moves h2e2", "go time 100"], "bestmove"),
        ("uai", "ataxx", ["position fen x5o/7/7/7/7/7/o5x x 0 1", "go nodes 2"], "bestmove"),
        ("ucci", "xiangqi", ["ucci", "quit"], "bye"),
    ],
)
def test_the_relatives(protocol: str, game: str, lines: Sequence[str], last: str) -> None:
    assert said(*lines, game=athenan.make_game(game), protocol=protocol)[-1].startswith(last)


def test_a_whole_turn_is_one_move() -> None:
    game = athenan.make_game("amazons")
    lines = ["position startpos moves d1d7,d7g7", "go nodes 2"]
    best = said(*lines, game=game, protocol="uci")[-1]
    assert re.fullmatch(r"bestmove [a-j]\d+[a-j]\d+,[a-j]\d+[a-j]\d+", best)


def test_a_variant_is_another_game() -> None:
    lines = [
        "setoption name UCI_Variant value clobber",
        "position startpos moves b1a1",
        "go nodes 2",
    ]
    settings = Settings(model="mcts:expansions=5", seed=1)
    best = converse("uci", athenan.make_game("breakthrough"), lines, settings)[-1]
    assert re.match(r"bestmove [a-e]\d[a-e]\d", best)
    refused = converse(
        "uci", athenan.make_game("breakthrough"), ["setoption name UCI_Variant value chess"]
    )
    assert refused[0].startswith("info string error: there is no variant 'chess'; there are")


def test_ucci_counts_seconds_until_it_is_told_otherwise() -> None:
    game = athenan.make_game("xiangqi")
    settings = Settings(model="mcts", seed=1)
    lines = ["setoption usemillisec true", "isready", "go time 60 movestogo 1"]
    started = time.perf_counter()
    assert converse("ucci", game, lines, settings)[-1].startswith("bestmove")
    assert time.perf_counter() - started < 10  # not a minute
