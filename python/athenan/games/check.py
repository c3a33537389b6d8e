"""Tests of the promises that the rules of a game make, in random matches.

`check_game` plays them and lists findings: sentences for the author of the game, each with the
moves that lead to the state in question. A grave one would make a network learn something else
than the game, or would end a training process some hours later: it is not trained before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic

import numpy as np

from athenan._core import Error, Game, Random, State
from athenan.expected import expect_game, expect_number, expect_seed, expect_whole
from athenan.games import own_picture
from athenan.games.advice import Ended, advice, ended
from athenan.games.findings import Finding, Seen, Visit, where
from athenan.games.python_files import author_of, forget_values
from athenan.games.words import counted
from athenan.programs import own_frames

UNSTEADY = "not the same twice"
LONGEST = 1e6  # seconds
QUICK_MATCHES, QUICK_SECONDS = 6, 3.0


Check = Callable[[Visit], Iterator[Finding]]


def check_game(
    game: Game,
    matches: int = 30,
    *,
    seed: int = 0,
    seconds: float | None = None,
    hear: Callable[[], None] = lambda: None,
) -> list[Finding]:
    """Play random matches and list what the game does wrong: of each kind the first case.

    `hear` is called after each state.

    >>> import athenan
    >>> check_game(athenan.make_game("tic_tac_toe"), matches=3)
    []
    """
    expect_game(game)
    expect_whole(matches, "the number of random matches", 1)
    if seconds is not None:
        expect_number(seconds, "the seconds of a check", 0, LONGEST)
    found: dict[str, Finding] = {}
    for finding in _findings(game, matches, expect_seed(seed), seconds, hear):
        found.setdefault(finding.name, finding)
    return sorted(found.values(), key=lambda finding: not finding.grave)


def refuse_broken_rules(game: Game) -> None:
    """Refuse to train a game in Python of which a few random matches show a grave flaw."""
    if author_of(game) is None:
        return
    for finding in check_game(game, QUICK_MATCHES, seconds=QUICK_SECONDS):
        if finding.grave:
            raise Error(
                f"{game.id} cannot be trained: {finding}; athenan check {game.id} shows all "
                "findings"
            )


# The matches.


def _findings(
    game: Game, matches: int, seed: int, seconds: float | None, hear: Callable[[], None]
) -> Iterator[Finding]:
    seen, random = Seen(), Random(seed)
    until = None if seconds is None else monotonic() + seconds
    ends: list[Ended] = []
    for _ in range(matches):
        moves: list[str] = []
        mover = None
        try:
            for visit in _match(game, random, seen, moves):
                for check in CHECKS:
                    found = list(check(visit))
                    yield from found
                    if any(finding.name == UNSTEADY for finding in found):
                        return  # nothing else that such rules say means anything
                hear()
                if until is not None and monotonic() > until:
                    return
                if visit.state.is_terminal:
                    ends.append(ended(visit.state, mover))
                else:
                    mover = visit.state.to_move
        except Exception as problem:
            yield _raised(problem, tuple(moves))
            return
    yield from advice(game, ends)


def _match(game: Game, random: Random, seen: Seen, moves: list[str]) -> Iterator[Visit]:
    """Play a random match; `moves` are those so far, also when something raises."""
    state, earlier = game.initial_state(), set[str]()
    while True:
        visit = Visit(state, tuple(moves), seen, frozenset(earlier))
        yield visit
        legal = state.legal_moves()
        if not legal:
            return
        earlier.add(visit.board)
        move = legal[random.below(len(legal))]
        text = state.move_to_string(move)
        moves.append(text)
        state = state.play(move)


def _raised(problem: Exception, moves: tuple[str, ...]) -> Finding:
    """Turn what the rules raised, or the engine said of them, into a finding."""
    sentence = " ".join(str(problem).split())
    if isinstance(problem, Error):
        words = sentence.split()
        method = words[2] if sentence.startswith("the method ") else "rules"
        return Finding(method, sentence, moves)
    frames = own_frames(problem)
    place = f" ({frames[-1]})" if frames else ""
    return Finding("exception", f"{type(problem).__name__}: {sentence}{place}", moves)


# The promises. Each check looks at one state.


def _same_answers(visit: Visit) -> Iterator[Finding]:
    """The same state says the same again: after its children were looked at, and in every match."""
    state = visit.state
    before = _answers(state)
    for child in state.children():
        _ = child.outcome
    forget_values(state.game)
    after = _answers(state)
    if after != before:
        yield Finding(
            UNSTEADY,
            f"{_difference(before, after)} when asked again: the rules depend on something besides "
            "the state",
            visit.moves,
        )
        return
    first = visit.seen.answers.setdefault(visit.board, before)
    if not state.game.datasheet.cyclic and first != before:
        yield Finding(
            "equal states differ",
            f"{_difference(first, before)} where the same position was met before",
            visit.moves,
        )


NAMES = ("the result", "the player to move", "the list of moves", "the planes")


def _answers(state: State) -> tuple[object, ...]:
    return state.outcome, state.to_move, tuple(state.legal_moves()), state.encode().tobytes()


def _difference(first: tuple[object, ...], second: tuple[object, ...]) -> str:
    for name, one, other in zip(NAMES, first, second, strict=True):
        if one != other:
            values = "" if isinstance(one, bytes) else f" ({one}, then {other})"
            return f"{name} is another one{values}"
    return "something is different"


def _cycle(visit: Visit) -> Iterator[Finding]:
    if visit.board in visit.earlier and not visit.state.game.datasheet.cyclic:
        yield Finding(
            "undeclared cycle",
            "a position of this match comes again, and the game does not say that it is cyclic",
            visit.moves,
        )


def _draw(visit: Visit) -> Iterator[Finding]:
    sheet = visit.state.game.datasheet
    if visit.state.outcome == 0 and not sheet.has_draws and visit.state.ply < sheet.max_length:
        yield Finding(
            "undeclared draw",
            "the match is a draw, and the game says that it has none",
            visit.moves,
        )


def _ply(visit: Visit) -> Iterator[Finding]:
    game = visit.state.game
    if not game.datasheet.board_determines_ply:
        return
    try:
        shown = game.parse_position(visit.state.position).ply
    except Error as problem:
        yield Finding("plies", f"the position cannot be read back: {problem}", visit.moves)
        return
    if shown != visit.state.ply:
        yield Finding(
            "plies",
            f"ply_of says {shown}, but the moves played are {visit.state.ply}",
            visit.moves,
        )


def _start(visit: Visit) -> Iterator[Finding]:
    if not visit.moves and visit.state.is_terminal:
        yield Finding("start", "the match is over before the first move: see the method result")


def _pictures_and_counts(visit: Visit) -> Iterator[Finding]:
    """What people see, and what is counted, can be asked for; if not, this raises."""
    state, sheet = visit.state, visit.state.game.datasheet
    str(state)
    picture = own_picture(state)
    if picture is not None and "<svg" not in picture:
        yield Finding("picture", "the method svg returned no SVG", visit.moves, grave=False)
    if state.is_terminal:
        _ = state.score
    if sheet.has_pieces:
        for player in range(sheet.players):
            _ = state.pieces(player)


def _texts(visit: Visit) -> Iterator[Finding]:
    state = visit.state
    texts = state.legal_move_strings()
    twice = next((text for text in texts if texts.count(text) > 1), None)
    if twice is not None:
        yield Finding("move texts", f"two moves are written {twice!r}", visit.moves)
    try:
        again = state.game.parse_position(state.position)
    except Error as problem:
        yield Finding("position text", f"it is not read back: {problem}", visit.moves)
        return
    if again != state:
        yield Finding(
            "position text",
            f"{state.position!r} is read back as another state, {again.position!r}",
            visit.moves,
        )


def _geometry(visit: Visit) -> Iterator[Finding]:
    state = visit.state
    if not state.game.datasheet.move_kinds:
        return
    paths: dict[object, int] = {}
    for move in state.legal_moves():
        path = state.move_path(move)
        assert path is not None
        key = (path.kind, tuple(path.cells))
        if key in paths:
            one, other = (state.move_to_string(each) for each in (paths[key], move))
            yield Finding(
                "geometry",
                f"the moves {one} and {other} touch the same cells in the same way",
                visit.moves,
            )
            return
        paths[key] = move


def _symmetries(visit: Visit) -> Iterator[Finding]:
    for symmetry in range(visit.state.game.symmetries):
        try:
            problem = _broken_symmetry(visit.state, symmetry)
        except Error as raised:
            problem = f"symmetry {symmetry}: {raised}"
        if problem:
            yield Finding("symmetry", problem, visit.moves)
            return


def _broken_symmetry(state: State, symmetry: int) -> str:
    image = state.transform(symmetry)
    name = "the image under symmetry 0 is not the state" if symmetry == 0 else ""
    if symmetry == 0 and image != state:
        return name
    it = f"the image under symmetry {symmetry}"
    if (image.outcome, image.to_move) != (state.outcome, state.to_move):
        return f"{it} has the result {image.outcome} and player {image.to_move} to move, not " + (
            f"{state.outcome} and player {state.to_move}"
        )
    legal, images = state.legal_moves(), image.legal_moves()
    if len(legal) != len(images):
        return f"the position has {counted(len(legal), 'move')}, {it} has {len(images)}"
    if sorted(state.transform_move(symmetry, move) for move in legal) != sorted(images):
        return f"the images of the moves are not the moves of the image under symmetry {symmetry}"
    for move in legal:
        if image.play(state.transform_move(symmetry, move)) != state.play(move).transform(symmetry):
            text = state.move_to_string(move)
            return (
                f"{text} and then symmetry {symmetry} gives another position than symmetry "
                f"{symmetry} and then {image.move_to_string(state.transform_move(symmetry, move))}"
            )
    return ""


def _bulk(visit: Visit) -> Iterator[Finding]:
    """Methods for many states say what those for one state say."""
    state, game = visit.state, visit.state.game
    children = state.children()
    if not children:
        return
    _, moves, packed, results, _ = game.expand([state])
    single = [-128 if child.outcome is None else child.outcome for child in children]
    many = [-128 if result == 2 else int(result) for result in results]
    same = np.array_equal(game.pack(children), packed)
    if list(moves) != state.legal_moves() or many != single or not same:
        yield Finding(
            "batches", "expand_many says something else than moves, apply and result", visit.moves
        )
    if not np.array_equal(game.encode(children), np.stack([c.encode() for c in children])):
        yield Finding("batches", "encode_many says something else than encode", visit.moves)


def _planes(visit: Visit) -> Iterator[Finding]:
    """The planes tell who moves, and one child from another."""
    state = visit.state
    data = state.encode().tobytes()
    player, moves = visit.seen.players.setdefault(data, (state.to_move, visit.moves))
    if player != state.to_move and state.outcome is None:
        yield Finding(
            "planes hide the player",
            f"the planes are those {where(moves)}where the other player is to move",
            visit.moves,
        )
    shown: dict[bytes, State] = {}
    for move, child in zip(state.legal_moves(), state.children(), strict=True):
        other = shown.setdefault(child.encode().tobytes(), child)
        if other != child:
            yield Finding(
                "planes hide moves",
                f"the planes after {state.move_to_string(move)} are those of another position",
                visit.moves,
                grave=False,
            )
            return


CHECKS: list[Check] = [
    _start,
    _same_answers,
    _cycle,
    _draw,
    _ply,
    _pictures_and_counts,
    _texts,
    _geometry,
    _symmetries,
    _bulk,
    _planes,
]
"""A new promise is a function and a line here."""
