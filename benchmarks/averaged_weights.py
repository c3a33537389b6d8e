"""Averaged weights against the latest ones: two networks of a run's last checkpoint play.

    athenan train connect_four --run runs/four --minutes 5 --set learning.averaging=100000
    python benchmarks/averaged_weights.py runs/four --matches 100 --expansions 20

It prints the score of the averaged weights in paired matches, with its 95 % interval.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from athenan import Error
from athenan.arena import SearchPlayerSpec, play_matches, tally_of
from athenan.evaluators import network_evaluator
from athenan.files import Arrays
from athenan.learning.settings import Config
from athenan.networks import build_network
from athenan.networks.network import Network
from athenan.runs.checkpoint import latest_readable
from athenan.runs.run import Run


def network_in(arrays: Arrays, part: str, config: Config) -> Network:
    """Build one of the networks of a checkpoint: `network` or `average`."""
    network = build_network(config.network, config.make_game())
    weights = {name: torch.from_numpy(arrays[f"{part}.{name}"]) for name in network.state_dict()}
    network.load_state_dict(weights)
    return network


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--expansions", type=int, default=20)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    for folder in given.runs:
        run = Run(folder)
        config = run.config()
        _, arrays, values = latest_readable(run.checkpoints)
        if "average.states" not in arrays:
            raise Error(f"{folder} learned without learning.averaging")
        search = config.selfplay.playing_spec.unlimited.with_(expansions=given.expansions)
        averaged, latest = (
            SearchPlayerSpec(
                part,
                search,
                network_evaluator(network_in(arrays, part, config), device="cpu", threads=1),
            )
            for part in ("average", "network")
        )
        series = play_matches(
            config.make_game(), averaged, latest, given.matches, workers=given.threads
        )
        tally = tally_of(series)
        counts, (low, high) = tally.counts, tally.interval
        print(
            f"{folder.name}: {values['counters']['learned']:,} states learned, average over "
            f"{config.learning.averaging:,}: {counts.score:.1%} ({low:.1%} to {high:.1%}) of "
            f"{counts.matches} matches at {given.expansions} expansions",
            flush=True,
        )


if __name__ == "__main__":
    main()
