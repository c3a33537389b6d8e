"""Python files that the user names: games, networks, searches.

Such a file is a program. It is run when the user names it, and never because another file does.
The module is named after the SHA-256 of the file, by which models and runs record it: with that
number a file that was named before is found again, and no other.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import tempfile
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from athenan._core import ParameterError

T = TypeVar("T")

KINDS = {bool: "one of true, false", int: "an integer", float: "a number", str: "a text"}
"""What an option accepts, by the type of its default."""

MOST_FRAMES = 5  # at the beginning, and at the end, of what is shown
MODULE = "athenan_file_"  # followed by the SHA-256 of the file: the name of its module


def load_program(path: Path, what: str) -> ModuleType:
    """Run the file that the user names, once; `what` it is, as in "game file", is for errors."""
    if not path.is_file():
        raise ParameterError(f"there is no {what} {str(path)!r}")
    source, file = path.read_bytes(), str(path.resolve())
    name = MODULE + hashlib.sha256(source).hexdigest()
    if name in sys.modules:
        return sys.modules[name]
    if any(each.startswith(MODULE) and m.__file__ == file for each, m in sys.modules.items()):
        raise ParameterError(f"the {what} {str(path)!r} was changed: start Python again")
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = file
    try:
        exec(compile(source, file, "exec", dont_inherit=True), vars(module))
    except BaseException as problem:
        frames = own_frames(problem)
        del sys.modules[name]  # also after Ctrl-C: half a program is none
        if not isinstance(problem, Exception | SystemExit):
            raise
        said = (
            problem if isinstance(problem, SyntaxError) else f"{type(problem).__name__}: {problem}"
        )
        place = f" ({frames[-1]})" if frames else ""
        raise ParameterError(
            f"the {what} {str(path)!r} cannot be loaded: {said}{place}"
        ) from problem
    return module


def named_before(sha256: str) -> ModuleType | None:
    """Return the program with this SHA-256, if the user has named it in this process."""
    return sys.modules.get(MODULE + sha256)


def named_as(file: str) -> ModuleType | None:
    """Return the only program that the user has named whose file is called so; None without one.

    >>> named_as("nobody.py")
    """
    found = [
        module
        for name, module in sys.modules.items()
        if name.startswith(MODULE) and Path(module.__file__ or "").name == Path(file).name
    ]
    return found[0] if len(found) == 1 else None


@dataclass(frozen=True)
class Program:
    """A file that the user has named, on its way to another machine that works for the user."""

    name: str
    source: bytes


def programs_with(*hashes: str) -> tuple[Program, ...]:
    """Return those that the user has named in this process among the programs with these SHA-256.

    >>> programs_with("", "0" * 64)
    ()
    """
    modules = (named_before(each) for each in hashes if each)
    files = [Path(module.__file__) for module in modules if module and module.__file__]
    return tuple(Program(file.name, file.read_bytes()) for file in files)


def programs_in(pickled: bytes) -> tuple[Program, ...]:
    """Return those that the user has named in this process and that pickled values are made of."""
    named = [name for name in sys.modules if name.startswith(MODULE)]
    hashes = (name.removeprefix(MODULE) for name in named if name.encode() in pickled)
    return programs_with(*hashes)


def name_programs(programs: Iterable[Program]) -> None:
    """Name here what the user has named elsewhere."""
    for program in programs:
        if named_before(hashlib.sha256(program.source).hexdigest()) is None:
            file = Path(tempfile.mkdtemp(prefix="athenan-")) / program.name
            file.write_bytes(program.source)
            load_program(file, "program")


def file_of(sha256: str) -> str:
    """Return the path of the program with this SHA-256; '' if the user has not named it.

    >>> file_of("0" * 64)
    ''
    """
    module = named_before(sha256)
    if module is None or module.__file__ is None:
        return ""
    path, here = Path(module.__file__), Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def sha256_of(kind: type) -> str:
    """Return the SHA-256 of the program that defines a class; '' if no named file does."""
    module = kind.__module__
    return module.removeprefix(MODULE) if module.startswith(MODULE) else ""


def classes_in(module: ModuleType, base: type[T] | tuple[type[T], ...]) -> list[type[T]]:
    """Return the classes of one kind that a program defines itself and that can be made."""
    return [
        member
        for member in vars(module).values()
        if inspect.isclass(member)
        and issubclass(member, base)
        and member.__module__ == module.__name__
        and not inspect.isabstract(member)
    ]


def refuse_unfinished(module: ModuleType, file: str, base: type | tuple[type, ...]) -> None:
    """Say which methods a class of a program still lacks, if that is why it cannot be made."""
    for each in vars(module).values():
        own = inspect.isclass(each) and each.__module__ == module.__name__
        if own and issubclass(each, base) and inspect.isabstract(each):
            missing = ", ".join(sorted(each.__abstractmethods__))
            raise ParameterError(f"{file}: the class {each.__name__} lacks {missing}")


def options_of(
    kind: type, file: str, text: str, given_already: int = 0
) -> dict[str, bool | int | float | str]:
    """Read options for the constructor of a class, as in "size=5,quick=true".

    The first parameters may be `given_already`, by position.
    """
    accepted = dict(list(inspect.signature(kind).parameters.items())[given_already:])
    given: dict[str, bool | int | float | str] = {}
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        if key not in accepted or not equals:
            takes = ", ".join(accepted) or "no options"
            raise ParameterError(f"{file} has no option {item!r}; it takes {takes}")
        given[key] = _option(accepted[key].default, file, key, value)
    missing = [
        name
        for name, each in accepted.items()
        if each.default is each.empty
        and name not in given
        and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    if missing:
        raise ParameterError(f"{file} needs the option {missing[0]!r}, as in {missing[0]}=3")
    return given


def described_options(kind: type) -> list[dict[str, str]]:
    """Describe the options that the constructor of a class takes, as the games of C++ are.

    >>> class Board:
    ...     def __init__(self, size: int = 5, wrap: bool = False): ...
    >>> [option["accepted"] for option in described_options(Board)]
    ['an integer', 'one of true, false']
    """
    return [
        {
            "name": name,
            "default": "" if each.default is each.empty else _written(each.default),
            "accepted": KINDS.get(type(each.default), "a number or a text"),
            "description": "",
        }
        for name, each in inspect.signature(kind).parameters.items()
        if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]


def _option(default: object, file: str, key: str, value: str) -> bool | int | float | str:
    """Read the value of an option as its default is: yes or no, a number, or a text."""
    if isinstance(default, bool):
        if value not in ("true", "false"):
            raise ParameterError(f"the option {key} of {file} is true or false, not {value!r}")
        return value == "true"
    if isinstance(default, str):
        return value
    if value.removeprefix("-").isdecimal():
        return float(value) if isinstance(default, float) else int(value)
    if isinstance(default, int | float):
        try:
            return float(value) if isinstance(default, float) else int(value)
        except ValueError:
            number = "number" if isinstance(default, float) else "whole number"
            raise ParameterError(
                f"the option {key} of {file} is a {number}, not {value!r}"
            ) from None
    return value


def options_text(options: dict[str, bool | int | float | str]) -> str:
    """Write options as `options_of` reads them."""
    return ",".join(f"{key}={_written(value)}" for key, value in options.items())


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# What goes wrong in a program.


def own_frames(problem: BaseException) -> list[str]:
    """Return the lines of the user's own files that an exception came through, outermost first.

    Of a recursion without end the first and the last ones are enough.

    >>> own_frames(ValueError())
    []
    """
    files = _files()
    frames = [
        f"{Path(frame.filename).name}, line {frame.lineno}, in {frame.name}: {frame.line}"
        for frame in traceback.extract_tb(problem.__traceback__)
        if frame.filename in files
    ]
    more = len(frames) - 2 * MOST_FRAMES
    if more > 0:
        frames[MOST_FRAMES:-MOST_FRAMES] = [f"... {more} more calls ..."]
    return frames


def _files() -> set[str | None]:
    return {module.__file__ for name, module in sys.modules.items() if name.startswith(MODULE)}
