"""A run that has not learned anything, for players that need one."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_models import write_model


@pytest.fixture(scope="session")
def hex_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run directory with a tiny network of Hex 4."""
    run = tmp_path_factory.mktemp("run")
    write_model(run / "model.safetensors", "hex:size=4", "ubfm-safe:terminal=additive_depth")
    return run
