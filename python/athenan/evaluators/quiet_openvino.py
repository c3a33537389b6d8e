"""OpenVINO as a library should be: telemetry disabled, and usable by several threads at once."""

from __future__ import annotations

import sys

import numpy as np

# OpenVINO reports every import to its makers, in a process that a thread forks. Where the package
# that does so cannot be imported, it takes a stub of its own.
sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]

import openvino  # noqa: E402

# It fills its tables of types when they are first used, and two threads that begin at once wait for
# each other for ever. An import is done by one thread.
openvino.Tensor(np.zeros(1, np.int8)).get_element_type().to_dtype()

__all__ = ["openvino"]
