"""Devices by name."""

import subprocess
import sys

import athenan
import pytest
import torch
from athenan.devices import cuda_devices, device_kind, resolve_device


def machine_with(monkeypatch: pytest.MonkeyPatch, devices: int) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: devices > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: devices)


def test_a_machine_with_two_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    machine_with(monkeypatch, 2)
    assert cuda_devices() == ["cuda:0", "cuda:1"]
    assert resolve_device("auto") == "cuda"
    for name in ("cpu", "cuda", "cuda:0", "cuda:1"):
        assert resolve_device(name) == name
    for name in ("cuda:2", "cuda:", "tpu", ""):
        with pytest.raises(athenan.Error) as refusal:
            resolve_device(name)
        assert str(refusal.value) == (
            f"device must be one of auto, cpu, cuda, cuda:0, cuda:1, not {name!r}"
        )


def test_a_machine_without(monkeypatch: pytest.MonkeyPatch) -> None:
    machine_with(monkeypatch, 0)
    assert resolve_device("auto") == resolve_device("cpu") == "cpu"
    for name in ("cuda", "cuda:1"):
        with pytest.raises(athenan.Error) as refusal:
            resolve_device(name)
        assert str(refusal.value) == f"device={name} needs a CUDA device, and torch finds none"
    with pytest.raises(athenan.Error, match="must be one of auto, cpu, cuda, not 'tpu'"):
        resolve_device("tpu")


def test_the_kind_of_a_device() -> None:
    assert [device_kind(name) for name in ("cpu", "cuda", "cuda:1")] == ["cpu", "cuda", "cuda"]


def test_the_cpu_needs_no_torch() -> None:
    code = (
        "import sys; from athenan.devices import resolve_device; resolve_device('cpu');"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
