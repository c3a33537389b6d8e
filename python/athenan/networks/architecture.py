"""What a network looks like: one family, described by a few numbers.

A stem of plain convolutions, residual blocks, then either all cells flattened or a 1×1 convolution
summed over the board, dense layers, and one output. The protocol's CNN has three convolutions and
no block; the residual networks of the long runs have one convolution and four or eight blocks.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from athenan._core import Error, Game

MAX_WIDTH = 16384
MAX_WEIGHTS = 2 * 10**9
Width = Annotated[int, Field(ge=1, le=MAX_WIDTH)]
Shape = tuple[int, int, int]
"""Planes, rows, columns."""
MoveAnswers = Literal["none", "policy", "values"]
"""What is said of the legal moves of a state, or asked."""
TOUCHES = 4
"""Cells of a move that a second head sees: all of most moves, of a longer path the first three and
the last."""


class Architecture(BaseModel):
    """The shape of a network, its input aside: that comes from the game's datasheet."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    filters: Width = Field(64, description="filters of each 3×3 convolution")
    convolutions: int = Field(1, ge=1, le=8, description="plain 3×3 convolutions of the stem")
    margin: Literal["valid", "same"] = Field(
        "valid", description="padding of the stem: none (valid) or one cell (same)"
    )
    blocks: int = Field(4, ge=0, le=64, description="residual blocks of two 3×3 convolutions")
    squeeze: int = Field(
        0, ge=0, le=64, description="ratio of squeeze-and-excitation in each block; 0 for none"
    )
    pooling: int = Field(
        0,
        ge=0,
        le=MAX_WIDTH,
        description="filters of a 1×1 convolution before global sum pooling; 0 flattens the board",
    )
    dense: tuple[Width, ...] = Field(
        (100,), max_length=64, description="neurons of each dense layer"
    )
    output: Literal["linear", "tanh"] = Field("linear", description="activation of the output")
    policy: bool = Field(False, description="a second head gives a logit to each legal move")
    move_values: bool = Field(
        False,
        description="a second head gives a value to each legal move: that of the state it leads to",
    )
    code: str = Field(
        "",
        max_length=4096,
        description="a torch module in a Python file, as in mynet.py:Net:width=64, in place of "
        "this family; --network names it",
    )
    code_sha256: str = Field(
        "", max_length=64, description="SHA-256 of that file; written by athenan"
    )

    @model_validator(mode="after")
    def _squeeze_needs_blocks(self) -> Self:
        if self.squeeze and not self.blocks:
            raise ValueError("squeeze is part of the residual blocks: with blocks = 0 it must be 0")
        return self

    @model_validator(mode="after")
    def _one_head_for_moves(self) -> Self:
        if self.policy and self.move_values:
            raise ValueError(
                "policy and move_values are two meanings of one head: set one of them to false"
            )
        return self

    @property
    def says_of_moves(self) -> MoveAnswers:
        """What a second head says of the legal moves of a state: nothing, a policy or values."""
        return "policy" if self.policy else "values" if self.move_values else "none"

    @property
    def two_heads(self) -> bool:
        """Whether it says anything of moves."""
        return self.says_of_moves != "none"

    @property
    def lost(self) -> int:
        """Rows, and columns, that the stem takes from the planes."""
        return 2 * self.convolutions if self.margin == "valid" else 0

    def board(self, rows: int, columns: int) -> tuple[int, int]:
        """Return rows and columns after the stem; a board too small for it is refused."""
        lost = self.lost
        if min(rows, columns) <= lost:
            raise Error(
                f"a board of {rows}×{columns} cells is too small for a stem of {self.convolutions} "
                f"valid 3×3 convolutions: these need at least {lost + 1}×{lost + 1}, "
                'or margin = "same"'
            )
        return rows - lost, columns - lost


def input_shape(game: Game) -> Shape:
    """Return the planes, rows and columns in which a game's states are encoded."""
    sheet = game.datasheet
    return len(sheet.planes), sheet.rows, sheet.columns
