"""How strong a model is: what its card says first, or the last evaluation of its run."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

from athenan._core import Error
from athenan.zoo import RUN_FILE, Stated

METRICS = "metrics.jsonl"
TAIL = 1 << 18
"""Bytes from the end of the metrics in which the last evaluation is looked for."""
MAX_WORDS = 200
Strength = dict[str, Any]


def sources(model: Path) -> list[Path]:
    """Return the files that tell of a model: itself, and the metrics of its run."""
    metrics = model.parent / METRICS
    return [model, metrics] if model.name == RUN_FILE and metrics.is_file() else [model]


def strength_of(stated: Stated) -> Strength | None:
    """Return the score of a model with its interval, and against whom; None if nobody measured it.

    A game for one has a mean score and no opponent.
    """
    if stated.path.name == RUN_FILE:
        return _evaluated(stated.path.parent / METRICS)
    from athenan.zoo.card import card_in

    try:
        card = card_in(stated)
    except Error:  # a damaged card says nothing
        return None
    if card is None or not card.claims:
        return None
    first = card.claims[0]
    return {
        "score": round(first.score, 4),
        "low": first.low,
        "high": first.high,
        "matches": first.matches,
        "opponent": first.opponent,
    }


def _evaluated(metrics: Path) -> Strength | None:
    found = None
    for text in _last_lines(metrics):
        line = _evaluation(text)
        found = line or found
    return found


def _last_lines(path: Path) -> list[bytes]:
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, io.SEEK_END) - TAIL))
            return file.read().splitlines()
    except OSError:
        return []


def _evaluation(text: bytes) -> Strength | None:
    """Return what a line of metrics says of strength; None if it is of anything else, or cut."""
    if b'"evaluation"' not in text:
        return None
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(line, dict) or line.get("kind") != "evaluation":
        return None
    matches = line.get("played")
    numbers = {name: line.get(name) for name in ("win_rate", "low", "high", "mean_score")}
    known = {name: each for name, each in numbers.items() if _is_number(each)}
    if "win_rate" in known:
        return {
            "score": known["win_rate"],
            "low": known.get("low"),
            "high": known.get("high"),
            "matches": matches if isinstance(matches, int) else None,
            "opponent": str(line.get("opponent", ""))[:MAX_WORDS],
        }
    if "mean_score" in known:
        return {"mean_score": known["mean_score"]}
    return None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
