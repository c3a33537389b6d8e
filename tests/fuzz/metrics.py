"""Metrics files: texts as they come, and lines of a run with some values changed."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from athenan.runs.metrics import MetricsFile, as_text, read_metrics
from fuzz.choices import Choices, damaged
from fuzz.material import folder
from fuzz.material import run as small_run


@cache
def lines() -> list[dict[str, Any]]:
    """Return the lines of a run."""
    return list(read_metrics(small_run().metrics))


def seeds() -> list[bytes]:
    """Return inputs to begin with."""
    texts = [
        as_text(lines()),
        '{"kind": 1, "matches": 2, "seconds": 3}\n' * 3,
        "[" * 5000,
        '{"kind":' * 5000,
    ]
    return [b"\0" + text.encode() for text in texts] + [bytes([1, 1, a]) for a in range(20)]


def run(data: bytes) -> None:
    """Read a file: what is no line of athenan is left out."""
    choices, path = Choices(data), folder() / "metrics.jsonl"
    if choices.below(2):
        text = "\n".join(json.dumps(line) for line in damaged(lines(), choices))
        path.write_text(text, encoding="utf-8")
    else:
        path.write_bytes(choices.rest())
    kept = MetricsFile(path).forget_after(4)
    assert as_text(read_metrics(path)) == as_text(kept)
