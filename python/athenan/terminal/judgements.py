"""Judged positions and matches, for people."""

from __future__ import annotations

import typer

from athenan.analysis import Candidate, JudgedMove, Judgement, MatchAnalysis
from athenan.games.words import counted, status
from athenan.terminal.page import print_table, say

PLAYERS = ("first", "second")
PROVEN = {
    1: {1: "a win", 0: "no win", -1: "a loss"},
    2: {1: "first player wins", 0: "draw", -1: "second player wins"},
}
LINE = 8  # moves of a line that are shown


def print_judgement(judgement: Judgement, top: int) -> None:
    """Print a position: its board, what it is worth, and its best moves."""
    typer.echo(str(judgement.state).rstrip("\n"))
    say(f"ply {judgement.state.ply}: {status(judgement.state)}")
    for sentence in _verdict(judgement):
        say(sentence)
    if judgement.candidates:
        say()
        columns = ("move", ">value", ">wins", ">selected", "proven", "line")
        print_table(columns, [_row(judgement, each) for each in judgement.candidates[:top]])
    if (left := len(judgement.candidates) - top) > 0:
        say(f"and {left} more (--top {len(judgement.candidates)} shows all)")


def print_match(analysis: MatchAnalysis) -> None:
    """Print a match: each move with what it cost, then the mistakes of each player."""
    game = analysis.states[0].game
    say(f"{game.id}: {' against '.join(analysis.players)}\n")
    columns = (">ply", "player", "move", ">value", ">wins", ">loss", "better", "")
    print_table(columns, [_turn(each) for each in analysis.moves])
    say()
    for sentence in _conclusions(analysis):
        say(sentence)


def _verdict(judgement: Judgement) -> list[str]:
    if judgement.state.outcome is not None:
        return []
    said = []
    if judgement.value is not None:
        said.append(f"value {judgement.value:+.3f} for the first player{_chance(judgement)}")
    if judgement.proven_outcome is not None:
        said.append(f"proven: {_proven(judgement)}")
    work = f"{counted(judgement.work.expansions, 'expansion')} in {judgement.work.seconds:.1f} s"
    return [*said, work + (", stopped by the limit of memory" if judgement.memory_full else "")]


def _chance(judged: Judgement) -> str:
    chance = judged.win_probability
    if chance is None and judged.state.game.datasheet.players == 1:
        return ""
    if chance is None:
        return "; a score, of which no chance of winning follows"
    return f", who wins with a probability of {_percent(chance)}"


def _percent(chance: float | None) -> str:
    return "" if chance is None else f"{100 * chance:.0f} %"


def _proven(judgement: Judgement, candidate: Candidate | None = None) -> str:
    outcome = candidate.proven_outcome if candidate else judgement.proven_outcome
    return "" if outcome is None else PROVEN[judgement.state.game.datasheet.players][outcome]


def _row(judgement: Judgement, each: Candidate) -> list[str]:
    return [
        each.move,
        "" if each.value is None else f"{each.value:+.3f}",
        _percent(each.win_probability),
        str(each.count),
        _proven(judgement, each),
        " ".join(each.line[1 : 1 + LINE]),
    ]


def _turn(each: JudgedMove) -> list[str]:
    after = each.after
    return [
        str(each.ply + 1),
        PLAYERS[each.player],
        each.move,
        "" if after.value is None else f"{after.value:+.3f}",
        _percent(after.win_probability),
        f"{each.loss:.3f}" if each.loss else "",
        " ".join(each.better.line[:3]) if each.is_mistake and each.better else "",
        _remark(each),
    ]


def _remark(each: JudgedMove) -> str:
    names = {1: "a win", 0: "a draw", -1: "a loss"}
    if each.lost_outcome is not None:
        before, after = each.lost_outcome
        return f"mistake: {names[before]} becomes {names[after]}"
    if each.is_mistake:
        return "mistake"
    return _proven(each.after) if each.after.state.outcome is None else status(each.after.state)


def _conclusions(analysis: MatchAnalysis) -> list[str]:
    said = []
    for number in range(analysis.states[0].game.datasheet.players):
        mistakes = [each for each in analysis.mistakes if each.player == number]
        name = f" ({analysis.players[number]})" if number < len(analysis.players) else ""
        said.append(
            f"{PLAYERS[number]} player{name}: {counted(len(mistakes), 'mistake')}, "
            f"a move lost {analysis.mean_loss(number):.3f} on average"
        )
    work = analysis.work
    said.append(f"values are the first player's; {counted(work.expansions, 'expansion')} in all")
    return said
