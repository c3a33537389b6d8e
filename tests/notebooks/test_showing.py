"""What notebooks show of athenan's objects, and the helpers for loops and trainings."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import athenan
import pytest
from athenan import html
from athenan.arena import Match, play_matches, player, tally_of
from athenan.notebooks import Chart, LivePlot, curves, progress, svg_of_charts
from athenan.notebooks.shown import Shown
from athenan.pictures import svg_of

EXAMPLES = Path(__file__).parents[2] / "examples"


def shown(thing: Any, form: str) -> str:
    """Return what a notebook asks an object for."""
    text = getattr(thing, f"_repr_{form}_")()
    assert isinstance(text, str)
    return text


def test_states_draw_themselves() -> None:
    state = athenan.make_game("hex:size=4").initial_state().play("b2")
    assert shown(state, "svg") == svg_of(state)


def test_games_and_datasheets_are_tables() -> None:
    game = athenan.make_game("othello:size=6")
    table = ET.fromstring(shown(game, "html"))
    facts = {row[0].text: row[1].text for row in table.iter("tr")}
    assert facts["name"] == "othello:size=6"
    assert facts["planes"] == "4 of 6 × 6"
    assert "option size" in facts
    sheet = ET.fromstring(shown(game.datasheet, "html"))
    assert sheet.findtext("caption") == game.datasheet.title


def test_games_in_python_files_show_their_options_and_matches(tmp_path: Path) -> None:
    file = tmp_path / "boxes_of_a_notebook.py"
    file.write_text((EXAMPLES / "dots_and_boxes.py").read_text() + "\n# of a notebook\n")
    position = athenan.make_game(str(EXAMPLES / "dots_and_boxes.py"), size=1).initial_state()
    match = Match(f"{file}:size=1", position.position, ("a", "b"), ("b1", "a2"), None)
    assert match._repr_svg_() is None, "no file is run because a record names it"
    game = athenan.make_game(f"{file}:size=1")
    assert "option size" in shown(game, "html")
    assert "first player to move" in shown(match, "svg")


def test_matches_show_their_end() -> None:
    match = Match("hex:size=3,swap=false", "3/3/3 x", ("<b>", "o"), ("b2", "a1"), None)
    assert "second player played a1" in shown(match, "svg")
    text = shown(match, "html")
    assert "&lt;b&gt;" in text
    assert "b2 a1" in text
    assert "<svg" in text
    unknown = Match("mine.py", "?", ("a", "b"), ("x",), 1)
    assert unknown._repr_svg_() is None
    assert "mine.py" in shown(unknown, "html")


def test_tallies_are_tables() -> None:
    game = athenan.make_game("tic_tac_toe")
    players = player("ubfm-safe:expansions=50", game), player("random", game)
    tally = tally_of(play_matches(game, *players, 4))
    assert f"score of A: {tally.counts.score:.3f}" in shown(tally, "html")


def test_results_show_board_and_table() -> None:
    state = athenan.make_game("tic_tac_toe").parse_position("xx1/oo1/3 x")
    text = shown(athenan.search(state, expansions=50), "html")
    assert "<svg" in text
    assert text.index(">c1<") < text.index(">c2<")  # the best one first
    assert "proven: the first player wins" in text
    text = shown(athenan.solve(state), "html")
    assert "best play" in text
    assert "<svg" in text


def test_analyses_show_picture_and_table() -> None:
    from athenan.analysis import analyse

    state = athenan.make_game("tic_tac_toe").parse_position("xx1/oo1/3 x")
    judged = analyse(state, spec="ubfm-safe", expansions=50)
    assert repr(judged) == "<Judgement of ply 4: c1, value +1, proven +1>"
    assert "<svg" in shown(judged, "html")
    match = Match("tic_tac_toe", "3/3/3 x", ("a", "b"), ("b2", "b1", "c1"), None)
    analysis = analyse(match, spec="ubfm-safe", expansions=2000)
    assert repr(analysis) == "<MatchAnalysis of tic_tac_toe: 3 moves, 1 mistake>"
    assert "1 mistake" in shown(analysis, "html")


def test_progress_yields_everything_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress(iter("abc"))) == ["a", "b", "c"]
    assert list(progress([])) == []
    assert capsys.readouterr().err == ""  # nothing to wait for


def test_progress_reports_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("athenan.notebooks.loops.RARELY", 0.0)
    assert list(progress([1, 2], what="matches")) == [1, 2]
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("1 of 2 matches, 0 s, 0 s left")
    assert second.startswith("2 of 2 matches, 0 s")


def test_charts_show_their_points() -> None:
    points = [(float(x), float(x * x)) for x in range(1000)]
    chart = ET.fromstring(svg_of_charts([Chart("squares <x>", "x", points)]))
    line = chart.find(".//{http://www.w3.org/2000/svg}polyline")
    assert line is not None
    assert len(line.attrib["points"].split()) == 200
    assert ET.fromstring(svg_of_charts([Chart("none", "x", [])])) is not None
    flat = svg_of_charts([Chart("flat", "x", [(1.0, 2.0)])])
    assert "nan" not in flat


def test_tables_escape_what_they_are_given() -> None:
    assert "<script>" not in html.table(["<script>"], [["<script>", None, 1, 0.5]])


def test_sentences_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    shown = list[str]()
    monkeypatch.setattr(Shown, "show", lambda _self, html, _plain: shown.append(html))
    plot = LivePlot()
    plot.say("the run <b> & others")
    plot.draw()
    assert shown[-1].endswith("<p>the run &lt;b&gt; &amp; others</p>")


def test_a_training_is_drawn_while_it_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    from athenan.runs import train

    plot = LivePlot()
    settings = {
        "hardware": {"device": "cpu", "threads": 1},
        "network": {"filters": 4, "blocks": 0, "dense": (4,)},
        "selfplay": {"search": "descent:expansions=5", "matches": 2},
        "evaluation": {"every_minutes": 0},
    }
    game = athenan.make_game("tic_tac_toe")
    run = train(game, tmp_path / "run", matches=4, settings=settings, listeners=[plot])
    plot.draw()
    assert run.model.is_file()
    assert any(line["kind"] == "training" for line in plot.lines)
    assert plot.svg() == curves(plot.lines)
    assert "loss" in plot.svg()
    assert "4 matches" in capsys.readouterr().err
    assert athenan.search(game.initial_state(), run.path, expansions=5).best_move >= 0
    with pytest.raises(athenan.Error, match="is a run already"):
        train(game, tmp_path / "run", matches=4)
