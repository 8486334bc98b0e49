"""The board under people's hands: seen from their side, pointed at, touched, and played ahead."""

import re
from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from browser.visiting import Visitor
from support.eyes import contrast

Visit = Callable[..., Visitor]
RACE = "2/1k/G1/2 w 0"  # a god on a2, a king on b3


def sit_at(visitor: Visitor, game: Any, seat: int) -> None:
    visitor.open(f"/g/{game.id}#s={game.secrets[seat]}")
    expect(visitor.page.locator("#seats .note", has_text="you")).to_have_count(1)


# --- turned


def test_whoever_plays_from_the_top_sees_the_board_turned_and_upright(visit: Visit) -> None:
    first, second = visit(), visit()
    game = first.server.make_for_persons("skaane", position=RACE)
    sit_at(first, game, 0)
    sit_at(second, game, 1)
    assert first.centre("a1")[1] > first.centre("a4")[1]
    expect(second.page.locator("#board #cell-a1")).to_be_visible()
    assert second.centre("a1")[1] < second.centre("a4")[1]
    turns = second.page.locator("#board [transform*=rotate]")
    expect(turns).to_have_count(0)  # neither pieces nor letters stand on their heads
    assert (
        second.page.locator("#board svg").evaluate("e => getComputedStyle(e).transform") == "none"
    )
    # Pointing, dragging and the preview know it.
    first.play(["a2", "a3"])
    second.play(["b3", "b2"])
    first.expect_ply(2)
    second.page.get_by_label("To the start").click()
    expect(second.page.locator("#board #piece-a2")).to_have_count(1)
    assert second.centre("a1")[1] < second.centre("a4")[1], "so do past positions"


def test_the_board_is_turned_by_a_button_and_stays_so(visit: Visit) -> None:
    visitor = visit()
    visitor.sit(visitor.server.make_for_persons("skew"))
    before = visitor.centre("a1")
    visitor.page.locator("#flip").click()
    expect(visitor.page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    visitor.page.wait_for_function(
        "y => document.querySelector('#board #cell-a1').getBoundingClientRect().bottom < y",
        arg=before[1],
    )
    turned = visitor.centre("a1")
    # A lean is given by its handle, by a drag and by arrow keys: each as the board is seen.
    visitor.play(["a1", "e"])
    assert visitor.page.locator("#piece-a1").get_attribute("data-facing") == "e"
    assert "rotate(180" in (
        visitor.page.locator("#piece-a1").get_attribute("transform") or ""
    ).replace("-", "")
    visitor.walk_to("b1")
    visitor.drag("c1", "c2")
    visitor.expect_ply(2)
    assert visitor.look()["moves"][-1]["text"] == "c1-e"
    visitor.page.reload()
    expect(visitor.page.locator("#board.mine")).to_have_count(1)
    visitor.page.wait_for_function(
        "y => document.querySelector('#board #cell-a1').getBoundingClientRect().bottom < y",
        arg=before[1],
    )
    assert visitor.centre("a1")[0] == pytest.approx(turned[0], abs=1)
    expect(visitor.page.locator("#flip")).to_have_attribute("aria-pressed", "true")


# --- the keyboard's cursor


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", ["skew", "skirt", "x", "skaane"])
def test_the_cursor_is_seen_on_every_colour_of_a_board(
    visit: Visit, game: str, theme: Literal["light", "dark"]
) -> None:
    visitor = visit(color_scheme=theme)
    made = visitor.server.make_for_persons(game)
    made.play()
    visitor.sit(made)
    board = visitor.page.locator("#board")
    expect(board.locator(".cursor")).to_have_count(0)
    board.focus()
    visitor.page.keyboard.press("ArrowUp")
    last = board.locator(".mark.last").first.get_attribute("id") or ""
    visitor.walk_to(last.removeprefix("last-"))  # where a mark may be mistaken for it
    strokes = [
        board.locator(f".cursor .{part}").evaluate("e => getComputedStyle(e).stroke")
        for part in ("casing", "core")
    ]
    inks = [to_hex(stroke) for stroke in strokes]
    assert contrast(*inks) >= 3, "whatever lies below, one of them stands out"
    drawn = board.locator("svg").evaluate("e => e.outerHTML.replace(/<g class=.cursor.*/, '')")
    colours = set(re.findall(r'(?:fill|stroke|stop-color)="(#[0-9a-f]{6})"', drawn))
    assert len(colours) > 5
    for colour in colours:
        assert max(contrast(ink, colour) for ink in inks) >= 3, colour
    mark = board.locator(".mark.last").first.evaluate("e => getComputedStyle(e).stroke")
    assert to_hex(mark) not in inks, "nor is it taken for the last move"
    assert (
        board.locator(".cursor .core").evaluate("e => e.getAttribute('d').split('M').length") == 5
    )


def to_hex(colour: str) -> str:
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour)[:3])


def test_the_cursor_is_there_for_the_keyboard_alone(visit: Visit) -> None:
    visitor = visit()
    visitor.sit(visitor.server.make_for_persons("x"))
    cursor = visitor.page.locator("#board .cursor")
    visitor.point("a1")
    visitor.expect_ply(1)
    expect(visitor.page.locator("#board")).to_be_focused()
    expect(cursor).to_have_count(0)
    visitor.page.keyboard.press("ArrowUp")
    expect(cursor).to_have_count(1)
    visitor.page.locator("#typed").focus()
    expect(cursor).to_have_count(0)


# --- what cannot be chosen


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_what_cannot_be_chosen_says_why_and_leaves_what_is(visit: Visit, by: str) -> None:
    visitor = visit()
    visitor.sit(visitor.server.make_for_persons("skaane", position=RACE))
    message = visitor.page.locator("#message")
    visitor.point("b3", by)
    expect(message).to_have_text(re.compile(r"^Not allowed: .*b3"))
    visitor.point("a2", by)
    expect(visitor.page.locator("#cancel")).to_be_visible()
    expect(message).to_have_text("")
    visitor.point("b4", by)
    expect(message).to_have_text(re.compile(r"^Not allowed: .*a2"))
    visitor.point("a3", by)  # the pawn is still chosen
    visitor.expect_ply(1)
    expect(message).to_have_text("")


def test_studies_say_it_too(visit: Visit) -> None:
    visitor = visit()
    visitor.open("/study/new?game=skew&options=side=3")
    visitor.point("c3")  # where the neutral peg stands
    expect(visitor.page.locator("#message")).to_have_text(re.compile("^Not allowed: "))
