"""Matches of Arimaa in its own notation: one line per turn.

1g Ra1 Rb1 Rc1 Cd1 Ce1 Rf1 Rg1 Rh1 Da2 Hb2 Dc2 Md2 Ee2 Df2 Hg2 Ra2
1s ra7 ...
2g Ee2n Ee3n Ee4n Hb2n
2s ...

Removals stand as steps of their own, `Rc3x`; a turn that ends early is a line with fewer steps, one
that was broken off ends in dots; w and b are read for g and s. `takeback` takes back the last turn.
Lines that begin with # name players and result, as in plain lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from athenan._core import Error, Game, State
from athenan.arena.record import Match
from athenan.games import make_game
from athenan.records.plain import Head, Numbered, headings, paragraphs
from athenan.records.replay import BadRecord, Replay, Verdict, game_of, states_of

_TURN = re.compile(r"(\d+)([gswb])\b\s*(.*)")
_PLACEMENT = re.compile(r"[RCDHMErcdhme][a-h][1-8]")
_STEP = re.compile(r"[RCDHMErcdhme][a-h][1-8][nsewx]")
BROKEN_OFF = "..."
ENDS = {"resigns": "resigned", "resign": "resigned", "lost": None}
"""Words in the place of a turn that its side has lost by, and the reason."""
TAKE_BACK = "takeback"


def read_arimaa(text: str, game: Game | None) -> list[Match]:
    """Read matches, which empty lines separate."""
    return [_match(lines, game or make_game("arimaa")) for lines in paragraphs(text)]


def write_arimaa(matches: Iterable[Match], game: Game | None) -> str:
    """Write matches."""
    return "\n".join(_record(match, game_of(match, game)) for match in matches)


# Reading.


def _match(lines: list[Numbered], game: Game) -> Match:
    if game.id != "arimaa:setup=pieces":
        raise Error(f"Arimaa's notation is for arimaa:setup=pieces, not for {game.id}")
    head = Head(lines, game)
    replay, verdict = head.replay(), head.verdict
    turns: list[tuple[State, int]] = []  # where each of them began
    for number, line in head.rest:
        if not (turn := _TURN.fullmatch(line)):
            raise BadRecord(number, f"{line!r} is not a turn such as 2g Ee2n Ee3n")
        side, words = "gswb".index(turn[2]) % 2 if turn[2] in "gs" else "wb".index(turn[2]), turn[3]
        if words.strip() in ENDS:
            verdict = Verdict(1 if side else -1, ENDS[words.strip()], line)
            break
        if words.strip() == TAKE_BACK:
            if not turns:
                raise BadRecord(number, "there is no turn to take back")
            replay.go_back(*turns.pop())
            continue
        if not words.strip():
            continue  # the number of a turn without moves
        turns.append((replay.state, len(replay.moves)))
        _play_turn(replay, side, words.split(), number)
    return replay.match(head.players, verdict)


def _play_turn(replay: Replay, side: int, words: list[str], line: int) -> None:
    if replay.state.to_move != side:
        raise BadRecord(line, f"it is not the turn of {'silver' if side else 'gold'}")
    if all(_PLACEMENT.fullmatch(word) or word == BROKEN_OFF for word in words):
        _set_up(replay, words, line)
        return
    broken_off = words[-1] == BROKEN_OFF
    for word in words[:-1] if broken_off else words:
        if not _STEP.fullmatch(word) and word != "pass":
            raise BadRecord(line, f"{word!r} is not a step such as Ee2n")
        if not word.endswith("x"):
            replay.play(_full(replay, word), line)
    if not broken_off and not replay.state.is_terminal and replay.state.to_move == side:
        replay.play("pass", line)


def _set_up(replay: Replay, words: list[str], line: int) -> None:
    """Place pieces in the order that our rules want, whatever the order of the line."""
    words = [word for word in words if word != BROKEN_OFF]
    pieces = {word[1:]: word for word in words}
    side = replay.state.to_move
    for _ in words:
        legal = replay.state.legal_move_strings()
        square = legal[0][1:]
        if replay.state.to_move != side or square not in pieces:
            raise BadRecord(line, "a set-up has 16 pieces, one on each square of the two home rows")
        replay.play(pieces[square], line)


def _full(replay: Replay, step: str) -> str:
    """Return our move of a step: with the removal that it causes."""
    legal = replay.state.legal_move_strings()
    return next((move for move in legal if move.partition(",")[0] == step), step)


# Writing.


def _record(match: Match, game: Game) -> str:
    if game.id != "arimaa:setup=pieces":
        raise Error(f"Arimaa's notation is for arimaa:setup=pieces, not for {game.id}")
    states, turns = states_of(match, game), list[tuple[int, list[str]]]()
    begun = states[0].to_move
    for number, (state, move) in enumerate(zip(states[:-1], match.moves, strict=True)):
        if number == 0 or states[number - 1].to_move != state.to_move:
            turns.append((state.to_move, []))
        if move != "pass":
            turns[-1][1].extend(move.split(","))
    if turns and states[-1].to_move == turns[-1][0] and not states[-1].is_terminal:
        turns[-1][1].append(BROKEN_OFF)
    lines = [
        f"{(number + begun) // 2 + 1}{'gs'[side]} {' '.join(steps)}"
        for number, (side, steps) in enumerate(turns)
    ]
    return headings(match, game) + "\n".join(lines) + "\n"
