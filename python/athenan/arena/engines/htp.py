"""Driving engines that speak HTP: Hex and Havannah."""

from __future__ import annotations

from typing import ClassVar

from athenan.arena.engines.gtp import GtpDriver


class HtpDriver(GtpDriver):
    """Hex and Havannah: sizes, and whether a swap is allowed."""

    protocol: ClassVar[str] = "htp"

    def set_board(self) -> None:
        """Set the size and the swap, and empty the board."""
        if "param_game" in self.known:
            self.command(f"param_game allow_swap {int(self.game.offers_swap)}")
        elif "swap" in self.known:
            self.command(f"swap {int(self.game.offers_swap)}")
        self.command(f"boardsize {self.option_of_game('size')}")
        self.command("clear_board")
