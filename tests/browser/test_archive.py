"""The archive, the ladder and the API as visitors see them, on a desk and on a phone."""

from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser.visiting import Visitor
from server.serving import Bot, LocalServer, Server
from skerry import records
from skerry.search.strengths import summarise_levels
from skerry.server.ratings.anchors import LEVEL_ONE
from support.repeating import some_of

Visit = Callable[..., Visitor]
PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
# These pages have no scripts of their own; only those on the way to them have.
SCREENS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "phone without scripts": {**PHONE, "java_script_enabled": False},
}
ON_PAGE = 25


@pytest.fixture(params=some_of(SCREENS, ["phone without scripts"]))
def visitor(visit: Visit, request: pytest.FixtureRequest) -> Visitor:
    return visit(**SCREENS[request.param])


def finish(server: Server, name: str, *players: str, plies: int = 1, **choices: Any) -> str:
    """A game of these players that the first of them gave up."""
    game = server.make_for_persons(name, names=list(players), **choices)
    for _ in range(plies):
        game.play()
    assert game.act("resign", 0).status_code == 200
    return game.id


def test_games_are_looked_for_and_opened(visitor: Visitor) -> None:
    server, page = visitor.server, visitor.page
    wanted = finish(server, "skirt", "Sought", "Other", plies=2)
    finish(server, "skirt", "Sought", "Other", plies=1)
    finish(server, "skew", "Sought", "Other", plies=2)
    visitor.open()
    if page.locator("button.menu").is_visible():  # which needs no script
        page.locator("button.menu").click()
    page.get_by_role("link", name="Archive").click()
    page.locator("[name=game]").select_option("skirt")
    page.get_by_label("Player").fill("sought")
    page.locator("summary").click()
    page.get_by_label("Moves, at least").fill("2")
    page.get_by_role("button", name="Look").click()
    page.wait_for_url("**/archive?*")
    expect(page.locator(f'.rows a.what[href="/g/{wanted}"]')).to_have_count(1)
    for row in page.locator(".rows li").all():
        expect(row).to_contain_text("Skirt")
        expect(row).to_contain_text("2 moves")
    # What was asked for is still in the form.
    assert page.get_by_label("Player").input_value() == "sought"
    row = page.locator(".rows li").first
    expect(row).to_contain_text("Black won")
    analyse = row.get_by_role("link", name="Analyse")
    id = (row.get_by_role("link", name="Replay").get_attribute("href") or "").split("/g/")[1]
    assert analyse.get_attribute("href") == f"/study/new?from={id}"
    row.get_by_role("link", name="Replay").click()
    page.wait_for_url(f"**/g/{id}")
    visitor.expect_ply(2)


def test_a_game_of_the_archive_is_played_through(visit: Visit) -> None:
    visitor = visit()
    id = finish(visitor.server, "skew", "Replayed", plies=3)
    visitor.open("/archive?player=replayed")
    visitor.page.get_by_role("link", name="Replay").first.click()
    visitor.page.wait_for_url(f"**/g/{id}")
    visitor.expect_ply(3)
    pieces = visitor.page.locator("#board .piece")
    expect(pieces).to_have_count(4)  # with the peg in the middle
    visitor.page.get_by_role("button", name="To the start").click()
    expect(pieces).to_have_count(1)
    visitor.page.get_by_role("button", name="One on").click()
    expect(pieces).to_have_count(2)


def test_nothing_found_says_so(visitor: Visitor) -> None:
    visitor.open("/archive?player=nobody+at+all")
    expect(visitor.page.locator("#count")).to_have_text("0 games")
    expect(visitor.page.locator("main")).to_contain_text("No game fits")
    visitor.page.get_by_role("link", name="Show all").click()
    visitor.page.wait_for_url("**/archive")


@pytest.fixture(scope="module")
def two_pages(server: Server) -> set[str]:
    """Games of one player, more than a page shows."""
    return {finish(server, "skirt", "Pager", plies=2) for _ in range(ON_PAGE + 3)}


@pytest.mark.soak
def test_older_games_come_page_by_page(visitor: Visitor, two_pages: set[str]) -> None:
    visitor.open("/archive?player=pager")
    seen: list[str] = []
    older = visitor.page.get_by_role("link", name="Older games")
    while True:
        rows = visitor.page.locator(".rows a.what")
        seen += [str(row.get_attribute("href")).removeprefix("/g/") for row in rows.all()]
        if not older.count():
            break
        older.click()
        visitor.page.wait_for_url("**after=*")
    assert len(seen) == len(set(seen))
    assert two_pages <= set(seen)
    visitor.page.get_by_role("link", name="Newest").click()
    expect(visitor.page.locator(".rows li")).to_have_count(ON_PAGE)


def test_all_that_is_found_is_one_file(visitor: Visitor) -> None:
    for _ in range(2):
        finish(visitor.server, "skirt", "Keeper of files", plies=2)
    visitor.open("/archive?player=keeper+of+files")
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("link", name="Download as one file").click()
    assert download.value.suggested_filename == "skerry-games.skr"
    found = records.load(download.value.path())
    assert len(found) >= 2
    assert {record.players[0] for record in found} == {"Keeper of files"}


@pytest.mark.soak
def test_a_game_can_be_kept_out_of_the_archive(visit: Visit) -> None:
    visitor = visit()
    shown = []
    for public in (True, False):
        visitor.open()
        card = visitor.page.locator("article.card:has(#skew)")
        card.locator("summary").click()
        card.get_by_label("Show in the archive").set_checked(public)
        card.locator("button[value=here]").click()
        visitor.page.wait_for_url("**/g/*")
        visitor.page.locator("#resign").click()
        expect(visitor.words()).to_contain_text("resigned")
        id = visitor.id
        visitor.open("/archive")
        shown.append(visitor.page.locator(f'.rows a.what[href="/g/{id}"]').count())
        visitor.open(f"/g/{id}")  # its address leads to it all the same
        expect(visitor.words()).to_contain_text("resigned")
    assert shown == [1, 0]


def climb(server: Server, name: str) -> Bot:
    """A bot that has lost a rated game."""
    bot = server.make_bot(name)
    game = bot.begin("skaane", options={}, opponents=["level:1"])
    bot.post(f"{game.path}/actions", version=0, action="resign")
    return bot


def test_a_new_ladder_has_what_was_measured(chromium: Browser, tmp_path: Path) -> None:
    """The fault: the ladder of a new server was empty."""
    with LocalServer(tmp_path) as server:
        visitor = Visitor(chromium.new_context(), server)
        visitor.open("/ladder/skirt")
        rows = visitor.page.locator("tr.level")
        expect(rows).to_have_count(10)
        for row, each in zip(rows.all()[::-1], summarise_levels("skirt"), strict=True):
            expect(row).to_contain_text(f"level {each.level} ")
            assert each.strength is not None
            expect(row).to_contain_text(f"{LEVEL_ONE + each.strength.elo:.0f}")
        # On a phone there is room for whoever has won all of many games.
        visitor.page.set_viewport_size({"width": 360, "height": 640})
        rows.locator("td:last-child").evaluate_all(
            """all => all.forEach((e) => {
              e.textContent = "100 %";
              e.previousElementSibling.textContent = "1,234";
            })"""
        )
        table = visitor.page.locator(".ladder")
        assert table.evaluate("e => e.scrollWidth <= e.parentElement.clientWidth")
        visitor.context.close()
        assert visitor.complaints == []


@pytest.mark.soak
def test_a_ladder_leads_to_the_games_of_a_bot(visitor: Visitor) -> None:
    bot = climb(visitor.server, f"Climber {token_hex(3)}")
    page = visitor.page
    visitor.open()
    page.get_by_role("link", name="Ladder").click()
    page.locator("main").get_by_role("link", name="Skaane").click()
    page.wait_for_url("**/ladder/skaane")
    row = page.locator("tr", has=page.get_by_role("link", name=bot.name, exact=True))
    expect(row).to_contain_text("±")
    expect(row).to_contain_text("0 %")
    levels = page.locator("tr.level")
    expect(levels).to_have_count(10)
    row.get_by_role("link").click()
    page.wait_for_url("**/ratings/bot*")
    expect(page.get_by_role("img", name="The rating over time")).to_be_visible()
    page.get_by_role("link", name="Games", exact=True).click()
    page.wait_for_url("**/archive?*")
    expect(page.locator("#count")).to_have_text("1 game")
    expect(page.locator(".rows li")).to_contain_text("rated")


def test_a_bot_is_shown_as_one(visit: Visit) -> None:
    visitor = visit()
    bot = visitor.server.make_bot("Visible")
    game = bot.begin("skew", opponents=["person"])
    visitor.open(f"/g/{game.id}#s={game.secrets[1]}")
    seats = visitor.page.locator("#seats li")
    expect(seats.first).to_contain_text("Visible")
    expect(seats.first).to_contain_text("bot")
    while bot.play(game).status_code == 409:
        pass  # somebody sat down meanwhile, which changes the version
    visitor.expect_ply(1)
    visitor.play(visitor.look()["legal"][0]["path"])
    assert bot.look(game)["to_move"] == 0


@pytest.mark.soak
def test_the_api_is_listed_for_people(visitor: Visitor) -> None:
    visitor.open()
    visitor.page.get_by_role("link", name="API and bots").click()
    visitor.page.wait_for_url("**/api")
    moves = visitor.page.locator("details", has_text="/api/games/{id}/moves")
    moves.locator("summary").click()
    expect(moves.get_by_text("version", exact=True).first).to_be_visible()
    expect(moves).to_contain_text("Known by: Seats or Bot")
