"""Does a model play Hex with the swap rule perfectly? Every line, judged by a solver.

    python benchmarks/perfect_hex.py models/hex-5.safetensors --expansions 100 --every-reply 2

With the swap rule the second player wins: after each first move the model must swap or not, and
then hold the win against every reply. All positions that this leads to are visited, symmetric ones
once; after the number of adversary moves in `--every-reply`, one reply drawn at random is
followed instead of all. A line ends where the model's own search has proven the win. Each chosen
move is judged by `hex_solver.cpp`, an exact solver that shares no code with the engine; it is
itself first compared with the engine's on a smaller board.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from athenan import (
    Random,
    SearchSpec,
    State,
    load_model,
    make_game,
    network_evaluator,
    search,
    solve,
)
from athenan.games import game_of_record

SOURCE = Path(__file__).with_name("hex_solver.cpp")


class HexSolver:
    """The C++ solver as a process that answers questions."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        program = Path(self._folder.name) / "hex_solver"
        subprocess.run(["g++", "-O2", "-std=c++20", str(SOURCE), "-o", str(program)], check=True)
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._turn = Lock()

    def __enter__(self) -> HexSolver:
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.kill()
        self._folder.cleanup()

    def mover_wins(self, state: State) -> bool:
        """Whether the player to move wins a position in which nobody may swap any more."""
        if state.is_terminal:
            return False  # only the last mover can have won
        size, mine, theirs = masks(state)
        assert self._process.stdin
        assert self._process.stdout
        with self._turn:
            self._process.stdin.write(f"{size} {mine:x} {theirs:x}\n")
            self._process.stdin.flush()
            return self._process.stdout.readline().strip() == "1"


def masks(state: State) -> tuple[int, int, int]:
    """The size and both players' stones, turned so that the player to move joins top and bottom."""
    board, mover = state.position.split()
    rows = [expanded(row) for row in board.split("/")]
    if mover == "o":  # joins left and right: look at the board from there
        rows = ["".join(column) for column in zip(*rows, strict=True)]
    cells = "".join(rows)
    mine = sum(1 << i for i, cell in enumerate(cells) if cell == mover)
    stones = sum(1 << i for i, cell in enumerate(cells) if cell != ".")
    return len(rows), mine, stones & ~mine


def expanded(row: str) -> str:
    """A row with a dot for each empty cell: "1x3" is ".x..."."""
    return "".join("." * int(part) if part.isdigit() else part for part in row)


def cross_check(solver: HexSolver, positions: int) -> None:
    """Compare the solver with the engine's own on random positions of a 4×4 board."""
    game = make_game("hex:size=4,swap=false")
    random = Random(3)
    outcomes: Counter[bool] = Counter()
    while outcomes.total() < positions:
        state = game.initial_state()
        for _ in range(5 + random.below(6)):
            moves = state.legal_moves()
            state = state.play(moves[random.below(len(moves))])
            if state.is_terminal:
                break
        if state.is_terminal:
            continue
        expected = solve(state).proven_outcome == (1 if state.to_move == 0 else -1)
        if solver.mover_wins(state) != expected:
            sys.exit(f"the two solvers disagree on {state.position}")
        outcomes[expected] += 1
    print(f"both solvers agree on {positions} positions of 4×4: {outcomes[True]} won by the mover")


@dataclass
class Report:
    """What was found."""

    positions: int = 0
    proven: int = 0
    mistakes: list[str] = field(default_factory=list)


class Examination:
    """Visits every position that the model's play can lead to."""

    def __init__(
        self, model_file: Path, expansions: int, every_reply: int, solver: HexSolver
    ) -> None:
        model = load_model(model_file)
        self.game = game_of_record(None, model.game, model.game_sha256, "the model")
        self.search = SearchSpec(model.search).unlimited.with_(expansions=expansions)
        self.evaluator = network_evaluator(model.network, device="cpu", threads=1)
        self.every_reply = every_reply
        self.solver = solver
        self.random = Random(1)
        self.report = Report()
        self._seen: set[int] = set()

    def examine(self, state: State) -> None:
        """The model is to move in a won position: check its move, then all replies."""
        self._visit_all([(state, 1)])
        found = self.report
        print(
            f"{state.position}: {found.positions} positions so far, {found.proven} proven, "
            f"{len(found.mistakes)} mistakes",
            flush=True,
        )

    def _visit_all(self, waiting: list[tuple[State, int]]) -> None:
        """Each state comes with the number of moves that the adversary has made."""
        while waiting:
            here, made = waiting.pop()
            name = min(here.transform(k).key for k in range(self.game.symmetries))
            if name in self._seen:
                continue
            self._seen.add(name)
            thought = search(here, self.evaluator, self.search)
            self.report.positions += 1
            there = here.play(thought.best_move)
            if not self._holds(there):
                move = here.move_to_string(thought.best_move)
                self.report.mistakes.append(f"{here.position}: {move}")
                continue
            if thought.proven_outcome is not None:
                self.report.proven += 1
                continue
            if not there.is_terminal:
                waiting.extend(
                    (there.play(reply), made + 1) for reply in self._replies(there, made)
                )

    def _replies(self, there: State, made: int) -> list[int]:
        moves = there.legal_moves()
        return moves if made < self.every_reply else [moves[self.random.below(len(moves))]]

    def _holds(self, there: State) -> bool:
        """Whether the model, which has just moved, still wins."""
        if there.is_terminal:
            return True
        return not self.solver.mover_wins(there)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--expansions", type=int, default=200, help="per move of the model")
    parser.add_argument("--every-reply", type=int, default=99, metavar="MOVES", help="see above")
    parser.add_argument("--cross-check", type=int, default=200, metavar="POSITIONS")
    given = parser.parse_args()
    with HexSolver() as solver:
        cross_check(solver, given.cross_check)
        examination = Examination(given.model, given.expansions, given.every_reply, solver)
        started = time.perf_counter()
        start = examination.game.initial_state()
        openings = [start.play(move) for move in start.legal_moves()]
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(examination.examine, openings))
    report = examination.report
    print(
        f"{report.positions} positions after {len(openings)} first moves, each searched with "
        f"{given.expansions} expansions; {report.proven} proven by the model's own search; "
        f"{len(report.mistakes)} mistakes; {time.perf_counter() - started:.0f} s"
    )
    for mistake in report.mistakes[:20]:
        print("mistake:", mistake)
    sys.exit(bool(report.mistakes))


if __name__ == "__main__":
    main()
