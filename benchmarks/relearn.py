"""A cheap comparison of learning settings with little noise: they learn the same matches.

    python benchmarks/relearn.py --game othello:size=6 --with learning.batch_size=128 \\
      --with 'learning.replay.duplication=1 learning.adam.learning_rate=2e-3'

The preset plays and learns for a while. Its matches are then learned again from the beginning, in
their order, once as the preset has it and once with each of the settings. What a network says of a
match before it learns it tells how much it has learned: the mean squared error of the values, as a
part of their variance, and how often the sign is right. Beside it stands the processor time of
learning. One line of JSON for each.

Strength is not measured: settings that change the matches themselves need `athenan experiment`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from time import thread_time

import numpy as np
import torch
from athenan._core import Stop, encode_packed
from athenan.learning import complete_config, merged, preset
from athenan.learning.concurrency import Plan
from athenan.learning.learner import PhaseReport, prepare_thread
from athenan.learning.settings import Config, Overrides, parse_assignments
from athenan.learning.study import Study
from athenan.learning.table import Data
from athenan.learning.training import Training
from athenan.networks import build_network

JUDGED = 256  # states of each match
USUAL: Overrides = {
    "selfplay": {"matches": 32},
    "learning": {"replay": {"size": 20}},  # full after a part of so few matches
    "checkpoints": {"every_minutes": 0},
    "evaluation": {"opponent": ""},
    "hardware": {"device": "cpu", "threads": 1, "backend": "openvino", "precision": "bfloat16"},
}


class Recorded:
    """A study that keeps what it learns."""

    def __init__(self, study: Study) -> None:
        self.matches: list[Data] = []
        self._learn = study.learn_match

    def __call__(self, data: Data, progress: float) -> tuple[int, PhaseReport]:
        self.matches.append(Data(data.states.copy(), data.values.copy()))
        return self._learn(data, progress)


def played(config: Config, count: int) -> list[Data]:
    """The first matches of a training, as learning gets them."""
    training = Training(config)
    recorded = Recorded(training.study)
    training.study.learn_match = recorded  # type: ignore[method-assign]
    for _ in training.events():
        if len(recorded.matches) >= count:
            break
    training.close()
    return recorded.matches[:count]


def relearned(config: Config, matches: list[Data]) -> Iterator[tuple[float, float, float, int]]:
    """Of each match: squared error, share of right signs, seconds of learning, states learned."""
    plan = Plan.of(config)
    network = build_network(config.network, plan.game, config.seed)
    study = Study(config, plan, network, Stop(), config.hardware.precision)
    random = np.random.default_rng(0)
    for data in matches:
        rows = random.choice(len(data), min(JUDGED, len(data)), replace=False)
        planes = torch.from_numpy(encode_packed(plan.game, data.states, rows, 1)).float()
        with torch.no_grad():
            said = network(planes).numpy()
        values, start = data.values[rows], thread_time()
        _, report = study.learn_match(data, 0.0)
        error, right = np.mean((said - values) ** 2), np.mean(np.sign(said) == np.sign(values))
        yield float(error), float(right), thread_time() - start, report.samples


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", required=True)
    parser.add_argument("--preset", default="small")
    parser.add_argument("--matches", type=int, default=36)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--with", dest="settings", action="append", default=[])
    given = parser.parse_args()
    prepare_thread()
    base = merged(merged(preset(given.preset), USUAL), {"game": given.game})
    matches = played(complete_config({"seed": given.seed}, base), given.matches)
    variance = float(np.concatenate([data.values for data in matches]).var())
    for settings in ["", *given.settings]:
        config = complete_config(parse_assignments(settings.split()) | {"seed": 1}, base)
        errors, right, seconds, samples = np.array([*relearned(config, matches)]).T
        half = len(matches) // 2
        result = {
            "game": given.game,
            "settings": settings,
            "matches": len(matches),
            "error": round(float(errors[half:].mean()) / variance, 3),
            "earlier_error": round(float(errors[half // 2 : half].mean()) / variance, 3),
            "right_signs": round(float(right[half:].mean()), 3),
            "learned": int(samples.sum()),
            "cpu_seconds": round(float(seconds.sum()), 1),
        }
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
