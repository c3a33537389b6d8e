"""Games of stones, as the protocols GTP and HTP write them."""

from __future__ import annotations

from athenan._core import State
from athenan.dialects.dialect import Dialect


class GoDialect(Dialect):
    """GTP's vertices: columns without I, row 1 at the bottom, in capitals; pass in any."""

    def read(self, state: State, text: str) -> int:
        """Return the move of a vertex or of a pass."""
        return super().read(state, "pass" if text.lower() == "pass" else text.upper())
