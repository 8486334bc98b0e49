"""The board under people's hands: seen from their side, pointed at, touched, and played ahead."""

import re
from collections.abc import Callable
from math import dist
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from browser.visiting import Visitor
from server.serving import TINY
from support.eyes import contrast
from support.repeating import some_of

Visit = Callable[..., Visitor]
SEEN = [(game, theme) for game in TINY for theme in ("light", "dark")]
RACE = "2/1k/G1/2 w 0"  # a god on a2, a king on b3


def sit_at(visitor: Visitor, game: Any, seat: int) -> None:
    visitor.open(f"/g/{game.id}#s={game.secrets[seat]}")
    expect(visitor.page.locator("#seats .note", has_text="you")).to_have_count(1)


# --- turned


def test_whoever_plays_from_the_top_sees_the_board_turned_and_upright(visit: Visit) -> None:
    """The fault: it was not turned by itself, and by a button it stood on its head."""
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
    """The fault: a reload forgot it."""
    visitor = visit()
    visitor.sit(visitor.server.make_for_persons("skew"))
    before = visitor.centre("a1")
    visitor.page.locator("#flip").click()
    expect(visitor.page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    visitor.until(
        "y => document.querySelector('#board #cell-a1').getBoundingClientRect().bottom < y",
        before[1],
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
    visitor.until(
        "y => document.querySelector('#board #cell-a1').getBoundingClientRect().bottom < y",
        before[1],
    )
    assert visitor.centre("a1")[0] == pytest.approx(turned[0], abs=1)
    expect(visitor.page.locator("#flip")).to_have_attribute("aria-pressed", "true")


# --- the keyboard's cursor


@pytest.mark.parametrize(("game", "theme"), some_of(SEEN, [("skew", "light")]))
def test_the_cursor_is_seen_on_every_colour_of_a_board(
    visit: Visit, game: str, theme: Literal["light", "dark"]
) -> None:
    """The fault: in Skew it had a contrast of 1.08:1."""
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
    # Both at once: a board that is drawn anew takes the elements away that one has found.
    found = visitor.page.wait_for_function(
        """() => {
          const parts = [...document.querySelectorAll("#board .cursor :is(.casing, .core)")];
          return parts.length === 2 && parts.map((part) => getComputedStyle(part).stroke);
        }"""
    )
    inks = [to_hex(stroke) for stroke in found.json_value()]
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


@pytest.mark.soak
def test_the_cursor_is_there_for_the_keyboard_alone(visit: Visit) -> None:
    """The fault: it was always there, and looked like a broken mark of the last move."""
    visitor = visit()
    visitor.sit(visitor.server.make_for_persons("x"))
    cursor = visitor.page.locator("#board .cursor")
    visitor.point("a1")
    visitor.expect_ply(1)
    expect(visitor.page.locator("#board")).to_be_focused()
    expect(cursor).to_have_count(0)
    visitor.page.keyboard.press("ArrowUp")
    expect(cursor).to_have_count(1)
    visitor.point("a2")  # and it is gone for whoever points again
    visitor.expect_ply(2)
    expect(cursor).to_have_count(0)
    visitor.page.keyboard.press("ArrowUp")
    expect(cursor).to_have_count(1)
    visitor.page.locator("#typed").focus()
    expect(cursor).to_have_count(0)


# --- what cannot be chosen


@pytest.mark.parametrize("by", some_of(["mouse", "keyboard"], ["keyboard"]))
def test_what_cannot_be_chosen_says_why_and_leaves_what_is(visit: Visit, by: str) -> None:
    """The fault: illegal clicks were silent in games, though lessons explain them."""
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


@pytest.mark.soak
def test_studies_say_it_too(visit: Visit) -> None:
    visitor = visit()
    visitor.open("/study/new?game=skew&options=side=3")
    visitor.point("c3")  # where the neutral peg stands
    expect(visitor.page.locator("#message")).to_have_text(re.compile("^Not allowed: "))


# --- fingers


PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True}


class Fingers:
    """As many as are needed, each somewhere on the screen."""

    def __init__(self, visitor: Visitor) -> None:
        self._send = visitor.context.new_cdp_session(visitor.page).send

    def do(self, kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        self._send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def pinch(self, middle: tuple[float, float], before: float, after: float) -> None:
        x, y = middle
        self.do("touchStart", (x - before, y))
        self.do("touchStart", (x - before, y), (x + before, y))
        for step in range(1, 5):
            reach = before + (after - before) * step / 4
            self.do("touchMove", (x - reach, y), (x + reach, y))
        self.do("touchEnd")


def spacing(visitor: Visitor) -> float:
    places = visitor.centres()
    return dist(places["d4"], places["d5"])


def open_large(visitor: Visitor) -> None:
    """A game of X as large as it is by default, on a phone."""
    visitor.sit(visitor.server.make_for_persons("x", options={}))
    expect(visitor.page.locator("#board.mine")).to_have_count(1)


def test_a_finger_wider_than_cells_taps_twice(visit: Visit) -> None:
    """The fault: cells of X were 19 pixels apart on a phone, and one tap played."""
    visitor = visit(**PHONE)
    open_large(visitor)
    assert spacing(visitor) < 24
    visitor.point("d4", "touch")
    expect(visitor.page.locator("#message")).to_contain_text("again")
    expect(visitor.page.locator("#board #piece-d4")).to_have_count(1)  # what it would do
    visitor.point("e5", "touch")  # it was missed
    expect(visitor.page.locator("#board #piece-d4")).to_have_count(0)
    expect(visitor.page.locator("#board #piece-e5")).to_have_count(1)
    assert visitor.look()["ply"] == 0
    visitor.point("e5", "touch")
    visitor.expect_ply(1)
    assert visitor.look()["moves"][0]["text"] == "e5"
    visitor.page.locator("#board svg").scroll_into_view_if_needed()
    visitor.point("f6")  # a mouse is precise
    visitor.expect_ply(2)


@pytest.mark.soak
def test_buttons_zoom_and_one_finger_pans(visit: Visit) -> None:
    visitor = visit(**PHONE)
    open_large(visitor)
    before = spacing(visitor)
    whole = visitor.page.get_by_role("button", name="Whole board")
    expect(whole).to_be_hidden()
    nearer = visitor.page.get_by_role("button", name="Zoom in")
    nearer.tap()
    nearer.tap()
    assert spacing(visitor) == pytest.approx(before * 2.25, rel=0.02)
    visitor.page.locator("#board").scroll_into_view_if_needed()
    fingers, (x, y) = Fingers(visitor), visitor.centre("e5")
    page = visitor.page.evaluate("[scrollX, scrollY]")
    fingers.do("touchStart", (x, y))
    for step in (10, 20, 30):
        fingers.do("touchMove", (x + step, y))
    fingers.do("touchEnd")
    assert visitor.centre("e5")[0] == pytest.approx(x + 30, abs=4)
    assert visitor.page.evaluate("[scrollX, scrollY]") == page
    visitor.point("e5", "touch")
    visitor.expect_ply(1)  # by one tap, since the cells are wide enough now
    assert visitor.look()["moves"][0]["text"] == "e5", "to pan was no move"
    visitor.page.get_by_role("button", name="Zoom out").tap()
    assert spacing(visitor) == pytest.approx(before * 1.5, rel=0.02)
    whole.tap()
    assert spacing(visitor) == pytest.approx(before)
    expect(whole).to_be_hidden()


@pytest.mark.soak
def test_keys_zoom_and_the_cursor_stays_in_sight(visit: Visit) -> None:
    visitor = visit()
    visitor.sit(visitor.server.make_for_persons("x", options={}))
    expect(visitor.page.locator("#board.mine")).to_have_count(1)
    before = spacing(visitor)
    visitor.page.locator("#board").focus()
    for _ in range(4):
        visitor.page.keyboard.press("+")
    assert spacing(visitor) == pytest.approx(before * 5, rel=0.02)
    for _ in range(5):
        visitor.page.keyboard.press("ArrowLeft")
        # Both at once: the cursor is drawn anew whenever the server sends the position again.
        cursor, board = visitor.page.evaluate(
            "['.cursor', 'svg'].map(name => {"
            "  const { left, right } = document.querySelector('#board ' + name)"
            "    .getBoundingClientRect();"
            "  return [left, right]; })"
        )
        assert cursor[0] >= board[0] - 1
        assert cursor[1] <= board[1] + 1
    cell = visitor.page.locator("#board .cursor").get_attribute("data-cell")
    visitor.page.keyboard.press("Enter")
    visitor.expect_ply(1)
    assert visitor.look()["moves"][0]["text"] == cell
    visitor.page.keyboard.press("-")
    assert spacing(visitor) == pytest.approx(before * 5 / 1.5, rel=0.02)
    visitor.page.keyboard.press("0")
    assert spacing(visitor) == pytest.approx(before)


@pytest.mark.soak
def test_a_mouse_pans_what_it_cannot_carry(visit: Visit) -> None:
    visitor = visit()
    visitor.sit(visitor.server.make_for_persons("skaane", options={}))
    expect(visitor.page.locator("#board.mine")).to_have_count(1)
    visitor.page.get_by_role("button", name="Zoom in").click()
    x, y = visitor.centre("d4")
    visitor.page.mouse.move(x, y)
    visitor.page.mouse.down()
    visitor.page.mouse.move(x + 40, y + 30, steps=4)
    visitor.page.mouse.up()
    assert dist(visitor.centre("d4"), (x + 40, y + 30)) < 4
    expect(visitor.page.locator("#message")).to_be_empty()
    visitor.page.mouse.move(x, y)
    assert dist(visitor.centre("d4"), (x + 40, y + 30)) < 4, "it was let go"
    visitor.page.keyboard.press("Escape")
    move = next(move for move in visitor.look()["legal"] if move["path"][0] in ("d2", "e2", "c2"))
    visitor.drag(*move["path"])
    visitor.expect_ply(1)


def test_two_fingers_zoom_and_pan_and_a_double_tap_shows_all(visit: Visit) -> None:
    visitor = visit(**PHONE)
    open_large(visitor)
    fingers, before = Fingers(visitor), spacing(visitor)
    visitor.page.locator("#board").scroll_into_view_if_needed()
    page = visitor.page.evaluate("[scrollX, scrollY, visualViewport.scale]")
    middle = visitor.centre("e5")
    fingers.pinch(middle, 30, 75)
    assert spacing(visitor) == pytest.approx(before * 2.5, rel=0.1)
    assert dist(visitor.centre("e5"), middle) < 4, "what was between the fingers stays there"
    x, y = middle
    fingers.do("touchStart", (x - 40, y), (x + 40, y))
    for step in (10, 20, 30):
        fingers.do("touchMove", (x - 40 + step, y), (x + 40 + step, y))
    fingers.do("touchEnd")
    assert visitor.centre("e5")[0] == pytest.approx(x + 30, abs=4)
    assert visitor.page.evaluate("[scrollX, scrollY, visualViewport.scale]") == page
    assert visitor.look()["ply"] == 0
    visitor.point("e5", "touch")  # wide enough now
    visitor.expect_ply(1)
    assert spacing(visitor) > 2 * before, "the next picture is seen as closely"
    visitor.page.locator("#board svg").scroll_into_view_if_needed()
    place = visitor.centre("e6")
    visitor.page.touchscreen.tap(*place)
    visitor.page.touchscreen.tap(*place)
    expect(visitor.page.locator("#board.zoomed")).to_have_count(0)
    assert spacing(visitor) == pytest.approx(before)
    assert visitor.look()["ply"] == 1, "no tap of the two was a move"


@pytest.mark.parametrize("by", some_of(["mouse", "touch"], ["touch"]))
def test_a_pawn_follows_whoever_drags_it(visit: Visit, by: str) -> None:
    visitor = visit(**PHONE)
    visitor.sit(visitor.server.make_for_persons("skaane", position=RACE))
    expect(visitor.page.locator("#board.mine")).to_have_count(1)
    visitor.page.locator("#board").scroll_into_view_if_needed()
    scrolled = visitor.page.evaluate("scrollY")
    fingers, mouse = Fingers(visitor), visitor.page.mouse
    start, goal = visitor.centre("a2"), visitor.centre("a3")
    half = ((start[0] + goal[0]) / 2, (start[1] + goal[1]) / 2)
    ghost = visitor.page.locator("#board .ghost")
    if by == "mouse":
        mouse.move(*start)
        mouse.down()
        mouse.move(*half, steps=3)
    else:
        fingers.do("touchStart", start)
        fingers.do("touchMove", (start[0], start[1] - 12))
        fingers.do("touchMove", half)
    expect(ghost).to_have_count(1)
    assert visitor.page.evaluate("scrollY") == scrolled, "it does not scroll the page"
    box = ghost.bounding_box()
    assert box is not None
    assert dist((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), half) < 8
    if by == "mouse":
        mouse.move(*goal)
        mouse.up()
    else:
        fingers.do("touchMove", goal)
        fingers.do("touchEnd")
    visitor.expect_ply(1)
    expect(ghost).to_have_count(0)
    assert visitor.look()["moves"][0]["text"] == "a2-a3"


def test_a_line_follows_where_a_direction_is_dragged(visit: Visit) -> None:
    visitor = visit()
    visitor.sit(visitor.server.make_for_persons("skew"))
    expect(visitor.page.locator("#board.mine")).to_have_count(1)
    visitor.page.mouse.move(*visitor.centre("c1"))
    visitor.page.mouse.down()
    visitor.page.mouse.move(*visitor.centre("c2"), steps=3)
    expect(visitor.page.locator("#board .ghost.aim")).to_have_count(1)
    visitor.page.mouse.up()
    visitor.expect_ply(1)
    assert visitor.look()["moves"][0]["text"] == "c1-e"


# --- ahead of one's turn


def choose_ahead(visitor: Visitor, *cells: str) -> None:
    for cell in cells:
        visitor.page.mouse.click(*visitor.centre(cell))


@pytest.fixture
def race(visit: Visit) -> tuple[Visitor, Visitor]:
    first, second = visit(), visit()
    game = first.server.make_for_persons("skaane", position=RACE)
    sit_at(first, game, 0)
    sit_at(second, game, 1)
    return first, second


def test_a_move_chosen_ahead_is_made_when_the_turn_comes(race: tuple[Visitor, Visitor]) -> None:
    first, second = race
    ahead = second.page.locator("#board .ahead")
    choose_ahead(second, "b3", "b2")
    expect(ahead).to_have_count(3)  # two cells and the way
    second.page.locator("#cancel").click()
    expect(ahead).to_have_count(0)
    choose_ahead(second, "b3", "b2", "b3")  # pointing at it again puts it down
    expect(ahead).to_have_count(0)
    choose_ahead(second, "b3", "b2")
    assert second.look()["ply"] == 0
    first.play(["a2", "a3"])
    first.expect_ply(2)
    second.expect_ply(2)
    assert second.look()["moves"][1]["text"] == "b3-b2"
    expect(ahead).to_have_count(0)


@pytest.mark.soak
def test_what_cannot_be_played_is_dropped_with_a_word(race: tuple[Visitor, Visitor]) -> None:
    first, second = race
    choose_ahead(second, "b3", "a1")
    expect(second.page.locator("#board .ahead")).to_have_count(3)
    first.play(["a2", "a3"])
    expect(second.page.locator("#message")).to_contain_text("cannot be played now")
    expect(second.page.locator("#board .ahead")).to_have_count(0)
    assert second.look()["ply"] == 1


def test_a_mouse_shows_what_would_stand_where_it_is(visit: Visit) -> None:
    visitor = visit()
    game = visitor.server.make_for_persons("skirt", options={"side": 3})
    game.play("a1")
    game.play("a2")
    visitor.sit(game)
    expect(visitor.page.locator("#board.mine")).to_have_count(1)
    ghost = visitor.page.locator("#board .ghost.hover")
    shown, taken = visitor.look()["legal"][0]["path"][0], "a1"
    visitor.page.mouse.move(*visitor.centre(taken))
    expect(ghost).to_have_count(0)
    visitor.page.mouse.move(*visitor.centre(shown))
    expect(ghost).to_have_attribute("data-cell", shown)
    seat = visitor.look()["to_move"]
    own = visitor.page.locator(f"#board .piece.seat-{seat}").first
    assert ghost.get_attribute("href") == own.get_attribute("href")
    visitor.page.mouse.move(2, 2)
    expect(ghost).to_have_count(0)
