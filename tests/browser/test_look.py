"""The look that somebody has chosen: remembered, everywhere, and there before anything is drawn."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.visiting import Visitor

Visit = Callable[..., Visitor]
LIGHT, DARK = "rgb(251, 249, 244)", "rgb(26, 28, 32)"


def choose(page: Page, theme: str) -> None:
    page.get_by_role("button", name="Display").click()
    page.get_by_label(theme, exact=True).check()
    page.keyboard.press("Escape")


def background(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


@pytest.mark.parametrize("system", ["light", "dark"])
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


def test_other_tabs_follow(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    visitor.open("/archive")
    other = visitor.context.new_page()
    other.goto(visitor.server.url + "/archive")
    choose(other, "Dark")
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert background(visitor.page) == DARK


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


def test_a_look_that_makes_no_sense_is_no_harm(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    visitor.context.add_init_script("localStorage.setItem('skerry:look', '[7')")
    visitor.open()
    assert background(visitor.page) == LIGHT
