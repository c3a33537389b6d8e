"""Nonsense from outside is refused, or it is a state on which everything works.

Bytes, positions, moves and names of games are drawn at random or made from valid ones by small
damage. A crash of the engine is a failure that nobody can overlook.
"""

import string
from collections.abc import Callable
from functools import partial
from random import Random

import athenan
import pytest
from athenan import IllegalMoveError, ParameterError, PositionError
from conformance.variants import GAME_IDS, PYTHON_EXAMPLE, VARIANTS, game_of, label
from conformance.walks import walk, walk_from

# The default run damages 10 000 states and as many texts of every game.
ROUNDS = [1, pytest.param(10, marks=pytest.mark.slow)]
ATTEMPTS = 10_000


def smallest_and_default() -> list[str]:
    return [identity for ids in VARIANTS.values() for identity in dict.fromkeys([ids[0], ids[-1]])]


every_game = pytest.mark.parametrize(
    "identity", [*smallest_and_default(), PYTHON_EXAMPLE], ids=label
)
every_effort = pytest.mark.parametrize("rounds", ROUNDS)


def attempts(identity: str, rounds: int) -> int:
    """Share the attempts of a game among its variants; games in Python are slow."""
    variants = [
        other for other in smallest_and_default() if other.split(":")[0] == identity.split(":")[0]
    ]
    return rounds * (ATTEMPTS // len(variants) if variants else ATTEMPTS // 20)


def damaged_bytes(whole: bytes, longest: int, random: Random) -> bytes:
    """Draw bytes, or change one to three of the given ones, or their number."""
    kind = random.random()
    if kind < 0.2:
        return random.randbytes(random.randrange(longest + 16))
    data = bytearray(whole)
    for _ in range(random.randint(1, 3)):
        data[random.randrange(len(data))] = random.choice(
            [random.randrange(256), random.randrange(4), data[random.randrange(len(data))]]
        )
    if kind < 0.3:
        return bytes(data[: random.randrange(len(data))]) + random.randbytes(random.randrange(9))
    return bytes(data)


def damaged_text(whole: str, random: Random) -> str:
    """Draw a text, or insert, remove, replace or repeat one to three pieces of the given one."""
    alphabet = (whole or "?") + string.printable + "é\0" + "/@ -"
    if random.random() < 0.1:
        return "".join(random.choices(alphabet, k=random.randrange(80)))
    for _ in range(random.randint(1, 3)):
        start = random.randrange(len(whole) + 1)
        end = min(len(whole), start + random.choice([0, 1, 1, 1, 2, 8]))
        middle = random.choice(
            ["", random.choice(alphabet), random.choice(alphabet), whole[start:end] * 2]
        )
        whole = whole[:start] + middle + whole[end:]
    return whole


def pool(game: athenan.Game) -> list[athenan.State]:
    return [state for seed in range(6) for state in walk(game, seed).states]


def accepted(make: Callable[[], athenan.State]) -> athenan.State | None:
    try:
        return make()
    except PositionError as refusal:
        message = str(refusal)
    assert 0 < len(message) < 1000
    return None


def check_everything(state: athenan.State, random: Random) -> None:
    """Use every operation on a state that was let in."""
    game = state.game
    check_here(state)
    end = walk_from(state, random).states[-1]
    check_here(end)
    tally = state.playouts(1, seed=random.getrandbits(64), threads=1)
    assert tally.plies <= game.datasheet.max_length - state.ply


def check_here(state: athenan.State) -> None:
    game = state.game
    legal = state.legal_moves()
    assert (not legal) == state.is_terminal
    assert len(set(state.legal_move_strings())) == len(legal)
    assert game.state_from_bytes(bytes(state)) == state
    assert game.parse_position(state.position) == state
    assert state.encode().shape[0] == len(game.datasheet.planes)
    assert len(state.children()) == len(legal)
    assert str(state)
    for k in range(game.symmetries):
        image = state.transform(k)
        assert game.parse_position(image.position) == image
        assert sorted(image.legal_moves()) == sorted(state.transform_move(k, m) for m in legal)
        assert image.outcome == state.outcome


@every_effort
@every_game
def test_damaged_bytes_are_refused_or_good(identity: str, rounds: int) -> None:
    game, random = game_of(identity), Random(rounds)
    states, seen = pool(game), set()
    for _ in range(attempts(identity, rounds)):
        data = damaged_bytes(bytes(random.choice(states)), game.state_size, random)
        state = accepted(partial(game.state_from_bytes, data))
        if state is not None:
            assert bytes(state) == data
            if state.key not in seen:
                seen.add(state.key)
                check_everything(state, random)
    assert seen, "nothing was let in"


@every_effort
@every_game
def test_damaged_positions_are_refused_or_good(identity: str, rounds: int) -> None:
    game, random = game_of(identity), Random(rounds)
    texts, seen = [state.position for state in pool(game)], set()
    for _ in range(attempts(identity, rounds)):
        text = damaged_text(random.choice(texts), random)
        state = accepted(partial(game.parse_position, text))
        if state is not None and state.key not in seen:
            seen.add(state.key)
            check_everything(state, random)
    assert seen, "nothing was let in"


@every_effort
@every_game
def test_damaged_moves_are_refused_or_legal(identity: str, rounds: int) -> None:
    game, random = game_of(identity), Random(rounds)
    states = [state for state in pool(game) if not state.is_terminal]
    for _ in range(attempts(identity, rounds) // 10):
        state = random.choice(states)
        legal = state.legal_move_strings()
        text = damaged_text(random.choice(legal), random)
        if text in legal:
            assert state.move_to_string(state.parse_move(text)) == text
        else:
            with pytest.raises(IllegalMoveError):
                state.parse_move(text)


@every_effort
def test_damaged_names_of_games_are_refused_or_make_one(rounds: int) -> None:
    random = Random(rounds)
    made = 0
    for _ in range(rounds * 2000):
        identity = damaged_text(random.choice([game_of(name).id for name in GAME_IDS]), random)
        try:
            game = athenan.make_game(identity)
        except ParameterError:
            continue
        made += 1
        assert athenan.make_game(game.id).id == game.id
        assert game.initial_state().legal_moves()
    assert made > 0
