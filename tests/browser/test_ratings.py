"""A rated game as two people see it: asked for, played, and what became of their ratings."""

import re
from collections.abc import Callable
from secrets import token_hex

import pytest
from playwright.sync_api import expect

from browser.visiting import Visitor
from server.serving import Somebody

Visit = Callable[..., Visitor]


def come(visit: Visit, name: str) -> tuple[Visitor, Somebody]:
    """Somebody who is signed in, in a browser that knows it."""
    visitor = visit(viewport={"width": 390, "height": 844})
    somebody = visitor.server.sign_up(f"{name} {token_hex(3)}")
    visitor.be(somebody)
    return visitor, somebody


@pytest.mark.soak
def test_a_rated_game_and_what_became_of_it(visit: Visit) -> None:
    guest = visit()
    guest.open("/games/skew")
    expect(guest.page.locator("[name=rated]")).to_be_hidden()
    (host, ann), (other, bob) = come(visit, "Ann"), come(visit, "Bob")
    host.open("/games/skew")
    page = host.page
    page.get_by_text("Board, level, clock").click()
    side = page.locator("[data-option=side]")
    side.fill("3")
    expect(page.locator("[name=rated]")).to_be_hidden()  # another board
    side.fill(side.get_attribute("value") or "")
    page.get_by_label("Rated").check()
    page.get_by_role("button", name="Send a link").click()
    page.wait_for_url("**/g/*")
    link = page.locator("#links input").first
    expect(link).to_be_visible()
    other.page.goto(link.input_value())
    ratings = page.locator("#seats .rating")
    expect(ratings).to_have_text(["1500?", "1500?"])
    id = re.findall(r"/g/([^#]*)", page.url)[0]
    seen = ann.client.get(f"/api/games/{id}").json()
    body = {"version": seen["version"], "action": "resign"}
    for _ in range(2):  # nobody loses before everybody has moved
        mover = next(one for one in (ann, bob) if seen["to_move"] in one_seats(one, id))
        move = {"version": seen["version"], "move": seen["legal"][0]["move"]}
        seen = mover.client.post(f"/api/games/{id}/moves", json=move).json()
    body = {"version": seen["version"], "action": "resign"}
    assert bob.client.post(f"/api/games/{id}/actions", json=body).status_code == 200
    for visitor in (host, other):
        mine = visitor.page.locator("#seats .below .rating")
        expect(mine).to_have_text("1500 → 1662?" if visitor is host else "1500 → 1338?")
    other.open(f"/ratings/person:{bob.id}")
    expect(other.page.get_by_role("heading", name="Skew")).to_contain_text("1338?")
    expect(other.page.get_by_role("img", name="The rating over time")).to_be_visible()
    other.open("/ladder/skew?who=person")
    expect(other.page.get_by_role("row", name=ann.name)).to_contain_text("1662?")


def one_seats(somebody: Somebody, id: str) -> list[int]:
    return list(somebody.client.get(f"/api/games/{id}").json()["yours"])
