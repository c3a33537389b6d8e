"""Play a random match and draw it.

Try it:  python examples/random_match.py hex:size=5
"""

import sys

import athenan


def main(name: str, seed: int = 0) -> None:
    """Play uniformly random moves from the start to the end."""
    random = athenan.Random(seed)
    state = athenan.make_game(name).initial_state()
    notation = []
    while moves := state.legal_moves():
        move = moves[random.below(len(moves))]
        notation.append(state.move_to_string(move))
        state = state.play(move)
    print(f"{state.game.id}: {' '.join(notation)}\n")
    print(state)
    print(f"After {state.ply} moves: outcome {state.outcome} for the first player.")


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "hex:size=5")
    except athenan.Error as mistake:
        sys.exit(str(mistake))
