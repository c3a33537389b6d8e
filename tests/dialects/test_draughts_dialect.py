"""Hub's notation of draughts agrees with py-draughts in whole random matches."""

from random import Random

import pytest
from athenan import make_game
from athenan.dialects.draughts import HubDialect
from crossplay.py_draughts import PyBrazilianDraughts, PyDraughts, PyInternationalDraughts

OTHERS: dict[str, type[PyDraughts]] = {
    "international_draughts": PyInternationalDraughts,
    "brazilian_draughts": PyBrazilianDraughts,
}


def hub_texts(other: PyDraughts) -> set[str]:
    """Write the legal moves of py-draughts as Hub has them."""
    texts = set()
    for move in other.legal:
        ends = [move.square_list[0] + 1, move.square_list[-1] + 1]
        taken = sorted(square + 1 for square in move.captured_list)
        texts.add(("x" if taken else "-").join(map(str, ends + taken)))
    return texts


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("seed", range(4))
def test_all_moves_of_a_match_are_written_alike(name: str, seed: int) -> None:
    hub, other, random = HubDialect(make_game(name)), OTHERS[name](), Random(seed)
    state, captures = hub.game.initial_state(), 0
    for _ in range(120):
        if state.is_terminal or not other.legal:
            break
        ours = {hub.write(state, move) for move in state.legal_moves()}
        assert ours == hub_texts(other), state.position
        move = random.choice(state.legal_moves())
        captures += "x" in hub.write(state, move)
        other.play(state.move_to_string(move))
        state = state.play(move)
    assert captures > 3


def test_a_capture_is_told_by_its_pieces_in_any_order_or_by_its_ends() -> None:
    hub = HubDialect(make_game("international_draughts"))
    state = hub.game.parse_position("W:WK5:B10,20")
    (move,) = state.legal_moves()
    text = hub.write(state, move)
    ends, taken = text.split("x")[:2], text.split("x")[2:]
    assert len(taken) == 2
    for said in (text, "x".join(ends + taken[::-1]), "x".join(ends)):
        assert hub.read(state, said) == move


def test_positions_keep_men_and_kings() -> None:
    hub = HubDialect(make_game("brazilian_draughts"))
    for position in ("B:WK1,30:B9,K32", "W:W21:BK5"):
        state = hub.game.parse_position(position)
        assert hub.write_position(hub.read_position(hub.write_position(state))) == (
            hub.write_position(state)
        )
