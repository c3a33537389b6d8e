"""Growing replay: everything is kept, and now and then a new network learns all of it.

The learning phases of expert iteration: each begins with an untrained network, learns the data
of all matches epoch by epoch, and stops early, once the loss on matches that are held out no longer
falls. The weights of the best epoch are kept.
"""

from __future__ import annotations

from collections import deque
from math import inf

import numpy as np

from athenan._core import Stop
from athenan.files import Arrays
from athenan.learning.learner import Learner, PhaseReport
from athenan.learning.replay import ReplayMemory, are_sizes
from athenan.learning.settings import Replay
from athenan.learning.table import Data, ReplayTable, Rows, refuse_unless
from athenan.networks.network import Network

MAX_EPOCHS = 1000


class GrowingMemory(ReplayMemory):
    """The data of the last μ matches, where μ may well be all of them."""

    def __init__(self, settings: Replay, table: ReplayTable) -> None:
        self.table = table
        self._settings = settings
        self._sizes: deque[int] = deque()
        self._matches = 0

    @property
    def due(self) -> bool:
        """Whether the match that was added last is followed by a learning phase."""
        return self._matches % self._settings.every == 0 and len(self.table) > 0

    def phase(self, data: Data, batch_size: int, random: np.random.Generator) -> list[Rows]:
        """Add D to M, forget the oldest, and return the minibatches of an epoch if it is time."""
        self.table.append(data)
        self._matches += 1
        self._sizes.append(len(data))
        while len(self._sizes) > self._settings.size:
            self.table.drop(self._sizes.popleft())
        return self.epoch(batch_size, random) if self.due else []

    def epoch(self, batch_size: int, random: np.random.Generator) -> list[Rows]:
        """Return all pairs but those held out, in minibatches, in random order."""
        rows = random.permutation(self._rows(held_out=False))
        return [rows[i : i + batch_size] for i in range(0, len(rows), batch_size)]

    def held_out(self) -> Rows:
        """Return the pairs of the matches that are held out: always the same ones."""
        return self._rows(held_out=True)

    def withdraw(self, data: Data) -> None:
        """Take the newest D out of M."""
        super().withdraw(data)
        self._sizes.pop()
        self._matches -= 1

    def arrays(self) -> Arrays:
        """Return a copy of everything, for a checkpoint."""
        own = {"sizes": np.array(self._sizes, np.int64), "matches": np.array(self._matches)}
        return super().arrays() | own

    def restore(self, arrays: Arrays) -> None:
        """Become what `arrays` describes."""
        super().restore(arrays)
        refuse_unless(are_sizes(arrays["sizes"], len(self.table)))
        self._sizes = deque(arrays["sizes"].tolist())
        self._matches = int(arrays["matches"])
        refuse_unless(self._matches >= len(self._sizes))

    def _rows(self, *, held_out: bool) -> Rows:
        """Return the pairs of the matches that are held out, or those of the others.

        A match is one of them if with it their number, by their share of all, is one more.
        """
        matches = np.arange(self._matches - len(self._sizes), self._matches + 1)
        is_held_out = np.diff(np.floor(matches * self._settings.held_out)) > 0
        of_pair = np.repeat(is_held_out, np.array(self._sizes, np.int64))
        numbers = np.arange(self.table.first, self.table.end)
        return self.table.rows(numbers[of_pair == held_out])


def learn_anew(
    learner: Learner,
    untrained: Network,
    memory: GrowingMemory,
    first_epoch: list[Rows],
    settings: Replay,
    batch_size: int,
    random: np.random.Generator,
    stop: Stop,
) -> PhaseReport:
    """Learn everything with a new network until it gets no better; report the best epoch.

    With nothing held out there is nothing to judge by: it is one epoch then.
    """
    learner.begin_anew(untrained.state_dict())
    held_out = memory.held_out()
    least, waited, samples, minibatches = inf, 0, 0, 0
    best = {name: each.clone() for name, each in learner.network.state_dict().items()}
    report = PhaseReport(0, 0, 0.0)
    for count in range(MAX_EPOCHS if len(held_out) else 1):
        epoch = memory.epoch(batch_size, random) if count else first_epoch
        latest = learner.learn(memory.table, epoch, stop)
        samples, minibatches = samples + latest.samples, minibatches + latest.minibatches
        judged = learner.loss(memory.table, held_out, stop) if len(held_out) else 0.0
        if judged < least:
            least, waited, report = judged, 0, latest
            best = {name: each.clone() for name, each in learner.network.state_dict().items()}
            continue
        waited += 1
        if waited >= settings.patience:
            break
    learner.network.load_state_dict(best)
    return PhaseReport(samples, minibatches, report.loss, report.move_loss)
