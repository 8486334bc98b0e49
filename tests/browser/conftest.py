"""A real browser, Debian's chromium, and a real server for it: one of each for all tests."""

import asyncio
import shutil
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.visiting import EXPECTED, Visitor
from server.serving import Host, LocalServer, hash_quickly
from support.books import write_books
from support.corpora import write_atlases

HERE = Path(__file__).parent
# The same engine; the first has no windows, which takes less than half of the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
MISSING = f"no browser is there: apt-get install {BROWSERS[0]}"
# Every visitor would have a service worker installed, which takes a tenth of all time; tests of
# what it is good for allow it.
QUIET = {"service_workers": "block"}
# What a browser is given that chooses nothing.
USUAL = {"color_scheme": "light", "has_touch": False, "viewport": {"width": 1280, "height": 720}}
MOST_IDLE = 6  # browsers; each takes memory
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
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    folder = tmp_path_factory.mktemp("browser")
    write_atlases(folder)
    write_books(folder)
    with LocalServer(folder, openings=str(folder)) as running:
        yield running


@pytest.fixture(scope="session", autouse=True)
def quick_hashes() -> Iterator[None]:
    with hash_quickly():
        yield


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


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, which examines pages."""
    found = sorted(Path(sys.prefix).glob("axe-*/node_modules/axe-core/axe.min.js"))
    if not found:
        pytest.skip("axe-core is not there: make axe")
    return found[-1].read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def idle(chromium: Browser) -> list[tuple[str, Visitor]]:
    """Browsers whose visitors have left, and how they were chosen. The next page is there in a
    third of the time: scripts are in the cache, and a process is running."""
    return []


@pytest.fixture
def visit(
    chromium: Browser, server: Host, idle: list[tuple[str, Visitor]]
) -> Iterator[Callable[..., Visitor]]:
    """Somebody with a browser of their own; nothing may go wrong in it without a word."""
    visitors: list[tuple[str, Visitor]] = []

    def arrive(**choices: Any) -> Visitor:
        choices = {name: value for name, value in choices.items() if USUAL.get(name) != value}
        chosen = repr(sorted(choices.items()))
        found = next((one for one in idle if one[0] == chosen), None)
        if found:
            idle.remove(found)
        visitors.append(found or (chosen, Visitor(chromium.new_context(**QUIET | choices), server)))
        return visitors[-1][1]

    yield arrive
    for chosen, visitor in visitors:
        if visitor.leave():
            idle.append((chosen, visitor))
        else:
            visitor.context.close()
    for _, visitor in idle[:-MOST_IDLE]:
        visitor.context.close()
    del idle[:-MOST_IDLE]
    for _, visitor in visitors:
        complaints, visitor.complaints, visitor.pardoned = visitor.complaints, [], EXPECTED
        assert complaints == []
