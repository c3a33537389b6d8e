"""A network on the CPU through OpenVINO: the fastest where batches are large and weights last.

Each thread has a model compiled for itself, which computes on the thread that calls it. New weights
are compiled anew, some 30 ms for each thread, and a batch of a new size costs a little when it is
first met. The value of a state has the same bits whatever the batch around it: `tests/evaluators`
check that on every kind of network.
"""

from __future__ import annotations

from collections import deque

from athenan.evaluators.cpu import CpuEvaluator, Forward
from athenan.evaluators.evaluator import Planes, Values
from athenan.evaluators.onnx_graph import onnx_outline, with_weights
from athenan.evaluators.quiet_openvino import openvino
from athenan.evaluators.touches import Touches
from athenan.networks.network import Network

OPTIONS = {
    "INFERENCE_PRECISION_HINT": "f32",  # it would take bfloat16 where the CPU has it
    "NUM_STREAMS": 1,
    "INFERENCE_NUM_THREADS": 1,
    "ENABLE_CPU_PINNING": False,  # pinned, the models of all threads would meet on one core
}


class OpenVinoCpuEvaluator(CpuEvaluator):
    """A network run by OpenVINO in float32."""

    backend = "openvino"

    def __init__(self, network: Network, threads: int) -> None:
        self._outline = onnx_outline(network)
        self._core = openvino.Core()
        super().__init__(network, threads)

    def _load(self, network: Network) -> Forward:
        """Compile the network once for each thread; whoever calls takes one that is free."""
        model = self._core.read_model(with_weights(self._outline, network).SerializeToString())

        def compiled(*_: object) -> openvino.InferRequest:
            return self._core.compile_model(model, "CPU", OPTIONS).create_infer_request()

        free = deque(self._helpers.map(compiled, range(self.threads)))

        def forward(planes: Planes) -> tuple[Values, Touches | None]:
            try:
                request = free.pop()
            except IndexError:  # more threads call than were announced
                request = compiled()
            answer = request.infer(planes, share_inputs=True, share_outputs=True)
            values, *touches = (output.copy() for output in answer.values())
            free.append(request)
            return values, touches[0] if touches else None

        return forward
