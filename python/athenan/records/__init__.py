"""Records of matches in the formats of the communities: SGF, GGF, PDN, Arimaa's, plain moves.

>>> from athenan.records import FORMATS
>>> text = "(;GM[11]SZ[5]PB[a]PW[b]RE[B+R];B[c3];W[swap-pieces];B[d2])"
>>> (match,) = FORMATS[".sgf"].read(text, None)
>>> match.moves, match.outcome, match.reason
(('c3', 'swap', 'd2'), 1, 'resigned')
>>> print(FORMATS[".txt"].write([match], None))
# game: hex:size=5,swap=true
# players: a | b
# result: 1-0 resigned
c3 swap d2
<BLANKLINE>
"""

from athenan.records.formats import FORMATS as FORMATS
from athenan.records.formats import Format as Format
from athenan.records.formats import is_record as is_record
from athenan.records.formats import read_records as read_records
from athenan.records.formats import write_records as write_records
from athenan.records.replay import game_of as game_of
from athenan.records.replay import refuse_illegal as refuse_illegal
from athenan.records.replay import states_of as states_of
