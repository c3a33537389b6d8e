"""A network from another one: wider, deeper, or for another size of the board.

*Wider*: the new filters and neurons are copies of old ones, and whoever reads an old one shares its
weight among it and its copies, in random parts of the whole: the values stay, and the copies
learn apart. *Deeper*: a new residual block adds zero. *Another board*: all convolutions are the
same; a dense layer that reads every cell has another shape, so it begins anew, and with it the
layers that follow, which would read nothing that they know. With global pooling nothing does.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from athenan._core import Error
from athenan.networks.architecture import Architecture
from athenan.networks.network import Network, ResidualBlock

GROWING = ("filters", "blocks", "pooling", "dense")
"""Parts of an architecture that may be larger than they were; the others are kept."""
MIN_PART = 0.25
"""Of a weight: the least that the first of those keeps who share it, times their number."""


@dataclass(frozen=True)
class Transfer:
    """What a network took from another one."""

    kept: tuple[str, ...]
    """Parameters that do what they did."""
    fresh: tuple[str, ...]
    """Parameters that begin anew."""


def refuse_unless_grown(old: Architecture, new: Architecture) -> None:
    """Refuse an architecture that another one cannot grow into."""
    for name in type(old).model_fields:
        before, after = getattr(old, name), getattr(new, name)
        if name not in GROWING:
            grown = before == after
        elif name == "dense":
            grown = len(before) == len(after) and all(map(int.__le__, before, after))
        elif name == "pooling":
            grown = before <= after and (before > 0) == (after > 0)
        else:
            grown = before <= after
        if not grown or (name in GROWING and old.code and before != after):
            raise Error(
                f"a network with {name} = {_text(before)} does not grow into one with {name} = "
                f"{_text(after)}: filters, blocks, pooling and the widths of dense layers may "
                "grow, the rest is kept"
            )


def _text(value: object) -> str:
    return str(list(value)) if isinstance(value, tuple) else str(value)


def transfer(old: Network, new: Network, seed: int = 0) -> Transfer:
    """Give a new network, with fresh weights, what another one has learned.

    Of the same planes of the same board the values stay what they were.
    """
    refuse_unless_grown(old.architecture, new.architecture)
    if old.input_shape[0] != new.input_shape[0]:
        raise Error(
            f"a network for {old.input_shape[0]} planes cannot begin one for {new.input_shape[0]}"
        )
    if old.kinds != new.kinds:
        raise Error(f"a policy of {old.kinds} kinds of moves cannot begin one of {new.kinds}")
    if old.architecture.code:
        return _of_own_module(old, new)
    weights = _Grown(old, new, seed).weights()
    fresh = tuple(name for name, _ in new.named_parameters() if name not in weights)
    with torch.no_grad():
        for name, parameter in new.named_parameters():
            if name in weights:
                parameter.copy_(weights[name])
    return Transfer(tuple(weights), fresh)


def _of_own_module(old: Network, new: Network) -> Transfer:
    """Take over all parameters of a module of the user's, if their shapes agree."""
    theirs = dict(old.named_parameters())
    mine = dict(new.named_parameters())
    if {name: p.shape for name, p in theirs.items()} != {name: p.shape for name, p in mine.items()}:
        raise Error("a network of your own keeps its shapes: it cannot begin one of other shapes")
    new.load_state_dict(old.state_dict())
    return Transfer(tuple(theirs), ())


class _Grown:
    """The weights that a larger network begins with."""

    def __init__(self, old: Network, new: Network, seed: int) -> None:
        self.old, self.new = old, new
        self._weights: dict[str, Tensor] = {}
        self._random = torch.Generator().manual_seed(seed)

    @torch.no_grad()
    def weights(self) -> dict[str, Tensor]:
        """Return them by name; those that begin anew are missing."""
        old, new = self.old, self.new
        trunk = self._copies(old.architecture.filters, new.architecture.filters)
        for i in range(len(old.stem)):
            self._layer(f"stem.{i}", trunk, trunk if i else None)
        for i, block in enumerate(new.blocks):
            if i < len(old.blocks):
                self._block(i, trunk)
            else:
                self._add_nothing(i, block)
        if old.policy is not None:
            weight = old.policy.weight.transpose(0, 1)
            self._weights["policy.weight"] = self._shared(weight, trunk).transpose(0, 1)
            self._weights["policy.bias"] = _bias(old.policy)
        self._head(trunk)
        return self._weights

    def _block(self, i: int, trunk: Tensor) -> None:
        inner = self._copies(self.old.architecture.filters, len(trunk))
        self._layer(f"blocks.{i}.first", inner, trunk)
        self._layer(f"blocks.{i}.second", trunk, inner)
        if self.old.architecture.squeeze:
            names = [f"blocks.{i}.squeeze.{part}" for part in ("reduce", "expand")]
            narrow = self._copies(
                *(len(net.get_parameter(f"{names[0]}.weight")) for net in (self.old, self.new))
            )
            self._layer(names[0], narrow, trunk)
            self._layer(names[1], trunk, narrow)

    def _add_nothing(self, i: int, block: torch.nn.Module) -> None:
        """Let a new block be the identity: what enters is not negative, and it adds zero."""
        assert isinstance(block, ResidualBlock)
        for name, parameter in block.named_parameters():
            is_last = name.startswith("second")
            self._weights[f"blocks.{i}.{name}"] = parameter * (0 if is_last else 1)

    def _head(self, trunk: Tensor) -> None:
        old, new = self.old, self.new
        if old.pooling is not None and new.pooling is not None:
            read = self._copies(old.pooling.out_channels, new.pooling.out_channels)
            self._layer("pooling", read, trunk)
        elif old.input_shape == new.input_shape:
            cells = _inputs(old) // old.architecture.filters
            read = (trunk[:, None] * cells + torch.arange(cells)).flatten()
        else:
            return
        widths = zip(old.architecture.dense, new.architecture.dense, strict=True)
        for i, (before, after) in enumerate(widths):
            neurons = self._copies(before, after)
            self._layer(f"dense.{i}", neurons, read)
            read = neurons
        self._layer("output", None, read)

    def _copies(self, before: int, after: int) -> Tensor:
        """Return of which old channel each new one is a copy: first all, then some drawn again."""
        drawn = torch.randint(before, (after - before,), generator=self._random)
        return torch.cat([torch.arange(before), drawn])

    def _layer(self, name: str, outputs: Tensor | None, inputs: Tensor | None) -> None:
        """Widen a layer: `outputs` and `inputs` say of which old channel each new one is a copy."""
        weight: Tensor = self.old.get_parameter(f"{name}.weight")
        if inputs is not None:
            weight = self._shared(weight, inputs, outputs)
        elif outputs is not None:
            weight = weight[outputs]
        self._weights[f"{name}.weight"] = weight
        layer = self.old.get_submodule(name)
        if getattr(layer, "bias", None) is not None:
            bias = _bias(layer)
            self._weights[f"{name}.bias"] = bias if outputs is None else bias[outputs]

    def _shared(self, weight: Tensor, inputs: Tensor, outputs: Tensor | None = None) -> Tensor:
        """Let the copies of each input share its weights, each output in parts of its own."""
        rows_of = weight if outputs is None else weight[outputs]
        if len(inputs) == weight.shape[1]:
            return rows_of
        parts = torch.empty(len(rows_of), len(inputs)).uniform_(MIN_PART, 1, generator=self._random)
        sums = torch.zeros(len(rows_of), weight.shape[1]).index_add_(1, inputs, parts)
        parts = parts / sums[:, inputs]
        return rows_of[:, inputs] * parts.reshape(*parts.shape, *[1] * (weight.dim() - 2))


def _bias(layer: torch.nn.Module) -> Tensor:
    bias = layer.bias
    assert isinstance(bias, Tensor)
    return bias.detach()


def _inputs(network: Network) -> int:
    """Return how many numbers a network reads after its last block."""
    name = "dense.0.weight" if len(network.dense) else "output.weight"
    return network.get_parameter(name).shape[1]
