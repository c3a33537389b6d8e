"""Learning: settings and presets, replay, the learner, and the process that joins them.

Only what settings need is imported here: the rest needs torch.
"""

from athenan.learning.completion import (
    complete_config,
    method,
    method_names,
    network_for_preset,
    preset,
    preset_names,
)
from athenan.learning.settings import Config, merged, parse_assignments

__all__ = [
    "Config",
    "complete_config",
    "merged",
    "method",
    "method_names",
    "network_for_preset",
    "parse_assignments",
    "preset",
    "preset_names",
]
