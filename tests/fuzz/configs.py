"""Settings: texts as they come, and the settings of a run with some changed."""

from __future__ import annotations

from athenan import Error
from athenan.learning import Config, complete_config, preset
from athenan.learning.completion import preset_names
from athenan.learning.settings import parse_assignments, parse_toml
from athenan.runs.run import config_text
from fuzz.choices import Choices, damaged
from fuzz.material import check_sentence, folder
from small_runs import SMALL, small_config

ASSIGNMENTS = b"learning.batch_size=128\nseed=3\nselfplay.search=mcts:c=2\nnetwork.dense=[1,2]"


def seeds() -> list[bytes]:
    """Return inputs to begin with."""
    texts = [config_text(small_config()), "[" * 500, "a=" + "[" * 500, 'base = "fuzzed.toml"\n']
    texts += [f'base = "{name}"\ngame = "hex"\n' for name in preset_names()]
    damages = [
        bytes([2, a, b, c]) + bytes(8) for a in (1, 2, 3) for b in range(9) for c in range(4)
    ]
    return [b"\0" + text.encode() for text in texts] + [b"\1" + ASSIGNMENTS, *damages]


def settings_of(choices: Choices) -> Config:
    """Return the settings that an input describes, as a file, as assignments or as values."""
    kind = choices.below(3)
    if kind == 0:
        path = folder() / "fuzzed.toml"
        path.write_bytes(choices.rest())
        return complete_config(preset(str(path)))
    if kind == 1:
        lines = choices.rest().decode(errors="replace").split("\n")
        return complete_config({"game": "hex:size=3"} | parse_assignments(lines))
    return complete_config(damaged(small_config().model_dump() | SMALL, choices))


def run(data: bytes) -> None:
    """Complete settings: they are refused, or they are written and read as they are."""
    try:
        config = settings_of(Choices(data))
    except Error as refusal:
        check_sentence(refusal)
        return
    assert complete_config(parse_toml(config_text(config), "the settings")) == config
