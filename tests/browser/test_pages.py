"""Pages: light, quick, readable by everybody, with and without scripts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Request, expect

from browser.visiting import Visitor, list_unnamed
from server.serving import Server
from support.eyes import contrast
from support.repeating import some_of

Visit = Callable[..., Visitor]
MOST_BYTES, MOST_REQUESTS, MOST_MODULES = 150_000, 12, 50
LISTS = ["/archive", "/ladder", "/ladder/x", "/api", "/reports", "/reports/skew-4", "/tournaments"]
STARTS = ["/", "/yours", "/games/skew"]
PAGES = [*STARTS, "game", "study", "/study", "/rules/x", "/rules/skaane", *LISTS]
# What loads most, and a page without scripts of its own.
TELLING = ["/", "game"]
WIDTHS = (320, 1280, 3840)


@dataclass
class Opened:
    """A page that was opened once for several tests."""

    visitor: Visitor
    requests: list[Request] = field(default_factory=list)


def address(server: Server, page: str) -> str:
    """Where a page is; a game and a study are made for it."""
    if page == "game":
        return f"/g/{server.make_for_persons('x').id}"
    if page == "study":
        return f"/study/new?from={server.make_for_persons('x').id}"
    return page


@pytest.fixture(scope="module", params=some_of(PAGES, TELLING))
def opened(
    request: pytest.FixtureRequest, chromium: Browser, server: Server
) -> Iterator[tuple[str, Opened]]:
    """Every page, as somebody at a desk meets it."""
    # Boards that live on a page would fetch picture after picture while a busy machine loads it.
    visitor = Visitor(chromium.new_context(reduced_motion="reduce"), server)
    found = Opened(visitor)

    def note(asked: Request) -> None:
        found.requests.append(asked)

    visitor.page.on("requestfinished", note)
    visitor.open(address(server, request.param))
    visitor.page.wait_for_load_state("networkidle" if request.param == "/" else "load")
    yield request.param, found
    visitor.context.close()
    assert visitor.complaints == []


def test_a_page_is_light(opened: tuple[str, Opened]) -> None:
    path, found = opened
    assert sum(asked.sizes()["responseBodySize"] for asked in found.requests) < MOST_BYTES
    # Modules are kept for ever, and the page names all of them: they are asked for at once.
    scripts = {asked.url for asked in found.requests if asked.resource_type == "script"}
    named = found.visitor.page.locator("link[rel=modulepreload], script[src]")
    assert scripts <= set(named.evaluate_all("all => all.map((e) => e.href || e.src)"))
    assert len(scripts) <= MOST_MODULES
    if not path.startswith(("/rules/", "/reports")):  # pictures come as they come into sight
        assert len(found.requests) - len(scripts) <= MOST_REQUESTS


def test_everything_has_a_name_and_a_role(opened: tuple[str, Opened]) -> None:
    page = opened[1].visitor.page
    expect(page.locator("main")).to_have_count(1)
    expect(page.locator("h1")).to_have_count(1)
    assert page.locator("html").get_attribute("lang") == "en"
    assert list_unnamed(page) == []


def test_landmarks_have_names_of_their_own(opened: tuple[str, Opened]) -> None:
    """The fault: two of them shared a name."""
    names = opened[1].visitor.page.locator("nav").evaluate_all("all => all.map((e) => e.ariaLabel)")
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen(opened: tuple[str, Opened], width: int) -> None:
    page = opened[1].visitor.page
    page.set_viewport_size({"width": width, "height": width * 5 // 8 if width > 640 else 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.soak
def test_a_board_fits_on_a_screen(visit: Visit) -> None:
    visitor = visit(viewport={"width": 1280, "height": 800})
    visitor.sit(visitor.server.make_for_persons("skew"))
    box = visitor.page.locator("#board").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 800


def test_the_board_tells_what_is_on_it(visit: Visit) -> None:
    visitor = visit()
    visitor.sit(visitor.server.make_for_persons("skew"))
    visitor.page.locator("#board").focus()
    visitor.page.keyboard.press("ArrowLeft")
    expect(visitor.page.locator("#spoken")).to_have_text("b1, empty")
    visitor.page.keyboard.press("ArrowRight")
    expect(visitor.page.locator("#spoken")).to_have_text("b2, neutral peg")
    visitor.play(["b1", "ne"])
    visitor.page.locator("#board").focus()
    visitor.page.keyboard.press("ArrowLeft")
    expect(visitor.page.locator("#spoken")).to_have_text("b1, First peg, leaning north-east")


def test_focus_goes_through_the_page_in_order(visit: Visit) -> None:
    visitor = visit()
    visitor.sit(visitor.server.make_for_persons("skew"))
    expect(visitor.page.locator("#board.mine")).to_have_count(1)  # all that can be done is there
    visitor.page.keyboard.press("Tab")
    assert visitor.page.evaluate("document.activeElement.className") == "skip"
    order = []
    for _ in range(30):
        visitor.page.keyboard.press("Tab")
        order.append(visitor.page.evaluate("document.activeElement.id"))
    assert order.index("board") < order.index("typed") < order.index("resign")


def test_text_stands_out(visit: Visit) -> None:
    visitor = visit()
    visitor.open(address(visitor.server, "game"))
    schemes: dict[str, dict[str, str]] = {}
    for scheme in ("light", "dark"):
        visitor.page.emulate_media(color_scheme=scheme)
        schemes[scheme] = visitor.page.evaluate(
            """() => {
              const style = getComputedStyle(document.documentElement);
              const read = (name) => style.getPropertyValue(name).trim();
              return Object.fromEntries(['page', 'panel', 'ink', 'soft', 'accent', 'accent-ink',
                'quiet', 'alert'].map((name) => [name, read('--' + name)]));
            }"""
        )
    assert schemes["light"] != schemes["dark"]
    for colours in schemes.values():
        for text in ("ink", "soft", "accent", "alert"):
            for below in ("page", "panel"):
                assert contrast(colours[text], colours[below]) >= 4.5, (text, below)
        assert contrast(colours["accent-ink"], colours["accent"]) >= 4.5
        assert contrast(colours["ink"], colours["quiet"]) >= 4.5


@pytest.mark.parametrize("path", some_of(["/", "game", "/rules/skirt"], ["game", "/rules/skirt"]))
def test_pages_can_be_read_without_scripts(visit: Visit, path: str) -> None:
    visitor = visit(java_script_enabled=False)
    game = visitor.server.make_for_persons("skirt")
    game.play()
    visitor.open(f"/g/{game.id}" if path == "game" else path)
    expect(visitor.page.locator("main svg:visible").first).to_be_visible()
    if path == "game":
        expect(visitor.page.locator("#moves")).to_contain_text(game.look()["moves"][0]["text"])
        expect(visitor.words()).to_contain_text("to move")
    if path == "/rules/skirt":
        expect(visitor.page.locator("dt").first).to_have_text("skirt.1")


def test_the_boards_of_the_start_page_live(visit: Visit) -> None:
    visitor = visit()
    visitor.page.clock.install()
    visitor.open()
    boards = visitor.page.locator(".board[data-frames]")
    expect(boards.first).to_have_attribute("data-seen", "")
    with visitor.page.expect_response("**/showcase/**"):
        visitor.page.clock.run_for(2000)
    expect(boards.first.locator("> svg")).to_be_visible()  # by now there is one for both themes


def test_nothing_moves_for_those_who_do_not_want_it(visit: Visit) -> None:
    visitor = visit(reduced_motion="reduce")
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.page.clock.install()
    visitor.open()
    expect(visitor.page.locator(".board[data-frames]").first).to_have_attribute("data-seen", "")
    visitor.page.clock.run_for(20_000)
    visitor.page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "/showcase/" in url]


@pytest.mark.soak
def test_a_picture_glides_to_the_next(visit: Visit) -> None:
    visitor = visit()
    game = visitor.server.make_for_persons("skew")
    game.play("b1-ne")
    visitor.sit(game)
    visitor.point("a1")
    visitor.page.locator("#board [data-way=nw]").click()  # towards b1, which leans over
    visitor.expect_ply(2)
    moved = visitor.page.evaluate(
        "document.getElementById('piece-b1').getAnimations().map(a => a.effect.getKeyframes())"
    )
    # It may have come to rest already; what is still moving turns.
    assert all(frames[0]["transform"] != frames[1]["transform"] for frames in moved)


@pytest.mark.soak
def test_what_scripts_arrange_is_shown_once_it_is_in_its_place(visit: Visit) -> None:
    visitor = visit()
    path = f"/g/{visitor.server.make_for_persons('x').id}"
    visitor.open(path)
    expect(visitor.page.locator("html[data-settled] #seats")).to_be_visible()
    plain = visit(java_script_enabled=False)
    plain.open(path)
    expect(plain.page.locator("#seats")).to_be_visible()
    # A script that does not come hides nothing for long.
    late = visit()
    late.pardon(404)
    late.context.route("**/pages/game.js", lambda route: route.fulfill(status=404))
    late.open(path)
    assert late.page.locator("#seats").is_hidden()
    expect(late.page.locator("#seats")).to_be_visible()
