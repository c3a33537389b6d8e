"""Players from texts.

runs/hex5                          a run directory: its latest model, the search it plays best
model.safetensors                  a model file, likewise
hex-11                             a model by its name, which `athenan models` lists, likewise
runs/hex5@seconds=0.2              the same with options of that search
runs/hex5@alphabeta:depth=2        the same with another search
runs/hex5@threads=2                the same with two threads; every player takes this option
mcts:seconds=1                     a search without a network
random                             any legal move, all equally probable
runs/hex5@online:expansions=50     a model that goes on learning from its searches as it plays
reference:ubfm-safe:expansions=50  a search of athenan.reference, in plain Python
mysearch.py:MySearch:width=3       your own search (`python_player.py`)
gtp:"gnugo --mode gtp"             an engine of another program, in its protocol
gnugo                              the same by its name in a file engines.toml
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from athenan._core import Game, ParameterError, Search, SearchSpec, algorithms, did_you_mean
from athenan.arena.draft import Draft, SearchingDraft, without_threads
from athenan.arena.engines.registry import DRIVERS
from athenan.arena.engines.texts import read_command, read_name
from athenan.arena.online import read_online
from athenan.arena.player import PlayerSpec
from athenan.arena.python_player import read_python_player
from athenan.arena.reference_player import read_reference
from athenan.arena.search_player import SearchPlayerSpec
from athenan.expected import expect_game, expect_path, expect_text
from athenan.searches import check_model, combined, model_evaluator
from athenan.zoo import SUFFIX, exists, model_path, zoo

MAX_SHOWN = 80  # characters of a wrong text that are repeated
MAX_LISTED = 1000  # files among which a wrong name is looked for


class Kind(NamedTuple):
    """One kind of player that texts can name."""

    description: str
    """Of such texts, after "a player is ..."."""
    read: Callable[[str], Draft | None]
    """Returns None for the text of another kind."""
    runs_programs: bool = False
    """Whether making such a player runs a file or a command that the text names."""


def player(text: str, game: Game, budget: str = "") -> PlayerSpec:
    """Return the player that a text describes.

    `budget`, as in "seconds=1", limits a player whose text names no limit. A player whose text
    and model name none and that gets none searches until the outcome is proven.
    """
    expect_game(game)
    expect_text(budget, "the limit of a player, as in 'seconds=1'")
    return read_player(text).spec(game, budget)


def usual_player(game: Game) -> str:
    """Return the text of a player that needs no network; alone, only the score tells good from bad.

    >>> from athenan.games import make_game
    >>> usual_player(make_game("hex")), usual_player(make_game("morpion"))
    ('mcts', 'mcts:terminal=score')
    """
    return "mcts" if game.datasheet.players == 2 else "mcts:terminal=score"


def read_player(text: str, engines: Path | None = None) -> Draft:
    """Return what a text says of a player; whose model it names tells the game.

    `engines` is a file of engines that are named there, before those of the usual places.
    """
    expect_text(text, "the text of a player, as in 'mcts:seconds=1'")
    if engines is not None:
        engines = expect_path(engines, "a file of engines")
    if engines is not None and (named := read_name(text, engines)) is not None:
        return named
    for kind in KINDS:
        if (draft := kind.read(text)) is not None:
            return draft
    shown = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]} ..."
    if _is_a_place(text):
        raise ParameterError(
            f"there is no player {shown!r}{_meant(text)}: this path has no run and no model file"
        )
    accepted = ", or ".join(kind.description for kind in KINDS)
    raise ParameterError(f"there is no player {shown!r}{_meant(text)}; a player is {accepted}")


def _is_a_place(text: str) -> bool:
    """Tell whether a text can only be the path of a run or of a model file."""
    place = text.partition("@")[0]
    return "/" in place.partition(":")[0] or place.endswith(SUFFIX)


def _meant(text: str) -> str:
    """Return what search, protocol, model or file beside it a wrong text may have meant."""
    known = [each.name for each in algorithms()] + [*DRIVERS, *zoo()]
    folder = Path(text).parent
    if exists(str(folder)) and folder.is_dir():
        known += [str(each) for each in islice(folder.iterdir(), MAX_LISTED) if _is_model(each)]
    return did_you_mean(text.partition(":")[0].partition("@")[0], known)


def _is_model(path: Path) -> bool:
    return path.suffix == SUFFIX or (path / "config.toml").is_file()


def settings_player(text: str, setting: str) -> Draft:
    """Read a player that a setting names: a file from elsewhere runs no program of its choice."""
    draft = read_player(text)
    if any(kind.runs_programs and kind.read(text) is not None for kind in KINDS):
        harmless = ", or ".join(kind.description for kind in KINDS if not kind.runs_programs)
        raise ParameterError(
            f"{setting} is {text!r}, but settings may not run programs: name {harmless}"
        )
    return draft


def _read_search(text: str) -> Draft | None:
    if not SearchSpec.names_algorithm(text):
        return None
    search, threads = without_threads(text)
    return SearchDraft(text, search, None, threads)


def _read_model(text: str) -> Draft | None:
    if read_python_player(text) or read_reference(text) or read_online(text):
        return None
    if (path := model_path(text)) is not None:
        return SearchDraft(text, "", path)
    named, _, search = text.rpartition("@")  # a path may itself contain an @
    if (path := model_path(named)) is None:
        return None
    search, threads = without_threads(search)
    return SearchDraft(text, search, path, threads)


KINDS = [
    Kind(
        "a model, by its name (athenan models lists them), its file or its run (each may be "
        "followed by @ and a search)",
        _read_model,
    ),
    Kind(f"a search ({', '.join(each.name for each in algorithms())})", _read_search),
    Kind("online after a model and @, for one that goes on learning as it plays", read_online),
    Kind("reference: and a search, in plain Python", read_reference),
    Kind("a Python file with a search (as in mysearch.py:MySearch)", read_python_player, True),
    Kind(f'an engine (PROTOCOL:"COMMAND" in one of {", ".join(DRIVERS)})', read_command, True),
    Kind("a name in a file engines.toml", read_name, True),
]
"""Asked one after the other. A new kind of player is one file, and one entry here."""


@dataclass(frozen=True)
class SearchDraft(SearchingDraft):
    """A search in C++."""

    def spec(self, game: Game, budget: str = "") -> SearchPlayerSpec:
        """Return the player of a game; `budget`, as in "seconds=1", is for one without a limit."""
        if self.model is None:
            search = SearchSpec(self.search)
            if budget and not search.is_limited:
                search = search.updated(budget)
            evaluators = None
        else:
            search = combined(SearchSpec(self.model.search), self.search, budget)
            check_model(self.model, game, search, f"the model {str(self.path)!r}")
            evaluators = partial(model_evaluator, self.model, game, search)
        Search(game, search)  # refuses a terminal evaluation that makes no sense for the game
        return SearchPlayerSpec(self.text, search, evaluators, self.threads)
