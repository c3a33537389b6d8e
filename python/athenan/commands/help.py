"""The help of every command, wrapped at words at any width, with nothing cut off."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

WIDEST = 88
COLUMN = 28
"""The widest column of names. After a longer name the explanation begins on the next line."""
NARROW = 72
"""In a narrower terminal all explanations begin below the names."""
Row = tuple[str, str]


class Command(TyperCommand):
    """A command that explains itself at any width."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the usage, what it does, its arguments and options."""
        formatter.write(_help(self, ctx))


class Commands(TyperGroup):
    """All commands: each is listed with its whole first sentence."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the usage, the options and what each command does."""
        listed = [(name, _first_sentence(each.help)) for name, each in self.commands.items()]
        formatter.write(_help(self, ctx) + _section("Commands", listed, _width()))


def _help(command: TyperCommand | TyperGroup, context: typer.Context) -> str:
    width = _width()
    usage = " ".join([f"Usage: {context.command_path}", *command.collect_usage_pieces(context)])
    text = [*_wrapped(usage, width, "", "  "), ""]
    for paragraph in (command.help or "").split("\n\n"):
        text += [*_wrapped(paragraph, width), ""]
    rows: dict[str, list[Row]] = {"argument": [], "option": []}
    for parameter in command.get_params(context):
        if (row := parameter.get_help_record(context)) is not None:
            rows[parameter.param_type_name].append(row)
    return (
        "\n".join(text)
        + _section("Arguments", rows["argument"], width)
        + _section("Options", rows["option"], width)
    )


def _section(heading: str, rows: Sequence[Row], width: int) -> str:
    if not rows:
        return ""
    column = min(COLUMN, max(len(name) for name, _ in rows)) if width >= NARROW else 2
    return "\n".join([f"\n{heading}:", *_table(rows, column, width)]) + "\n"


def _table(rows: Sequence[Row], column: int, width: int) -> Iterator[str]:
    """Write names and explanations in two columns."""
    indent = " " * (column + 4)
    for name, explanation in rows:
        lines = _wrapped(explanation, width, indent, indent) or [""]
        if len(name) <= column:
            yield f"  {name:<{column}}  {lines[0].strip()}".rstrip()
            yield from lines[1:]
        else:
            yield from [*_wrapped(name, width, "  ", "    "), *lines]


def _wrapped(text: str, width: int, first: str = "", others: str = "") -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()),
        width,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _first_sentence(text: str | None) -> str:
    paragraph = " ".join((text or "").partition("\n\n")[0].split())
    return paragraph.partition(". ")[0].rstrip(".") + "." if paragraph else ""


def _width() -> int:
    return min(WIDEST, shutil.get_terminal_size().columns)
