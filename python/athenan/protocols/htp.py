"""HTP, the Hex world's form of GTP, for Hex and Havannah: HexGui and the programs of benzene."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from athenan.protocols.gtp_core import Failure, GtpCore

SWAP = "allow_swap"


class Htp(GtpCore):
    """Hex and Havannah."""

    name: ClassVar[str] = "htp"

    def _own_commands(self) -> dict[str, Callable[[list[str]], str | None]]:
        return super()._own_commands() | {
            "boardsize": self._boardsize,
            "param_game": self._param_game,
            "all_legal_moves": lambda _: self._legal_moves(),
            "final_score": lambda _: self._final_score(),
            "hexgui-analyze_commands": lambda _: "string/Position/athenan-position",
        }

    def _boardsize(self, words: list[str]) -> str:
        if not 1 <= len(words) <= 2 or len(set(words)) != 1:
            raise Failure("boardsize takes one size, or the same twice")
        return self.begin_in(self.game_with("size", words[0], "unacceptable size"))

    def _param_game(self, words: list[str]) -> str:
        """Show or set whether the second player may swap."""
        if not words:
            return f"[bool] {SWAP} {int(self.engine.game.offers_swap)}"
        if len(words) != 2 or words[0] != SWAP or words[1] not in ("0", "1"):
            raise Failure(f"param_game takes {SWAP} and 0 or 1")
        value = "true" if words[1] == "1" else "false"
        return self.begin_in(self.game_with("swap", value, "there is no swap"))

    def _legal_moves(self) -> str:
        state, write = self.engine.state, self.engine.dialect.write
        return " ".join(write(state, move) for move in state.legal_moves())

    def _final_score(self) -> str:
        outcome = self.engine.state.outcome
        if outcome is None:
            raise Failure("cannot score")
        if outcome == 0:
            return "0"
        return f"{self.colour_of(0 if outcome > 0 else 1)[0].upper()}+"
