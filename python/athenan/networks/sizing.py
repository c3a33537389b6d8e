"""The paper's sizes: half of the weights in the convolutions, half in the dense layers.

The paper prints widths such as 83, 186 or 4453 and says only that both kinds of layers have about
as many variables. One rule yields all of its widths from round numbers of weights (fifteen
networks, `tests/networks/test_sizing.py`). It counts kernels only: no bias and no
squeeze-and-excitation.

- Filters F: the integer nearest to the solution of `9·planes·F + 9·F²·(further convolutions)` =
  half of the weights.
- Neurons N, the same in each dense layer: the most that keep `inputs·N + N²·(further layers) + N`
  within the other half; the last N is the output. The inputs are the `cells·F` of the flattened
  board. Before a global pooling the 1×1 convolution takes part as a layer of N neurons with one
  input per cell, not F: the paper's pooled networks exceed their budgets by 4 and 5 % because
  of it.
- The cells are those of the game's own board after the stem, without the border that an encoding
  adds: Hex 11 has N = 228, as Go 11.
"""

from __future__ import annotations

import math

from athenan._core import Game, ParameterError
from athenan.networks.architecture import MAX_WIDTH, Architecture, Shape, input_shape


def sized_architecture(weights: float, board: Game | Shape, template: Architecture) -> Architecture:
    """Return the template with the widths that the paper's rule gives for a number of weights.

    All but `filters`, `pooling` and `dense` is taken from the template, and so are the number of
    dense layers and whether the board is pooled. `board` is a game, or the planes, rows and columns
    of a board without border.
    """
    if not 0 < weights < math.inf:
        raise ParameterError(f"the number of weights must be positive and finite, not {weights}")
    planes, rows, columns = own_board(board) if isinstance(board, Game) else board
    rows, columns = template.board(rows, columns)
    half = int(weights) // 2
    further = template.convolutions - 1 + 2 * template.blocks
    filters = _rounded_root(9 * further, 9 * planes, half)
    inputs = rows * columns * (1 if template.pooling else filters)
    layers = len(template.dense) + bool(template.pooling)
    neurons = _floored_root(max(layers - 1, 0), inputs + 1, half)
    pooling = neurons if template.pooling else 0
    return _with_widths(template, filters, pooling, (neurons,) * len(template.dense))


def rounded(architecture: Architecture, multiple: int = 32) -> Architecture:
    """Round the filters, the pooling and the dense layers up to a multiple: GPUs prefer 32."""
    if multiple < 1:
        raise ParameterError(f"widths can be rounded to a multiple of 1 or more, not {multiple}")

    def up(width: int) -> int:
        return -(-width // multiple) * multiple

    dense = tuple(up(width) for width in architecture.dense)
    return _with_widths(architecture, up(architecture.filters), up(architecture.pooling), dense)


def fitted(architecture: Architecture, game: Game) -> Architecture:
    """Return the architecture without the convolutions for which a game's board is too small.

    Each one without a margin takes two rows and two columns: three need 7×7 cells, two 5×5.
    """
    if architecture.margin == "same":
        return architecture
    room = (min(input_shape(game)[1:]) - 1) // 2
    convolutions = max(1, min(architecture.convolutions, room))
    return architecture.model_copy(update={"convolutions": convolutions})


def own_board(game: Game) -> Shape:
    """Return the planes, rows and columns of a game's board without the border of its encoding."""
    planes, rows, columns = input_shape(game)
    added = 2 * game.datasheet.border
    return planes, rows - added, columns - added


def _floored_root(a: int, b: int, c: int) -> int:
    """Return the greatest n with a·n² + b·n ≤ c, exactly."""
    return (math.isqrt(b * b + 4 * a * c) - b) // (2 * a) if a else c // b


def _rounded_root(a: int, b: int, c: int) -> int:
    """Return the integer nearest to the positive solution of a·x² + b·x = c, exactly."""
    return (math.isqrt(b * b + 4 * a * c) - b + a) // (2 * a) if a else (2 * c + b) // (2 * b)


def _with_widths(
    template: Architecture, filters: int, pooling: int, dense: tuple[int, ...]
) -> Architecture:
    widths = [filters, *dense, *([pooling] if template.pooling else [])]
    if not 1 <= min(widths) <= max(widths) <= MAX_WIDTH:
        raise ParameterError(
            f"a network cannot have {filters} filters and layers of {widths[1:]} neurons: "
            f"each width must be between 1 and {MAX_WIDTH}"
        )
    changes = {"filters": filters, "pooling": pooling, "dense": dense}
    return Architecture.model_validate(template.model_dump() | changes)
