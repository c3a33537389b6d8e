"""JSON lines: many positions analysed at once; docs/analysis.md lists the fields."""

from __future__ import annotations

from functools import cache

from athenan._core import Error, Game, SearchSpec
from athenan.analysis.analyse import EXPANSIONS
from athenan.analysis.service import AnalysisService
from athenan.arena.search_player import SearchPlayerSpec
from athenan.evaluators import Evaluator, constant_evaluator
from athenan.protocols.protocol import Conversation, Write
from athenan.protocols.settings import Settings


class JsonLines(Conversation):
    """Queries, and answers by id.

    >>> import athenan, json
    >>> from athenan.protocols import converse
    >>> query = {"id": 1, "position": "xx1/oo1/3 x", "search": "ubfm-safe", "expansions": 50}
    >>> (line,) = converse("json", athenan.make_game("tic_tac_toe"), [json.dumps(query)])
    >>> json.loads(line)["best_move"]
    'c1'
    """

    name = "json"

    def __init__(self, game: Game, settings: Settings, write: Write, dialect: str = "") -> None:
        if dialect:
            raise Error(
                f"the json engine writes moves as athenan does: it has no dialect {dialect!r}"
            )
        if settings.ponder:
            raise Error("the json engine has no opponent, so it takes no --ponder")

        @cache
        def player_of(asked: Game) -> SearchPlayerSpec:
            player = settings.spec(asked, f"expansions={EXPANSIONS}")
            if not isinstance(player, SearchPlayerSpec):
                raise Error(f"{settings.model} gives no values: name a model or a search")
            return player

        def search_of(asked: Game) -> SearchSpec:
            return player_of(asked).search

        self._evaluator = _evaluator(player_of(game), settings.threads)
        self._service = AnalysisService(game, search_of, self._evaluator, write)

    def hear(self, line: str) -> bool:
        """Take a query or a command; it never ends the conversation."""
        self._service.hear(line)
        return True

    def finish(self) -> None:
        """Answer everything that was asked for."""
        self._service.finish()

    def close(self) -> None:
        """End at once."""
        self._service.close()
        self._evaluator.close()


def _evaluator(player: SearchPlayerSpec, threads: int) -> Evaluator:
    if isinstance(player.evaluator, Evaluator):
        return player.evaluator
    return player.evaluator(threads) if player.evaluator else constant_evaluator()
