"""What a visitor does on the pages: point, type and look."""

import json
from collections import deque
from collections.abc import Callable
from math import hypot
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect

from server.serving import TINY, Game, Host, Somebody

ARROWS = {"ArrowUp": (0, -1), "ArrowDown": (0, 1), "ArrowLeft": (-1, 0), "ArrowRight": (1, 0)}
MOST_STOPS = 150  # on the way through a page by Tab
MOST_LOOKS = 1500  # at a page, until something is so: half a minute and more
# The page tells its user of these already: a lost connection, and somebody who was faster.
EXPECTED = ("ERR_INTERNET_DISCONNECTED", "WebSocket connection", "status of 409 ")


# What a test does by these stays with a page for good.
LASTING = (
    "add_init_script", "emulate_media", "expose_binding", "expose_function", "once",
    "route_web_socket", "set_extra_http_headers",
)  # fmt: skip


class Visitor:
    """A browser of its own, on one page."""

    def __init__(self, context: BrowserContext, server: Host) -> None:
        self._context, self.server = context, server
        self.page = context.new_page()
        self.complaints: list[str] = []
        self.pardoned: tuple[str, ...] = EXPECTED
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._listen)
        self.page.on("dialog", lambda dialog: dialog.accept())
        self._is_as_new = True
        self._undoing: list[Callable[[], object]] = []  # what a test has changed
        page, undo = self.page, self._undoing.append
        resize, size = page.set_viewport_size, page.viewport_size
        self._note("on", lambda *listener: undo(lambda: page.remove_listener(*listener)))
        self._note("route", lambda *_: undo(lambda: page.unroute_all(behavior="ignoreErrors")))
        self._note("set_viewport_size", lambda _: undo(lambda: size and resize(size)))
        for name in LASTING:
            self._note(name, self._spoil)

    def _note(self, name: str, note: Callable[..., None]) -> None:
        """Have something done whenever a method of the page is used."""
        method = getattr(self.page, name)

        def call(*arguments: Any, **named: Any) -> Any:
            note(*arguments)
            return method(*arguments, **named)

        setattr(self.page, name, call)

    def _spoil(self, *_: Any) -> None:
        self._is_as_new = False

    @property
    def context(self) -> BrowserContext:
        self._spoil()  # whatever is done there
        return self._context

    def leave(self) -> bool:
        """Leave the page and forget everything but what the browser has cached; tells whether
        somebody else may come, who finds a browser that is as good as new."""
        if not self._is_as_new or self._context.pages != [self.page]:
            return False
        if self.page.url.startswith(self.server.url):
            self.page.evaluate("sessionStorage.clear()")
        self.page.goto("about:blank")
        while self._undoing:
            self._undoing.pop()()
        self.page.mouse.move(-9, -9)
        self._context.clear_cookies()
        storage = self._context.new_cdp_session(self.page)
        origin = self.server.url
        storage.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        storage.detach()
        # Nobody takes back a clock that a test has set.
        return bool(self.page.evaluate("String(setTimeout).includes('[native code]')"))

    def _listen(self, message: Any) -> None:
        if message.type == "error" and not any(word in message.text for word in self.pardoned):
            self.complaints.append(message.text)

    def pardon(self, status: int) -> None:
        """The server is about to refuse something; the browser may note that at any time."""
        self.pardoned += (f"status of {status} ",)

    def open(self, path: str = "/") -> None:
        self.page.goto(self.server.url + path)

    def keep(self, name: str, value: str) -> None:
        """Have the browser keep something, as after an earlier visit."""
        if not self.page.url.startswith(self.server.url):
            self.open("/healthz")  # the least there is
        self.page.evaluate("(item) => localStorage.setItem(...item)", [name, value])

    def be(self, person: Somebody) -> None:
        """Be somebody who is signed in, in a browser that knows it."""
        url = self.server.url
        for name, value in person.client.cookies.items():
            self._context.add_cookies([{"name": name, "value": value, "url": url}])
        me = {"id": person.id, "name": person.name, "role": person.role}
        self.keep("skerry:me", json.dumps(me))

    def begin(self, game: str, how: str, **choices: str) -> None:
        """Start a game on a tiny board from the start page."""
        self.open()
        card = self.page.locator(f"article.card:has(#{game})")
        card.locator("summary").click()
        for name, value in TINY[game].items():
            card.locator(f"[data-option={name}]").fill(str(value))
        for name, value in choices.items():
            card.locator(f"[name={name}]").select_option(value)
        card.locator(f"button[value={how}]").click()
        self.page.wait_for_url("**/g/*")

    def sit(self, game: Game) -> None:
        """Open a game with all its seats that persons have, as after having made it here."""
        held = json.dumps([secret for secret in game.secrets if secret])
        self.keep(f"skerry:{game.id}", held)
        self.open(f"/g/{game.id}")
        expect(self.page.locator("#seats .note", has_text="you").first).to_be_visible()

    @property
    def id(self) -> str:
        return self.page.url.split("/g/")[1].split("#")[0]

    def link(self) -> str:
        """The link for the only seat that is free."""
        field = self.page.locator("#links input")
        expect(field).to_have_count(1)
        return field.input_value()

    def look(self) -> dict[str, Any]:
        """The game as the server tells it to everybody."""
        return Game(self.server, self.id, []).look()

    def words(self) -> Locator:
        return self.page.locator("#words")

    def until(self, script: str, argument: object = None) -> None:
        """Wait for a script to say so; playwright's own way asks pages for what ours forbid."""
        for _ in range(MOST_LOOKS):
            if self.page.evaluate(script, argument):
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"it never came to {script}")

    def expect_ply(self, ply: int) -> None:
        expect(self.page.locator("#moves li")).to_have_count(ply, timeout=30_000)

    def cell(self, name: str) -> Locator:
        return self.page.locator(f"#cell-{name}")

    def centre(self, name: str) -> tuple[float, float]:
        return self.centres()[name]

    def centres(self) -> dict[str, tuple[float, float]]:
        """Where all cells are, at one moment."""
        expect(self.page.locator("#board .cell").first).to_be_visible()
        found = self.page.evaluate(
            """() => [...document.querySelectorAll("#board .cell")].map((cell) => {
              const box = cell.getBoundingClientRect();
              return [cell.id.slice(5), box.x + box.width / 2, box.y + box.height / 2];
            })"""
        )
        return {name: (x, y) for name, x, y in found}

    def play(self, path: list[str], by: str = "mouse") -> None:
        """Make a move by pointing at everything on its path."""
        ply = self.look()["ply"]
        self.expect_ply(ply)
        for number, part in enumerate(path):
            if number:  # what was pointed at is shown before the next is
                expect(self.page.locator("#cancel")).to_be_visible()
            if part[-1].isdigit():
                self.point(part, by)
            else:
                handle = self.page.locator(f"#board [data-way={part}]")
                choice = self.page.locator(f"#choices [data-part={part}]")
                (choice if part == "pass" or by == "keyboard" else handle).click()
        if by == "touch" and self.has_tiny_cells():
            expect(self.page.locator("#message")).to_contain_text("again")
            self.point(path[-1], by)
        # Engines may have answered already.
        expect(self.page.locator(f"#moves li:nth-child({ply + 1})")).to_have_count(1)

    def point(self, cell: str, by: str = "mouse") -> None:
        """Point at a cell, as soon as it is our turn."""
        expect(self.page.locator("#board.mine")).to_have_count(1)
        self.page.locator("#board").scroll_into_view_if_needed()  # settings are farther down
        if by == "keyboard":
            self.walk_to(cell)
            self.page.keyboard.press("Enter")
        elif by == "touch":
            self.page.touchscreen.tap(*self.centre(cell))
        else:
            self.page.mouse.click(*self.centre(cell))

    def has_tiny_cells(self) -> bool:
        """Whether cells are so small that fingers tap twice."""
        scale = "document.querySelector('#board svg').getScreenCTM().a"
        return bool(self.page.evaluate(f"40 * {scale} < 24"))

    def drag(self, start: str, goal: str) -> None:
        expect(self.page.locator("#board.mine")).to_have_count(1)
        self.page.locator("#board").scroll_into_view_if_needed()  # which waits until it lies still
        self.page.mouse.move(*self.centre(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.centre(goal), steps=4)
        self.page.mouse.up()

    def tab_to(self, selector: str, key: str = "Tab") -> Locator:
        """Press a key until the focus is on an element, as whoever has no pointer does."""
        wanted = self.page.locator(selector).first
        expect(wanted).to_be_visible()
        reached = "(selector) => document.querySelector(selector) === document.activeElement"
        for _ in range(MOST_STOPS):
            if self.page.evaluate(reached, selector):
                return wanted
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} does not lead to {selector}")

    def walk_to(self, goal: str) -> None:
        """Move the cursor to a cell by arrow keys alone."""
        self.page.locator("#board").focus()
        places = self.centres()
        if not self.page.locator("#board .cursor").count():
            self.page.keyboard.press("ArrowUp")  # a pointer was used last
        start = self.page.locator("#board .cursor").get_attribute("data-cell") or ""
        for key in _find_way(places, start, goal):
            self.page.keyboard.press(key)
        expect(self.page.locator("#board .cursor")).to_have_attribute("data-cell", goal)


def list_unnamed(page: Page, selector: str = "button, a[href], input, select") -> list[str]:
    """What can be seen and used on a page and has no name."""
    found: list[str] = page.locator(selector).evaluate_all(
        """all => all.filter((e) => e.checkVisibility()).filter((e) => !(
          e.getAttribute("aria-label") || e.textContent.trim() ||
          [...(e.labels ?? [])].some((label) => label.textContent.trim())
        )).map((e) => e.outerHTML)"""
    )
    return found


def _find_way(places: dict[str, tuple[float, float]], start: str, goal: str) -> list[str]:
    """The arrow keys that lead from one cell to another."""
    ways: dict[str, list[str]] = {start: []}
    queue = deque([start])
    while goal not in ways:
        assert queue, f"no way from {start} to {goal} among {places}"
        here = queue.popleft()
        for key, (dx, dy) in ARROWS.items():
            there = _neighbour(places, here, dx, dy)
            if there and there not in ways:
                ways[there] = [*ways[here], key]
                queue.append(there)
    return ways[goal]


def _neighbour(places: dict[str, tuple[float, float]], here: str, dx: int, dy: int) -> str | None:
    x, y = places[here]
    found = []
    for name, (to_x, to_y) in places.items():
        ex, ey = to_x - x, to_y - y
        along, aside = ex * dx + ey * dy, abs(ex * dy - ey * dx)
        if along >= 2 and aside <= along * 1.2:
            found.append((round(hypot(along, 2 * aside)), name))
    return min(found)[1] if found else None
