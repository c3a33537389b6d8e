"""The seams are open: a game, a search or a network's program is added in one place.

What could close them is a name used elsewhere. Here the sources are read for such names. What
remains is listed with its reason; an entry that nothing needs any more is a failure too.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import athenan
import pytest
from athenan._core import algorithms

ROOT = Path(__file__).parents[2]
CPP = ROOT / "cpp"
PACKAGE = ROOT / "python" / "athenan"

Uses = set[tuple[str, str]]
"""Files and the names that occur in them."""

GAMES_ELSEWHERE: Uses = {
    ("commands/doctor.py", "hex"),  # a game to try the installation with: any would do
    ("reference/terminal_evaluation.py", "arimaa"),  # the paper's own evaluation of its ends
    ("protocols/uci_core.py", "go"),  # the command of UCI
    ("arena/engines/uci.py", "go"),
    ("protocols/aei.py", "go"),  # likewise, here and below
    ("arena/engines/aei.py", "go"),
    ("protocols/nboard.py", "go"),
    ("arena/engines/nboard.py", "go"),
    ("protocols/hub.py", "go"),
}
SEARCHES_ELSEWHERE: Uses = {
    # Which search plays best with what another one learns: the list of searches does not say it.
    ("learning/settings.py", name)
    for name in ("descent", "ubfm", "ubfm-safe", "minimax", "alphabeta")
} | {("arena/ladder.py", "mcts")}  # the usual opponent of those who know none

# A word of English too, and the name of random openings and generators.
SEARCHES = {each.name for each in algorithms()} - {"random"}
GAMES = set(athenan.game_names())

# Raw texts are documentation: their examples may name anything.
CPP_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"((?:[^"\\\n]|\\.)*)"|([A-Za-z_]\w*)', re.DOTALL
)


def name_in(text: str) -> str:
    """Return the name at the beginning of a text such as hex:size=5."""
    return text.split(":")[0]


def cpp_names(source: str) -> set[str]:
    """Return the identifiers of a C++ source, and the names that its texts begin with."""
    found = CPP_TOKEN.findall(source)
    return {name_in(text) for text, _ in found} | {word for _, word in found}


def cpp_sources() -> dict[str, str]:
    """Return the sources of the core, by their paths below cpp/; its tests may name anything."""
    files = sorted(path for path in CPP.rglob("*") if path.suffix in {".h", ".cpp"})
    return {
        str(file.relative_to(CPP)): file.read_text()
        for file in files
        if file.relative_to(CPP).parts[0] != "tests"
    }


def python_sources() -> dict[str, str]:
    return {str(f.relative_to(PACKAGE)): f.read_text() for f in sorted(PACKAGE.rglob("*.py"))}


def definitions(entry: str) -> dict[str, list[str]]:
    """Return the functions that make entries of a list in C++, and the files that define them."""
    found: dict[str, list[str]] = {}
    for file, source in cpp_sources().items():
        for name in re.findall(rf"^{entry} (\w+)\(\) {{", source, re.MULTILINE):
            found.setdefault(name, []).append(file)
    return found


def python_names(source: str) -> set[str]:
    """Return the names that a module defines, and those that its texts begin with."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(name_in(node.value))
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def test_a_game_in_cpp_is_its_own_files_and_a_line_of_the_registry() -> None:
    homes = definitions("GameEntry")
    assert homes.keys() == GAMES
    assert all(len(files) == 1 for files in homes.values())

    def is_home(file: str, game: str) -> bool:
        """Say whether a file is that of the game, or a part of it: go_board.h of go.cpp."""
        home = homes[game][0].removesuffix(".cpp")
        return (
            file == "games/registry.cpp" or re.fullmatch(rf"{home}(_\w+)?\.\w+", file) is not None
        )

    assert {
        (file, game)
        for file, source in cpp_sources().items()
        for game in cpp_names(source) & GAMES
        if not is_home(file, game)
    } == only(GAMES_ELSEWHERE, CPP)


def test_in_python_only_what_people_and_engines_see_knows_games() -> None:
    assert {
        (file, game)
        for file, source in python_sources().items()
        for game in python_names(source) & GAMES
        if not file.startswith(
            ("pictures/", "dialects/", "records/", "games/goals", "terminal/drawings")
        )
    } == only(GAMES_ELSEWHERE, PACKAGE)


def test_a_search_is_one_file_and_a_line_of_the_list() -> None:
    sources = cpp_sources()
    homes = definitions("AlgorithmEntry")
    assert len(homes) == len(algorithms())
    for function, files in homes.items():
        assert len(files) == 1
        uses = [name for name, source in sources.items() if re.search(rf"\b{function}\(\)", source)]
        assert uses == sorted({"search/algorithms.cpp", *files})
    named = {
        search: [file for file, source in sources.items() if f'"{search}"' in source]
        for search in SEARCHES
    }
    own_files = {file for files in homes.values() for file in files}
    assert all(len(files) == 1 and files[0] in own_files for files in named.values()), named


def choices(source: str) -> Iterator[str]:
    """Yield the texts of a module that choose: those compared, and those in a list or a table."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.List | ast.Tuple | ast.Set):
            parts = node.elts
        elif isinstance(node, ast.Dict):
            parts = [*filter(None, node.keys), *node.values]
        elif isinstance(node, ast.MatchValue):
            parts = [node.value]
        else:
            continue
        for part in parts:
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield name_in(part.value)


def test_no_python_file_chooses_by_the_name_of_a_search() -> None:
    """Searches are named as defaults alone; the transcription of the paper is left out."""
    assert {
        (file, name)
        for file, source in python_sources().items()
        for name in choices(source)
        if name in SEARCHES and not file.startswith("reference/")
    } == SEARCHES_ELSEWHERE


def only(uses: Uses, folder: Path) -> Uses:
    """Return the uses in the files of a folder."""
    return {(file, name) for file, name in uses if (folder / file).is_file()}


def test_every_exception_is_about_a_file() -> None:
    assert only(GAMES_ELSEWHERE, CPP) | only(GAMES_ELSEWHERE, PACKAGE) == GAMES_ELSEWHERE


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ('if (name == "hex") return 1;  // as in go', {"hex"}),
        ('throw Error("go on with hex");', set()),
        ('make_game("hex:size=5"); othello();', {"hex", "othello"}),
        ("/* hex\n go */ enum { go };", {"go"}),
        ('m.def("f", R"(Try\n>>> make_game("hex"))"); go();', {"go"}),
    ],
)
def test_names_of_games_are_seen_in_cpp(source: str, names: set[str]) -> None:
    assert cpp_names(source) & GAMES == names


def test_names_are_seen_in_python() -> None:
    source = '"""Like hex."""\ndef go(): ...\nothello = make_game("hex:size=3"), b"".hex()'
    assert python_names(source) & GAMES == {"go", "othello", "hex"}
    source = (
        'def f(x="descent"): return x == "ubfm" or x in ["uct:c=1"] or g("mcts") or {"puct": 1}'
    )
    assert set(choices(source)) == {"ubfm", "uct", "puct"}
