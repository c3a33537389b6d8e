import json
from pathlib import Path

import athenan
import pytest

TURNS = json.loads((Path(__file__).parents[1] / "data" / "perft.json").read_text())["arimaa_turns"]


def position(text: str) -> athenan.State:
    return athenan.make_game("arimaa").parse_position(text)


def played(state: athenan.State, moves: str) -> athenan.State:
    for move in moves.split():
        state = state.play(move)
    return state


def steps_of(piece: str, state: athenan.State) -> list[str]:
    """The legal moves that begin with this piece and square."""
    return sorted(move for move in state.legal_move_strings() if move.startswith(piece))


def boards_after_a_turn(state: athenan.State) -> set[str]:
    boards, layer = set(), {state}
    while layer:
        children = {child for parent in layer for child in parent.children()}
        boards |= {
            child.position.split()[0] for child in children if child.to_move != state.to_move
        }
        layer = {child for child in children if child.to_move == state.to_move}
    return boards


@pytest.mark.parametrize("text", TURNS["extra_positions"]["positions"])
def test_the_number_of_turns_agrees_with_the_oracles(text: str) -> None:
    published = TURNS["extra_positions"]["positions"][text]
    assert len(boards_after_a_turn(position(text))) == published["unique_turns_sharp"]


# Set-up


def test_pieces_are_placed_square_by_square() -> None:
    state = athenan.make_game("arimaa").initial_state()
    assert state.legal_move_strings() == ["Ra1", "Ca1", "Da1", "Ha1", "Ma1", "Ea1"]
    state = played(state, "Ea1 Cb1 Cc1")
    assert state.legal_move_strings() == ["Rd1", "Dd1", "Hd1", "Md1"]
    state = played(state, "Md1 De1 Df1 Hg1 Hh1 Ra2 Rb2 Rc2 Rd2 Re2 Rf2 Rg2 Rh2")
    assert (state.to_move, state.ply) == (1, 16)
    state = played(state, "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ca7 cb7 dc7 dd7 he7 hf7 mg7 eh7")
    assert state.position == "rrrrrrrr/ccddhhme/8/8/8/8/RRRRRRRR/ECCMDDHH g @32"


def test_a_whole_setup_may_be_chosen() -> None:
    start = athenan.make_game("arimaa", setup="choice").initial_state()
    names = start.legal_move_strings()
    assert len(set(names)) == 24
    assert all(sorted(name) == sorted("RRRRRRRRCCDDHHME") for name in names)
    assert {name[7::-1] + name[:7:-1] for name in names} == set(names)
    state = played(start, "RRRRRRRRDHCMECHD rrrrrrrrdhcemchd")
    assert state.position == "rrrrrrrr/dhcemchd/8/8/8/8/DHCMECHD/RRRRRRRR g @2"


def test_the_mirror_image_of_a_setup_goes_on_from_the_other_side() -> None:
    state = played(athenan.make_game("arimaa").initial_state(), "Ra1 Db1")
    image = state.transform(1)
    assert image.position == "8/8/8/8/8/8/8/6DR g setup-mirrored @2"
    assert image.legal_move_strings()[0] == "Rf1"


# Steps


def test_rabbits_never_step_back() -> None:
    state = position("7r/8/8/4R3/8/8/8/8 g")
    assert state.legal_move_strings() == ["Re5n", "Re5e", "Re5w"]
    assert position("8/8/8/4r3/8/8/8/R7 s").legal_move_strings() == ["re5s", "re5e", "re5w"]


def test_a_piece_beside_a_stronger_enemy_is_frozen_unless_beside_a_friend() -> None:
    assert steps_of("De4", position("7r/8/8/4h3/4D3/8/8/R7 g")) == []
    assert steps_of("De4", position("7r/8/8/4d3/4D3/8/8/R7 g")) == ["De4e", "De4s", "De4w"]
    assert steps_of("De4", position("7r/8/8/4h3/4D3/4R3/8/8 g")) == ["De4e", "De4w"]


def test_a_piece_on_a_trap_needs_a_friend_beside_it() -> None:
    state = position("7r/8/8/8/8/2D5/2C5/R7 g")
    assert "Cc2w,Dc3x" in state.legal_move_strings()  # the friend leaves
    alone = played(state, "Dc3e Dd3e")
    assert "Cc2n,Cc3x" in alone.legal_move_strings()  # the piece enters
    assert alone.play("Cc2n,Cc3x").pieces(0) == 2
    with pytest.raises(athenan.PositionError, match="trap"):
        position("7r/8/8/8/8/2D5/8/R7 g")


# Pushes and pulls


def test_a_push_must_be_completed_by_the_next_step() -> None:
    state = position("7r/8/8/3c4/3D4/8/8/R7 g")
    assert steps_of("cd5", state) == ["cd5e", "cd5n", "cd5w"]
    pushed = state.play("cd5n")
    assert pushed.position == "7r/8/3c4/8/3D4/8/8/R7 g 3 cd5 " + pushed.position.split()[4] + " @1"
    assert pushed.legal_move_strings() == ["Dd4n"]
    assert pushed.play("Dd4n").to_move == 0


def test_a_push_cannot_begin_with_the_last_step() -> None:
    state = played(position("7r/8/8/3c4/3D4/8/8/R7 g"), "Ra1n Ra2n Ra3n")
    assert steps_of("cd5", state) == []


def test_only_a_stronger_free_piece_pushes() -> None:
    assert steps_of("dd5", position("7r/8/8/3d4/3D4/8/8/R7 g")) == []
    assert steps_of("cd5", position("7r/8/8/3c4/2hD4/8/8/R7 g")) == []  # frozen by the horse


def test_any_free_stronger_piece_may_complete_a_push() -> None:
    pushed = position("7r/8/8/2HcD3/8/8/8/R7 g").play("cd5n")
    assert sorted(pushed.legal_move_strings()) == ["De5w", "Hc5e"]


def test_a_weaker_enemy_is_pulled_into_the_square_just_left() -> None:
    state = position("7r/8/8/3c4/3D4/8/8/R7 g").play("Dd4e")
    assert steps_of("cd5", state) == ["cd5s"]  # not beside the dog any more: no push
    pulled = state.play("cd5s")
    assert "pass" in pulled.legal_move_strings()
    later = state.play("Ra1n")
    assert steps_of("cd5", later) == []
    equal = position("7r/8/8/3d4/3D4/8/8/R7 g").play("Dd4e")
    assert steps_of("dd5", equal) == []


def test_a_pull_may_be_the_last_step() -> None:
    state = played(position("7r/8/8/3c4/3D4/8/8/R7 g"), "Ra1n Ra2n Dd4e cd5s")
    assert state.to_move == 1


def test_completing_a_push_does_not_begin_a_pull() -> None:
    state = position("7r/8/8/3c4/2rD4/8/8/R7 g")
    assert "rc4e" in state.play("Dd4e").legal_move_strings()
    assert "rc4e" not in played(state, "cd5n Dd4n").legal_move_strings()


def test_a_step_that_is_a_pull_is_not_a_push() -> None:
    # The horse beside the cat could push it into the square that the dog has just left.
    state = played(position("7r/8/8/2Hc4/3D4/8/8/R7 g"), "Dd4s cd5s")
    assert "pass" in state.legal_move_strings()


def test_a_piece_that_dies_in_a_trap_still_pulls() -> None:
    state = position("7r/8/8/8/3c4/3D4/8/R7 g").play("Dd3w,Dc3x")
    assert steps_of("cd4", state) == ["cd4s"]


def test_an_enemy_pushed_into_a_trap_is_removed() -> None:
    state = position("7r/8/8/8/8/3cD3/8/R7 g").play("cd3w,cc3x")
    assert (state.pieces(1), state.legal_move_strings()) == (1, ["De3w"])


# Turns


def test_a_turn_has_one_to_four_steps() -> None:
    state = position("7r/8/8/8/8/8/8/R7 g")
    assert "pass" not in state.legal_move_strings()
    assert state.play("Ra1n").play("pass").to_move == 1
    assert played(state, "Ra1n Ra2n Ra3n Ra4n").to_move == 1


def test_a_turn_must_change_the_position() -> None:
    state = position("7r/8/8/8/8/8/8/E6R g")
    back = played(state, "Ea1n Ea2s")
    assert "pass" not in back.legal_move_strings()
    third = played(back, "Ea1n")
    assert "pass" in third.legal_move_strings()
    assert steps_of("Ea2", third) == ["Ea2e", "Ea2n"]  # not Ea2s


def test_a_position_cannot_occur_a_third_time_with_the_same_player_to_move() -> None:
    state = position("e6r/8/8/8/8/8/8/E6R g")
    cycle = "Ea1n pass ea8s pass Ea2s pass ea7n pass"
    twice = played(state, cycle)
    assert "pass" in played(twice, "Ea1n").legal_move_strings()
    last = played(twice, cycle.removesuffix(" pass"))  # the start would occur again
    assert "pass" not in last.legal_move_strings()
    assert "ea8s" in last.legal_move_strings()
    assert last.play("ea8e").play("pass").to_move == 0


def test_removals_make_repetition_impossible() -> None:
    state = position("7r/8/8/8/8/8/2C5/E6R g")
    quiet = played(state, "Ea1n pass rh8w pass")
    assert len(quiet.position.split()[4].split(",")) == 3
    assert quiet.play("Cc2n,Cc3x").position.split()[2:5] == ["3", "-", "-"]


def test_a_player_who_cannot_end_its_turn_has_lost() -> None:
    # The elephant pulls the camel and begins to push it back: completing the push would recreate
    # the start of the turn.
    state = played(position("7r/8/8/8/8/8/m7/E6R g"), "Ea1e ma2s")
    stuck = state.play("ma1n")
    assert (stuck.outcome, stuck.to_move, stuck.legal_moves()) == (-1, 0, [])


# Ends


def test_a_rabbit_in_goal_wins_when_the_turn_ends() -> None:
    state = position("7r/R7/8/8/8/8/8/8 g").play("Ra7n")
    assert state.outcome is None
    assert state.play("pass").outcome == 1


def test_an_enemy_rabbit_may_be_moved_through_its_goal() -> None:
    state = played(position("7r/8/8/8/8/3E4/3r4/7R g"), "rd2s Ed3s")
    assert state.outcome is None
    assert state.play("pass").outcome == -1
    assert played(state, "Ed2e rd1n").outcome is None


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("R7/8/8/8/8/8/8/7r g", -1),  # both in goal: Silver has just moved
        ("R7/8/8/8/8/8/8/7r s", 1),
        ("8/8/8/8/8/8/8/E6e g", -1),  # no rabbits on either side
        ("8/8/8/8/8/8/8/E6e s", 1),
        ("8/7r/8/8/8/8/8/E6e g", -1),
        ("8/7r/8/8/8/8/8/E6e s", -1),
        ("8/7r/8/8/8/8/e7/R7 g", -1),  # frozen: no legal move
        ("8/8/8/8/8/8/rR6/RE6 s", 1),  # blocked: no legal move
    ],
)
def test_the_ends_are_looked_at_in_order(text: str, outcome: int | None) -> None:
    assert position(text).outcome == outcome


def test_the_score_is_the_published_reward() -> None:
    state = position("R6e/8/8/8/8/8/8/C7 s")
    assert (state.outcome, state.score) == (1, 69 + 6 + 1 - 5)
    assert position("7r/8/8/8/8/8/8/R7 g").score == 0


# Geometry


def path_of(state: athenan.State, move: str) -> tuple[str, list[tuple[int, int]]]:
    path = state.move_path(move)
    assert path is not None
    return path.kind, path.cells


def test_a_placement_touches_the_square_whose_turn_it_is() -> None:
    start = athenan.make_game("arimaa").initial_state()
    assert path_of(start, "Ra1") == ("place rabbit", [(7, 0)])
    assert path_of(start.play("Ra1"), "Eb1") == ("place elephant", [(7, 1)])
    assert path_of(start.play("Ra1").transform(1), "Mg1") == ("place camel", [(7, 6)])


def test_a_whole_setup_touches_the_squares_of_all_but_the_rabbits() -> None:
    # Elephant, camel, horses, dogs and cats; of two the one nearer to the elephant first.
    start = athenan.make_game("arimaa", setup="choice").initial_state()
    columns = [4, 3, 6, 1, 7, 0, 5, 2]
    assert path_of(start, "RRRRRRRRDHCMECHD") == ("set up", [(6, column) for column in columns])
    mirrored = [(1, 7 - column) for column in columns]
    silver = start.play("RRRRRRRRDHCMECHD")
    assert path_of(silver, "rrrrrrrrdhcemchd") == ("set up", mirrored)
    ahead = path_of(silver, "dhcmechdrrrrrrrr")
    assert ahead == ("set up", [(0, column) for column in columns])


def test_steps_pushes_and_pulls_touch_two_squares() -> None:
    state = position("7r/8/8/3c4/3D4/8/8/R7 g")
    assert path_of(state, "Dd4e") == ("step", [(4, 3), (4, 4)])
    assert path_of(state, "cd5n") == ("push", [(3, 3), (2, 3)])
    assert path_of(state.play("cd5n"), "Dd4n") == ("step", [(4, 3), (3, 3)])
    assert path_of(state.play("Dd4e"), "cd5s") == ("pull", [(3, 3), (4, 3)])
    assert path_of(state.play("Dd4e"), "pass") == ("pass", [])
    # The horse beside the cat could push it where the dog pulls it, or elsewhere.
    both = position("7r/8/8/2Hc4/3D4/8/8/R7 g").play("Dd4s")
    assert path_of(both, "cd5s")[0] == "pull"
    assert path_of(both, "cd5e")[0] == "push"


def test_a_removal_is_not_touched() -> None:
    state = position("7r/8/8/8/8/3cD3/8/R7 g")
    assert path_of(state, "cd3w,cc3x") == ("push", [(5, 3), (5, 2)])
