"""Pictures: each game has one, it is up to date, and it shows the pieces where they are."""

import importlib.util
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import athenan
import numpy as np
import pytest
from athenan.commands import main
from athenan.games import StateBytes, game_from_rules
from athenan.pictures import svg_of
from athenan.pictures.diagram import Cell
from athenan.pictures.looks import LOOKS, Look
from athenan.pictures.svg import Point
from conformance.variants import GAME_IDS, PYTHON_EXAMPLE, VARIANTS, game_of, label

DOCS = Path(__file__).parents[1] / "docs"
SVG = "{http://www.w3.org/2000/svg}"
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
CELL = 40  # units of the file


def load_maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_pictures", DOCS / "make_pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKER = load_maker()


def classes(picture: str) -> Counter[str]:
    """Count the groups of a picture by class."""
    return Counter(element.get("class", "") for element in ET.fromstring(picture).iter(f"{SVG}g"))


def places(picture: str, kind: str) -> list[tuple[float, float]]:
    """Return the centres, in cells, of the things of a class that are drawn as circles."""
    groups = (g for g in ET.fromstring(picture).iter(f"{SVG}g") if g.get("class") == kind)
    circles = (next(group.iter(f"{SVG}circle")) for group in groups)
    return [(float(c.attrib["cx"]) / CELL, float(c.attrib["cy"]) / CELL) for c in circles]


def positions(identity: str) -> Iterator[tuple[athenan.State, int | None, str]]:
    """Yield some states of a random match, each with the move that led to it."""
    random, state = athenan.Random(7), game_of(identity).initial_state()
    yield state, None, ""
    for ply in range(120):
        if state.is_terminal:
            break
        moves = state.legal_moves()
        move = moves[random.below(len(moves))]
        words = state.move_to_string(move)
        state = state.play(move)
        if ply < 4 or ply % 17 == 0:
            yield state, move, words


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


def test_the_index_is_up_to_date_and_nothing_is_left_over() -> None:
    assert (DOCS / "games" / "README.md").read_text() == MAKER.index(), "run `make pictures`"
    pages = {page.stem for page in (DOCS / "games").glob("*.md")} - {"README"}
    pictures = {file.stem for file in (DOCS / "images").glob("*.svg")}
    assert pages == pictures == set(athenan.game_names())


@pytest.mark.parametrize("identity", [*GAME_IDS, PYTHON_EXAMPLE], ids=label)
def test_as_many_pieces_are_drawn_as_there_are(identity: str) -> None:
    seen = set()
    for state, _, _ in positions(identity):
        picture = svg_of(state)
        drawn = classes(picture)
        assert (drawn["piece first"], drawn["piece second"]) == pieces_of(state), str(state)
        assert drawn["last"] == 0
        seen.add(picture)
    assert len(seen) > 1


@pytest.mark.parametrize("identity", ON_THE_BOARD)
def test_pieces_are_read_where_the_planes_have_them(identity: str) -> None:
    look = LOOKS[game_of(identity).name]
    for state, _, _ in positions(identity):
        diagram = look.read(state)
        assert diagram is not None
        assert look.fits(diagram)
        for player, stones in zip(("first", "second"), state.encode()[:2], strict=False):
            read = {
                cell for cell, symbol in diagram.symbols.items() if owner(look, symbol) == player
            }
            assert read == {(int(row), int(column)) for row, column in np.argwhere(stones)}


def owner(look: Look, symbol: str) -> str | None:
    """Say whose piece a symbol is by how it is drawn."""
    drawn = look.pieces[symbol](Point(0, 0)) if symbol in look.pieces else ""
    return next((player for player in ("first", "second") if f"piece {player}" in drawn), None)


@pytest.mark.parametrize("identity", [*VARIANTS, PYTHON_EXAMPLE], ids=label)
def test_pictures_are_whole_files_and_the_last_move_is_marked(identity: str) -> None:
    marked = 0
    for state, move, words in positions(identity):
        picture = svg_of(state, last_move=words or None, size=200)
        root = ET.fromstring(picture)
        assert root.tag == f"{SVG}svg"
        assert max(float(root.attrib["width"]), float(root.attrib["height"])) == 200
        titles = [title.text for title in root.iter(f"{SVG}title")]
        assert titles == [f"{state.game.datasheet.title}: {state.position}"]
        inside(root)
        rings = places(picture, "last")
        marked += len(rings)
        if move is not None:
            by_number = places(svg_of(state, last_move=move), "last")
            if state.game.name == "arimaa":  # the number tells neither removals nor set-up squares
                assert set(by_number) <= set(rings)
            else:
                assert by_number == rings
    assert marked > 0


def inside(root: ET.Element) -> None:
    """Check that nothing round is drawn outside the picture."""
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    for circle in root.iter(f"{SVG}circle"):
        x, y, radius = (float(circle.attrib[name]) for name in ("cx", "cy", "r"))
        assert left <= x - radius, circle.attrib
        assert x + radius <= left + width, circle.attrib
        assert top <= y - radius, circle.attrib
        assert y + radius <= top + height, circle.attrib


def ring_cells(identity: str, *moves: str) -> list[Cell]:
    """Return the marked cells of a square board after some moves."""
    state = athenan.make_game(identity).initial_state()
    for move in moves:
        number = state.parse_move(move)
        state = state.play(number)
    return [(round(y), round(x)) for x, y in places(svg_of(state, last_move=number), "last")]


def test_marks_are_where_the_move_was() -> None:
    assert ring_cells("connect_four", "d", "d") == [(4, 3)]
    assert ring_cells("breakthrough", "a2b3") == [(6, 0), (5, 1)]
    assert ring_cells("breakthrough", "a2b3", "h7g6") == [(1, 7), (2, 6)]
    assert ring_cells("amazons", "d1d7", "/g7") == [(3, 6)]
    assert ring_cells("morpion", "k10v1") == [(9, 10)]
    assert ring_cells("clobber", "e1d1") == [(9, 4), (9, 3)]
    setup = MAKER.MOVES["arimaa"].split()
    assert ring_cells("arimaa", *setup, "Ed2n") == [(6, 3), (5, 3)]
    assert ring_cells("hex:size=3", "b2", "swap") == []


def test_a_stone_is_drawn_at_its_place() -> None:
    state = athenan.make_game("connect_four").initial_state().play("d").play("a")
    assert places(svg_of(state), "piece first") == [(3, 5)]
    assert places(svg_of(state), "piece second") == [(0, 5)]
    rhombus = athenan.make_game("hex:size=5").initial_state().play("a1").play("c3")
    ((x, y),) = places(svg_of(rhombus), "piece second")
    assert (x, y) == pytest.approx((2 + 2 / 2, 2 * 3**0.5 / 2), abs=1e-3)


# A first move of each game and the centres, in cells from that of the upper left corner, of what it
# names; rows of hexagons are half the square root of three apart.
PLACES: dict[str, tuple[str, list[tuple[float, float]]]] = {
    "ataxx": ("b6", [(1, 1)]),
    "connect6": ("K10", [(9, 9)]),
    "go": ("J9", [(8, 0)]),
    "havannah": ("a2", [(3, 3**0.5 / 2)]),
    "hex": ("b3", [(2, 3**0.5)]),
    "international_draughts": ("32-28", [(3, 6), (4, 5)]),
    "othello": ("f5", [(5, 4)]),
    "outer_open_gomoku": ("h14", [(7, 1)]),
    "santorini": ("B2", [(1, 3)]),
    "shobu": ("D:b1b3,l:a1a3", [(1, 7.9), (1, 5.9), (4.9, 3), (4.9, 1)]),
    "surakarta": ("a2a3", [(0, 4), (0, 3)]),
    "xiangqi": ("h2e2", [(7, 7), (4, 7)]),
}


@pytest.mark.parametrize("name", [name for name in athenan.game_names() if name in PLACES])
def test_cells_are_where_the_board_has_them(name: str) -> None:
    move, expected = PLACES[name]
    state = athenan.make_game(name).initial_state().play(move)
    picture = svg_of(state, last_move=move)
    marked = places(picture, "last")
    assert marked == [pytest.approx(place, abs=1e-3) for place in expected]
    pieces = places(picture, "piece first") + places(picture, "piece second")
    assert any(piece in marked for piece in pieces)


@pytest.mark.parametrize("identity", VARIANTS["morpion"])
def test_morpion_has_a_line_through_five_points_for_each_move(identity: str) -> None:
    for state, _, _ in positions(identity):
        lines = [g[0] for g in ET.fromstring(svg_of(state)) if g.get("class") == "line"]
        assert len(lines) == state.ply
        for line in lines:
            left, top, right, bottom = (
                float(line.attrib[name]) / CELL for name in ("x1", "y1", "x2", "y2")
            )
            columns, rows = np.linspace(left, right, 5), np.linspace(top, bottom, 5)
            assert state.encode()[0][rows.astype(int), columns.astype(int)].sum() == 5
            assert max(np.ptp(rows), np.ptp(columns)) == 4


class Heap(athenan.Rules):
    """Take one or two of seven: a game with no board to draw."""

    def datasheet(self) -> athenan.Datasheet:
        return athenan.Datasheet(
            title="Heap <7>", rows=1, columns=1, planes=["left"], move_count=2, max_length=7
        )

    def initial(self) -> StateBytes:
        return np.array([7, 0], np.uint8)

    def to_move(self, state: StateBytes) -> int:
        return int(state[1])

    def result(self, state: StateBytes) -> int | None:
        return None if state[0] else (-1 if state[1] == 0 else 1)

    def moves(self, state: StateBytes) -> list[int]:
        return list(range(min(2, int(state[0]))))

    def apply(self, state: StateBytes, move: int) -> StateBytes:
        return np.array([state[0] - 1 - move, 1 - state[1]], np.uint8)

    def encode(self, state: StateBytes) -> StateBytes:
        return state[:1].reshape(1, 1, 1)


class DrawnHeap(Heap):
    """The same with a board of its own, and a character that XML forbids."""

    def drawing(self, state: StateBytes) -> str:
        return f"k#k#\nK..{'o' if state[1] else '.'}\n"

    def position_text(self, state: StateBytes) -> str:
        return f"\x07{state[0]}"


def test_a_game_without_a_board_is_drawn_as_its_text() -> None:
    picture = svg_of(game_from_rules(Heap()).initial_state(), last_move=0)
    words = [text.text for text in ET.fromstring(picture).iter(f"{SVG}text")]
    assert words == ["0700"]
    assert "<title>Heap &lt;7&gt;: 0700 @0</title>" in picture


@pytest.mark.parametrize("name", ["heap", "hex"])
def test_a_game_of_no_known_look_is_guessed(name: str) -> None:
    picture = svg_of(game_from_rules(DrawnHeap(), name).initial_state())
    drawn = classes(picture)
    assert (drawn["piece first"], drawn["piece second"], drawn["mark"]) == (1, 2, 2)
    assert "<title>Heap &lt;7&gt;:  7 @0</title>" in picture


def test_the_command_writes_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hex.svg"
    assert main(["show", "hex:size=4", "b2", "c3", "--svg", str(file)]) == 0
    assert capsys.readouterr().out == ""
    state = athenan.make_game("hex:size=4").initial_state().play("b2").play("c3")
    assert file.read_text() == svg_of(state, last_move="c3")
    assert main(["show", "hex:size=4", "--position", state.position, "--svg", "-"]) == 0
    assert capsys.readouterr().out == svg_of(state)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["hex", "--svg", "f6"], "--svg takes a file that ends in .svg, or - for standard output"),
        (["hex", "f6", "f6", "--svg", "-"], "move 'f6' is not legal in hex here"),
        (["hex", "--svg", "no/such/folder.svg"], "No such file or directory"),
    ],
)
def test_mistakes_end_in_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err
    assert captured.err.count("\n") == 1
