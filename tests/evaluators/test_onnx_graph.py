"""The ONNX graph: valid, and made of exactly the network's parameters."""

import resource
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from athenan.evaluators import network_evaluator
from athenan.networks import Architecture, Network
from evaluators.samples import ARCHITECTURES, make_network

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from athenan.evaluators.onnx_graph import onnx_outline, with_weights  # noqa: E402

STATM = Path("/proc/self/statm")


def resident_bytes() -> int:
    return int(STATM.read_text().split()[1]) * resource.getpagesize()


def initialisers(model: Any) -> dict[str, np.ndarray]:
    return {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}


def test_the_graph_is_valid(network: Network) -> None:
    model = with_weights(onnx_outline(network), network)
    onnx.checker.check_model(model, full_check=True)


def test_the_initialisers_are_the_parameters(network: Network) -> None:
    outline = onnx_outline(network)
    other = make_network(network.architecture, seed=2)
    for weights in (network, other):
        model = with_weights(outline, weights)
        found = initialisers(model)
        wanted = dict(weights.named_parameters())
        assert found.keys() == wanted.keys()
        assert len(found) == len(model.graph.initializer)
        for name, parameter in wanted.items():
            np.testing.assert_array_equal(found[name], parameter.detach().numpy())


def test_a_parameter_without_place_is_noticed() -> None:
    network = make_network(ARCHITECTURES["residual"])
    outline = onnx_outline(network)
    del outline.graph.initializer[3]
    with pytest.raises(AssertionError, match="no initialiser for"):
        with_weights(outline, network)


@pytest.mark.skipif(not STATM.exists(), reason="needs the memory figures of Linux")
def test_weights_set_many_times_take_no_memory() -> None:
    """What stays allocated after 60 updates is less than the weights of 15."""
    network = make_network(Architecture(filters=16, blocks=1, dense=(4000,)))
    size = sum(parameter.numel() * 4 for parameter in network.parameters())
    with network_evaluator(network, device="cpu", backend="onnxruntime") as evaluator:
        for _ in range(10):
            evaluator.update(network)
        before = resident_bytes()
        for _ in range(60):
            evaluator.update(network)
        assert resident_bytes() - before < 15 * size
