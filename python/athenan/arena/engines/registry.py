"""The protocols that engines are driven in. A new one is one file, and one entry here."""

from __future__ import annotations

from athenan.arena.engines.driver import Driver
from athenan.arena.engines.gtp import GtpDriver
from athenan.arena.engines.uci import UciDriver, UgiDriver

DRIVERS: dict[str, type[Driver]] = {
    each.protocol: each for each in (GtpDriver, UciDriver, UgiDriver)
}
"""By the name of the protocol."""
