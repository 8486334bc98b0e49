"""A real browser, Debian's chromium, and a real server for it."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.visiting import Visitor
from server.serving import Server

MISSING = "chromium is missing: apt-get install chromium"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("browser")
    with Server(str(folder / "skerry.db"), folder / "log") as running:
        yield running


@pytest.fixture(scope="module")  # its event loop must not outlive the tests that want it
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        # Tests may run as root in a container, where chromium has no sandbox.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    """Somebody with a browser of his own; nothing may go wrong in it without a word."""
    visitors: list[Visitor] = []

    def arrive(**choices: Any) -> Visitor:
        visitors.append(Visitor(chromium.new_context(**choices), server))
        return visitors[-1]

    yield arrive
    for visitor in visitors:
        visitor.context.close()
        assert visitor.complaints == []
