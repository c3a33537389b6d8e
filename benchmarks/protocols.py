"""How well athenan as an engine keeps time, and what the protocol costs.

python benchmarks/protocols.py [--moves N] [--model TEXT] [--game GAME]

It prints how far moves of 0.1 s exceed their time (quantiles, in ms) and how many do so by more
than 10 ms, how long `stop` takes to be answered, and what a move costs beside the thinking. Times
are those that a client sees, from the line it sends to the line it gets: for an idle machine. What
a busy one shows as well is how far base MCTS exceeds 0.1 s of the processor (`cpu_seconds`).
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from time import perf_counter, sleep, thread_time

import athenan
import numpy as np
from athenan.arena import player
from athenan.arena.engines import EngineProcess

SECONDS = 0.1
ALLOWED = 0.01
QUANTILES = (0.5, 0.9, 0.99, 1.0)


class Client:
    """A client of athenan's UGI."""

    def __init__(self, game: str, model: str) -> None:
        self.game = athenan.make_game(game)
        command = [sys.executable, "-m", "athenan", "engine", "ugi", "--game", self.game.id]
        command += ["--seed", "1", *(["--model", model] if model else [])]
        print(shlex.join(["athenan", *command[3:]]))
        self._process = EngineProcess("athenan", command)
        self.ask("ugi", "ugiok")
        self.ask("isready", "readyok")

    def ask(self, line: str, answer: str) -> str:
        """Send a line and wait for the one that begins with an answer."""
        self._process.send(line, 60)
        return self.hear(answer)

    def send(self, line: str) -> None:
        self._process.send(line, 60)

    def hear(self, answer: str) -> str:
        until = perf_counter() + 60
        while not (line := self._process.receive(until)).startswith(answer):
            pass
        return line

    def close(self) -> None:
        self._process.close("quit")


def seconds_of_moves(client: Client, count: int, limit: str) -> list[float]:
    """Play matches of the engine with itself; return how long each move took, as a client sees."""
    taken: list[float] = []
    while len(taken) < count:
        state, moves = client.game.initial_state(), list[str]()
        client.ask("uginewgame\nisready", "readyok")
        while not state.is_terminal and len(taken) < count:
            client.send(f"position startpos moves {' '.join(moves)}")
            started = perf_counter()
            answer = client.ask(f"go {limit}", "bestmove")
            taken.append(perf_counter() - started)
            moves.append(answer.split()[1])
            state = state.play(moves[-1])
    return taken


def seconds_to_stop(client: Client, count: int) -> list[float]:
    """Let the engine think without a limit, and stop it."""
    taken: list[float] = []
    client.send("position startpos")
    for _ in range(count):
        client.send("go infinite")
        sleep(0.05)
        started = perf_counter()
        client.ask("stop", "bestmove")
        taken.append(perf_counter() - started)
    return taken


def late_on_processor(game: athenan.Game, count: int) -> list[float]:
    """Play matches of base MCTS with itself; return by how much moves exceed their budget."""
    late: list[float] = []
    with player(f"mcts:cpu_seconds={SECONDS}", game).make(game) as thinker:
        while len(late) < count:
            state = game.initial_state()
            thinker.begin(game, len(late))
            while not state.is_terminal and len(late) < count:
                started = thread_time()
                move = thinker.think(state).move
                late.append(thread_time() - started - SECONDS)
                state = state.play(move)
    return late


def show(title: str, seconds: Sequence[float]) -> None:
    """Print quantiles in milliseconds."""
    found = np.quantile(np.array(seconds) * 1000, QUANTILES)
    texts = "  ".join(f"{q:.0%} {value:7.2f}" for q, value in zip(QUANTILES, found, strict=True))
    print(f"{title:44} {texts} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=1000)
    parser.add_argument("--model", default="models/hex-11.safetensors")
    parser.add_argument("--game", default="hex:size=11")
    given = parser.parse_args()
    for model in (given.model, "mcts"):
        client = Client(given.game, model)
        taken = seconds_of_moves(client, given.moves, f"movetime {1000 * SECONDS:.0f}")
        late = [each - SECONDS for each in taken]
        show(f"beyond {SECONDS} s, {len(taken)} moves", late)
        print(
            f"{sum(each > ALLOWED for each in late)} of them by more than {1000 * ALLOWED:.0f} ms"
        )
        show("stop until bestmove, 50 times", seconds_to_stop(client, 50))
        client.close()
    client = Client(given.game, "random")
    show(f"a move at random, {given.moves} moves", seconds_of_moves(client, given.moves, "nodes 1"))
    client.close()
    late = late_on_processor(athenan.make_game(given.game), given.moves)
    show(f"mcts beyond {SECONDS} s of the processor, {given.moves} moves", late)


if __name__ == "__main__":
    main()
