"""Positions and matches, judged: values, proven outcomes, lines, mistakes.

`analyse` serves Python, `athenan analyse` people, and `athenan engine json` other programs.
"""

from athenan.analysis.analyse import analyse as analyse
from athenan.analysis.analyse import judge as judge
from athenan.analysis.judgement import Candidate as Candidate
from athenan.analysis.judgement import Judgement as Judgement
from athenan.analysis.judgement import Work as Work
from athenan.analysis.match_analysis import JudgedMove as JudgedMove
from athenan.analysis.match_analysis import MatchAnalysis as MatchAnalysis
from athenan.analysis.match_analysis import judged_match as judged_match
from athenan.analysis.match_analysis import states_of as states_of
from athenan.analysis.proving import Proof as Proof
from athenan.analysis.proving import prove as prove
