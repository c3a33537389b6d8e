"""UCI for the variants of Fairy-Stockfish: chess programs show our thinking about other games."""

from __future__ import annotations

from typing import ClassVar

from athenan._core import Error
from athenan.dialects.uci_variants import UciVariant, uci_variants
from athenan.games import make_game
from athenan.protocols.uci_core import UciCore, Words

VARIANT = "UCI_Variant"


class Uci(UciCore):
    """The games that Fairy-Stockfish knows."""

    name: ClassVar[str] = "uci"
    words: ClassVar[Words] = Words("uci", "ucinewgame", ("wtime", "btime"), ("winc", "binc"))

    def own_options(self) -> list[str]:
        """Return the variants."""
        dialect = self.engine.dialect
        own = dialect.variant if isinstance(dialect, UciVariant) else ""
        names = " ".join(f"var {name}" for name in uci_variants())
        return [f"option name {VARIANT} type combo default {own} {names}"]

    def set_own_option(self, name: str, value: str) -> bool:
        """Play another variant, from its start."""
        if name.lower() != VARIANT.lower():
            return False
        dialect, games = self.engine.dialect, uci_variants()
        if isinstance(dialect, UciVariant) and dialect.variant == value:
            return True
        if value not in games:
            raise Error(f"there is no variant {value!r}; there are {', '.join(games)}")
        self.change_game(make_game(games[value]))
        return True
