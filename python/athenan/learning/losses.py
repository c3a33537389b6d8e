"""What the learner minimises, beside the L2 penalty.

Two parts, each summed over the states of a minibatch: the errors of the values, and where moves are
learned too, what a network says of the moves against their targets. A new kind of either is a
function and a line in its table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from athenan.learning.settings import Learning
from athenan.networks.architecture import TOUCHES

ValueLoss = Callable[[Tensor, Tensor], Tensor]
"""From values and targets `[B]` to errors `[B]`."""
MoveLoss = Callable[[Tensor, Tensor, Tensor], Tensor]
"""From what the network says of moves, targets and a mask, all `[B, M]`, to errors `[B]`."""


def squared_error(values: Tensor, targets: Tensor) -> Tensor:
    """Return the squared errors."""
    return (values - targets).square()


def cross_entropy(logits: Tensor, shares: Tensor, legal: Tensor) -> Tensor:
    """Return −Σ share · log π of each state, where π is the softmax over its moves."""
    logs = functional.log_softmax(logits.masked_fill(~legal, -1e9), dim=1)
    return -(shares * logs).sum(1)


VALUE_LOSSES: dict[str, ValueLoss] = {"squared": squared_error}
MOVE_LOSSES: dict[str, MoveLoss] = {"policy": cross_entropy}


@dataclass(frozen=True)
class Loss:
    """The loss of a minibatch: `weights` of its two parts."""

    value: ValueLoss
    moves: MoveLoss | None
    weights: tuple[float, ...]

    @classmethod
    def of(cls, settings: Learning) -> Loss:
        """Return the loss of these settings."""
        squared = VALUE_LOSSES["squared"]
        if settings.moves == "none":
            return cls(squared, None, (1.0,))
        return cls(squared, MOVE_LOSSES[settings.moves], (1.0, settings.moves_weight))

    def parts(
        self,
        outputs: Sequence[Tensor],
        values: Tensor,
        shares: Tensor,
        moves: Sequence[Tensor] = (),
    ) -> Tensor:
        """Return the parts, each summed over the states, which count by their `shares`.

        `outputs` are those of a network; `moves` are places, targets and numbers of moves, padded.
        """
        of_values = (self.value(outputs[0], values) * shares).sum()
        if self.moves is None:
            return of_values[None]
        places, targets, counts = moves
        said = said_of_moves(outputs[1], places)
        legal = torch.arange(said.shape[1], device=said.device) < counts[:, None]
        of_moves = (self.moves(said, targets, legal) * shares).sum()
        return torch.stack([of_values, of_moves])

    def total(self, parts: Tensor) -> Tensor:
        """Return what is minimised."""
        terms = [part * weight for part, weight in zip(parts, self.weights, strict=True)]
        return torch.stack(terms).sum()


def said_of_moves(touches: Tensor, places: Tensor) -> Tensor:
    """Return what touch planes `[B, P, H, W]` say of moves `[B, M]`; see `touched_places`."""
    touches = touches.float()
    means = touches[:, ::TOUCHES].mean((2, 3))
    all_places = torch.cat([touches.flatten(1), means, means.new_zeros((len(means), 1))], dim=1)
    found = all_places.gather(1, places.flatten(1).long())
    return found.view(places.shape).sum(2)
