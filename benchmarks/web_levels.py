"""How strong the levels of the page are: each against the next, and against simple players.

    python benchmarks/web_levels.py --matches 100
    python benchmarks/web_levels.py --matches 100 --model models/hex-5.safetensors

Paired matches, each opening with both colours, in which levels are bounded by what they look at and
never by time; "full strength", which has nothing but time, is bounded by --full looks here. The
simple players stand for persons who begin: `random`; `two plies`, who sees a win at once and the
answer that loses at once and otherwise plays any move; and MCTS with few random matches.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from itertools import pairwise

from athenan import Budget, Error, Game, Random, SearchSpec, State, Stop, make_game
from athenan.arena import Player, PlayerSpec, Tally, Thought, play_matches, player
from athenan.arena.search_player import EvaluatorFactory, SearchPlayer, SearchPlayerSpec
from athenan.searches import combined, model_evaluator, read_model
from athenan.web.levels import LEVELS, Level, chosen_move

GAMES = ("connect_four", "breakthrough:rows=6,columns=6", "othello:size=6", "hex:size=7")
SIMPLE = {
    "random": "random",
    "two plies": "alphabeta:depth=2",
    "mcts 50": "mcts:iterations=50",
    "mcts 500": "mcts:iterations=500",
}


class LevelPlayer(Player):
    """The machine of the page at a level."""

    def __init__(self, inner: SearchPlayer, level: Level, has_model: bool) -> None:
        self.name, self._inner, self._level, self._has_model = inner.name, inner, level, has_model
        self._random = Random(0)

    def begin(self, game: Game, seed: int) -> None:
        self._inner.begin(game, seed)
        self._random = Random(seed)
        self._seed = seed
        self._game = game

    def think(
        self, state: State, budget: Budget | None = None, stop: Stop | None = None
    ) -> Thought:
        del budget
        self._inner.begin(self._game, self._random.below(1 << 30))  # a new tree, as on the page
        iterations = self._level.iterations(len(state.legal_moves()), self._has_model)
        found = self._inner.think(state, Budget(iterations=iterations), stop).result
        if found is None:
            raise Error("a search that does not tell what it found has no levels")
        return Thought(chosen_move(found, state.to_move, self._level, self._random))

    def close(self) -> None:
        self._inner.close()


@dataclass(frozen=True)
class LevelSpec(PlayerSpec):
    """A level of a search, or of a model."""

    name: str
    level: Level
    search: SearchSpec
    evaluator: EvaluatorFactory | None = None

    def make(self, game: Game, threads: int = 0) -> LevelPlayer:
        inner = SearchPlayerSpec(self.name, self.search, self.evaluator).make(game, threads or 1)
        return LevelPlayer(inner, self.level, self.evaluator is not None)


def levels_of(game: Game, model: str | None, full: int) -> list[LevelSpec]:
    search, evaluator = SearchSpec("mcts").updated("iterations=1,memory_mb=256"), None
    if model is not None:
        loaded = read_model(model)
        search = combined(SearchSpec(loaded.search), "iterations=1").with_(memory_mb=256)

        def evaluator(threads: int):  # type: ignore[no-untyped-def]
            return model_evaluator(loaded, game, search, threads)

    bounded = (*LEVELS[:-1], replace(LEVELS[-1], looks=full))
    return [LevelSpec(each.name, each, search, evaluator) for each in bounded]


def score(game: Game, a: PlayerSpec, b: PlayerSpec, matches: int) -> str:
    tally = Tally()
    for match in play_matches(game, a, b, matches, seed=1, workers=1):
        tally.add(match)
    low, high = tally.interval
    return f"{tally.counts.score:.0%} ({low:.0%} to {high:.0%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100, help="of each pairing")
    parser.add_argument("--full", type=int, default=1000, help="looks of full strength")
    parser.add_argument("--model", help="levels of this model instead of MCTS")
    parser.add_argument("--games", nargs="*", default=GAMES)
    parser.add_argument("--levels", type=int, default=len(LEVELS), help="only the first ones")
    asked = parser.parse_args()
    for name in [read_model(asked.model).game] if asked.model else asked.games:
        game = make_game(name)
        levels = levels_of(game, asked.model, asked.full)[: asked.levels]
        print(f"\n{game.id}, {asked.matches} matches of each pairing, score of the level")
        for weak, strong in pairwise(levels):
            found = score(game, strong, weak, asked.matches)
            print(f"  {strong.name} against {weak.name}: {found}", flush=True)
        for level in levels[:3]:
            for label, text in SIMPLE.items():
                found = score(game, level, player(text, game).called(label), asked.matches)
                print(f"  {level.name} against {label}: {found}", flush=True)


if __name__ == "__main__":
    main()
