"""A person as a player: types moves, and may say other things meanwhile."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence

import typer

from athenan import Budget, Error, State, Stop, Stopped
from athenan.arena import Player, Thought
from athenan.terminal.moves import find_moves

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
        self._following: list[int] = []  # moves of the same line
        self._expected: State | None = None  # where they follow
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
        A line may have several moves of one turn: the others are the next answers.
        """
        if self.has_more(state):
            return self._answer(state)
        while not (stop and stop.requested):
            self._completions = [*state.legal_move_strings(), *self._words]
            line = self._ask()
            if line is None:
                break
            if line and self._is_aside(line):
                raise Aside(line)
            if line:
                try:
                    self._following = find_moves(state, line)
                except Error as mistake:
                    self._show(str(mistake))
                else:
                    return self._answer(state)
        raise Stopped("the person has left")

    def has_more(self, state: State) -> bool:
        """Tell whether the last line has a move for this state too."""
        return bool(self._following) and state == self._expected

    def _answer(self, state: State) -> Thought:
        move = self._following.pop(0)
        self._expected = state.play(move)
        return Thought(move)

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
