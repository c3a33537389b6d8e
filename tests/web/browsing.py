"""Playing in a browser: what a person does with the mouse."""

import time
from random import Random
from typing import Any

from playwright.sync_api import Page

PATIENCE = 20.0
"""Seconds after which a page that does not answer has failed."""
LOOK = """() => {
  const middle = (each) => {
    const box = each.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  return {
    status: document.querySelector(".status")?.textContent ?? "",
    moves: all(".moves .move").length,
    touched: all(".marks .chosen").length,
    cells: all(".touch .cell.playable").map(middle),
    buttons: all(".parts button[data-move]").map(middle),
  };
}"""
"""What a person sees at one moment: who is to move, and where he may click."""
TURN = ("Your turn", "to move")
OVER = ("You win", "You lose", "A draw", "wins", "The end")


def look(page: Page) -> dict[str, Any]:
    """Return what the page shows."""
    seen: dict[str, Any] = page.evaluate(LOOK)
    return seen


def moves_of(page: Page) -> int:
    """Return how many moves the page shows."""
    return int(look(page)["moves"])


def touch(page: Page, cell: str) -> None:
    """Click a cell where a person would."""
    box = page.locator(f'.touch .cell[data-cell="{cell}"]').bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def await_turn(page: Page) -> dict[str, Any]:
    """Wait until a person may click, or the match is over; return what the page shows then."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        seen = look(page)
        if any(words in seen["status"] for words in OVER):
            return seen
        if any(words in seen["status"] for words in TURN) and (seen["cells"] or seen["buttons"]):
            return seen
        time.sleep(0.01)
    raise AssertionError(f"the page shows {look(page)}")


def is_over(seen: dict[str, Any]) -> bool:
    """Tell whether the match that the page shows is over."""
    return any(words in seen["status"] for words in OVER)


def play_match(page: Page, seed: int, plies: int) -> int:
    """Play to the end by clicks, or for so many plies; return the plies played.

    Any cell or button that the page offers is clicked, so every touch leads on to a legal move.
    """
    random = Random(seed)
    seen = await_turn(page)
    while not is_over(seen) and seen["moves"] < plies:
        for_a_button = seen["buttons"] and (not seen["cells"] or random.random() < 0.3)
        offered = seen["buttons"] if for_a_button else seen["cells"]
        page.mouse.click(*random.choice(offered))
        seen = await_turn(page)
    return int(seen["moves"])
