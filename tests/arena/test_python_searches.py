"""Searches in Python: the reference ones play as those in C++, one's own beside them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import athenan
import pytest
from athenan.arena import Player, PlayerSpec, play_matches, player, tally_of
from athenan.arena.python_player import PythonPlayerSpec
from athenan.arena.search_player import SearchPlayerSpec
from athenan.commands import main
from commands.complaints import complaint_of
from small_models import write_model
from small_runs import small_flags

HEX = athenan.make_game("hex:size=3")

OWN = '''
from athenan.arena import PythonSearch

class Greedy(PythonSearch):
    """Wins at once where it can; otherwise the move of best value."""

    def __init__(self, game, evaluator, width: int = 100):
        super().__init__(game, evaluator)
        self.width = width

    def choose(self, state, budget):
        assert budget.expansions == 7
        moves = state.legal_moves()[: self.width]
        values = self.values([state.play(move) for move in moves])
        best = max(values) if state.to_move == 0 else min(values)
        chosen = [move for move, value in zip(moves, values) if value == best]
        return chosen[self.random.below(len(chosen))], best
'''


@pytest.fixture
def own_file(tmp_path: Path) -> str:
    file = tmp_path / "greedy.py"
    file.write_text(OWN)
    return str(file)


@pytest.mark.parametrize("values", ["zero", "hash"])
@pytest.mark.parametrize(
    "search",
    [
        "ubfm-safe:expansions=15",
        "ubfm:expansions=15,transpositions=false",
        "ubfm-safe:expansions=15,prefer_draws=both",
        "ubfm:expansions=12,completion=false",
        "descent:iterations=3,terminal=additive_depth",
        "alphabeta:depth=2",
        "uct:iterations=40",
    ],
)
@pytest.mark.parametrize("game_id", ["tic_tac_toe", "othello:size=4", "hex:size=3"])
def test_the_reference_plays_move_for_move_as_the_engine(
    game_id: str, search: str, values: str
) -> None:
    game = athenan.make_game(game_id)

    def maker(threads: int) -> athenan.evaluators.Evaluator:  # noqa: ARG001
        return athenan.hash_evaluator(3) if values == "hash" else athenan.constant_evaluator()

    specs = [player(text, game) for text in (search, f"reference:{search}")]
    engine, plain = (with_values(spec, maker).make(game) for spec in specs)
    for seed in (1, 2):
        engine.begin(game, seed)
        plain.begin(game, seed)
        moves = moves_of(game, engine, plain)
        assert len(moves) > 2


def with_values(spec: PlayerSpec, maker: athenan.arena.EvaluatorFactory) -> PlayerSpec:
    assert isinstance(spec, SearchPlayerSpec | PythonPlayerSpec)
    return replace(spec, evaluator=maker)


def moves_of(game: athenan.Game, engine: Player, plain: Player) -> list[int]:
    state, moves = game.initial_state(), []
    while not state.is_terminal:
        moves.append(engine.think(state).move)
        assert plain.think(state).move == moves[-1], state.position
        assert plain.value == pytest.approx(engine.value)
        state = state.play(moves[-1])
    return moves


def test_a_search_of_ones_own_plays_in_the_arena(own_file: str) -> None:
    own = player(f"{own_file}:Greedy:expansions=7,width=9", HEX)
    tally = tally_of(play_matches(HEX, own, player("random", HEX), 20, seed=1))
    assert tally.counts.matches == 20
    assert tally.counts.score > 0.6
    assert player(f"{own_file}:expansions=7", HEX).make(HEX).name == f"{own_file}:expansions=7"


def test_it_plays_with_the_values_of_a_model(own_file: str, tmp_path: Path) -> None:
    write_model(tmp_path / "m.safetensors", HEX.id, "ubfm-safe:expansions=3")
    for text in (f"{own_file}:expansions=7", "reference:ubfm:expansions=3"):
        spec = player(f"{tmp_path / 'm.safetensors'}@{text}", HEX)
        (match,) = play_matches(HEX, spec, player("random", HEX), 1)
        assert match.outcome in (-1, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("greedy.py:Other:expansions=7", "has no search 'Other': it defines Greedy"),
        ("greedy.py:Greedy:depth=3", "has no option 'depth=3'; it takes width"),
        ("greedy.py:Greedy:width=wide", "the option width of .* is a whole number"),
        ("greedy.py:Greedy:expansions=many", "'expansions=many' is not a number"),
        ("greedy.py:Greedy:seconds=-1", "'seconds=-1' is not above 0"),
        ("nowhere.py", "there is no search file 'nowhere.py'"),
        ("reference:puct", "athenan.reference plays descent, ubfm, .* not puct"),
        ("reference:dream", "dream"),
        ("reference:ubfm:terminal=dreams", "dreams"),
    ],
)
def test_wrong_texts_are_told(
    text: str, words: str, own_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(own_file).parent)
    with pytest.raises(athenan.Error, match=words):
        player(text, HEX)


def test_a_reference_search_without_a_limit_is_told() -> None:
    thinker = player("reference:ubfm", HEX).make(HEX)
    with pytest.raises(athenan.Error, match="has no limit"):
        thinker.think(HEX.initial_state())


def liar(folder: Path, choice: str) -> PlayerSpec:
    file = folder / "liar.py"
    file.write_text(
        "from athenan.arena import PythonSearch\n"
        f"class Liar(PythonSearch):\n    def choose(self, state, budget): return {choice}\n"
    )
    return player(str(file), HEX)


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("'z9'", "chose 'z9': "),
        ("-1", "chose the move -1, which is not legal"),
        ("None", "chose None; a move is a number or a text"),
        ("0.5", "chose 0.5; a move is a number or a text"),
        ("(1, 2, 3)", "chose (1, 2, 3); a move is a number or a text"),
    ],
)
def test_an_illegal_choice_is_a_fault(choice: str, words: str, tmp_path: Path) -> None:
    (match,) = play_matches(HEX, liar(tmp_path, choice), player("random", HEX), 1)
    assert match.reason == "illegal"
    assert words in match.sentence


def test_a_value_that_is_no_number_is_told(tmp_path: Path) -> None:
    lying = liar(tmp_path, "(state.legal_moves()[0], 'good')")
    with pytest.raises(athenan.ParameterError, match=r"a number as a value of .*, not 'good'"):
        list(play_matches(HEX, lying, player("random", HEX), 1))


@pytest.mark.parametrize("kind", ["file", "engine"])
def test_settings_run_no_program(
    kind: str, own_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    opponent = own_file if kind == "file" else 'gtp:"touch mark"'
    told = complaint_of(
        capsys,
        *("train", *small_flags({"game": "hex:size=3"}, {"stop": {"matches": 2}})),
        *("--set", f"evaluation.opponent={opponent}", "--set", "evaluation.every_matches=1"),
    )
    assert "but settings may not run programs: name a " in told


def test_the_command_plays_them(own_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    players = [f"{own_file}:expansions=7", "reference:ubfm-safe:expansions=5"]
    assert main(["match", *players, "--game", "hex:size=3", "--matches", "2"]) == 0
    assert "2 matches in" in capsys.readouterr().out


@pytest.mark.parametrize("search", ["own", "reference"])
def test_a_limit_for_those_without_one_is_heard(
    search: str, own_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = own_file if search == "own" else "reference:ubfm"
    arguments = ["--game", "hex:size=3", "--matches", "2", "--expansions", "7"]
    assert main(["match", text, "random", *arguments]) == 0
    assert f"A: {text} with expansions=7\n" in capsys.readouterr().out


def test_a_request_to_stop_ends_the_reference_at_once() -> None:
    game, stop = athenan.make_game("hex:size=9"), athenan.Stop()
    stop.request()
    thinker = player("reference:ubfm:expansions=1000000", game).make(game)
    state = game.initial_state()
    assert thinker.think(state, stop=stop).move in state.legal_moves()
