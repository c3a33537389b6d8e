"""The sizing rule: every filter and neuron count of the paper, from the numbers of weights."""

from typing import Any

import athenan
import pytest
from athenan.networks import Architecture, fitted, rounded, sized_architecture
from athenan.networks.sizing import own_board
from hypothesis import given
from hypothesis import strategies as st

EXIT = Architecture(blocks=8, dense=(1, 1))  # the networks of the comparison with ExIt

# weights, planes, rows and columns of the board, template, filters, neurons
PAPER: dict[str, tuple[float, tuple[int, int, int], Architecture, int, int]] = {
    "Hex 11": (1e6, (3, 11, 11), Architecture(blocks=4, dense=(1,)), 83, 74),
    "Hex 13": (1e7, (3, 13, 13), Architecture(blocks=8, dense=(1, 1)), 186, 220),
    "Othello": (
        4e7,
        (4, 8, 8),
        Architecture(blocks=8, squeeze=16, pooling=1, dense=(1,)),
        373,
        4453,
    ),
    "Arimaa": (1e7, (10, 8, 8), Architecture(blocks=4, pooling=1, dense=(1,)), 263, 2217),
    "Morpion": (1e7, (5, 18, 18), Architecture(blocks=8, squeeze=16, dense=(1, 1)), 186, 104),
    "ExIt Go 9": (5e6, (3, 9, 9), EXIT, 132, 365),
    "ExIt Go 11": (5e6, (3, 11, 11), EXIT, 132, 228),
    "ExIt Hex 11": (5e6, (3, 11, 11), EXIT, 132, 228),
    "ExIt Hex 13": (5e6, (3, 13, 13), EXIT, 132, 155),
    "ExIt Othello 8": (5e6, (4, 8, 8), EXIT, 132, 477),
    "ExIt Othello 10": (5e6, (4, 10, 10), EXIT, 132, 286),
    "ExIt Outer-Open Gomoku": (5e6, (3, 15, 15), EXIT, 132, 111),
    "ExIt Connect6": (5e6, (3, 19, 19), EXIT, 132, 65),
    "ExIt Havannah 8": (5e6, (3, 15, 15), EXIT, 132, 111),
    "ExIt Havannah 10": (5e6, (3, 19, 19), EXIT, 132, 65),
}


@pytest.mark.parametrize("network", PAPER)
def test_the_rule_gives_the_widths_of_the_paper(network: str) -> None:
    weights, board, template, filters, neurons = PAPER[network]
    sized = sized_architecture(weights, board, template)
    assert (sized.filters, set(sized.dense)) == (filters, {neurons})
    assert sized.pooling == (neurons if template.pooling else 0)
    untouched = {"filters", "dense", "pooling"}
    assert sized.model_dump(exclude=untouched) == template.model_dump(exclude=untouched)
    assert len(sized.dense) == len(template.dense)


@pytest.mark.parametrize("planes", range(1, 9))
def test_the_planes_that_the_paper_does_not_name_change_nothing(planes: int) -> None:
    assert sized_architecture(5e6, (planes, 9, 9), EXIT).filters == 132


@pytest.mark.parametrize(
    ("network", "game"),
    [
        ("Hex 11", "hex:size=11"),
        ("Hex 13", "hex:size=13"),
        ("Othello", "othello:size=8"),
        ("Arimaa", "arimaa"),
        ("Morpion", "morpion:board=18"),
        ("ExIt Othello 10", "othello:size=10"),
    ],
)
def test_the_games_have_the_boards_that_the_rule_needs(network: str, game: str) -> None:
    weights, board, template, filters, neurons = PAPER[network]
    made = athenan.make_game(game)
    assert own_board(made) == board
    sized = sized_architecture(weights, made, template)
    assert (sized.filters, sized.dense[0]) == (filters, neurons)


@given(
    weights=st.integers(20_000, 10**8),
    rows=st.integers(7, 20),
    columns=st.integers(7, 20),
    template=st.builds(
        Architecture,
        convolutions=st.integers(1, 3),
        blocks=st.integers(1, 10),
        pooling=st.sampled_from([0, 1]),
        dense=st.lists(st.just(1), min_size=1, max_size=3).map(tuple),
    ),
)
def test_each_half_holds_its_share(
    weights: int, rows: int, columns: int, template: Architecture
) -> None:
    sized = sized_architecture(weights, (3, rows, columns), template)
    half = weights // 2
    further = template.convolutions - 1 + 2 * template.blocks

    def convolutions(filters: float) -> float:
        return 27 * filters + 9 * filters**2 * further

    assert convolutions(sized.filters - 0.5) <= half <= convolutions(sized.filters + 0.5)
    lost = 2 * template.convolutions
    cells = (rows - lost) * (columns - lost)
    layers = len(template.dense) + bool(template.pooling)

    def dense(neurons: int) -> int:
        inputs = cells * (1 if template.pooling else sized.filters)
        return inputs * neurons + (layers - 1) * neurons**2 + neurons

    assert dense(sized.dense[0]) <= half < dense(sized.dense[0] + 1)


def test_a_network_without_dense_layers_or_blocks_can_be_sized() -> None:
    assert sized_architecture(1e5, (3, 8, 8), Architecture(dense=())).dense == ()
    plain = sized_architecture(54_000, (3, 3, 3), Architecture(blocks=0))
    assert (plain.filters, plain.dense) == (1000, (26,))


@pytest.mark.parametrize("weights", [0, -5, float("nan"), float("inf")])
def test_an_impossible_budget_is_refused(weights: float) -> None:
    with pytest.raises(athenan.ParameterError, match="must be positive and finite"):
        sized_architecture(weights, (3, 8, 8), Architecture())


@pytest.mark.parametrize("weights", [2, 50, 1e13])
def test_a_budget_that_gives_no_network_is_refused(weights: float) -> None:
    with pytest.raises(athenan.ParameterError, match="must be between 1 and 16384"):
        sized_architecture(weights, (3, 8, 8), Architecture())


def test_widths_are_rounded_up_to_multiples() -> None:
    paper = Architecture(filters=373, blocks=8, squeeze=16, pooling=4453, dense=(4453, 32))
    fast = rounded(paper)
    assert (fast.filters, fast.pooling, fast.dense) == (384, 4480, (4480, 32))
    assert rounded(Architecture(filters=83, dense=(74,)), 16).filters == 96
    assert rounded(Architecture(filters=83)).pooling == 0
    unchanged: dict[str, Any] = {"exclude": {"filters", "pooling", "dense"}}
    assert fast.model_dump(**unchanged) == paper.model_dump(**unchanged)
    assert rounded(paper, 1) == paper


@pytest.mark.parametrize(
    ("game", "convolutions"),
    [("othello:size=8", 3), ("othello:size=6", 2), ("hex:size=5", 3), ("tic_tac_toe", 1)],
)
def test_convolutions_that_have_no_room_are_left_out(game: str, convolutions: int) -> None:
    """The border of an encoding is room too: Hex 5 has 7×7 cells."""
    made = athenan.make_game(game)
    plain = Architecture(convolutions=3, blocks=0)
    assert fitted(plain, made) == plain.model_copy(update={"convolutions": convolutions})
    padded = Architecture(convolutions=3, margin="same")
    assert fitted(padded, made) == padded


def test_an_impossible_rounding_is_refused() -> None:
    with pytest.raises(athenan.ParameterError, match="multiple of 1 or more, not 0"):
        rounded(Architecture(), 0)
    with pytest.raises(athenan.ParameterError, match="between 1 and 16384"):
        rounded(Architecture(), 20000)
