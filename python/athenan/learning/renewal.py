"""New weights for self-play, as often as they are worth their time."""

from __future__ import annotations

from time import monotonic

from athenan.evaluators.network import NetworkEvaluator
from athenan.learning.settings import Config
from athenan.networks.network import Network

SHARE = 0.025  # of the time that new weights may cost many matches at a time
OLDEST = 1 / 16  # of the matches at a time: learned by then, new weights come at any cost


class Renewal:
    """Gives an evaluator the weights of the network that learns.

    A GPU takes them between two batches, and the paper's single match and a deterministic process
    always get them. Many matches at a time on a CPU play on with older ones while a renewal would
    cost more than its share of the time; but not for long by the measure of what is learned.
    """

    def __init__(self, evaluator: NetworkEvaluator, config: Config) -> None:
        self._evaluator = evaluator
        to_the_letter = config.selfplay.matches == 1 or config.hardware.deterministic
        self._pause = 0.0 if to_the_letter or evaluator.device != "cpu" else 1 / SHARE
        self._due = 0.0
        self._learned = 0

    def __call__(self, network: Network, matches_at_a_time: int) -> None:
        """Hear that a match was learned, and renew the weights if it is time."""
        self._learned += 1
        start = monotonic()
        if start >= self._due or self._learned >= OLDEST * matches_at_a_time:
            self._evaluator.update(network)
            end = monotonic()
            self._due = end + self._pause * (end - start)
            self._learned = 0
