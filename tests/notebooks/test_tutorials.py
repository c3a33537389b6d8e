"""The tutorials run from the first cell to the last."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode, read

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"
FILES = sorted(TUTORIALS.glob("*.ipynb"))
PATIENCE = 120  # seconds for a cell, on a busy machine
LARGEST = 200_000  # bytes


def load(file: Path) -> NotebookNode:
    notebook: NotebookNode = read(file, as_version=4)  # type: ignore[no-untyped-call]
    return notebook


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_tutorial_runs(file: Path, tmp_path: Path) -> None:
    notebook = load(file)
    resources = {"metadata": {"path": str(tmp_path)}}
    client = NotebookClient(notebook, timeout=PATIENCE, kernel_name="python3", resources=resources)
    client.execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/svg+xml" in each.get("data", {}) for each in shown) or any(
        "<svg" in each.get("data", {}).get("text/html", "") for each in shown
    )
    assert not any(each.output_type == "error" for each in shown)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_tutorial_is_kept_with_its_outputs_and_small(file: Path) -> None:
    assert file.stat().st_size < LARGEST
    cells = [cell for cell in load(file).cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells)
    assert "/tmp" not in file.read_text(), "a path of the machine that ran it"


def test_the_index_lists_the_tutorials() -> None:
    page = (TUTORIALS / "README.md").read_text()
    assert FILES
    assert all(f"]({file.name})" in page for file in FILES)
