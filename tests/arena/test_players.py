"""Players from texts: what each means, and that mistakes end in one sentence."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import athenan
import pytest
from athenan.arena import Opening, SearchPlayerSpec, play_matches, player, read_player
from athenan.evaluators import Evaluator, constant_evaluator
from small_models import write_model

HEX = athenan.make_game("hex:size=4")


def search_of(text: str, budget: str = "") -> str:
    """Return the search of the player that a text describes."""
    found = player(text, HEX, budget)
    assert isinstance(found, SearchPlayerSpec)
    assert (found.name, found.is_timed) == (text, found.search.is_timed)
    return str(found.search)


@pytest.mark.parametrize("text", ["ubfm-safe:expansions=40", "puct:iterations=20", "mcts"])
def test_a_search_without_a_network_knows_what_it_proves(text: str) -> None:
    game = athenan.make_game("tic_tac_toe")
    with player(text, game, "iterations=60").make(game, threads=1) as thinker:
        thinker.begin(game, 1)
        move, found = thinker.think(game.parse_position("xx1/oo1/3 x"))
    assert move == 2
    assert found is not None
    assert found.best_move == move


@pytest.mark.parametrize(
    ("text", "search"),
    [
        ("mcts", "mcts:seconds=2"),
        ("mcts:c=1", "mcts:seconds=2,c=1"),
        ("mcts:iterations=9", "mcts:iterations=9"),
        ("ubfm:evaluations=9", "ubfm:evaluations=9"),
        ("alphabeta:depth=3", "alphabeta:depth=3"),
        ("alphabeta:depth=0", "alphabeta:seconds=2"),
        ("minimax", "minimax"),
        ("random", "random"),
    ],
)
def test_the_budget_is_for_those_that_name_none(text: str, search: str) -> None:
    assert search_of(text, "seconds=2") == search


@pytest.mark.parametrize(
    ("suffix", "budget", "search"),
    [
        ("", "", "ubfm-safe:terminal=additive_depth"),
        ("", "expansions=5", "ubfm-safe:expansions=5,terminal=additive_depth"),
        ("@seconds=0.2", "expansions=5", "ubfm-safe:seconds=0.2,terminal=additive_depth"),
        ("@terminal=classic", "expansions=5", "ubfm-safe:expansions=5"),
        ("@descent", "expansions=5", "descent:expansions=5,terminal=additive_depth"),
        ("@alphabeta:depth=2", "expansions=5", "alphabeta:terminal=additive_depth,depth=2"),
        ("@ubfm:terminal=classic", "seconds=1", "ubfm:seconds=1"),
    ],
)
def test_a_model_and_its_search(hex_model: Path, suffix: str, budget: str, search: str) -> None:
    assert search_of(f"{hex_model}{suffix}", budget) == search
    assert read_player(f"{hex_model}{suffix}").game == HEX.id
    file = hex_model / "model.safetensors"
    assert search_of(f"{file}{suffix}", budget) == search


def test_flags_replace_the_budget_of_a_model_but_not_that_of_a_text(tmp_path: Path) -> None:
    file = tmp_path / "a@b.safetensors"  # a path may contain the sign that begins a search
    write_model(file, "hex:size=4", "ubfm-safe:expansions=7")
    assert search_of(str(file)) == "ubfm-safe:expansions=7"
    assert search_of(str(file), "seconds=1") == "ubfm-safe:seconds=1"
    assert search_of(f"{file}@evaluations=3", "seconds=1") == "ubfm-safe:evaluations=3"


def test_the_evaluator_of_a_model_is_its_network(hex_model: Path) -> None:
    import torch
    from athenan.networks import load_model

    network = load_model(hex_model / "model.safetensors").network
    planes = HEX.encode(HEX.initial_state().children())
    with torch.no_grad():
        expected = network(torch.from_numpy(planes).float()).numpy()
    for text in (f"{hex_model}@expansions=3", f"{hex_model}@seconds=1"):
        found = player(text, HEX)
        assert isinstance(found, SearchPlayerSpec)
        with found.make(HEX, threads=1) as thinker:
            assert thinker.evaluator(planes) == pytest.approx(expected, abs=1e-5)


def test_a_model_is_loaded_once(hex_model: Path, tmp_path: Path) -> None:
    file = tmp_path / "copy.safetensors"
    file.write_bytes((hex_model / "model.safetensors").read_bytes())
    draft = read_player(f"{file}@expansions=3")
    assert draft.game == HEX.id
    file.unlink()
    chosen = draft.spec(HEX)
    assert len(list(play_matches(HEX, chosen, player("random", HEX), 2))) == 2


def test_random_moves_are_uniform() -> None:
    game = athenan.make_game("connect_four")
    chosen = player("random", game)
    matches = play_matches(game, chosen, chosen, 7000, openings=[Opening((), game.initial_state())])
    counts = Counter(match.moves[0] for match in matches)
    assert len(counts) == 7
    chi_squared = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi_squared < 22.5  # 6 degrees: once in 1000


def test_the_seed_of_a_match_decides_what_is_random() -> None:
    game = athenan.make_game("tic_tac_toe")
    winning, moves = game.parse_position("xx1/oo1/3 x"), []
    with player("random", game).make(game) as thinker:
        for seed in (*range(40), *range(40)):
            thinker.begin(game, seed)
            move, found = thinker.think(winning)
            moves.append(move)
            assert found is not None
            assert found.value is None
    assert len(set(moves)) == 5
    assert moves[:40] == moves[40:]


def test_a_thinker_remembers_its_match_and_no_other() -> None:
    game = athenan.make_game("tic_tac_toe")
    state = game.initial_state()
    with player("ubfm-safe:expansions=100000", game).make(game) as thinker:
        thinker.begin(game, 1)
        move, first = thinker.think(state)
        _, again = thinker.think(state.play(move))
        thinker.begin(game, 1)
        _, anew = thinker.think(state)
    assert first
    assert again
    assert anew
    assert first.proven_outcome == again.proven_outcome == 0
    assert again.spent.expansions < first.spent.expansions / 10
    assert anew.spent.expansions == first.spent.expansions


def test_a_budget_may_be_given_for_one_move() -> None:
    with player("mcts:iterations=1000", HEX).make(HEX) as thinker:
        _, found = thinker.think(HEX.initial_state(), athenan.Budget(iterations=7))
    assert found is not None
    assert found.spent.iterations == 7


def test_descriptions_are_values() -> None:
    one, other = player("mcts:seconds=1", HEX), player("mcts:seconds=1", HEX)
    assert one == other
    assert len({one, other, player("mcts:seconds=2", HEX)}) == 2


def test_memory_is_limited_unless_the_text_limits_it() -> None:
    unlimited, limited = (player(f"mcts:iterations=9{more}", HEX) for more in ("", ",memory_mb=3"))
    assert isinstance(unlimited, SearchPlayerSpec)
    assert isinstance(limited, SearchPlayerSpec)
    assert unlimited.within(50).search.options["memory_mb"] == 50
    assert limited.within(50) == limited


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nobody", "there is no player 'nobody'; a player is a model, by its name"),
        ("", "there is no player ''"),
        ("@ubfm", "there is no player '@ubfm'"),
        ("x" * 5000, "there is no player"),
        ("runs/hex5", "'runs/hex5': this path has no run and no model file$"),
        ("runs/hex5@seconds=3", "'runs/hex5@seconds=3': this path has no run and no model file$"),
        ("lost.safetensors", "'lost.safetensors': this path has no run and no model file$"),
        ("a\0b", "there is no player"),
        ("mcts:secnds=1", "mcts has no option 'secnds'"),
        ("mcts:seconds=soon", "seconds"),
        ("ubfm:terminal=score", "score"),
        (".", "has no model.safetensors"),
        (__file__, "has not exactly one search"),
        (str(Path(__file__).parents[2] / "LICENSE"), "is not one of athenan"),
    ],
)
def test_a_text_that_is_no_player(
    text: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(athenan.Error, match=reason) as caught:
        player(text, HEX)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("suffix", "game", "reason"),
    [
        ("", "hex:size=5", "plays hex:size=4,swap=true, not hex:size=5,swap=true"),
        ("", "tic_tac_toe", "plays hex:size=4,swap=true, not tic_tac_toe"),
        ("@nothing", "hex:size=4", "ubfm-safe has no option 'nothing'"),
        ("@puct", "hex:size=4", "needs a policy, and the network of .* has none"),
    ],
)
def test_a_model_that_does_not_fit(hex_model: Path, suffix: str, game: str, reason: str) -> None:
    with pytest.raises(athenan.Error, match=reason):
        player(f"{hex_model}{suffix}", athenan.make_game(game), "expansions=5")


def test_a_model_with_a_policy_can_play_with_it(tmp_path: Path) -> None:
    write_model(tmp_path / "model.safetensors", "hex:size=4", "puct", policy=True)
    with player(str(tmp_path), HEX, "iterations=20").make(HEX) as thinker:
        move, found = thinker.think(HEX.initial_state())
    assert move in HEX.initial_state().legal_moves()
    assert found is not None
    assert found.spent.iterations == 20


def test_threads_are_an_option_of_every_search(hex_model: Path) -> None:
    for text, search in {
        "mcts:iterations=9,threads=3": "mcts:iterations=9",
        "mcts:threads=3": "mcts",
        f"{hex_model}@threads=3": "ubfm-safe:terminal=additive_depth",
        f"{hex_model}@seconds=1,threads=3": "ubfm-safe:seconds=1,terminal=additive_depth",
        f"{hex_model}@alphabeta:threads=3,depth=2": "alphabeta:terminal=additive_depth,depth=2",
    }.items():
        found = player(text, HEX)
        assert isinstance(found, SearchPlayerSpec)
        assert (found.name, str(found.search), found.threads) == (text, search, 3)
    made: list[int] = []

    def make(threads: int) -> Evaluator:
        made.append(threads)
        return constant_evaluator()

    for own, given in ((0, 5), (3, 5)):
        spec = SearchPlayerSpec("own", athenan.SearchSpec("ubfm:expansions=1"), make, own)
        spec.make(HEX, given).close()
    assert made == [5, 3]
    for text in ("mcts:threads=0", "mcts:threads=many", f"{hex_model}@threads="):
        with pytest.raises(athenan.Error, match="threads is a number from 1 to 1024"):
            player(text, HEX)


def test_a_misspelt_player_is_told_what_was_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "hex5").mkdir(parents=True)
    (tmp_path / "runs" / "hex5" / "config.toml").touch()
    for text, meant in {
        "mtcs:seconds=1": "mcts",
        "ubfm-saef": "ubfm-safe",
        "runs/hex55": "runs/hex5",
        "hex-1l@expansions=5": "hex-11",
    }.items():
        with pytest.raises(athenan.ParameterError, match=rf"\(did you mean {meant}\?\)"):
            read_player(text)
