"""Dots and Boxes in 60 lines of Python, on a board of any size.

Try it:  athenan show examples/dots_and_boxes.py:size=3 b1 a2

A state is the grid of dots, edges and boxes as one text, and the player to move:

    + # +      dots at even rows and columns, boxes at odd ones, edges between them;
    . x #      # is an edge that was drawn, x and o are the owners of boxes
    + # +
"""

import numpy as np
from athenan import SimpleRules

State = tuple[str, int]
Cell = tuple[int, int]


class DotsAndBoxes(SimpleRules[State, Cell]):
    """Who closes a box owns it and moves again; who owns more boxes at the end wins."""

    symbols = ".+#xo"
    symmetries = 8

    def __init__(self, size: int = 2) -> None:
        self.side = 2 * size + 1
        cells = [(row, column) for row in range(self.side) for column in range(self.side)]
        self.dots = {cell for cell in cells if cell[0] % 2 == cell[1] % 2 == 0}
        self.boxes = [cell for cell in cells if cell[0] % 2 == cell[1] % 2 == 1]
        self.all_moves = [cell for cell in cells if sum(cell) % 2]
        self.max_length = len(self.all_moves)
        self.draws = size % 2 == 0
        self.start = "".join("+" if cell in self.dots else "." for cell in cells)

    def initial(self) -> State:
        return self.start, 0

    def to_move(self, state: State) -> int:
        return state[1]

    def ply_of(self, state: State) -> int:
        return state[0].count("#")

    def score(self, state: State) -> float:
        return state[0].count("x") - state[0].count("o")

    def result(self, state: State) -> int | None:
        return None if self.moves(state) else int(np.sign(self.score(state)))

    def moves(self, state: State) -> list[Cell]:
        return [move for move in self.all_moves if state[0][self.at(move)] == "."]

    def play(self, state: State, move: Cell) -> State:
        grid, player = list(state[0]), state[1]
        grid[self.at(move)] = "#"
        closed = [box for box in self.boxes if grid[self.at(box)] == "." and self.closed(grid, box)]
        for box in closed:
            grid[self.at(box)] = "xo"[player]
        return "".join(grid), player if closed else 1 - player

    def closed(self, grid: list[str], box: Cell) -> bool:
        row, column = box
        edges = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return all(grid[self.at(edge)] == "#" for edge in edges)

    def at(self, cell: Cell) -> int:
        return cell[0] * self.side + cell[1]

    def transform(self, state: State, symmetry: int) -> State:
        rows = [state[0][k : k + self.side] for k in range(0, self.side**2, self.side)]
        rows = rows[::-1] if symmetry & 1 else rows
        rows = [row[::-1] for row in rows] if symmetry & 2 else rows
        return "".join(map("".join, zip(*rows, strict=True)) if symmetry & 4 else rows), state[1]

    def transform_move(self, state: State, symmetry: int, move: Cell) -> Cell:
        row = self.side - 1 - move[0] if symmetry & 1 else move[0]
        column = self.side - 1 - move[1] if symmetry & 2 else move[1]
        return (column, row) if symmetry & 4 else (row, column)
