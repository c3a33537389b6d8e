"""Move geometry: what a player touches to make a move identifies it and moves with the board."""

from collections.abc import Hashable
from random import Random

import athenan
import pytest
from conformance.variants import GAME_IDS, PYTHON_EXAMPLE, game_of, label
from conformance.walks import walk

STATES_PER_WALK = 5
MOVES_PER_STATE = 20

Place = tuple[int, int]
Path = tuple[str, tuple[Place, ...]]


@pytest.fixture(scope="module", params=[*GAME_IDS, PYTHON_EXAMPLE], ids=label)
def drawn(request: pytest.FixtureRequest) -> athenan.Game:
    """Each variant of each game, and a game in Python."""
    return game_of(request.param)


def path_of(state: athenan.State, move: int) -> Path:
    path = state.move_path(move)
    assert path is not None
    return path.kind, tuple(path.cells)


def some_states(game: athenan.Game) -> list[athenan.State]:
    """Choose from two random matches: their first two states, and a few others."""
    chosen = []
    for seed in (0, 1):
        first, *others = walk(game, seed).states[:-1]
        few = min(STATES_PER_WALK, len(others))
        chosen += [first, *others[:1], *Random(seed).sample(others, few)]
    return chosen


def test_kinds_have_distinct_names_and_swap_is_one_where_it_is_offered(drawn: athenan.Game) -> None:
    kinds = drawn.datasheet.move_kinds
    assert kinds
    assert all(kinds)
    assert len(set(kinds)) == len(kinds)
    assert ("swap" in kinds) == drawn.offers_swap


def test_paths_lie_on_the_board_and_identify_their_moves(drawn: athenan.Game) -> None:
    sheet = drawn.datasheet
    rows, columns = sheet.rows - 2 * sheet.border, sheet.columns - 2 * sheet.border
    for state in some_states(drawn):
        moves = state.legal_moves()
        paths = {path_of(state, move) for move in moves}
        assert len(paths) == len(moves), state.position
        for kind, cells in paths:
            assert kind in sheet.move_kinds
            assert all(0 <= row < rows and 0 <= column < columns for row, column in cells), cells


def test_a_text_has_the_path_of_its_move(drawn: athenan.Game) -> None:
    for state in some_states(drawn):
        move = state.legal_moves()[0]
        by_text = state.move_path(state.move_to_string(move))
        assert by_text is not None
        assert (by_text.kind, tuple(by_text.cells)) == path_of(state, move)


def parts_of(game: athenan.Game, path: Path) -> tuple[Hashable, ...]:
    """Return what a symmetry maps: the kind, since a mirror exchanges the dark and the light boards
    of Shobu, and the cells in order, except the ends of a line of Morpion, which have none.
    """
    kind, cells = path
    return (kind, cells[0], frozenset(cells[1:])) if game.name == "morpion" else (kind, *cells)


def test_a_symmetry_maps_the_parts_of_all_paths_alike(drawn: athenan.Game) -> None:
    random = Random(0)
    images: list[dict[Hashable, Hashable]] = [{} for _ in range(drawn.symmetries)]
    for state in some_states(drawn):
        moves = state.legal_moves()
        for move in random.sample(moves, min(MOVES_PER_STATE, len(moves))):
            path = path_of(state, move)
            for k, image_of in enumerate(images):
                image = path_of(state.transform(k), state.transform_move(k, move))
                assert image[0] == path[0] or drawn.name == "shobu"
                pairs = zip(parts_of(drawn, path), parts_of(drawn, image), strict=True)
                assert all(image_of.setdefault(part, to) == to for part, to in pairs)
    for image_of in images:
        assert len(set(image_of.values())) == len(image_of), "two parts have one image"
    assert all(part == image for part, image in images[0].items())


def test_illegal_moves_have_no_path(drawn: athenan.Game) -> None:
    for state in some_states(drawn):
        legal = set(state.legal_moves())
        illegal = next(move for move in range(drawn.move_count + 1) if move not in legal)
        with pytest.raises(athenan.IllegalMoveError, match=rf"^move number {illegal} is not legal"):
            state.move_path(illegal)
        with pytest.raises(athenan.IllegalMoveError, match=r"^move 'nowhere' is not legal"):
            state.move_path("nowhere")
