"""The switch for notifications: from a page by the server to a push service, and plain words."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, Response, Worker, expect

from browser.test_yours import hold
from browser.visiting import Visitor
from server.pushing import Browser, PushService
from server.serving import Game, LocalServer
from skerry.server.push import messenger

Visit = Callable[..., Visitor]
# Chromium has no push service in tests, so the page gets a subscription that we have the keys of.
SUBSCRIBING = """
window.Notification = class {
  static permission = "default";
  static async requestPermission() { return (this.permission = "granted"); }
};
if (localStorage.getItem("skerry:notify")) Notification.permission = "granted";
const shown = JSON.parse(localStorage.getItem("renewed")) ?? SUBSCRIPTION;
const subscription = {
  endpoint: shown.endpoint,
  toJSON() { return { ...shown, expirationTime: null }; },
  async unsubscribe() { localStorage.removeItem("subscribed"); return true; },
  get options() {
    const text = localStorage.getItem("subscribed").replaceAll("-", "+").replaceAll("_", "/");
    return { applicationServerKey: Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer };
  },
};
PushManager.prototype.getSubscription = async () =>
  localStorage.getItem("subscribed") ? subscription : null;
PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
  if (!userVisibleOnly) throw new Error("browsers insist");
  localStorage.setItem("subscribed", applicationServerKey);
  return subscription;
};
"""


@pytest.fixture
def service() -> Iterator[PushService]:
    with PushService().running() as found:
        yield found


@pytest.fixture
def ann(
    chromium: Chromium, service: PushService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Visitor, Browser]]:
    """Somebody with a browser that push messages reach."""
    monkeypatch.setattr(messenger, "DELAY", 0.1)
    keys = Browser(service.origin, "/ann")
    script = SUBSCRIBING.replace("SUBSCRIPTION", json.dumps(keys.subscription))
    with LocalServer(tmp_path, push_services=service.origin) as server:
        visitor = Visitor(chromium.new_context(), server)
        visitor.context.add_init_script(script)
        yield visitor, keys
        visitor.context.close()
        assert visitor.complaints == []


def is_subscribed(answer: Response) -> bool:
    return answer.request.method == "PUT" and answer.url.endswith("/api/push") and answer.ok


def note(page: Page, words: str) -> None:
    expect(page.locator("#alerts-note")).to_contain_text(words)


def be_told(visitor: Visitor) -> Game:
    """A game with a seat of this browser, which wants to be told of its turns."""
    game = visitor.server.make_for_persons("skew")
    visitor.open("/yours")
    hold(visitor, game, 1)
    visitor.page.locator("#notifying").check()
    note(visitor.page, "You are told")
    return game


def test_turns_are_told_once_the_switch_is_on(
    ann: tuple[Visitor, Browser], service: PushService
) -> None:
    visitor, keys = ann
    games = [visitor.server.make_for_persons("skew", names=["Ann", "Bob"]) for _ in range(2)]
    visitor.open("/yours")
    hold(visitor, games[0], 1)
    switch = visitor.page.locator("#notifying")
    expect(switch).not_to_be_checked()
    switch.check()
    note(visitor.page, "You are told, also when no page of the game is open.")
    games[0].play()
    assert keys.open(service.receive())["path"] == f"/g/{games[0].id}"
    # A seat that comes later is told of by itself, by whichever page is open.
    hold(visitor, games[1], 1)
    with visitor.page.expect_response(is_subscribed):
        visitor.open(f"/g/{games[0].id}")
    expect(visitor.page.locator("#notifying")).to_be_checked()
    note(visitor.page, "You are told, also when no page of the game is open.")
    visitor.open("/ladder")
    games[1].play()
    assert keys.open(service.receive())["path"] == f"/g/{games[1].id}"


@pytest.mark.soak
def test_nothing_is_told_once_it_is_off(ann: tuple[Visitor, Browser], service: PushService) -> None:
    visitor, _ = ann
    game = visitor.server.make_for_persons("skew")
    visitor.open("/yours")
    hold(visitor, game, 1)
    switch = visitor.page.locator("#notifying")
    switch.check()
    note(visitor.page, "You are told")
    with visitor.page.expect_response("**/api/push/forget") as left:
        switch.uncheck()
    assert left.value.status == 204
    note(visitor.page, "By a notification")
    other = Browser(service.origin, "/other")
    other.subscribe(visitor.server, (game, 1))
    game.play()
    assert service.receive().path == "/other"
    assert service.parcels.empty()
    visitor.page.reload()
    expect(switch).not_to_be_checked()
    assert visitor.page.evaluate("localStorage.getItem('subscribed')") is None


@pytest.mark.soak
def test_a_subscription_that_the_browser_renews_goes_on(
    ann: tuple[Visitor, Browser], service: PushService
) -> None:
    visitor, keys = ann
    game = be_told(visitor)
    renewed = Browser(service.origin, "/renewed", auth=b"another secret!!")
    (worker,) = visitor.context.service_workers
    change(worker, renewed, says=False)
    game.play()
    assert renewed.open(service.receive())["path"] == f"/g/{game.id}"
    # And once more, by a browser that tells which one it was.
    again = Browser(service.origin, "/again", auth=b"a third secret!!")
    change(worker, again, says=True)
    game.play()
    game.play()
    assert again.open(service.receive())["path"] == f"/g/{game.id}"
    assert service.parcels.empty()
    assert keys.endpoint != again.endpoint


def change(worker: Worker, browser: Browser, says: bool) -> None:
    """Tell the worker as browsers do, of which some do not say what the new subscription is."""
    worker.evaluate(
        """async ([shown, says]) => {
          const fresh = { toJSON: () => shown };
          PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) =>
            userVisibleOnly && applicationServerKey.length === 87 ? fresh : null;
          const event = new ExtendableEvent("pushsubscriptionchange");
          event.newSubscription = says ? fresh : null;
          event.oldSubscription = null;
          const works = [];
          event.waitUntil = (work) => works.push(work);
          self.dispatchEvent(event);
          if (works.length !== 1) throw new Error("nobody listens");
          await Promise.all(works);
        }""",
        [browser.subscription, says],
    )


@pytest.mark.soak
def test_a_page_tells_of_a_subscription_that_changed_unseen(
    ann: tuple[Visitor, Browser], service: PushService
) -> None:
    """As when the server could not be reached at that moment."""
    visitor, _ = ann
    game = be_told(visitor)
    renewed = Browser(service.origin, "/renewed", auth=b"another secret!!")
    visitor.page.evaluate(
        "(shown) => localStorage.setItem('renewed', shown)", json.dumps(renewed.subscription)
    )
    with visitor.page.expect_response(is_subscribed):
        visitor.open("/ladder")
    game.play()
    assert renewed.open(service.receive())["path"] == f"/g/{game.id}"
    assert service.parcels.empty()  # the one before is forgotten


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("", "This browser blocks notifications"),  # as chromium does without a window
        ("delete window.Notification;", "This browser has no notifications."),
        (
            "delete window.Notification; navigator.standalone = false;",
            "Put this site on your home screen first",
        ),
        (
            "Object.defineProperty(window, 'isSecureContext', { value: false });",
            "This needs a secure connection",
        ),
    ],
    ids=["blocked", "none", "telephone", "insecure"],
)
def test_whoever_cannot_be_told_learns_why(visit: Visit, script: str, words: str) -> None:
    visitor = visit()
    visitor.context.add_init_script(script)
    visitor.open("/yours")
    note(visitor.page, words)
    visitor.page.locator("#notifying").click()
    expect(visitor.page.locator("#notifying")).not_to_be_checked()
    note(visitor.page, words)
