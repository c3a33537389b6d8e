"""Commands that are refused."""

from __future__ import annotations

import pytest
from athenan.commands import main


def complaint_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command with arguments that it refuses and return its one sentence."""
    assert main(arguments) == 2
    sentence = capsys.readouterr().err
    assert sentence.startswith("athenan: ")
    assert sentence.count("\n") == 1
    return sentence
