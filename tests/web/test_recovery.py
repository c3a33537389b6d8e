"""What the page does when the server or the network fails it, in a real browser."""

import re
from collections.abc import Iterator

import pytest
from athenan.web.settings import Limits, Settings
from playwright.sync_api import Page, WebSocketRoute, expect
from web.browsing import await_turn, touch
from web.servers import Served, served

PERSON = {"who": "person"}
QUICK = {"who": "machine", "level": 0}
FORGOTTEN = "The server has forgotten this match."


@pytest.fixture
def forgetful() -> Iterator[Served]:
    """A server that keeps one match: each new one lets it forget the one before."""
    with served(Settings(limits=Limits(matches=1, memory_mb=64))) as running:
        yield running


def open_match(page: Page, server: Served, made: dict[str, list[str]], seat: int = 0) -> None:
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][seat]}")
    expect(page.locator(".board .picture svg")).to_be_visible()


def test_a_forgotten_match_goes_on_in_a_new_one(page: Page, forgetful: Served) -> None:
    routes: list[WebSocketRoute] = []

    def pass_on(route: WebSocketRoute) -> None:
        routes.append(route)
        route.connect_to_server()

    page.route_web_socket(re.compile("api/live"), pass_on)
    machine = {"who": "machine", "level": 5, "seconds": 0.5}
    made = forgetful.begin("tic_tac_toe", machine, PERSON, moves=["b2", "a1"], clock="300+3")
    page.goto(f"{forgetful.url}#/match/{made['id']}?key={made['keys'][1]}")
    await_turn(page)
    expect(page.locator(".moves .move")).to_have_count(3)
    before = page.locator(".moves .move").all_text_contents()
    forgetful.begin("tic_tac_toe", PERSON, PERSON)
    routes[0].close()
    expect(page.locator(".status")).to_have_text(FORGOTTEN)
    expect(page.locator(".touch .cell.playable")).to_have_count(0)
    page.get_by_role("button", name="Go on in a new match").click()
    expect(page.locator(".status")).to_have_text("Your turn.")
    assert made["id"] not in page.url
    assert page.locator(".moves .move").all_text_contents() == before
    expect(page.locator(".player", has_text="MCTS")).to_contain_text("full strength, 0.5 s")
    expect(page.locator(".clock").first).to_be_visible()
    expect(page.locator("#notices")).to_have_text("")


def test_a_move_in_a_forgotten_match_says_so(page: Page, forgetful: Served) -> None:
    open_match(page, forgetful, forgetful.begin("tic_tac_toe", PERSON, PERSON))
    await_turn(page)
    forgetful.begin("tic_tac_toe", PERSON, PERSON)
    touch(page, "1,1")
    expect(page.locator(".status")).to_have_text(FORGOTTEN)
    page.get_by_role("button", name="Go on in a new match").click()
    expect(page.locator(".status")).to_have_text("Your turn.")
    link = page.get_by_label("The link for the other player")
    assert link.input_value().startswith(f"{forgetful.url}#/match/")
    assert link.evaluate("(field) => field.readOnly")


def test_an_unknown_match_leads_to_the_games(page: Page, forgetful: Served) -> None:
    page.goto(f"{forgetful.url}#/match/nothing")
    expect(page.locator(".status")).to_have_text(re.compile("^There is no such match here"))
    page.get_by_role("link", name="All games").click()
    expect(page.locator(".card").first).to_be_visible()
    expect(page.locator("#notices")).to_have_text("")


def test_a_network_that_is_gone_is_noticed_after_a_move(page: Page, forgetful: Served) -> None:
    """No packet comes any more, and nothing tells the page so."""
    lines: list[WebSocketRoute] = []
    gone: list[WebSocketRoute] = []

    def pass_on(route: WebSocketRoute) -> None:
        there = route.connect_to_server()
        lines.append(route)
        route.on_message(lambda words: None if route in gone else there.send(words))
        there.on_message(lambda words: None if route in gone else route.send(words))

    page.route_web_socket(re.compile("api/live"), pass_on)
    open_match(page, forgetful, forgetful.begin("tic_tac_toe", PERSON, QUICK))
    await_turn(page)
    gone.extend(lines)
    touch(page, "1,1")
    expect(page.locator(".touch .cell.playable")).to_have_count(0)
    expect(page.locator(".touch .cell.playable")).to_have_count(9)  # it may be made again
    assert len(lines) == 2
    touch(page, "1,1")
    expect(page.locator(".moves .move")).to_have_count(2)


def test_a_link_that_cannot_be_copied_is_shown_to_be_copied(page: Page, server: Served) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    made = server.begin("tic_tac_toe", PERSON, QUICK)
    open_match(page, server, made)
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("The link for spectators")
    expect(link).to_have_value(f"{server.url}#/match/{made['id']}")
    expect(link).to_be_focused()
    page.keyboard.type("x")
    expect(link).to_have_value(f"{server.url}#/match/{made['id']}")
