"""New weights for self-play, as often as they are worth their time."""

from __future__ import annotations

from time import monotonic

from athenan.evaluators.network import NetworkEvaluator
from athenan.learning.settings import Config
from athenan.networks.network import Network

SHARE = 0.025  # of the time, at most, that new weights may cost many matches at a time


class Renewal:
    """Gives an evaluator the weights of the network that learns.

    A GPU takes them between two batches, and the paper's single match and a deterministic process
    always get them. Many matches at a time on a CPU play on with older ones while a renewal would
    cost more than its share of the time.
    """

    def __init__(self, evaluator: NetworkEvaluator, config: Config) -> None:
        self._evaluator = evaluator
        to_the_letter = config.selfplay.matches == 1 or config.hardware.deterministic
        self._pause = 0.0 if to_the_letter or evaluator.device != "cpu" else 1 / SHARE
        self._due = 0.0

    def __call__(self, network: Network) -> None:
        """Renew the weights if it is time."""
        start = monotonic()
        if start >= self._due:
            self._evaluator.update(network)
            end = monotonic()
            self._due = end + self._pause * (end - start)
