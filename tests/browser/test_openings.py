"""The explorer of openings in a browser: gone through by table, board, keys and wheel."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from browser.visiting import Visitor

START = "/openings/skirt?options=side=3"


def test_openings_are_explored(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.page
    visitor.open(START)
    rows = page.locator("#ways tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("1,000")
    expect(rows.first).to_contain_text("found")
    expect(rows.last).to_contain_text("dropped")
    expect(rows.last).to_have_class("few")
    expect(page.locator("#board .heat").first).to_be_visible()
    page.locator("#ways a", has_text="a1").click()
    expect(page.locator("#count")).to_have_text("1,000 games")
    expect(page).to_have_url(re.compile(r"/openings/skirt\?options=side=3&moves=a1$"))
    expect(page.locator("#analyse")).to_have_attribute("href", re.compile("/study/new.*position="))
    # Nothing is known beyond, but it can be played.
    visitor.point("e3")
    expect(page.locator("#line button")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#count")).to_have_text("1,000 games")
    page.locator("#board").hover()
    page.mouse.wheel(0, -100)
    expect(page.locator("#count")).to_have_text("1,050 games")
    page.mouse.wheel(0, 100)
    expect(page.locator("#count")).to_have_text("1,000 games")
    page.locator("#line button").last.click()
    expect(page.locator("#line [aria-current]")).to_have_text("e3")
    page.locator("[data-go=first]").click()
    expect(rows.first).to_contain_text("1,000")


def test_studies_lead_to_openings_and_nothing_is_too_wide(visit: Callable[..., Visitor]) -> None:
    visitor = visit(viewport={"width": 360, "height": 640})
    page = visitor.page
    visitor.open("/study/new?game=skirt&options=side=3")
    page.locator("#explore").click()
    expect(page.locator("#count")).to_have_text("1,050 games")
    for path in (START, "/openings/x", "/openings/x?options=size=3"):
        visitor.open(path)
        expect(page.locator("#board > svg")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        for rows in page.locator(".rows").all():
            assert rows.evaluate("(rows) => rows.scrollWidth <= rows.clientWidth"), path
