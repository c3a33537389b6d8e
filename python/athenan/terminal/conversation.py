"""A match between a person and a player, as a conversation."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from athenan import Error, SearchResult, State, Stop, Stopped
from athenan.arena import Match, Player, Resigned, Thought
from athenan.arena.record import notation_of
from athenan.arena.record_file import read_matches
from athenan.games.goals import goal_of, side_of
from athenan.games.words import counted
from athenan.signals import on_ctrl_c
from athenan.terminal.board import drawn, status
from athenan.terminal.person import Aside, Person
from athenan.terminal.thoughts import evaluation, hints

if TYPE_CHECKING:
    from rich.console import RenderableType

SIDES = ("first", "second")
VERDICTS = {1: "You won.", 0: "Nobody won.", -1: "You lost."}


class Conversation:
    """The match so far, and what a person may say about it: see `COMMANDS`."""

    def __init__(self, machine: Player, start: State, side: int, seed: int = 0) -> None:
        from rich.console import Console

        self._machine = machine
        self._person = Person(self._show, [*COMMANDS, *(f"{w} " for w in FILES)], self._is_aside)
        self._side = side
        self._states = [start]
        self._moves: list[int] = []
        self._seed = seed
        self._resigned: int | None = None  # the side that gave up
        self._left = False
        self._drawn: State | None = None
        in_pipe = not sys.stdout.isatty()  # a program reads lines as they are
        self._console = Console(highlight=False, markup=False, soft_wrap=in_pipe)

    def run(self, description: str) -> None:
        """Play and talk to a machine of this description until the person has left."""
        game = self._state.game
        self._machine.begin(game, self._seed)
        self._show(f"{game.id} against {description}")
        if goal := goal_of(game):
            self._show(f"goal: {goal}")
        self._show(f"{self._roles()}; help lists the commands")
        while not self._left:
            try:
                self._go_on()
            except Aside as said:
                self._obey(str(said))
            except Resigned:
                self._resigned = 1 - self._side
                self._show(f"{self._machine.name} resigned: you won.")
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
        if self._resigned is not None:
            self._resigned = None
            return
        yours = (state.to_move == self._side for state in self._states[:-1])
        last = max((ply for ply, is_yours in enumerate(yours) if is_yours), default=None)
        if last is None:
            raise Error("you have no move to take back")
        del self._states[last + 1 :], self._moves[last:]

    def moves(self) -> None:
        """List the legal moves."""
        self._show(" ".join(self._state.legal_move_strings()) or "none: the match is over")

    def position(self) -> None:
        """Print the position as a text for --position."""
        self._show(self._state.position)

    def replay(self) -> None:
        """Show the match from its start, move by move."""
        self._show(drawn(self._states[:1]))
        for ply, text in enumerate(notation_of(self._states[0], self._moves), 1):
            self._show(f"\n{self._states[ply].ply}. {text}")
            self._show(drawn(self._states[: ply + 1]))
        self._show(f"ply {self._state.ply}: {status(self._state)}")

    def swap_sides(self) -> None:
        """Exchange sides with your opponent."""
        self._side = 1 - self._side
        self._show(self._roles())

    def resign(self) -> None:
        """Give up."""
        if self._over:
            raise Error("the match is over already")
        self._resigned = self._side
        self._show("You gave up." if self._alone else f"You resigned: {self._machine.name} won.")

    def new(self) -> None:
        """Begin a new match from the same position."""
        self._begin_again([self._states[0]], [])
        self._show(f"a new match: {self._roles()}")

    def save(self, file: str) -> None:
        """Append the match to a file, as one line of JSON."""
        with Path(file).expanduser().open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(self._record().as_json()) + "\n")
        self._show(f"saved to {file}")

    def load(self, file: str) -> None:
        """Go on with the last match of a saved file."""
        *_, match = None, *read_matches(Path(file).expanduser())
        if match is None:
            raise Error(f"{file} has no match")
        game = self._state.game
        if match.game != game.id:
            raise Error(f"the last match of {file} is a match of {match.game}, not of {game.id}")
        states, moves = [game.parse_position(match.position)], []
        for text in match.moves:
            moves.append(states[-1].parse_move(text))
            states.append(states[-1].play(moves[-1]))
        self._begin_again(states, moves)
        self._show(
            f"{counted(len(moves), 'move')} of {' against '.join(match.players)}; {self._roles()}"
        )

    def help(self) -> None:
        """Show this help."""
        from rich.table import Table

        sheet = self._state.game.datasheet
        self._show("Type a move, its beginning if that is unique, several moves of one turn, or:")
        table = Table(box=None, show_header=False, padding=(0, 0, 0, 2), pad_edge=True)
        table.add_column(no_wrap=True)
        table.add_column()
        for name, command in COMMANDS.items():
            table.add_row(name, inspect.getdoc(command))
        for name, of_file in FILES.items():
            table.add_row(f"{name} FILE", inspect.getdoc(of_file))
        table.add_row("Ctrl-C", "While your opponent thinks: move now. Otherwise: leave.")
        self._show(table)
        if goal := goal_of(self._state.game):
            self._show(f"goal: {goal}")
        for name in ("move_notation", "position_notation", "reference"):
            if text := getattr(sheet, name):
                self._show(f"{name.replace('_', ' ')}: {text}")

    def quit(self) -> None:
        """Leave the match."""
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
        return self._resigned is not None or self._state.is_terminal

    @property
    def _outcome(self) -> int | None:
        """+1, 0 or -1 for the first player; None before the end."""
        if self._resigned is not None and not self._alone:
            return 1 if self._resigned else -1
        return self._state.outcome

    def _roles(self) -> str:
        if self._alone:
            return f"{self._machine.name if self._side else 'you'} to play alone"
        look = side_of(self._state.game, self._side)
        yours = f"you play {SIDES[self._side]}{f' ({look})' if look else ''}"
        return f"{yours}, {self._machine.name} plays {SIDES[1 - self._side]}"

    def _begin_again(self, states: list[State], moves: list[int]) -> None:
        """Take up another match of the same game."""
        self._states, self._moves = states, moves
        self._resigned, self._drawn = None, None
        self._seed += 1
        self._machine.begin(self._state.game, self._seed)

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
        """Let the player to move do so; after the match, let the person give commands."""
        if self._over or self._state.to_move == self._side:
            if not self._person.has_more(self._state):
                self._draw()
            move = self._person.think(self._state).move
        else:
            move = self._think().move
            self._show(f"{self._machine.name} plays {self._state.move_to_string(move)}")
        self._machine.hear(self._state, move)
        self._states.append(self._state.play(move))
        self._moves.append(move)

    def _is_aside(self, line: str) -> bool:
        return self._over or line in COMMANDS or line.partition(" ")[0] in FILES

    def _obey(self, line: str) -> None:
        word, _, file = line.partition(" ")
        try:
            if line in COMMANDS:
                COMMANDS[line](self)
            elif word in FILES and not file.strip():
                raise Error(f"{word} needs the name of a file: {word} FILE")
            elif word in FILES:
                FILES[word](self, file.strip())
            else:
                raise Error("the match is over: undo, new, replay, save FILE or quit")
        except OSError as mistake:
            self._show(f"{file.strip()}: {mistake.strerror or mistake}")
        except Error as mistake:
            self._show(" ".join(str(mistake).split()))

    def _think(self) -> Thought:
        """Let the machine think; the first Ctrl-C makes it move now, a second one leaves."""
        stop = Stop()
        hurry = "" if self._console.is_terminal is False else " (Ctrl-C: move now)"
        # The key works before it is shown.
        with on_ctrl_c(stop.request), self._console.status(f"{self._machine.name} thinks{hurry}"):
            return self._machine.think(self._state, stop=stop)

    def _thoughts(self) -> SearchResult:
        if self._over:
            raise Error("the match is over: there is no move to consider")
        found = self._think().result
        if found is None or found.value is None:
            raise Error(f"{self._machine.name} cannot say what it thinks")
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
            reason=None if self._resigned is None else "resigned",
            who=self._resigned,
        )


COMMANDS: Mapping[str, Callable[[Conversation], None]] = {
    "hint": Conversation.hint,
    "eval": Conversation.evaluate,
    "undo": Conversation.undo,
    "moves": Conversation.moves,
    "position": Conversation.position,
    "replay": Conversation.replay,
    "swap sides": Conversation.swap_sides,
    "new": Conversation.new,
    "resign": Conversation.resign,
    "help": Conversation.help,
    "quit": Conversation.quit,
}
FILES: Mapping[str, Callable[[Conversation, str], None]] = {
    "save": Conversation.save,
    "load": Conversation.load,
}
