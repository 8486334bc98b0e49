"""The lobby in real browsers: two meet by a challenge, by a clock, and wherever they are."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.test_people import sign_in
from browser.visiting import Visitor
from server.lobbying import FIVE, SLOW, Guest
from server.serving import TINY
from server.test_accounts import new_name

Visit = Callable[..., Visitor]
PLAYED = re.compile(r"/g/[\w-]{12}$")


def enter(visit: Visit, name: str, **choices: Any) -> Visitor:
    visitor = visit(**choices)
    visitor.keep("skerry:name", name)
    visitor.open("/lobby")
    return visitor


def expect_own_seat(visitor: Visitor) -> None:
    expect(visitor.page.locator("#seats .note", has_text="you")).to_have_count(1)


@pytest.mark.soak
def test_two_meet_and_both_hold_their_seats(visit: Visit) -> None:
    ann, ben = enter(visit, "Ann"), enter(visit, "Ben")
    # By a challenge, which the other sees without loading anything anew.
    expect(ben.page.locator("#nobody")).to_be_visible()
    ann.page.get_by_role("button", name="New challenge").click()
    ann.page.locator("#making summary").click()
    for name, value in TINY["skew"].items():
        ann.page.locator(f"#new-skew-{name}").fill(str(value))
    ann.page.locator("[name=seat-skew]").select_option("1")
    ann.page.get_by_role("button", name="Challenge", exact=True).click()
    own = ann.page.locator("#mine .challenge")
    expect(own).to_contain_text("Waiting")
    expect(ann.page).to_have_title("Waiting … - Lobby")
    seen = ben.page.locator("#open .challenge", has_text="Ann")
    expect(seen).to_contain_text("5 min + 3 s · not rated · board: side 2")
    expect(ben.page.locator("#spoken")).to_have_text("New: Ann: Skew")
    seen.get_by_role("button", name="Play Skew with Ann").click()
    for visitor in (ann, ben):
        visitor.page.wait_for_url(PLAYED)
        expect_own_seat(visitor)
    assert ann.id == ben.id
    assert [seat["name"] for seat in ann.look()["seats"]] == ["Ben", "Ann"]
    # By a clock: one press each, and whoever waits may play on another page meanwhile.
    for visitor in (ann, ben):
        visitor.open("/lobby")
    pressed = ann.page.get_by_role("button", name="Skirt, 5 + 3")
    pressed.click()
    expect(pressed).to_have_attribute("aria-pressed", "true")
    waiting = ben.page.get_by_role("button", name="Skirt, 5 + 3")
    expect(waiting.locator(".count")).to_have_text("1")
    ann.open("/rules/skew")
    expect(ann.page.locator("#to-lobby")).to_have_attribute("data-count", "1")
    waiting.click()
    ben.page.wait_for_url(PLAYED)
    notice = ann.page.locator(".notice")
    expect(notice).to_contain_text("Your game of Skirt with Ben has begun.")
    expect(ann.page).to_have_title(re.compile("^Your game of Skirt with Ben has begun"))
    notice.get_by_role("link", name="Go to the game").click()
    ann.page.wait_for_url(PLAYED)
    expect_own_seat(ann)
    assert ann.id == ben.id


def test_what_is_taken_back_or_refused_is_told(visit: Visit) -> None:
    ann, eve = enter(visit, "Ann"), Guest(visit().server, "Eve")
    answer = eve.come("", game="skaane", clock=FIVE, audience="members")
    ann.pardon(401)
    ann.page.get_by_role("button", name="Play Skaane with Eve").click()
    expect(ann.page.locator("#said")).to_contain_text("is for members; sign in to answer it.")
    eve.leave(answer.json()["challenge"]["id"])
    expect(ann.page.locator("#open .challenge", has_text="Eve")).to_have_count(0)
    ann.page.get_by_role("button", name="Skaane, 15 + 10").click()
    ann.page.get_by_role("button", name="Cancel Skaane").click()
    expect(ann.page.locator("#mine .challenge")).to_have_count(0)
    expect(ann.page.locator("#idle")).to_be_visible()
    assert eve.look()["quick"] == []
    # The start page says how many wait, and nothing moves for it.
    eve.seek("skew")
    ann.open()
    expect(ann.page.locator("#seekers")).to_have_text(
        "1 person is looking for a game: meet in the lobby"
    )
    eve.leave(eve.look()["mine"][0]["id"])


def test_who_is_challenged_is_told_on_any_page(visit: Visit) -> None:
    visitor = visit()
    server = visitor.server
    ann, ben = (server.sign_up(f"{who} Paged") for who in ("Ann", "Ben"))
    visitor.be(ann)
    visitor.open("/archive")
    body = {"game": "skew", "options": TINY["skew"], "to": ann.name}
    assert ben.client.post("/api/lobby", json=body).status_code == 201
    notice = visitor.page.locator(".notice")
    expect(notice).to_contain_text("Ben Paged challenges you to a game of Skew.")
    expect(visitor.page.locator("#to-lobby")).to_have_attribute("data-count", "1")
    notice.get_by_role("link", name="Answer").click()
    expect(visitor.page.locator("#naming")).to_be_hidden()
    expect(visitor.page.get_by_role("checkbox", name="Rated").first).to_be_enabled()
    visitor.page.get_by_role("button", name="Accept Skew").click()
    visitor.page.wait_for_url(PLAYED)
    expect_own_seat(visitor)
    assert {seat["person"]["name"] for seat in visitor.look()["seats"]} == {ann.name, ben.name}
    # A profile leads to the form, filled in.
    visitor.open(f"/people/{ben.name}")
    visitor.page.get_by_role("link", name="Challenge").click()
    expect(visitor.page.locator("#making [name=to]")).to_have_value(ben.name)


@pytest.mark.soak
def test_three_meet_on_phones(visit: Visit) -> None:
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
    three = [enter(visit, name, **phone) for name in ("Ann", "Ben", "Cleo")]
    for number, visitor in enumerate(three, 1):
        visitor.page.get_by_role("button", name="X, 3 + 2").tap()
        if number < len(three):
            own = three[0].page.locator("#mine .challenge")
            expect(own).to_contain_text(["", "one more is needed"][number - 1])
    for visitor in three:
        visitor.page.wait_for_url(PLAYED)
        expect_own_seat(visitor)
    assert len({visitor.id for visitor in three}) == 1
    assert sorted(seat["name"] for seat in three[0].look()["seats"]) == ["Ann", "Ben", "Cleo"]


@pytest.mark.soak
def test_two_agree_to_an_engine(visit: Visit) -> None:
    two = [enter(visit, name) for name in ("Ann", "Ben")]
    for visitor in two:
        visitor.page.get_by_role("button", name="X, 15 + 10").click()
    first, second = (visitor.page.locator("#mine .acts") for visitor in two)
    first.get_by_role("combobox").select_option("1")
    first.get_by_role("button", name="Add an engine").click()
    expect(second.get_by_role("combobox")).to_have_value("1")
    second.get_by_role("button", name="Agree to an engine").click()
    for visitor in two:
        visitor.page.wait_for_url(PLAYED)
    assert "level:1" in [seat["kind"] for seat in two[0].look()["seats"]]


def test_whoever_signs_out_leaves_no_waiting_seat_behind(visit: Visit) -> None:
    visitor, name = visit(), new_name()
    visitor.server.sign_up(name)
    sign_in(visitor, name)
    visitor.open("/lobby")
    body = {"game": "skew", "options": TINY["skew"], "clock": SLOW, "name": ""}
    made = visitor.page.evaluate(
        """async (body) => {
          const secret = "the-next-person-at-this-browser1";
          localStorage.setItem("skerry:lobby", JSON.stringify({ secret, waits: true }));
          const headers = { "Content-Type": "application/json" };
          const request = { method: "POST", headers, body: JSON.stringify({ ...body, secret }) };
          return (await fetch("/api/lobby", request)).json();
        }""",
        body,
    )
    other = visitor.context.new_page()  # where the lobby stays open
    other.goto(f"{visitor.server.url}/lobby")
    expect(other.locator("#mine .challenge")).to_contain_text("Waiting")
    visitor.open("/account")
    expect(visitor.page.locator("#vacation-left")).to_have_text("21")
    visitor.page.locator("#sign-out").click()
    visitor.page.wait_for_url(f"{visitor.server.url}/")
    begun = Guest(visitor.server, "Ben").join(made["challenge"]["id"]).json()["challenge"]
    expect(other.locator("#mine .challenge")).to_have_count(0)
    visitor.open("/lobby")
    expect(visitor.page.locator("#nobody")).to_be_visible()
    kept = """() => [...Object.keys(localStorage)].map((key) => localStorage.getItem(key))
      .join().match(/[\\w-]{32}/g)"""
    shown = ",".join({*visitor.page.evaluate(kept), made["secret"]})
    seen = visitor.server.client.get(
        f"/api/games/{begun['url'].removeprefix('/g/')}", headers={"X-Seat": shown}
    )
    assert (seen.status_code, seen.json()["yours"]) == (200, [])
