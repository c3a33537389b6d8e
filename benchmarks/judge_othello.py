"""Mistakes in matches of Othello 6x6: an exact solver judges every move.

    athenan match MODEL@seconds=0.2 mcts:seconds=1 --matches 100 --save matches.jsonl
    python benchmarks/judge_othello.py matches.jsonl --empties 24

Each position with at most this many empty cells gets its value under best play from
`othello_solver.cpp`, which shares no code with the engine and is itself first compared with the
engine's solver. A move that leaves its player with less than before is a mistake. The tables say
how the matches went that were won, drawn or lost to begin with, and how often each player erred
when there was something to lose. From 26 empty cells on a match takes half a minute or more.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from athenan import Random, State, make_game, solve
from athenan.arena import Match
from athenan.machine import available_cores

SOURCE = Path(__file__).with_name("othello_solver.cpp")
WORDS = {1: "won", 0: "drawn", -1: "lost"}
GAME = make_game("othello:size=6")


class OthelloSolver:
    """The C++ solver as a process that answers questions."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> OthelloSolver:
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.kill()

    def value(self, state: State) -> int:
        """+1, 0 or -1 for the first player under best play."""
        if state.outcome is not None:
            return state.outcome
        mine, theirs = masks(state)
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{mine:x} {theirs:x}\n")
        self._process.stdin.flush()
        value = int(self._process.stdout.readline())
        return -value if state.to_move else value


def masks(state: State) -> tuple[int, int]:
    """The discs of the player to move and of the other, bit 8 * row + column."""
    board, mover = state.position.split()[:2]
    mine = sum(1 << 8 * (i // 6) + i % 6 for i, cell in enumerate(board) if cell == mover)
    discs = sum(1 << 8 * (i // 6) + i % 6 for i, cell in enumerate(board) if cell != "-")
    return mine, discs & ~mine


def empty_cells(state: State) -> int:
    """How many cells have no disc."""
    return 36 - sum(mask.bit_count() for mask in masks(state))


def compiled(folder: Path) -> Path:
    """Build the solver."""
    program = folder / "othello_solver"
    flags = ["-O3", "-march=native", "-std=c++20"]
    subprocess.run(["g++", *flags, str(SOURCE), "-o", str(program)], check=True)
    return program


def cross_check(program: Path, positions: int) -> None:
    """Compare the solver with the engine's own on random positions near the end."""
    random = Random(3)
    outcomes: Counter[int] = Counter()
    with OthelloSolver(program) as solver:
        while outcomes.total() < positions:
            state = GAME.initial_state()
            while not state.is_terminal and empty_cells(state) > 10:
                moves = state.legal_moves()
                state = state.play(moves[random.below(len(moves))])
            if state.is_terminal:
                continue
            expected = solve(state).proven_outcome
            if solver.value(state) != expected:
                sys.exit(f"the two solvers disagree on {state.position}")
            outcomes[expected] += 1
    found = ", ".join(f"{outcomes[value]} {word}" for value, word in WORDS.items())
    print(f"both solvers agree on {positions} positions with 10 empty cells: {found}")


@dataclass
class Findings:
    """What the judge saw; players by name, values from the view of a player."""

    results: dict[tuple[str, int], Counter[int]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    """Of a player, by the value of the first position judged: how often which outcome."""
    moves: Counter[str] = field(default_factory=Counter)
    """With something to lose."""
    mistakes: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    """Matches that were lost to begin with and in which the other made no mistake."""

    def add(self, match: Match, judged: list[tuple[State, int]]) -> None:
        """Note one match."""
        assert match.outcome is not None
        names = match.players
        erred = set()
        for (state, before), (_, after) in pairwise(judged):
            name, sign = names[state.to_move], -1 if state.to_move else 1
            self.moves[name] += before * sign > -1
            if after * sign < before * sign:
                self.mistakes[name] += 1
                erred.add(name)
        for player, name in enumerate(names):
            sign = -1 if player else 1
            value = judged[0][1] * sign
            self.results[name, value][match.outcome * sign] += 1
            self.held[name] += value == -1 and names[1 - player] not in erred


def judged(solver: OthelloSolver, match: Match, empties: int) -> list[tuple[State, int]]:
    """Return the positions of a match with few enough empty cells, and their values."""
    states = [state for state in positions(match.moves) if empty_cells(state) <= empties]
    backwards = [(state, solver.value(state)) for state in reversed(states)]  # easy ones first
    return backwards[::-1]


def positions(moves: Sequence[str]) -> Iterator[State]:
    """Yield every position of a match."""
    state = GAME.initial_state()
    yield state
    for move in moves:
        state = state.play(state.parse_move(move))
        yield state


def judge(program: Path, matches: list[Match], empties: int) -> Findings:
    """Judge all matches, on all cores."""
    findings = Findings()
    parts = [matches[k :: available_cores()] for k in range(available_cores())]

    def work(part: list[Match]) -> list[tuple[Match, list[tuple[State, int]]]]:
        with OthelloSolver(program) as solver:
            return [(match, judged(solver, match, empties)) for match in part]

    with ThreadPoolExecutor(len(parts)) as threads:
        for part in threads.map(work, parts):
            for match, values in part:
                findings.add(match, values)
    return findings


def show(findings: Findings) -> None:
    for name in sorted({name for name, _ in findings.results}):
        print(f"\n{name}")
        for value, word in WORDS.items():
            seen = findings.results[name, value]
            results = ", ".join(f"{seen[outcome]} {WORDS[outcome]}" for outcome in WORDS)
            print(f"  {seen.total():3} matches {word} to begin with: {results}")
        moves, mistakes = findings.moves[name], findings.mistakes[name]
        print(f"  {mistakes} mistakes in {moves} moves with something to lose", end="")
        print(f" ({mistakes / max(moves, 1):.1%})")
        print(f"  {findings.held[name]} of the lost ones without a mistake of the other")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", type=Path, help="written by athenan match --save")
    parser.add_argument("--empties", type=int, default=24, help="judge from so many empty cells on")
    parser.add_argument("--cross-check", type=int, default=200, metavar="POSITIONS")
    given = parser.parse_args()
    lines = given.matches.read_text().splitlines()
    matches = [Match.from_json(json.loads(line)) for line in lines]
    if any(match.game != GAME.id for match in matches):
        sys.exit(f"{given.matches} has matches of another game than {GAME.id}")
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(Path(folder))
        cross_check(program, given.cross_check)
        show(judge(program, matches, given.empties))


if __name__ == "__main__":
    main()
