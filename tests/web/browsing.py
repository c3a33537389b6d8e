"""Playing in a browser: what a person does with the mouse."""

import re
from random import Random

from playwright.sync_api import Page, expect

WAIT = 20_000  # milliseconds
NEXT = ".marks .chosen, .cell.playable, .parts button[data-move]"


def moves_of(page: Page) -> int:
    """Return how many moves the page shows."""
    return page.locator(".moves .move").count()


def touch(page: Page, cell: str) -> None:
    """Click a cell where a person would."""
    box = page.locator(f'.cell[data-cell="{cell}"]').bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def play_a_move(page: Page, random: Random) -> None:
    """Make one move by clicks: any cell that is offered, until the move is made."""
    before = moves_of(page)
    for _ in range(20):
        buttons = page.locator(".parts button[data-move]")
        offered = page.locator(".cell.playable")
        if buttons.count() and (offered.count() == 0 or random.random() < 0.3):
            buttons.nth(random.randrange(buttons.count())).click()
        else:
            cells = offered.evaluate_all("all => all.map(each => each.dataset.cell)")
            touch(page, random.choice(cells))
        if has_moved(page, before):
            return
    raise AssertionError("twenty clicks made no move")


def has_moved(page: Page, before: int) -> bool:
    """Tell whether the move was made, as soon as the page knows."""
    page.wait_for_function(
        f"""before => document.querySelectorAll(".moves .move").length > before
            || document.querySelector("{NEXT}")""",
        arg=before,
        timeout=WAIT,
    )
    return moves_of(page) > before


def my_turn(page: Page) -> bool:
    """Wait until it is a person's turn, or the match is over; tell which."""
    words = re.compile(r"Your turn|to move|You win|You lose|A draw|wins|The end")
    expect(page.locator(".status")).to_have_text(words, timeout=WAIT)
    text = page.locator(".status").inner_text()
    return "Your turn" in text or "to move" in text


def play_match(page: Page, seed: int, plies: int) -> int:
    """Play to the end by clicks, or for so many plies; return the plies played."""
    random = Random(seed)
    while my_turn(page) and moves_of(page) < plies:
        play_a_move(page, random)
    return moves_of(page)
