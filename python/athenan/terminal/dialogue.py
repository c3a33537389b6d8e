"""Asking a person for lines: in a terminal with completion, or from a pipe."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence

import typer


class Dialogue:
    """Where answers come from.

    A terminal completes them with the tab key. Lines of a pipe are repeated after the prompt, so
    that its output reads like a conversation.
    """

    def __init__(self) -> None:
        self._in_terminal = sys.stdin.isatty()
        self._words: Sequence[str] = ()
        if self._in_terminal:
            self._complete_with_tab()

    def ask(self, prompt: str, words: Sequence[str]) -> str | None:
        """Return a line, completed from these words; None if there will be no more."""
        self._words = words
        if self._in_terminal:
            with contextlib.suppress(EOFError):
                return input(prompt).strip()
            typer.echo()
            return None
        line = sys.stdin.readline()
        if not line:
            return None
        typer.echo(f"{prompt}{line.strip()}")
        return line.strip()

    def _complete_with_tab(self) -> None:
        with contextlib.suppress(ImportError):  # there are Pythons without readline
            import readline

            readline.set_completer(self._completion)
            readline.set_completer_delims("")
            by_libedit = "libedit" in (readline.__doc__ or "")
            readline.parse_and_bind("bind ^I rl_complete" if by_libedit else "tab: complete")

    def _completion(self, begun: str, number: int) -> str | None:
        found = [word for word in self._words if word.startswith(begun)]
        return found[number] if number < len(found) else None
