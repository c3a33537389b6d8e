"""The last turn in pictures: rings where the path of a move goes, crosses on what it captured."""

import re
from itertools import pairwise

import athenan
import pytest
from athenan.games import StateBytes, game_from_rules
from athenan.games.turns import last_turn
from athenan.pictures import svg_of
from athenan.pictures.diagram import Cell
from athenan.pictures.looks import LOOKS
from conformance.variants import GAME_IDS, PYTHON_EXAMPLE, game_of, label
from pictures.heaps import DrawnHeap, Heap
from pictures.svg_reading import Place, classes, places, plies, strokes

# What changes its owner or its place is not captured.
CAPTURING = {
    "arimaa",
    "brazilian_draughts",
    "breakthrough",
    "canadian_draughts",
    "clobber",
    "go",
    "international_draughts",
    "lines_of_action",
    "shobu",
    "surakarta",
    "xiangqi",
}


def after(identity: str, *moves: str, position: str | None = None) -> str:
    """Draw what some moves led to, the last turn marked."""
    game = athenan.make_game(identity)
    states = [game.initial_state() if position is None else game.parse_position(position)]
    for move in moves:
        states.append(states[-1].play(move))
    return svg_of(states[-1], last_turn=last_turn(states, moves))


def cell(place: Place) -> Cell:
    """Return the cell of a square board that a place lies in."""
    x, y = place
    return round(y), round(x)


def rings(picture: str) -> list[Cell]:
    return [cell(place) for place in places(picture, "last")]


def crosses(picture: str) -> list[Cell]:
    return [
        cell(((x + right) / 2, (y + low) / 2))
        for (x, y), (right, low) in strokes(picture, "captured")
    ]


def ways(picture: str) -> list[tuple[Cell, Cell]]:
    """Return from where to where lines lead; they end at the rings, not at the centres."""
    return [(cell(start), cell(end)) for start, end in strokes(picture, "way")]


def path_of(state: athenan.State, move: int) -> list[Cell]:
    """Return the cells of the diagram; those of Shobu from the text: D:b1b3,l:a1a3."""
    path = state.move_path(move)
    assert path is not None
    if state.game.name != "shobu":
        return path.cells
    boards = {"d": (0, 0), "l": (0, 4), "D": (4, 0), "L": (4, 4)}
    return [
        (boards[board][0] + 4 - int(name[1]), boards[board][1] + "abcd".index(name[0]))
        for board, *ends in re.findall(r"(\w):(\w\d)(\w\d)", state.move_to_string(move))
        for name in ends
    ]


@pytest.mark.parametrize("identity", GAME_IDS)
def test_the_cells_of_a_move_have_rings(identity: str) -> None:
    look = LOOKS[game_of(identity).name]
    for state, move in list(plies(identity))[::8]:
        child = state.play(move)
        diagram = look.read(child)
        assert diagram is not None
        centres = look.board(diagram).centres
        picture = svg_of(child, last_turn=[(state, move)])
        expected = [centres[touched] for touched in dict.fromkeys(path_of(state, move))]
        marked = places(picture, "last") + [middle(ends) for ends in strokes(picture, "captured")]
        assert all(any(near(place, mark) for mark in marked) for place in expected)
        assert all(any(near(ring, place) for place in expected) for ring in places(picture, "last"))


def middle(ends: tuple[Place, Place]) -> Place:
    return (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2


def near(one: Place, other: Place) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) < 0.01


@pytest.mark.parametrize("name", athenan.game_names())
def test_as_many_crosses_are_drawn_as_pieces_vanish(name: str) -> None:
    seen = 0
    for ply, (state, move) in enumerate(ply for seed in (1, 2, 3) for ply in plies(name, seed)):
        child = state.play(move)
        lost = vanished(state, child) if name in CAPTURING else 0
        if not lost and ply % 8:
            continue
        drawn = classes(svg_of(child, last_turn=[(state, move)]))["captured"]
        assert drawn == lost, (state.position, state.move_to_string(move))
        seen += drawn
    assert (seen > 0) == (name in CAPTURING)


def vanished(state: athenan.State, child: athenan.State) -> int:
    """Count the pieces that players lost."""
    return sum(max(0, state.pieces(player) - child.pieces(player)) for player in (0, 1))


def test_marks_are_where_the_move_was() -> None:
    assert rings(after("connect_four", "d", "d")) == [(4, 3)]
    assert rings(after("breakthrough", "a2b3", "h7g6")) == [(1, 7), (2, 6)]
    assert rings(after("clobber", "e1d1")) == [(9, 4), (9, 3)]
    assert rings(after("morpion", "k10v1")) == [(9, 10), (13, 10)]
    assert rings(after("hex:size=3", "b2", "swap")) == []
    assert rings(after("go:size=5", "A1", "pass")) == []


def test_a_turn_may_have_several_plies() -> None:
    assert rings(after("amazons", "d1d7")) == [(9, 3), (3, 3)]
    assert rings(after("amazons", "d1d7", "/g7")) == [(9, 3), (3, 3), (3, 6)]
    assert rings(after("connect6", "K10", "K11", "L11")) == [(8, 9), (8, 10)]
    setup = "rrrddrrr/rhcmechr/8/8/8/8/RHCEMCHR/RRRDDRRR g"
    steps = after("arimaa", "Ed2n", "Ed3n", "Cc2n,Cc3x", position=setup)
    assert rings(steps) == [(6, 3), (5, 3), (4, 3), (6, 2)]
    assert crosses(steps) == [(5, 2)]  # a trap
    assert ways(steps) == [((6, 3), (5, 3)), ((5, 3), (4, 3)), ((6, 2), (5, 2))]


# A first move of each game and the centres, in cells from that of the upper left corner, of what it
# touches; rows of hexagons are half the square root of three apart.
PLACES: dict[str, tuple[str, list[Place]]] = {
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
    PYTHON_EXAMPLE: ("c1", [(2, 0)]),
}


@pytest.mark.parametrize("identity", PLACES, ids=label)
def test_cells_are_where_the_board_has_them(identity: str) -> None:
    move, expected = PLACES[identity]
    picture = after(identity, move)
    marked = places(picture, "last")
    assert marked == [pytest.approx(place, abs=1e-3) for place in expected]
    pieces = places(picture, "piece first") + places(picture, "piece second")
    assert any(piece in marked for piece in pieces)


# The second board of Shobu lies 0.9 cells further to the right: its first column is at 4.9.
SHOBU = "oooo/4/4/xxxx oooo/4/4/xxxx oooo/4/4/xxxx"


@pytest.mark.parametrize(
    ("identity", "position", "move", "captured"),
    [
        ("go:size=5", "OX3/5/5/5/5 X", "A4", [(0, 0)]),
        ("go:size=5", "OO3/XX3/5/5/5 X", "C5", [(0, 0), (0, 1)]),
        ("othello", None, "f5", []),
        ("ataxx", "xo5/7/7/7/7/7/7 x 0", "a6", []),
        ("breakthrough", "7p/8/8/8/8/1p6/P7/8 w @4", "a2xb3", [(5, 1)]),
        ("clobber:rows=2,columns=2", "ox/xo x", "a1b1", [(1, 1)]),
        ("xiangqi", None, "b2b9", [(0, 1)]),
        ("surakarta", "6/6/6/6/o5/1x4 x 0", "b1a2", [(4, 0)]),
        ("international_draughts", "W:W31:B27,18,9", "31x4", [(1, 6), (3, 4), (5, 2)]),
        ("shobu", f"{SHOBU} 4/oxoo/4/xxx1 x", "D:a1a3,l:a1a3", []),
        ("shobu", f"oooo/4/4/xxxx 1ooo/o3/x3/1xxx {SHOBU[14:]} x", "D:a1a3,l:a2a4", [(1, 5)]),
    ],
)
def test_captures_have_crosses(
    identity: str, position: str | None, move: str, captured: list[Cell]
) -> None:
    assert sorted(crosses(after(identity, move, position=position))) == captured


def test_lines_lead_along_the_ways_of_pieces() -> None:
    chain = after("international_draughts", "31x4", position="W:W31:B27,18,9")
    stations = [(6, 1), (5, 2), (4, 3), (3, 4), (2, 5), (1, 6), (0, 7)]
    assert ways(chain) == list(pairwise(stations))
    assert rings(chain) == stations[::2]
    assert ways(after("surakarta", "a2a3")) == [((4, 0), (3, 0))]
    assert ways(after("surakarta", "b1a2", position="6/6/6/6/o5/1x4 x 0")) == []
    assert ways(after("morpion", "k10v1")) == []  # its line is drawn, and nothing moved


def test_a_game_without_geometry_has_no_marks() -> None:
    for rules in (Heap(), DrawnHeap()):
        start = game_from_rules(rules).initial_state()
        child = start.play(1)
        marked = svg_of(child, last_turn=[(start, 1)], caption=False)
        assert marked == svg_of(child, caption=False)


class PointedHeap(DrawnHeap):
    """Its moves touch the same cell twice."""

    def datasheet(self) -> athenan.Datasheet:
        return athenan.Datasheet(
            title="Heap",
            rows=1,
            columns=1,
            planes=["left"],
            move_count=2,
            move_kinds=["take"],
            max_length=7,
        )

    def move_path(
        self,
        state: StateBytes,  # noqa: ARG002
        move: int,  # noqa: ARG002
    ) -> tuple[str, list[tuple[int, int]]]:
        return "take", [(0, 0), (0, 0)]


def test_a_way_may_stay_where_it_is() -> None:
    start = game_from_rules(PointedHeap()).initial_state()
    picture = svg_of(start.play(1), last_turn=[(start, 1)])
    assert (rings(picture), ways(picture)) == ([(0, 0)], [])


def test_a_move_that_was_not_possible_is_refused() -> None:
    start = athenan.make_game("hex").initial_state()
    with pytest.raises(athenan.IllegalMoveError, match="move 'z9' is not legal in hex here"):
        svg_of(start.play("f6"), last_turn=[(start, "z9")])
