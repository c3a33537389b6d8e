"""What the documentation shows is what happens.

The doctests of the package run. So do the blocks of README.md, its neighbours and docs/: the
`python` blocks of a page in order, in one namespace, and the commands of its `console` blocks that
start with `$ athenan`, in order, in one folder; their output is compared where it is shown. A block
that cannot run here is marked on the line before it: `<!-- not run: reason -->`. The command that
each file of examples/ names for its readers to try runs too.
"""

import doctest
import importlib
import io
import pkgutil
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import athenan
import pytest
from athenan.commands import main
from processes import ENVIRONMENT

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]+?) -->\n+)?"
    r"(?P<fence>`{3,})(?P<language>[a-z]*)[^\n]*\n(?P<text>.*?)^(?P=fence)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    text: str
    reason: str | None

    @property
    def name(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text()
    return [
        Block(
            page,
            text.count("\n", 0, match.start("fence")) + 1,
            match["language"],
            match["text"],
            match["reason"],
        )
        for match in BLOCK.finditer(text)
    ]


def modules() -> list[str]:
    packages = pkgutil.walk_packages(athenan.__path__, "athenan.")
    names = [module.name for module in packages if not module.name.endswith("__main__")]
    return ["athenan", *names]


@pytest.mark.parametrize("name", modules())
def test_the_doctests_of_a_module_hold(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if is_own(missing.name or ""):
            raise
        pytest.skip(f"needs {missing.name}")
    assert doctest.testmod(module, optionflags=OPTIONS).failed == 0


def is_own(module: str) -> bool:
    return module.split(".")[0] == "athenan"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_blocks_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workplace(tmp_path))
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in blocks_of(page):
        if block.language == "python" and block.reason is None:
            run_python(block, namespace)


def run_python(block: Block, namespace: dict[str, object]) -> None:
    """Run a block: a session with prompts as a doctest, anything else as a program."""
    if ">>> " in block.text:
        session = doctest.DocTestParser().get_doctest(
            block.text, namespace, block.name, str(block.page), block.line
        )
        report = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=OPTIONS)
        failed = runner.run(session, out=report.write, clear_globs=False).failed
        assert failed == 0, report.getvalue()
        namespace.update(session.globs)
    else:
        program = compile("\n" * block.line + block.text, block.page, "exec")
        with redirect_stdout(io.StringIO()):
            exec(program, namespace)


def workplace(folder: Path) -> Path:
    """Make a folder where a reader's commands find the examples and may write files."""
    for name in ("examples", "configs", "models"):
        if (ROOT / name).is_dir():
            (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_do_what_is_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workplace(tmp_path))
    for block in blocks_of(page):
        if block.language == "console" and block.reason is None:
            for command, shown in commands_of(block.text):
                if command.split()[0] == "athenan":
                    run_command(command, shown, monkeypatch)


def commands_of(text: str) -> list[tuple[str, str]]:
    """Split a console block into (command, the output shown after it)."""
    parts = re.split(
        r"^\$ ((?:.*\\\n)*.*)\n", text if text.endswith("\n") else text + "\n", flags=re.MULTILINE
    )
    return list(zip(parts[1::2], parts[2::2], strict=True))


def run_command(command: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command of athenan in this process and compare what it prints."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    with redirect_stdout(io.StringIO()) as printed, redirect_stderr(io.StringIO()) as complaint:
        code = main(shlex.split(command.replace("\\\n", " "), comments=True)[1:])
    output = printed.getvalue()
    assert code == 0, f"{command}\n{output}{complaint.getvalue()}"
    if shown.strip():
        assert doctest.OutputChecker().check_output(shown, output, OPTIONS), (
            f"{command} prints\n{output}instead of\n{shown}"
        )


@pytest.mark.parametrize(
    "file", sorted((ROOT / "examples").glob("*.py")), ids=lambda file: file.name
)
def test_the_command_that_an_example_names_runs(file: Path, tmp_path: Path) -> None:
    (command,) = re.findall(r"^Try it: +(.+)$", file.read_text(), re.MULTILINE)
    program, *arguments = shlex.split(command)
    python = [sys.executable, *([] if program == "python" else ["-m", program])]
    subprocess.run(
        [*python, *arguments], cwd=workplace(tmp_path), env=ENVIRONMENT, check=True, timeout=300
    )


def test_the_readme_shows_python_and_commands() -> None:
    languages = {block.language for block in blocks_of(ROOT / "README.md") if not block.reason}
    assert {"python", "console"} <= languages


def test_blocks_are_found_and_marked_ones_passed_over(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A\n```python\nx = 1\n```\n\n"
        "<!-- not run: needs a GPU -->\n```console\n$ athenan a\n```\n"
        "````console\n$ athenan b \\\n    --c\nshown\n$ ls\n````\n"
    )
    python, marked, console = blocks_of(page)
    assert (python.language, python.line, python.text) == ("python", 2, "x = 1\n")
    assert marked.reason == "needs a GPU"
    assert console.reason is None
    assert commands_of(console.text) == [("athenan b \\\n    --c", "shown\n"), ("ls", "")]


def test_a_wrong_output_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    run_command("athenan --version", f"athenan {athenan.__version__}\n", monkeypatch)
    with pytest.raises(AssertionError, match="instead of"):
        run_command("athenan --version", "something else\n", monkeypatch)
    with pytest.raises(AssertionError, match="nonsense"):
        run_command("athenan nonsense", "", monkeypatch)
    with pytest.raises(AssertionError, match="Expected"):
        run_python(Block(ROOT / "README.md", 1, "python", ">>> 1 + 1\n3\n", None), {})
