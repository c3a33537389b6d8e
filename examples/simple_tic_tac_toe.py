"""Tic-tac-toe in 30 lines of Python: a state is its nine cells as a text.

Try it:  athenan show examples/simple_tic_tac_toe.py b2 a1
"""

from athenan import SimpleRules

LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]


class TicTacToe(SimpleRules[str, int]):
    """Three in a row win."""

    all_moves = range(9)
    max_length = 9
    symmetries = 2

    def initial(self) -> str:
        return "." * 9

    def to_move(self, state: str) -> int:
        return state.count("x") - state.count("o")

    def result(self, state: str) -> int | None:
        lines = ["".join(state[int(cell)] for cell in line) for line in LINES]
        return 1 if "xxx" in lines else -1 if "ooo" in lines else None if "." in state else 0

    def moves(self, state: str) -> list[int]:
        return [cell for cell in range(9) if state[cell] == "."]

    def play(self, state: str, move: int) -> str:
        return state[:move] + "xo"[self.to_move(state)] + state[move + 1 :]

    def transform(self, state: str, symmetry: int) -> str:
        return state[2::-1] + state[5:2:-1] + state[:5:-1]  # left and right exchanged

    def transform_move(self, state: str, symmetry: int, move: int) -> int:
        return move // 3 * 3 + 2 - move % 3
