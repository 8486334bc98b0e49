"""Answers planned on the game page: entered by playing, kept in secret, played as they come."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from browser.visiting import Visitor
from server.serving import Game
from support.repeating import some_of

Visit = Callable[..., Visitor]
BY_DAYS = {"kind": "days", "days": 3}
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def sit(visitor: Visitor, game: Game, seat: int) -> Visitor:
    visitor.open(f"/g/{game.id}#s={game.secrets[seat]}")
    expect(visitor.page.locator("#seats .note", has_text="you")).to_have_count(1)
    return visitor


def begin(visitor: Visitor, name: str = "x", **choices: object) -> Game:
    """A game by days on a board with some room, in which everybody sits."""
    options = {"size": 3} if name == "x" else {"side": 3}
    game = visitor.server.make_for_persons(name, options=options, **{"clock": BY_DAYS, **choices})
    for seat in range(len(game.secrets)):
        game.post("claim", seat, name="")
    return game


def planned(visitor: Visitor) -> Locator:
    return visitor.page.locator("#planned .line")


def start(visitor: Visitor, who: str = "Red") -> None:
    visitor.page.get_by_role("button", name="Plan your answers").click()
    expect(visitor.words()).to_have_text(f"Plan: what might {who} play?")


def point(visitor: Visitor, cell: str, then: str, by: str = "mouse") -> None:
    """Play a move of one cell in a plan, and read what comes next."""
    visitor.point(cell, by)
    expect(visitor.words()).to_have_text(then)


def test_a_line_is_played_in_and_comes_true(visit: Visit) -> None:
    host, guest = visit(), visit()
    game = begin(host)
    sit(host, game, 0)
    sit(guest, game, 1)
    start(guest)
    save = guest.page.get_by_role("button", name="Save line")
    expect(save).to_be_disabled()
    point(guest, "a1", "Plan: choose your answer")
    expect(save).to_be_disabled()
    point(guest, "b1", "Plan: save this line, or go on with what Green might play then")
    assert guest.look()["ply"] == 0, "nothing of it is played"
    save.click()
    expect(planned(guest)).to_have_text(["If a1, then b1"])
    expect(guest.page.locator("#message")).to_contain_text("The line is saved")
    expect(guest.words()).to_have_text("Waiting for Red")
    expect(guest.page.locator("#board .piece")).to_have_count(0)
    host.play(["a1"])
    for somebody in (host, guest):
        somebody.expect_ply(2)
    expect(guest.page.locator("#message")).to_have_text("Played as you planned: b1.")
    expect(planned(guest)).to_have_count(0)
    expect(host.page.locator("#plans")).to_be_hidden()


@pytest.mark.soak
def test_lines_are_gone_on_with_changed_and_deleted(visit: Visit) -> None:
    guest = visit()
    game = begin(guest)
    sit(guest, game, 1)
    for first, answer in (("a1", "b1"), ("a2", "b2")):
        start(guest)
        point(guest, first, "Plan: choose your answer")
        guest.point(answer)
        expect(guest.page.locator("#plan-save")).to_be_enabled()
        guest.page.locator("#plan-save").click()
        expect(guest.page.locator("#planning")).to_be_hidden()
    expect(planned(guest)).to_have_text(["If a1, then b1", "If a2, then b2"])
    # Going on with a line replaces it, and so does another answer.
    planned(guest).nth(0).click()
    expect(guest.words()).to_contain_text("Plan: save this line, or go on")
    point(guest, "c1", "Plan: what might Red play?")
    point(guest, "a2", "Plan: choose your answer")
    guest.point("c3")
    expect(guest.words()).to_contain_text("Plan: save this line")
    guest.page.locator("#plan-save").click()
    expect(planned(guest)).to_have_text(["If a2, then b2", "If a1, then b1; if then c1 a2, c3"])
    planned(guest).nth(0).click()
    expect(guest.words()).to_contain_text("Plan: save this line")
    guest.page.get_by_role("button", name="Undo move").click()
    expect(guest.words()).to_have_text("Plan: choose your answer")
    guest.point("c2")
    expect(guest.words()).to_contain_text("Plan: save this line")
    guest.page.locator("#plan-save").click()
    expect(planned(guest)).to_have_text(["If a1, then b1; if then c1 a2, c3", "If a2, then c2"])
    # They are the server's: another look at the page finds them.
    guest.page.reload()
    expect(planned(guest)).to_have_count(2)
    guest.page.get_by_role("button", name="Delete: If a2, then c2").click()
    expect(planned(guest)).to_have_text(["If a1, then b1; if then c1 a2, c3"])


@pytest.mark.soak
def test_a_plan_gives_way_to_the_game(visit: Visit) -> None:
    guest = visit()
    game = begin(guest)
    sit(guest, game, 1)
    start(guest)
    point(guest, "a1", "Plan: choose your answer")
    game.play("c3")
    expect(guest.words()).to_contain_text("Your turn")
    expect(guest.page.locator("#planning")).to_be_hidden()
    expect(guest.page.locator("#plan")).to_be_hidden()
    expect(guest.page.locator("#board .piece")).to_have_count(1)
    guest.play(["b1"])


def test_what_cannot_be_played_is_explained_and_looking_back_ends_a_plan(visit: Visit) -> None:
    guest = visit()
    game = begin(guest)
    game.play("c3")
    sit(guest, game, 0)
    guest.page.get_by_role("button", name="Plan your answers").click()
    guest.point("c3")
    expect(guest.page.locator("#message")).to_contain_text("Not allowed")
    point(guest, "a1", "Plan: what might Green play?")
    guest.page.get_by_role("button", name="One back").click()
    expect(guest.words()).to_contain_text("Looking back: move 0 of 1")
    expect(guest.page.locator("#planning")).to_be_hidden()
    guest.page.locator("#back-to-game").click()
    expect(guest.page.locator("#plan")).to_be_visible()


@pytest.mark.soak
def test_a_turn_of_two_parts_and_a_game_without_a_clock(visit: Visit) -> None:
    guest = visit()
    game = begin(guest, "skirt", clock=None)
    sit(guest, game, 1)
    start(guest, "White")
    point(guest, "a1", "Plan: choose your answer")
    point(guest, "a3", "Plan: finish your turn")  # an inner hex is due
    expect(guest.page.locator("#plan-save")).to_be_disabled()
    guest.point("b3")
    expect(guest.words()).to_contain_text("Plan: save this line")
    guest.page.locator("#plan-save").click()
    expect(planned(guest)).to_have_text(["If a1, then a3 b3"])
    game.play("a1")
    guest.expect_ply(3)


@pytest.mark.parametrize("kind", some_of(["total", "move"], ["move"]))
def test_live_games_are_not_planned(visit: Visit, kind: str) -> None:
    guest = visit()
    game = begin(guest, clock={"kind": kind, "seconds": 600})
    sit(guest, game, 1)
    expect(guest.words()).to_have_text("Waiting for Red")
    expect(guest.page.locator("#plan")).to_be_hidden()


def test_a_plan_by_keyboard_alone(visit: Visit) -> None:
    guest = visit()
    game = begin(guest)
    sit(guest, game, 1)
    guest.page.locator("#plan").focus()
    guest.page.keyboard.press("Enter")
    expect(guest.page.locator("#board")).to_be_focused()
    point(guest, "a1", "Plan: choose your answer", "keyboard")
    guest.point("b1", "keyboard")
    expect(guest.words()).to_contain_text("Plan: save this line")
    guest.page.locator("#plan-save").focus()
    guest.page.keyboard.press("Enter")
    expect(planned(guest)).to_have_text(["If a1, then b1"])


@pytest.mark.soak
def test_a_plan_on_a_phone(visit: Visit) -> None:
    guest = visit(**PHONE)
    game = begin(guest)
    sit(guest, game, 1)
    start(guest)
    point(guest, "a1", "Plan: choose your answer", "touch")
    guest.point("b1", "touch")
    expect(guest.words()).to_contain_text("Plan: save this line")
    for id in ("board", "plan-save", "plan-back", "plan-stop"):
        box = guest.page.locator(f"#{id}").bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 640, id
        assert box["x"] + box["width"] <= 360, id
    guest.page.locator("#plan-save").tap()
    expect(planned(guest)).to_have_text(["If a1, then b1"])
