"""A network on the CPU through onnxruntime: the fastest plain choice in small batches.

There is one session, which computes on the thread that calls it; several threads may call it at
once. It needs no warm-up for a new batch size, and the value of a state has the same bits
whatever the batch around it: `tests/evaluators` check that on every kind of network.
"""

from __future__ import annotations

import onnxruntime

from athenan.evaluators.cpu import CpuEvaluator, Forward
from athenan.evaluators.evaluator import Planes, Values
from athenan.evaluators.onnx_graph import INPUT, onnx_outline, with_weights
from athenan.evaluators.touches import Touches
from athenan.networks.stored import AnyNetwork


class OnnxCpuEvaluator(CpuEvaluator):
    """A network run by onnxruntime."""

    backend = "onnxruntime"
    is_steady = True

    def __init__(self, network: AnyNetwork, threads: int) -> None:
        self._outline = onnx_outline(network)
        super().__init__(network, threads)

    def _load(self, network: AnyNetwork) -> Forward:
        """Return a new session: onnxruntime packs the weights of a session once, when it starts."""
        model = with_weights(self._outline, network)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )

        def forward(planes: Planes) -> tuple[Values, Touches | None]:
            values, *touches = session.run(None, {INPUT: planes})
            return values, touches[0] if touches else None

        return forward
