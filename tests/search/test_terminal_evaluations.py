"""Which terminal evaluations a game takes, and how others are refused."""

import athenan
import pytest
from athenan import ParameterError, _core
from athenan import reference as ref
from athenan.searches import terminal_evaluations

DEPTHS = ["additive_depth", "multiplicative_depth", "mobility"]
PLAIN = ["classic", *DEPTHS, "presence"]
SCORED = ["classic", "score", *DEPTHS, "presence"]
OTHERS = {
    "othello": SCORED,
    "go": SCORED,
    "ataxx": SCORED,
    "surakarta": SCORED,
    "amazons": ["classic", "score", *DEPTHS],
    "santorini": ["classic", *DEPTHS],
    "morpion": ["classic", "score"],
    "arimaa": ["classic", *DEPTHS, "presence", "arimaa"],
}


def search_with(game: athenan.Game, terminal: str) -> _core.Search:
    return _core.Search(game, _core.SearchSpec(f"descent:terminal={terminal}"))


@pytest.mark.parametrize("name", athenan.game_names())
def test_what_a_game_takes(name: str) -> None:
    game = athenan.make_game(name)
    assert terminal_evaluations(game) == OTHERS.get(name, PLAIN)
    for terminal in terminal_evaluations(game):
        search_with(game, terminal)


def refusal(name: str, terminal: str) -> str:
    with pytest.raises(ParameterError) as refused:
        search_with(athenan.make_game(name), terminal)
    return str(refused.value)


def test_what_makes_no_sense_is_refused_with_what_does() -> None:
    takes = "classic, additive_depth, multiplicative_depth, mobility, presence"
    assert refusal("hex", "score") == (
        f"the terminal evaluation 'score' makes no sense for hex; hex takes {takes}"
    )
    assert refusal("arimaa", "score") == (
        f"the terminal evaluation 'score' makes no sense for arimaa; arimaa takes {takes}, arimaa"
    )
    assert refusal("hex", "arimaa").startswith("the terminal evaluation 'arimaa' does not exist;")
    assert refusal("hex", "Score") == "option terminal of descent is 'Score'; accepted is a name"
    assert refusal("hex", "x" * 41).endswith("accepted is a name")
    assert refusal("hex", "x" * 40).endswith(takes)


@pytest.mark.parametrize("name", athenan.game_names())
def test_values_are_those_of_the_reference(name: str) -> None:
    game = athenan.make_game(name)
    for seed in range(4):
        state, luck = game.initial_state(), athenan.Random(seed)
        while not state.is_terminal:
            last, moves = state, state.legal_moves()
            state = state.play(moves[luck.below(len(moves))])
        ends = {m: c for m, c in zip(moves, last.children(), strict=True) if c.is_terminal}
        assert ends
        for heuristic in ref.heuristics_of(game):
            search = _core.Search(game, f"ubfm:expansions=1,terminal={heuristic.name}")
            search.begin(last)
            search.run_fake(0)
            found = {a.move: a.value for a in search.root_moves if a.move in ends}
            assert found == {move: heuristic(end) for move, end in ends.items()}, heuristic.name


FIRST_STREAM = 0xD1342543DE82EF95  # the first 64 ends come from the generator of seed ^ this


@pytest.mark.parametrize("name", ["othello:size=6", "hex:size=4", "surakarta"])
def test_random_ends_sum_the_mobility_of_their_matches(name: str) -> None:
    game, luck = athenan.make_game(name), athenan.Random(3 ^ FIRST_STREAM)
    states, values = _core.random_ends(game, "mobility", 20, 3)
    for packed, value in zip(states, values, strict=True):
        state = game.initial_state()
        while not state.is_terminal:
            moves = state.legal_moves()
            state = state.play(moves[luck.below(len(moves))])
        assert packed.tobytes() == bytes(state)[: game.packed_size]
        assert value == ref.MOBILITY(state)
    assert len(set(abs(values))) > 5
