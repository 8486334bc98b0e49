"""The look that somebody has chosen: remembered, everywhere, and there before anything is drawn."""

import re
from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.visiting import Visitor
from skerry.render.themes import BOARDS
from skerry.study.motifs import list_motifs
from support.repeating import some_of

Visit = Callable[..., Visitor]
LIGHT, DARK = "rgb(251, 249, 244)", "rgb(26, 28, 32)"


def choose(page: Page, what: str) -> None:
    page.get_by_role("button", name="Display").click()
    page.get_by_label(what, exact=True).check()
    page.keyboard.press("Escape")


def background(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


@pytest.mark.parametrize("system", some_of(["light", "dark"], ["dark"]))
def test_a_theme_is_chosen_against_the_system(visit: Visit, system: str) -> None:
    visitor = visit(color_scheme=system)
    visitor.open("/games/skew")
    usual, other = (LIGHT, DARK) if system == "light" else (DARK, LIGHT)
    chosen = "Dark" if system == "light" else "Light"
    assert background(visitor.page) == usual
    choose(visitor.page, chosen)
    assert background(visitor.page) == other
    visitor.open("/archive")
    assert background(visitor.page) == other
    choose(visitor.page, "System")
    assert background(visitor.page) == usual


@pytest.mark.soak
def test_pictures_of_the_server_follow_the_theme(visit: Visit) -> None:
    visitor = visit(color_scheme="light", reduced_motion="reduce")
    visitor.open("/rules/skew")
    choose(visitor.page, "Dark")
    figure = visitor.page.locator(".figure")
    expect(figure.locator(".only-dark svg")).to_be_visible()
    expect(figure.locator(".only-light svg")).to_be_hidden()
    steps = visitor.page.locator(".step .picture img:visible")
    sources = steps.evaluate_all("all => all.map((e) => e.getAttribute('src'))")
    assert sources
    assert all(source.endswith("theme=dark") for source in sources)


def test_boards_that_were_drawn_already_are_drawn_anew(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    visitor.sit(visitor.server.make_for_persons("skew"))
    plate = visitor.page.locator("#board .plate").first
    before = plate.get_attribute("fill") or ""
    choose(visitor.page, "Dark")
    expect(plate).not_to_have_attribute("fill", before)


def test_the_first_thing_drawn_has_the_chosen_theme(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    visitor.context.add_init_script("localStorage.setItem('skerry:look', '{\"theme\": \"dark\"}')")
    # No module runs; the look is there all the same.
    visitor.page.route("**/pages/s*.js", lambda route: route.abort())
    visitor.pardoned += ("ERR_FAILED",)
    visitor.open()
    assert background(visitor.page) == DARK


@pytest.mark.soak
def test_other_tabs_follow(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    visitor.open("/archive")
    other = visitor.context.new_page()
    other.goto(visitor.server.url + "/archive")
    choose(other, "Dark")
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert background(visitor.page) == DARK


@pytest.mark.soak
def test_coordinates_can_be_left_out(visit: Visit) -> None:
    visitor = visit()
    visitor.open("/games/skew")
    labels = visitor.page.locator(".board .labels:visible")
    expect(labels).to_have_count(1)
    visitor.page.get_by_role("button", name="Display").click()
    visitor.page.get_by_label("Coordinates on boards").uncheck()
    expect(labels).to_have_count(0)
    visitor.page.reload()
    expect(visitor.page.locator(".board svg:visible")).to_have_count(1)
    expect(labels).to_have_count(0)


@pytest.mark.soak
def test_a_look_that_makes_no_sense_is_no_harm(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    visitor.context.add_init_script("localStorage.setItem('skerry:look', '[7')")
    visitor.open()
    assert background(visitor.page) == LIGHT


# Styles of boards and pieces

STYLED = {".plate": "fill", ".cells": "fill", ".other": "fill", "[class*=zone-]": "fill"}
USED = {".hole": "fill", ".rim": "stroke", ".grid": "stroke"}


PAINTED = [(name, scheme) for name in ("skew", "skirt", "skaane") for scheme in ("light", "dark")]


def read_colours(page: Page, svg: str | None = None) -> dict[str, str]:
    """What the parts of a board are painted with: on the page, or by attributes of a picture."""
    return dict(
        page.evaluate(
            """([parts, markup]) => {
              const drawn = new DOMParser().parseFromString(markup ?? "<a/>", "image/svg+xml");
              const box = markup ? drawn : document.getElementById("board");
              const probe = document.createElement("i");
              const paint = (colour) => {
                probe.style.color = colour;
                document.body.append(probe);
                return getComputedStyle(probe).color;
              };
              return Object.entries(parts).flatMap(([part, what]) => {
                const found = box.querySelector(part);
                if (!found) return [];
                const colour = markup ? found.getAttribute(what) : getComputedStyle(found)[what];
                return [[part, paint(colour)]];
              });
            }""",
            [STYLED | USED, svg],
        )
    )


@pytest.mark.parametrize(("name", "scheme"), some_of(PAINTED, [("skirt", "dark")]))
def test_boards_of_pages_are_painted_as_pictures_are(visit: Visit, name: str, scheme: str) -> None:
    visitor = visit(color_scheme=scheme)
    game = visitor.server.make_for_persons(name)
    visitor.sit(game)
    page = visitor.page
    seen = []
    for style in ("Paper", "Wood", "Contrast"):
        choose(page, style)
        picture = visitor.server.client.get(
            f"{game.path}/board.svg", params={"theme": f"{scheme}+{style.lower()}"}
        )
        colours = read_colours(page)
        assert colours == read_colours(page, picture.text)
        assert len(colours) > 1
        seen.append(colours)
    assert seen[0] != seen[1] != seen[2] != seen[0]


def test_a_style_needs_no_new_picture_and_is_remembered(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    visitor.sit(visitor.server.make_for_persons("skew"))
    page = visitor.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    before = read_colours(page)
    choose(page, "Wood")
    choose(page, "Flat")
    chosen = read_colours(page)
    assert chosen != before
    assert asked == []
    page.reload()
    expect(page.get_by_label("Wood")).to_be_checked()
    expect(page.get_by_label("Flat")).to_be_checked()
    assert read_colours(page) == chosen
    visitor.open("/games/x")
    assert page.evaluate("document.documentElement.dataset.board") == "wood"


@pytest.mark.soak
def test_flat_pieces_have_neither_light_nor_shadow(visit: Visit) -> None:
    visitor = visit(reduced_motion="reduce")
    visitor.open("/games/skirt")
    lights = visitor.page.locator(".card .only-light :is(.light, .shade)")
    opacity = "all => [...new Set(all.map((e) => getComputedStyle(e).opacity))]"
    assert lights.evaluate_all(opacity) == ["1"]
    shaded = visitor.page.locator(".card .board").screenshot()
    choose(visitor.page, "Flat")
    assert lights.evaluate_all(opacity) == ["0"]
    assert visitor.page.locator(".card .board").screenshot() != shaded


@pytest.mark.soak
def test_what_is_taken_from_a_study_has_the_chosen_style(visit: Visit) -> None:
    visitor = visit(color_scheme="dark")
    visitor.open("/study/new?game=x&options=size%3D3")
    choose(visitor.page, "Wood")
    visitor.page.reload()
    link = visitor.page.locator("[data-board=svg]")
    expect(link).to_have_attribute("href", re.compile("theme=dark%2Bwood"))
    address = visitor.server.url + str(link.get_attribute("href"))
    plate = BOARDS["wood"]["dark"]["plate"]
    assert plate in visitor.server.client.get(address).text


@pytest.mark.soak
def test_pictures_that_are_loaded_have_the_chosen_style(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    counts = Counter(motif for found in list_motifs("x") for motif in found)
    visitor.open(f"/puzzles/x?about={min(counts, key=counts.__getitem__)}")  # as few as there are
    pictures = visitor.page.locator(".thumb img:visible")
    expect(pictures.first).to_have_attribute("src", re.compile(r"theme=light$"))
    choose(visitor.page, "Contrast")
    expect(pictures.first).to_have_attribute("src", re.compile(r"theme=light%2Bcontrast$"))
    visitor.page.reload()
    expect(pictures.first).to_have_attribute("src", re.compile(r"theme=light%2Bcontrast$"))
    expect(pictures.first).to_have_js_property("complete", True)
    assert pictures.first.evaluate("e => e.naturalWidth") > 0
    choose(visitor.page, "Paper")
    expect(pictures.first).to_have_attribute("src", re.compile(r"theme=light$"))
