"""Stepping through records: a board, where the match stands, and a few words to move about."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence

from athenan import Error, Game
from athenan.arena import Match
from athenan.records import game_of, states_of
from athenan.terminal.board import drawn, status
from athenan.terminal.page import say

PROMPT = "step> "


class Stepping:
    """The matches of a file, the one that is looked at, and the ply: see `COMMANDS`."""

    def __init__(self, matches: Sequence[Match], number: int, game: Game | None = None) -> None:
        from rich.console import Console

        self._matches, self._game = matches, game
        self._number, self._ply, self._left = 0, 0, False
        self._console = Console(highlight=False, markup=False, soft_wrap=True)
        self._open(number)

    def run(self) -> None:
        """Obey until the end of the input."""
        self._show()
        while not self._left:
            try:
                self._obey(input(PROMPT).strip())
            except EOFError:
                return
            except KeyboardInterrupt:
                say()
                return
            except Error as mistake:
                say(" ".join(str(mistake).split()))

    def next(self) -> None:
        """Play the next turn; Enter does the same."""
        if self._ply == len(self._states) - 1:
            raise Error("this is the end of the match")
        mover = self._states[self._ply].to_move
        self._ply += 1
        while self._ply < len(self._states) - 1 and self._states[self._ply].to_move == mover:
            self._ply += 1
        self._show()

    def back(self) -> None:
        """Take the last turn back."""
        if self._ply == 0:
            raise Error("this is the beginning of the match")
        self._ply -= 1
        mover = self._states[self._ply].to_move
        while self._ply > 0 and self._states[self._ply - 1].to_move == mover:
            self._ply -= 1
        self._show()

    def first(self) -> None:
        """Go to the beginning."""
        self._ply = 0
        self._show()

    def last(self) -> None:
        """Go to the end."""
        self._ply = len(self._states) - 1
        self._show()

    def moves(self) -> None:
        """List all moves."""
        say(" ".join(self._match.moves) or "none")

    def position(self) -> None:
        """Print the position as a text for --position."""
        say(self._states[self._ply].position)

    def help(self) -> None:
        """Show this help."""
        for name, command in COMMANDS.items():
            say(f"  {name:<12}{inspect.getdoc(command)}")
        say("  NUMBER      Go to this ply.")
        say("  match N     Look at another match of the file.")

    def quit(self) -> None:
        """Leave, as Ctrl-D does."""
        self._left = True

    def _obey(self, line: str) -> None:
        if line.isdecimal():
            if int(line) >= len(self._states):
                raise Error(f"the match has {len(self._states) - 1} plies")
            self._ply = int(line)
            self._show()
        elif line.startswith("match ") and line[6:].strip().isdecimal():
            self._open(int(line[6:]))
            self._show()
        elif (command := COMMANDS.get(line or "next")) is not None:
            command(self)
        else:
            raise Error(f"there is no command {line!r}: {', '.join(COMMANDS)}, a ply or match N")

    def _open(self, number: int) -> None:
        if not 1 <= number <= len(self._matches):
            raise Error(f"there is no match {number}: the file holds {len(self._matches)}")
        match = self._matches[number - 1]
        self._states = states_of(match, game_of(match, self._game))
        self._match, self._number, self._ply = match, number, 0

    def _show(self) -> None:
        match, states = self._match, self._states[: self._ply + 1]
        say()
        if self._ply == 0:
            names = " against ".join(match.players)
            say(f"match {self._number} of {len(self._matches)}: {match.game}, {names}")
        self._console.print(drawn(states))
        played = f" after {match.moves[self._ply - 1]}" if self._ply else ""
        say(f"ply {self._ply} of {len(match.moves)}{played}: {status(states[-1])}")
        if self._ply == len(match.moves) and (match.reason or match.sentence):
            say(ending(match))


def ending(match: Match) -> str:
    """Say how a match ended where the rules did not end it."""
    side = "" if match.who is None else f" by the {('first', 'second')[match.who]} player"
    outcomes = {1: "the first player won", 0: "a draw", -1: "the second player won"}
    counted = "not counted" if match.outcome is None else outcomes[match.outcome]
    sentence = f": {match.sentence}" if match.sentence else ""
    return f"ended ({match.reason}{side}), {counted}{sentence}"


COMMANDS: Mapping[str, Callable[[Stepping], None]] = {
    "next": Stepping.next,
    "back": Stepping.back,
    "first": Stepping.first,
    "last": Stepping.last,
    "moves": Stepping.moves,
    "position": Stepping.position,
    "help": Stepping.help,
    "quit": Stepping.quit,
}
