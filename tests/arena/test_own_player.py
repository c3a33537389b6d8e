"""A kind of player that somebody writes: one file, and it plays everybody."""

from __future__ import annotations

import json
import queue
import threading
from dataclasses import dataclass, field

import athenan
import pytest
from athenan.arena import (
    Match,
    Player,
    PlayerSpec,
    Thought,
    play_matches,
    player,
    players,
    read_player,
    tally_of,
)
from athenan.arena.players import Kind
from athenan.commands import main

FOUR = athenan.make_game("connect_four:rows=5,columns=5")


class Greedy(Player):
    """Wins at once where it can; otherwise any move."""

    name = "greedy"

    def __init__(self) -> None:
        self._random = athenan.Random(0)
        self.heard: list[tuple[int, int]] = []
        self.is_open = True

    def begin(self, game: athenan.Game, seed: int) -> None:
        assert game == FOUR
        self._random = athenan.Random(seed)
        self.heard.clear()

    def think(
        self,
        state: athenan.State,
        budget: athenan.Budget | None = None,
        stop: athenan.Stop | None = None,
    ) -> Thought:
        assert budget is None
        assert stop is not None
        assert [ply for ply, _ in self.heard] == list(range(state.ply))  # it hears of every move
        wins = [1, -1][state.to_move]
        children = zip(state.legal_moves(), state.children(), strict=True)
        winning = [move for move, child in children if child.outcome == wins]
        moves = winning or state.legal_moves()
        return Thought(moves[self._random.below(len(moves))])

    def hear(self, state: athenan.State, move: int) -> None:
        self.heard.append((state.ply, move))

    def close(self) -> None:
        self.is_open = False


@dataclass(frozen=True)
class GreedySpec(PlayerSpec):
    name: str = "greedy"
    made: list[Greedy] = field(default_factory=list, compare=False)

    def make(self, game: athenan.Game, threads: int = 0) -> Greedy:
        assert game == FOUR
        assert threads == 1
        self.made.append(Greedy())
        return self.made[-1]


def series(a: PlayerSpec, b: PlayerSpec, workers: int = 2) -> list[Match]:
    played = play_matches(FOUR, a, b, 30, seed=3, workers=workers)
    return sorted(played, key=lambda match: match.index)


@pytest.mark.parametrize("opponent", ["mcts:iterations=50", "ubfm-safe:expansions=10"])
def test_it_plays_searches(opponent: str) -> None:
    before = threading.active_count()
    greedy, search = GreedySpec(), player(opponent, FOUR)
    matches = series(greedy, search)
    assert [match.index for match in matches] == list(range(30))
    assert matches[0].players == ("greedy", opponent)
    assert matches[1].players == (opponent, "greedy")
    for match in matches:
        state = FOUR.initial_state()
        for move in match.moves:
            state = state.play(move)
        assert state.outcome == match.outcome
        mine, theirs = match.efforts_of_players
        assert mine.moves + theirs.moves == len(match.moves) - match.opening
        assert (mine.expansions, theirs.expansions > 0) == (0, True)
        assert theirs.seconds > 0
    assert len(greedy.made) == 2  # one for each worker, not for each match
    assert not any(each.is_open for each in greedy.made)
    assert threading.active_count() == before


class GreedyDraft:
    game = None

    def spec(self, game: athenan.Game, budget: str = "") -> GreedySpec:  # noqa: ARG002
        return GreedySpec()


GREEDY = Kind("greedy", lambda text: GreedyDraft() if text == "greedy" else None)


def test_a_kind_of_player_is_added_in_one_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(players, "KINDS", [*players.KINDS, GREEDY])
    assert player("greedy", FOUR) == GreedySpec()
    with pytest.raises(athenan.ParameterError, match=r"no player 'greedier'; .* or greedy$"):
        read_player("greedier")
    arguments = ["greedy", "random", "--game", FOUR.id, "--matches", "4", "--json"]
    assert main(["match", *arguments]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 4


def test_the_seed_decides_whatever_the_workers() -> None:
    def moves(workers: int) -> list[tuple[str, ...]]:
        played = series(GreedySpec(), player("mcts:iterations=20", FOUR), workers)
        return [match.moves for match in played]

    assert moves(1) == moves(3)


def test_it_beats_random_moves_in_both_seats() -> None:
    tally = tally_of(series(GreedySpec(), player("random", FOUR)))
    assert tally.counts.score > 0.6
    assert tally.as_first.matches == tally.as_second.matches == 15


def test_an_illegal_move_is_a_finding() -> None:
    class Cheat(Greedy):
        def think(self, *_: object) -> Thought:
            return Thought(10**6)

    class CheatSpec(GreedySpec):
        def make(self, game: athenan.Game, threads: int = 0) -> Greedy:  # noqa: ARG002
            return Cheat()

    matches = series(CheatSpec(), player("mcts:iterations=5", FOUR))
    assert len(matches) == 30
    for match in matches:
        assert (match.outcome, match.reason, match.who) == (None, "illegal", match.index % 2)
        assert "greedy played 1000000, which is not legal by our rules" in match.sentence
        assert "(position: " in match.sentence


def test_whatever_it_raises_ends_the_series() -> None:
    class Broken(Greedy):
        def think(self, *_: object) -> Thought:
            raise queue.Empty

    class BrokenSpec(GreedySpec):
        def make(self, game: athenan.Game, threads: int = 0) -> Greedy:  # noqa: ARG002
            return Broken()

    raised: list[BaseException] = []

    def play() -> None:
        try:
            series(BrokenSpec(), player("random", FOUR))
        except BaseException as problem:
            raised.append(problem)

    playing = threading.Thread(target=play, daemon=True)
    playing.start()
    playing.join(timeout=20)
    assert [type(each) for each in raised] == [queue.Empty]
