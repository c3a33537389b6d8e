"""A match between a person and a player, as a conversation."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from athenan import Error, SearchResult, State
from athenan.arena import Thinker
from athenan.commands.show import status
from athenan.terminal.board import drawn
from athenan.terminal.dialogue import Dialogue
from athenan.terminal.patience import patiently
from athenan.terminal.thoughts import evaluation, hints

if TYPE_CHECKING:
    from rich.console import RenderableType

PROMPT = "your move> "
SIDES = ("first", "second")
VERDICTS = {1: "You won.", 0: "Nobody won.", -1: "You lost."}


class Conversation:
    """The match so far, and what a person may say about it: see `COMMANDS`."""

    def __init__(self, machine: Thinker, start: State, person: int) -> None:
        from rich.console import Console

        self._machine = machine
        self._person = person
        self._states = [start]
        self._moves: list[int] = []
        self._resigned = False
        self._left = False
        self._drawn: State | None = None
        self._console = Console(highlight=False, markup=False, soft_wrap=True)
        self._dialogue = Dialogue()

    def run(self) -> None:
        """Play and talk until the person has left."""
        self._show(f"{self._state.game.id} against {self._machine.player.description}")
        self._show(f"{self._roles()}; help lists the commands")
        while not self._left:
            if not self._over and self._state.to_move != self._person:
                self._reply()
                continue
            self._draw()
            line = self._dialogue.ask(
                PROMPT, [*self._state.legal_move_strings(), *COMMANDS, "save "]
            )
            if line is None:
                return
            try:
                self._obey(line)
            except (Error, OSError) as mistake:
                self._show(" ".join(str(mistake).split()))

    def hint(self) -> None:
        """Show the moves that your opponent would consider in your place."""
        self._show(hints(self._state, self._thoughts()))

    def evaluate(self) -> None:
        """Show what your opponent thinks of the position."""
        self._show(evaluation(self._state, self._thoughts()))

    def undo(self) -> None:
        """Take back your last move and what followed it."""
        if self._resigned:
            self._resigned = False
            return
        yours = (state.to_move == self._person for state in self._states[:-1])
        last = max((ply for ply, is_yours in enumerate(yours) if is_yours), default=None)
        if last is None:
            raise Error("there is no move of yours to take back")
        del self._states[last + 1 :], self._moves[last:]

    def moves(self) -> None:
        """List the legal moves."""
        self._show(" ".join(self._state.legal_move_strings()) or "none: the match is over")

    def position(self) -> None:
        """Write the position as a text that --position understands."""
        self._show(self._state.position)

    def swap_sides(self) -> None:
        """Let your opponent take your side, and take its side."""
        self._person = 1 - self._person
        self._show(self._roles())

    def resign(self) -> None:
        """Give up."""
        if self._over:
            raise Error("the match is over already")
        self._resigned = True
        self._show("You gave up." if self._alone else f"You resigned: {self._name} won.")

    def save(self, file: str) -> None:
        """Append the match to a file, as one line of JSON."""
        if not file:
            raise Error("save needs the name of a file: save FILE")
        with Path(file).expanduser().open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(self._record()) + "\n")
        self._show(f"saved to {file}")

    def help(self) -> None:
        """Say this."""
        sheet = self._state.game.datasheet
        self._show("A move, or as much of it as is unmistakable, or one of")
        for name, command in (*COMMANDS.items(), ("save FILE", Conversation.save)):
            self._show(f"  {name:<12}{inspect.getdoc(command)}")
        for name in ("move_notation", "position_notation", "reference"):
            if text := getattr(sheet, name):
                self._show(f"{name.replace('_', ' ')}: {text}")

    def quit(self) -> None:
        """Leave."""
        self._left = True
        self._show("Goodbye.")

    @property
    def _state(self) -> State:
        return self._states[-1]

    @property
    def _name(self) -> str:
        return self._machine.player.name

    @property
    def _alone(self) -> bool:
        return self._state.game.datasheet.players == 1

    @property
    def _over(self) -> bool:
        return self._resigned or self._state.is_terminal

    @property
    def _outcome(self) -> int | None:
        """+1, 0 or -1 for the first player; None before the end."""
        if self._resigned and not self._alone:
            return 1 if self._person else -1
        return self._state.outcome

    def _roles(self) -> str:
        if self._alone:
            return f"{self._name if self._person else 'you'} to play alone"
        return f"you play {SIDES[self._person]}, {self._name} plays {SIDES[1 - self._person]}"

    def _show(self, what: RenderableType) -> None:
        self._console.print(what)

    def _draw(self) -> None:
        """Show the board if it is not the one that was shown last."""
        if self._state is self._drawn:
            return
        self._drawn = self._state
        self._show("")
        self._show(drawn(self._states))
        self._show(f"ply {self._state.ply}: {status(self._state)}")
        if self._state.outcome is not None and not self._alone:
            self._show(VERDICTS[-self._state.outcome if self._person else self._state.outcome])

    def _obey(self, line: str) -> None:
        name, _, argument = line.partition(" ")
        if name == "save":
            self.save(argument.strip())
        elif line in COMMANDS:
            COMMANDS[line](self)
        elif self._over and line:
            raise Error("the match is over: undo, save FILE or quit")
        elif line:
            self._advance(find_move(self._state, line))

    def _advance(self, move: int) -> None:
        self._states.append(self._state.play(move))
        self._moves.append(move)

    def _reply(self) -> None:
        move = self._think().best_move
        self._show(f"{self._name} plays {self._state.move_to_string(move)}")
        self._advance(move)

    def _think(self) -> SearchResult:
        with self._console.status(f"{self._name} thinks"):
            return patiently(lambda: self._machine.think(self._state))

    def _thoughts(self) -> SearchResult:
        if self._over:
            raise Error("the match is over: there is nothing to think about")
        if not self._machine.player.thinks:
            raise Error(f"{self._name} does not think")
        return self._think()

    def _record(self) -> dict[str, object]:
        players = ["you", self._name]
        return {
            "game": self._state.game.id,
            "position": self._states[0].position,
            "first": players[self._person],
            "second": None if self._alone else players[1 - self._person],
            "outcome": self._outcome,
            "resigned": self._resigned,
            "moves": [
                state.move_to_string(move)
                for state, move in zip(self._states, self._moves, strict=False)
            ],
        }


COMMANDS: Mapping[str, Callable[[Conversation], None]] = MappingProxyType(
    {
        "hint": Conversation.hint,
        "eval": Conversation.evaluate,
        "undo": Conversation.undo,
        "moves": Conversation.moves,
        "position": Conversation.position,
        "swap sides": Conversation.swap_sides,
        "resign": Conversation.resign,
        "help": Conversation.help,
        "quit": Conversation.quit,
    }
)


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
