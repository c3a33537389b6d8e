"""What the learner minimises, beside the L2 penalty.

Two parts, each summed over the states of a minibatch: the errors of the values, and where moves are
learned too, what a network says of the moves against their targets. A new kind of either is a
function and a line in its table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from athenan.learning.settings import Learning
from athenan.networks.architecture import TOUCHES

ValueLoss = Callable[[Tensor, Tensor], Tensor]
"""From values and targets `[B]` to errors `[B]`."""
MoveLoss = Callable[[Tensor, Tensor, Tensor], Tensor]
"""From what the network says of moves, targets and a mask, all `[B, M]`, to errors `[B]`."""
NEVER = 1e-7
"""A probability that stands for 0."""


def squared_error(values: Tensor, targets: Tensor) -> Tensor:
    """Return the squared errors."""
    return (values - targets).square()


def likelihood_error(values: Tensor, outcomes: Tensor) -> Tensor:
    """Return −z log p − (1 − z) log(1 − p) for outcomes and values from −1 to 1."""
    won, probability = (outcomes + 1) / 2, ((values + 1) / 2).clamp(NEVER, 1 - NEVER)
    return -won * probability.log() - (1 - won) * (1 - probability).log()


def cross_entropy(logits: Tensor, shares: Tensor, legal: Tensor) -> Tensor:
    """Return −Σ share · log π of each state, where π is the softmax over its moves."""
    logs = functional.log_softmax(logits.masked_fill(~legal, -1e9), dim=1)
    return -(shares * logs).sum(1)


VALUE_LOSSES: dict[str, ValueLoss] = {"squared": squared_error, "likelihood": likelihood_error}


def mean_squared_error(values: Tensor, targets: Tensor, taught: Tensor) -> Tensor:
    """Return the mean squared error over the moves of each state; 0 of a state without any."""
    errors = (values - targets).square() * taught
    return errors.sum(1) / taught.sum(1).clamp(min=1)


MOVE_LOSSES: dict[str, MoveLoss] = {"policy": cross_entropy, "values": mean_squared_error}


class Loss:
    """The loss of a minibatch: the weighted sum of its parts."""

    def __init__(self, settings: Learning, device: torch.device) -> None:
        learns_moves = settings.moves != "none"
        self._value = VALUE_LOSSES[settings.value_loss]
        self._moves = MOVE_LOSSES[settings.moves] if learns_moves else None
        self._gives_values = settings.moves == "values"
        self._temperature = settings.temperature
        weights = [settings.values_weight, *([settings.moves_weight] if learns_moves else [])]
        # On the device: captured steps read what is there when they run.
        self._weights = torch.tensor(weights, device=device)

    def weigh_values(self, weight: float) -> None:
        """Let the values count so much from now on."""
        self._weights[0].fill_(weight)

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
        of_values = (self._value(outputs[0], values) * shares).sum()
        if self._moves is None:
            return of_values[None]
        places, targets, counts = moves
        said = said_of_moves(outputs[1], places)
        # Values are given as differences to that of the state, which learns of both.
        said = said + outputs[0][:, None] if self._gives_values else said / self._temperature
        legal = torch.arange(said.shape[1], device=said.device) < counts[:, None]
        of_moves = (self._moves(said, targets, legal) * shares).sum()
        return torch.stack([of_values, of_moves])

    def total(self, parts: Tensor) -> Tensor:
        """Return what is minimised."""
        return (parts * self._weights).sum()


def said_of_moves(touches: Tensor, places: Tensor) -> Tensor:
    """Return what touch planes `[B, P, H, W]` say of moves `[B, M]`; see `touched_places`."""
    touches = touches.float()
    means = touches[:, ::TOUCHES].mean((2, 3))
    all_places = torch.cat([touches.flatten(1), means, means.new_zeros((len(means), 1))], dim=1)
    found = all_places.gather(1, places.flatten(1).long())
    return found.view(places.shape).sum(2)
