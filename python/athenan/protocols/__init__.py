"""athenan as an engine: programs play with it and let it think, in their own protocols.

>>> import athenan
>>> from athenan.protocols import Settings, converse
>>> game = athenan.make_game("tic_tac_toe")
>>> lines = ["position fen xx1/oo1/3 x", "go nodes 50"]
>>> converse("ugi", game, lines, Settings(model="ubfm-safe", seed=1))[-1]
'bestmove c1'
"""

from athenan.protocols.engine import Engine as Engine
from athenan.protocols.engine import Request as Request
from athenan.protocols.engine import Turn as Turn
from athenan.protocols.limits import Limits as Limits
from athenan.protocols.protocol import Conversation as Conversation
from athenan.protocols.protocol import Protocol as Protocol
from athenan.protocols.protocol import serve as serve
from athenan.protocols.protocol import writer as writer
from athenan.protocols.registry import PROTOCOLS as PROTOCOLS
from athenan.protocols.registry import converse as converse
from athenan.protocols.registry import protocol_entry as protocol_entry
from athenan.protocols.reports import Line as Line
from athenan.protocols.reports import Report as Report
from athenan.protocols.settings import Settings as Settings
