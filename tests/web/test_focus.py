"""Where the keys go after the page has drawn something anew."""

from playwright.sync_api import Browser, Page, expect
from web.browsing import await_turn, touch
from web.servers import Served

PERSON = {"who": "person"}
QUICK = {"who": "machine", "level": 0}
FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


def open_match(page: Page, server: Served, game: str, *seats: object, **more: object) -> None:
    made = server.begin(game, *seats, **more)  # type: ignore[arg-type]
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    await_turn(page)


def test_a_button_keeps_the_focus_when_the_match_goes_on(page: Page, server: Served) -> None:
    open_match(page, server, "tic_tac_toe", PERSON, QUICK)
    touch(page, "1,1")
    expect(page.locator(".moves .move")).to_have_count(2)
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".moves .move")).to_have_count(0)
    assert page.evaluate(FOCUSED) == "Hint"  # there is nothing to take back any more
    touch(page, "1,1")
    page.get_by_role("button", name="Share").focus()
    expect(page.locator(".moves .move")).to_have_count(2)
    assert page.evaluate(FOCUSED) == "Share"


def test_a_choice_that_is_open_stays_open_when_the_other_side_moves(
    page: Page, server: Served
) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON, moves=["b2"])
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    save = page.get_by_label("Save")
    save.focus()
    before = save.element_handle()
    with server.live() as line:
        line.say(do="watch", match=made["id"])
        line.say(do="move", match=made["id"], key=made["keys"][1], ply=1, move="a1")
        expect(page.locator(".moves .move")).to_have_count(2)
    assert before is not None
    assert before.evaluate("(save) => save === document.activeElement")


def test_a_move_that_is_looked_at_keeps_the_focus(page: Page, server: Served) -> None:
    open_match(page, server, "go:size=3", PERSON, PERSON, moves=["B2", "pass"])
    page.locator('.moves [data-ply="1"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('.moves [data-ply="1"][aria-current]')).to_be_focused()


def test_a_step_that_is_taken_back_leaves_the_keys_at_the_board(page: Page, server: Served) -> None:
    open_match(page, server, "breakthrough:rows=6,columns=6", PERSON, PERSON)
    touch(page, "4,1")
    page.get_by_role("button", name="Take back this step").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Take back this step")).to_have_count(0)
    assert page.evaluate(
        "document.querySelector('.field-of-play').contains(document.activeElement)"
    )


def test_a_mistake_brings_the_board_into_view(browser: Browser, server: Served) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 600})
    page = context.new_page()
    lost = ["a1", "b2", "a2", "a3", "b1", "c1"]
    made = server.begin("tic_tac_toe", PERSON, QUICK, moves=lost)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    page.get_by_role("button", name="Why did I lose?").click()
    page.locator(".mistakes li", has_text="5. b1").get_by_role("button").click()
    expect(page.locator(".board")).to_be_in_viewport(ratio=0.99)
    plies = page.locator(".mistakes .ply")
    expect(plies.first).to_have_css("white-space-collapse", "collapse")
    expect(plies.first).to_have_css("text-wrap-mode", "nowrap")
    context.close()
