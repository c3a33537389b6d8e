"""What two persons and a spectator see of one match, each in a browser of his own."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from web.browsing import touch
from web.servers import Served

PERSON = {"who": "person"}


@pytest.fixture
def three(browser: Browser, server: Served) -> Iterator[list[Page]]:
    """The first player, the second player and a spectator of a match of tic-tac-toe."""
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    pages = [browser.new_context().new_page() for _ in range(3)]
    for page, key in zip(pages, [f"?key={key}" for key in made["keys"]] + [""], strict=True):
        page.goto(f"{server.url}#/match/{made['id']}{key}")
        expect(page.locator(".board .picture svg")).to_be_visible()
    yield pages
    for page in pages:
        page.context.close()


def test_a_spectator_is_not_spoken_to_as_a_player(three: list[Page]) -> None:
    first, _, spectator = three
    expect(spectator.locator(".status")).to_have_text("The first player is to move.")
    expect(spectator.locator(".player strong")).to_have_text(["Person", "Person"])
    expect(first.locator(".player strong")).to_have_text(["Other person", "You"])
    expect(spectator.get_by_role("button", name="Undo")).to_have_count(0)
    touch(first, "1,1")
    expect(spectator.locator(".status")).to_have_text("The second player is to move.")


def test_to_take_back_a_move_is_asked_and_allowed(three: list[Page]) -> None:
    first, second, spectator = three
    touch(first, "1,1")
    expect(second.locator(".status")).to_have_text("Your turn.")
    first.get_by_role("button", name="Undo").click()
    expect(first.get_by_role("button", name="Undo")).to_be_disabled()
    expect(first.locator(".status")).to_have_text("You asked to take back a move.")
    expect(second.locator(".status")).to_have_text("The other player asks to take back a move.")
    expect(spectator.locator(".status")).to_have_text("The first player asks to take back a move.")
    second.get_by_role("button", name="Allow undo").click()
    for page in three:
        expect(page.locator(".moves .move")).to_have_count(0)
    expect(second.get_by_role("button", name="Undo", exact=True)).to_be_disabled()


def test_who_plays_on_does_not_allow_it(three: list[Page]) -> None:
    first, second, _ = three
    touch(first, "1,1")
    expect(second.locator(".status")).to_have_text("Your turn.")
    first.get_by_role("button", name="Undo").click()
    expect(second.get_by_role("button", name="Allow undo")).to_be_visible()
    touch(second, "0,0")
    expect(first.locator(".status")).to_have_text("Your turn.")
    expect(first.get_by_role("button", name="Undo")).to_be_enabled()


def test_an_invitation_says_what_to_do_with_the_link(page: Page, server: Served) -> None:
    page.goto(f"{server.url}#/game/tic_tac_toe")
    page.get_by_label("Opponent").select_option("person")
    page.locator("form").get_by_role("button", name="Play").click()
    expect(page.get_by_text("Send this link to the other player:")).to_be_visible()
    expect(page.get_by_label("The link for the other player")).to_be_visible()
