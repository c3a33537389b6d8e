"""Devices by name."""

import ctypes
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import athenan
import pytest
import torch
from athenan import devices as of_machine
from athenan.devices import cuda_devices, device_kind, has_driver, resolve_device


def machine_with(monkeypatch: pytest.MonkeyPatch, devices: int) -> None:
    monkeypatch.setattr(of_machine, "has_driver", lambda: True)
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


def loading(found: str) -> Callable[[str], object]:
    """Return what stands for the loader of libraries, on a machine that has this one alone."""

    def load(name: str) -> object:
        if name != found:
            raise OSError(f"{name}: cannot open shared object file")
        return object()

    return load


def test_torch_is_asked_wherever_there_may_be_a_device(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(of_machine, "AMD", tmp_path / "kfd")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", loading("none"))
    assert not has_driver()
    assert cuda_devices() == []
    monkeypatch.setattr(ctypes, "CDLL", loading("libcuda.so.1"))
    assert cuda_devices() == ["cuda:0"]
    monkeypatch.setattr(ctypes, "CDLL", loading("none"))
    (tmp_path / "kfd").touch()
    assert cuda_devices() == ["cuda:0"]
    (tmp_path / "kfd").unlink()
    for platform in ("win32", "darwin"):
        monkeypatch.setattr(sys, "platform", platform)
        assert cuda_devices() == ["cuda:0"]
