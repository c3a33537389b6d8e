"""What lies on pictures: heat, arrows, what won, captions, and the areas of cells."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import athenan
import pytest
from athenan.games.turns import last_turn
from athenan.pictures import Arrow, Overlay, Spot, heat_of, line_of, move_cells, svg_of
from athenan.pictures.diagram import Cell
from athenan.pictures.looks import LETTERED, LOOKS
from conformance.variants import GAME_IDS, PYTHON_EXAMPLE, game_of, label
from pictures.heaps import Heap
from pictures.svg_reading import SVG, classes, groups, places, plies


def start(identity: str) -> athenan.State:
    return athenan.make_game(identity).initial_state()


def texts(picture: str, kind: str) -> list[str]:
    return [text.text or "" for g in groups(picture, kind) for text in g.iter(f"{SVG}text")]


def after(identity: str, *moves: str) -> str:
    states = [start(identity)]
    for move in moves:
        states.append(states[-1].play(move))
    return svg_of(states[-1], last_turn=last_turn(states, moves))


@pytest.mark.parametrize("identity", [*GAME_IDS, PYTHON_EXAMPLE], ids=label)
def test_every_cell_has_an_area_of_its_own(identity: str) -> None:
    state = game_of(identity).initial_state()
    (group,) = groups(svg_of(state), "cells")
    named = [area.attrib["data-cell"] for area in group]
    assert len(set(named)) == len(named) > 1
    for move in state.legal_moves()[:20]:
        assert {f"{row},{column}" for row, column in move_cells(state, move)} <= set(named)


@pytest.mark.parametrize("identity", GAME_IDS)
def test_heat_and_lines_can_be_drawn_in_every_game(identity: str) -> None:
    for state, _ in list(plies(identity))[::40]:
        moves = state.legal_moves()
        heat = heat_of(state, dict.fromkeys(moves, 0.5))
        ends = {tuple(cells)[-1] for move in moves if (cells := move_cells(state, move))}
        assert heat == dict.fromkeys(ends, Spot(0.5))
        arrows = line_of(state, moves[:1])
        drawn = classes(svg_of(state, overlay=Overlay(heat, arrows)))
        assert drawn["heat"] == len(heat)
        assert drawn["arrow"] == len(arrows) == bool(move_cells(state, moves[0]))


def test_the_best_of_the_moves_to_a_cell_gives_its_heat() -> None:
    state = start("breakthrough")
    heat = heat_of(state, {"a2b3": -0.5, "c2b3": 0.25}, {"c2b3": "+0.25"})
    assert heat == {(5, 1): Spot(0.25, "+0.25")}
    assert texts(svg_of(state, overlay=Overlay(heat)), "heat-label") == ["+0.25"]


def test_a_line_is_numbered_and_a_pass_draws_nothing() -> None:
    arrows = line_of(start("go:size=5"), ["C3", "pass", "C2"])
    assert arrows == [Arrow((((2, 2),),), "1", 0), Arrow((((3, 2),),), "3", 0)]
    picture = svg_of(start("go:size=5"), overlay=Overlay(arrows=arrows))
    assert texts(picture, "arrow") == ["3", "1"]
    assert classes(picture)["piece first"] == 0  # what may come is not there yet
    (both,) = line_of(start("shobu"), ["D:b1b3,l:a1a3"])
    assert both.ways == (((7, 1), (5, 1)), ((3, 4), (1, 4)))


def test_heat_outside_the_board_is_left_out() -> None:
    overlay = Overlay({(9, 9): Spot(1)}, [Arrow((((9, 9),),))])
    assert classes(svg_of(start("tic_tac_toe"), overlay=overlay))["heat"] == 0


@pytest.mark.parametrize(
    ("moves", "caption"),
    [
        ([], "ply 0 · first player to move"),
        (["E5"], "ply 1 · first player played E5 · second player to move"),
        (["E5", "pass"], "ply 2 · second player passed · first player to move"),
        (["E5", "pass", "pass"], "ply 3 · first player passed · the first player won, score +25"),
    ],
)
def test_the_caption_says_what_was_played(moves: list[str], caption: str) -> None:
    picture = after("go:size=5,komi=0", *moves)
    assert texts(picture, "caption") == [caption]
    assert classes(picture)["piece first"] == bool(moves)


def test_captions_name_swaps_turns_and_games_for_one() -> None:
    assert "second player swapped" in after("hex:size=3", "b2", "swap")
    assert "first player played d1d7 /g7" in after("amazons", "d1d7", "/g7")
    assert "you played k10v1 · to move" in after("morpion", "k10v1")


def test_the_side_to_move_is_shown_by_its_piece_and_a_caption_can_be_left_out() -> None:
    state = start("connect_four")
    (caption,) = groups(svg_of(state), "caption")
    assert next(caption.iter(f"{SVG}circle")).attrib["fill"] == "#f7e463"
    (caption,) = groups(svg_of(state.play("d")), "caption")
    assert next(caption.iter(f"{SVG}circle")).attrib["fill"] == "#b8341b"
    assert groups(svg_of(state, caption=False), "caption") == []
    assert texts(svg_of(state, caption="my words"), "caption") == ["my words"]


def won(identity: str, seed: int = 0) -> tuple[athenan.State, list[list[Cell]]]:
    """Play at random until someone has won; return the end and what is shown as having won."""
    for attempt in range(seed, seed + 50):
        *_, (state, move) = plies(identity, attempt)
        end = state.play(move)
        if not end.outcome:
            continue
        look = LOOKS[end.game.name]
        diagram = look.read(end)
        assert diagram is not None
        ways, winner = look.won(end, diagram), "first" if end.outcome > 0 else "second"
        assert all(look.owner(diagram.symbols[cell]) == winner for way in ways for cell in way)
        return end, ways
    pytest.fail(f"nobody won in {identity}")


@pytest.mark.parametrize(
    ("identity", "length"), [("tic_tac_toe", 3), ("connect_four", 4), ("outer_open_gomoku", 5)]
)
def test_the_row_that_won_is_marked(identity: str, length: int) -> None:
    end, (row,) = won(identity)
    assert len(row) >= length
    (line,) = groups(svg_of(end), "won")
    assert len(line.findall(f"{SVG}circle")) == len(row)


@pytest.mark.parametrize("size", [3, 5, 8])
def test_the_connection_that_won_is_marked(size: int) -> None:
    end, (way,) = won(f"hex:size={size},swap=false")
    axis = 0 if end.outcome == 1 else 1
    assert {way[0][axis], way[-1][axis]} == {0, size - 1}
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(way)}
    assert steps <= {(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)}


def test_what_won_at_havannah_is_marked() -> None:
    kinds = set()
    for seed in range(0, 200, 10):
        end, ways = won("havannah:size=4,swap=false", seed)
        if len(ways) < 3:
            last = end.game.datasheet.rows - 1 - 2 * end.game.datasheet.border
            kinds.add(len(ways))
            for row, column in (ways[0][-1], ways[-1][-1]):  # at the border
                assert row in (0, last) or column in (0, last) or abs(row - column) == last // 2
    assert kinds == {1, 2}, "a bridge is one way, a fork two that meet"
    assert classes(svg_of(end))["won"] == len(ways)


def test_pieces_that_arrived_are_marked() -> None:
    board = athenan.make_game("breakthrough")
    end = board.parse_position("8/P6p/8/8/8/8/8/8 w @20").play("a7a8")
    assert end.outcome == 1
    assert places(svg_of(end), "won") == [(0, 0)]
    assert classes(after("hex:size=3", "b2"))["won"] == 0


def test_figures_can_be_letters() -> None:
    for name, look in LETTERED.items():
        assert look.pieces.keys() == LOOKS[name].pieces.keys()
        state = start(name)
        for _ in range(16 if name == "arimaa" else 0):
            state = state.play(state.legal_moves()[0])
        drawn, written = svg_of(state, caption=False), svg_of(state, caption=False, letters=True)
        assert classes(drawn) == classes(written)
        labels = state.game.datasheet.rows + state.game.datasheet.columns
        pieces = classes(drawn)["piece first"] + classes(drawn)["piece second"]
        count = [len(list(ET.fromstring(each).iter(f"{SVG}text"))) for each in (drawn, written)]
        assert count == [labels, labels + pieces]


def test_the_points_of_morpion_have_the_numbers_of_their_lines() -> None:
    state = start("morpion")
    while not state.is_terminal:
        state = state.play(state.legal_moves()[-1 if state.ply % 3 else 0])
    written = texts(svg_of(state), "number")
    assert sorted(map(int, written)) == list(range(1, state.ply + 1))


def test_every_square_of_draughts_has_its_number_above_the_pieces() -> None:
    picture = svg_of(start("canadian_draughts"), caption=False)
    elements = list(ET.fromstring(picture))
    numbers = [place for place, each in enumerate(elements) if each.tag == f"{SVG}text"]
    assert [elements[place].text for place in numbers] == [str(n) for n in range(1, 73)]
    pieces = [n for n, each in enumerate(elements) if "piece" in each.get("class", "")]
    assert max(pieces) < min(numbers)


def test_a_game_without_a_board_takes_an_overlay_and_shows_nothing_of_it() -> None:
    state = athenan.game_from_rules(Heap()).initial_state()
    overlay = Overlay(heat_of(state, {0: 1.0}), line_of(state, [0, 1]))
    assert overlay == Overlay({}, [])
    assert svg_of(state, overlay=Overlay({(0, 0): Spot(1)})) == svg_of(state)
