"""Players against each other: who they are, the matches they play, what the results prove.

>>> import athenan
>>> from athenan.arena import play_matches, player, tally_of
>>> game = athenan.make_game("hex:size=4")
>>> a, b = player("mcts:iterations=200", game), player("random", game)
>>> tally = tally_of(play_matches(game, a, b, matches=20, seed=1))
>>> tally.counts.matches, tally.counts.score > 0.8
(20, True)
"""

from athenan.arena.clocks import Clock as Clock
from athenan.arena.clocks import TimeControl as TimeControl
from athenan.arena.clocks import thinking_seconds as thinking_seconds
from athenan.arena.conditions import Adjudication as Adjudication
from athenan.arena.conditions import Conditions as Conditions
from athenan.arena.matches import play_matches as play_matches
from athenan.arena.openings import OPENINGS as OPENINGS
from athenan.arena.openings import Opening as Opening
from athenan.arena.openings import balanced_openings as balanced_openings
from athenan.arena.openings import distinct_openings as distinct_openings
from athenan.arena.openings import read_openings as read_openings
from athenan.arena.player import Fault as Fault
from athenan.arena.player import Player as Player
from athenan.arena.player import PlayerSpec as PlayerSpec
from athenan.arena.player import Resigned as Resigned
from athenan.arena.player import Thought as Thought
from athenan.arena.players import player as player
from athenan.arena.players import read_player as read_player
from athenan.arena.python_player import PythonPlayerSpec as PythonPlayerSpec
from athenan.arena.python_player import PythonSearch as PythonSearch
from athenan.arena.record import Effort as Effort
from athenan.arena.record import Match as Match
from athenan.arena.record_file import read_matches as read_matches
from athenan.arena.reference_player import ReferencePlayer as ReferencePlayer
from athenan.arena.scores import Interval as Interval
from athenan.arena.scores import Unit as Unit
from athenan.arena.scores import Units as Units
from athenan.arena.search_player import EvaluatorFactory as EvaluatorFactory
from athenan.arena.search_player import SearchPlayer as SearchPlayer
from athenan.arena.search_player import SearchPlayerSpec as SearchPlayerSpec
from athenan.arena.solo import SoloMatch as SoloMatch
from athenan.arena.solo import play_alone as play_alone
from athenan.arena.solo import solo_openings as solo_openings
from athenan.arena.sprt import SPRT as SPRT
from athenan.arena.statistics import Counts as Counts
from athenan.arena.statistics import Tally as Tally
from athenan.arena.statistics import tally_of as tally_of
from athenan.arena.tournament import Standings as Standings
from athenan.arena.tournament import Tournament as Tournament
