"""Runs: the directory of a learning process, its checkpoints and metrics, and who trains it."""

from athenan.runs.run import Run, free_name

__all__ = ["Run", "free_name"]
