"""The Go Text Protocol, version 2, without what is peculiar to a game.

A command is one line, perhaps with a number before it. The answer begins with = or ? and that
number, and ends with an empty line. https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2
"""

from __future__ import annotations

import re
from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

from athenan._core import Error, Game, State
from athenan.games import make_game
from athenan.protocols.engine import Request, Turn
from athenan.protocols.limits import Limits
from athenan.protocols.protocol import Protocol, Write
from athenan.protocols.settings import Settings

Self = TypeVar("Self", bound="GtpCore")
Command = Callable[[Self, list[str]], "str | None"]
"""Takes the arguments; answers a text, or None where the answer comes later."""
COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}


class Failure(Error):  # noqa: N818 (as the protocol says)
    """What is answered with a question mark."""


class GtpCore(Protocol):
    """The commands of every game."""

    def __init__(self, game: Game, settings: Settings, write: Write, dialect: str = "") -> None:
        super().__init__(game, settings, write, dialect)
        self._clocks: list[Limits | None] = [None, None]
        self._streaming = False
        self.commands = dict(sorted(self._own_commands().items()))

    def _own_commands(self) -> dict[str, Callable[[list[str]], str | None]]:
        """Return the commands by name; a subclass adds its own."""
        return {
            "protocol_version": lambda _: "2",
            "name": lambda _: "athenan",
            "version": lambda _: _version(),
            "known_command": lambda words: str(_one(words) in self.commands).lower(),
            "list_commands": lambda _: "\n".join(self.commands),
            "clear_board": self._clear_board,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": lambda _: "\n" + str(self.engine.state),
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "set_random_seed": self._set_random_seed,
            "athenan-option": self._option,
            "athenan-position": lambda _: self.engine.state.position,
        }

    # Lines.

    def hear(self, line: str) -> bool:
        """Answer a command."""
        self.end_stream()
        line = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.partition("#")[0])
        words = line.split()
        if not words:
            return True
        number = words.pop(0) if words[0].isdigit() else ""
        if not words:
            self._answer("?", number, "a command is missing")
            return True
        name, *arguments = words
        if name == "quit":
            self._answer("=", number, "")
            return False
        self._run(name, arguments, number)
        return True

    def _run(self, name: str, arguments: list[str], number: str) -> None:
        command = self.commands.get(name)
        if command is None:
            self._answer("?", number, "unknown command")
            return
        self._number = number
        try:
            answer = command(arguments)
        except Exception as problem:
            self._answer("?", number, " ".join(str(problem).split()))
        else:
            if answer is not None:
                self._answer("=", number, answer)

    def _answer(self, sign: str, number: str, text: str) -> None:
        # An empty line ends the answer: there is none within it.
        text = re.sub(r"\n\s*\n", "\n", text)
        self.send(f"{sign}{number} {text}".rstrip() + "\n")

    # Streams of analysis: open until the next command.

    def open_stream(self, request: Request) -> None:
        """Begin an answer whose lines follow one by one."""
        self.send(f"={self._number}")
        self._streaming = True
        self.engine.think(request)

    def end_stream(self) -> None:
        """End such an answer, if one is open."""
        self.engine.stop()
        if self._streaming:
            self._streaming = False
            self.send("")

    def finish(self) -> None:
        """End what is under way."""
        self.end_stream()

    # The game.

    def game_with(self, option: str, value: str, complaint: str) -> Game:
        """Return the game with another value of one of its options."""
        name, _, options = self.engine.game.id.partition(":")
        given = dict(each.split("=") for each in options.split(","))
        try:
            return make_game(name, **(given | {option: value}))
        except Error:
            raise Failure(complaint) from None

    def begin_in(self, game: Game) -> str:
        """Begin anew in a game, ready to play."""
        if game == self.engine.game:
            self.engine.new_match()
        else:
            self.change_game(game)
        self.engine.prepare()
        return ""

    # Moves.

    def player_of(self, word: str) -> int:
        """Return the player whom a colour means."""
        player = COLOURS.get(word.lower())
        if player is None:
            raise Failure(f"a colour is black or white, not {word!r}")
        return player if self.engine.dialect.colours[0] == "black" else 1 - player

    def colour_of(self, player: int) -> str:
        """Return the colour of a player."""
        return self.engine.dialect.colours[player]

    def give_turn(self, player: int) -> None:
        """Make it a player's turn; by the rules of most games it must be so already."""
        state = self.engine.state
        if not state.is_terminal and state.to_move != player:
            raise Failure(f"it is the turn of {self.colour_of(state.to_move)}")

    def _play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise Failure("play takes a colour and a move")
        player = self.player_of(words[0])
        text = " ".join(words[1:])
        if text.lower() == "resign":
            return ""
        self.give_turn(player)
        state = self.engine.state
        if state.is_terminal:
            raise Failure("the match is over")
        try:
            moves = self.engine.dialect.read_turn(state, text)
        except Error:
            raise Failure("illegal move") from None
        self.engine.play(moves)
        return ""

    def _genmove(self, words: list[str]) -> str:
        turn = self._thought(words)
        if turn is None:
            return self.answer_at_end()
        self.engine.play(turn.moves)
        if self.engine.settings.ponder:
            self.engine.ponder()
        return self.engine.dialect.write_turn(turn.state, turn.moves)

    def _reg_genmove(self, words: list[str]) -> str:
        turn = self._thought(words)
        if turn is None:
            return self.answer_at_end()
        return self.engine.dialect.write_turn(turn.state, turn.moves)

    def _thought(self, words: list[str]) -> Turn | None:
        """Think about the move of a colour; None if the match is over."""
        limits = self.limits_for(words)
        if self.engine.state.is_terminal:
            return None
        answers: list[Turn] = []
        problems: list[str] = []
        self.engine.think(Request(limits, answers.append, problems.append))
        self.engine.wait()
        if problems:
            raise Failure(problems[0])
        return answers[0]

    def limits_for(self, words: list[str]) -> Limits:
        """Make it the turn of the colour that a command names, and return what its clock allows."""
        asked = perf_counter()
        player = self.player_of(words[0]) if words else self.engine.state.to_move
        self.give_turn(player)
        clock = self._clocks[player]
        if clock is None:
            return Limits(asked=asked)
        return Limits(
            left=clock.left, turns_to_go=clock.turns_to_go, byoyomi=clock.byoyomi, asked=asked
        )

    def answer_at_end(self) -> str:
        """Answer genmove when the match is over."""
        raise Failure("the match is over")

    def _clear_board(self, _words: list[str]) -> str:
        self.engine.new_match()
        self._clocks = [None if each is None else self._started_clock for each in self._clocks]
        self.engine.prepare()
        return ""

    def _undo(self, _words: list[str]) -> str:
        if not self.engine.moves:
            raise Failure("cannot undo")
        self.engine.undo()
        return ""

    # Time.

    _started_clock: Limits | None = None

    def _time_settings(self, words: list[str]) -> str:
        main, period, stones = (_number_of(word) for word in _exactly(words, 3))
        endless = (period and not stones) or not (main or period)
        byoyomi = period / stones if stones else 0.0
        self._started_clock = None if endless else Limits(left=main, byoyomi=byoyomi)
        self._clocks = [self._started_clock, self._started_clock]
        return ""

    def _time_left(self, words: list[str]) -> str:
        colour, left, stones = _exactly(words, 3)
        seconds, turns = _number_of(left), int(_number_of(stones))
        started = self._started_clock
        self._clocks[self.player_of(colour)] = Limits(
            left=seconds,
            turns_to_go=turns,
            byoyomi=started.byoyomi if started and not turns else 0,
        )
        return ""

    # Options.

    def _set_random_seed(self, words: list[str]) -> str:
        self.engine.configure(self.engine.settings.with_option("seed", _one(words)))
        self.engine.prepare()
        return ""

    def _option(self, words: list[str]) -> str:
        if len(words) < 2:
            raise Failure("athenan-option takes a name and a value")
        settings = self.engine.settings.with_option(words[0], " ".join(words[1:]))
        self.engine.configure(settings)
        self.engine.prepare()
        return ""

    def replay_in(self, game: Game) -> None:
        """Go on with another form of the game, as after another komi: its moves stay."""
        moves = self.engine.moves.copy()
        state: State = game.initial_state()
        for move in moves:
            state = state.play(move)
        self.change_game(game)
        self.engine.play(moves)


def _version() -> str:
    from importlib.metadata import version

    return version("athenan")


def _one(words: list[str]) -> str:
    return _exactly(words, 1)[0]


def _exactly(words: list[str], count: int) -> list[str]:
    if len(words) != count:
        raise Failure(f"{count} arguments are wanted, not {len(words)}")
    return words


def _number_of(word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        raise Failure(f"{word!r} is not a number") from None
    if not 0 <= number <= 1e9:
        raise Failure(f"{word!r} is not a time in seconds")
    return number
