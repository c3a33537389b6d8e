"""Why something failed on another machine, in one sentence: Ray tells it in many lines."""

from __future__ import annotations

import re
import socket
from importlib.metadata import version

from athenan._core import Error

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
EXCEPTION = re.compile(r"^\w+(?:\.\w+)*: .*$", re.MULTILINE)
NOT_IMPORTED = "failed to import on the worker"  # what Ray says where a module is missing


def reason(problem: Exception | None) -> str:
    """Return what an exception says, in one line: of one that Ray hands on, what it is about."""
    problem = getattr(problem, "cause", None) or problem
    said = COLOUR.sub("", str(problem or "")).strip()
    if NOT_IMPORTED in said:
        found = EXCEPTION.findall(said)
        why = f" ({found[-1]})" if found else ""
        return f"athenan could not be imported there{why}: every machine needs the same version"
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if not lines:
        return "no reason given" if problem is None else type(problem).__name__
    return " ".join(lines) if lines[0].endswith(":") else lines[0]


def first_sentence(text: str) -> str:
    """Return how a long text begins."""
    line = next(iter(COLOUR.sub("", text).strip().splitlines()), "")
    return line.split(". ", 1)[0].strip()


def raised(problem: Exception) -> str:
    """Return what was raised there: a mistake of the user's in its own words."""
    said = reason(problem)
    is_told = type(problem) is Error or NOT_IMPORTED in str(problem)
    return said if is_told else f"{type(problem).__name__}: {said}"


def own_version() -> str:
    """Return the version of athenan that this process runs."""
    return version("athenan")


def refuse_another_version(theirs: str) -> None:
    """Refuse work for a process with another version: it would be read wrongly."""
    if (own := own_version()) != theirs:
        raise Error(
            f"{socket.gethostname()} has athenan {own}, and the machine of the command {theirs}: "
            "every machine needs the same version"
        )
