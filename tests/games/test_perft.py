"""Perft: the numbers of sequences of moves agree with those of independent implementations.

`data/perft.json` names the implementation and the convention behind each entry. Its `perft[d - 1]`
is compared at every depth d. The table says which game an entry is about, and how to count where
our moves are finer or coarser than those of the entry. Games that are not registered are passed
over until they are.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import athenan
import numpy as np
import pytest
from numpy.typing import NDArray

DATA: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "perft.json").read_text())
FAST_LEAVES = 4_000_000
MOST_LEAVES = 500_000_000  # of published tables, which go further
ONGOING = 2

Count = Callable[[int], int]
Convention = Callable[[athenan.Game], Count]


class Case(NamedTuple):
    """A position of an entry: the game, what its oracle counted, and how we count the same."""

    game: str
    published: list[int]
    convention: Convention = lambda game: game.perft


def packed_states(game: athenan.Game, depth: int) -> NDArray[np.uint8]:
    """List the states after each sequence of moves of this length."""
    states = game.pack([game.initial_state()])
    for _ in range(depth):
        states = game.expand(states)[2]
    return states


def from_position(text: str) -> Convention:
    return lambda game: game.parse_position(text).perft


def after(*moves: str) -> Convention:
    def convention(game: athenan.Game) -> Count:
        state = game.initial_state()
        for move in moves:
            state = state.play(move)
        return state.perft

    return convention


def passes_after_the_end(game: athenan.Game) -> Count:
    """Othello of the oracle goes on for two passes when nobody can move; ours ends at once."""

    def ended_at(depth: int) -> int:
        parents = packed_states(game, depth - 1)
        chunks = np.array_split(parents, 1 + len(parents) // 10_000)
        return sum(int(np.count_nonzero(game.expand(some)[3] != ONGOING)) for some in chunks)

    def count(depth: int) -> int:
        earliest = 9
        return game.perft(depth) + sum(map(ended_at, range(max(earliest, depth - 2), depth)))

    return count


def queen_then_square_then_arrow(game: athenan.Game) -> Count:
    """Amazons in three actions a turn: ours are the first two together, then the arrow."""

    def movable_queens(state: athenan.State) -> int:
        return len({re.findall(r"^[a-z]\d+", move)[0] for move in state.legal_move_strings()})

    def count(depth: int) -> int:
        turns, actions = divmod(depth, 3)
        if actions == 1:
            return sum(map(movable_queens, game.unpack(packed_states(game, 2 * turns))))
        return game.perft(2 * turns + actions // 2)

    return count


def workers_in_pairs(game: athenan.Game) -> Count:
    """Santorini of the oracle places both workers of a player at once, without an order."""
    return lambda depth: game.perft(2) // 2 if depth == 1 else game.perft(depth + 2) // 4


def idle_turns(start: athenan.State) -> int:
    """Count the turns of four steps that leave the board of Arimaa as it was.

    They are illegal here and counted by the oracle. Before the last step the board is one own step
    away from that of the start. No enemy comes near in the first turn, so that step is one of those
    legal at the beginning of a turn on the same board.
    """
    board, side = start.position.split()[:2]
    idle = 0
    for state in states_after(start, 3):
        rows, mover = state.position.split()[:2]
        if mover == side:
            children = start.game.parse_position(f"{rows} {side}").children()
            idle += sum(child.position.split()[0] == board for child in children)
    return idle


def states_after(start: athenan.State, depth: int) -> list[athenan.State]:
    states = [start]
    for _ in range(depth):
        states = [child for state in states for child in state.children()]
    return states


def steps_with_idle_turns(position: str) -> Convention:
    def convention(game: athenan.Game) -> Count:
        start = game.parse_position(position)
        others_steps = len(game.parse_position("s" + position[1:]).legal_moves())

        def count(depth: int) -> int:
            idle = idle_turns(start) if depth > 3 else 0
            return start.perft(depth) + idle * int(others_steps ** (depth - 4))

        return count

    return convention


ARIMAA_START = "grrrrrrrrdhcemchd" + " " * 32 + "DHCMECHDRRRRRRRR"

COUNTED_BY_TURNS = {"arimaa_turns"}  # in games/test_arimaa.py


def up_to(most: int, counts: list[int]) -> list[int]:
    return [leaves for leaves in counts if leaves <= most]


def with_published(name: str, table: str) -> tuple[str, Case]:
    """Go on with a published table where our oracle stopped."""
    counts, published = DATA[name]["perft"], DATA[name]["published"][table]
    return name, Case(name, up_to(MOST_LEAVES, counts + published[len(counts) :]))


def main_entry(
    name: str, game: str, convention: Convention = lambda game: game.perft, deepest: int = 99
) -> tuple[str, Case]:
    return name, Case(game, DATA[name]["perft"][:deepest], convention)


CASES: dict[str, Case] = dict(
    [
        main_entry("hex_3", "hex:size=3,swap=false"),
        main_entry("hex_3_swap", "hex:size=3,swap=true"),
        main_entry("hex_4", "hex:size=4,swap=false"),
        main_entry("hex_4_swap", "hex:size=4,swap=true"),
        main_entry("hex_11", "hex:size=11,swap=false"),
        main_entry("havannah_4", "havannah:size=4,swap=false"),
        main_entry("havannah_4_swap", "havannah:size=4,swap=true"),
        main_entry("havannah_8", "havannah:size=8,swap=false"),
        main_entry("havannah_10", "havannah:size=10,swap=false"),
        main_entry("othello_6", "othello:size=6", passes_after_the_end),
        main_entry("othello_8", "othello:size=8", passes_after_the_end),
        main_entry("othello_10", "othello:size=10", passes_after_the_end),
        main_entry("othello_16", "othello:size=16", passes_after_the_end),
        main_entry("clobber_10x10", "clobber:rows=10,columns=10"),
        main_entry("breakthrough_8x8", "breakthrough:rows=8,columns=8"),
        main_entry("amazons_10x10_combined", "amazons:size=10,plies=1"),
        main_entry("amazons_10x10_two_phase", "amazons:size=10,plies=2"),
        # Depth 7 would look at the queens of four million positions one by one.
        main_entry(
            "amazons_10x10_three_phase", "amazons:size=10,plies=2", queen_then_square_then_arrow, 6
        ),
        main_entry("lines_of_action", "lines_of_action"),
        main_entry("go_9", "go:size=9"),
        main_entry("go_11", "go:size=11"),
        main_entry("go_3_positional_superko", "go:size=3"),
        main_entry("go_2_positional_superko", "go:size=2", deepest=8),  # matches end at 2n² moves
        main_entry("gomoku_outer_open_15", "outer_open_gomoku:size=15"),
        main_entry("connect6_19", "connect6"),
        main_entry("santorini_from_empty", "santorini", workers_in_pairs),
        main_entry("santorini_fixed", "santorini", after("B2", "D2", "B4", "D4")),
        main_entry("surakarta", "surakarta"),
        main_entry("arimaa_steps", "arimaa", steps_with_idle_turns(ARIMAA_START)),
        main_entry("morpion_5T", "morpion:variant=5T"),
        main_entry("morpion_5D", "morpion:variant=5D"),
        main_entry("shobu", "shobu"),
        main_entry("ataxx_7x7", "ataxx:size=7"),
        main_entry("xiangqi", "xiangqi"),
        with_published("international_draughts", "drop_duplicates"),
        with_published("brazilian_draughts", "drop_duplicates"),
        with_published("canadian_draughts", "values"),
        main_entry("tic_tac_toe", "tic_tac_toe"),
        main_entry("connect_four", "connect_four:rows=6,columns=7"),
    ]
)


def extra_cases() -> dict[str, Case]:
    """List the further positions of entries, in the notations that the games read."""
    cases = {}
    for text, counts in DATA["breakthrough_8x8"]["extra_positions"].items():
        cases[f"breakthrough_8x8 {text}"] = Case(
            "breakthrough", counts, from_position(text.partition(" (")[0])
        )
    # Boards come again from depth 7 on. There the oracle ends the match, and ours goes on.
    simple = DATA["go_3_positional_superko"]["simple_ko_variant"]["perft"][:7]
    cases["go_3 with simple ko"] = Case("go:size=3,ko=simple", simple)
    for text, counts in DATA["ataxx_7x7"]["extra_positions"]["positions"].items():
        cases[f"ataxx_7x7 {text}"] = Case("ataxx", counts, from_position(text))
    for text, counts in DATA["xiangqi"]["extra_positions"].items():
        cases[f"xiangqi {text}"] = Case("xiangqi", counts, from_position(text))
    for text, counts in DATA["international_draughts"]["extra_positions"].items():
        position = "W:WK31-50:BK1-20" if "all kings" in text else text
        cases[f"international_draughts {position}"] = Case(
            "international_draughts", up_to(MOST_LEAVES, counts["dctl"]), from_position(position)
        )
    for text, counts in DATA["arimaa_turns"]["extra_positions"]["positions"].items():
        cases[f"arimaa_turns {text}"] = Case(
            "arimaa", counts["step_perft_pyrimaa"], from_position(text)
        )
    return cases


CASES |= extra_cases()


def depths() -> list[object]:
    """List every depth of every case; those with many leaves are slow."""
    return [
        pytest.param(
            name,
            depth,
            id=f"{name}-{depth}",
            marks=[pytest.mark.slow] if leaves > FAST_LEAVES else [],
        )
        for name, case in CASES.items()
        for depth, leaves in enumerate(case.published, 1)
    ]


@pytest.mark.parametrize(("name", "depth"), depths())
def test_perft_agrees_with_the_oracle(name: str, depth: int) -> None:
    case = CASES[name]
    count = case.convention(athenan.make_game(case.game))
    assert count(depth) == case.published[depth - 1]


def test_every_entry_is_compared() -> None:
    assert set(DATA) - COUNTED_BY_TURNS == {name for name in CASES if name in DATA}


def test_the_extra_positions_of_registered_games_are_compared() -> None:
    compared = {name.split(" ")[0] for name in CASES if " " in name}
    for name, entry in DATA.items():
        if "extra_positions" in entry and (name in CASES or name in COUNTED_BY_TURNS):
            assert name in compared, f"the extra positions of {name} are in the data alone"


def test_there_is_something_to_compare() -> None:
    assert len(CASES) >= 20
    assert len(depths()) >= 100


def test_every_entry_names_its_oracle() -> None:
    assert all(entry["oracle"] and entry["convention"] for entry in DATA.values())
