"""The JSON-lines engine: many queries at once, answers by id, nothing that crashes it."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator
from typing import Any

import athenan
import pytest
from athenan._core import SearchSpec
from athenan.analysis import service as service_module
from athenan.analysis.service import AnalysisService
from athenan.evaluators import Evaluation, Evaluator, Planes, constant_evaluator
from athenan.evaluators.evaluator import LegalMoves

PATIENCE = 30


class Client:
    """A service and what it has said."""

    def __init__(
        self, game: str | athenan.Game, search: str, evaluator: Evaluator | None = None
    ) -> None:
        made = athenan.make_game(game) if isinstance(game, str) else game
        spec = SearchSpec(search)
        self.said: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self.service = AnalysisService(
            made, lambda _: spec, evaluator or constant_evaluator(), self._hear
        )

    def _hear(self, line: str) -> None:
        with self._news:
            self.said.append(json.loads(line))
            self._news.notify_all()

    def ask(self, **query: Any) -> None:
        self.service.hear(json.dumps(query))

    def wait_for(self, **wanted: Any) -> dict[str, Any]:
        """Wait for an answer with these fields."""

        def found() -> dict[str, Any] | None:
            hits = (each for each in self.said if wanted.items() <= each.items())
            return next(hits, None)

        with self._news:
            assert self._news.wait_for(lambda: found() is not None, PATIENCE), self.said[-3:]
            answer = found()
            assert answer is not None
            return answer

    def partial(self, identity: str) -> list[dict[str, Any]]:
        return [each for each in self.said if each["id"] == identity and each.get("final") is False]

    def finals(self, identity: str) -> list[dict[str, Any]]:
        return [each for each in self.said if each["id"] == identity and each.get("final")]


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client("hex:size=5", "ubfm-safe", athenan.hash_evaluator(2))
    yield made
    made.service.close()


def queries(count: int) -> list[dict[str, Any]]:
    """Return queries about positions of random matches, with different budgets and searches."""
    chance, made = random.Random(5), []
    for number in range(count):
        state, moves = athenan.make_game("hex:size=5").initial_state(), list[str]()
        for _ in range(chance.randrange(14)):
            if not state.is_terminal:
                moves.append(chance.choice(state.legal_move_strings()))
                state = state.play(moves[-1])
        query = {"id": f"q{number}", "moves": moves, "expansions": chance.randrange(2, 60)}
        query["search"] = chance.choice(["ubfm-safe", "descent", "mcts", "uct", "ubfm"])
        made.append(query | {"seed": number, "priority": chance.randrange(3)})
    return made


def without_time(answer: dict[str, Any]) -> dict[str, Any]:
    return answer | {"work": {**answer["work"], "seconds": 0}}


def test_a_hundred_queries_at_once_are_answered_as_one_by_one(client: Client) -> None:
    asked = queries(100)
    for query in asked:
        client.ask(**query)
    client.service.finish()
    together = {each["id"]: without_time(each) for each in client.said if each.get("final")}
    one_by_one = Client("hex:size=5", "ubfm-safe", athenan.hash_evaluator(2))
    for query in asked:
        one_by_one.ask(**query)
        one_by_one.wait_for(id=query["id"], final=True)
    one_by_one.service.finish()
    alone = {each["id"]: without_time(each) for each in one_by_one.said}
    assert len(together) == len(alone) == 100
    assert together == alone
    order = [each["id"] for each in client.said if each.get("final")]
    assert order != [each["id"] for each in one_by_one.said], "answers come when they are ready"


class Counting(Evaluator):
    """Counts batches and states."""

    def __init__(self) -> None:
        self.batches = self.states = 0

    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        self.batches += 1
        self.states += len(planes)
        return athenan.hash_evaluator(2).evaluate(planes, moves)


def test_the_states_of_all_queries_share_batches() -> None:
    counting = Counting()
    client = Client("hex:size=5", "ubfm-safe", counting)
    client.ask(id="first", expansions=20)
    client.wait_for(id="first", final=True)
    alone = counting.batches
    for number in range(40):
        client.ask(id=number, expansions=20, seed=number)
    client.service.finish()
    assert counting.batches - alone < 40 * alone / 4
    assert len([each for each in client.said if each.get("final")]) == 41


def test_a_whole_match_is_judged_with_its_mistakes() -> None:
    client = Client("tic_tac_toe", "ubfm-safe")
    client.ask(id="m", moves=["b2", "b1", "c1", "a3"], plies="all", expansions=2000, top=1)
    client.service.finish()
    assert sorted(each["index"] for each in client.finals("m")) == [0, 1, 2, 3, 4]
    assert all(len(each["candidates"]) <= 1 for each in client.finals("m"))
    assert client.said[-1]["kind"] == "match"
    assert [each["ply"] for each in client.said[-1]["moves"] if each["is_mistake"]] == [1]
    assert client.said[-1]["moves"][1]["lost_outcome"] == [0, -1]


def test_chosen_plies_and_other_games_are_judged(client: Client) -> None:
    client.ask(id="p", moves=["a1", "b2", "c3"], plies=[2, 0], expansions=5)
    client.ask(id="o", game="tic_tac_toe", position="xx1/oo1/3 x", expansions=50)
    client.ask(id="end", game="tic_tac_toe", position="xxx/oo1/3 o")
    client.service.finish()
    assert {each["index"] for each in client.finals("p")} == {0, 2}
    assert client.finals("o")[0]["best_move"] == "c1"
    (end,) = client.finals("end")
    assert (end["outcome"], end["best_move"], end["candidates"]) == (1, None, [])


def test_partial_answers_come_while_it_thinks(client: Client) -> None:
    client.ask(id="long", seconds=60, report_every=0.05)
    client.wait_for(id="long", final=False)
    client.ask(id="short", expansions=3)
    client.wait_for(id="short", final=True)
    deadline = time.monotonic() + PATIENCE
    while len(client.partial("long")) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    client.ask(id="c", action="cancel", query="long")
    answer = client.wait_for(id="long", final=True)
    client.wait_for(id="long", kind="cancelled")
    work = [each["work"]["expansions"] for each in [*client.partial("long"), answer]]
    assert work == sorted(work)


def test_cancelling_forgets_what_waits(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "SLOTS", 1)
    client.ask(id="busy", seconds=60)
    client.ask(id="waits", moves=["a1", "a2"], plies="all", expansions=10)
    client.ask(id="s", action="status")
    status = client.wait_for(id="s")
    assert (status["queries"], status["waiting"]) == (2, 4 - status["thinking"])
    client.ask(id="c", action="cancel", query="waits")
    assert client.wait_for(id="waits", kind="cancelled")["judged"] == []
    client.ask(id="all", action="cancel")
    client.wait_for(id="busy", kind="cancelled")
    client.ask(id="no", action="cancel", query="waits")
    assert client.wait_for(id="no")["error"] == "there is no query 'waits' to cancel"
    client.ask(id="busy", expansions=1)  # its id is free again
    client.wait_for(id="busy", final=True, ply=0)


class Gate(Evaluator):
    """Waits until it is opened."""

    def __init__(self) -> None:
        self.entered, self.opened = threading.Event(), threading.Event()

    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
        self.entered.set()
        assert self.opened.wait(PATIENCE)
        return constant_evaluator().evaluate(planes, moves)


def test_the_urgent_are_served_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "SLOTS", 1)
    gate = Gate()
    client = Client("hex:size=5", "ubfm-safe", gate)
    client.ask(id="busy", expansions=2)
    assert gate.entered.wait(PATIENCE)
    for number in range(4):
        client.ask(id=f"p{number}", priority=number, expansions=2)
    gate.opened.set()
    client.service.finish()
    assert [each["id"] for each in client.said] == ["busy", "p3", "p2", "p1", "p0"]


def test_the_queue_is_bounded(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "MAX_QUEUED", 3)
    client.ask(id="a", moves=["a1", "a2", "a3", "a4"], plies="all")
    assert "3 positions are waiting already" in client.wait_for(id="a")["error"]


@pytest.mark.parametrize(
    ("line", "identity", "sentence"),
    [
        ("nonsense", None, "this line is not JSON"),
        ("[" * 100_000, None, "this line is not JSON"),
        ("[]", None, "a query is a JSON object, not list"),
        ('{"moves": []}', None, "a query needs an id"),
        ('{"id": {}}', None, "id takes a text of at most 200 characters or an integer"),
        ('{"id": true}', None, "id takes"),
        ('{"id": "a", "mvoes": []}', "a", "there is no field 'mvoes'; there are id, game"),
        ('{"id": "a", "moves": "b2"}', "a", "moves takes a list of texts"),
        ('{"id": "a", "moves": ["z9"]}', "a", "z9"),
        ('{"id": "a", "moves": ["a1", "a1"]}', "a", "a1"),
        ('{"id": "a", "game": "chess"}', "a", "chess"),
        ('{"id": "a", "game": "x.py"}', "a", "only if the engine was started with it"),
        ('{"id": "a", "position": "nonsense"}', "a", "nonsense"),
        ('{"id": "a", "search": "nonsense"}', "a", "nonsense"),
        ('{"id": "a", "search": "puct"}', "a", "needs a policy"),
        ('{"id": "a", "search": "terminal=score"}', "a", "score"),
        ('{"id": "a", "expansions": 0}', "a", "expansions takes an integer from 1 to"),
        ('{"id": "a", "expansions": 1, "seconds": 1}', "a", "exclude each other"),
        ('{"id": "a", "seconds": NaN}', "a", "seconds takes a number"),
        ('{"id": "a", "plies": [3]}', "a", "its plies are 0 to 0"),
        ('{"id": "a", "plies": []}', "a", "plies is empty"),
        ('{"id": "a", "plies": "some"}', "a", "plies takes"),
        ('{"id": "a", "action": "dance"}', "a", "there are cancel, status, version"),
        ('{"id": "a", "action": 3}', "a", "action takes a text"),
        ('{"id": 7, "report_every": 0}', 7, "report_every takes a number from 0.01"),
    ],
)
def test_bad_queries_are_answered_in_one_sentence(
    client: Client, line: str, identity: str | int | None, sentence: str
) -> None:
    client.service.hear(line)
    (answer,) = client.said
    assert (answer["id"], answer["kind"]) == (identity, "error")
    assert sentence in answer["error"]
    assert "\n" not in answer["error"]


def test_an_id_in_use_is_refused(client: Client) -> None:
    client.ask(id="a", seconds=60)
    client.ask(id="a", expansions=1)
    assert "is in use" in client.wait_for(id="a", kind="error")["error"]


class Broken(Evaluator):
    """Fails at some states."""

    def evaluate(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:  # noqa: ARG002
        raise RuntimeError("no values\ntoday")


def test_what_fails_is_told_and_the_engine_lives_on() -> None:
    client = Client("hex:size=3", "ubfm-safe", Broken())
    client.ask(id="a", moves=["a1"], plies="all")
    assert client.wait_for(id="a")["error"] == "RuntimeError: no values today"
    client.ask(id="b", search="mcts", expansions=5)
    client.wait_for(id="b", final=True)
    client.service.finish()
    assert [each["kind"] for each in client.said] == ["error", "judgement"]


def test_a_reader_that_is_gone_ends_the_service() -> None:
    def closed(_: str) -> None:
        raise BrokenPipeError

    game = athenan.make_game("tic_tac_toe")
    service = AnalysisService(game, lambda _: SearchSpec("mcts"), constant_evaluator(), closed)
    service.hear('{"id": 1, "expansions": 5}')
    service.finish()


def mutated(line: str, chance: random.Random) -> str:
    """Change a line in a few places."""
    letters = list(line)
    for _ in range(chance.randrange(1, 5)):
        place = chance.randrange(len(letters) + 1)
        choice = chance.random()
        if choice < 0.4 and place < len(letters):
            del letters[place]
        elif choice < 0.7:
            letters.insert(place, chance.choice('{}[]":,0123456789-eE.truefalsnull\\\u00e9\x00'))
        else:
            letters[place : place + 8] = chance.choice(
                ['"all"', "null", "-1", "1e999", "[]", '"id"', "{}", "true"]
            )
    return "".join(letters)


def test_mutated_lines_never_crash_it(client: Client) -> None:
    chance = random.Random(11)
    lines = [
        '{"id": "a", "moves": ["c3", "b2"], "plies": "all", "expansions": 3, "top": 2}',
        '{"id": "b", "game": "tic_tac_toe", "position": "3/3/3 x", "expansions": 2}',
        '{"id": "c", "action": "cancel", "query": "a"}',
        '{"id": "d", "action": "status"}',
        '{"id": "e", "search": "mcts:iterations=9", "seed": 3, "priority": -1}',
        '{"id": "f", "search": "alphabeta:depth=1", "report_every": 0.5}',
    ]
    for _ in range(600):
        client.service.hear(mutated(chance.choice(lines), chance))
    client.ask(id="stop", action="cancel")
    client.wait_for(id="stop")
    client.ask(id="alive", expansions=2)
    client.wait_for(id="alive", final=True)
    kinds = {each["kind"] for each in client.said}
    assert (
        {"error", "judgement"}
        <= kinds
        <= {
            "error",
            "judgement",
            "match",
            "cancel",
            "cancelled",
            "status",
            "version",
        }
    )
    for each in client.said:
        if each["kind"] == "error":
            assert each["error"]
            assert "\n" not in each["error"]
