"""Model files: bytes as they come, and files that were changed inside and sealed again."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache

import torch
from athenan import Error, load_model
from athenan.networks import Model
from fuzz.choices import Choices, damaged, damaged_arrays
from fuzz.material import check_sentence, folder
from fuzz.material import run as small_run
from safetensors.numpy import load, save

MANY = 1 << 20  # numbers of a network's input: enough to know that it works


@cache
def whole() -> bytes:
    """Return a model file."""
    return small_run().model.read_bytes()


def seeds() -> list[bytes]:
    """Return inputs to begin with: a whole file, and choices that change one."""
    return [b"\0" + whole(), *(bytes([1, a, 1, b]) + bytes(8) for a in range(4) for b in range(9))]


def sealed_again(data: bytes) -> bytes:
    """Put the right checksum into a file, as the format describes it."""
    place = re.search(rb'{\\"checksum\\":\\"(.{64})', data)
    if place is None:
        return data
    start, end = place.span(1)
    digits = hashlib.sha256(data[:start] + b"0" * 64 + data[end:]).hexdigest().encode()
    return data[:start] + digits + data[end:]


def changed(choices: Choices) -> bytes:
    """Return the file with other metadata and other weights."""
    data = whole()
    length = int.from_bytes(data[:8], "little")
    fields = json.loads(json.loads(data[8 : 8 + length])["__metadata__"]["athenan"])
    fields = {"checksum": fields.pop("checksum")} | damaged(fields, choices)
    text = json.dumps(fields, separators=(",", ":"))
    return save(damaged_arrays(load(data), choices), {"athenan": text})


def run(data: bytes) -> None:
    """Read a file: it is refused, or it holds a network that works."""
    choices, path = Choices(data), folder() / "fuzzed.safetensors"
    path.write_bytes(sealed_again(changed(choices) if choices.below(2) else choices.rest()))
    try:
        model: Model = load_model(path)
    except Error as refusal:
        check_sentence(refusal)
        return
    network = model.network
    planes = torch.zeros(1, *network.input_shape)
    if planes.numel() < MANY and not network.architecture.two_heads:
        assert network(planes).numel() == 1
