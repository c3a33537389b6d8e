"""Sequences of calls with arguments that fit and others that do not: refused or carried out."""

import pytest
from fuzz.programs import run, seeds


@pytest.mark.parametrize("data", seeds(), ids=range(len(seeds())))
def test_programs_end_well(data: bytes) -> None:
    run(data)
