"""Exported runs: files that were changed inside and sealed again."""

from __future__ import annotations

import shutil
from functools import cache
from typing import Any

from athenan import Error, load_model
from athenan.files import Arrays, read_sealed, write_sealed
from athenan.runs import Run
from athenan.runs.checkpoint import latest_readable
from athenan.runs.export import KIND, VERSION, export_run, import_run
from athenan.runs.metrics import read_metrics
from fuzz.choices import Choices, damaged, damaged_arrays
from fuzz.material import check_sentence, folder
from fuzz.material import run as small_run


@cache
def whole() -> tuple[Arrays, dict[str, Any]]:
    """Return what an exported run holds."""
    export_run(small_run(), folder() / "exported")
    return read_sealed(folder() / "exported", KIND, VERSION)


def seeds() -> list[bytes]:
    """Return inputs to begin with."""
    return [bytes([a, b, c, 1]) + bytes(9) for a in range(4) for b in range(9) for c in range(8)]


def run(data: bytes) -> None:
    """Make a run of a changed file: it is refused, or it is a run."""
    choices, path, target = Choices(data), folder() / "fuzzed", Run(folder() / "imported")
    shutil.rmtree(target.path, ignore_errors=True)
    arrays, values = whole()
    arrays, values = damaged_arrays(arrays, choices), damaged(values, choices)
    if choices.one_in(2) and isinstance(values, dict):
        values["config"] = choices.rest().decode(errors="replace")
    write_sealed(path, KIND, VERSION, arrays, values)
    try:
        matches = import_run(path, target)
    except Error as refusal:
        check_sentence(refusal)
        assert not target.path.exists()
        return
    target.config()
    load_model(target.model)
    assert latest_readable(target.checkpoints)[0].stem == f"{matches:09d}"
    list(read_metrics(target.metrics))
