"""Where networks are computed: the CPU, or a CUDA device."""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from contextlib import suppress
from pathlib import Path

from athenan._core import Error

DRIVER = "libcuda.so.1"
"""Of NVIDIA, on Linux."""
AMD = Path("/dev/kfd")
"""There where the driver of AMD is; torch names its devices cuda too."""


def resolve_device(name: str) -> str:
    """Return a device that this machine has: "cpu", "cuda" or one such as "cuda:1".

    "auto" is CUDA where torch finds it, else the CPU.
    """
    if name == "cpu":
        return name
    devices = cuda_devices()
    if name == "auto":
        return "cuda" if devices else "cpu"
    if device_kind(name) == "cuda" and not devices:
        raise Error(f"device={name} needs a CUDA device, and torch finds none")
    accepted = ["auto", "cpu", "cuda", *devices]
    if name not in accepted:
        raise Error(f"device must be one of {', '.join(accepted)}, not {name!r}")
    return name


def cuda_devices() -> list[str]:
    """Return the CUDA devices that torch finds.

    It is not asked where it can find none: to import it takes more than a second of a processor.
    """
    if not importlib.util.find_spec("torch") or not has_driver():
        return []
    import torch

    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    return [f"cuda:{index}" for index in range(count)]


def has_driver() -> bool:
    """Whether this machine may have a CUDA device: without a driver it has none."""
    if sys.platform != "linux" or AMD.exists():
        return True
    with suppress(OSError):
        ctypes.CDLL(DRIVER)
        return True
    return False


def device_kind(device: str) -> str:
    """Return "cpu" or "cuda": the device without its number."""
    return device.partition(":")[0]
