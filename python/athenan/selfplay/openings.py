"""Random first moves, for matches that are to visit more positions than good play leads to."""

from __future__ import annotations

from athenan._core import Game, Random


def random_opening(game: Game, max_moves: int, seed: int) -> list[int]:
    """Return up to `max_moves` random moves from the start, each number of them as likely.

    None of them ends the match: it is cut before.

    >>> import athenan
    >>> game = athenan.make_game("hex:size=5")
    >>> sorted({len(random_opening(game, 3, seed)) for seed in range(100)})
    [0, 1, 2, 3]
    """
    random = Random(seed)
    moves: list[int] = []
    state = game.initial_state()
    for _ in range(random.below(max_moves + 1)):
        legal = state.legal_moves()
        move = legal[random.below(len(legal))]
        state = state.play(move)
        if state.is_terminal:
            break
        moves.append(move)
    return moves
