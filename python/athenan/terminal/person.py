"""A person as a player: types moves, and may say other things meanwhile."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence

import typer

from athenan import Budget, Error, State, Stop, Stopped
from athenan.arena import Player, Thought

PROMPT = "your move> "


class Aside(Exception):  # noqa: N818 (it is no error)
    """The person said something else than a move."""


class Person(Player):
    """Someone who answers a prompt, with a move or with what `is_aside` recognises.

    A terminal completes answers with the tab key. Lines of a pipe are repeated after the prompt, so
    that its output reads like a conversation.
    """

    name = "you"

    def __init__(
        self,
        show: Callable[[str], None],
        words: Sequence[str] = (),
        is_aside: Callable[[str], bool] = lambda _line: False,
    ) -> None:
        self._show = show
        self._words = words
        self._is_aside = is_aside
        self._completions: Sequence[str] = ()
        self._in_terminal = sys.stdin.isatty()
        if self._in_terminal:
            self._complete_with_tab()

    def think(
        self,
        state: State,
        budget: Budget | None = None,  # noqa: ARG002 (a person takes the time that it takes)
        stop: Stop | None = None,
    ) -> Thought:
        """Ask until the answer is a legal move.

        Anything else that was said is raised as an `Aside`, and the end of the input as `Stopped`.
        """
        while not (stop and stop.requested):
            self._completions = [*state.legal_move_strings(), *self._words]
            line = self._ask()
            if line is None:
                break
            if line and self._is_aside(line):
                raise Aside(line)
            if line:
                try:
                    return Thought(find_move(state, line))
                except Error as mistake:
                    self._show(str(mistake))
        raise Stopped("the person has left")

    def _ask(self) -> str | None:
        """Return a line; None if there will be no more."""
        if self._in_terminal:
            with contextlib.suppress(EOFError):
                return input(PROMPT).strip()
            typer.echo()
            return None
        line = sys.stdin.readline()
        if not line:
            return None
        typer.echo(f"{PROMPT}{line.strip()}")
        return line.strip()

    def _complete_with_tab(self) -> None:
        with contextlib.suppress(ImportError):  # there are Pythons without readline
            import readline

            readline.set_completer(self._completion)
            readline.set_completer_delims("")
            by_libedit = "libedit" in (readline.__doc__ or "")
            readline.parse_and_bind("bind ^I rl_complete" if by_libedit else "tab: complete")

    def _completion(self, begun: str, number: int) -> str | None:
        found = [word for word in self._completions if word.startswith(begun)]
        return found[number] if number < len(found) else None


def find_move(state: State, text: str) -> int:
    """Return the legal move that a text names, in full or by a beginning that only it has."""
    moves = dict(zip(state.legal_move_strings(), state.legal_moves(), strict=True))
    if text in moves:
        return moves[text]
    begun = [name for name in moves if name.lower().startswith(text.lower())]
    whole = [name for name in begun if len(name) == len(text)]
    found = whole or begun
    if len(found) == 1:
        return moves[found[0]]
    if found:
        some = ", ".join(found[:3]) + (", ..." if len(found) > 3 else "")
        raise Error(f"{text!r} could be {some}")
    raise Error(f"{text!r} is no legal move here; moves lists them, help lists the commands")
