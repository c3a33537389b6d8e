"""The protocols that engines are driven in. A new one is one file, and one entry here."""

from __future__ import annotations

from athenan.arena.engines.aei import AeiDriver
from athenan.arena.engines.driver import Driver
from athenan.arena.engines.gomocup import GomocupDriver
from athenan.arena.engines.gtp import GtpDriver
from athenan.arena.engines.htp import HtpDriver
from athenan.arena.engines.hub import HubDriver
from athenan.arena.engines.nboard import NBoardDriver
from athenan.arena.engines.ucci import UcciDriver
from athenan.arena.engines.uci import UaiDriver, UciDriver, UgiDriver

DRIVERS: dict[str, type[Driver]] = {
    each.protocol: each
    for each in (
        GtpDriver,
        HtpDriver,
        UciDriver,
        UcciDriver,
        UaiDriver,
        NBoardDriver,
        AeiDriver,
        GomocupDriver,
        HubDriver,
        UgiDriver,
    )
}
"""By the name of the protocol."""
