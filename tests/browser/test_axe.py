"""axe-core finds nothing wrong with any page, by day and by night, and nothing moves by itself.

It is installed by ``make axe``; these tests are skipped where it is not.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.visiting import Visitor
from server.contesting import hold
from server.serving import LocalServer, Server, Somebody
from skerry.render.themes import list_boards
from support.repeating import some_of
from support.running import run_aside

Visit = Callable[..., Visitor]
THEMES = ("light", "dark")
SCREENS = {"desk": (1280, 720), "phone": (360, 640)}
SEEN = [f"{theme} {screen}" for theme in THEMES for screen in SCREENS]
PAGES = [
    "/", "/yours", "/games/x", "/rules/skew", "/puzzles", "/puzzles/skirt?about=jump",
    "/puzzles/skaane/20", "/study", "study", "draft", "/archive", "/ladder", "/ladder/x", "/api",
    "/nowhere", "/offline", "new game", "game", "ended game", "embedded game", "embedded study",
    "/puzzles/x/1?embed", "/reports", "/reports/x-8", "/reports/own", "/solved", "/lobby",
    "/tournaments", "tournament", "cup", "/sign-in", "/sign-up", "person", "account",
    "/ratings/level:3", "/ratings/bot:axel", "/mail/confirm/nothing", "/mail/stop/nothing",
    "moderation", "case",
    "/openings/x?options=size=4",
    "/openings/skew/first?options=side=3,pegs=4",
]  # fmt: skip
# The pages with most on them, by day on a desk or by night on a phone.
TELLING = ["/", "game", "/lobby", "study", "account"]
SIGNED = ("person", "account", "moderation", "case")  # seen by somebody who is signed in
EXAMINED = [(seen, path) for seen in SEEN for path in PAGES]
KEPT = [((SEEN[0], SEEN[-1])[number % 2], path) for number, path in enumerate(TELLING)]

MOST_SHIFT = 0.02  # of a page, as browsers measure it (CLS): 0 where nothing moves by itself
WATCH_SHIFTS = """window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""


@pytest.fixture(scope="module")
def reader(server: LocalServer) -> Somebody:
    """Whoever sees the pages that are for people who are signed in, or look after others."""
    reader = server.sign_up("Reader of pages")
    promotion = ["admin", "role", "--database", server.database, reader.name, "moderator"]
    assert run_aside(*promotion).exit_code == 0
    return reader


@pytest.fixture(scope="module")
def places(server: Server, reader: Somebody) -> dict[str, str]:
    """The addresses of what has to be made first."""
    names = ["Ann", "Bob", "Cy"]
    new, begun, ended = (server.make_for_persons("x", names=names, public=True) for _ in range(3))
    begun.play()
    while ended.look()["to_move"] is not None:
        ended.play()
    study = server.client.post("/api/studies", json={"from": ended.id}).json()["url"]
    bot = server.make_bot("Axel")
    held = [hold(server, bot, system, levels=[1, 2]) for system in ("round-robin", "knockout")]
    for one in held:
        one.do(bot, "join")
        one.do(bot, "start")
    won = reader.make("skew", options={}, seats=["person", "person"])
    reader.post(won, "claim", won.secrets[0], name="")
    won.play()
    won.play()
    won.act("resign", 1)
    troll = server.sign_up("Troll of pages")
    reader.client.post(f"/api/people/{troll.name}/mute", json={"days": 2, "reason": "was rude"})
    server.sign_up("Ann of pages").client.post(
        f"/api/people/{troll.name}/report", json={"words": "Was rude."}
    )
    return {
        "tournament": f"/tournaments/{held[0].id}",
        "cup": f"/tournaments/{held[1].id}",
        "new game": f"/g/{new.id}",
        "game": f"/g/{begun.id}",
        "ended game": f"/g/{ended.id}",
        "embedded game": f"/g/{begun.id}?embed",
        "study": study,
        "embedded study": f"{study}?embed",
        "draft": f"/study/new?from={begun.id}",
        "person": f"/people/{reader.name}",
        "account": "/account",
        "moderation": "/moderation",
        "case": f"/people/{troll.name}",
    }


@pytest.fixture(scope="module")
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    """One page for all addresses: what is opened next replaces what was there."""
    theme, screen = request.param.split()
    width, height = SCREENS[screen]
    context = chromium.new_context(
        reduced_motion="reduce",
        color_scheme=theme,
        viewport={"width": width, "height": height},
        has_touch=screen == "phone",
    )
    context.add_init_script(WATCH_SHIFTS)
    yield context.new_page()
    context.close()


def examine(page: Page, axe: str) -> list[str]:
    """What is wrong with a page, and where."""
    page.evaluate(axe)
    return look(page, {})


def look(page: Page, choices: dict[str, Any]) -> list[str]:
    """What is found by the script that is there already."""
    found: dict[str, Any] = page.evaluate(
        """async (choices) => {
          const found = await axe.run(document, { resultTypes: ["violations"], ...choices });
          return { passes: found.passes.length, violations: found.violations };
        }""",
        choices,
    )
    assert found["passes"] > (0 if choices else 5), "it has looked"
    return [
        f"{fault['id']}: {fault['help']} at {node['target']}, {node['failureSummary']}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize(("page", "path"), some_of(EXAMINED, KEPT), indirect=["page"])
def test_nothing_is_wrong(
    server: Server, places: dict[str, str], reader: Somebody, page: Page, axe: str, path: str
) -> None:
    page.context.clear_cookies()
    if path in SIGNED:
        cookie = reader.client.cookies["skerry-session"]
        page.context.add_cookies([{"name": "skerry-session", "value": cookie, "url": server.url}])
    page.goto(server.url + places.get(path, path))
    expect(page.locator("main")).to_be_visible()
    assert examine(page, axe) == []
    assert page.evaluate("shifted") <= MOST_SHIFT


@pytest.mark.parametrize("theme", some_of(THEMES, ["light"]))
def test_nothing_is_wrong_for_players_in_any_style(visit: Visit, axe: str, theme: str) -> None:
    visitor = visit(color_scheme=theme, reduced_motion="reduce")
    visitor.sit(visitor.server.make_for_persons("skaane"))
    visitor.page.get_by_role("button", name="Display").click()
    assert examine(visitor.page, axe) == []
    for board in list_boards(theme):  # which change nothing but colours
        visitor.page.get_by_label(board.capitalize(), exact=True).check()
        assert look(visitor.page, {"runOnly": ["color-contrast"]}) == []


def test_nothing_is_wrong_with_the_menu_of_a_phone(visit: Visit, axe: str) -> None:
    visitor = visit(viewport={"width": 360, "height": 640}, has_touch=True)
    visitor.open("/puzzles")
    visitor.page.locator("button.menu").tap()
    expect(visitor.page.locator("#menu")).to_be_visible()
    assert examine(visitor.page, axe) == []


def test_a_fault_is_found(visit: Visit, axe: str) -> None:
    visitor = visit()
    visitor.open("/archive")
    visitor.page.evaluate(
        """() => {
          document.querySelector("main").append(document.createElement("button"));
          document.querySelector(".lead").style.color = "#cccccc";
        }"""
    )
    found = json.dumps(examine(visitor.page, axe))
    assert "button-name" in found
    assert "color-contrast" in found


def test_a_shift_is_found(visit: Visit) -> None:
    visitor = visit()
    visitor.page.add_init_script(WATCH_SHIFTS)
    visitor.open("/archive")
    visitor.page.evaluate(
        """async () => {
          // What was never drawn does not shift.
          for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
          const late = document.createElement("p");
          late.style.height = "200px";
          document.querySelector("main").prepend(late);
        }"""
    )
    visitor.page.wait_for_function(f"shifted > {MOST_SHIFT}")
