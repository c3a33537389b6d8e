"""Training from Python, in one call."""

from pathlib import Path

from athenan.runs import train
from small_runs import SMALL


def test_what_is_not_named_comes_from_the_settings(tmp_path: Path) -> None:
    settings = SMALL | {"seed": 7, "stop": {"matches": 1}}
    assert train("tic_tac_toe", tmp_path / "one", settings=settings).config().seed == 7
    other = train("tic_tac_toe", tmp_path / "other", seed=3, matches=2, settings=settings).config()
    assert (other.seed, other.stop.matches) == (3, 2)
