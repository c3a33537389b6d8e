"""Engines of other programs as players: `gtp:"gnugo --mode gtp"`, or a name from engines.toml."""

from athenan.arena.engines.driver import Asking as Asking
from athenan.arena.engines.driver import Driver as Driver
from athenan.arena.engines.driver import MatchLine as MatchLine
from athenan.arena.engines.player import EnginePlayer as EnginePlayer
from athenan.arena.engines.player import EngineSpec as EngineSpec
from athenan.arena.engines.process import EngineProcess as EngineProcess
from athenan.arena.engines.registry import DRIVERS as DRIVERS
from athenan.arena.engines.texts import EngineDraft as EngineDraft
