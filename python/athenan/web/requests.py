"""Reading what visitors send: every field is checked before it is used."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from athenan._core import Error, Game, State
from athenan.web.bench import Thinker
from athenan.web.board import replayed, start_of
from athenan.web.catalogue import Catalogue
from athenan.web.settings import Limits, Settings

MAX_POSITION = 20_000


class Message:
    """A JSON object from a visitor."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields

    @classmethod
    def of_text(cls, text: str | bytes) -> Message:
        """Read JSON; anything but an object is refused."""
        try:
            words = text if isinstance(text, str) else text.decode()
            fields = json.loads(words)
        except (ValueError, RecursionError):
            words, fields = "", None
        if not isinstance(fields, dict):
            raise Error("a message is a JSON object")
        if "\\u" in words and not _is_unicode(fields):
            raise Error("a text in this message is not valid Unicode")
        return cls(fields)

    @property
    def reply(self) -> dict[str, Any]:
        """The number by which a visitor recognises the answers, if he gave one."""
        number = self.fields.get("id")
        if not isinstance(number, int) or isinstance(number, bool) or abs(number) >= 1 << 53:
            return {}
        return {"id": number}

    def get(self, name: str, default: Any = None) -> Any:
        """Return a field, unchecked."""
        return self.fields.get(name, default)

    def text(self, name: str, default: str | None = None, max_length: int = 200) -> str:
        """Return a text."""
        value = self.fields.get(name, default)
        if not isinstance(value, str) or len(value) > max_length:
            raise Error(f"{name!r} is a text of at most {max_length} characters")
        return value

    def number(self, name: str, default: float, low: float, high: float) -> float:
        """Return a number in a range."""
        value = self.fields.get(name, default)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (is_number and low <= value <= high):  # NaN is not, nor is an integer too large
            raise Error(f"{name!r} is a number from {low:g} to {high:g}")
        return float(value)

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        """Return an integer in a range."""
        value = self.number(name, default, low, high)
        if value != int(value):
            raise Error(f"{name!r} is an integer from {low} to {high}")
        return int(value)

    def choice(self, name: str, accepted: Iterable[str]) -> str:
        """Return one of the accepted words."""
        value = self.fields.get(name)
        if not isinstance(value, str) or value not in accepted:
            raise Error(f"{name!r} is one of {', '.join(accepted)}")
        return value

    def texts(self, name: str, max_length: int) -> list[str]:
        """Return a list of texts; none if the field is missing."""
        value = self.fields.get(name, [])
        if not isinstance(value, list) or len(value) > max_length:
            raise Error(f"{name!r} is a list of at most {max_length} texts")
        if not all(isinstance(each, str) and len(each) <= 200 for each in value):
            raise Error(f"{name!r} is a list of short texts")
        return value

    def numbers(self, name: str, max_length: int) -> list[float]:
        """Return a list of numbers; none if the field is missing."""
        value = self.fields.get(name, [])
        if not isinstance(value, list) or len(value) > max_length:
            raise Error(f"{name!r} is a list of at most {max_length} numbers")
        if not all(isinstance(each, int | float) and abs(each) < 1e300 for each in value):
            raise Error(f"{name!r} is a list of numbers")
        return value


def _is_unicode(fields: dict[str, Any]) -> bool:
    """Tell whether all texts can be written: JSON can name half of a character, as in \\ud800."""
    try:
        json.dumps(fields, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


class Reading:
    """Reads what refers to games, positions and models of this server."""

    def __init__(self, catalogue: Catalogue, settings: Settings) -> None:
        self.catalogue, self.settings = catalogue, settings
        self.limits: Limits = settings.limits

    def game(self, message: Message) -> Game:
        """Return the game of a message."""
        return self.catalogue.game(message.get("game"))

    def line(self, message: Message) -> tuple[list[State], list[int]]:
        """Return the states and moves of a line: a game, where it starts, and moves from there."""
        position = message.get("position")
        if position is not None and not (
            isinstance(position, str) and len(position) <= MAX_POSITION
        ):
            raise Error("'position' is a text in the notation of the game")
        start = start_of(self.game(message), position)
        return replayed(start, message.texts("moves", self.limits.plies))

    def thinker(self, message: Message, state: State) -> Thinker:
        """Return who shall think about a state."""
        model = message.get("model")
        if model is None:
            return Thinker()
        listed = self.catalogue.listed(model)
        if listed.game != state.game.id:
            raise Error(f"the model {listed.id!r} is for {listed.game}, not for {state.game.id}")
        return Thinker(model=listed.id)
