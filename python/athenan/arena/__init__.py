"""Players against each other: who they are, the matches they play, what the results prove.

>>> import athenan
>>> from athenan.arena import play_matches, player, tally_of
>>> game = athenan.make_game("hex:size=4")
>>> a, b = player("mcts:iterations=200", game), player("random", game)
>>> tally = tally_of(play_matches(game, a, b, matches=20, seed=1))
>>> tally.counts.matches, tally.counts.score > 0.8
(20, True)
"""

from athenan.arena.matches import play_matches
from athenan.arena.openings import OPENINGS, Opening, balanced_openings, distinct_openings
from athenan.arena.player import Player, PlayerSpec, Thought
from athenan.arena.players import player, read_player
from athenan.arena.record import Effort, Match
from athenan.arena.search_player import EvaluatorFactory, SearchPlayer, SearchPlayerSpec
from athenan.arena.statistics import Counts, Interval
from athenan.arena.tally import Tally, tally_of

__all__ = [
    "OPENINGS",
    "Counts",
    "Effort",
    "EvaluatorFactory",
    "Interval",
    "Match",
    "Opening",
    "Player",
    "PlayerSpec",
    "SearchPlayer",
    "SearchPlayerSpec",
    "Tally",
    "Thought",
    "balanced_openings",
    "distinct_openings",
    "play_matches",
    "player",
    "read_player",
    "tally_of",
]
