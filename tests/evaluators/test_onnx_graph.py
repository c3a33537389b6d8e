"""The ONNX graph: valid, and made of exactly the network's parameters."""

import numpy as np
import pytest
from athenan.networks import Network
from evaluators.samples import ARCHITECTURES, make_network

onnx = pytest.importorskip("onnx")

from athenan.evaluators.onnx_graph import onnx_model, set_weights  # noqa: E402


def initialisers(model) -> dict[str, np.ndarray]:
    return {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}


def test_the_graph_is_valid(network: Network) -> None:
    onnx.checker.check_model(onnx_model(network), full_check=True)


def test_the_initialisers_are_the_parameters(network: Network) -> None:
    model = onnx_model(network)
    other = make_network(network.architecture, seed=2)
    for weights in (network, other):
        set_weights(model, weights)
        found = initialisers(model)
        wanted = dict(weights.named_parameters())
        assert found.keys() == wanted.keys()
        assert len(found) == len(model.graph.initializer)
        for name, parameter in wanted.items():
            np.testing.assert_array_equal(found[name], parameter.detach().numpy())


def test_a_parameter_without_place_is_noticed() -> None:
    network = make_network(ARCHITECTURES["residual"])
    model = onnx_model(network)
    del model.graph.initializer[3]
    with pytest.raises(AssertionError, match="no initialiser for"):
        set_weights(model, network)
