"""How the page looks where a person would find fault: outlines, empty places, narrow screens."""

import json
from pathlib import Path

import pytest
from athenan.web.settings import Settings
from playwright.sync_api import Browser, Page, expect
from web.browsing import touch
from web.servers import Served, served
from web.test_house import write_run

PERSON = {"who": "person"}
QUICK = {"who": "machine", "level": 0}


def test_no_outline_is_drawn_around_a_whole_page(page: Page, server: Served) -> None:
    page.goto(server.url)
    page.keyboard.press("Tab")
    page.goto(f"{server.url}#/game/hex")
    expect(page.locator("form")).to_be_visible()
    expect(page.locator("main")).to_be_focused()
    assert page.locator("main").evaluate("(main) => getComputedStyle(main).outlineStyle") == "none"


def test_a_match_without_moves_says_so(page: Page, server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    said = "(list) => getComputedStyle(list, '::after').content"
    assert page.locator(".moves").evaluate(said) == '"No move yet."'
    touch(page, "1,1")
    expect(page.locator(".moves .move")).to_have_count(1)
    assert page.locator(".moves").evaluate(said) == "none"


def test_one_move_is_called_one(page: Page, server: Served) -> None:
    made = server.begin("international_draughts", PERSON, PERSON, position="W:W28,47:B22,12,1")
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    expect(page.get_by_label("All moves").locator("option").first).to_have_text("1 move")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_black_piece_beside_a_name_lies_on_a_light_ground(
    browser: Browser, server: Served, scheme: str
) -> None:
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    made = server.begin("othello:size=4", PERSON, PERSON)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    sample = page.locator(".player .sample").first
    ground = sample.evaluate("(each) => getComputedStyle(each).backgroundColor")
    red, green, blue = (int(each) for each in ground.removeprefix("rgb(")[:-1].split(","))
    assert min(red, green, blue) > 180
    context.close()


def test_a_phone_shows_how_a_match_ended_beside_its_board(browser: Browser, server: Served) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    moves = ["b2", "a1", "b1", "a2"]
    made = server.begin("tic_tac_toe", PERSON, PERSON, moves=moves)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    touch(page, "2,1")
    expect(page.locator(".parts .beside")).to_have_text("You win.")
    expect(page.locator(".parts .beside")).to_be_in_viewport()
    context.close()


def test_a_long_name_stays_on_one_line_beside_a_clock(browser: Browser, server: Served) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 844})
    page = context.new_page()
    machine = {"who": "machine", "model": "breakthrough-6x6", "level": 2}
    game = "breakthrough:rows=6,columns=6"
    made = server.begin(game, PERSON, machine, clock="1800+20")
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    row = page.locator(".player", has_text="breakthrough-6x6")
    box = row.bounding_box()
    assert box is not None
    assert box["height"] < 40
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    context.close()


def test_a_chart_of_one_point_names_its_place_once(page: Page, tmp_path: Path) -> None:
    run = write_run(tmp_path, "one", 3)
    line = {"kind": "evaluation", "matches": 30, "win_rate": 0.5, "low": 0.3, "high": 0.7}
    with (run / "metrics.jsonl").open("a") as file:
        file.write(json.dumps(line | {"seconds": 9.0, "opponent": "mcts:iterations=200"}) + "\n")
    with served(Settings(runs=tmp_path)) as server:
        page.goto(f"{server.url}#/training")
        rate = page.get_by_role("figure", name="Win rate against MCTS with 200 iterations")
        expect(rate.locator(".tick")).to_have_text(["0 %", "50 %", "100 %", "30", "matches"])


def test_a_lost_connection_is_said_until_it_is_back(page: Page, tmp_path: Path) -> None:
    with served(Settings(runs=tmp_path)) as server:
        page.goto(f"{server.url}#/analyse?game=tic_tac_toe")
        expect(page.locator(".board .picture svg")).to_be_visible()
    expect(page.locator("#notices")).to_have_text("The connection is lost; trying again …")
    page.wait_for_timeout(7000)
    expect(page.locator("#notices")).to_have_text("The connection is lost; trying again …")


def test_a_page_without_runs_says_what_to_do(page: Page, tmp_path: Path) -> None:
    with served(Settings(runs=tmp_path)) as server:
        page.goto(f"{server.url}#/training")
        expect(page.get_by_label("What the marked runs learn")).to_contain_text("Begin a training")
        expect(page.locator(".chart")).to_have_count(0)
