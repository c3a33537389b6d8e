"""How fast the page is in a browser: the first paint, and the answer to a click.

    python benchmarks/web_page.py

Drives Debian's Chromium against a server on this machine. The first paint is that of a fresh
browser profile, from the start of the navigation. A click is followed on the page itself, from the
time stamp of the event to the change of the board: the mark on the cell that was touched, and where
the click completes a move the next position, which the server has made and sent. The clicks choose
playable cells in matches of two persons at one screen, so that no search is waited for.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from random import Random
from statistics import median
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

GAMES = (
    "hex:size=11",
    "international_draughts",
    "amazons",
    "go:size=9",
    "lines_of_action",
    "xiangqi",
)
PAINTS = "performance.getEntriesByType('paint').map((each) => [each.name, each.startTime])"
FOLLOW = """() => {
  window.answers = [];
  let begun = null;
  const begin = (event) => { begun = { at: event.timeStamp, answer: {} }; };
  addEventListener("pointerdown", begin, true);
  const heard = (name) => new MutationObserver(() => {
    if (!begun || begun.answer[name] !== undefined) return;
    begun.answer[name] = performance.now() - begun.at;
    if (!window.answers.includes(begun.answer)) window.answers.push(begun.answer);
  });
  heard("touch").observe(document.querySelector(".marks"), { childList: true });
  heard("position").observe(document.querySelector(".picture"), { childList: true });
}"""
MIDDLES = """() => [...document.querySelectorAll(".touch .cell.playable")].map((each) => {
  const box = each.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})"""


def first_paints(browser: Browser, url: str, times: int) -> None:
    found: dict[str, list[float]] = {"first-paint": [], "first-contentful-paint": [], "games": []}
    for _ in range(times):
        context = browser.new_context()
        page = context.new_page()
        page.goto(url)
        page.wait_for_selector(".card")
        found["games"].append(page.evaluate("performance.now()"))
        for name, at in page.evaluate(PAINTS):
            found[name].append(at)
        context.close()
    for name, each in found.items():
        shown = f"median {median(each):.0f} ms, longest {max(each):.0f} ms"
        print(f"{name} of the gallery, {times} times: {shown}", flush=True)


def play(page: Page, url: str, game: str, clicks: int) -> list[dict[str, float]]:
    seats = [{"who": "person"}, {"who": "person"}]
    made = httpx.post(f"{url}api/matches", json={"game": game, "seats": seats}).json()
    page.goto(url)
    page.evaluate("([id, keys]) => localStorage.setItem(`keys ${id}`, JSON.stringify(keys))",
                  [made["id"], made["keys"]])  # fmt: skip
    page.goto(f"{url}#/match/{made['id']}")
    page.wait_for_selector(".touch .cell.playable")
    page.evaluate(FOLLOW)
    random = Random(1)
    for _ in range(clicks):
        cells = page.evaluate(MIDDLES)
        if not cells:
            break
        page.mouse.click(*random.choice(cells))
        page.wait_for_timeout(150)
    answers: list[dict[str, float]] = page.evaluate("window.answers")
    return answers


def told(name: str, numbers: list[float]) -> None:
    ranked = sorted(numbers)
    p95 = ranked[int(0.95 * (len(ranked) - 1))]
    shown = f"median {median(ranked):.0f} ms, 95 % {p95:.0f} ms, longest {ranked[-1]:.0f} ms"
    print(f"  {name}, {len(ranked)} clicks: {shown}", flush=True)


def measure(browser: Browser, url: str, asked: argparse.Namespace) -> None:
    first_paints(browser, url, asked.paints)
    everything: dict[str, list[float]] = {"touch": [], "position": []}
    for game in GAMES:
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        answers = play(page, url, game, asked.clicks)
        for name, all_of_them in everything.items():
            all_of_them += [each[name] for each in answers if name in each]
        page.context.close()
        print(game, flush=True)
        told("board answers", [min(each.values()) for each in answers])
    print("all games")
    told("mark on the cell", everything["touch"])
    told("next position on the board", everything["position"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paints", type=int, default=10)
    parser.add_argument("--clicks", type=int, default=40, help="in each game")
    asked = parser.parse_args()
    command = [sys.executable, "-m", "athenan", "serve", "--port", "0"]
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address: Any = re.search(r"http://\S+", server.stdout.readline())
            with sync_playwright() as playwright:
                chromium = shutil.which("chromium") or shutil.which("chromium-browser")
                browser = playwright.chromium.launch(executable_path=chromium, args=sandbox)
                measure(browser, address[0], asked)
                browser.close()
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
