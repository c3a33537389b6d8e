"""UGI, the Universal Game Interface: UCI's shape for every game, in the game's own notation.

The players are p1 and p2; `query` asks about the position. Games written in Python are served too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from athenan._core import Error
from athenan.protocols.uci_core import UciCore, Words

RESULTS = {None: "none", 1: "p1win", 0: "draw", -1: "p2win"}


class Ugi(UciCore):
    """Every game."""

    name: ClassVar[str] = "ugi"
    words: ClassVar[Words] = Words(
        "ugi", "uginewgame", ("p1time", "p2time"), ("p1inc", "p2inc"), "bestmove none"
    )

    def own_commands(self) -> dict[str, Callable[[list[str]], None]]:
        """Return query: whose turn it is, whether the match is over, and how it ended."""
        return {"query": self._query}

    def _query(self, words: list[str]) -> None:
        state = self.engine.state
        answers = {
            "p1turn": lambda: str(state.to_move == 0).lower(),
            "gameover": lambda: str(state.is_terminal).lower(),
            "result": lambda: RESULTS[state.outcome],
        }
        if len(words) != 1 or words[0] not in answers:
            raise Error(f"query takes one of {', '.join(answers)}")
        self.send(f"response {answers[words[0]]()}")
