"""An engine of UCI that lacks the variant is refused: it would play chess instead."""

import sys
from pathlib import Path

import athenan
import pytest
from athenan.arena.engines import EngineSpec

ENGINE = """
import sys
for line in sys.stdin:
    if line.strip() == "uci":
        print("option name UCI_Variant type combo default chess var chess var {variant}")
        print("uciok", flush=True)
    elif line.strip() == "isready":
        print("readyok", flush=True)
    elif line.strip() == "quit":
        break
"""


@pytest.mark.parametrize("variant", ["breakthrough", "horde", "amazons"])
def test_the_variant_must_be_one_that_the_engine_names(variant: str, tmp_path: Path) -> None:
    file = tmp_path / "engine.py"
    file.write_text(ENGINE.format(variant=variant))
    game = athenan.make_game("breakthrough")
    spec = EngineSpec("small", "uci", f"{sys.executable} -S -E {file}", timeout=30)
    with spec.make(game) as engine:
        if variant == "breakthrough":
            engine.begin(game, 0)
            return
        known = variant if variant == "amazons" else "none"
        expected = f"not play the variant breakthrough; of the variants known here it plays {known}"
        with pytest.raises(athenan.Error, match=f"{expected}$"):
            engine.begin(game, 0)
