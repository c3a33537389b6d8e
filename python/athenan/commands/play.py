"""`athenan play`: a person against a player, in the terminal or from a script."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer

from athenan import Error
from athenan.arena import read_player
from athenan.arena.players import usual_player
from athenan.commands.arguments import (
    EnginesOption,
    NetworkOption,
    PositionOption,
    budget_of,
    game_and_model,
    game_for,
    games_and_models_beginning,
    name_networks,
    refuse_unused_budget,
    refuse_unused_engines,
    state_of,
)
from athenan.terminal.conversation import Conversation

BUDGET = "seconds=1"


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME_OR_MODEL]",
            autocompletion=games_and_models_beginning,
            help="A game, as in hex:size=5, or a Python file; or a model, as in hex-11, which "
            "names its game.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="MODEL_OR_RUN", help="Play against this model or run."),
    ] = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Play against any player, such as mcts:seconds=5, runs/hex5@seconds=3 or random.",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.001, max=1e6, help="Seconds per move, for an opponent without a limit of its own."
        ),
    ] = None,
    expansions: Annotated[
        int | None,
        typer.Option(
            min=1, max=10**12, help="Expansions per move, likewise; one second if neither is given."
        ),
    ] = None,
    first: Annotated[bool, typer.Option("--first/--second", help="The side that you play.")] = True,
    position: PositionOption = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**63, help="A seed, to repeat the opponent's random choices."),
    ] = None,
    network: NetworkOption = None,
    engines: EnginesOption = None,
) -> None:
    """Play a match against the machine.

    Without a model the machine uses Monte Carlo tree search. In a game for one player, --second
    lets the machine play alone. Type help during the match for a list of commands.
    """
    game, model = game_and_model(game, model)
    if model is not None and opponent is not None:
        raise Error("give --model or --opponent, not both; an opponent may be MODEL@SEARCH")
    name_networks(network)
    drafts = {text: read_player(text, engines) for text in (model, opponent) if text is not None}
    named = f"--model {model}" if opponent is None else f"--opponent {opponent}"
    made = game_for(game, drafts, f"athenan play {{}} {named}")
    refuse_unused_engines(engines, drafts)
    draft = next(iter(drafts.values()), None) or read_player(usual_player(made))
    budget = budget_of(seconds, expansions, BUDGET)
    refuse_unused_budget([draft], made, budget, seconds or expansions)
    chosen = draft.spec(made, budget)
    start = state_of(made, position)
    with chosen.make(made) as machine:
        number = secrets.randbits(62) if seed is None else seed
        try:
            Conversation(machine, start, int(not first), number).run(chosen.description)
        except KeyboardInterrupt:
            typer.echo("\nYou left the match. Goodbye.")
