"""The sequential probability ratio test: play until one of two hypotheses is refuted.

The player a is `elo0` above b, or `elo1`: after each opening the log-likelihood ratio of the
two is compared with Wald's bounds. The likelihoods are those of the most likely laws of pairs with
the two scores (the generalised test on the pentanomial), so draws and the correlation within a
pair need no model.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from athenan._core import ParameterError
from athenan.arena.scores import Interval, Numbers, Units, expected_score, log_likelihood
from athenan.expected import expect, expect_number, wrong

FORM = "ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, as in 0,10 or 0,10,0.05,0.05"
FARTHEST = 2000
FEWEST = 24  # openings before which nothing is decided: a law of fewer is not known at all
Decision = Literal["H0", "H1"]

_NUMBER = r"([+-]?\d+(?:\.\d+)?)"
_TEXT = re.compile(f"{_NUMBER},{_NUMBER}(?:,{_NUMBER},{_NUMBER})?")


@dataclass(frozen=True)
class SPRT:
    """H0: the difference is at most elo0; H1: it is at least elo1.

    >>> test = SPRT.parse("0,10")
    >>> [round(bound, 2) for bound in test.bounds]
    [-3.0, 3.0]
    >>> test.decision(Units.of_pairs([100, 100, 400, 300, 300]))
    'H1'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often H1 is accepted at most, where the difference is elo0."""
    beta: float = 0.05
    """How often H0 is accepted at most, where the difference is elo1."""

    def __post_init__(self) -> None:
        expect_number(self.elo0, "the elo0 of a test", -FARTHEST, FARTHEST)
        expect_number(self.elo1, "the elo1 of a test", -FARTHEST, FARTHEST)
        if self.elo0 >= self.elo1:
            raise ParameterError(f"expected elo0 below elo1, not {self.elo0:g} and {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < expect_number(getattr(self, name), f"the {name} of a test", 0, 0.5) < 0.5:
                raise wrong(getattr(self, name), f"the {name} of a test to be between 0 and 0.5")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a text such as "0,10"."""
        expect(text, str, f"a test as a text: {FORM}")
        given = _TEXT.fullmatch(text.replace(" ", ""))
        if given:
            elo0, elo1, alpha, beta = (float(each) if each else 0.05 for each in given.groups())
            if -FARTHEST <= elo0 < elo1 <= FARTHEST and 0 < alpha < 0.5 and 0 < beta < 0.5:
                return cls(elo0, elo1, alpha, beta)
        raise ParameterError(f"there is no test {text!r}; accepted is {FORM}, with ELO0 below ELO1")

    def __str__(self) -> str:
        return f"{self.elo0:g},{self.elo1:g},{self.alpha:g},{self.beta:g}"

    @property
    def bounds(self) -> Interval:
        """Below the lower one H0 is accepted, above the upper one H1.

        Wald's inequalities hold with these; with log(β / (1 - α)) they hold only nearly.
        """
        return Interval(math.log(self.beta), -math.log(self.alpha))

    def ratio(self, units: Units) -> float:
        """Return the log-likelihood ratio of H1 to H0."""
        return float(self.ratios(units)) if len(units) else 0.0

    def ratios(self, units: Units) -> Numbers:
        """Return it for each of several series."""
        shape = units.counts.shape[:-1]
        scores = [np.full(shape, expected_score(elo)) for elo in (self.elo0, self.elo1)]
        return log_likelihood(units, scores[1]) - log_likelihood(units, scores[0])

    def decision(self, units: Units) -> Decision | None:
        """Return what is accepted; None if the series must go on."""
        if len(units) < FEWEST:
            return None
        ratio, (low, high) = self.ratio(units), self.bounds
        return "H1" if ratio >= high else "H0" if ratio <= low else None
