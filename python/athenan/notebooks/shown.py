"""Something shown in a notebook that changes in place; elsewhere a line on standard error."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["Shown", "is_notebook"]


def is_notebook() -> bool:
    """Tell whether this runs in the kernel of a notebook."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")


class _Html:
    """HTML, and what is shown where there is none."""

    def __init__(self, text: str, plain: str) -> None:
        self.text, self.plain = text, plain

    def _repr_html_(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.plain


class Shown:
    """A place in the output of a cell."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._live = is_notebook()

    def show(self, html: str, plain: str) -> None:
        """Show something in place of what was there."""
        if not self._live:
            print(plain, file=sys.stderr, flush=True)
            return
        from IPython import display

        if self._handle is None:
            show: Any = display.display  # it has no types
            self._handle = show(_Html(html, plain), display_id=True)
        else:
            self._handle.update(_Html(html, plain))
