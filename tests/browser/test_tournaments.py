"""Tournaments as people see them: made, joined, played and watched, without reloading."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from browser.test_people import fill
from browser.visiting import Visitor
from server.contesting import Tourney, hold
from server.serving import PASSWORD
from server.test_accounts import new_name

Visit = Callable[..., Visitor]


def open_late(visitor: Visitor, tourney: Tourney) -> None:
    """Open a page that is written before somebody else joins, and connected afterwards."""
    other = visitor.server.sign_up("Cleo of Sark")

    def connect_late(live: WebSocketRoute) -> None:
        tourney.do(other, "join")
        live.connect_to_server()

    visitor.page.route_web_socket("**/live", connect_late)
    visitor.open(f"/tournaments/{tourney.id}")
    expect(visitor.page.locator(".standings tbody tr")).to_have_count(2)
    tourney.do(other, "leave")


@pytest.mark.soak
def test_a_tournament_from_the_form_to_the_winner(visit: Visit) -> None:
    """One makes it and begins it; the other is led to the game, and sees who has won."""
    maker, guest = visit(), visit(viewport={"width": 390, "height": 844})
    ann, ben = (maker.server.sign_up(f"{name} of Sark") for name in ("Ann", "Ben"))
    maker.be(ann)
    guest.be(ben)
    page = maker.page
    maker.open("/tournaments")
    page.get_by_text("Make a tournament").click()
    form = page.locator("#make")
    form.locator("[name=title]").fill("Thursday cup")
    form.locator("[name=system]").select_option("Arena")
    expect(form.locator("[name=minutes]")).to_be_visible()
    expect(form.locator("[name=rounds]")).to_be_hidden()
    form.locator("[name=game]").select_option("X")
    expect(form.locator("[name=system]")).to_have_value("swiss")
    form.locator("[name=game]").select_option("Skirt")
    form.locator("[name=system]").select_option("Round robin")
    form.get_by_text("Board", exact=True).click()
    expect(form.locator("#board-skew-side")).to_be_hidden()
    form.locator("#board-skirt-side").fill("2")
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url("**/tournaments/*")
    tourney = Tourney(maker.server, page.url.rpartition("/")[2])
    assert tourney.look(ann)["options"]["side"] == 2
    expect(page.get_by_role("heading", name="Thursday cup")).to_be_visible()
    expect(page.locator(".standings tbody tr")).to_have_count(1)
    open_late(visit(), tourney)
    expect(page.locator(".standings tbody tr")).to_have_count(1)
    guest.open(f"/tournaments/{tourney.id}")
    guest.page.get_by_role("button", name="Join").click()
    expect(page.locator(".standings tbody tr")).to_have_count(2)  # without reloading
    page.get_by_role("button", name="Begin now").click()
    guest.page.wait_for_url("**/g/*")
    page.wait_for_url("**/g/*")
    page.go_back()
    expect(page.get_by_role("link", name="Play your game")).to_be_visible()
    game = tourney.look(ann)["bouts"][0]["url"].removeprefix("/g/")
    seen = ben.client.get(f"/api/games/{game}").json()
    ben.client.post(
        f"/api/games/{game}/actions", json={"version": seen["version"], "action": "resign"}
    )
    expect(page.get_by_text("Ann of Sark has won")).to_be_visible()
    expect(page.locator(".bouts")).to_contain_text("1")
    guest.page.get_by_role("link", name="To the tournament").click()
    expect(guest.page.get_by_text("Ann of Sark has won")).to_be_visible()
    stranger = visit(java_script_enabled=False)
    stranger.open(f"/tournaments/{tourney.id}")
    expect(stranger.page.locator(".standings tbody tr").first).to_contain_text("Ann of Sark")
    expect(stranger.page.get_by_text("Ann of Sark has won")).to_be_visible()


@pytest.mark.soak
def test_a_guest_makes_an_account_on_the_way_to_a_tournament(visit: Visit) -> None:
    """In one step, with the games that they have played; and is back where they were."""
    visitor, name = visit(), new_name("Guest")
    page, server = visitor.page, visitor.server
    event = hold(server, server.sign_up(new_name("Host")))
    played = server.make_for_persons("skew")
    visitor.sit(played)
    visitor.open(f"/tournaments/{event.id}")
    expect(page.locator("[data-deed=join]")).to_have_count(0)
    page.get_by_role("link", name="Sign in", exact=True).last.click()  # the wrong door
    page.get_by_role("link", name="Make one").click()
    fill(page, "sign-up", name=name, password=PASSWORD)
    page.get_by_role("link", name="Done").click()
    page.wait_for_url(f"{server.url}/tournaments/{event.id}")
    page.locator("[data-deed=join]").click()
    expect(page.locator(".standings")).to_contain_text(name)
    held = page.evaluate("fetch('/api/games/mine').then((answer) => answer.json())")
    assert [game["id"] for game in held] == [played.id]


def test_a_page_that_comes_slowly_loses_nothing(visit: Visit) -> None:
    """Join is pressed before the page's script is there, and the first look at news fails."""
    visitor, slow, failing = visit(), list[Route](), list[Route]()
    page, server = visitor.page, visitor.server
    event = hold(server, server.sign_up(new_name("Host")))
    name = new_name("Guest")
    visitor.be(server.sign_up(name))
    visitor.pardoned += ("status of 503 ",)

    def hold_back(route: Route) -> None:
        slow.append(route)

    def fail_once(route: Route) -> None:
        failing.append(route)
        if len(failing) == 1:
            route.fulfill(status=503)
        else:
            route.continue_()

    page.route("**/pages/tournament.js*", hold_back)
    page.route("**/tournaments/*part=true", fail_once)
    page.goto(f"{server.url}/tournaments/{event.id}", wait_until="commit")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("button", name="Join")).to_be_visible()
    (held,) = slow
    held.continue_()
    expect(page.locator(".standings")).to_contain_text(name)
    assert len(failing) > 1
