"""A real browser, Debian's chromium, and a real server for it: one of each for all tests."""

import asyncio
import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.visiting import Visitor
from server.serving import Server

HERE = Path(__file__).parent
# The same engine; the first has no windows, which takes less than half of the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
MISSING = f"no browser is there: apt-get install {BROWSERS[0]}"
LOOP = pytest.StashKey[asyncio.AbstractEventLoop]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Let no other test find playwright's event loop running, which lives as long as chromium."""
    if HERE not in item.path.parents:
        return (yield)
    asyncio._set_running_loop(item.config.stash.get(LOOP, None))
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("browser")
    with Server(str(folder / "skerry.db"), folder / "log") as running:
        yield running


@pytest.fixture(scope="session")
def chromium(pytestconfig: pytest.Config) -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        pytestconfig.stash[LOOP] = asyncio.get_running_loop()
        # Tests may run as root in a container, where chromium has no sandbox.
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        asyncio._set_running_loop(pytestconfig.stash[LOOP])  # the last test may be any other
        browser.close()
    del pytestconfig.stash[LOOP]


@pytest.fixture
def visit(chromium: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    """Somebody with a browser of their own; nothing may go wrong in it without a word."""
    visitors: list[Visitor] = []

    def arrive(**choices: Any) -> Visitor:
        visitors.append(Visitor(chromium.new_context(**choices), server))
        return visitors[-1]

    yield arrive
    for visitor in visitors:
        visitor.context.close()
        assert visitor.complaints == []
