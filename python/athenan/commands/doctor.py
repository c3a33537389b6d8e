"""`athenan doctor`: what this installation has, and whether it works."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
import typer

from athenan import Error, __version__, _core, game_names, hash_evaluator, make_game, search, solve
from athenan.machine import available_cores, available_memory
from athenan.terminal.page import width_of, wrapped

if TYPE_CHECKING:
    from athenan.evaluators import Planes
    from athenan.networks import Network

TOLERANCES = {"cpu": 1e-4, "cuda": 2e-2}  # CUDA computes in half precision
GIGABYTE = 1e9
SELF_TEST_SECONDS = 0.5
REINSTALL = "install athenan again (pip install .); if that does not help, please report this"


@dataclass(frozen=True)
class Finding:
    """One line of the report; the advice says what to do about anything but ok."""

    name: str
    status: Literal["ok", "missing", "broken"]
    detail: str
    advice: str = ""


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of lines.")] = False,
) -> int:
    """Show what this installation has, and test it in a few seconds.

    The exit code is 1 if something is broken. A missing optional part is not an error.
    """
    found = []
    for finding in examination(CHECKS):
        found.append(finding)
        if not as_json:
            _print(finding)
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in found], indent=2))
    return int(any(finding.status == "broken" for finding in found))


Check = Callable[[], Iterator[Finding]]


def examination(checks: dict[str, Check]) -> Iterator[Finding]:
    """Make the checks one after the other; an exception means that something is broken."""
    for name, check in checks.items():
        try:
            yield from check()
        except Exception as problem:
            sentence = " ".join(f"{type(problem).__name__}: {problem}".split())
            yield Finding(name, "broken", sentence, REINSTALL)


def _print(finding: Finding) -> None:
    advice = f"; {finding.advice}" if finding.advice else ""
    line = f"{finding.name:<12} {finding.status:<8}{finding.detail}{advice}"
    typer.echo(wrapped(line, width_of(sys.stdout), " " * 21))


def _versions() -> Iterator[Finding]:
    system = f"{platform.system()} {platform.machine()}"
    yield Finding("athenan", "ok", f"{__version__}, Python {platform.python_version()}, {system}")
    for package in ("numpy", "pydantic", "rich", "safetensors", "typer"):
        yield _package(package, "broken", f"pip install {package}")


def _package(name: str, otherwise: Literal["missing", "broken"], advice: str) -> Finding:
    try:
        return Finding(name, "ok", metadata.version(name))
    except metadata.PackageNotFoundError:
        return Finding(name, otherwise, "not installed", advice)


def _build() -> Iterator[Finding]:
    file = Path(_core.__file__ or "")
    age = "" if not file.is_file() else f", {file.stat().st_size / 1e6:.1f} MB"
    yield Finding("engine", "ok", f"{file.name}{age}, {len(game_names())} games")
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        advice = "install g++ or clang++ if you want to build athenan from source"
        yield Finding("compiler", "missing", "no C++ compiler", advice)
        return
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    yield Finding("compiler", "ok", said.stdout.splitlines()[0])


def _machine() -> Iterator[Finding]:
    yield Finding("cores", "ok", f"{available_cores()} of {os.cpu_count()} for this process")
    memory = available_memory()
    yield Finding("memory", "ok", f"{memory / GIGABYTE:.1f} GB free" if memory else "unknown")
    free = shutil.disk_usage(".").free / GIGABYTE
    yield Finding("disk", "ok", f"{free:.1f} GB free for the current directory")


def _torch() -> Iterator[Finding]:
    if not util.find_spec("torch"):
        advice = "pip install torch to learn; models play with onnx and onnxruntime alone"
        yield Finding("torch", "missing", "not installed", advice)
        return
    import torch

    yield Finding("torch", "ok", torch.__version__)
    if not torch.cuda.is_available():
        advice = "networks run on the CPU; a CUDA device needs its driver and a torch built for it"
        yield Finding("gpu", "missing", "torch finds no CUDA device", advice)
        return
    for index in range(torch.cuda.device_count()):
        free, total = torch.cuda.mem_get_info(index)
        memory = f"{free / GIGABYTE:.0f} of {total / GIGABYTE:.0f} GB free"
        yield Finding("gpu", "ok", f"{torch.cuda.get_device_name(index)}, {memory}")


def _cpu_backends() -> Iterator[Finding]:
    advice = "pip install onnx onnxruntime openvino for faster networks on the CPU"
    for package in ("onnx", "onnxruntime", "openvino"):
        yield _package(package, "missing", advice)


def _search_test() -> Iterator[Finding]:
    if solve(make_game("hex:size=3,swap=false").initial_state()).proven_outcome != 1:
        raise Error("the first player of Hex 3 must win, and the search found otherwise")
    start = make_game("hex:size=7").initial_state()
    spent = search(start, hash_evaluator(), seconds=SELF_TEST_SECONDS).spent
    rate = spent.evaluations / spent.seconds
    yield Finding("search", "ok", f"solves Hex 3; {rate:,.0f} states/s of Hex 7 on one core")


def _network_test() -> Iterator[Finding]:
    if not util.find_spec("torch"):
        return
    import torch

    from athenan.evaluators import network_evaluator
    from athenan.evaluators.backends import installed_backends
    from athenan.networks import Architecture, build_network

    game = make_game("hex:size=5")
    shape = Architecture.model_validate({"filters": 16, "blocks": 1, "dense": (32,)})
    network = build_network(shape, game)
    planes = game.encode(game.initial_state().play("c3").children())
    with network_evaluator(network) as chosen:
        yield Finding("network", "ok", f"would run with {chosen.backend} on {chosen.device}")
    for device in ("cpu", "cuda") if torch.cuda.is_available() else ("cpu",):
        for backend in installed_backends(device):
            yield _compared(network, planes, device, backend)


def _compared(network: Network, planes: Planes, device: str, backend: str) -> Finding:
    """Compare an evaluator with the network itself."""
    import torch

    from athenan.evaluators import network_evaluator

    with torch.inference_mode():
        expected = network(torch.from_numpy(planes).float()).numpy()
    with network_evaluator(network, device=device, backend=backend, threads=1) as evaluate:
        difference = float(np.abs(evaluate(planes) - expected).max())
    name, detail = f"{backend} on {device}", f"values agree within {difference:.1e}"
    if difference <= TOLERANCES[device]:
        return Finding("network", "ok", f"{name}: {detail}")
    advice = f"install {backend} again, or report this"
    return Finding("network", "broken", f"{name}: values differ by {difference:.1e}", advice)


CHECKS: dict[str, Check] = {
    "versions": _versions,
    "engine": _build,
    "machine": _machine,
    "torch": _torch,
    "backends": _cpu_backends,
    "search": _search_test,
    "network": _network_test,
}
