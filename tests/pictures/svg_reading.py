"""What the tests of pictures share: matches to draw, and reading the drawn."""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator

import athenan
from conformance.variants import game_of

SVG = "{http://www.w3.org/2000/svg}"
CELL = 40  # units of the file

Place = tuple[float, float]  # x and y in cells


def groups(picture: str, kind: str) -> list[ET.Element]:
    """Return the things of a class; what is part of another thing does not count."""
    return [g for g in ET.fromstring(picture).findall(f"{SVG}g") if g.get("class") == kind]


def classes(picture: str) -> Counter[str]:
    """Count the things of a picture by class."""
    return Counter(g.get("class", "") for g in ET.fromstring(picture).findall(f"{SVG}g"))


def places(picture: str, kind: str) -> list[Place]:
    """Return the centres of the things of a class that are drawn as circles."""
    circles = (next(group.iter(f"{SVG}circle")) for group in groups(picture, kind))
    return [(float(c.attrib["cx"]) / CELL, float(c.attrib["cy"]) / CELL) for c in circles]


def strokes(picture: str, kind: str) -> list[tuple[Place, Place]]:
    """Return the ends of the things of a class that are drawn as lines, of their first line."""
    lines = [group.find(f"{SVG}line") for group in groups(picture, kind)]
    return [
        (
            (float(line.attrib["x1"]) / CELL, float(line.attrib["y1"]) / CELL),
            (float(line.attrib["x2"]) / CELL, float(line.attrib["y2"]) / CELL),
        )
        for line in lines
        if line is not None
    ]


def plies(identity: str, seed: int = 7) -> Iterator[tuple[athenan.State, int]]:
    """Yield the states of a random match, at most 120, each with the move played there."""
    random, state = athenan.Random(seed), game_of(identity).initial_state()
    for _ in range(120):
        if state.is_terminal:
            break
        moves = state.legal_moves()
        move = moves[random.below(len(moves))]
        yield state, move
        state = state.play(move)


def positions(identity: str) -> Iterator[athenan.State]:
    """Yield some states of a random match."""
    yield game_of(identity).initial_state()
    for ply, (state, move) in enumerate(plies(identity)):
        if ply < 4 or ply % 17 == 0:
            yield state.play(move)
