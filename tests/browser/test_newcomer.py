"""What somebody meets who holds a phone and has never heard of these games."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from browser.test_table import NEEDED, PHONE, SMALL, list_outside, on, sit_apart
from browser.visiting import Visitor

Visit = Callable[..., Visitor]


def test_a_link_to_send_is_seen_at_once(visit: Visit) -> None:
    host = visit(**on(PHONE))
    host.begin("skew", "link")
    assert host.link()
    expect(host.page.locator("#links input")).to_be_visible()
    assert list_outside(host.page, "#share") == []
    assert host.page.evaluate("scrollY") == 0


def test_whoever_comes_by_a_link_moves_nothing(visit: Visit) -> None:
    """The invitation used to vanish under the eyes, and the fingers, of whoever had sent it."""
    host, guest = visit(**on(PHONE)), visit()
    host.begin("skew", "link")
    link = host.link()
    place = "all => all.map((e) => e.getBoundingClientRect().y)"
    panels = host.page.locator("#share, #intro, .tools")
    before = panels.evaluate_all(place)
    guest.page.goto(link)
    expect(host.page.locator("#links")).to_have_text("Second has come.")
    expect(host.page.locator("#links input")).to_have_count(0)
    assert panels.evaluate_all(place) == before
    host.play(host.look()["legal"][0]["path"], "touch")
    expect(host.page.locator("#share")).to_be_hidden()


def test_a_phone_sends_links_in_its_own_way(visit: Visit) -> None:
    host = visit(**on(PHONE))
    # What sends it is a part of the phone.
    host.page.add_init_script("navigator.share = async (what) => { window.sent = what; }")
    host.begin("skew", "link")
    host.page.locator("#links").get_by_role("button", name="Send", exact=True).click()
    assert host.page.evaluate("sent") == {"title": "Play Skew with me", "url": host.link()}


def test_the_goal_is_seen_before_what_is_needed_later(visit: Visit) -> None:
    visitor = visit(**on(PHONE))
    visitor.sit(visitor.server.make_for_persons("skaane", options={}))
    expect(visitor.page.locator("#intro")).to_be_visible()
    assert list_outside(visitor.page, "#intro > p:first-of-type") == []


def test_the_header_is_one_line_and_a_menu_has_the_rest(visit: Visit) -> None:
    visitor = visit(**on(SMALL))
    visitor.sit(visitor.server.make_for_persons("skew"))
    page, menu = visitor.page, visitor.page.locator("#menu")
    shown = "e => [e.offsetHeight, getComputedStyle(e, '::after').content]"
    height, _ = page.locator("header.site").evaluate(shown)
    assert height < 50
    assert page.locator("button.menu").evaluate(shown)[1] == '""', "a game waits, so there is a dot"
    expect(menu).to_be_hidden()
    page.get_by_role("button", name="Menu").tap()
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    page.get_by_role("button", name="Menu").tap()
    assert list_outside(page, "#menu a") == []
    menu.get_by_role("link", name="Puzzles").tap()
    page.wait_for_url("**/puzzles")


@pytest.mark.soak
def test_what_comes_after_a_game_is_on_the_same_screen(visit: Visit) -> None:
    visitor = visit(**on(SMALL))
    visitor.sit(visitor.server.make("skirt", seats=["person", "level:1"], options={}))
    expect(visitor.page.locator("#another")).to_be_hidden()
    visitor.page.locator("#resign").click()
    expect(visitor.words()).to_have_text("You lost: you resigned")
    assert list_outside(visitor.page, "#rematch, #another, #analyse") == []
    visitor.page.locator("#another").click()
    visitor.page.wait_for_url("**/games/skirt")


def test_no_question_or_refusal_moves_anything(visit: Visit) -> None:
    """The fault: what is below the board jumped by 50 pixels every turn."""
    host, guest = visit(), visit(**on(SMALL))
    sit_apart(host, guest, host.server.make_for_persons("skirt", options={}))
    place = "e => e.getBoundingClientRect().y"
    tools = guest.page.locator(".tools")
    host.play(["a1"])
    guest.expect_ply(1)
    before = tools.evaluate(place)
    guest.point("c4", "touch")
    message = guest.page.locator("#message")
    expect(message).to_contain_text("Not allowed")
    assert tools.evaluate(place) == before
    assert message.evaluate("e => e.offsetLeft - e.parentElement.offsetLeft") == 0
    host.page.locator("#takeback").click()
    expect(guest.page.locator("#takeback-asked")).to_be_visible()
    guest.page.locator("#board").press("Escape")
    assert tools.evaluate(place) == before
    guest.page.locator("#takeback-asked").get_by_text("Decline").click()
    expect(host.page.locator("#offers")).to_have_text("Black declined the takeback.")
    guest.page.locator("#chat-text").fill("No!")
    guest.page.locator("#chat-form button").click()
    expect(host.page.locator("#message")).to_have_text("Black: No!")
    expect(guest.page.locator("#chat li")).to_have_count(1)
    expect(guest.page.locator("#message")).to_be_empty()


@pytest.mark.soak
def test_offers_have_room_where_answers_can_be_planned(visit: Visit) -> None:
    """The fault: a question pushed everything below it down."""
    host, guest = visit(), visit(**on(SMALL))
    game = host.server.make_for_persons("skew", options={})
    sit_apart(host, guest, game)
    for _ in range(2):
        game.play()
    guest.expect_ply(2)
    place = "e => e.getBoundingClientRect().y"
    tools = guest.page.locator(".tools")
    expect(guest.page.locator("#plan")).to_be_visible()
    before = tools.evaluate(place)
    host.page.locator("#offer-draw").click()
    expect(guest.page.locator("#draw-asked")).to_be_visible()
    assert tools.evaluate(place) == before
    guest.page.locator("#draw-asked").get_by_text("Decline").tap()
    expect(guest.page.locator("#plan")).to_be_visible()
    guest.page.locator("#offer-draw").tap()
    expect(guest.page.locator("#offers")).to_have_text("You have offered a draw.")
    guest.page.evaluate("scrollTo(0, 0)")
    assert tools.evaluate(place) == before


@pytest.mark.soak
def test_looking_back_needs_one_screen(visit: Visit) -> None:
    """Buttons that are far below on a phone come to the board, and stay under the finger."""
    visitor = visit(**on(SMALL))
    game = visitor.server.make_for_persons("skaane", options={}, seed=3)
    for _ in range(3):
        game.play()
    visitor.sit(game)
    back = visitor.page.get_by_label("One back")
    for ply in (2, 1):
        back.tap()
        expect(visitor.words()).to_contain_text(f"Looking back: move {ply} of 3")
        assert list_outside(visitor.page, f"{NEEDED}, [data-go]") == []
    visitor.page.locator("#back-to-game").tap()
    expect(visitor.words()).to_contain_text("to move")
    assert list_outside(visitor.page, "[data-go]") != []


@pytest.mark.soak
def test_a_question_has_room_beside_a_long_sentence(visit: Visit) -> None:
    visitor = visit()
    game = visitor.server.make_for_persons("x", options={})
    for _ in range(3):
        game.play()
    visitor.open(f"/g/{game.id}#s={game.secrets[0]}")
    expect(visitor.words()).to_have_text("Your turn: put a stone on any empty hex")
    place = "e => e.getBoundingClientRect().y"
    before = visitor.page.locator(".tools").evaluate(place)
    game.act("ask-takeback", 2)
    expect(visitor.page.locator("#takeback-asked")).to_be_visible()
    assert visitor.page.locator(".tools").evaluate(place) == before


@pytest.mark.soak
def test_choosing_a_direction_moves_nothing(visit: Visit) -> None:
    visitor = visit(**on(SMALL))
    visitor.sit(visitor.server.make_for_persons("skew", options={}))
    place = "e => e.getBoundingClientRect().y"
    tools = visitor.page.locator(".tools")
    before = tools.evaluate(place)
    visitor.point("e4", "touch")
    way = visitor.page.get_by_role("button", name="ne, north-east", exact=True)
    expect(way).to_have_text("↗ne")
    expect(visitor.page.locator("#cancel")).to_be_visible()
    assert tools.evaluate(place) == before
    # The arrow points where the lean is seen.
    visitor.page.locator("#board").press("Escape")
    visitor.page.locator("#flip").click()
    expect(visitor.page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    visitor.page.evaluate("scrollTo(0, 0)")
    visitor.point("e4", "touch")
    expect(way).to_have_text("↙ne")


@pytest.mark.soak
def test_three_have_names_beside_their_clocks(visit: Visit) -> None:
    visitor = visit(**on(SMALL))
    clock = {"kind": "days", "days": 3}
    names = ["", "Ann", ""]
    game = visitor.server.make_for_persons("x", options={}, clock=clock, names=names)
    for _ in range(3):
        game.play()
    visitor.open(f"/g/{game.id}#s={game.secrets[0]}")
    expect(visitor.page.locator("#seats .note", has_text="you")).to_have_count(1)
    cut = "all => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)"
    titles = visitor.page.locator(".seat .title")
    assert titles.evaluate_all(cut) == []
    leaver = visit()
    leaver.open(f"/g/{game.id}#s={game.secrets[2]}")
    leaver.page.locator("#resign").click()
    expect(leaver.page.locator("#message")).to_have_text("You have left: Level 3 plays on.")
    expect(visitor.page.locator("#message")).to_have_text("Green has left: Level 3 plays on.")
    expect(visitor.page.locator(".seat .who:visible", has_text="Level 3 for")).to_have_count(1)
    assert titles.evaluate_all("all => all.every((e) => e.innerText.trim())")


def test_cards_waste_no_screen(visit: Visit) -> None:
    visitor = visit(**on(SMALL))
    visitor.open("/games/x")
    shape = "e => e.offsetHeight / e.offsetWidth"
    assert visitor.page.locator(".card .board").evaluate(shape) < 0.7
    visitor.open("/puzzles")
    buttons = visitor.page.locator(".ways a")
    assert buttons.evaluate_all("all => all.every((e) => e.offsetHeight < 50)")


def test_a_board_that_takes_its_time_is_announced(visit: Visit) -> None:
    visitor = visit(**on(PHONE))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    visitor.page.route("**/api/positions/setup*", hold)
    visitor.open("/study?game=skirt")
    wrong = visitor.page.locator("#wrong")
    expect(wrong).to_have_text("Setting up the board …")
    expect(wrong).to_be_visible()
    expect(visitor.page.locator("html")).to_have_attribute("data-settled", "")  # at once
    held[0].continue_()
    expect(visitor.page.locator("#board .cell")).to_have_count(91, timeout=30_000)
    expect(wrong).to_be_empty()
    # Options say what they count.
    visitor.page.locator(".options:visible summary").click()
    side = visitor.page.get_by_label("Side", exact=True)
    expect(side.locator("visible=true")).to_have_accessible_description(
        "hexes on each side of the hexagon, 2 to 12"
    )
    # What is wrong with them is seen, though they be folded away.
    options = visitor.page.locator(".options:visible")
    options.locator("[data-option=side]").fill("99")
    options.locator("summary").click()
    visitor.page.get_by_role("button", name="Study this").click()
    expect(options.locator("[data-option=side]")).to_be_focused()


def test_an_engine_that_takes_its_time_is_announced(visit: Visit) -> None:
    visitor = visit(**on(PHONE))
    visitor.page.route_web_socket("**/api/analysis", lambda _: None)  # it never answers
    visitor.open("/study/new?game=skew")
    visitor.page.locator("#engine").click()
    expect(visitor.page.locator("#depth")).to_have_text("getting ready …")
