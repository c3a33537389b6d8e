"""Fill in the tables and draw the plots of docs/science.md, from the raw results in docs/science/.

    python docs/make_science.py

Between `<!-- results: NAME -->` and `<!-- end -->` stands what `athenan reproduce NAME --report`
would say of the results there; `matches: NAME` gives the scores against the first variant, and
`curves: NAME` those against the opponents, as the trainings went on. Nothing is trained or played.
"""

from __future__ import annotations

import re
from pathlib import Path

from athenan.experiments import Contest
from athenan.experiments.agreement import MEAN, Panel, against, name_of, panels
from athenan.experiments.agreement_plot import draw_curves, draw_panels
from athenan.experiments.reproduction import Reproduction, reproduction
from athenan.experiments.shares import Estimate
from athenan.experiments.standings import Comparison, comparisons
from athenan.terminal.reproduction_report import sentence, summary

PAGE = Path(__file__).parent / "science.md"
RAW = Path(__file__).parent / "science"
BLOCK = re.compile(r"<!-- (results|matches|curves): (\S+) -->\n.*?<!-- end -->", re.DOTALL)


def played(name: str) -> tuple[Reproduction, Contest]:
    """Return a reproduction with its raw results."""
    here = reproduction(name, "tiny")
    return here, Contest(here.plan, RAW / f"{here.source}-{here.size}")


def measured(name: str) -> tuple[Reproduction, list[Panel]]:
    """Return a reproduction with what its raw results say."""
    here, contest = played(name)
    return here, panels(here, contest.results())


def table(found: list[Panel], is_published: bool) -> str:
    """Return a table: a row for each variant, a column for each game."""
    names = list(dict.fromkeys(row.variant for panel in found for row in panel.rows))
    title = "mean" if len(found) > 1 else ""
    heads = [title if panel.game == MEAN else name_of(panel.game) for panel in found]
    lines = ["| variant | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for name in names:
        cells = []
        for panel in found:
            rows = [row for row in panel.rows if row.variant == name]
            cells.append(cell(rows[0].ours, rows[0].published, is_published) if rows else "")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def cell(ours: Estimate, published: float | None, is_published: bool) -> str:
    """Return a percentage with its interval, and the published one in brackets."""
    text = f"{ours.value:.0f} ({ours.low:.0f} to {ours.high:.0f})"
    if not is_published:
        return text
    return f"{text} [{published:.0f}]" if published is not None else f"{text} [–]"


def matches(name: str) -> str:
    """Return the scores of the other variants against the first one."""
    here, contest = played(name)
    found = comparisons(contest.results(), seed=here.plan.seed)
    first = {game: here.variants_in(game)[0] for game in here.plan.games}
    zeros = [each for each in found if each.b == first[each.game]]
    return by_fraction([each for each in zeros if each.a in here.variants_in(each.game)])


def curves(name: str) -> str:
    """Return the scores against the opponents."""
    return by_fraction(against(*played(name)))


def by_fraction(found: list[Comparison]) -> str:
    """Return a table: a row for each variant and game, a column for each part of the training."""
    parts = sorted({each.fraction for each in found})
    heads = ["game", "variant", "against", *(f"{part:.0%}" for part in parts), "matches"]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    rows: dict[tuple[str, str, str], dict[float, Comparison]] = {}
    for each in found:
        rows.setdefault((name_of(each.game), each.a, each.b), {})[each.fraction] = each
    for (game, variant, other), row in sorted(rows.items()):
        cells = [score(row[part]) if part in row else "" for part in parts]
        count = max(each.matches for each in row.values())
        lines.append(f"| {game} | {variant} | {other} | " + " | ".join(cells) + f" | {count} |")
    return "\n".join(lines)


def score(found: Comparison) -> str:
    """Return a score with its interval."""
    return f"{100 * found.score:.0f} ({100 * found.low:.0f} to {100 * found.high:.0f})"


def block(kind: str, name: str) -> str:
    """Return the text of a block, its marks included."""
    text = {"results": results, "matches": matches, "curves": curves}[kind](name)
    return f"<!-- {kind}: {name} -->\n{text}\n<!-- end -->"


def results(name: str) -> str:
    """Return the table of a reproduction, and what agrees."""
    here, found = measured(name)
    parts = [table(found, bool(here.table.published)), ""]
    for panel in found:
        if panel.pairs:
            parts.append(f"- {name_of(panel.game)}: {summary(panel)}.")
        parts += [
            f"  - {sentence(pair)}."
            for pair in panel.pairs
            if pair.verdict == "differs" or len(panel.pairs) <= 2
        ]
    return "\n".join(parts)


def filled(page: str) -> str:
    """Return the page with the tables of the raw results."""
    return BLOCK.sub(lambda found: block(found[1], found[2]), page)


if __name__ == "__main__":
    text = filled(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(text, encoding="utf-8")
    for found in BLOCK.finditer(text):
        kind, name = found[1], found[2]
        if kind == "results" and f"science/{name}.png" in text:
            draw_panels(measured(name)[1], RAW / f"{name}.png")
        if kind == "curves" and f"science/{name}-curves.png" in text:
            draw_curves(*played(name), RAW / f"{name}-curves.png")
