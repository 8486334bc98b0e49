"""What all pages announce: there from the first moment, dismissed by keyboard, gone for good."""

import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from browser.test_axe import examine
from browser.visiting import Visitor
from server.serving import LocalServer
from support.running import run_aside

WORDS = "The club meets on Sunday at noon."


@pytest.fixture
def announced(server: LocalServer) -> Iterator[None]:
    """Something that the server says to everybody until the end of the test."""
    command = ["admin", "announce", "--database", server.database]
    assert run_aside(*command, WORDS).exit_code == 0
    while WORDS not in server.client.get("/").text:
        time.sleep(0.05)  # it looks once a second
    yield
    assert run_aside(*command, "--withdraw").exit_code == 0
    while WORDS in server.client.get("/").text:
        time.sleep(0.05)


@pytest.mark.usefixtures("announced")
def test_an_announcement_is_dismissed_once(
    visit: Callable[..., Visitor], server: LocalServer, axe: str
) -> None:
    page = visit().page
    for path in ("/", "/archive"):
        page.goto(server.url + path)
        expect(page.get_by_role("complementary", name="Announcement")).to_contain_text(WORDS)
    assert examine(page, axe) == []
    with page.expect_response("**/dismiss?back=**"):
        page.get_by_role("button", name="Dismiss").press("Enter")
    expect(page.get_by_text(WORDS)).to_have_count(0)
    for path in ("/", "/archive"):
        page.goto(server.url + path)
        expect(page.get_by_text(WORDS)).to_have_count(0)
