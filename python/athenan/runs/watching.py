"""The match that a training plays at this moment, in a small file of its run, for spectators."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from athenan._core import Game
from athenan.arena.record import notation_of
from athenan.files import write_text
from athenan.selfplay.source import Glimpse

EVERY = 1.0  # seconds between two looks
FORGOTTEN = 30.0  # seconds after which the training that wrote it has ended
NOTHING = (-1, -1)


class Window:
    """Shows a match of self-play in a file. A training goes on if that fails."""

    def __init__(self, file: Path, game: Game) -> None:
        self._file, self._game = file, game
        self._looked = float("-inf")
        self._shown = NOTHING

    def look(self, seen: Glimpse | None) -> None:
        """Show a match as it is now."""
        if seen is None:
            return
        if (seen.number, len(seen.moves)) == self._shown:
            with suppress(OSError):
                self._file.touch()  # nobody has moved, and it is still being played
            return
        moves = notation_of(self._game.initial_state(), seen.moves)
        shown = {
            "game": self._game.id,
            "number": seen.number,
            "moves": moves,
            "values": [round(value, 4) for value in seen.values],
        }
        with suppress(OSError):
            write_text(self._file, json.dumps(shown), lasting=False)
            self._shown = seen.number, len(seen.moves)

    @property
    def is_due(self) -> bool:
        """Whether it is time for the next look."""
        now = time.monotonic()
        if now - self._looked < EVERY:
            return False
        self._looked = now
        return True

    def close(self) -> None:
        """Show nothing more; what another process shows is left alone."""
        if self._shown != NOTHING:
            with suppress(OSError):
                self._file.unlink(missing_ok=True)


def read_match(file: Path) -> dict[str, Any] | None:
    """Return the match that is shown; none if no training runs."""
    try:
        age = time.time() - file.stat().st_mtime
        shown = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if age > FORGOTTEN or not isinstance(shown, dict):
        return None
    return shown
