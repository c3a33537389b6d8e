"""Trainings that are closed in the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from athenan.learning.training import Training


@pytest.fixture
def made() -> Iterator[list[Training]]:
    trainings: list[Training] = []
    yield trainings
    for training in trainings:
        training.close()
