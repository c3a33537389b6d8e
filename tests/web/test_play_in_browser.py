"""Every game by clicks in a real browser."""

import re
from typing import Any

import pytest
from athenan import game_names
from playwright.sync_api import Page, expect
from web.browsing import moves_of, my_turn, play_match, touch
from web.servers import Served

PERSON = {"who": "person"}
QUICK = {"who": "machine", "level": 0}


def open_match(page: Page, server: Served, game: str, *seats: Any) -> None:
    made = server.begin(game, *seats)
    page.goto(server.url)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    expect(page.locator(".board .picture svg")).to_be_visible()


def test_one_click_in_the_gallery_begins_a_match(page: Page, server: Served) -> None:
    page.goto(server.url)
    expect(page.locator(".card")).to_have_count(len(game_names()))
    page.get_by_role("button", name="Play Tic-tac-toe").click()
    expect(page.locator(".status")).to_have_text("Your turn.")
    assert play_match(page, 1, 20) >= 5
    expect(page.locator(".status")).to_have_text(re.compile("You win|You lose|A draw"))
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


def test_a_match_against_a_model(page: Page, server: Served) -> None:
    open_match(page, server, "hex:size=5", PERSON, {"who": "machine", "model": "hex-5", "level": 1})
    play_match(page, 2, 60)
    expect(page.locator(".status")).to_have_text(re.compile("You win|You lose"))


def test_undo_and_flip(page: Page, server: Served) -> None:
    open_match(page, server, "breakthrough:rows=6,columns=6", PERSON, QUICK)
    assert my_turn(page)
    page.get_by_role("button", name="Flip").click()
    touch(page, "4,1")
    touch(page, "3,1")
    expect(page.locator(".moves .move")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".moves .move")).to_have_count(0)
    assert moves_of(page) == 0


@pytest.mark.parametrize("seat", [0, 1])
def test_a_click_is_answered_only_in_turn(page: Page, server: Served, seat: int) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][seat]}")
    waiting = "Your turn." if seat == 0 else "Waiting for the other player."
    expect(page.locator(".status")).to_have_text(waiting)
    touch(page, "1,1")
    expect(page.locator(".moves .move")).to_have_count(1 - seat)
