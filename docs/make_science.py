"""Fill in the tables and draw the plots of docs/science.md, from the raw results in docs/science/.

    python docs/make_science.py

Between `<!-- results: NAME -->` and `<!-- end -->` stands what `athenan reproduce NAME --report`
would say of the results there. Nothing is trained or played.
"""

from __future__ import annotations

import re
from pathlib import Path

from athenan.experiments import Contest
from athenan.experiments.agreement import MEAN, Panel, name_of, panels
from athenan.experiments.agreement_plot import draw_panels
from athenan.experiments.reproduction import Reproduction, reproduction
from athenan.experiments.shares import Estimate
from athenan.terminal.reproduction_report import sentence, summary

PAGE = Path(__file__).parent / "science.md"
RAW = Path(__file__).parent / "science"
BLOCK = re.compile(r"<!-- results: (\S+) -->\n.*?<!-- end -->", re.DOTALL)


def measured(name: str) -> tuple[Reproduction, list[Panel]]:
    """Return a reproduction with what its raw results say."""
    here = reproduction(name, "tiny")
    folder = RAW / f"{here.source}-{here.size}"
    return here, panels(here, Contest(here.plan, folder).results())


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


def block(name: str) -> str:
    """Return the table of a reproduction, and what agrees."""
    here, found = measured(name)
    parts = [f"<!-- results: {name} -->", table(found, bool(here.table.published)), ""]
    for panel in found:
        if panel.pairs:
            parts.append(f"- {name_of(panel.game)}: {summary(panel)}.")
        parts += [
            f"  - {sentence(pair)}."
            for pair in panel.pairs
            if pair.verdict == "differs" or len(panel.pairs) <= 2
        ]
    return "\n".join([*parts, "<!-- end -->"])


def filled(page: str) -> str:
    """Return the page with the tables of the raw results."""
    return BLOCK.sub(lambda found: block(found[1]), page)


if __name__ == "__main__":
    text = filled(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(text, encoding="utf-8")
    for found in BLOCK.finditer(text):
        if f"science/{found[1]}.png" not in text:
            continue
        draw_panels(*measured(found[1]), RAW / f"{found[1]}.png")
