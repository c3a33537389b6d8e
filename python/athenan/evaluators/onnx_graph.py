"""The ONNX graph of a network, written node by node.

The initialisers carry the names of the network's parameters, so that new weights can be put into a
copy of a graph that exists (`with_weights`) instead of exporting it again.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from athenan._core import Error
from athenan.evaluators.cpu import NEGLIGIBLE
from athenan.networks.architecture import TOUCHES
from athenan.networks.stored import AnyNetwork

OPSET = 13
IR_VERSION = 8
INPUT = "planes"


def onnx_outline(network: AnyNetwork, *, reads: bool = True) -> ModelProto:
    """Return the network's graph: int8 planes `[B, C, H, W]` to values `[B]`, and touches if any.

    Its initialisers are empty as yet. Without `reads` it ends before the output layer: in the place
    of the values it gives what that layer reads, `hidden` `[B, N]`.
    """
    if network.architecture.code:
        raise Error(
            f"the network {network.architecture.code} is a torch module of your own, which athenan "
            "writes to no ONNX file: use torch.onnx.export"
        )
    graph = _Graph(network)
    _write(network, graph, reads)
    read = network.shapes["output.weight"][1]
    outputs = [
        _batch_of("values", TensorProto.FLOAT)
        if reads
        else _batch_of("hidden", TensorProto.FLOAT, read)
    ]
    if network.architecture.two_heads:
        _, rows, columns = network.input_shape
        shape = (network.kinds * TOUCHES, rows, columns)
        outputs.append(_batch_of("touches", TensorProto.FLOAT, *shape))
    inputs = [_batch_of(INPUT, TensorProto.INT8, *network.input_shape)]
    return helper.make_model(
        helper.make_graph(graph.nodes, "network", inputs, outputs, graph.initialisers),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="athenan",
    )


def with_weights(outline: ModelProto, network: AnyNetwork) -> ModelProto:
    """Return a copy of the outline with each parameter of the network in one initialiser.

    A copy, for protobuf never frees what a field held before: a model whose weights are set again
    and again grows by their size each time.
    """
    model = ModelProto()
    model.CopyFrom(outline)
    waiting = {
        name: np.where(np.abs(array) < NEGLIGIBLE, np.float32(0), array)
        for name, array in network.arrays().items()
    }
    if any(output.name == "hidden" for output in model.graph.output):
        waiting = {name: w for name, w in waiting.items() if not name.startswith("output.")}
    for tensor in model.graph.initializer:
        weights = waiting.pop(tensor.name)
        assert tuple(tensor.dims) == weights.shape, tensor.name
        tensor.raw_data = weights.astype("<f4", copy=False).tobytes()
    assert not waiting, f"no initialiser for {', '.join(waiting)}"
    return model


def _batch_of(name: str, kind: int, *shape: int) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, ["B", *shape])


class _Graph:
    """Nodes and initialisers in the order in which they are written."""

    def __init__(self, network: AnyNetwork) -> None:
        self._shapes = network.shapes
        self.nodes: list[NodeProto] = []
        self.initialisers: list[TensorProto] = []

    def node(self, operation: str, *inputs: str, named: str = "", **attributes: Any) -> str:
        """Add a node and return the name of what it computes."""
        name = named or f"{operation.lower()}.{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, inputs, [name], **attributes))
        return name

    def constant(self, *values: float, kind: type[np.generic] = np.int64) -> str:
        """Add a vector of numbers."""
        return self.node("Constant", value=numpy_helper.from_array(np.array(values, kind)))

    def parameters(self, layer: str) -> list[str]:
        """Declare the parameters of a layer, empty as yet: its weight, and its bias if any."""
        names = [f"{layer}.{kind}" for kind in ("weight", "bias")]
        found = [name for name in names if name in self._shapes]
        for name in found:
            tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=self._shapes[name])
            self.initialisers.append(tensor)
        return found

    def convolution(self, layer: str, x: str, padding: int) -> str:
        size = self._shapes[f"{layer}.weight"][2:]
        pads = [padding] * 4
        return self.node("Conv", x, *self.parameters(layer), kernel_shape=size, pads=pads)

    def dense(self, layer: str, x: str) -> str:
        return self.node("Gemm", x, *self.parameters(layer), transB=1)

    def mean_of_cells(self, x: str) -> str:
        return self.node("Flatten", self.node("GlobalAveragePool", x))

    def sum_of_cells(self, x: str, cells: int) -> str:
        """Sum over the board; onnxruntime's ReduceSum would round differently in other batches."""
        return self.node("Mul", self.mean_of_cells(x), self.constant(cells, kind=np.float32))

    def relu(self, x: str) -> str:
        return self.node("Relu", x)


def _write(network: AnyNetwork, graph: _Graph, reads: bool) -> None:
    """Write the network into the graph, operation by operation."""
    architecture = network.architecture
    padding = 1 if architecture.margin == "same" else 0
    x = graph.node("Cast", INPUT, to=TensorProto.FLOAT)
    for i in range(architecture.convolutions):
        x = graph.relu(graph.convolution(f"stem.{i}", x, padding))
    for i in range(architecture.blocks):
        x = _block(graph, f"blocks.{i}", x, bool(architecture.squeeze))
    features = x
    if architecture.pooling:
        x = graph.relu(graph.convolution("pooling", x, 0))
        x = graph.sum_of_cells(x, math.prod(architecture.board(*network.input_shape[1:])))
    else:
        x = graph.node("Flatten", x)
    for i in range(len(architecture.dense)):
        x = graph.relu(graph.dense(f"dense.{i}", x))
    if reads:
        x = graph.dense("output", x)
        if architecture.output == "tanh":
            x = graph.node("Tanh", x)
        graph.node("Reshape", x, graph.constant(-1), named="values")
    else:
        graph.node("Identity", x, named="hidden")
    if architecture.two_heads:
        size = [architecture.lost + 1] * 2
        weights = graph.parameters("policy")
        graph.node("ConvTranspose", features, *weights, named="touches", kernel_shape=size)


def _block(graph: _Graph, name: str, x: str, squeeze: bool) -> str:
    """Write a residual block."""
    change = graph.relu(graph.convolution(f"{name}.first", x, 1))
    change = graph.convolution(f"{name}.second", change, 1)
    if squeeze:
        mean = graph.mean_of_cells(change)
        narrow = graph.relu(graph.dense(f"{name}.squeeze.reduce", mean))
        scale = graph.node("Sigmoid", graph.dense(f"{name}.squeeze.expand", narrow))
        scale = graph.node("Reshape", scale, graph.constant(0, -1, 1, 1))
        change = graph.node("Mul", change, scale)
    return graph.relu(graph.node("Add", x, change))
