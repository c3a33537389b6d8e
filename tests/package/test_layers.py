"""The architecture: a file never depends on anything above its layer.

The two tuples are the architecture in dependency order, lowest first. The includes of `cpp/` and
the imports of `python/athenan/` are read and compared with them.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CPP = ROOT / "cpp"
PACKAGE = ROOT / "python" / "athenan"

CPP_LAYERS: tuple[set[str], ...] = (
    {"base"},
    {"games"},
    {"search"},
    {"matches"},
    {"bindings", "tests"},
    {"fuzz"},
)
PYTHON_LAYERS: tuple[set[str], ...] = (
    {"_core"},
    {"machine"},
    {"devices", "expected", "files", "html", "programs", "signals"},
    {"games"},
    {"dialects", "zoo"},
    {"reference"},
    {"networks"},
    {"evaluators"},
    {"searches", "pictures"},
    {"trained"},
    {"selfplay"},
    {"arena"},
    {"analysis", "records"},
    {"learning"},
    {"runs"},
    {"experiments", "protocols", "cluster", "web", "notebooks"},
    {"__init__"},  # the names that users import: `from athenan import ...`
    {"terminal"},
    {"commands"},
    {"__main__"},
)
FACADE = "__init__"
HEAVY = ("torch", "matplotlib", "onnxruntime", "openvino", "tensorboard", "typer", "rich", "ray")


def level(layers: tuple[set[str], ...], part: str) -> int:
    """Return the height of a part of the project."""
    for height, parts in enumerate(layers):
        if part in parts:
            return height
    known = ", ".join(sorted(part for parts in layers for part in parts))
    pytest.fail(f"{part!r} belongs to no layer: add it to test_layers.py (known: {known})")


def cpp_dependencies() -> list[tuple[str, str, str]]:
    """List (file, its part, the part that it includes)."""
    found = []
    for file in sorted(path for path in CPP.rglob("*") if path.suffix in {".h", ".cpp"}):
        name = file.relative_to(CPP)
        for included in re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read_text(), re.MULTILINE):
            assert "/" in included, f"{name} includes {included!r} without its folder"
            assert (CPP / included).is_file(), f"{name} includes {included!r}, which is not there"
            found.append((str(name), name.parts[0], included.split("/")[0]))
    return found


def part_of(file: Path) -> str:
    """Return the part that a Python file belongs to: its folder or its own name."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_parts(tree: ast.AST, file: Path) -> set[str]:
    """Return the parts of athenan that a module imports, anywhere in it."""
    parts = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            parts |= {f"{name}.".split(".")[1] or FACADE for name in names if is_athenan(name)}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative imports hide the layer"
            if node.module == "athenan":
                parts |= {alias.name if is_part(alias.name) else FACADE for alias in node.names}
            elif is_athenan(node.module or ""):
                parts.add(str(node.module).split(".")[1])
    return parts


def is_athenan(name: str) -> bool:
    return name.split(".")[0] == "athenan"


def is_part(name: str) -> bool:
    return (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file() or name == "_core"


def python_dependencies() -> list[tuple[str, str, str]]:
    """List (file, its part, the part that it imports)."""
    return [
        (str(file.relative_to(PACKAGE)), part_of(file), imported)
        for file in sorted(PACKAGE.rglob("*.py"))
        for imported in sorted(imported_parts(ast.parse(file.read_text()), file))
    ]


def breaches(dependencies: list[tuple[str, str, str]], layers: tuple[set[str], ...]) -> list[str]:
    """Say which dependencies point upwards."""
    return [
        f"{file} ({part}) depends on {used}, which is above it"
        for file, part, used in dependencies
        if part != used and level(layers, used) >= level(layers, part)
    ]


def test_no_cpp_file_includes_a_layer_above_its_own() -> None:
    found = cpp_dependencies()
    assert len(found) > 20
    assert breaches(found, CPP_LAYERS) == []


def test_no_python_file_imports_a_layer_above_its_own() -> None:
    found = python_dependencies()
    assert len(found) > 3
    assert breaches(found, PYTHON_LAYERS) == []


def test_commands_do_not_import_each_other() -> None:
    shared = {
        "athenan.commands.arguments",
        "athenan.commands.series_arguments",
        "athenan.commands.settings",
    }
    files = [file for file in (PACKAGE / "commands").glob("*.py") if file.stem != FACADE]
    assert len(files) > 10
    for file in files:
        imported = re.findall(r"(?:from|import) (athenan\.commands\.\w+)", file.read_text())
        assert set(imported) <= shared, file.name


def test_every_folder_has_a_layer() -> None:
    for folder in CPP.iterdir():
        if folder.is_dir():
            level(CPP_LAYERS, folder.name)
    for file in PACKAGE.rglob("*.py"):
        level(PYTHON_LAYERS, part_of(file))


def test_a_breach_is_seen() -> None:
    upwards = [("games/hex.cpp", "games", "search"), ("selfplay/a.py", "selfplay", "selfplay")]
    assert breaches(upwards, CPP_LAYERS) == [
        "games/hex.cpp (games) depends on search, which is above it"
    ]
    with pytest.raises(pytest.fail.Exception, match="'tools' belongs to no layer"):
        breaches([("tools/a.cpp", "tools", "base")], CPP_LAYERS)
    tree = ast.parse(
        "import athenan.commands.games\nfrom athenan import games, make_game\nimport numpy"
    )
    assert imported_parts(tree, Path("x.py")) == {"commands", "games", FACADE}


def test_importing_athenan_stays_light() -> None:
    code = "import athenan, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "athenan._core" in loaded
    assert [module for module in loaded if module.split(".")[0] in HEAVY] == []
