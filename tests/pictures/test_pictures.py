"""Pictures: each game has one, it is up to date, and it shows the pieces where they are."""

import importlib.util
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import athenan
import numpy as np
import pytest
from athenan.games import game_from_rules
from athenan.pictures import svg_of
from athenan.pictures.looks import LOOKS
from conformance.variants import GAME_IDS, PYTHON_EXAMPLE, VARIANTS, game_of, label
from pictures.heaps import DrawnHeap, Heap
from pictures.svg_reading import CELL, SVG, classes, places, positions

DOCS = Path(__file__).parents[2] / "docs"
STONES = ["first player", "second player"]
# Games that count no pieces for the search: the planes of a state show them.
PLANES = {
    "amazons": ([0], [1]),
    "santorini": ([0], [1]),
    "morpion": ([0], []),
    PYTHON_EXAMPLE: ([0], [1]),
}
# Games whose first two planes are the board as it is drawn.
ON_THE_BOARD = [name for name in GAME_IDS if game_of(name).datasheet.planes[:2] == STONES]


def load_maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_pictures", DOCS / "make_pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKER = load_maker()


def pieces_of(state: athenan.State) -> tuple[int, int]:
    """Count the pieces of both players without looking at drawings."""
    if state.game.datasheet.has_pieces:
        return state.pieces(0), state.pieces(1)
    planes = state.encode()
    one, other = (int(planes[chosen].sum()) for chosen in PLANES[state.game.name])
    return one, other


@pytest.mark.parametrize("name", athenan.game_names())
def test_the_picture_of_the_page_is_up_to_date(name: str) -> None:
    assert name in LOOKS
    assert f"](../images/{name}.svg)" in (DOCS / "games" / f"{name}.md").read_text()
    drawn = (DOCS / "images" / f"{name}.svg").read_text()
    assert drawn == MAKER.picture(athenan.make_game(name)), "run `make pictures`"


@pytest.mark.parametrize(("name", "variant"), MAKER.LONGEST.items())
def test_the_pictures_of_the_longest_matches_are_up_to_date(name: str, variant: str) -> None:
    assert f"](../images/{name}.svg)" in (DOCS / "games" / "morpion.md").read_text()
    drawn = (DOCS / "images" / f"{name}.svg").read_text()
    assert drawn == svg_of(MAKER.longest(variant), size=MAKER.SIZE), "run `make pictures`"


def test_the_index_is_up_to_date_and_nothing_is_left_over() -> None:
    assert (DOCS / "games" / "README.md").read_text() == MAKER.index(), "run `make pictures`"
    pages = {page.stem for page in (DOCS / "games").glob("*.md")} - {"README"}
    pictures = {file.stem for file in (DOCS / "images").glob("*.svg")}
    assert pages == pictures - set(MAKER.LONGEST) == set(athenan.game_names())


@pytest.mark.parametrize("identity", [*GAME_IDS, PYTHON_EXAMPLE], ids=label)
def test_as_many_pieces_are_drawn_as_there_are(identity: str) -> None:
    seen = set()
    for state in positions(identity):
        picture = svg_of(state)
        drawn = classes(picture)
        assert (drawn["piece first"], drawn["piece second"]) == pieces_of(state), str(state)
        assert drawn["last"] == 0
        seen.add(picture)
    assert len(seen) > 1


@pytest.mark.parametrize("identity", ON_THE_BOARD)
def test_pieces_are_read_where_the_planes_have_them(identity: str) -> None:
    look = LOOKS[game_of(identity).name]
    for state in positions(identity):
        diagram = look.read(state)
        assert diagram is not None
        assert look.fits(diagram)
        for player, stones in zip(("first", "second"), state.encode()[:2], strict=False):
            read = {
                cell for cell, symbol in diagram.symbols.items() if look.owner(symbol) == player
            }
            assert read == {(int(row), int(column)) for row, column in np.argwhere(stones)}


@pytest.mark.parametrize("identity", [*VARIANTS, PYTHON_EXAMPLE], ids=label)
def test_pictures_are_whole_files(identity: str) -> None:
    for state in positions(identity):
        root = ET.fromstring(svg_of(state, size=200))
        assert root.tag == f"{SVG}svg"
        assert max(float(root.attrib["width"]), float(root.attrib["height"])) == 200
        titles = [title.text for title in root.iter(f"{SVG}title")]
        assert titles == [f"{state.game.datasheet.title}: {state.position}"]
        inside(root)


def inside(root: ET.Element) -> None:
    """Check that nothing round is drawn outside the picture."""
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    for circle in root.iter(f"{SVG}circle"):
        x, y, radius = (float(circle.attrib[name]) for name in ("cx", "cy", "r"))
        assert left <= x - radius, circle.attrib
        assert x + radius <= left + width, circle.attrib
        assert top <= y - radius, circle.attrib
        assert y + radius <= top + height, circle.attrib


def test_a_stone_is_drawn_at_its_place() -> None:
    state = athenan.make_game("connect_four").initial_state().play("d").play("a")
    assert places(svg_of(state), "piece first") == [(3, 5)]
    assert places(svg_of(state), "piece second") == [(0, 5)]
    rhombus = athenan.make_game("hex:size=5").initial_state().play("a1").play("c3")
    ((x, y),) = places(svg_of(rhombus), "piece second")
    assert (x, y) == pytest.approx((2 + 2 / 2, 2 * 3**0.5 / 2), abs=1e-3)


@pytest.mark.parametrize("identity", VARIANTS["morpion"])
def test_morpion_has_a_line_through_five_points_for_each_move(identity: str) -> None:
    for state in positions(identity):
        lines = [g[0] for g in ET.fromstring(svg_of(state)) if g.get("class") == "line"]
        assert len(lines) == state.ply
        for line in lines:
            left, top, right, bottom = (
                float(line.attrib[name]) / CELL for name in ("x1", "y1", "x2", "y2")
            )
            columns, rows = np.linspace(left, right, 5), np.linspace(top, bottom, 5)
            assert state.encode()[0][rows.astype(int), columns.astype(int)].sum() == 5
            assert max(np.ptp(rows), np.ptp(columns)) == 4


def test_a_game_without_a_board_is_drawn_as_its_text() -> None:
    picture = svg_of(game_from_rules(Heap()).initial_state())
    words = [text.text for text in ET.fromstring(picture).iter(f"{SVG}text")]
    assert words == ["0700", "ply 0 · first player to move"]
    assert "<title>Heap &lt;7&gt;: 0700 @0</title>" in picture


@pytest.mark.parametrize("name", ["heap", "hex"])
def test_a_game_of_no_known_look_is_guessed(name: str) -> None:
    picture = svg_of(game_from_rules(DrawnHeap(), name).initial_state())
    drawn = classes(picture)
    assert (drawn["piece first"], drawn["piece second"], drawn["mark"]) == (1, 2, 2)
    assert "<title>Heap &lt;7&gt;:  7 @0</title>" in picture
