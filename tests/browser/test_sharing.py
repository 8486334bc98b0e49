"""Boards within the pages of others: they show, step and follow, and nothing else can be framed."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from browser.visiting import Visitor
from server.serving import LocalServer
from support.repeating import some_of

Visit = Callable[..., Visitor]
Framing = Callable[[Visitor, str], FrameLocator]


class _Elsewhere(BaseHTTPRequestHandler):
    """Another site, of one page. It is a real one, since chromium keeps pages that were made up by
    the test away from servers on this machine."""

    body = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Elsewhere) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def frame(elsewhere: str) -> Framing:
    """Opens a page of another site with a frame in it."""

    def show(visitor: Visitor, markup: str) -> FrameLocator:
        page = f'<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">{markup}'
        _Elsewhere.body = page.encode()
        visitor.page.goto(elsewhere)
        return visitor.page.frame_locator("iframe")

    return show


def write_frame(visitor: Visitor, path: str) -> str:
    return f'<iframe width="480" height="560" src="{visitor.server.url}{path}"></iframe>'


def copied(page: Page) -> str:
    """The code that the page offers, read from the clipboard."""
    button = page.get_by_role("button", name="Copy embed code")
    button.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    return str(page.evaluate("navigator.clipboard.readText()"))


@pytest.mark.soak
def test_links_lead_to_where_the_operator_says(chromium: Browser, tmp_path: Path) -> None:
    site = "https://games.example"
    with LocalServer(tmp_path, public_address=site) as server:
        visitor = Visitor(chromium.new_context(), server)
        visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
        visitor.begin("skew", "link")
        assert visitor.link().startswith(f"{site}/g/{visitor.id}#s=")
        assert f'src="{site}/g/{visitor.id}?embed"' in copied(visitor.page)
        made = server.client.post("/api/studies", json={"game": "x"}).json()
        visitor.open(made["url"])
        address = visitor.page.get_by_label("To read")
        expect(address).to_have_value(f"{site}/study/{made['id']}")
        visitor.context.close()
        assert visitor.complaints == []


def test_a_game_is_followed_and_stepped_through(visit: Visit, frame: Framing) -> None:
    visitor = visit()
    game = visitor.server.make_for_persons("skew", names=["Ann", "Bob"])
    game.play()
    game.play()
    shown = frame(visitor, write_frame(visitor, f"/g/{game.id}?embed"))
    expect(shown.locator("#at")).to_have_text("2 of 2")
    expect(shown.locator("#words")).to_have_text(game.look()["words"])
    game.play()
    expect(shown.locator("#at")).to_have_text("3 of 3")
    expect(shown.locator("#board .piece")).to_have_count(
        4
    )  # the middle peg is there from the start
    shown.get_by_role("button", name="To the start").click()
    expect(shown.locator("#board .piece")).to_have_count(1)
    expect(shown.get_by_role("button", name="One back")).to_be_disabled()
    # Whoever looks back is not thrown out of it.
    game.play()
    expect(shown.locator("#at")).to_have_text("0 of 4")
    expect(shown.locator("#board .piece")).to_have_count(1)
    shown.get_by_role("button", name="One on").click()
    expect(shown.locator("#words")).to_have_text(f"Move 1: {game.look()['moves'][0]['text']}")
    expect(shown.locator("#board .piece")).to_have_count(2)


def test_there_is_nothing_to_do_in_a_frame_even_for_players(visit: Visit) -> None:
    visitor = visit()
    game = visitor.server.make_for_persons("x")
    visitor.sit(game)
    visitor.open(f"/g/{game.id}?embed")
    visitor.page.locator("#board .cell").first.click()
    expect(visitor.page.locator("#at")).to_have_text("0 of 0")
    names = visitor.page.get_by_role("button").evaluate_all(
        "all => all.map((e) => e.getAttribute('aria-label'))"
    )
    assert names == ["To the start", "One back", "One on", "To the last move"]
    assert game.look()["ply"] == 0


def test_a_study_says_its_comments(visit: Visit, frame: Framing) -> None:
    visitor = visit()
    client = visitor.server.client
    made = client.post("/api/studies", json={"game": "x", "options": {"size": 3}}).json()
    moves = [{"move": "b2", "comments": ["The middle."]}, {"move": "a1"}]
    line = {"version": 0, "line": {"comments": ["Small."], "moves": moves}, "title": "Tiny"}
    client.put(f"/api/studies/{made['id']}", json=line, headers={"x-seat": made["secret"]})
    shown = frame(visitor, write_frame(visitor, f"/study/{made['id']}?embed"))
    expect(shown.get_by_role("heading")).to_have_text("Tiny")
    expect(shown.locator("#at")).to_have_text("2 of 2")
    shown.get_by_role("button", name="One back").click()
    expect(shown.locator("#said")).to_have_text("The middle.")
    expect(shown.locator("#board .piece")).to_have_count(1)
    shown.get_by_role("button", name="One back").click()
    expect(shown.locator("#said")).to_have_text("Small.")
    shown.locator("#open").focus()
    visitor.page.keyboard.press("End")
    expect(shown.locator("#said")).to_be_hidden()
    expect(shown.locator("#board .piece")).to_have_count(2)


def test_a_puzzle_leads_to_its_page(visit: Visit, frame: Framing) -> None:
    visitor = visit()
    shown = frame(visitor, write_frame(visitor, "/puzzles/skirt/3?embed"))
    expect(shown.locator("#board .piece").first).to_be_visible()
    link = shown.get_by_role("link", name="Solve it")
    expect(link).to_have_attribute("href", "/puzzles/skirt/3")
    expect(link).to_have_attribute("target", "_blank")


def test_other_pages_do_not_show(visit: Visit, frame: Framing) -> None:
    visitor = visit()
    visitor.pardoned += ("frame-ancestors",)
    game = visitor.server.make_for_persons()
    shown = frame(visitor, write_frame(visitor, f"/g/{game.id}"))
    expect(shown.locator("#board")).to_have_count(0)


@pytest.mark.parametrize("what", some_of(["game", "puzzle", "study"], ["game"]))
def test_the_code_that_is_offered_works(visit: Visit, frame: Framing, what: str) -> None:
    visitor = visit(permissions=["clipboard-read", "clipboard-write"])
    if what == "game":
        visitor.open(f"/g/{visitor.server.make_for_persons('skaane').id}")
    elif what == "puzzle":
        visitor.open("/puzzles/x/1")
    else:
        made = visitor.server.client.post(
            "/api/studies", json={"game": "x", "options": {"size": 2}, "title": 'A "b" <c>'}
        ).json()
        visitor.open(made["url"])
    code = copied(visitor.page)
    found = re.search(r'src="([^"]+)"', code)
    assert found
    assert unescape(found[1]) == visitor.page.url + "?embed"
    shown = frame(visitor, code)
    expect(shown.locator("#board svg:visible")).to_have_count(1)


@pytest.mark.soak
@pytest.mark.parametrize(("width", "height"), [(320, 320), (480, 560), (900, 500)])
def test_a_board_fits_its_frame(visit: Visit, width: int, height: int) -> None:
    visitor = visit(viewport={"width": width, "height": height})
    for name in ("skew", "skirt", "x", "skaane"):
        game = visitor.server.make_for_persons(name, options={}, seed=None)
        visitor.open(f"/g/{game.id}?embed&theme=dark")
        expect(visitor.page.locator("#at")).to_have_text("0 of 0")
        # At one moment: what the live connection says replaces the picture.
        *box, drawn = visitor.page.evaluate(
            """() => {
              const { scrollWidth, scrollHeight } = document.documentElement;
              const drawn = [...document.querySelectorAll("#board svg")];
              const heights = drawn.map((each) => each.getBoundingClientRect().height);
              return [scrollWidth, scrollHeight, Math.max(...heights)];
            }"""
        )
        assert box == [width, height]
        assert drawn > 120
