"""Model files: a network with what is needed to play with it, in one safetensors file.

The file's metadata has one entry, `athenan`: a JSON text with the format's version, the game, the
architecture, the search and free notes, and first of all a SHA-256 checksum. It covers every byte
of the file, with zeros instead of its own digits. The weights are in single precision or in
half precision, which makes the file half as large. Loading reads numbers and texts and never
executes code; the game is kept as a text, and a Python file with the SHA-256 of its content.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save as bytes_from_arrays

from athenan._core import Error
from athenan.files import write_bytes
from athenan.networks.architecture import MAX_WEIGHTS, Architecture
from athenan.networks.shapes import Shapes, parameter_shapes
from athenan.networks.stored import AnyNetwork, StoredNetwork, Weights, as_module

if TYPE_CHECKING:
    from athenan.networks.network import Network

VERSION = 2
"""Format 1 had `move_count` instead of `move_kinds`, and another policy."""
PRECISIONS = {"F32": "<f4", "F16": "<f2"}
FilePath = str | os.PathLike[str]

_ENTRY = "athenan"
_MARK = rb"{\"checksum\":\""  # the start of the entry, as JSON writes it inside a JSON text
_ZEROS = b"0" * 64
_Size = Annotated[int, Field(ge=1, le=4096)]  # of a board; keeps the products within 64 bits
_MAX_START = 1 << 20  # bytes that hold the metadata; a foreign file is refused after these


@dataclass(frozen=True, eq=False)
class Model:
    """A trained network and how to play with it.

    `game` is the text that makes the game (`Game.id`), `search` the algorithm that plays it best,
    such as "ubfm-safe:terminal=score"; `info` holds notes for people, such as a licence or a run.
    """

    given: AnyNetwork
    game: str
    search: str
    info: dict[str, str] = field(default_factory=dict)
    game_sha256: str = ""
    """Of the file of a game written in Python."""

    @cached_property
    def network(self) -> Network:
        """The network as a torch module; of a model from a file it is made when asked for."""
        return as_module(self.given)

    @property
    def weights(self) -> AnyNetwork:
        """The network for evaluators and files: without torch until somebody has asked for more."""
        made: AnyNetwork = vars(self).get("network", self.given)
        return made


class _Header(BaseModel):
    """The metadata of a model file; the checksum comes first, where `_MARK` looks for it."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_max_length=1 << 20)

    checksum: str
    version: int = Field(ge=1)
    game: str
    game_sha256: str = ""
    search: str
    info: dict[str, str]
    architecture: Architecture
    input_shape: tuple[_Size, _Size, _Size]
    move_kinds: int = Field(0, ge=0, le=256)
    move_count: int | None = Field(None, exclude=True)


def save_model(path: FilePath, model: Model, half: bool = False) -> None:
    """Write a model file, in half precision if wanted.

    Whatever happens, the path holds the old file or the whole new one.
    """
    network = model.weights
    header = _Header(
        checksum=_ZEROS.decode(),
        version=VERSION,
        game=model.game,
        game_sha256=model.game_sha256,
        search=model.search,
        info=model.info,
        architecture=network.architecture,
        input_shape=network.input_shape,
        move_kinds=network.kinds,
    )
    dtype = PRECISIONS["F16" if half else "F32"]
    with np.errstate(over="ignore"):
        weights = {
            name: np.asarray(array, dtype, order="C") for name, array in network.arrays().items()
        }
    if half and not all(np.isfinite(array).all() for array in weights.values()):
        raise Error("the model cannot be saved in half precision: some weights are too large")
    text = json.dumps(header.model_dump(mode="json"), separators=(",", ":"))
    data = bytearray(bytes_from_arrays(weights, {_ENTRY: text}))
    digits = data.index(_MARK) + len(_MARK)
    data[digits : digits + len(_ZEROS)] = _checksum(data, digits)
    try:
        write_bytes(path, data)
    except OSError as problem:
        raise Error(f"the model file {_name(path)} cannot be written: {problem.strerror}") from None


def load_model(path: FilePath) -> Model:
    """Read a model file; anything but a whole and genuine one is refused in one sentence.

    `athenan.load` reads the latest model of a run directory too.

    >>> import athenan
    >>> athenan.load_model("models/nothing")
    Traceback (most recent call last):
    athenan._core.Error: there is no model file 'models/nothing'
    """
    if not isinstance(path, str | os.PathLike):
        raise Error(f"a model is read from the path of a file, not {path!r}")
    start = _read(path, _MAX_START)
    header = _header(path, start)
    architecture, kinds = header.architecture, header.move_kinds
    kinds = kinds if architecture.two_heads else 0
    try:
        shapes = _shapes(architecture, header.input_shape, kinds)
    except Error as problem:
        raise _refusal(path, f"holds no valid network: {problem}") from None
    data = _read(path, _size(path, start, sum(map(prod, shapes.values()))))
    _check_sum(path, data)
    stored = StoredNetwork(architecture, header.input_shape, kinds, _weights(path, data, shapes))
    return Model(stored, header.game, header.search, dict(header.info), header.game_sha256)


def _read(path: FilePath, size: int) -> bytes:
    """Return the first bytes of a file; refuse one that does not begin as a model file does."""
    if not os.path.exists(path):
        raise Error(f"there is no model file {_name(path)}")
    if not os.path.isfile(path):  # a pipe would block, a device might never end
        raise _refusal(path, "is not a file")
    try:
        with open(path, "rb") as file:
            data = file.read(size)
    except OSError as problem:
        raise _refusal(path, f"cannot be read: {problem.strerror}") from None
    if _MARK not in data[:_MAX_START]:
        raise _refusal(path, "is not one of athenan" if data else "is empty")
    return data


def _size(path: FilePath, start: bytes, weights: int) -> int:
    """Return the largest size of a file with these weights; a larger file is refused unread."""
    size, header = os.stat(path).st_size, 8 + int.from_bytes(start[:8], "little")
    if size > header + 4 * min(weights, MAX_WEIGHTS) + _MAX_START:
        raise _refusal(path, f"is damaged: {size:,} bytes are too many for {weights:,} weights")
    return size


def _header(path: FilePath, data: bytes) -> _Header:
    """Return the metadata of a file that begins with this data."""
    fields = _fields(path, data)
    version = fields.get("version")
    if isinstance(version, int) and version > VERSION:
        raise _refusal(
            path,
            f"has the format {version}, newer than the {VERSION} that this athenan reads: "
            "a newer athenan is needed",
        )
    try:
        header = _Header.model_validate(fields)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise _refusal(path, f"has no valid {place}: {first['msg']}") from None
    if header.architecture.two_heads and not header.move_kinds:
        raise _refusal(path, "holds a policy of format 1, which this athenan no longer reads")
    return header


def _fields(path: FilePath, data: bytes) -> dict[str, Any]:
    """Return the metadata as the file states it, unchecked."""
    length = int.from_bytes(data[:8], "little")
    try:
        fields = json.loads(json.loads(data[8 : 8 + length])["__metadata__"][_ENTRY])
    except (ValueError, LookupError, TypeError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise _refusal(path, "is damaged: its header cannot be read")
    return fields


def _check_sum(path: FilePath, data: bytes) -> None:
    digits = data.index(_MARK) + len(_MARK)
    if data[digits : digits + len(_ZEROS)] != _checksum(data, digits):
        raise _refusal(path, "is damaged: its content does not match its checksum")


def _checksum(data: bytes | bytearray, digits: int) -> bytes:
    """Return the hexadecimal digits of the checksum, whose place in the file begins at `digits`."""
    view = memoryview(data)
    hashed = hashlib.sha256(view[:digits])
    hashed.update(_ZEROS)
    hashed.update(view[digits + len(_ZEROS) :])
    return hashed.hexdigest().encode()


def _shapes(architecture: Architecture, input_shape: tuple[int, int, int], kinds: int) -> Shapes:
    """Return the parameters that a file of this network must hold."""
    if not architecture.code:
        return parameter_shapes(architecture, input_shape, kinds)
    from athenan.networks.network import outline  # only torch knows what the user's module has

    return outline(architecture, input_shape, kinds).shapes


def _weights(path: FilePath, data: bytes, shapes: Shapes) -> Weights:
    """Return the weights of a file in single precision; others than those of its network are wrong.

    Each is a copy: what the file holds may lie anywhere in memory.
    """
    try:
        found = dict(deserialize(data))  # type: ignore[no-untyped-call]
    except SafetensorError as problem:
        raise _refusal(path, f"holds no valid network: {problem}") from None
    for name in sorted(shapes.keys() | found.keys()):
        if name not in shapes:
            raise _refusal(path, f"holds weights {name!r} that its architecture does not have")
        if name not in found:
            raise _refusal(path, f"lacks the weights {name!r} of its architecture")
        kind, shape = found[name]["dtype"], tuple(found[name]["shape"])
        if shape != shapes[name] or kind not in PRECISIONS:
            raise _refusal(
                path,
                f"holds weights {name!r} of type {kind} and shape {list(shape)} "
                f"instead of {' or '.join(PRECISIONS)} and {list(shapes[name])}",
            )
    return {
        name: np.frombuffer(found[name]["data"], PRECISIONS[found[name]["dtype"]])
        .reshape(shape)
        .astype(np.float32)
        for name, shape in shapes.items()
    }


def _refusal(path: FilePath, reason: str) -> Error:
    return Error(f"the model file {_name(path)} {reason}")


def _name(path: FilePath) -> str:
    return repr(os.fspath(path))
