"""Learning: settings and presets, replay, the learner, and the process that joins them.

Only `settings` and `presets` are imported here: the rest needs torch.
"""

from athenan.learning.presets import complete_config, network_for_preset, preset, preset_names
from athenan.learning.settings import Config, make_config, merged, parse_assignments

__all__ = [
    "Config",
    "complete_config",
    "make_config",
    "merged",
    "network_for_preset",
    "parse_assignments",
    "preset",
    "preset_names",
]
