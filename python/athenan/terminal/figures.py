"""Pictures that matplotlib draws: refused before the work whose result they show, and written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from athenan import Error

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def refuse_unwritable(target: Path | None) -> None:
    """Refuse a picture that could not be written: hours of matches may come before it."""
    if target is None:
        return
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise Error("a picture needs matplotlib: pip install 'athenan[plot]'") from None
    known = FigureCanvasBase.get_supported_filetypes()
    if target.suffix[1:].lower() not in known:
        accepted = ", ".join(known)
        raise Error(
            f"the picture {target} is not a picture file: its name must end in one of {accepted}"
        )
    if target.is_dir() or not target.parent.is_dir():
        what = (
            "is a folder"
            if target.is_dir()
            else f"cannot be written: there is no folder {target.parent}"
        )
        raise Error(f"the picture {target} {what}")


def save(figure: Figure, target: Path, dpi: int) -> None:
    """Write a picture, and close it."""
    from matplotlib import pyplot

    refuse_unwritable(target)
    try:
        figure.savefig(target, dpi=dpi)
    finally:
        pyplot.close(figure)
