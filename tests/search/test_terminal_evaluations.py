"""Which terminal evaluations a game takes, and how others are refused."""

import athenan
import pytest
from athenan import ParameterError, _core
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
