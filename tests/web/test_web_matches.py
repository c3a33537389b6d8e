"""Matches over the live connection, as another program would play them."""

import json
import re
import time
from pathlib import Path

import athenan
import httpx
import processes
import pytest
from athenan import Random
from athenan.web.board import view_of
from athenan.web.match import RECENT, Match
from athenan.web.seats import Seat
from web.conftest import MODELS
from web.servers import Served

PERSON = {"who": "person"}
MACHINE = {"who": "machine", "level": 0}


def test_a_match_against_the_machine(server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, MACHINE)
    with server.live() as line:
        line.say(do="watch", match=made["id"])
        match = line.hear_match(0)
        while match["outcome"] is None:
            ply = match["view"]["ply"]
            move = match["view"]["moves"][0]["text"]
            line.say(do="move", match=made["id"], key=made["keys"][0], ply=ply, move=move)
            match = line.hear_match(ply + 1)
            if match["outcome"] is None and len(match["played"]) == ply + 1:
                match = line.hear_match(ply + 2)
        assert match["view"]["moves"] == []


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="there is no /proc")
def test_torch_is_loaded_as_soon_as_a_model_has_a_seat() -> None:
    """Not before, for it is large; and not at the first move, for it takes seconds."""
    with processes.athenan("serve", "--port", "0", str(MODELS)) as serving:
        try:
            assert serving.stdout
            url = re.search(r"http://\S+", serving.stdout.readline())
            assert url
            maps = Path(f"/proc/{serving.pid}/maps")
            httpx.get(f"{url[0]}api/offer", timeout=60)
            assert "libtorch" not in maps.read_text()
            model = {"who": "machine", "model": "hex-5", "level": 0}
            game = {"game": "hex:size=5", "seats": [PERSON, model]}
            answer = httpx.post(f"{url[0]}api/matches", json=game, timeout=60)
            assert answer.status_code == 201
            deadline = time.monotonic() + 60
            while "libtorch" not in maps.read_text() and time.monotonic() < deadline:
                time.sleep(0.2)
            assert "libtorch" in maps.read_text()
        finally:
            serving.terminate()


def test_the_machine_may_begin(server: Served) -> None:
    made = server.begin("hex:size=5", {"who": "machine", "model": "hex-5", "level": 1}, PERSON)
    with server.live() as line:
        line.say(do="watch", match=made["id"])
        match = line.hear_match(1)
        assert match["view"]["to_move"] == 1
        assert match["seats"][0]["name"] == "hex-5"
        assert match["values"][0] is not None


def test_only_the_key_of_the_side_to_move_moves(server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    with server.live() as line:
        line.say(do="watch", match=made["id"])
        line.hear_match(0)
        for key in (made["keys"][1], None, "", "0.", 0, ["0"]):
            line.say(do="move", match=made["id"], key=key, ply=0, move="b2")
            assert "not your turn" in line.hear("refusal")["error"]
        line.say(do="move", match=made["id"], key=made["keys"][0], ply=0, move="b2")
        assert line.hear_match(1)["played"] == ["b2"]
        line.say(do="move", match=made["id"], key=made["keys"][0], ply=0, move="a1")
        assert "gone on meanwhile" in line.hear("refusal")["error"]
        line.say(do="move", match=made["id"], key=made["keys"][1], ply=1, move="b2")
        assert "b2" in line.hear("refusal")["error"]


def test_two_connections_hear_the_same(server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    with server.live() as one, server.live() as other:
        for line in (one, other):
            line.say(do="watch", match=made["id"])
            line.hear_match(0)
        one.say(do="move", match=made["id"], key=made["keys"][0], ply=0, move="b2")
        assert one.hear_match(1) == other.hear_match(1)


def test_undo_goes_back_to_ones_own_decision(server: Served) -> None:
    made = server.begin("breakthrough:rows=6,columns=6", PERSON, MACHINE)
    with server.live() as line:
        line.say(do="watch", match=made["id"])
        line.hear_match(0)
        line.say(do="move", match=made["id"], key=made["keys"][0], ply=0, move="b2b3")
        line.hear_match(2)
        line.say(do="undo", match=made["id"], key=made["keys"][0])
        match = line.hear("match")["match"]
        assert match["played"] == []
        assert match["values"] == []
        line.say(do="undo", match=made["id"], key=made["keys"][0])
        assert "no move to take back" in line.hear("refusal")["error"]


def test_two_persons_must_agree_to_undo(server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    with server.live() as line:
        line.say(do="watch", match=made["id"])
        line.hear_match(0)
        line.say(do="move", match=made["id"], key=made["keys"][0], ply=0, move="b2")
        line.hear_match(1)
        line.say(do="undo", match=made["id"], key=made["keys"][0])
        match = line.hear("match")["match"]
        assert (match["played"], match["undo_wished"]) == (["b2"], [0])
        line.say(do="undo", match=made["id"], key=made["keys"][1])
        match = line.hear("match")["match"]
        assert (match["played"], match["undo_wished"]) == ([], [])


def test_a_person_resigns(server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    with server.live() as line:
        line.say(do="watch", match=made["id"])
        line.hear_match(0)
        line.say(do="resign", match=made["id"], key=made["keys"][1])
        match = line.hear("match")["match"]
        assert (match["outcome"], match["reason"]) == (1, "resigned")
        line.say(do="resign", match=made["id"], key=made["keys"][1])
        assert "over" in line.hear("refusal")["error"]


def test_a_clock_runs_out(server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON, clock="0.7")
    with server.live() as line:
        line.say(do="watch", match=made["id"])
        match = line.hear("match")["match"]
        assert match["clock"]["running"] is None, "the other person may still be on his way"
        assert match["clock"]["left"] == [0.7, 0.7]
        time.sleep(0.8)
        line.say(do="move", match=made["id"], key=made["keys"][0], ply=0, move="b2")
        assert line.hear_match(1)["clock"]["running"] == 1
        match = line.hear("match")["match"]
        assert (match["outcome"], match["reason"]) == (1, "time")


def test_a_game_for_one(server: Served) -> None:
    made = server.begin("morpion", PERSON)
    with server.live() as line:
        line.say(do="watch", match=made["id"])
        match = line.hear_match(0)
        move = match["view"]["moves"][0]["text"]
        line.say(do="move", match=made["id"], key=made["keys"][0], ply=0, move=move)
        line.hear_match(1)
        line.say(do="undo", match=made["id"], key=made["keys"][0])
        assert line.hear("match")["match"]["played"] == []


def test_a_proven_win_tells_in_how_many_plies(server: Served) -> None:
    """First needs c1 and c5 to connect the top with the bottom, and may choose the order."""
    with server.live() as line:
        moves = ["c3", "a1", "c2", "a2", "c4", "a3"]
        line.say(do="think", id=9, game="hex:size=5", moves=moves, model="hex-5", seconds=20)
        found = line.hear("thought", id=9, ended=True)
        assert (found["proven"], found["plies"]) == (1, 3)
        assert found["moves"][0]["plies"] == 3
        assert found["moves"][0]["r"] == 1
        line.say(do="node", id=10, moves=[found["moves"][0]["move"]])
        answers = line.hear("node", id=10)["labels"]
        assert {each["plies"] for each in answers} == {2}, "every answer loses in two plies"


def test_thinking_is_streamed(server: Served) -> None:
    with server.live() as line:
        line.say(do="think", id=7, game="hex:size=5", moves=["c3"], model="hex-5", seconds=0.5)
        first = line.hear("thought", id=7)
        assert not first["ended"]
        last = line.hear("thought", id=7, ended=True)
        assert last["expansions"] > first["expansions"]
        best = last["moves"][0]
        assert best["v"] <= min(each["v"] for each in last["moves"])  # the second player's best
        assert last["line"][0] == last["best"]


def test_a_proof_ends_the_thinking(server: Served) -> None:
    moves = ["a1", "b1", "a2", "b2"]
    with server.live() as line:
        line.say(do="think", game="hex:size=5,swap=false", moves=moves[:1], model=None, seconds=0.2)
        assert line.hear("thought", ended=True)["moves"]
        line.say(do="think", game="tic_tac_toe", position="xxx/oo1/3 o", seconds=1)
        assert "over" in line.hear("refusal")["error"]


def test_a_stopped_search_is_the_last_word(server: Served) -> None:
    with server.live() as line:
        line.say(do="think", id=1, game="hex", seconds=10)
        line.hear("thought", id=1)
        line.say(do="stop")
        assert line.hear("thought", id=1, ended=True)["seconds"] < 9


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"do": "watch", "match": "nothing"}, "no such match"),
        ({"do": "dance"}, "'do' is one of"),
        ({"do": "think", "game": "chess"}, "chess"),
        ({"do": "think", "game": "hex", "moves": ["zz"]}, "zz"),
        ({"do": "think", "game": "hex", "seconds": 1e9}, "'seconds' is a number from"),
        ({"do": "think", "game": "hex:size=7", "model": "hex-5"}, "is for hex:size=5"),
    ],
)
def test_mistakes_get_one_sentence(
    server: Served, message: dict[str, object], sentence: str
) -> None:
    with server.live() as line:
        line.say(**message)
        assert sentence in line.hear("refusal")["error"]


def test_the_tree_can_be_looked_into(server: Served) -> None:
    with server.live() as line:
        line.say(do="node", id=1, moves=[])
        assert "analyse a position first" in line.hear("refusal", id=1)["error"]
        line.say(do="think", id=2, game="hex:size=5", model="hex-5", seconds=0.3)
        thought = line.hear("thought", id=2, ended=True)
        line.say(do="node", id=3, moves=[])
        root = line.hear("node", id=3)["labels"]
        assert root == thought["moves"]
        line.say(do="node", id=4, moves=thought["line"][:1])
        below = line.hear("node", id=4)["labels"]
        assert {each["move"] for each in below} > {"a1", "swap"} - set(thought["line"][:1])
        assert sum(each["n"] for each in below) <= sum(each["n"] for each in root)
        line.say(do="node", id=5, moves=["zz"])
        assert "zz" in line.hear("refusal", id=5)["error"]


def test_a_move_gives_the_tree_of_an_earlier_analysis_up(server: Served) -> None:
    """Nobody looks into it any more, and two hundred of them would fill the memory."""
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    with server.live() as line:
        line.say(do="watch", match=made["id"])
        line.hear_match(0)
        line.say(do="think", id=1, game="hex:size=5", seconds=0.1)
        line.hear("thought", id=1, ended=True)
        line.say(do="node", id=2, moves=[])
        assert line.hear("node", id=2)["labels"]
        line.say(do="move", match=made["id"], key=made["keys"][0], ply=0, move="b2")
        line.hear_match(1)
        line.say(do="node", id=3, moves=[])
        assert "analyse a position first" in line.hear("refusal", id=3)["error"]


def test_the_mistakes_of_a_match_are_found(server: Served) -> None:
    moves = ["b2", "b1", "c1", "a3"]  # b1 loses by force
    with server.live() as line:
        line.say(do="review", id=1, game="tic_tac_toe", moves=moves)
        assert line.hear("progress", id=1)["total"] == 5
        found = line.hear("review", id=1)
        assert len(found["values"]) == 5
        mistakes = {each["ply"]: each for each in found["mistakes"]}
        assert 1 in mistakes
        assert mistakes[1]["better"] in ("a1", "c1", "a3", "c3")
        line.say(do="review", id=2, game="tic_tac_toe", moves=[])
        assert "no move" in line.hear("refusal", id=2)["error"]


def test_a_review_goes_on_while_positions_are_looked_at(server: Served) -> None:
    moves = ["b2", "b1", "c1", "a3"]
    with server.live() as line:
        line.say(do="review", id=1, game="tic_tac_toe", moves=moves)
        line.say(do="think", id=2, game="tic_tac_toe", seconds=0.05)
        line.say(do="stop")
        assert len(line.hear("review", id=1)["values"]) == 5
        line.say(do="review", id=3, game="hex:size=5", moves=["c3", "swap"])
        line.say(do="stop", what="review")
        line.say(do="stop", what="everything")
        assert "one of think, review" in line.hear("refusal")["error"]


def test_records_go_out_and_come_in(server: Served) -> None:
    made = server.begin("hex:size=5", PERSON, PERSON, moves=["c3", "swap"])
    answer = server.get(f"api/matches/{made['id']}/record")
    assert "attachment" in answer.headers["content-disposition"]
    for text in (answer.text, "1. c3 swap"):
        line = server.post("api/records", {"text": text, "game": "hex:size=5"}).json()
        assert (line["game"], line["moves"]) == ("hex:size=5,swap=true", ["c3", "swap"])
    for text in (
        "zz",
        "{}",
        '{"version": 2}',
        "{" * 1000,
        "",
        "(;",
        "[",
        "(;GM[Othello]",
        "1g Xa1",
    ):
        answer = server.post("api/records", {"text": text, "game": "hex:size=5"})
        assert answer.status_code == 400, text
        assert "\n" not in answer.json()["error"]


SHORT = {
    "hex:size=5": ["c3", "swap", "d2"],
    "go:size=5": ["C3", "pass", "D2"],
    "othello": ["d3", "c3"],
    "international_draughts": ["32-28", "19-23"],
    "breakthrough": ["b2a3"],
}


@pytest.mark.parametrize("game", SHORT)
def test_every_format_of_a_game_comes_back(server: Served, game: str) -> None:
    made = server.begin(game, PERSON, PERSON, moves=SHORT[game])
    match = server.get(f"api/matches/{made['id']}").json()
    formats = server.get("api/offer").json()["formats"][game.partition(":")[0]]
    assert {".jsonl", ".txt"} <= set(formats)
    for name in formats:
        answer = server.get(f"api/matches/{made['id']}/record", params={"format": name})
        assert f'{name}"' in answer.headers["content-disposition"]
        line = server.post("api/records", {"text": answer.text, "game": "hex"}).json()
        assert (line["game"], line["moves"]) == (match["game"], match["played"]), name
        assert line["position"] == match["start"]


def test_a_format_that_does_not_fit_is_refused(server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    for name, words in ((".sgf", "tic_tac_toe"), ("../x", "one of .jsonl")):
        answer = server.get(f"api/matches/{made['id']}/record", params={"format": name})
        assert answer.status_code == 400
        assert words in answer.json()["error"]


def test_a_record_names_no_python_file(server: Served, tmp_path: Path) -> None:
    file = tmp_path / "evil.py"
    file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    texts = [
        f"# game: {file}\nc3",
        f"(;GM[1]XG[{file}];B[aa])",
        f'[AthenanGame "{file}"]\n1. 32-28',
    ]
    texts.append(json.dumps({"game": str(file), "moves": []}))
    for text in texts:
        assert server.post("api/records", {"text": text, "game": str(file)}).status_code == 400
    assert not (tmp_path / "ran").exists()


def test_a_long_match_keeps_few_states_and_forgets_no_move() -> None:
    """What a match shows is the same as with all of its states, also while it is taken back."""
    game, random = athenan.make_game("arimaa"), Random(4)
    seats, states, moves = [Seat(0, "P"), Seat(1, "P")], [game.initial_state()], list[int]()
    match = Match(states, moves, seats)
    for _ in range(90):
        legal = states[-1].legal_moves()
        moves.append(legal[random.below(len(legal))])
        states.append(states[-1].play(moves[-1]))
        match.play(moves[-1])
        assert match.as_json()["view"] == view_of(states, moves)
    texts = [state.move_to_string(move) for state, move in zip(states, moves, strict=False)]
    assert match.played == texts
    assert [each.position for each in match.states] == [each.position for each in states]
    assert len(match._recent) <= RECENT
    while moves:
        match._take_back(None)
        moves.pop()
        states.pop()
        assert match.state == states[-1]
        assert match.as_json()["view"] == view_of(states, moves)
    assert match.played == []
