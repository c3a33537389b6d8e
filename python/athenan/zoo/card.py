"""The card of a model: how it was trained, how strong it is, and what its limits are.

The card is stored in the model file, and the page of a model is made only from this file, so the
two cannot disagree. Every claim of strength names the opponent, both budgets, the number of
matches, the interval, and the command that repeats it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from athenan._core import Error
from athenan.zoo import CARD, Stated

PRECISIONS = {"F16": "half precision", "F32": "single precision", "BF16": "bfloat16"}
SHOWN = 12
"""Rows of a curve at most; some points of a longer curve are left out."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_max_length=4096)


class Training(_Part):
    """How a model was trained."""

    command: str = Field(description="what was typed")
    commit: str = Field("", description="of athenan")
    hardware: str = Field("", description="as in one H200")
    minutes: float = Field(ge=0, description="of training, evaluations apart")
    matches: int = Field(ge=0)
    evaluated: int = Field(0, ge=0, description="states that self-play evaluated")
    generated: int = Field(0, ge=0)
    learned: int = Field(0, ge=0)


class Point(_Part):
    """One evaluation during the training."""

    minutes: float = Field(ge=0)
    matches: int = Field(ge=0, description="learned until then")
    opponent: str
    search: str
    played: int = Field(ge=1)
    score: float = Field(ge=0, le=1)
    low: float = Field(ge=0, le=1)
    high: float = Field(ge=0, le=1)


class Claim(_Part):
    """A series of matches against an opponent."""

    opponent: str = Field(description="in words for people, with its budget")
    player: str = Field(description="the search that the model played with")
    game: str = Field("", description="if it is not quite the model's own")
    matches: int = Field(ge=1)
    wins: int = Field(ge=0)
    draws: int = Field(ge=0)
    losses: int = Field(ge=0)
    low: float = Field(ge=0, le=1, description="of 95 %")
    high: float = Field(ge=0, le=1)
    command: str = Field("", description="that repeats it; empty if there is none")

    @property
    def score(self) -> float:
        """Draws count half."""
        return (self.wins + self.draws / 2) / self.matches


class Solo(_Part):
    """Matches of a game for one, and the best of them."""

    player: str = Field(description="the search that the model played with")
    matches: int = Field(ge=1)
    mean: float = Field(description="score")
    best: float
    moves: tuple[str, ...] = Field(max_length=10_000, description="of the best match")
    command: str = Field(description="that repeats it")


class Card(_Part):
    """What is known about a model besides its network."""

    training: Training
    curve: tuple[Point, ...] = Field((), max_length=10_000)
    claims: tuple[Claim, ...] = Field((), max_length=1000)
    solos: tuple[Solo, ...] = Field((), max_length=100)
    limits: tuple[str, ...] = Field((), max_length=100)

    def with_claims(self, claims: Iterable[Claim]) -> Card:
        """Return the card with more claims; one against the same opponent replaces the old one."""
        known = {(each.opponent, each.player, each.game): each for each in self.claims}
        known |= {(each.opponent, each.player, each.game): each for each in claims}
        return self.model_copy(update={"claims": tuple(known.values())})

    def with_solos(self, solos: Iterable[Solo]) -> Card:
        """Return the card with more matches of a game for one, likewise."""
        known = {each.player: each for each in (*self.solos, *solos)}
        return self.model_copy(update={"solos": tuple(known.values())})


def card_in(stated: Stated) -> Card | None:
    """Return the card that a model file carries, if it has one."""
    text = stated.info.get(CARD)
    if text is None:
        return None
    try:
        return Card.model_validate_json(text)
    except ValidationError as problem:
        raise Error(f"the card in {stated.path.name} is damaged: {_first(problem)}") from None


def card_of(fields: Mapping[str, Any], what: str) -> Card:
    """Read a card from a file of settings."""
    try:
        return Card.model_validate(fields)
    except ValidationError as problem:
        raise Error(f"{what} does not describe a card: {_first(problem)}") from None


def _first(problem: ValidationError) -> str:
    found = problem.errors()[0]
    where = ".".join(map(str, found["loc"])) or "its text"
    return f"{where}: {found['msg'].removeprefix('Value error, ')}"


def page(stated: Stated) -> str:
    """Write the page of a model, in Markdown."""
    card = card_in(stated)
    parts = [f"# {stated.name}\n", _facts(stated)]
    if card is None:
        return "\n".join([*parts, "This model has no card."]) + "\n"
    parts += ["## How it was trained\n", _training(card.training)]
    if card.curve:
        parts += ["## Evaluations during the training\n", _curve(card.curve)]
    parts += ["## How strong it is\n", _strength(card, stated.game)]
    if card.limits:
        parts += ["## Limits\n", "\n".join(f"- {each}" for each in card.limits) + "\n"]
    parts.append("<!-- made from the model file by athenan publish -->")
    return "\n".join(parts) + "\n"


def _facts(stated: Stated) -> str:
    words = PRECISIONS.get(stated.type, stated.type)
    return table(
        ("", ""),
        [
            ("game", f"`{stated.game}`"),
            ("search", f"`{stated.search}`"),
            ("network", network_in_words(stated)),
            ("file", f"{stated.weights:,} weights in {words}, {stated.size / 1e6:.2f} MB"),
        ],
    )


def network_in_words(stated: Stated) -> str:
    """Describe the network of a model file."""
    shape = stated.architecture
    if shape.get("code"):
        return f"a module of your own: `{shape['code']}`"
    dense = " and ".join(str(width) for width in shape.get("dense", ())) or "none"
    words = [
        f"{shape.get('convolutions')} convolution{'' if shape.get('convolutions') == 1 else 's'}",
        f"{shape.get('blocks')} residual block{'' if shape.get('blocks') == 1 else 's'} of "
        f"{shape.get('filters')} filters",
    ]
    if shape.get("squeeze"):
        words.append(f"squeeze-and-excitation 1:{shape['squeeze']}")
    if shape.get("pooling"):
        words.append(f"global sum pooling of {shape['pooling']} filters")
    return ", ".join([*words, f"dense layers: {dense}"])


def _training(training: Training) -> str:
    rows = [
        ("hardware", training.hardware or "not stated"),
        ("minutes", f"{training.minutes:.3g}"),
        ("matches learned", f"{training.matches:,}"),
    ]
    for name in ("evaluated", "generated", "learned"):
        if count := getattr(training, name):
            rows.append((f"states {name}", f"{_rounded(count)}"))
    if training.commit:
        rows.append(("commit", f"`{training.commit}`"))
    return f"{table(('', ''), rows)}\n```sh\n{training.command}\n```\n"


def _curve(curve: tuple[Point, ...]) -> str:
    step = -(-(len(curve) - 1) // (SHOWN - 1)) or 1
    shown = [each for i, each in enumerate(curve) if i % step == 0 or i == len(curve) - 1]
    rows = [
        (
            f"{each.minutes:.3g}",
            f"{each.matches:,}",
            f"`{each.search}`",
            f"`{each.opponent}`",
            str(each.played),
            in_percent(each.score, each.low, each.high),
        )
        for each in shown
    ]
    return table(("minutes", "matches learned", "search", "opponent", "matches", "score"), rows)


def _strength(card: Card, game: str) -> str:
    parts = [_claims(card.claims)] if card.claims else []
    parts += [_solos(card.solos, game)] if card.solos else []
    return "\n".join(parts) or "Its strength was not measured.\n"


def _solos(solos: tuple[Solo, ...], game: str) -> str:
    rows = [
        (f"`{each.player}`", str(each.matches), f"{each.mean:.1f}", f"{each.best:g}")
        for each in solos
    ]
    best = max(solos, key=lambda each: each.best)
    commands = "".join(f"{each.command}\n" for each in solos)
    return (
        f"{table(('search', 'matches', 'mean score', 'best score'), rows)}\n"
        f"```sh\n{commands}```\n\n"
        f"The match with the score {best.best:g}:\n\n"
        f"```sh\nathenan show {game} {' '.join(best.moves)}\n```\n"
    )


def _claims(claims: tuple[Claim, ...]) -> str:
    rows = [
        (
            f"`{each.player}`",
            each.opponent + (f", in `{each.game}`" if each.game else ""),
            f"{each.wins}, {each.draws}, {each.losses}",
            str(each.matches),
            in_percent(each.score, each.low, each.high),
        )
        for each in claims
    ]
    heads = ("search", "opponent", "wins, draws, losses", "matches", "score")
    commands = "".join(f"{each.command}\n" for each in claims if each.command)
    repeated = f"\n```sh\n{commands}```\n" if commands else ""
    return f"{table(heads, rows)}{repeated}"


def claims_table(models: Iterable[Stated]) -> str:
    """Write every series of every card in one table, in Markdown."""
    cards = [(f"`{stated.name}`", card) for stated in models if (card := card_in(stated))]
    rows = [
        (
            name,
            f"`{claim.player}`",
            claim.opponent + (f", in `{claim.game}`" if claim.game else ""),
            str(claim.matches),
            in_percent(claim.score, claim.low, claim.high),
        )
        for name, card in cards
        for claim in card.claims
    ]
    rows += [
        (
            name,
            f"`{solo.player}`",
            "none (a game for one)",
            str(solo.matches),
            f"{solo.mean:.1f} points, the best {solo.best:g}",
        )
        for name, card in cards
        for solo in card.solos
    ]
    return table(("model", "its search", "opponent", "matches", "score"), rows)


def in_percent(score: float, low: float, high: float) -> str:
    """Write a score with its interval.

    >>> in_percent(0.5, 0.31, 0.69)
    '50 % (31–69)'
    """
    return f"{100 * score:.3g} % ({100 * low:.0f}–{100 * high:.0f})"


def _rounded(count: int) -> str:
    return f"{count:,}" if count < 10**6 else f"{count / 1e6:,.3g} million"


def table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Write a table in Markdown."""
    lines = [heads, ("---",) * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
