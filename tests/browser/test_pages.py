"""Pages: light, quick, readable by everybody, with and without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.visiting import Visitor
from support.eyes import contrast

Visit = Callable[..., Visitor]
MOST_BYTES, MOST_REQUESTS = 150_000, 12
LISTS = ["/archive", "/ladder", "/ladder/x", "/api"]
SIZES = {"phone": (320, 640), "desk": (1280, 800), "4K": (3840, 2160)}


def address(visitor: Visitor, page: str) -> str:
    """Where a page is; a game and a study are made for it."""
    if page == "game":
        return f"/g/{visitor.server.make_for_persons('x').id}"
    if page == "study":
        return f"/study/new?from={visitor.server.make_for_persons('x').id}"
    return page


@pytest.mark.parametrize("page", ["/", "game", "study", "/study", *LISTS])
def test_a_page_is_light(visit: Visit, page: str) -> None:
    visitor = visit()
    path = address(visitor, page)
    sizes = []
    visitor.page.on("requestfinished", lambda request: sizes.append(request.sizes()))
    visitor.open(path)
    visitor.page.wait_for_load_state("networkidle" if page == "/" else "load")
    assert len(sizes) <= MOST_REQUESTS
    assert sum(size["responseBodySize"] for size in sizes) < MOST_BYTES


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "path", ["/", "game", "/rules/x", "/rules/skaane", "study", "/study", *LISTS]
)
def test_nothing_is_wider_than_the_screen(visit: Visit, path: str, size: str) -> None:
    width, height = SIZES[size]
    visitor = visit(viewport={"width": width, "height": height})
    visitor.open(address(visitor, path))
    wide = visitor.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


def test_a_board_fits_on_a_screen(visit: Visit) -> None:
    visitor = visit(viewport={"width": 1280, "height": 800})
    visitor.begin("skew", "here")
    box = visitor.page.locator("#board").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 800


@pytest.mark.parametrize("path", ["/", "game", "/rules/skaane", "study", "/study", *LISTS])
def test_everything_has_a_name_and_a_role(visit: Visit, path: str) -> None:
    visitor = visit()
    visitor.open(address(visitor, path))
    page = visitor.page
    expect(page.locator("main")).to_have_count(1)
    expect(page.locator("h1")).to_have_count(1)
    assert page.locator("html").get_attribute("lang") == "en"
    for element in page.locator("button, a[href], input, select").all():
        if element.is_visible():
            name = element.evaluate(
                "e => e.getAttribute('aria-label') || e.textContent.trim()"
                " || (e.labels && e.labels.length && e.labels[0].textContent.trim()) || ''"
            )
            assert name, element.evaluate("e => e.outerHTML")


def test_the_board_tells_what_is_on_it(visit: Visit) -> None:
    visitor = visit()
    visitor.begin("skew", "here")
    visitor.page.locator("#board").focus()
    visitor.page.keyboard.press("ArrowLeft")
    expect(visitor.page.locator("#spoken")).to_have_text("b1, empty")
    visitor.page.keyboard.press("ArrowRight")
    expect(visitor.page.locator("#spoken")).to_have_text("b2, neutral peg")
    visitor.play(["b1", "ne"])
    visitor.page.locator("#board").focus()
    visitor.page.keyboard.press("ArrowLeft")
    expect(visitor.page.locator("#spoken")).to_have_text("b1, First peg, leaning ne")


def test_focus_goes_through_the_page_in_order(visit: Visit) -> None:
    visitor = visit()
    visitor.begin("skew", "here")
    expect(visitor.page.locator("#board.mine")).to_have_count(1)  # all that can be done is there
    visitor.page.keyboard.press("Tab")
    assert visitor.page.evaluate("document.activeElement.className") == "skip"
    order = []
    for _ in range(12):
        visitor.page.keyboard.press("Tab")
        order.append(visitor.page.evaluate("document.activeElement.id"))
    assert order.index("board") < order.index("typed") < order.index("resign")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(visit: Visit, scheme: str) -> None:
    visitor = visit(color_scheme=scheme)
    visitor.begin("skew", "here")
    colours = visitor.page.evaluate(
        """() => {
          const style = getComputedStyle(document.documentElement);
          const read = (name) => style.getPropertyValue(name).trim();
          return Object.fromEntries(['page', 'panel', 'ink', 'soft', 'accent', 'accent-ink',
            'quiet', 'alert'].map((name) => [name, read('--' + name)]));
        }"""
    )
    for text in ("ink", "soft", "accent", "alert"):
        for below in ("page", "panel"):
            assert contrast(colours[text], colours[below]) >= 4.5, (text, below)
    assert contrast(colours["accent-ink"], colours["accent"]) >= 4.5
    assert contrast(colours["ink"], colours["quiet"]) >= 4.5


@pytest.mark.parametrize("path", ["/", "game", "/rules/skirt"])
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
    visitor.open()
    board = visitor.page.locator(".board").first
    before = board.inner_html()
    visitor.page.wait_for_timeout(2500)
    assert board.inner_html() != before


def test_nothing_moves_for_those_who_do_not_want_it(visit: Visit) -> None:
    visitor = visit(reduced_motion="reduce")
    visitor.open()
    before = visitor.page.locator(".board").first.inner_html()
    visitor.page.wait_for_timeout(2500)
    assert visitor.page.locator(".board").first.inner_html() == before


def test_a_picture_glides_to_the_next(visit: Visit) -> None:
    visitor = visit()
    visitor.begin("skew", "here")
    visitor.play(["b1", "ne"])
    visitor.point("a1")
    visitor.page.locator("#board [data-way=nw]").click()  # towards b1, which leans over
    visitor.expect_ply(2)
    moved = visitor.page.evaluate(
        "document.getElementById('piece-b1').getAnimations().map(a => a.effect.getKeyframes())"
    )
    # It may have come to rest already; what is still moving turns.
    assert all(frames[0]["transform"] != frames[1]["transform"] for frames in moved)
