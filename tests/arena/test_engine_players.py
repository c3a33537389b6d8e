"""Engines as players: their texts, their files, their processes, and matches against them."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from pathlib import Path

import athenan
import pytest
from athenan.arena import Match, player, read_player
from athenan.arena.clocks import Clock, TimeControl
from athenan.arena.engines import EngineSpec
from athenan.arena.engines.driver import Asking
from athenan.arena.engines.uci import UciDriver
from athenan.commands import main
from commands.complaints import complaint_of
from own_engine import own_engine

TIC_TAC_TOE = athenan.make_game("tic_tac_toe")
FAKE = Path(__file__).parents[1] / "protocols" / "fake_engine.py"
COMMAND = shlex.join([sys.executable, "-S", "-E", str(FAKE), "ugi", "none"])
GNUGO = shutil.which("gnugo", path="/usr/games:/usr/bin:/usr/local/bin")
FAIRY = shutil.which("fairy-stockfish", path="/usr/games:/usr/bin:/usr/local/bin")


def spec_of(text: str, game: athenan.Game = TIC_TAC_TOE, budget: str = "") -> EngineSpec:
    spec = player(text, game, budget)
    assert isinstance(spec, EngineSpec)
    return spec


def test_a_text_names_a_protocol_a_command_and_options() -> None:
    spec = spec_of('ugi:"some program -x 1"@nodes=50,Hash=16,timeout=5')
    assert (spec.protocol, spec.command) == ("ugi", "some program -x 1")
    assert (spec.nodes, spec.timeout, spec.options) == (50, 5, {"Hash": "16"})
    assert spec_of("ugi:program --flag").command == "program --flag"
    assert spec_of("ugi:'program'@seconds=2").is_timed


def test_a_budget_is_for_an_engine_without_a_limit() -> None:
    assert spec_of('ugi:"p"', budget="expansions=30").nodes == 30
    assert spec_of('ugi:"p"', budget="seconds=0.5").seconds == 0.5
    assert spec_of('ugi:"p"@depth=3', budget="expansions=30").nodes == 0
    go = athenan.make_game("go")
    assert spec_of('gtp:"p"', go, "expansions=30").nodes == 0  # GTP has no word for it
    assert spec_of('gtp:"p"', go, "seconds=2").seconds == 2
    othello, arimaa = athenan.make_game("othello"), athenan.make_game("arimaa")
    assert not spec_of('nboard:"p"', othello, "seconds=2").is_timed
    assert spec_of('aei:"p"', arimaa, "expansions=30").nodes == 0
    assert spec_of('aei:"p"', arimaa, "seconds=2").seconds == 2


def test_nodes_for_each_move_are_refused_where_the_engine_would_not_hear_of_them() -> None:
    game = athenan.make_game("othello")
    clock = Clock.of(TimeControl.parse("nodes=9"))
    deaf, other = (spec_of(text, game).make(game) for text in ('nboard:"p"', 'ugi:"p"'))
    with pytest.raises(athenan.ParameterError, match="nboard has no command for nodes"):
        deaf.set_clock(clock)
    other.set_clock(clock)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("ugi:", "the player 'ugi:' has no command"),
        ('ugi:"unclosed', 'the command "unclosed has no closing quote'),
        ('ugi:"p" -x', "come @ and options, not ' -x'"),
        ('ugi:"p"@fast', "an option of an engine is name=value, not 'fast'"),
        ('ugi:"p"@nodes=many', "nodes of the engine"),
        ('ugi:"p"@nodes=-1', "is out of range"),
        ('ugi:"p"@time=slow', "is one of clock, move, none, not 'slow'"),
        ('uci:"p"', "uci does not play tic_tac_toe: it plays"),
        ('gtp:"p"@nodes=5', "gtp has no command for nodes"),
        ('nboard:"p"@seconds=1', "nboard has no command for seconds of the engine"),
        ('nboard:"p"@nodes=5', "nboard has no command for nodes"),
        ('aei:"p"@nodes=5', "it has commands for seconds, depth. The engine's own options"),
        ('ugi:"p"@dialect=old', "ugi has no dialect 'old' of tic_tac_toe"),
    ],
)
def test_a_wrong_text_is_refused_in_one_sentence(text: str, complaint: str) -> None:
    with pytest.raises(athenan.Error) as refused:
        player(text, TIC_TAC_TOE)
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


ENGINES = """
[passer]
protocol = "ugi"
command = "passer --quietly"
nodes = 7
options = { Threads = 1, Ponder = false }
environment = { LEVEL = 3 }
"""


def test_engines_are_named_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(ENGINES)
    spec = read_player("passer@nodes=9", file).spec(TIC_TAC_TOE)
    assert isinstance(spec, EngineSpec)
    assert (spec.name, spec.nodes) == ("passer", 9)
    assert spec.options == {"Threads": "1", "Ponder": "false"}
    assert spec.environment == {"LEVEL": "3"}
    monkeypatch.chdir(tmp_path)
    with pytest.raises(athenan.ParameterError, match="there is no player 'passer'"):
        read_player("passer")
    for place in (tmp_path, tmp_path / "config" / "athenan"):
        place.mkdir(parents=True, exist_ok=True)
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
        file.rename(place / "engines.toml")
        assert spec_of("passer").command == "passer --quietly"
        file = place / "engines.toml"
    assert str(read_player("mcts:iterations=5").spec(TIC_TAC_TOE).name) == "mcts:iterations=5"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[a\n", "cannot be read"),
        ("a = 1", "a is not an engine: write [a] and its command"),
        ("[a]\ncommand = 'x'", "needs a protocol, one of gtp"),
        ("[a]\nprotocol = 'ugi'", "the engine a needs a command"),
        ("[a]\nprotocol = 'ugi'\ncommand = 'x'\noptions = 3", "options of the engine a is a table"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(text)
    with pytest.raises(athenan.Error) as refused:
        read_player("a", file)
    assert complaint in str(refused.value)


def test_a_program_that_is_not_there_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ['ugi:"no-such-program"', "random", "--game", "tic_tac_toe", "--matches", "2"]
    assert "cannot be started" in complaint_of(capsys, "match", *arguments)


def test_match_takes_engines_and_saves_what_they_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script, saved = tmp_path / "dialogue.txt", tmp_path / "matches.jsonl"
    file = tmp_path / "mine.toml"
    file.write_text(
        f"[fake]\nprotocol = 'ugi'\ncommand = {json.dumps(COMMAND)}\n"
        f"transcript = {json.dumps(str(script))}"
    )
    arguments = ["--game", "tic_tac_toe", "--matches", "4", "--workers", "1", "--json"]
    arguments += ["--save", str(saved), "--engines", str(file)]
    assert main(["match", "fake", "random", *arguments]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 4
    matches = [Match.from_json(json.loads(line)) for line in saved.read_text().splitlines()]
    assert [match.players[match.index % 2] for match in matches] == ["fake"] * 4
    lines = [line.split(maxsplit=2)[1:] for line in script.read_text().splitlines()]
    assert ["<", "ugiok"] in lines
    assert [">", "quit"] in lines
    assert any(line[1].startswith("bestmove") for line in lines if line[0] == "<")


def test_moves_can_be_taken_back_and_positions_set_up() -> None:
    game = athenan.make_game("connect_four:rows=4,columns=4")
    with own_engine("ugi", game.id, nodes=5).make(game) as engine:
        engine.begin(game, 1)
        start = game.initial_state()
        moves = [engine.think(start).move]
        after = start.play(moves[0])
        engine.hear(start, moves[0])
        engine.hear(after, after.legal_moves()[0])
        assert engine.think(after.play(after.legal_moves()[0])).move in range(4)
        assert engine.think(start).move in range(4)  # taken back
        assert engine.think(game.parse_position("4/4/4/xo2 x")).move in range(4)
        assert engine.value is not None
        assert -1 <= engine.value <= 1


def test_an_engine_can_serve_another_protocol() -> None:
    """A bridge: a client that speaks UGI plays with an engine that speaks UGI elsewhere."""
    from athenan.protocols import Settings, converse

    settings = Settings(model=f"ugi:'{COMMAND}'")
    assert converse("ugi", TIC_TAC_TOE, ["position startpos moves a1", "go"], settings)[-1] == (
        "bestmove b1"
    )


@pytest.mark.parametrize(
    ("clock", "player", "words"),
    [
        ("5+0.1", 0, "go wtime 5000 btime 5000 winc 100 binc 100"),
        ("0/2", 1, "go movetime 2000"),
        ("300", 1, "go wtime 300000 btime 300000"),
    ],
)
def test_clocks_in_the_words_of_uci(clock: str, player: int, words: str) -> None:
    driver = object.__new__(UciDriver)
    asking = Asking(clock=Clock.of(TimeControl.parse(clock)))
    assert ["go", *driver.go_words(asking, player)] == words.split()


# Programs that somebody else wrote.


@pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")
def test_gnu_go_plays_to_the_end() -> None:
    game = athenan.make_game("go:size=5,komi=2.5")
    text = f'gtp:"{GNUGO} --mode gtp --level 1 --chinese-rules --play-out-aftermath"'
    play_out(text, game)


@pytest.mark.skipif(FAIRY is None, reason="Fairy-Stockfish is not installed")
@pytest.mark.parametrize(
    ("protocol", "game_id"), [("uci", "breakthrough"), ("uci", "clobber"), ("ucci", "xiangqi")]
)
def test_fairy_stockfish_plays_to_the_end(protocol: str, game_id: str) -> None:
    play_out(f'{protocol}:"{FAIRY}"@nodes=50', athenan.make_game(game_id))


def play_out(text: str, game: athenan.Game) -> None:
    """Play one match on each side against moves at random: no fault, no illegal move."""
    for side in (0, 1):
        with player(text, game).make(game, 1) as engine:
            engine.begin(game, 3)
            random, state = athenan.Random(side), game.initial_state()
            while not state.is_terminal:
                moves = state.legal_moves()
                move = moves[random.below(len(moves))]
                if state.to_move == side:
                    move = engine.think(state).move
                engine.hear(state, move)
                state = state.play(move)
