"""A learner that shares each step with others like it, each in a process of its own.

The other processes do nothing but what this one tells them, over a pipe each: they take its weights
and moments once, and from then on their part of each minibatch. They end when this one does.
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing.connection import Connection, Pipe
from time import monotonic, sleep
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.distributed import TCPStore  # type: ignore[attr-defined]

from athenan._core import Error, Game, Stop, Stopped
from athenan.devices import cuda_devices, device_kind
from athenan.files import Arrays
from athenan.learning.group import Group, PeerLostError, Peers
from athenan.learning.learner import Learner, prepare_thread
from athenan.learning.settings import Config
from athenan.learning.table import Data, ReplayTable, Rows
from athenan.networks import build_network
from athenan.networks.network import Network
from athenan.programs import Program, name_programs, programs_with

HOST = "127.0.0.1"
PATIENCE = 300.0  # seconds for the other processes to begin
GOODBYE = 10.0  # seconds for them to end
MOMENT = 2.0  # seconds from the loss of a connection to the end of a process
Message = tuple[str, tuple[Any, ...]]
"""What the learner of another process is to do: the name of its method, and what it takes."""


@dataclass(frozen=True)
class Setup:
    """What another process needs to know."""

    config: Config
    programs: tuple[Program, ...]
    """The files of a game and a network of the user's own."""
    device: str
    threads: int
    precision: str
    rank: int
    port: int


class PeerProcess:
    """Another learner, from the outside."""

    def __init__(self, setup: Setup) -> None:
        self.name = f"learner {setup.rank + 1}"
        self._pipe, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "athenan.learning.joint", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C reaches this process alone
            )
        self.pid = self._process.pid
        self._send(setup)

    def wait(self) -> None:
        """Wait until it is ready to meet the others, or has failed."""
        deadline = monotonic() + PATIENCE
        while not self._pipe.poll(0.2):
            if self._process.poll() is not None or monotonic() > deadline:
                raise PeerLostError(f"{self.name} did not begin")
        if problem := self.problem():
            raise PeerLostError(f"{self.name} failed: {problem}")

    def problem(self) -> str:
        """Return what it has said of its failure; '' if it said nothing."""
        try:
            return str(self._pipe.recv()) if self._pipe.poll() else ""
        except (EOFError, OSError):
            return ""

    def tell(self, name: str, *given: Any) -> None:
        """Let its learner do something."""
        self._send((name, given))

    def _send(self, message: Setup | Message) -> None:
        try:
            self._pipe.send(message)
        except OSError:
            raise PeerLostError(f"{self.name} is gone") from None

    @property
    def ended(self) -> str:
        """How its process ended, in words; '' while it works."""
        code = self._process.poll()
        if code is None:
            return ""
        if code < 0:
            return f"{self.name} was killed ({signal.Signals(-code).name})"
        return f"{self.name} ended with code {code}"

    def close(self) -> None:
        """Let it end; what does not end is killed."""
        self._pipe.close()
        try:
            self._process.wait(GOODBYE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class JointLearner(Learner):
    """The learner of the learning process, with others beside it."""

    def __init__(
        self,
        config: Config,
        game: Game,
        network: Network,
        device: torch.device,
        threads: int,
        precision: str = "float32",
    ) -> None:
        size = config.hardware.learners
        devices = devices_of(device, size)
        programs = programs_with(config.game_sha256, config.network.code_sha256)
        store = TCPStore(HOST, 0, is_master=True, wait_for_workers=False)
        self._peers: list[PeerProcess] = []
        self._told = False
        try:
            for rank, name in enumerate(devices[1:], 1):
                share = max(1, threads // size)
                setup = Setup(config, programs, name, share, precision, rank, store.port)
                self._peers.append(PeerProcess(setup))
            for peer in self._peers:
                peer.wait()
            group = Peers(store, 0, size, device)
        except PeerLostError as problem:
            self._dismiss()
            raise Error(f"{size} learners could not begin together: {problem}") from None
        super().__init__(
            game, network, config.learning, torch.device(devices[0]), threads, precision, group
        )

    @property
    def peers(self) -> list[int]:
        """The processes of the others."""
        return [peer.pid for peer in self._peers]

    def make_steps(
        self, table: ReplayTable, minibatches: Sequence[Rows], sizes: Rows, stop: Stop
    ) -> NDArray[np.float64]:
        """Give each learner its part of each minibatch, and make the steps with all of them."""
        count = self._group.size
        shares = [np.array_split(rows, count) for rows in minibatches]
        own = [each[0] for each in shares]
        try:
            if not self._told:
                self._tell("take", weights_of(self.network), self.arrays())
                self._told = True
            for rank, peer in enumerate(self._peers, 1):
                parts = [each[rank] for each in shares]
                data = table.at(np.concatenate(parts))
                peer.tell("learn_share", data, [len(each) for each in parts], sizes)
            return super().make_steps(table, own, sizes, stop)
        except PeerLostError as problem:
            self.failure = f"{self._cause() or problem}: a step needs all {count} learners"
            stop.request()
            raise Stopped(self.failure) from None

    def anneal(self, progress: float) -> None:
        """Set the learning rate of all."""
        self._tell("anneal", progress)
        super().anneal(progress)

    def weigh_values(self, weight: float) -> None:
        """Let the values count so much from now on, for all."""
        self._tell("weigh_values", weight)
        super().weigh_values(weight)

    def begin_anew(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Take other weights, and let the others take them before the next step."""
        super().begin_anew(weights)
        self._told = False

    def restore(self, arrays: Arrays) -> None:
        """Take moments, and let the others take them before the next step."""
        super().restore(arrays)
        self._told = False

    def warm_up(self) -> None:
        """Prepare the steps of all GPUs."""
        self._tell("warm_up")
        super().warm_up()

    def close(self) -> None:
        """End the other learners too."""
        super().close()
        self._group.close()
        self._dismiss()

    def _cause(self) -> str:
        """Return what has become of the others, if one of them ends within a moment."""
        deadline = monotonic() + MOMENT
        while monotonic() < deadline:
            for peer in self._peers:
                if ended := peer.ended:
                    said = peer.problem()
                    return f"{ended}: {said}" if said else ended
            sleep(0.02)
        return ""

    def _tell(self, name: str, *given: Any) -> None:
        for peer in self._peers:
            try:
                peer.tell(name, *given)
            except PeerLostError:
                continue  # the next step says so

    def _dismiss(self) -> None:
        for peer in self._peers:
            peer.close()


class PeerLearner(Learner):
    """The learner of another process."""

    def take(self, weights: Arrays, moments: Arrays) -> None:
        """Become what the first learner is."""
        tensors = {name: torch.from_numpy(np.array(array)) for name, array in weights.items()}
        self.begin_anew(tensors)
        self.restore(moments)

    def learn_share(self, data: Data, counts: list[int], sizes: Rows) -> None:
        """Make a step for each minibatch; a given number of its states are this learner's part."""
        table = ReplayTable(self.game.packed_size, with_moves=data.moves is not None)
        table.append(data)
        ends = np.cumsum([0, *counts])
        parts = [np.arange(first, end) for first, end in pairwise(ends)]
        try:
            self.make_steps(table, parts, sizes, Stop())
        except Stopped:
            return  # the first learner was asked to stop: all of them made the same steps


def devices_of(first: torch.device, count: int) -> list[str]:
    """Return where each of several learners computes: on a GPU of its own, from the first one on.

    >>> devices_of(torch.device("cpu"), 2)
    ['cpu', 'cpu']
    """
    if device_kind(str(first)) == "cpu":
        return ["cpu"] * count
    found, number = cuda_devices(), first.index or 0
    if number + count > len(found):
        raise Error(
            f"hardware.learners is {count}, and this machine has {len(found) - number} GPUs "
            f"from cuda:{number} on: each learner needs one"
        )
    return found[number : number + count]


def weights_of(network: Network) -> Arrays:
    """Return a copy of the weights of a network."""
    state = network.state_dict().items()
    return {name: value.detach().cpu().numpy().copy() for name, value in state}


def serve(pipe: Connection) -> None:
    """Be another learner, until the first one ends."""
    setup: Setup = pipe.recv()
    name_programs(setup.programs)
    prepare_thread()
    device = torch.device(setup.device)
    game, size = setup.config.make_game(), setup.config.hardware.learners
    network = build_network(setup.config.network, game, setup.config.seed)
    store = TCPStore(HOST, setup.port, is_master=False)
    pipe.send("")  # ready
    group: Group = Peers(store, setup.rank, size, device)
    given = game, network, setup.config.learning, device, setup.threads, setup.precision, group
    learner = PeerLearner(*given)
    while True:
        name, arguments = pipe.recv()
        getattr(learner, name)(*arguments)


def main(number: int) -> int:
    """Serve the pipe with this number; return the exit code."""
    with Connection(number) as pipe:
        try:
            serve(pipe)
        except (EOFError, PeerLostError, pickle.UnpicklingError):
            return 0  # the first learner has ended
        except Exception as problem:
            pipe.send(f"{type(problem).__name__}: {problem}")
            return 1
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(main(int(sys.argv[1])))
