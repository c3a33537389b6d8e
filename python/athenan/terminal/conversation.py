"""A match between a person and a player, as a conversation."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from athenan import Error, SearchResult, State, Stopped
from athenan.arena import Match, Player, Thought
from athenan.arena.record import notation_of
from athenan.terminal.board import drawn, status
from athenan.terminal.person import Aside, Person
from athenan.terminal.thoughts import evaluation, hints

if TYPE_CHECKING:
    from rich.console import RenderableType

SIDES = ("first", "second")
VERDICTS = {1: "You won.", 0: "Nobody won.", -1: "You lost."}


class Conversation:
    """The match so far, and what a person may say about it: see `COMMANDS`."""

    def __init__(self, machine: Player, start: State, side: int) -> None:
        from rich.console import Console

        self._machine = machine
        self._person = Person(self._show, [*COMMANDS, "save "], self._is_aside)
        self._side = side
        self._states = [start]
        self._moves: list[int] = []
        self._resigned = False
        self._left = False
        self._drawn: State | None = None
        self._console = Console(highlight=False, markup=False, soft_wrap=True)

    def run(self, description: str) -> None:
        """Play and talk to a machine of this description until the person has left."""
        self._show(f"{self._state.game.id} against {description}")
        self._show(f"{self._roles()}; help lists the commands")
        while not self._left:
            try:
                self._go_on()
            except Aside as said:
                self._obey(str(said))
            except Stopped:
                return

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
        yours = (state.to_move == self._side for state in self._states[:-1])
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
        self._side = 1 - self._side
        self._show(self._roles())

    def resign(self) -> None:
        """Give up."""
        if self._over:
            raise Error("the match is over already")
        self._resigned = True
        self._show("You gave up." if self._alone else f"You resigned: {self._machine.name} won.")

    def save(self, file: str) -> None:
        """Append the match to a file, as one line of JSON."""
        if not file:
            raise Error("save needs the name of a file: save FILE")
        with Path(file).expanduser().open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(self._record().as_json()) + "\n")
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
    def _alone(self) -> bool:
        return self._state.game.datasheet.players == 1

    @property
    def _over(self) -> bool:
        return self._resigned or self._state.is_terminal

    @property
    def _outcome(self) -> int | None:
        """+1, 0 or -1 for the first player; None before the end."""
        if self._resigned and not self._alone:
            return 1 if self._side else -1
        return self._state.outcome

    def _roles(self) -> str:
        if self._alone:
            return f"{self._machine.name if self._side else 'you'} to play alone"
        return f"you play {SIDES[self._side]}, {self._machine.name} plays {SIDES[1 - self._side]}"

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
            self._show(VERDICTS[-self._state.outcome if self._side else self._state.outcome])

    def _go_on(self) -> None:
        """Let whoever is to move do so; when the match is over, only the person can talk."""
        if self._over or self._state.to_move == self._side:
            self._draw()
            move = self._person.think(self._state).move
        else:
            move = self._think().move
            self._show(f"{self._machine.name} plays {self._state.move_to_string(move)}")
        self._machine.hear(self._state, move)
        self._states.append(self._state.play(move))
        self._moves.append(move)

    def _is_aside(self, line: str) -> bool:
        return self._over or line in COMMANDS or line.partition(" ")[0] == "save"

    def _obey(self, line: str) -> None:
        try:
            if line in COMMANDS:
                COMMANDS[line](self)
            elif line.partition(" ")[0] == "save":
                self.save(line.partition(" ")[2].strip())
            else:
                raise Error("the match is over: undo, save FILE or quit")
        except (Error, OSError) as mistake:
            self._show(" ".join(str(mistake).split()))

    def _think(self) -> Thought:
        with self._console.status(f"{self._machine.name} thinks"):
            return self._machine.think(self._state)

    def _thoughts(self) -> SearchResult:
        if self._over:
            raise Error("the match is over: there is nothing to think about")
        found = self._think().result
        if found is None or found.value is None:
            raise Error(f"{self._machine.name} does not think")
        return found

    def _record(self) -> Match:
        names = (self._person.name, self._machine.name)
        seats = (names[self._side], names[1 - self._side])
        return Match(
            game=self._state.game.id,
            position=self._states[0].position,
            players=seats[:1] if self._alone else seats,
            moves=notation_of(self._states[0], self._moves),
            outcome=self._outcome,
            reason="resigned" if self._resigned else None,
        )


COMMANDS: Mapping[str, Callable[[Conversation], None]] = {
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
