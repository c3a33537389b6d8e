"""The steps of a move, and which way round the board lies, in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect
from web.browsing import await_turn, touch
from web.servers import Served

PERSON = {"who": "person"}


def open_match(page: Page, server: Served, game: str, seat: int = 0, **more: object) -> None:
    made = server.begin(game, PERSON, PERSON, **more)
    page.goto(server.url)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][seat]}")
    expect(page.locator(".board .picture svg")).to_be_visible()


def test_a_piece_that_must_go_on_is_chosen_already(page: Page, server: Served) -> None:
    """The arrow of an amazon comes from the queen that has moved: nobody touches her again."""
    open_match(page, server, "amazons:size=6", moves=["a2d5"])
    await_turn(page)
    targets = page.locator(".marks .target").count()
    assert targets > 10
    expect(page.locator(".marks .chosen")).to_have_count(1)
    expect(page.get_by_role("button", name="Take back this step")).to_have_count(0)
    for _ in range(2):
        touch(page, "1,3")  # whoever touches her all the same loses nothing
        expect(page.locator(".marks .target")).to_have_count(targets)
    touch(page, "1,4")
    expect(page.locator(".moves .move")).to_have_text(["a2d5", "/e5"])


def test_a_jump_is_taken_back_as_a_whole(page: Page, server: Served) -> None:
    open_match(page, server, "international_draughts", position="W:W38:B33,23,12")
    await_turn(page)
    touch(page, "5,6")  # over the first of three
    expect(page.locator(".marks .chosen")).to_have_count(3)
    page.get_by_role("button", name="Take back this step").click()
    expect(page.locator(".marks .chosen")).to_have_count(1)
    for cell in ("5,6", "3,4", "1,2"):
        touch(page, cell)
    expect(page.locator(".moves .move")).to_have_text(["38x7"])


@pytest.mark.parametrize(
    ("game", "turned"), [("breakthrough", True), ("connect_four", False), ("hex:size=5", False)]
)
def test_only_who_sits_on_the_other_side_sees_the_board_turned(
    page: Page, server: Served, game: str, turned: bool
) -> None:
    """Nothing falls upwards in Connect Four."""
    open_match(page, server, game, seat=1)
    assert ("flipped" in (page.locator(".board").get_attribute("class") or "")) == turned


def test_a_pass_has_its_value_on_its_button(page: Page, server: Served) -> None:
    page.goto(f"{server.url}#/analyse?game=go:size=2&think=1")
    expect(page.locator(".parts [data-move=pass]")).to_have_attribute(
        "data-value", re.compile("[0-9]|win|draw|loss")
    )
    page.get_by_role("button", name="Hide thinking").click()
    expect(page.locator(".parts [data-move=pass]")).to_have_attribute("data-value", "")


def test_a_match_is_played_again_with_sides_changed(page: Page, server: Served) -> None:
    machine = {"who": "machine", "level": 5, "seconds": 0.5}
    moves = ["b2", "a1", "b1", "a2", "b3"]
    made = server.begin("tic_tac_toe", PERSON, machine, moves=moves, clock="300+3")
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    expect(page.locator(".status")).to_have_text("You win.")
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".moves .move")).to_have_count(1)
    expect(page.locator(".status")).to_have_text("Your turn.")
    expect(page.locator(".player", has_text="You")).to_contain_text("second")
    expect(page.locator(".player", has_text="MCTS")).to_contain_text("full strength, 0.5 s")
    expect(page.locator(".clock").first).to_be_visible()
    assert made["id"] not in page.url


def test_after_a_match_another_one_is_a_click_away(page: Page, server: Served) -> None:
    """Also for a spectator, who cannot ask the players to play again."""
    made = server.begin("tic_tac_toe", PERSON, PERSON, moves=["b2", "a1", "b1", "a2", "b3"])
    page.goto(f"{server.url}#/match/{made['id']}")
    expect(page.get_by_role("button", name="Review")).to_be_visible()
    expect(page.get_by_role("button", name="Play again")).to_have_count(0)
    page.get_by_role("link", name="New match").click()
    expect(page.get_by_role("heading", name="Tic-tac-toe")).to_be_visible()


def test_the_gallery_leads_to_the_options_of_a_game(page: Page, server: Served) -> None:
    page.goto(server.url)
    page.get_by_role("link", name="Options of Hex").click()
    expect(page.locator("form")).to_contain_text("hex-11 learned Hex, size 11, swap.")
    page.get_by_label("Opponent").select_option("mcts")
    expect(page.get_by_label("size")).to_have_value("11")


def test_an_earlier_position_leads_back_to_the_match(page: Page, server: Served) -> None:
    open_match(page, server, "tic_tac_toe", moves=["b2", "a1"])
    await_turn(page)
    page.get_by_role("button", name="One move back").click()
    expect(page.locator(".prompt")).to_have_text("An earlier position.")
    expect(page.locator(".touch .cell.playable")).to_have_count(0)
    page.get_by_role("button", name="Back to the match").click()
    expect(page.locator(".prompt")).to_have_text("Choose a cell.")
    expect(page.locator(".touch .cell.playable")).to_have_count(7)


@pytest.mark.parametrize(("who", "words"), [("you", "Your turn."), ("MCTS (no learning)", "MCTS")])
def test_a_game_for_one_is_played_by_who_was_chosen(
    page: Page, server: Served, who: str, words: str
) -> None:
    page.goto(f"{server.url}#/game/morpion")
    expect(page.get_by_label("Who plays")).to_have_value("both")
    page.get_by_label("Who plays").select_option(who)
    page.locator("form").get_by_role("button", name="Play").click()
    expect(page.locator(".status")).to_contain_text(words)


def test_an_address_without_a_page_leads_to_the_games(page: Page, server: Served) -> None:
    page.goto(f"{server.url}#/nothing")
    expect(page.locator("main")).to_contain_text("There is no such page.")
    page.get_by_role("link", name="All games").click()
    expect(page.locator(".card").first).to_be_visible()


def test_keys_step_through_an_analysis_and_flip_its_board(page: Page, server: Served) -> None:
    page.goto(f"{server.url}#/analyse?game=breakthrough&moves=b2b3+b7b6+c2c3")
    current = page.locator(".moves [aria-current]")
    expect(current).to_have_text("c2c3")
    for key, move in (("ArrowLeft", "b7b6"), ("[", "b2b3"), ("]", "b7b6"), ("ArrowRight", "c2c3")):
        page.keyboard.press(key)
        expect(current).to_have_text(move)
    page.keyboard.press("f")
    assert "flipped" in (page.locator(".board").get_attribute("class") or "")


def test_a_pass_of_the_other_side_is_told(page: Page, server: Served) -> None:
    open_match(page, server, "go:size=5", moves=["C3", "pass"])
    await_turn(page)
    expect(page.locator(".prompt")).to_have_text("The second player played pass. Choose a cell.")
