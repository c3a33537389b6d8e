"""docs/science.md says what its raw results say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_tables_are_those_of_the_raw_results() -> None:
    spec = importlib.util.spec_from_file_location("make_science", DOCS / "make_science.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    page = (DOCS / "science.md").read_text(encoding="utf-8")
    assert page.count("<!-- end -->") == len(made.BLOCK.findall(page)) > 5
    assert made.filled(page) == page, "run python docs/make_science.py"
