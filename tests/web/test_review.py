"""Which moves of a match the page calls mistakes."""

from dataclasses import replace

from athenan import make_game
from athenan.analysis import Candidate, Judgement, judged_match
from athenan.analysis.judgement import judged_end
from athenan.web.review import mistakes_of


def test_a_winning_move_is_no_mistake() -> None:
    """Another win may have a higher value: models rate the end of a match by more than +1."""
    state = make_game("tic_tac_toe").initial_state()
    for move in ("b2", "a1", "b1", "a2", "b3"):
        before, state = state, state.play(state.parse_move(move))
    best = Candidate("c1", 40.0, None, None, 9, ("c1",))
    rated = Judgement(before, 40.0, None, None, "c1", (best,))
    won = judged_match([before, state], ["b3"], [rated, judged_end(state, "classic")])
    assert mistakes_of(won) == []
    assert won.mistakes == []
    worse = replace(rated, proven_outcome=-1, value=-9.0)
    lost = judged_match([before, state], ["b3"], [rated, worse])
    (found,) = mistakes_of(lost)
    assert (found["move"], found["better"], found["proven"]) == ("b3", "c1", -1)
