"""What the tests of the web application share: a server, a browser, pages in it."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="athenan[web] is not installed")

from athenan.web.settings import Limits, Settings
from playwright.sync_api import Browser, Page, expect, sync_playwright
from web.servers import Served, served

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NO_BROWSER = "NO BROWSER: install Debian's chromium, or nothing of the page is tested"
MODELS = Path(__file__).parents[2] / "models"
WAIT = 20_000  # milliseconds
expect.set_options(timeout=WAIT)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with the models of the repository and no runs."""
    settings = Settings(
        models=(MODELS,),
        runs=tmp_path_factory.mktemp("runs"),
        limits=Limits(requests_per_second=1000, messages_per_second=1000, memory_mb=64),
    )
    with served(settings) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a worker."""
    if CHROMIUM is None:
        pytest.skip(NO_BROWSER)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=sandbox)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own; any error in its scripts fails the test."""
    context = browser.new_context(viewport={"width": 1100, "height": 800})
    context.set_default_timeout(WAIT)
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda problem: errors.append(str(problem)))
    yield opened
    context.close()
    assert errors == []
