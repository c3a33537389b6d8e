"""Prove the outcome of a small game under best play, and show a line that proves it.

Try it:  python examples/solve.py connect_four:rows=4,columns=4
"""

import sys
import time

import athenan

OUTCOMES = {1: "the first player wins", 0: "a draw", -1: "the second player wins"}


def main(identity: str) -> None:
    """Solve one game from its start."""
    state = athenan.make_game(identity).initial_state()
    start = time.perf_counter()
    solution = athenan.solve(state)
    seconds = time.perf_counter() - start
    print(
        f"{state.game.id} is solved: {OUTCOMES[solution.proven_outcome]} "
        f"({solution.spent.expansions} expansions, {seconds:.2f} s)"
    )
    print(f"best play: {' '.join(solution.line)}")
    for move in solution.line:
        state = state.play(move)
    print(state)


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "hex:size=3,swap=false")
    except athenan.Error as problem:
        sys.exit(f"solve: {problem}")
