"""What a reproduction prints: the published values beside ours, and whether they agree."""

from __future__ import annotations

from athenan.experiments.agreement import (
    MEAN,
    Pair,
    Panel,
    against,
    name_of,
    repetitions_of,
)
from athenan.experiments.contest import Contest
from athenan.experiments.reproduction import SIZES, Reproduction, reproduction, reproductions
from athenan.experiments.solo import is_for_two
from athenan.games.words import counted
from athenan.terminal.page import print_table, say


def print_list() -> None:
    """Print the tables that can be repeated, and what each size trains."""
    rows = list[list[str]]()
    for name, (_, each) in reproductions().items():
        plans = [reproduction(name, size).plan for size in SIZES]
        counts = [
            sum(len(plan.variants_of(game)) for game in plan.games) * plan.repetitions
            for plan in plans
        ]
        rows.append([name, each.item, each.question, *map("{:,}".format, counts)])
    print_table(("name", "in the paper", "question", *(f">{size}" for size in SIZES)), rows)
    say("The numbers are trainings. Tables with a plan in common share them.")


def print_reproduction(reproduction: Reproduction, found: list[Panel], contest: Contest) -> None:
    """Print everything that is known of a reproduction."""
    table = reproduction.table
    say(f"\n{reproduction.name}, {reproduction.size}: {table.item}")
    say(table.question)
    for panel in found:
        say()
        _print_panel(panel, bool(table.published))
    _print_opponents(reproduction, contest)
    _print_scores(reproduction, contest)
    if table.note:
        say(f"\n{table.note}")
    count = repetitions_of(found, contest)
    say(
        f"95 % intervals over {count} trainings of each variant and game, and over matches."
        if count > 1
        else "One training of each variant and game: intervals say nothing of other trainings."
    )


def _print_panel(panel: Panel, is_published: bool) -> None:
    say(panel.game)
    rows = list[list[str]]()
    for row in panel.rows:
        published = [f"{row.published:.1f}" if row.published is not None else "-"]
        ours = [f"{row.ours.value:.1f}", f"{row.ours.low:.1f}-{row.ours.high:.1f}"]
        rows.append([row.variant, *(published if is_published else []), *ours])
    print_table(("variant", *([">published"] if is_published else []), ">here", ">95 %"), rows)
    if panel.pairs:
        say(summary(panel))
    for pair in panel.pairs:
        if pair.verdict == "differs" or len(panel.pairs) <= 2:
            say(f"  {sentence(pair)}")


def summary(panel: Panel) -> str:
    """Say how the order compares with the published one."""
    count, verdicts = len(panel.pairs), panel.verdicts
    where = "on average" if panel.game == MEAN else f"in {name_of(panel.game)}"
    return (
        f"of {counted(count, 'pair')} that the paper separates {where}, "
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


def _print_opponents(reproduction: Reproduction, contest: Contest) -> None:
    """Print the scores against the opponents, and those that the paper prints of its own."""
    for each in against(reproduction, contest):
        say(
            f"{each.game}, {each.a} against {each.b} after {each.fraction:.0%} of the training: "
            f"{100 * each.score:.1f} % ({100 * each.low:.1f} to {100 * each.high:.1f}), "
            f"{counted(each.matches, 'match')}"
        )
    for known in reproduction.table.against:
        say(
            f"published against {known.program}, {known.text}: {known.score:.1f} % "
            f"± {known.radius:.1f}, {known.matches} matches"
        )


def _print_scores(reproduction: Reproduction, contest: Contest) -> None:
    """Print what was reached alone."""
    if all(map(is_for_two, reproduction.plan.games)):
        return
    for each in sorted(contest.scores, key=lambda each: (each.game, each.entrant, each.fraction)):
        who = each.entrant
        name = f"{who.variant} {who.repetition}" if who.repetition else who.variant
        say(
            f"{each.game}, {name} after {each.fraction:.0%} of the training: mean "
            f"{sum(each.scores) / len(each.scores):.2f}, best {max(each.scores):g}, "
            f"{counted(len(each.scores), 'match')}"
        )
    if best := reproduction.table.best_score:
        say(f"published: {best:g}")
