"""Reports in a browser: opened from disk, where nothing is fetched, and as pages of the site."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.visiting import Visitor
from server.serving import LocalServer
from skerry.lab.report.page.html import write_page
from skerry.lab.report.page.replays import list_turns
from skerry.lab.report.shipped import load_shipped
from skerry.records import Record, read
from support.measured import measure_small
from support.running import run_aside


def replayed() -> Record:
    """The game that the first replay of the report shows."""
    return read(measure_small("x").samples[0].record)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reports") / "report.html"
    write_page(measure_small("x"), path)
    return path


@pytest.fixture
def look(chromium: Browser, report: Path) -> Iterator[Callable[..., Page]]:
    """The report in a window of its own; nothing may go wrong in it without a word."""
    contexts, complaints, asked = [], [], []

    def arrive(**choices: Any) -> Page:
        contexts.append(chromium.new_context(**choices))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(report.as_uri())
        return page

    yield arrive
    for context in contexts:
        context.close()
    assert complaints == []
    assert set(asked) == {report.as_uri()}


def expect_board(page: Page, ply: int) -> None:
    """The first replay shows the board after so many actions, and says so."""
    replay = page.locator(".replay").first
    expect(replay.locator("input")).to_have_value(str(ply))
    expect(replay.locator(".board .piece")).to_have_count(
        len(replayed().states()[ply].scene().pieces)
    )


def test_a_game_is_replayed_by_buttons_slider_moves_and_keys(look: Callable[..., Page]) -> None:
    page = look()
    replay, last = page.locator(".replay").first, len(replayed().line.plies)
    words, turns = replay.locator(".words"), list_turns(replayed())
    expect_board(page, last)
    replay.locator("button.first").click()
    expect_board(page, 0)
    expect(words).to_have_text("The start")
    replay.locator("button.next").click()
    expect_board(page, 1)
    expect(words).to_have_text(f"{turns[0].seat}: {turns[0].text}")
    replay.locator("button.last").click()
    replay.locator("button.back").click()
    expect_board(page, last - 1)
    replay.locator(".moves li").nth(1).click()
    expect_board(page, turns[1].ply)
    expect(replay.locator("[aria-current]")).to_have_text(f"2. {turns[1].text}")
    replay.locator("button.next").focus()
    page.keyboard.press("Home")
    expect_board(page, 0)
    page.keyboard.press("ArrowRight")
    expect_board(page, 1)
    page.keyboard.press("End")
    expect_board(page, last)
    outcome = replayed().states()[-1].outcome
    assert outcome is not None
    expect(words).to_contain_text(outcome.reason)
    replay.locator("input").fill("2")
    expect_board(page, 2)


def test_a_game_plays_by_itself_and_stops_when_somebody_takes_over(
    look: Callable[..., Page],
) -> None:
    page = look()
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # a second after that, however slow the machine
    replay = page.locator(".replay").first
    play = replay.locator("button.play")
    play.click()  # from the end it begins anew
    expect_board(page, 0)
    page.clock.run_for(1500)
    expect_board(page, 2)
    replay.locator("button.back").click()
    expect(play).to_have_attribute("aria-pressed", "false")
    page.clock.run_for(5000)
    expect_board(page, 1)


@pytest.mark.soak
def test_games_do_not_disturb_each_other(look: Callable[..., Page]) -> None:
    page = look()
    second = page.locator(".replay").nth(1)
    before = second.locator(".board").inner_html()
    page.locator(".replay button.first").first.click()
    expect_board(page, 0)
    assert second.locator(".board").inner_html() == before


def test_without_scripts_everything_is_there_to_read(look: Callable[..., Page]) -> None:
    page = look(java_script_enabled=False)
    replay = page.locator(".replay").first
    expect(replay.locator(".steps")).to_be_hidden()
    expect(replay.locator(".board svg")).to_be_visible()
    expect(replay.locator(".moves li")).to_have_count(len(list_turns(replayed())))


@pytest.mark.soak
def test_pages_fit_every_window(look: Callable[..., Page]) -> None:
    page = look()
    for width in (320, 768, 1280, 2560):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_colours_follow_the_theme_and_paper_is_light(look: Callable[..., Page]) -> None:
    page = look(color_scheme="light")
    text = page.locator(".plot text").first

    def colours() -> list[str]:
        read = "e => getComputedStyle(e).fill"
        board = page.locator(".map .plate").first
        return [text.evaluate(read), board.evaluate(read)]

    day = colours()
    page.emulate_media(color_scheme="dark")
    night = colours()
    assert all(one != other for one, other in zip(day, night, strict=True))
    page.emulate_media(color_scheme="dark", media="print")
    assert colours() == day


Visit = Callable[..., Visitor]
SERVED = "/reports/skew-4"


def open_replay(visitor: Visitor) -> Any:
    visitor.open(SERVED)
    replay = visitor.page.locator(".replay").first
    replay.scroll_into_view_if_needed()
    expect(replay.locator(".steps")).to_be_visible()
    return replay


# On the page, however far it is scrolled: pressing a button brings it into sight.
PLACE = """(element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + scrollX, y + scrollY, width, height];
}"""


def test_a_game_on_the_site_is_fetched_when_somebody_looks(visit: Visit) -> None:
    visitor = visit()
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    replay = open_replay(visitor)
    record = read(load_shipped("skew-4").samples[0].record)
    expect(replay.locator(".board img:visible")).to_have_count(1)
    before = replay.locator(".board").evaluate(PLACE)
    assert not [url for url in asked if url.endswith(".json")]
    replay.locator("button.back").click()
    pieces = len(record.states()[-2].scene().pieces)
    expect(replay.locator(".board .piece")).to_have_count(pieces)
    after = replay.locator(".board").evaluate(PLACE)
    assert after == pytest.approx(before, abs=1), "nothing moves"
    replay.locator("button.first").click()
    expect(replay.locator(".words")).to_have_text("The start")
    expect(replay.locator(".board .piece")).to_have_count(len(record.start.scene().pieces))
    assert len([url for url in asked if "/game-1.json" in url]) == 1


@pytest.mark.soak
def test_a_game_on_the_site_follows_the_theme(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    replay = open_replay(visitor)
    replay.locator("button.first").click()
    label = replay.locator(".board .labels").first
    expect(label).to_be_visible()
    day = label.get_attribute("stroke")
    bar = visitor.page.locator(".spark rect").nth(1)
    painted = bar.evaluate("e => getComputedStyle(e).stroke")
    with visitor.page.expect_response("**/game-1.json?theme=dark"):
        visitor.page.get_by_role("button", name="Display").click()
        visitor.page.get_by_label("Dark", exact=True).check()
    expect(label).not_to_have_attribute("stroke", str(day))
    assert bar.evaluate("e => getComputedStyle(e).stroke") != painted


def test_a_game_that_does_not_come_can_be_asked_for_again(visit: Visit) -> None:
    visitor = visit()
    visitor.pardon(503)
    visitor.page.route("**/game-1.json*", lambda route: route.fulfill(status=503, body="{}"))
    replay = open_replay(visitor)
    replay.locator("button.back").click()
    expect(replay.locator(".words")).to_contain_text("could not be fetched")
    visitor.page.unroute("**/game-1.json*")
    replay.locator("button.back").click()
    expect(replay.locator(".board .piece").first).to_be_visible()


@pytest.mark.soak
def test_nothing_moves_while_a_report_is_loaded(visit: Visit) -> None:
    visitor = visit(viewport={"width": 360, "height": 640})
    visitor.page.add_init_script(
        """window.moved = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) window.moved += entry.value;
        }).observe({ type: "layout-shift", buffered: true });"""
    )
    for path in (SERVED, "/reports"):
        visitor.open(path)
        for at in range(0, visitor.page.evaluate("document.documentElement.scrollHeight"), 600):
            visitor.page.evaluate("(at) => scrollTo(0, at)", at)
        visitor.page.wait_for_load_state("networkidle")
        assert visitor.page.evaluate("window.moved") <= 0.02


def test_a_report_can_be_read_without_scripts(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    visitor.open(SERVED)
    expect(visitor.page.locator(".headlines").first).to_contain_text("Who is favoured?")
    expect(visitor.page.locator(".replay .steps").first).to_be_hidden()
    expect(visitor.page.locator(".replay .moves li").first).to_be_visible()
    expect(visitor.page.locator(".replay .board img").first).to_have_attribute(
        "src", f"{SERVED}/game-1.svg?theme=light"
    )


def test_an_admin_asks_for_a_report_and_sees_it_done(visit: Visit, server: LocalServer) -> None:
    admin = server.sign_up("Rita")
    promotion = ["admin", "role", "--database", server.database, admin.name, "admin"]
    assert run_aside(*promotion).exit_code == 0
    visitor = visit()
    visitor.be(admin)
    visitor.open("/reports/own")
    page = visitor.page
    page.locator("select[name=game]").select_option("skew")
    page.get_by_label("Options").fill("side=2 pegs=2")
    page.get_by_label("Budget").fill("40games")
    page.get_by_role("button", name="Measure it").click()
    expect(page.get_by_label("How far it is")).to_be_visible()
    link = page.get_by_role("link", name="Skew, side=2 pegs=2")
    expect(link).to_be_visible(timeout=120_000)  # nobody has loaded the page again
    link.click()
    expect(page.locator(".headlines").first).to_contain_text("Who is favoured?")
    page.get_by_role("link", name="Reports of this server").click()
    page.locator("summary", has_text="Delete").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("Nobody has asked for one yet.")).to_be_visible()
