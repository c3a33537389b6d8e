"""Dialogues with real engines, replayed: the bridges are tested where no engine is installed."""

from pathlib import Path

import pytest
from athenan.arena import Fault
from dialogues import FOLDER, header_of, replayed_moves

FILES = sorted(FOLDER.glob("*.txt"))


def test_there_are_dialogues_of_each_protocol_that_engines_speak_here() -> None:
    assert {"nboard", "aei", "gomocup", "gtp"} <= {header_of(file)["protocol"] for file in FILES}


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_real_dialogue_gives_the_same_moves_again(file: Path) -> None:
    assert replayed_moves(file) == header_of(file)["moves"]


def test_another_dialogue_is_noticed(tmp_path: Path) -> None:
    lines = FILES[0].read_text(encoding="utf-8").splitlines()
    last = max(
        index for index, line in enumerate(lines) if line.startswith("> ") and "quit" not in line
    )
    lines[last] = "> something else"
    changed = tmp_path / "changed.txt"
    changed.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(Fault):
        replayed_moves(changed)
