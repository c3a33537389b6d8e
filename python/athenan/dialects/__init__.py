"""Dialects: how communities write moves and positions, beside athenan's own notation.

>>> from athenan.dialects import dialect_for
>>> from athenan.games import make_game
>>> go = dialect_for("gtp", make_game("go:size=9"))
>>> go.write(go.game.initial_state(), go.read(go.game.initial_state(), "d4"))
'D4'
"""

from athenan.dialects.dialect import Dialect as Dialect
from athenan.dialects.dialect import illegal as illegal
from athenan.dialects.registry import DIALECTS as DIALECTS
from athenan.dialects.registry import DialectEntry as DialectEntry
from athenan.dialects.registry import dialect_for as dialect_for
from athenan.dialects.registry import games_of as games_of
