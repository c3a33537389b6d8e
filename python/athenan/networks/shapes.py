"""The parameters of a network by name and shape, without torch: what a model file must hold."""

from __future__ import annotations

from athenan.networks.architecture import TOUCHES, Architecture, Shape

Shapes = dict[str, tuple[int, ...]]


def parameter_shapes(architecture: Architecture, input_shape: Shape, kinds: int) -> Shapes:
    """Return the shape of each parameter of a network of the family, in the network's order.

    `kinds` is the number of kinds of moves, for a second head.
    """
    planes, *board = input_shape
    rows, columns = architecture.board(*board)
    filters, pooling = architecture.filters, architecture.pooling
    shapes: Shapes = {}

    def layer(name: str, *kernel: int, biases: int | None = None) -> None:
        shapes[f"{name}.weight"] = kernel
        shapes[f"{name}.bias"] = (kernel[0] if biases is None else biases,)

    for i in range(architecture.convolutions):
        layer(f"stem.{i}", filters, filters if i else planes, 3, 3)
    for i in range(architecture.blocks):
        layer(f"blocks.{i}.first", filters, filters, 3, 3)
        layer(f"blocks.{i}.second", filters, filters, 3, 3)
        if architecture.squeeze:
            narrow = max(1, filters // architecture.squeeze)
            shapes[f"blocks.{i}.squeeze.reduce.weight"] = narrow, filters
            shapes[f"blocks.{i}.squeeze.expand.weight"] = filters, narrow
    if pooling:
        layer("pooling", pooling, filters, 1, 1)
    inputs = pooling or rows * columns * filters
    for i, neurons in enumerate(architecture.dense):
        layer(f"dense.{i}", neurons, inputs)
        inputs = neurons
    layer("output", 1, inputs)
    if architecture.two_heads:
        size = architecture.lost + 1
        layer("policy", filters, kinds * TOUCHES, size, size, biases=kinds * TOUCHES)
    return shapes
