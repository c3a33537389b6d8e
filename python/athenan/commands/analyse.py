"""`athenan analyse`: a position, or a whole match, judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from athenan import Error, Game, State, Stop, Stopped
from athenan.analysis import (
    Judgement,
    MatchAnalysis,
    judge,
    judged_match,
    states_of,
)
from athenan.arena import Match, PlayerSpec, SearchPlayerSpec, read_matches, read_player
from athenan.arena.players import usual_player
from athenan.commands.arguments import (
    MovesArgument,
    NetworkOption,
    PositionOption,
    budget_of,
    game_and_model,
    game_for,
    game_of_file,
    games_and_models_beginning,
    name_networks,
    refuse_unused_budget,
    states_after,
)
from athenan.evaluators import Evaluator, constant_evaluator
from athenan.games.turns import last_turn
from athenan.pictures import svg_of
from athenan.records import is_record, read_records
from athenan.signals import INTERRUPTED, on_interrupt
from athenan.terminal.judgements import print_judgement, print_match
from athenan.terminal.waiting import shown

BUDGET = "expansions=400"
TOP = 8
MISTAKE = 0.2
STANDARD_OUTPUT = "-"


def analyse(
    subject: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME_MODEL_OR_FILE]",
            autocompletion=games_and_models_beginning,
            help="A game, as in hex:size=5; a model, as in hex-11, which names its game and "
            "judges; or a file of saved matches.",
        ),
    ] = None,
    moves: MovesArgument = None,
    position: PositionOption = None,
    line: Annotated[
        int | None,
        typer.Option(min=1, max=10**9, help="The number of the match in the file; 1 by default."),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Judge each of MOVES, not only the final position.")
    ] = False,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="What judges: a model, a run, or a search such as ubfm-safe or mcts:seconds=1. "
            "The default is base MCTS.",
        ),
    ] = None,
    game: Annotated[
        str | None, typer.Option(metavar="FILE.py", help="The file of a game written in Python.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.001, max=1e6, help="Seconds per position.")
    ] = None,
    expansions: Annotated[
        int | None,
        typer.Option(min=1, max=10**12, help="Expansions per position; 400 if neither is given."),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=2,
            help="For a match: the least loss that is a mistake, as a share of the scale; 0.2 by "
            "default.",
        ),
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(
            min=1, max=10**6, help="For a position: how many moves to list; 8 by default."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**63, help="The seed of the searches.")] = 0,
    svg: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write a picture with arrows and heat to this file; - is standard output.",
        ),
    ] = None,
    ply: Annotated[
        int | None,
        typer.Option(
            min=0, help="For a match: the number of plies after which the picture shows it."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    network: NetworkOption = None,
) -> int:
    """Judge a position or a match: values, proven outcomes, best lines and mistakes.

    Examples: athenan analyse hex-11 f6 g5; athenan analyse hex:size=5 c3 b2 --model runs/hex5;
    athenan analyse matches.jsonl --line 3.
    """
    name_networks(network)
    if subject is None and model is None and game is None:
        raise Error("name what to judge: a game such as hex:size=5, a model, or a file of matches")
    if svg not in (None, STANDARD_OUTPUT) and Path(str(svg)).suffix.lower() != ".svg":
        raise Error(f"--svg takes a file that ends in .svg, or - for standard output, not {svg!r}")
    if svg not in (None, STANDARD_OUTPUT) and not Path(str(svg)).absolute().parent.is_dir():
        raise Error(f"there is no folder for the picture {svg}")
    if ply is not None and svg is None:
        raise Error("--ply chooses what the picture of a match shows: it needs --svg FILE")
    subject, model = game_and_model(subject, model)
    match, states = _subject(subject, moves or [], position, line, whole, model, game)
    if match is None and ply is not None:
        raise Error("--ply is about a match: give a file of matches, or moves and --whole")
    if match is None and threshold is not None:
        raise Error("--threshold is about a match: give a file of matches, or moves and --whole")
    if match is not None and top is not None and not as_json:
        raise Error("--top lists moves of a position: of a match every move is judged")
    if ply is not None and ply >= len(states):
        raise Error(f"the match has {len(states) - 1} plies: --ply takes 0 to {len(states) - 1}")
    budget = budget_of(seconds, expansions, BUDGET)
    draft = read_player(model or usual_player(states[0].game))
    refuse_unused_budget([draft], states[0].game, budget, seconds or expansions)
    player = _player(draft.spec(states[0].game, budget), model)
    stop, judged = Stop(), list[Judgement]()
    wanted = states if match else states[-1:]
    try:
        with on_interrupt(stop.request), _evaluator(player) as evaluator:
            judged = _judged(wanted, player, evaluator, seed, stop)
    except Stopped:
        return INTERRUPTED
    if match is None:
        _tell_position(judged[0], states, moves or [], svg, as_json, top or TOP)
    else:
        found = judged_match(states, match.moves, judged, match.players, threshold or MISTAKE)
        _tell_match(found, svg, ply, as_json, top or TOP)
    return INTERRUPTED if stop.requested else 0


def _subject(
    subject: str | None,
    moves: list[str],
    position: str | None,
    line: int | None,
    whole: bool,
    model: str | None,
    game: str | None,
) -> tuple[Match | None, list[State]]:
    """Return the match, if there is one, and the states up to the judged position."""
    if subject is not None and Path(subject).is_file() and Path(subject).suffix != ".py":
        if moves or position is not None:
            raise Error(f"{subject} is a file of matches: it takes no moves and no --position")
        given = game_of_file(game)
        found = _match_of(Path(subject), line or 1, given)
        return found, states_of(found, given)
    if line is not None:
        raise Error("--line chooses a match of a file: give a file of matches")
    if whole and not moves:
        raise Error("--whole judges each of MOVES: give at least one move")
    if subject is not None and game is not None:
        raise Error(f"the game is given twice: {subject} and --game {game}")
    drafts = {model: read_player(model)} if model else {}
    made = game_for(subject or game, drafts, f"athenan analyse {{}} --model {model}")
    states = states_after(made, position, moves)
    if not whole:
        return None, states
    players = ("first", "second")[: made.datasheet.players]
    texts = tuple(
        before.move_to_string(before.parse_move(move))
        for before, move in zip(states[:-1], moves, strict=True)
    )
    match = Match(made.id, states[0].position, players, texts, states[-1].outcome)
    return match, states


def _match_of(file: Path, line: int, game: Game | None) -> Match:
    count = 0
    matches = read_records(file, game) if is_record(file) else read_matches(file)
    for count, match in enumerate(matches, 1):
        if count == line:
            return match
    raise Error(f"{file} has {count} matches: there is no match {line}")


def _player(spec: PlayerSpec, model: str | None) -> SearchPlayerSpec:
    if isinstance(spec, SearchPlayerSpec) and spec.search.name == "random":
        raise Error("random gives no values: --model takes a model or another search")
    if not isinstance(spec, SearchPlayerSpec):
        raise Error(f"--model takes a model, a run or a search, which give values, not {model}")
    return spec


def _evaluator(player: SearchPlayerSpec) -> Evaluator:
    if isinstance(player.evaluator, Evaluator):
        return player.evaluator
    return player.evaluator(0) if player.evaluator else constant_evaluator()


def _judged(
    states: list[State], player: SearchPlayerSpec, evaluator: Evaluator, seed: int, stop: Stop
) -> list[Judgement]:
    done = 0

    def hear(count: int, _total: int) -> None:
        nonlocal done
        done = count

    with shown(lambda: f"judged {done} of {len(states)} positions"):
        return judge(states, player.search, evaluator, seed, stop, hear)


def _tell_position(
    judgement: Judgement,
    states: list[State],
    moves: list[str],
    svg: str | None,
    as_json: bool,
    top: int,
) -> None:
    if svg is not None:
        turn = last_turn(states, moves) if moves else []
        _write(svg_of(judgement.state, last_turn=turn, overlay=judgement.overlay()), svg)
    if as_json:
        typer.echo(json.dumps(judgement.as_json(top)))
    elif svg != STANDARD_OUTPUT:
        print_judgement(judgement, top)


def _tell_match(
    analysis: MatchAnalysis, svg: str | None, ply: int | None, as_json: bool, top: int
) -> None:
    if svg is not None:
        _write(analysis.svg(ply), svg)
    if as_json:
        typer.echo(json.dumps(analysis.as_json(top)))
    elif svg != STANDARD_OUTPUT:
        print_match(analysis)


def _write(picture: str, file: str) -> None:
    if file == STANDARD_OUTPUT:
        typer.echo(picture, nl=False)
    else:
        Path(file).write_text(picture, encoding="utf-8")
