"""Your games: what this browser has a seat in, on every page and in every tab."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.visiting import Visitor
from server.serving import Game

Visit = Callable[..., Visitor]


def hold(visitor: Visitor, game: Game, *seats: int) -> None:
    """Have seats of a game, as if a link had been opened here."""
    secrets = json.dumps([game.secrets[seat] for seat in seats])
    visitor.page.evaluate(f"localStorage.setItem('skerry:{game.id}', {secrets!r})")


def entry(page: Page, game: Game) -> str:
    return f"#yours a[href='/g/{game.id}']"


def test_every_unfinished_game_is_listed_with_its_turn(visit: Visit) -> None:
    visitor = visit()
    server = visitor.server
    clock = {"kind": "days", "days": 3}
    mine = server.make_for_persons("skew", names=["Ann", "Bob"], clock=clock)
    theirs = server.make_for_persons("skirt", names=["Ann", "Cleo"])
    over = server.make_for_persons("skew")
    theirs.play()
    theirs.play()
    while theirs.look()["to_move"] == 0:
        theirs.play()
    over.play()
    assert over.act("resign", 0).status_code == 200
    visitor.open("/yours")
    expect(visitor.page.locator("#none")).to_be_visible()
    for game in (theirs, mine, over):
        hold(visitor, game, 0)
    visitor.page.reload()
    links = visitor.page.locator("#yours a")
    expect(links).to_have_count(2)
    expect(links.nth(0)).to_contain_text("Skew: Bob")
    expect(links.nth(0)).to_contain_text("Your turn, 3 d 0 h")
    expect(links.nth(1)).to_contain_text("Skirt: Cleo")
    expect(links.nth(1)).to_contain_text("to move")
    expect(links.nth(0).locator("img:visible")).to_have_count(1)
    expect(visitor.page.locator("#waiting")).to_have_text("Your games (1)")
    links.nth(0).click()
    visitor.page.wait_for_url(f"**/g/{mine.id}")


def test_the_start_page_leads_back_to_them(visit: Visit) -> None:
    visitor = visit()
    visitor.open()
    expect(visitor.page.locator("#your-games")).to_be_hidden()
    visitor.begin("skew", "here")
    visitor.open()
    expect(visitor.page.locator("#yours a")).to_contain_text("Skew at one screen")
    expect(visitor.page.locator("#yours a")).to_contain_text("Your turn")


@pytest.mark.soak
def test_another_tab_is_heard_of(visit: Visit) -> None:
    visitor = visit()
    visitor.open("/yours")
    expect(visitor.page.locator("#none")).to_be_visible()
    game = visitor.server.make_for_persons("skew")
    other = visitor.context.new_page()
    other.goto(f"{visitor.server.url}/g/{game.id}#s={game.secrets[1]}")
    visitor.page.bring_to_front()
    expect(visitor.page.locator(entry(visitor.page, game))).to_contain_text("First to move")


def test_what_is_over_is_dropped_and_not_asked_about_again(visit: Visit) -> None:
    visitor = visit()
    visitor.page.clock.install()
    visitor.open("/yours")
    game = visitor.server.make_for_persons("skew")
    hold(visitor, game, 0)
    visitor.page.reload()
    expect(visitor.page.locator(entry(visitor.page, game))).to_be_visible()
    game.play()
    assert game.act("resign", 0).status_code == 200
    with visitor.page.expect_response("**/api/games/mine"):
        visitor.page.clock.run_for(16_000)
    expect(visitor.page.locator("#none")).to_be_visible()
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.page.clock.run_for(16_000)
    visitor.page.reload()
    expect(visitor.page.locator("#none")).to_be_visible()
    assert not [url for url in asked if url.endswith("/mine")]


def test_without_scripts_the_page_says_why_it_is_empty(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    visitor.open("/yours")
    expect(visitor.page.locator("noscript p")).to_be_visible()


@pytest.mark.soak
def test_the_start_page_keeps_room_for_them(visit: Visit) -> None:
    visitor = visit()
    visitor.begin("skew", "here")
    expect(visitor.page.locator("#waiting")).to_have_text("Your games (1)")
    visitor.page.route("**/api/games/mine", lambda route: None)  # no answer yet
    visitor.open()
    card = visitor.page.locator("article.card").first
    before = card.bounding_box()
    visitor.page.unroute("**/api/games/mine")
    visitor.page.evaluate("window.dispatchEvent(new StorageEvent('storage'))")
    expect(visitor.page.locator("#yours a")).to_have_count(1)
    after = card.bounding_box()
    assert before is not None
    assert after == before


def test_digits_of_a_clock_move_nothing_and_a_phone_has_two_boards_in_a_row(visit: Visit) -> None:
    visitor = visit(viewport={"width": 360, "height": 640}, has_touch=True)
    visitor.open("/yours")
    for _ in range(2):
        hold(visitor, visitor.server.make_for_persons("skew"), 0, 1)
    visitor.page.reload()
    items = visitor.page.locator("#yours li")
    expect(items).to_have_count(2)
    assert len(set(items.evaluate_all("all => all.map((e) => e.offsetTop)"))) == 1
    visitor.open()
    expect(items).to_have_count(2)
    heights = visitor.page.locator("#yours .note").evaluate_all(
        """(notes) => ["Your turn, 1 h 0 min", "Your turn, 9:59"].map((words) => {
          for (const note of notes) note.textContent = words;
          return document.getElementById("yours").offsetHeight;
        })"""
    )
    assert heights[0] == heights[1]
