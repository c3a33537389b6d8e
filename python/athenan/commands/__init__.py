"""The command `athenan`: one file per topic, each a function whose docstring is its help.

A user's mistake gives one sentence on standard error and exit code 2. A command ends with 1 if its
output pipe was closed, and with 130 if it was interrupted.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated

import typer

from athenan import Error, Stopped, __version__
from athenan.commands.help import Command, Commands
from athenan.programs import own_frames
from athenan.signals import INTERRUPTED, terminable
from athenan.terminal.output import discard, open_streams
from athenan.terminal.page import say

READER_GONE, USER_MISTAKE = 1, 2

COMMANDS = {
    "analyse": "analyse",
    "bench": "bench",
    "check": "check",
    "convert": "convert",
    "doctor": "doctor",
    "engine": "engine",
    "games": "games",
    "ladder": "ladder",
    "match": "match",
    "models": "models",
    "perft": "perft",
    "play": "play",
    "plot": "plot",
    "compare": "compare",
    "serve": "serve",
    "replay": "replay",
    "reproduce": "reproduce",
    "show": "show",
    "solo": "solo",
    "solve": "solve",
    "tournament": "tournament",
    "plan": "plan",
    "train": "train",
    "resume": "train",
    "experiment": "experiment",
    "export-run": "export",
    "import-run": "export",
    "export-model": "export",
    "publish": "publish",
}
"""The commands as they are listed, each with the file of this folder that has its function."""


def app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """Return the program with some commands: naming one spares the import of the others."""
    made = typer.Typer(
        name="athenan",
        cls=Commands,
        help="Learn board games from their rules alone, and play them.",
        invoke_without_command=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback()(_without_command)
    for name in names:
        file = import_module(f"athenan.commands.{COMMANDS[name]}")
        made.command(name, cls=Command)(getattr(file, name.replace("-", "_")))
    return made


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"athenan {__version__}")
        raise typer.Exit


def _without_command(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    open_streams()
    try:
        _refuse_undecodable(arguments)
        with terminable():
            named = [name for name in arguments[:1] if name in COMMANDS]
            program = app(named or COMMANDS)
            code = program(list(arguments), prog_name="athenan", standalone_mode=False)
        sys.stdout.flush()
    except (typer.Abort, Stopped, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        discard(sys.stdout)
        return READER_GONE
    except SystemExit as end:  # rich ends so at a closed pipe, and so does a completion
        code = end.code if isinstance(end.code, int) else 0
        if code == READER_GONE:
            discard(sys.stdout)
        return code
    except typer.TyperException as mistake:
        return _complain(mistake.format_message().replace("Value error, ", ""))
    except OSError as mistake:
        return _complain(_of_file(mistake))
    except Error as mistake:
        return _complain(str(mistake))
    except Exception as problem:
        if not (frames := own_frames(problem)):
            raise
        return _complain_of_program(problem, frames)
    finally:
        _give_up_if_full()
    return code or 0


def _refuse_undecodable(arguments: Sequence[str]) -> None:
    for argument in arguments:
        with contextlib.suppress(UnicodeEncodeError):
            argument.encode()
            continue
        raise Error(f"the argument {argument!r} is not valid UTF-8")


def _complain_of_program(problem: Exception, frames: Sequence[str]) -> int:
    """Show where the user's Python file failed: the lines of that file, and none of athenan's."""
    for frame in frames:
        typer.echo(f"  {frame}", err=True)
    for note in getattr(problem, "__notes__", ()):
        say(f"  {note}", err=True)
    return _complain(f"{type(problem).__name__}: {problem}")


def _give_up_if_full() -> None:
    """Leave Python nothing to write when it ends: with a full disk that would give a traceback."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        discard(sys.stdout)


def _of_file(mistake: OSError) -> str:
    """Say what is wrong with a file, without the number that the system has for it."""
    names = [str(name) for name in (mistake.filename, mistake.filename2) if name is not None]
    what = mistake.strerror or str(mistake)
    return f"{', '.join(names)}: {what[:1].lower()}{what[1:]}" if names else what


def _complain(sentence: str) -> int:
    try:
        say("athenan: " + " ".join(sentence.split()), err=True)
    except OSError:
        discard(sys.stderr)
    return USER_MISTAKE
