"""Training from Python, in one call."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from athenan._core import Game
from athenan.learning import complete_config, merged, preset
from athenan.learning.concurrency import Footprint, Plan, refuse_if_too_large
from athenan.runs.run import Run
from athenan.runs.session import Listener, Session


def train(
    game: Game | str,
    path: str | os.PathLike[str],
    *,
    minutes: float = 0.0,
    matches: int = 0,
    preset_name: str = "small",
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    listeners: Sequence[Listener] = (),
) -> Run:
    """Learn a game from its rules alone, in a new directory, until a number of minutes or matches.

    `settings` are those of `athenan train --set`, as nested mappings; they go before the preset's.
    `listeners` are told what happens, such as `athenan.notebooks.LivePlot()`. An interrupt ends the
    training in good order, with a checkpoint; the run is returned all the same.

        run = train("hex:size=4", "runs/hex4", minutes=2)
        athenan.search(state, run.path)
    """
    limits = {name: value for name, value in (("minutes", minutes), ("matches", matches)) if value}
    named: dict[str, Any] = {"game": game, "stop": limits} | ({"seed": seed} if seed else {})
    given = merged(dict(settings or {}), named)
    run, config = Run(path), complete_config(given, preset(preset_name))
    run.refuse_if_taken()
    plan, place = Plan.of(config), run.path.absolute()
    folder = next(each for each in (place, *place.parents) if each.exists())
    refuse_if_too_large(
        Footprint.of(config, plan), plan.concurrency, folder, config.checkpoints.keep
    )
    session = Session(run, config, listeners, plan)
    try:
        session.begin()
        session.train()
    finally:
        session.close()
    return run
