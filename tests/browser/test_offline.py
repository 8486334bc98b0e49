"""The site as an app: installed, without a network, and woken up by messages."""

import shutil
from collections.abc import Callable, Iterator
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Worker, expect

import skerry
from browser.visiting import Visitor
from server.serving import Server
from skerry.server.install.routes import write_worker
from skerry.server.web.address import note_address
from support.repeating import some_of

Visit = Callable[..., Visitor]
READY = "navigator.serviceWorker.ready.then((found) => found.active.state)"
KEPT = """caches.keys().then(async (names) => {
  const shells = await Promise.all(names.map((name) => caches.open(name)));
  const kept = await Promise.all(shells.map((shell) => shell.keys()));
  return kept.flat().map(({ url }) => new URL(url).pathname);
})"""


@pytest.fixture
def visit(visit: Visit) -> Visit:
    return partial(visit, service_workers="allow")


def arrive(visitor: Visitor, path: str = "/") -> Page:
    """Open a page, and let the service worker be ready for the next."""
    visitor.open(path)
    visitor.page.evaluate(READY)
    return visitor.page


# --- without a network


def test_there_is_a_page_without_network(visit: Visit) -> None:
    visitor = visit()
    page = arrive(visitor)
    visitor.context.set_offline(True)
    for path in ("/archive", f"/g/{visitor.server.make_for_persons().id}", "/"):
        visitor.open(path)
        expect(page.locator("h1")).to_have_text("You are offline")
        assert page.url == visitor.server.url + path
    # All of it is there: its looks, its script, and something to read.
    assert page.evaluate("getComputedStyle(document.querySelector('.primary')).fontWeight") == "650"
    for name in skerry.GAMES:
        game = skerry.make(name)
        page.get_by_text(f"Rules of {game.title}", exact=True).click()
        expect(page.get_by_text(game.view.goal)).to_be_visible()
        expect(page.locator("details[open] li")).to_have_count(len(game.list_clauses()))
        page.get_by_text(f"Rules of {game.title}", exact=True).click()


@pytest.mark.soak
def test_it_goes_on_by_itself_where_one_was(visit: Visit) -> None:
    visitor = visit()
    page = arrive(visitor, "/ladder")
    visitor.context.set_offline(True)
    visitor.open("/puzzles")
    expect(page.locator("h1")).to_have_text("You are offline")
    with page.expect_navigation():
        page.get_by_role("button", name="Try again").click()
    expect(page.locator("h1")).to_have_text("You are offline")
    visitor.context.set_offline(False)  # of which browsers tell pages
    expect(page.locator("h1")).to_have_text("Puzzles")
    assert page.url.endswith("/puzzles")


@pytest.mark.soak
def test_it_says_how_many_games_are_kept(visit: Visit) -> None:
    visitor = visit()
    game = visitor.server.make_for_persons()
    visitor.sit(game)
    page = arrive(visitor)
    expect(page.locator("#yours a")).to_have_count(1)
    visitor.context.set_offline(True)
    visitor.open("/yours")
    expect(page.locator("#kept")).to_have_text("Your unfinished game is kept by the server")


def test_nothing_is_kept_but_the_shell(visit: Visit) -> None:
    visitor = visit()
    arrive(visitor)
    visitor.sit(visitor.server.make_for_persons())  # a page that the worker sees
    page = visitor.page
    page.evaluate("fetch('/api/games').then((answer) => answer.json())")
    visitor.play(visitor.look()["legal"][0]["path"])
    kept = set(page.evaluate(KEPT))
    assert "/offline" in kept
    assert any(path.endswith("/pages/game.js") for path in kept)  # so pages come up quickly
    sheet = page.locator("link[rel=stylesheet]").first.get_attribute("href") or ""
    folder = sheet.partition("styles/")[0]
    assert {path for path in kept if not path.startswith(folder)} == {"/offline"}


@pytest.mark.soak
def test_old_shells_are_removed(visit: Visit) -> None:
    visitor = visit()
    visitor.open("/manifest.webmanifest")  # a page of the site without the worker
    visitor.page.evaluate("Promise.all(['skerry-old', 'other'].map((name) => caches.open(name)))")
    names = arrive(visitor).evaluate("caches.keys()")
    assert sorted(name.partition("-")[0] for name in names) == ["other", "skerry"]
    assert "skerry-old" not in names


def test_the_worker_is_asked_for_anew_and_rules_all_pages(server: Server) -> None:
    answer = server.client.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert 'name: ""' not in answer.text  # the server has said what to keep
    offline = server.client.get("/offline")
    assert all(path in answer.text for path in _list_static(offline.text))


def test_the_worker_is_the_same_by_every_name_of_the_site() -> None:
    """Or each process would write another one, and browsers would replace it again and again."""

    def write(host: str) -> str:
        asked = {"scheme": "https", "server": (host, 443), "path": "/sw.js"}
        note_address({**asked, "query_string": b"", "headers": []})
        return write_worker.__wrapped__("en")

    written = {copy_context().run(write, host) for host in ("skerry.example", "127.0.0.1")}
    assert len(written) == 1


def _list_static(text: str) -> list[str]:
    return [part.partition('"')[0] for part in text.split('"') if part.startswith("/static/")]


# --- installed


def test_a_browser_would_install_it(visit: Visit) -> None:
    visitor = visit()
    page = arrive(visitor)
    session = visitor.context.new_cdp_session(page)
    assert session.send("Page.getAppManifest")["errors"] == []
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []


@pytest.mark.soak
def test_icons_are_what_the_manifest_says(visit: Visit) -> None:
    visitor = visit(service_workers="block")
    visitor.open()
    page = visitor.page
    address = page.locator("link[rel=manifest]").get_attribute("href")
    manifest = visitor.server.client.get(address or "").json()
    assert [entry["name"] for entry in manifest["shortcuts"]] == [
        skerry.make(name).title for name in skerry.GAMES
    ]
    icons = manifest["icons"] + [entry["icons"][0] for entry in manifest["shortcuts"]]
    touch = page.locator("link[rel=apple-touch-icon]").get_attribute("href")
    for icon in [*icons, {"src": touch, "sizes": "180x180"}]:
        size = page.evaluate(
            """async (src) => {
              const answer = await fetch(src);
              const image = await createImageBitmap(await answer.blob());
              return `${image.width}x${image.height}`;
            }""",
            icon["src"],
        )
        assert size == icon["sizes"]
    for entry in manifest["shortcuts"]:
        assert visitor.server.client.get(entry["url"]).status_code == 200
    assert visitor.server.client.get("/icons/other.png").status_code == 404


@pytest.mark.parametrize("name", ["maskable", "apple"])
def test_icons_that_systems_cut_fill_their_square(visit: Visit, name: str) -> None:
    visitor = visit(service_workers="block")
    visitor.open("/healthz")
    corners, middle = visitor.page.evaluate(
        """async (src) => {
          const image = await createImageBitmap(await (await fetch(src)).blob());
          const canvas = new OffscreenCanvas(image.width, image.height);
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          const at = (x, y) => [...context.getImageData(x, y, 1, 1).data].join();
          const far = image.width - 1;
          return [[at(0, 0), at(far, 0), at(0, far), at(far, far)], at(far >> 1, far >> 1)];
        }""",
        f"/icons/{name}.png",
    )
    assert set(corners) == {"251,249,244,255"}
    assert middle == "138,22,80,255"


@pytest.mark.parametrize("chosen", some_of(["system", "light", "dark"], ["dark"]))
def test_the_window_has_the_colour_of_the_page(visit: Visit, chosen: str) -> None:
    visitor = visit(service_workers="block")
    visitor.open("/ladder")
    look = f"localStorage.setItem('skerry:look', '{{\"theme\": \"{chosen}\"}}')"
    visitor.page.evaluate(look)
    visitor.page.reload()
    for scheme in ("light", "dark"):
        visitor.page.emulate_media(color_scheme=scheme)
        page, around = visitor.page.evaluate(
            """() => [
              getComputedStyle(document.documentElement).getPropertyValue("--page").trim(),
              [...document.querySelectorAll("meta[name=theme-color]")]
                .filter(({ media }) => matchMedia(media).matches).map(({ content }) => content),
            ]"""
        )
        assert around == [page]


# --- woken up


@pytest.fixture
def windowed(tmp_path: Path, chromium: Browser) -> Iterator[BrowserContext]:
    """A browser that shows notifications, which those without windows do not."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no browser with windows is there: apt-get install chromium")
    context = chromium.browser_type.launch_persistent_context(
        str(tmp_path / "profile"),
        executable_path=path,
        args=["--no-sandbox", "--disable-gpu"],
        headless=True,
    )
    yield context
    context.close()


@pytest.fixture
def woken(windowed: BrowserContext, server: Server) -> tuple[Page, Worker, Callable[[str], Any]]:
    """A page, the service worker, and a way to push a message to it."""
    windowed.grant_permissions(["notifications"], origin=server.url)
    page = windowed.new_page()
    page.goto(server.url + "/ladder")
    page.evaluate(READY)
    session = windowed.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated", lambda e: found.extend(e["registrations"])
    )
    session.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(10)

    def push(data: str) -> None:
        place = {"origin": server.url, "registrationId": found[0]["registrationId"]}
        session.send("ServiceWorker.deliverPushMessage", {**place, "data": data})

    worker = windowed.service_workers[0]
    worker.evaluate(
        """() => {
          self.works = [];
          const wait = PushEvent.prototype.waitUntil;
          PushEvent.prototype.waitUntil = function (work) {
            works.push(work);
            return wait.call(this, work);
          };
        }"""
    )
    return page, worker, push


def shown(worker: Worker, pushed: int) -> list[list[str]]:
    """The notifications, once the worker is done with so many messages.

    They are asked for once: chromium forgets one that is asked for while it appears.
    """
    found: list[list[str]] = worker.evaluate(
        """async (pushed) => {
          while (works.length < pushed) await new Promise((go) => setTimeout(go, 20));
          await Promise.all(works);
          const all = await registration.getNotifications();
          return all.map(({ title, body, tag }) => [title, body, tag]).sort();
        }""",
        pushed,
    )
    return found


def test_a_message_becomes_a_notification(
    woken: tuple[Page, Worker, Callable[[str], Any]],
) -> None:
    _, worker, push = woken
    push('{"title": "Your turn in Skew", "body": "Against Ann", "path": "/g/one"}')
    assert shown(worker, 1) == [["Your turn in Skew", "Against Ann", "/g/one"]]
    push('{"title": "You won your game of Skew", "body": "Against Ann", "path": "/g/one"}')
    push("nonsense")
    # One about each game, the newest; and something is shown whatever comes.
    assert shown(worker, 3) == [
        ["You won your game of Skew", "Against Ann", "/g/one"],
        ["Your turn", "A game of yours goes on", "/yours"],
    ]


def test_whoever_sees_the_game_gets_none(
    woken: tuple[Page, Worker, Callable[[str], Any]], server: Server
) -> None:
    page, worker, push = woken
    path = f"/g/{server.make_for_persons().id}"
    page.goto(server.url + path)
    push(f'{{"title": "Your turn", "body": "seen", "path": "{path}"}}')
    push('{"title": "Your turn", "body": "unseen", "path": "/g/other"}')
    assert shown(worker, 2) == [["Your turn", "unseen", "/g/other"]]


def test_a_notification_leads_to_its_game(
    woken: tuple[Page, Worker, Callable[[str], Any]],
) -> None:
    """Only a person may bring windows to the front, so the worker is asked what it would do."""
    page, worker, _ = woken
    led = worker.evaluate(
        """async () => {
          const led = [];
          WindowClient.prototype.focus = function () { led.push(`focus ${this.url}`); };
          Clients.prototype.openWindow = async (path) => led.push(`open ${path}`);
          for (const path of ["/g/other", "/ladder"]) {
            await registration.showNotification("Your turn", { data: { path } });
            const [notification] = await registration.getNotifications();
            const event = new NotificationEvent("notificationclick", { notification });
            const done = [];
            event.waitUntil = (work) => done.push(work);
            self.dispatchEvent(event);
            await Promise.all(done);
          }
          return led;
        }"""
    )
    assert led == ["open /g/other", f"focus {page.url}"]
    assert shown(worker, 0) == []  # whoever has clicked has read it
