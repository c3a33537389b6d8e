"""Seeds from seeds: one for each match of a series, and for each player of a match."""

from __future__ import annotations

import numpy as np


def seed_of(seed: int, index: int) -> int:
    """Return the seed of this index below another seed."""
    return int(np.random.SeedSequence([seed, index]).generate_state(1, np.uint64)[0])
