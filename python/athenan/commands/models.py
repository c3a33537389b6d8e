"""`athenan models`: the named models, and the card of one of them."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from athenan.terminal.page import print_table, say
from athenan.zoo import Stated, folders, model_file, stated_by, stated_models, zoo

PIPE_WIDTH = 160  # the width of a table that no terminal limits


def models_beginning(begun: str) -> list[str]:
    """Return the models whose names begin so, for the completion of the shell."""
    return [name for name in zoo() if name.startswith(begun)]


def models(
    model: Annotated[
        str | None,
        typer.Argument(
            metavar="[MODEL]",
            autocompletion=models_beginning,
            help="Show the card of this model (a name or a file) as Markdown.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
    claims: Annotated[
        bool,
        typer.Option("--claims", help="Print the match series of all cards as one Markdown table."),
    ] = False,
) -> None:
    """List the models that every command finds by name, as in athenan play hex-11.

    Some come with athenan. Yours are in ~/.local/share/athenan/models, or in the folders that the
    environment variable ATHENAN_MODELS names.
    """
    if claims:
        from athenan.zoo.card import claims_table

        chosen = stated_models() if model is None else [stated_by(model_file(model))]
        typer.echo(claims_table(chosen), nl=False)
        return
    if model is None:
        found = list(stated_models())
        _print(found) if not as_json else typer.echo(json.dumps([*map(_as_json, found)], indent=2))
        return
    stated = stated_by(model_file(model))
    if as_json:
        typer.echo(json.dumps(_as_json(stated), indent=2))
    else:
        from athenan.zoo.card import page

        typer.echo(page(stated), nl=False)


def _as_json(stated: Stated) -> dict[str, Any]:
    from athenan.zoo.card import card_in, network_in_words

    card = card_in(stated)
    return {
        "name": stated.name,
        "file": str(stated.path),
        "game": stated.game,
        "search": stated.search,
        "network": network_in_words(stated),
        "weights": stated.weights,
        "bytes": stated.size,
        "card": card.model_dump() if card else None,
    }


def _print(found: list[Stated]) -> None:
    if not found:
        say(f"there is no model in {' or '.join(map(str, folders()))}")
        return
    rows = [(each.name, each.game, f"{each.size / 1e6:.2f}", *_in_words(each)) for each in found]
    print_table(("name", "game", ">MB", "trained", "how strong"), rows)
    say()
    say("athenan models NAME shows a card; athenan play NAME plays against the model")


def _in_words(stated: Stated) -> tuple[str, str]:
    from athenan.zoo.card import card_in, in_percent

    card = card_in(stated)
    if card is None:
        return "", ""
    trained = f"{card.training.minutes:.3g} minutes, {card.training.hardware}"
    if card.solos:
        best = max(card.solos, key=lambda each: each.best)
        return trained, f"{best.mean:.1f} points, the best {best.best:g}, in {best.matches} matches"
    if not card.claims:
        return trained, "not measured"
    first = card.claims[0]
    score = in_percent(first.score, first.low, first.high)
    return trained, f"{score} of {first.matches} against {first.opponent}"
