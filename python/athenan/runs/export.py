"""A run that travels: one light file, with everything but the replay memory.

It holds the network, the moments of Adam, the counters, the random generator, the settings and the
metrics, and the solved states if they are few. The moments are rounded to bfloat16: their upper two
bytes are plenty for running averages, and the file is a third smaller. On another machine it
becomes a run that goes on where this one stood.
"""

from __future__ import annotations

import shutil
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from athenan._core import Error, Game
from athenan.files import Arrays, read_sealed, write_sealed, write_text
from athenan.learning.rival import PREFIX
from athenan.learning.schedule import Counters
from athenan.learning.settings import parse_toml, toml_text
from athenan.learning.training import model_of
from athenan.networks import build_network, save_model
from athenan.runs.checkpoint import checkpoints_in, latest_readable, write_checkpoint
from athenan.runs.metrics import as_text, read_metrics
from athenan.runs.run import Run, run_config

KIND, VERSION = "exported run", 2
UNROUNDED = 1  # the version before, with moments in float32
MOMENTS = (".exp_avg", ".exp_avg_sq")  # how their names end
MAX_RATIO = 100  # of metrics to what they are compressed to; it is about 10
FEW_BYTES = 4 << 20  # of solved states


def export_run(run: Run, file: Path) -> int:
    """Write the last checkpoint of a run, in progress or not; return its matches."""
    arrays, values = _last_checkpoint(run)
    matches = int(values["counters"]["matches"])
    memories = "replay.", f"{PREFIX}replay."
    kept = {name: array for name, array in arrays.items() if not name.startswith(memories)}
    solved = {name: array for name, array in kept.items() if name.startswith("resolved.")}
    if sum(array.nbytes for array in solved.values()) > FEW_BYTES:
        kept = {name: array for name, array in kept.items() if name not in solved}
    kept = {name: _rounded(a) if name.endswith(MOMENTS) else a for name, a in kept.items()}
    lines = [line for line in read_metrics(run.metrics) if line["matches"] <= matches]
    kept["metrics"] = np.frombuffer(zlib.compress(as_text(lines).encode()), np.uint8)
    settings = toml_text(run.config_file)
    parse_toml(settings, str(run.config_file))
    values = {"config": settings, "state": values}
    try:
        write_sealed(file, KIND, VERSION, kept, values)
    except OSError as problem:
        raise Error(f"{file} could not be written ({problem})") from None
    return matches


def exported_counters(file: Path) -> Counters:
    """Return what the run in such a file has done."""
    _, values = read_sealed(file, KIND, VERSION, UNROUNDED)
    try:
        return Counters(**values["state"]["counters"])
    except (LookupError, TypeError, ValueError):
        raise Error(f"the {KIND} {file} is damaged: its counters cannot be read") from None


def import_run(file: Path, run: Run, game: Game | None = None) -> int:
    """Make a run of such a file; return its matches. Its replay memory is empty.

    Of a run of a Python game the user must give the game: the file runs no code.
    """
    run.refuse_if_taken()
    if not file.is_file():
        raise Error(f"there is no file {file}")
    arrays, values = read_sealed(file, KIND, VERSION, UNROUNDED)
    try:
        arrays = {name: _widened(a) if name.endswith(MOMENTS) else a for name, a in arrays.items()}
        metrics = _inflated(arrays.pop("metrics").tobytes()).decode()
        settings = parse_toml(str(values["config"]), str(file))
        config = run_config(settings, game, f"the {KIND} {file}")
        state = dict(values["state"])
        matches = Counters(**state["counters"]).matches
        network = build_network(config.network, config.make_game())
        names = network.state_dict()
        weights = "average" if "average.states" in arrays else "network"
        network.load_state_dict({n: torch.from_numpy(arrays[f"{weights}.{n}"]) for n in names})
    except (LookupError, TypeError, ValueError, RuntimeError, zlib.error) as problem:
        if isinstance(problem, Error):
            raise
        raise Error(f"the {KIND} {file} is damaged: its parts do not fit together") from None
    try:
        run.create(config)
        write_text(run.metrics, metrics)
        write_checkpoint(run.checkpoints, matches, arrays, state)
        save_model(run.model, model_of(config, network, matches))
    except BaseException:
        shutil.rmtree(run.path, ignore_errors=True)
        raise
    return matches


def _inflated(data: bytes) -> bytes:
    """Return what was compressed; more than metrics can be is refused before it fills memory."""
    unpacking = zlib.decompressobj()
    metrics = unpacking.decompress(data, MAX_RATIO * len(data))
    if not unpacking.eof:
        raise ValueError("metrics without an end")
    return metrics


def _rounded(moments: NDArray[Any]) -> NDArray[Any]:
    """Return the bits of the nearest bfloat16 numbers."""
    return torch.from_numpy(moments).bfloat16().view(torch.int16).numpy()


def _widened(moments: NDArray[Any]) -> NDArray[Any]:
    """Return the float32 numbers of such bits, or those that were not rounded."""
    if moments.dtype == np.float32:
        return moments
    return torch.from_numpy(moments).view(torch.bfloat16).float().numpy()


def _last_checkpoint(run: Run) -> tuple[Arrays, dict[str, Any]]:
    """Read it; a run in progress may replace checkpoints meanwhile."""
    while True:
        seen = checkpoints_in(run.checkpoints)
        try:
            _, arrays, values = latest_readable(run.checkpoints)
        except Error:
            if checkpoints_in(run.checkpoints) == seen:
                raise
        else:
            return arrays, values
