"""UAI, UCI's shape for Ataxx; black, the first player, is x."""

from __future__ import annotations

from typing import ClassVar

from athenan.protocols.uci_core import UciCore, Words


class Uai(UciCore):
    """Ataxx."""

    name: ClassVar[str] = "uai"
    words: ClassVar[Words] = Words("uai", "uainewgame", ("btime", "wtime"), ("binc", "winc"))
