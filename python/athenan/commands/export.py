"""`athenan export-run`, `import-run` and `export-model`: what has been learned, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from athenan import Error
from athenan.commands.arguments import GameOption, NetworkOption, given_game, name_networks
from athenan.files import write_bytes
from athenan.terminal.page import say
from athenan.zoo import model_file

if TYPE_CHECKING:
    from athenan.networks import Model

RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="The directory of a run.")]
NewFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")]


def export_run(run: RunArgument, file: NewFile) -> None:
    """Write a run to one small file, so that it can go on on another machine."""
    from athenan.runs import Run
    from athenan.runs.export import export_run as export

    matches = export(Run.open(run), file)
    size = file.stat().st_size / 1e6
    say(
        f"{file}: {run} at match {matches:,}, {size:.1f} MB, without the replay memory, "
        "the moments of Adam rounded to bfloat16"
    )


def import_run(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file that athenan export-run wrote.")
    ],
    run: Annotated[
        Path, typer.Argument(metavar="DIR", help="The directory of the run; it must not exist yet.")
    ],
    game: GameOption = None,
    network: NetworkOption = None,
) -> None:
    """Make a run from a file of athenan export-run."""
    from athenan.runs import Run
    from athenan.runs.export import import_run as import_

    name_networks(network)
    matches = import_(file, Run(run), given_game(game))
    say(
        f"{run} is at match {matches:,}; its replay memory starts empty; "
        f"go on with: athenan resume {run}{f' --game {game}' if game else ''}"
        f"{''.join(f' --network {each}' for each in network or ())}"
    )


def export_model(
    source: Annotated[
        str, typer.Argument(metavar="RUN_OR_MODEL", help="A run, a model file or a name.")
    ],
    file: NewFile,
    half: Annotated[
        bool, typer.Option("--half", help="Use half precision, which halves the file.")
    ] = False,
    onnx: Annotated[
        bool,
        typer.Option("--onnx", help="Write only the network, for any program that reads ONNX."),
    ] = False,
    network: NetworkOption = None,
) -> None:
    """Write a model to a file: that of a run, or one with a name.

    The input of an ONNX file is `planes`, int8 [batch, planes, rows, columns]; `athenan games`
    lists the planes. Its output is `values`, float32 [batch], from the first player's point of view
    and on the scale of the model's terminal evaluation.
    """
    from athenan.networks import load_model, save_model

    name_networks(network)
    if half and onnx:
        raise Error("give --half or --onnx, not both: an ONNX file is in single precision")
    model = load_model(model_file(source))
    if onnx:
        _write_onnx(file, model)
    else:
        save_model(file, model, half)
    say(f"{file}: {file.stat().st_size / 1e6:.1f} MB")


def _write_onnx(file: Path, model: Model) -> None:
    try:
        from athenan.evaluators.onnx_graph import onnx_outline, with_weights
    except ImportError:
        raise Error("writing ONNX needs the package onnx: pip install onnx") from None

    graph = with_weights(onnx_outline(model.weights), model.weights)
    for name, text in {"game": model.game, "search": model.search}.items():
        graph.metadata_props.add(key=name, value=text)
    write_bytes(file, graph.SerializeToString())
