"""`athenan play`: conversations, from a pipe and in a terminal."""

from __future__ import annotations

import doctest
import io
import json
import os
import pty
import re
import select
import shlex
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import athenan
import pytest
from athenan.arena import Match
from athenan.commands import main
from athenan.terminal.conversation import COMMANDS
from processes import PROMPTLY
from small_models import write_model

ROOT = Path(__file__).parents[2]
EXAMPLE = str(ROOT / "examples" / "tic_tac_toe.py")
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    "TERM": "xterm-256color",
    "COLUMNS": "100",
}
ENVIRONMENT.pop("NO_COLOR", None)
SURE = ["--opponent", "ubfm-safe:expansions=60", "--seed", "4"]
Say = Callable[..., str]


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """Play with these arguments, saying these lines; return what is printed."""
    monkeypatch.setenv("COLUMNS", "100")

    def talk(arguments: list[str], *lines: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert main(["play", *arguments]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        return captured.out

    return talk


def test_the_session_of_the_documentation(say: Say) -> None:
    page = (ROOT / "docs" / "playing.md").read_text()
    (block,) = re.findall(r"```text\n\$ athenan play (.*?)\n(.*?)```", page, re.DOTALL)
    arguments, shown = block
    lines = re.findall(r"^your move> (.*)$", shown, re.MULTILINE)
    assert len(lines) > 5
    said = say(shlex.split(arguments), *lines)
    assert doctest.OutputChecker().check_output(shown, said, doctest.NORMALIZE_WHITESPACE), said


def test_a_match_against_a_perfect_player_is_no_win(say: Say) -> None:
    text = say(["tic_tac_toe", *SURE], "a1", "b1", "c1", "a2", "c2", "b3", "a3", "b2", "c3")
    assert re.search(r"^(You lost|Nobody won)\.$", text, re.MULTILINE)


def test_you_can_win(say: Say) -> None:
    position = ["--position", "xx1/oo1/3 x"]
    text = say(["tic_tac_toe", "--opponent", "random", *position], "c1", "hint", "c2")
    assert "ply 5: the first player won\nYou won.\n" in text
    assert text.count("the match is over") == 2
    lost = say(["tic_tac_toe", *SURE, *position, "--second"])
    assert "ubfm-safe:expansions=60 plays c1\n" in lost
    assert "You lost.\n" in lost


def test_mistakes_are_explained_and_asked_again(say: Say) -> None:
    text = say(["tic_tac_toe", *SURE], "b2", "b2", "z9", "c", "", "undo now", "B1")
    assert "'b2' is not a legal move here; moves lists them, help lists the commands\n" in text
    assert "'z9' is not a legal move here" in text
    assert "'c' could be c1, c2" in text
    assert "'undo' is not a legal move here" in text
    assert text.count("ply ") >= 3  # B1 is b1: the board is drawn again after it


def test_undo_takes_back_a_whole_round(say: Say) -> None:
    text = say(["tic_tac_toe", *SURE], "undo", "b2", "undo", "position")
    assert text.count("you have no move to take back\n") == 1
    assert text.endswith("your move> position\n3/3/3 x\n")
    second = say(["tic_tac_toe", *SURE, "--second"], "undo", "a1", "undo", "position", "a1")
    assert second.count("you have no move") == 1
    assert re.search(r"your move> position\n.*x.* o\n", second)


def test_resigning_can_be_taken_back(say: Say, tmp_path: Path) -> None:
    file = tmp_path / "matches.jsonl"
    text = say(
        ["tic_tac_toe", *SURE],
        *("b2", "resign", "resign", "c3", f"save {file}", "undo", f"save {file}", "save"),
    )
    assert "You resigned: ubfm-safe:expansions=60 won.\n" in text
    assert "the match is over already\n" in text
    assert "the match is over: undo, new, replay, save FILE or quit\n" in text
    assert "save needs the name of a file: save FILE\n" in text
    resigned, undone = map(json.loads, file.read_text().splitlines())
    assert (resigned["outcome"], resigned["reason"]) == (-1, "resigned")
    assert (undone["outcome"], undone["reason"]) == (None, None)
    assert resigned["players"] == ["you", "ubfm-safe:expansions=60"]
    assert resigned["moves"][0] == "b2"
    assert len(resigned["moves"]) == 2


def test_a_saved_match_can_be_replayed(say: Say, tmp_path: Path) -> None:
    file = tmp_path / "matches.jsonl"
    start = "5/3p1/1P3/5/5 w @9"
    say(
        ["breakthrough:rows=5,columns=5", "--opponent", "random", "--position", start],
        *("b3b4", "moves", f"save {file}"),
    )
    match = Match.from_json(json.loads(file.read_text()))
    state = athenan.make_game(match.game).parse_position(match.position)
    for move in match.moves:
        state = state.play(move)
    assert len(match.moves) >= 2
    assert match.outcome == state.outcome
    text = say([EXAMPLE, *SURE], f"save {tmp_path}/nowhere/file", "b2")
    assert "No such file or directory" in text
    assert "x" in text.split("your move> b2")[1]


def test_swapping_sides(say: Say) -> None:
    text = say(["tic_tac_toe", *SURE], "swap sides", "eval", "quit", "b2")
    assert "you play second (o), ubfm-safe:expansions=60 plays first\n" in text
    assert re.search(r"ubfm-safe:expansions=60 plays \w\d\n", text)
    assert "ply 1: second player to move, 8 legal moves\n" in text
    assert text.endswith("your move> quit\nGoodbye.\n")


def test_hint_and_evaluation_tell_what_is_proven(say: Say) -> None:
    position = ["--position", "xx1/oo1/3 x"]
    text = say(["tic_tac_toe", *SURE, *position], "eval", "hint", "moves")
    assert "value +1.000 for the first player\nproven: the first player wins\n" in text
    assert "expected: c1\n" in text
    rows = text.split("your move> hint\n")[1].splitlines()
    assert rows[0].split() == ["move", "value", "selected", "proven"]
    assert re.fullmatch(r"c1 +\+1\.000 +\d+ +the first player wins *", rows[1])
    assert "your move> moves\nc1 c2 a3 b3 c3\n" in text
    blank = say(["tic_tac_toe", "--opponent", "random"], "hint", "eval")
    assert blank.count("random cannot say what it thinks\n") == 2


def test_a_value_has_its_win_probability(say: Say) -> None:
    text = say(["hex:size=5", "--opponent", "mcts:iterations=200", "--seed", "1"], "eval")
    value, chance = re.findall(
        r"^value ([+-]\d\.\d+) for the first player, win probability (\d+)%$", text, re.MULTILINE
    )[0]
    assert round(50 * (1 + float(value))) == pytest.approx(int(chance), abs=1)
    score = say(["othello:size=6", "--opponent", "ubfm:expansions=5,terminal=score"], "eval")
    assert "win probability" not in score  # points are none


def test_the_goal_and_your_side_are_said(say: Say) -> None:
    text = say(["hex:size=5", "--opponent", "random", "--second", "--seed", "1"])
    assert "goal: Connect your two sides of the board with a chain of your stones.\n" in text
    assert "you play second (o, from the left to the right), random plays first;" in text


def test_a_new_match_and_an_old_one(say: Say, tmp_path: Path) -> None:
    file, other = tmp_path / "matches.jsonl", tmp_path / "other.jsonl"
    arguments = ["tic_tac_toe", "--opponent", "random", "--seed", "1"]
    text = say(arguments, "b2", f"save {file}", "new", "position", f"load {file}", "replay", "load")
    assert "a new match: you play first (x), random plays second\n" in text
    assert "your move> position\n3/3/3 x\n" in text
    assert "2 moves of you against random; you play first (x)" in text
    boards = text.split("your move> replay\n")[1]
    assert boards.count("a b c") == 3
    assert "\n1. b2\n" in boards
    assert "load needs the name of a file: load FILE\n" in text
    say(["hex:size=3", "--opponent", "random"], "b2", f"save {other}")
    (tmp_path / "nothing").write_text("")
    (tmp_path / "noise").write_text("noise\n")
    text = say(arguments, *(f"load {tmp_path}/{name}" for name in ("nothing", "noise", "nowhere")))
    assert "nothing has no match\n" in text
    assert "noise, line 1: this is not JSON\n" in text
    assert "No such file or directory" in text
    text = say(arguments, f"load {other}")
    assert "is a match of hex:size=3,swap=true, not of tic_tac_toe\n" in text


def test_many_moves_are_not_all_hinted(say: Say) -> None:
    text = say(["hex:size=5", "--opponent", "mcts:iterations=200", "--seed", "1"], "hint")
    counts = re.findall(r"^[a-e]\d +[+-]\d\.\d{3} +(\d+) *$", text, re.MULTILINE)
    assert len(counts) == 8
    assert sorted(map(int, counts), reverse=True) == list(map(int, counts))
    assert "and 17 more; values are the first player's" in text


def test_help_names_every_command(say: Say) -> None:
    text = say(["tic_tac_toe", *SURE], "help")
    for command in (*COMMANDS, "save FILE", "load FILE"):
        assert re.search(rf"^  {command} +[A-Z].*\. *$", text, re.MULTILINE), command
    assert "move notation: b2: column letter" in text


def test_the_default_opponent_is_mcts(say: Say) -> None:
    text = say(["hex:size=3", "--seconds", "0.01"], "b2")
    assert text.startswith("hex:size=3,swap=true against mcts:seconds=0.01\n")
    assert re.search(r"^mcts plays ", text, re.MULTILINE)


def test_a_model_names_its_game(say: Say, tmp_path: Path) -> None:
    write_model(tmp_path / "model.safetensors", "hex:size=3", "ubfm-safe")
    text = say(["--model", str(tmp_path), "--seconds", "0.01"], "eval", "b2")
    assert text.startswith(f"hex:size=3,swap=true against {tmp_path} with ubfm-safe:seconds=0.01\n")
    assert re.search(r"^[1-9][\d,]* expansions?, [1-9][\d,]* states evaluated$", text, re.MULTILINE)


def test_a_game_for_one(say: Say) -> None:
    text = say(["morpion", "--seconds", "0.001"], "g5h1", "undo", "l5h5", "resign", "swap sides")
    assert "you to play alone; help lists the commands\n" in text
    assert text.count("ply 1: to move, ") == 2
    assert "You gave up.\n" in text
    alone = say(["morpion", "--opponent", "random", "--second", "--seed", "1"])
    assert re.search(r"ply (\d+): over, score \+\1\n$", alone)
    assert alone.count("random plays ") == int(re.findall(r"ply (\d+)", alone)[-1])


def test_a_turn_of_several_moves(say: Say) -> None:
    text = say(["amazons:size=5", "--opponent", "random", "--seed", "1"], "moves", "undo")
    first = text.split("your move> moves\n")[1].split()[0]
    text = say(["amazons:size=5", "--opponent", "random", "--seed", "1"], first, "moves", "undo")
    assert "must shoot\nply 1: first player to move" in text  # the arrow is mine too
    assert not re.search("^random plays", text, re.MULTILINE)


MISTAKES = {
    "no game": ([], "name one of tic_tac_toe, "),
    "unknown game": (["chess"], "there is no game 'chess'"),
    "two opponents": (["hex", "--model", "a", "--opponent", "b"], "not both"),
    "unknown opponent": (["hex", "--opponent", "b"], "there is no player 'b'"),
    "no such model": (["--model", "nowhere"], "there is no player 'nowhere'"),
    "bad position": (["tic_tac_toe", "--position", "xyz"], "xyz"),
    "no time": (["tic_tac_toe", "--seconds", "0"], "--seconds"),
}


@pytest.mark.parametrize(("arguments", "reason"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_gets_one_sentence(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("athenan: ")
    assert captured.err.count("\n") == 1
    assert reason in captured.err


class Terminal:
    """A process that believes to talk to a person."""

    def __init__(self, *arguments: str) -> None:
        self.process, self._file = pty.fork()
        if not self.process:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            command = [sys.executable, "-m", "athenan", *arguments]
            os.execve(sys.executable, command, ENVIRONMENT)
        self.text = ""

    def wait_for(self, text: str) -> None:
        """Read until this text was printed, and forget all before it."""
        deadline = time.monotonic() + 60
        while text not in self.text:
            assert time.monotonic() < deadline, self.text
            if select.select([self._file], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self._file, 65536).decode(errors="replace")
                except OSError:
                    break
        assert text in self.text, self.text
        self.text = self.text.split(text, 1)[1]

    def type(self, keys: str) -> None:
        os.write(self._file, keys.encode())

    def exit_code(self) -> int:
        _, status = os.waitpid(self.process, 0)
        os.close(self._file)
        return os.waitstatus_to_exitcode(status)


def test_a_person_in_a_terminal() -> None:
    pytest.importorskip("readline")
    terminal = Terminal("play", "tic_tac_toe", *SURE)
    terminal.wait_for("your move> ")
    terminal.type("po\t\n")  # the tab key completes: position
    terminal.wait_for("3/3/3 x")
    terminal.type("b2\n")
    terminal.wait_for("plays")
    terminal.wait_for("\x1b[1;36mx")  # in colour
    terminal.wait_for("your move> ")
    terminal.type("\x04")  # Ctrl-D
    assert terminal.exit_code() == 0


def test_the_machine_can_be_hurried_and_left() -> None:
    terminal = Terminal("play", "hex", "--second", "--seconds", "1000")
    terminal.wait_for("mcts thinks (Ctrl-C: move now)")
    terminal.type("\x03")  # Ctrl-C
    started = time.monotonic()
    terminal.wait_for("mcts plays ")
    assert time.monotonic() - started < 2 * PROMPTLY
    terminal.wait_for("your move> ")
    time.sleep(0.3)  # Python hears a Ctrl-C between the prompt and the reading with the next key
    terminal.type("\x03")
    terminal.wait_for("You left the match. Goodbye.")
    assert time.monotonic() - started < 2 * PROMPTLY + 0.3
    assert terminal.exit_code() == 0


def test_being_told_to_end_while_the_machine_thinks() -> None:
    terminal = Terminal("play", "hex", "--second", "--seconds", "1000")
    terminal.wait_for("mcts thinks")
    os.kill(terminal.process, signal.SIGTERM)
    terminal.wait_for("You left the match. Goodbye.")
    assert terminal.exit_code() == 0


def test_a_file_that_is_not_there_is_named_in_words(say: Say) -> None:
    shown = say(["tic_tac_toe", "--opponent", "random"], "load nowhere", "quit")
    assert "nowhere: No such file or directory" in shown
    assert "Errno" not in shown


def test_an_opponent_thinks_for_so_many_expansions(say: Say) -> None:
    assert "mcts:expansions=7" in say(["tic_tac_toe", "--expansions", "7"], "quit")
