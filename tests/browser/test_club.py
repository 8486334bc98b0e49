"""What all pages announce: there from the first moment, dismissed by keyboard, gone for good."""

import subprocess
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from browser.test_axe import examine
from browser.visiting import Visitor
from server.serving import Server
from support.running import COMMAND

WORDS = "The club meets on Sunday at noon."


@pytest.fixture
def announced(server: Server) -> Iterator[None]:
    """Something that the server says to everybody until the end of the test."""
    command = [*COMMAND, "admin", "announce", "--database", server.database]
    subprocess.run([*command, WORDS], check=True, stdout=subprocess.DEVNULL)
    while WORDS not in server.client.get("/").text:  # it looks once a second
        pass
    yield
    subprocess.run([*command, "--withdraw"], check=True, stdout=subprocess.DEVNULL)
    while WORDS in server.client.get("/").text:
        pass


@pytest.mark.usefixtures("announced")
def test_an_announcement_is_dismissed_once(
    visit: Callable[..., Visitor], server: Server, axe: str
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
