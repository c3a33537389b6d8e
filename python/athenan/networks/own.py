"""The user's own networks: any torch module in a Python file that the user names.

An `Architecture` then holds the text, as in mynet.py:Net:width=64, and the SHA-256 of the file.
Settings, runs and models keep both, and load no file: the user names it again
(`name_network_file`), and only a file with that SHA-256 is used.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from athenan._core import Error, ParameterError
from athenan.networks.architecture import TOUCHES, Architecture, Shape
from athenan.programs import classes_in, load_program, named_before, options_of, sha256_of

if TYPE_CHECKING:
    from torch import Tensor, nn


def own_architecture(text: str) -> Architecture:
    """Return the architecture of a network in a Python file, as in mynet.py:Net:width=64.

    This runs the file, which the user named.
    """
    file, name, options = _parts(text)
    kind = _class_named(file, name)
    heads = {name: bool(getattr(kind, name, False)) for name in ("policy", "move_values")}
    # Wrong options are refused at once.
    options_of(kind, text, options, given_already=1 + any(heads.values()))
    code = ":".join(filter(None, (Path(file).name, kind.__name__, options)))
    return Architecture(code=code, code_sha256=sha256_of(kind), **heads)


def name_network_file(text: str) -> None:
    """Run the file of a network that a model or a run was made with; the user names it."""
    file, name, _ = _parts(text)
    _class_named(file, name)


def module_of(architecture: Architecture, input_shape: Shape, kinds: int) -> nn.Module:
    """Make the user's module; one whose file was not named in this process is refused."""
    file, name, options = _parts(architecture.code)
    program = named_before(architecture.code_sha256)
    if program is None:
        raise Error(
            f"the network {architecture.code} is in a Python file; name it, as in --network {file}"
        )
    kind = _found(program, file, name)
    shapes = [input_shape, *([kinds * TOUCHES] if architecture.two_heads else [])]
    given = options_of(kind, architecture.code, options, given_already=len(shapes))
    made: nn.Module = kind(*shapes, **given)
    if buffers := [name for name, _ in made.named_buffers()]:
        raise Error(
            f"the network {architecture.code} has the buffer {buffers[0]!r}, which is not learned: "
            "use GroupNorm or LayerNorm instead of BatchNorm"
        )
    return made


def checked_outputs(
    architecture: Architecture, answer: Any, batch: int, planes: Shape
) -> tuple[Tensor, ...]:
    """Return the outputs of a module: values `[B]`, and with a second head planes of moves."""
    import torch

    outputs = answer if isinstance(answer, tuple) else (answer,)
    wanted = [(batch,), *([planes_shape(batch, planes)] if architecture.two_heads else [])]
    if outputs and isinstance(outputs[0], torch.Tensor) and outputs[0].shape == (batch, 1):
        outputs = (outputs[0].squeeze(1), *outputs[1:])
    shapes = [tuple(getattr(each, "shape", ())) for each in outputs]
    if shapes != wanted:
        raise Error(
            f"the network {architecture.code} gives outputs of the shapes {shapes} instead of "
            f"{wanted}"
        )
    return outputs


def planes_shape(batch: int, planes: Shape) -> tuple[int, ...]:
    """Return the shape of the planes of moves."""
    return (batch, *planes)


def _parts(text: str) -> tuple[str, str, str]:
    """Split file.py:Class:options; the class may be left out."""
    file, _, rest = text.partition(":")
    if not file.endswith(".py"):
        raise ParameterError(
            f"your own network is named by a Python file, as in net.py:Net, not {text!r}"
        )
    name, _, options = rest.partition(":") if ":" in rest or "=" not in rest else ("", "", rest)
    return file, name, options


def _class_named(file: str, name: str) -> type[Any]:
    return _found(load_program(Path(file), "network file"), file, name)


def _found(program: Any, file: str, name: str) -> type[Any]:
    from torch import nn

    found = {each.__name__: each for each in classes_in(program, nn.Module)}
    chosen = found.get(name) if name or len(found) != 1 else next(iter(found.values()))
    if chosen is not None:
        if chosen.forward is nn.Module.forward:
            raise ParameterError(f"{file}: the network {chosen.__name__} has no method forward")
        return chosen
    known = ", ".join(found) or "none"
    asked = f"no network {name!r}" if name else "not exactly one torch.nn.Module"
    raise ParameterError(f"{file} has {asked}: its modules are {known}")
