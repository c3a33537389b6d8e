"""A whole match, judged ply by ply: what each move cost, and what would have been better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from athenan import html
from athenan._core import Game, ParameterError, State
from athenan.analysis.judgement import Candidate, Judgement, Work
from athenan.arena.record import Match
from athenan.expected import expect, expect_each, expect_game, expect_number, expect_whole
from athenan.games import game_of_record
from athenan.games.turns import last_turn
from athenan.games.words import counted
from athenan.pictures import Overlay, line_of, svg_of

MISTAKE = 0.2
"""The share of the scale of values that a move must lose to be called a mistake."""


@dataclass(frozen=True)
class JudgedMove:
    """A move of a match and what it cost the player who made it."""

    ply: int
    player: int
    move: str
    before: Judgement
    after: Judgement
    loss: float
    """How much of the value the move gave away, from 0 on, on the scale of the search."""
    lost_outcome: tuple[int, int] | None
    """The proven outcome before and after it, for the mover, where the move gave one away."""
    is_mistake: bool

    @property
    def better(self) -> Candidate | None:
        """What the search would have played; None if it was this move."""
        best = self.before.candidates[0] if self.before.candidates else None
        return None if best is None or best.move == self.move else best

    def as_json(self, top: int | None = None) -> dict[str, Any]:
        """Return everything, ready for JSON; of the candidates the `top` ones."""
        return {
            **self.before.as_json(top),
            "player": self.player,
            "played": self.move,
            "loss": self.loss,
            "lost_outcome": self.lost_outcome,
            "is_mistake": self.is_mistake,
            "better": self.better.as_json() if self.better else None,
        }


@dataclass(frozen=True, repr=False)
class MatchAnalysis:
    """A match, judged."""

    players: tuple[str, ...]
    states: tuple[State, ...]
    """One more than moves: that after the last one too."""
    judgements: tuple[Judgement, ...]
    """Of each state."""
    moves: tuple[JudgedMove, ...]

    @property
    def mistakes(self) -> list[JudgedMove]:
        """The moves that gave something away."""
        return [each for each in self.moves if each.is_mistake]

    @property
    def work(self) -> Work:
        """What all of it cost."""
        return sum((each.work for each in self.judgements), Work())

    def mean_loss(self, player: int) -> float:
        """Return what a move of a player cost on average."""
        losses = [each.loss for each in self.moves if each.player == player]
        return sum(losses) / len(losses) if losses else 0.0

    def as_json(self, top: int | None = None) -> dict[str, Any]:
        """Return everything, ready for JSON; of the candidates the `top` ones."""
        game = self.states[0].game
        return {
            "game": game.id,
            "position": self.states[0].position,
            "players": list(self.players),
            "moves": [each.as_json(top) for each in self.moves],
            "end": self.judgements[-1].as_json(top),
            "mean_loss": [self.mean_loss(n) for n in range(game.datasheet.players)],
            "mistakes": [each.ply for each in self.mistakes],
            "work": self.work.as_json(),
        }

    def svg(self, ply: int | None = None, size: int = 480) -> str:
        """Draw the position after a number of plies; by default the last one.

        The last move is marked; if it was a mistake, arrows show what would have been better.
        """
        last_ply = len(self.moves)
        index = last_ply if ply is None else expect_whole(ply, "the ply to draw", 0, last_ply)
        moves = [each.move for each in self.moves[:index]]
        turn = last_turn(self.states[: index + 1], moves) if moves else []
        last = self.moves[index - 1] if index else None
        overlay = self.judgements[index].overlay()
        if last is not None and last.is_mistake and last.better is not None:
            overlay = Overlay(overlay.heat, line_of(last.before.state, last.better.line[:1]))
        return svg_of(self.states[index], last_turn=turn, overlay=overlay, size=size)

    def __repr__(self) -> str:
        moves, mistakes = counted(len(self.moves), "move"), counted(len(self.mistakes), "mistake")
        return f"<MatchAnalysis of {self.states[0].game.id}: {moves}, {mistakes}>"

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        columns = ("ply", "player", "move", "value", "win probability", "loss", "better")
        rows = [
            [
                each.ply + 1,
                each.player + 1,
                each.move,
                each.after.value,
                each.after.win_probability,
                each.loss or None,
                each.better.move if each.is_mistake and each.better else None,
            ]
            for each in self.moves
        ]
        words = f"{counted(len(self.mistakes), 'mistake')}; values are the first player's"
        return html.side_by_side(self.svg(size=320), html.table(columns, rows, below=words))


def states_of(match: Match, game: Game | None = None) -> list[State]:
    """Return the states of a match, that after its last move included.

    `game` is needed where the game is a Python file, which no record may run.
    """
    expect(match, Match, "a Match, as play_matches yields it")
    if game is not None:
        expect_game(game)
    made = game_of_record(game, match.game, "", "the match")
    states = [made.parse_position(match.position)]
    for move in match.moves:
        states.append(states[-1].play(move))
    return states


def judged_match(
    states: Sequence[State],
    moves: Sequence[str],
    judgements: Sequence[Judgement],
    players: Sequence[str] = (),
    threshold: float = MISTAKE,
) -> MatchAnalysis:
    """Return a match with what each move cost, given the judgements of its states.

    A move that the search would have played costs nothing. Another one costs what the state was
    worth less what the next one is worth, to the one who moved. It is a mistake if a proven outcome
    is worse afterwards, or if it costs `threshold` of the scale: values of 1, or the largest value
    of the match where they are larger. A move after which a win is proven is none.
    """
    judgements = expect_each(judgements, Judgement, "a list of Judgements, as judge returns it")
    moves = expect_each(moves, str, "a list of moves as texts")
    expect_number(threshold, "the threshold of a mistake", 0)
    if len(judgements) != len(moves) + 1:
        raise ParameterError(
            f"{counted(len(moves), 'move')} of a match need a judgement of each state, "
            f"{len(moves) + 1} in all, not {len(judgements)}"
        )
    values = [abs(each.value) for each in judgements if each.value is not None]
    scale = max([1.0, *values])
    judged = [
        _judged_move(index, move, judgements, threshold * scale) for index, move in enumerate(moves)
    ]
    return MatchAnalysis(tuple(players), tuple(states), tuple(judgements), tuple(judged))


def _judged_move(
    index: int, move: str, judgements: Sequence[Judgement], limit: float
) -> JudgedMove:
    before, after = judgements[index], judgements[index + 1]
    state = before.state
    sign = -1 if state.to_move else 1
    one, other = before.proven_outcome, after.proven_outcome
    lost = None
    if one is not None and other is not None and sign * other < sign * one:
        lost = (sign * one, sign * other)
    loss = 0.0
    if before.best_move != move and before.value is not None and after.value is not None:
        loss = max(0.0, sign * (before.value - after.value))
    is_mistake = lost is not None or (loss > 0 and loss >= limit and other != sign)
    return JudgedMove(state.ply, state.to_move, move, before, after, loss, lost, is_mistake)
