"""New weights for self-play, as often as they are worth their time."""

from __future__ import annotations

from time import monotonic

from athenan.networks.network import Network
from athenan.selfplay.source import Source

SHARE = 0.025  # of the time that new weights may cost many matches at a time
MAX_AGE = 1 / 16  # of the matches at a time: learned by then, new weights come at any cost


class WeightSync:
    """Gives self-play the weights of the network that learns.

    Either after every match, or when it is worth it: many matches at a time on a CPU play on with
    older weights while new ones would cost more than their share of the time; but not for long by
    the measure of what is learned.
    """

    def __init__(self, source: Source, after_every_match: bool) -> None:
        self._source = source
        self._pause = 0.0 if after_every_match else 1 / SHARE
        self._due = 0.0
        self._learned = 0

    def learned(self, network: Network, concurrency: int) -> None:
        """Note that a match was learned, and hand over the weights if it is time."""
        self._learned += 1
        start = monotonic()
        if start >= self._due or self._learned >= MAX_AGE * concurrency:
            self._source.take_weights(network)
            end = monotonic()
            self._due = end + self._pause * (end - start)
            self._learned = 0
