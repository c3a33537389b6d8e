"""Runs: the directory of a learning process, its checkpoints and metrics, and who trains it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from athenan.runs.run import Run, free_name

if TYPE_CHECKING:
    from athenan.runs.starting import train

__all__ = ["Run", "free_name", "train"]


def __getattr__(name: str) -> object:
    if name != "train":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from athenan.runs.starting import train  # here: it needs torch

    return train
