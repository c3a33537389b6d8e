"""Takes docs/images/web-*.png, the pictures of docs/web.md: `make screenshots`.

Drives Debian's Chromium against a server of its own. The picture of the trainings needs two of
them; they are made here and take some minutes. What the pictures show is chosen, so that each can
be taken again; the values in them are those of the search that ran at that moment.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, expect, sync_playwright

IMAGES = Path(__file__).parent / "images"
DESKTOP, PHONE = (1280, 860), (390, 844)
PERSON = {"who": "person"}
BREAKTHROUGH = "breakthrough:rows=6,columns=6"
MODEL = {"who": "machine", "model": "breakthrough-6x6", "level": 2}
OPENING = ["b2b3", "d5d4", "c2c3", "e5e4", "e2e3", "b5b4", "c3xb4"]
LOST = ["a1", "b2", "a2", "a3", "b1", "c1"]
PATIENCE = 600.0
expect.set_options(timeout=60_000)
TRAINING = ("--minutes", "2.5", "--device", "cpu", "--set", "evaluation.every_minutes=0.4",
            "--set", "evaluation.opponent=mcts:iterations=200",
            "--set", "evaluation.matches=20")  # fmt: skip


@contextmanager
def athenan(*arguments: str, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Run a command of athenan, and end it."""
    command = [sys.executable, "-m", "athenan", *arguments]
    with subprocess.Popen(command, text=True, **options) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)


@contextmanager
def served(runs: Path) -> Iterator[str]:
    """Serve the page; give its address."""
    with athenan("serve", "--port", "0", "--runs", str(runs), stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        address = re.search(r"http://\S+/", server.stdout.readline())
        assert address is not None
        yield address[0]


@contextmanager
def opened(browser: Browser, size: tuple[int, int], scheme: Any = "light") -> Iterator[Page]:
    """Open a page of its own."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def take(page: Page, name: str, whole: bool = False) -> None:
    """Take a picture once nothing moves any more."""
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    page.mouse.move(0, 0)
    page.screenshot(path=IMAGES / f"web-{name}.png", full_page=whole)
    print(f"web-{name}.png", flush=True)


def begin(page: Page, url: str, game: str, *seats: object, **more: object) -> None:
    """Begin a match and open it."""
    message = {"game": game, "seats": seats, **more}
    made = httpx.post(f"{url}api/matches", json=message, trust_env=False).json()
    page.goto(url)
    page.goto(f"{url}#/match/{made['id']}?key={next(filter(None, made['keys']))}")
    expect(page.locator(".board .picture svg")).to_be_visible()


def think(page: Page) -> None:
    """Show what the machine thinks, after some seconds of it."""
    page.get_by_role("button", name="Show thinking").click()
    expect(page.locator(".arrows .rank2")).to_have_count(1)
    page.wait_for_timeout(6000)
    page.evaluate("scrollTo(0, 0)")


def pages(browser: Browser, url: str) -> None:
    """Take everything but the trainings."""
    with opened(browser, DESKTOP) as page:
        page.goto(url)
        expect(page.locator(".card")).not_to_have_count(0)
        take(page, "gallery")
        begin(page, url, BREAKTHROUGH, PERSON, MODEL, moves=OPENING, clock="300+3")
        expect(page.locator(".status")).to_have_text("Your turn.")
        think(page)
        take(page, "match")
        begin(page, url, "tic_tac_toe", PERSON, {"who": "machine", "level": 1}, moves=LOST)
        page.get_by_role("button", name="Why did I lose?").click()
        page.locator(".mistakes li", has_text="5. b1").get_by_role("button").click()
        take(page, "review")
        page.goto(f"{url}#/arena")
        page.get_by_label("Game").select_option(BREAKTHROUGH)
        page.get_by_role("button", name="Begin").click()
        expect(page.locator("[data-tournament]")).to_contain_text("over", timeout=PATIENCE * 1000)
        page.locator("[data-tournament] summary").click()
        take(page, "arena")
    with opened(browser, PHONE, "dark") as page:
        begin(page, url, BREAKTHROUGH, PERSON, MODEL, moves=OPENING)
        think(page)
        take(page, "phone")
    with opened(browser, PHONE) as page:
        page.goto(url)
        expect(page.locator(".card")).not_to_have_count(0)
        take(page, "phone-gallery")


def trainings(browser: Browser, url: str, runs: Path) -> None:
    """Take one training that has ended beside one that goes on."""
    first, second = runs / "first", runs / "wider"
    with athenan("train", BREAKTHROUGH, "--run", str(first), *TRAINING) as process:
        process.wait(PATIENCE)
    wider = ("--run", str(second), *TRAINING, "--set", "network.filters=48")
    with athenan("train", BREAKTHROUGH, *wider), opened(browser, DESKTOP) as page:
        deadline = time.monotonic() + PATIENCE
        while evaluations(second) < 3 and time.monotonic() < deadline:
            time.sleep(1)
        page.goto(f"{url}#/training")
        for name in ("first", "wider"):
            page.get_by_label(name).check()
        expect(page.locator(".selfplay .piece").first).to_be_visible()
        take(page, "training", whole=True)


def evaluations(run: Path) -> int:
    """Count the evaluations of a run so far."""
    metrics = run / "metrics.jsonl"
    lines = metrics.read_text().splitlines(keepends=True) if metrics.is_file() else []
    whole = (json.loads(line) for line in lines if line.endswith("\n"))
    return sum(line["kind"] == "evaluation" for line in whole)


def main() -> None:
    """Take all pictures."""
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        runs = Path(folder)
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=sandbox)
        with served(runs) as url:
            pages(browser, url)
            trainings(browser, url, runs)
        browser.close()


if __name__ == "__main__":
    main()
