"""What a reproduction prints: the published values beside ours, and whether they agree."""

from __future__ import annotations

from typing import Literal

import typer
from rich.console import Console
from rich.table import Table

from athenan.experiments.agreement import MEAN, Pair, Panel, against, name_of
from athenan.experiments.contest import Contest
from athenan.experiments.reproduction import SIZES, Reproduction, reproduction, reproductions
from athenan.experiments.solo import is_for_two


def print_list() -> None:
    """Print the tables that can be repeated, and what each size trains."""
    console, table = Console(highlight=False, markup=False), Table(box=None, pad_edge=False)
    for heading in ("name", "in the paper", "question", *SIZES):
        side: Literal["left", "right"] = "right" if heading in SIZES else "left"
        table.add_column(heading, justify=side, no_wrap=heading == "name")
    for name, (_, each) in reproductions().items():
        plans = [reproduction(name, size).plan for size in SIZES]
        counts = [
            sum(len(plan.variants_of(game)) for game in plan.games) * plan.repetitions
            for plan in plans
        ]
        table.add_row(name, each.item, each.question, *map("{:,}".format, counts))
    console.print(table)
    console.print("The numbers are trainings. Tables with a plan in common share them.")


def print_reproduction(reproduction: Reproduction, found: list[Panel], contest: Contest) -> None:
    """Print everything that is known of a reproduction."""
    console, table = Console(highlight=False, markup=False), reproduction.table
    console.print()
    console.print(f"{reproduction.name}, {reproduction.size}: {table.item}", style="bold")
    console.print(table.question, soft_wrap=True)
    for panel in found:
        console.print()
        _print_panel(console, panel, bool(table.published))
    _print_opponents(console, reproduction, contest)
    _print_scores(console, reproduction, contest)
    if table.note:
        console.print()
        console.print(table.note, soft_wrap=True)
    count = max((each.a.repetition for each in contest.results()), default=1)
    console.print(
        f"95 % intervals over {count} trainings of each variant and game, and over matches."
        if count > 1
        else "One training of each variant and game: intervals say nothing of other trainings.",
        soft_wrap=True,
    )


def _print_panel(console: Console, panel: Panel, is_published: bool) -> None:
    table = Table(box=None, pad_edge=False, title=panel.game, title_justify="left")
    table.add_column("variant")
    for name in ("published", "here", "95 %"):
        if name != "published" or is_published:
            table.add_column(name, justify="right")
    for row in panel.rows:
        ours = row.ours
        published = [f"{row.published:.1f}" if row.published is not None else "-"]
        table.add_row(
            row.variant,
            *(published if is_published else []),
            f"{ours.value:.1f}",
            f"{ours.low:.1f}-{ours.high:.1f}",
        )
    console.print(table)
    if panel.pairs:
        console.print(summary(panel), soft_wrap=True)
    for pair in panel.pairs:
        if pair.verdict == "differs" or len(panel.pairs) <= 2:
            console.print(f"  {sentence(pair)}", soft_wrap=True)


def summary(panel: Panel) -> str:
    """Say how the order compares with the published one."""
    count, verdicts = len(panel.pairs), panel.verdicts
    where = "on average" if panel.game == MEAN else f"in {name_of(panel.game)}"
    return (
        f"of {count} {'pair' if count == 1 else 'pairs'} that the paper separates {where}, "
        f"{panel.same_side} {'has' if panel.same_side == 1 else 'have'} the same sign here: "
        f"{verdicts['agrees']} clearly; "
        f"{verdicts['differs']} clearly the other sign, {verdicts['undecided']} undecided"
    )


def sentence(pair: Pair) -> str:
    """Say how one pair compares with the published one."""
    published = f"{pair.published:+.1f} published" if pair.published else "better as published"
    ours = pair.ours
    return (
        f"{pair.better} above {pair.worse}: {published}, {ours.value:+.1f} here "
        f"({ours.low:+.1f} to {ours.high:+.1f}): {pair.verdict}"
    )


def _print_opponents(console: Console, reproduction: Reproduction, contest: Contest) -> None:
    """Print the scores against the opponents, and those that the paper prints of its own."""
    for each in against(reproduction, contest):
        console.print(
            f"{each.game}, {each.a} against {each.b} after {each.fraction:.0%} of the training: "
            f"{100 * each.score:.1f} % ({100 * each.low:.1f} to {100 * each.high:.1f}), "
            f"{each.matches} matches",
            soft_wrap=True,
        )
    for known in reproduction.table.against:
        console.print(
            f"published against {known.program}, {known.text}: {known.score:.1f} % "
            f"± {known.radius:.1f}, {known.matches} matches",
            soft_wrap=True,
        )


def _print_scores(console: Console, reproduction: Reproduction, contest: Contest) -> None:
    """Print what was reached alone."""
    if all(map(is_for_two, reproduction.plan.games)):
        return
    for each in sorted(contest.scores, key=lambda each: (each.game, each.entrant, each.fraction)):
        who = each.entrant
        name = f"{who.variant} {who.repetition}" if who.repetition else who.variant
        console.print(
            f"{each.game}, {name} after {each.fraction:.0%} of the training: mean "
            f"{sum(each.scores) / len(each.scores):.2f}, best {max(each.scores):g}, "
            f"{len(each.scores)} matches",
            soft_wrap=True,
        )
    if best := reproduction.table.best_score:
        typer.echo(f"published: {best:g}")
