"""What who cannot see, or use a mouse, or tell colours apart, meets on the page."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from athenan.web.settings import Settings
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from web.browsing import await_turn, is_over
from web.servers import Served, served
from web.test_house import write_run

PERSON = {"who": "person"}
QUICK = {"who": "machine", "level": 0}
PARTS = {
    "gallery": "",
    "setup": "game/hex",
    "analyse": "analyse?game=othello:size=6&moves=c2+d2",
    "training": "training",
    "arena": "arena",
}


def findings(page: Page) -> list[str]:
    """Return what an audit by the rules of WCAG 2.2 A and AA finds, with where."""
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    found: dict[str, Any] = Axe().run(page, options=rules).response
    return [
        f"{each['id']} ({each['help']}): {node['html'][:120]}"
        for each in found["violations"]
        for node in each["nodes"][:3]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("part", PARTS)
def test_an_audit_finds_nothing(browser: Browser, server: Served, part: str, scheme: Any) -> None:
    context = browser.new_context(viewport={"width": 1100, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{server.url}#/{PARTS[part]}")
    page.wait_for_selector("main .page h1, main .page .board .picture svg")
    page.wait_for_load_state("networkidle")
    assert findings(page) == []
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_audit_of_a_match_finds_nothing(browser: Browser, server: Served, scheme: Any) -> None:
    made = server.begin("othello:size=4", PERSON, PERSON, clock="300+3")
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    page.get_by_role("button", name="Show thinking").click()
    expect(page.locator(".heat .value").first).to_be_visible()
    assert findings(page) == []
    context.close()


def test_a_match_by_keys_and_by_what_a_screen_reader_says(page: Page, server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    expect(page.get_by_role("status").first).to_have_text("Your turn.")
    board = page.get_by_role("group", name="Board")
    assert board.get_by_role("button").count() == 9
    middle = page.get_by_role("button", name="b2, empty, playable")
    middle.focus()
    page.keyboard.press("ArrowLeft")
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == "a2, empty, playable"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="b2, first player's cross")).to_be_visible()
    expect(page.get_by_role("status").first).to_have_text("Waiting for the other player.")


FOCUSED = """() => {
  const { role, innerText, dataset, ariaLabel } = document.activeElement;
  return [dataset.cell ?? "", ariaLabel ?? innerText ?? ""];
}"""


def tab_to(page: Page, words: str) -> str:
    """Press Tab until something of this name has the focus; return its cell, if it is one."""
    for _ in range(80):
        page.keyboard.press("Tab")
        cell, name = page.evaluate(FOCUSED)
        if words in name:
            return str(cell)
    raise AssertionError(f"Tab never reaches {words!r}")


def go_by_arrows(page: Page, start: str, end: str) -> None:
    """Move the focus on a board of squares."""
    (row, column), (to_row, to_column) = (map(int, each.split(",")) for each in (start, end))
    down, right = to_row - row, to_column - column
    for key in ["ArrowDown" if down > 0 else "ArrowUp"] * abs(down):
        page.keyboard.press(key)
    for key in ["ArrowRight" if right > 0 else "ArrowLeft"] * abs(right):
        page.keyboard.press(key)
    assert page.evaluate(FOCUSED)[0] == end


def test_a_whole_match_by_keys_alone(page: Page, server: Served) -> None:
    """From the gallery to the end, with what is heard on the way."""
    page.goto(server.url)
    page.wait_for_selector(".card")
    tab_to(page, "Play Tic-tac-toe")
    page.keyboard.press("Enter")
    seen = await_turn(page)
    here = tab_to(page, ", empty, playable")
    while not is_over(seen):
        free = page.locator(".touch .cell.playable").first.get_attribute("data-cell")
        assert free is not None
        go_by_arrows(page, here, free)
        page.keyboard.press("Enter")
        expect(page.locator(f'.cell[data-cell="{free}"]')).to_have_accessible_name(
            re.compile("first player's cross$")
        )
        seen, here = await_turn(page), free
        if not is_over(seen):
            played = re.compile(r"^tic-tac-toe played [abc][123]\.$")  # the model of that name
            expect(page.locator(".heard")).to_have_text(played)
        assert page.evaluate(FOCUSED)[0] == free  # whoever plays by keys keeps his place
    tab_to(page, "Play again")
    tab_to(page, "New match")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Tic-tac-toe")).to_be_visible()
    expect(page).to_have_title("New match · athenan")


def test_moves_by_touch_on_a_phone(browser: Browser, server: Served) -> None:
    made = server.begin("breakthrough:rows=6,columns=6", PERSON, PERSON)
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    await_turn(page)
    for cell in ("4,1", "3,2"):
        box = page.locator(f'.touch .cell[data-cell="{cell}"]').bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24  # the least of WCAG 2.2
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".moves .move")).to_have_text(["b2c3"])
    context.close()


def test_pieces_are_called_what_they_are(page: Page, server: Served) -> None:
    """White and black pawns are no mere letters in two cases, which sound the same."""
    page.goto(f"{server.url}#/analyse?game=breakthrough")
    board = page.get_by_role("group", name="Board")
    expect(board.get_by_role("button", name="a2, first player's pawn, playable")).to_be_visible()
    expect(board.get_by_role("button", name="a7, second player's pawn")).to_be_visible()


# Colours as a person without one kind of cones sees them (Machado, Oliveira, Fernandes 2009).
VISIONS = {
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
COLOURS = """(chosen) => chosen.map((name) => {
  const probe = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  probe.setAttribute("class", name);
  document.querySelector(".heat").append(probe);
  const found = getComputedStyle(probe).fill.match(/[0-9.]+/g).slice(0, 3).map(Number);
  probe.remove();
  return found;
})"""


def lightness_and_hue(colour: list[float], matrix: Any) -> tuple[float, float, float]:
    """Return CIE L*a*b* of a colour as somebody sees it."""
    linear = [((c / 255 + 0.055) / 1.055) ** 2.4 if c > 10 else c / 255 / 12.92 for c in colour]
    r, g, b = (sum(m * c for m, c in zip(row, linear, strict=True)) for row in matrix)
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    fx, fy, fz = (max(each, 0.0) ** (1 / 3) if each > 0.0089 else 7.787 * each + 16 / 116
                  for each in (x, y, z))  # fmt: skip
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("vision", VISIONS)
def test_good_and_bad_moves_differ_for_every_colour_vision(
    page: Page, server: Served, vision: str
) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    page.goto(f"{server.url}#/match/{made['id']}")
    page.wait_for_selector(".board .picture svg")
    shades = [f"warmth w{n}" for n in (0, 3, 5, 8, 10)]  # from the worst move to the best
    seen = [lightness_and_hue(each, VISIONS[vision]) for each in page.evaluate(COLOURS, shades)]

    def distance(a: int, b: int) -> float:
        return float(sum((p - q) ** 2 for p, q in zip(seen[a], seen[b], strict=True)) ** 0.5)

    assert distance(0, 4) > 40  # 2 is a difference that people just see
    assert all(distance(n, n + 1) > 8 for n in range(4))


def test_an_audit_of_what_is_under_way_finds_nothing(page: Page, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run = write_run(tmp_path, name, 3)
        (run / "config.toml").write_text(f'game = "hex:size=5"\nnote = "{name}"\n')
    seen = {"game": "hex:size=5", "number": 7, "moves": ["c3"], "values": [0.5]}
    (tmp_path / "one" / "match.json").write_text(json.dumps(seen))
    with served(Settings(runs=tmp_path)) as server:
        page.goto(f"{server.url}#/training")
        for name in ("one", "two"):
            page.get_by_label(name).check()
        expect(page.locator(".selfplay .piece")).to_have_count(1)
        expect(page.get_by_role("row", name="note")).to_be_visible()
        assert findings(page) == []
        page.goto(f"{server.url}#/arena")
        page.get_by_label("Game").select_option("tic_tac_toe")
        page.get_by_role("button", name="Begin").click()
        expect(page.locator("[data-tournament]")).to_contain_text("over", timeout=30_000)
        page.locator("[data-tournament] summary").click()
        expect(page.locator("[data-tournament] button.move").first).to_be_visible()
        assert findings(page) == []
