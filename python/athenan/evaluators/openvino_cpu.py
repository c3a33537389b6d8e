"""A network on the CPU through OpenVINO: the fastest where batches are large and weights last.

Each thread has a model compiled for itself, which computes on the thread that calls it. New weights
are compiled anew, some 30 ms for each thread, and a batch of a new size costs a little when it is
first met. The value of a state has the same bits whatever the batch around it: `tests/evaluators`
check that on every kind of network.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from athenan.evaluators.cpu import CpuEvaluator, Forward
from athenan.evaluators.evaluator import Planes, Values
from athenan.evaluators.onnx_graph import onnx_outline, with_weights
from athenan.evaluators.quiet_openvino import openvino
from athenan.evaluators.touches import Touches
from athenan.networks.stored import AnyNetwork

HINTS = {"float32": "f32", "bfloat16": "bf16"}
OPTIONS = {
    "NUM_STREAMS": 1,
    "INFERENCE_NUM_THREADS": 1,
    "ENABLE_CPU_PINNING": False,  # pinned, the models of all threads would meet on one core
}


class OpenVinoCpuEvaluator(CpuEvaluator):
    """A network run by OpenVINO: in float32, or in bfloat16 but for the output layer."""

    backend = "openvino"

    def __init__(self, network: AnyNetwork, threads: int, precision: str = "float32") -> None:
        self.precision = precision
        self._outline = onnx_outline(network, reads=precision == "float32")
        self._options = OPTIONS | {"INFERENCE_PRECISION_HINT": HINTS[precision]}
        self._core = openvino.Core()
        super().__init__(network, threads)

    def _load(self, network: AnyNetwork) -> Forward:
        """Compile the network once for each thread; a caller takes one that is free."""
        model = self._core.read_model(with_weights(self._outline, network).SerializeToString())

        def compiled(*_: object) -> openvino.InferRequest:
            return self._core.compile_model(model, "CPU", self._options).create_infer_request()

        free = deque(self._helpers.map(compiled, range(self.threads)))
        read = (lambda values: values) if self.precision == "float32" else output_layer(network)

        def forward(planes: Planes) -> tuple[Values, Touches | None]:
            try:
                request = free.pop()
            except IndexError:  # more threads call than were announced
                request = compiled()
            answer = request.infer(planes, share_inputs=True, share_outputs=True)
            values, *touches = (output.copy() for output in answer.values())
            free.append(request)
            return read(values), touches[0] if touches else None

        return forward


def output_layer(network: AnyNetwork) -> Callable[[NDArray[np.float32]], Values]:
    """Return the output layer as a function of what it reads, in float32.

    Near 90 two numbers of bfloat16 are 0.5 apart. Row by row, a value depends on its state alone.
    """
    arrays = network.arrays()
    weights, bias = (arrays[f"output.{kind}"].copy() for kind in ("weight", "bias"))
    bounded = network.architecture.output == "tanh"

    def read(hidden: NDArray[np.float32]) -> Values:
        values: Values = (hidden * weights).sum(1) + bias
        return np.tanh(values) if bounded else values

    return read
