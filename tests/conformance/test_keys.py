"""Keys: equal exactly for equal positions, whatever the order of the moves."""

from random import Random

import athenan
from conformance.variants import remembers_its_match
from conformance.walks import seeds, walk
from hypothesis import given

VISITED = 4000


def visited_states(game: athenan.Game, limit: int) -> list[athenan.State]:
    """List the first states in breadth, then those of random matches."""
    states = [game.initial_state()]
    for parent in states:
        if len(states) > limit // 2:
            break
        states += parent.children()
    del states[limit // 2 :]
    seed = 0
    while len(states) < limit and seed < 200:
        states += walk(game, seed).states
        seed += 1
    return states


def identity_of(state: athenan.State) -> str:
    """Write a position without its ply, unless the ply is part of what it is."""
    text = state.position
    sheet = state.game.datasheet
    return text if sheet.cyclic or sheet.board_determines_ply else text.rpartition(" @")[0]


def test_keys_are_equal_iff_states_are(game: athenan.Game) -> None:
    of_key: dict[int, athenan.State] = {}
    of_text: dict[str, athenan.State] = {}
    for state in visited_states(game, VISITED):
        assert of_key.setdefault(state.key, state) == state, "two positions share a key"
        twin = of_text.setdefault(identity_of(state), state)
        assert twin == state, "one position, two states"
        assert twin.key == state.key, "one position, two keys"
        assert hash(twin) == hash(state)
    assert len(of_key) == len(of_text) == len(set(of_key.values()))


def blocks_exchanged(moves: list[int]) -> list[list[int]]:
    """List the orders in which two blocks of one or two moves have changed places."""
    orders = []
    for size in (1, 2):
        for i in range(len(moves) - size):
            for j in range(i + size, len(moves) - size + 1):
                order = moves.copy()
                order[i : i + size], order[j : j + size] = moves[j : j + size], moves[i : i + size]
                if order != moves:
                    orders.append(order)
    return orders


def end_of(state: athenan.State, moves: list[int]) -> athenan.State | None:
    """Play the moves, if each one is legal when its turn comes."""
    for move in moves:
        if move not in state.legal_moves():
            return None
        state = state.play(move)
    return state


def test_the_order_of_moves_does_not_matter(game: athenan.Game) -> None:
    random = Random(1)
    transpositions = 0
    for seed in range(24):
        match = walk(game, seed)
        at = random.randrange(len(match.moves))
        moves = match.moves[at : at + 6]
        goal = match.states[at + len(moves)]
        for order in blocks_exchanged(moves):
            other = end_of(match.states[at], order)
            if other is not None and other.position == goal.position:
                transpositions += 1
                assert other == goal
                assert other.key == goal.key
    met = transpositions > 0
    assert met != remembers_its_match(game), "two orders of moves led to the same position, or none"


@given(seed=seeds)
def test_the_ply_is_in_the_key_of_cyclic_games_alone(game: athenan.Game, seed: int) -> None:
    states = walk(game, seed).states
    state = states[len(states) // 2]
    board, at, _ = state.position.rpartition(" @")
    if not at:
        assert game.datasheet.board_determines_ply
        return
    later = game.parse_position(f"{board} @{min(state.ply + 2, game.datasheet.max_length)}")
    assert later.ply != state.ply
    assert (later.key != state.key) == game.datasheet.cyclic
    assert (later != state) == game.datasheet.cyclic
