"""People on pages: an account is made, opened, used and left; guests never need one."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.visiting import Visitor
from server.serving import PASSWORD, Game, LocalServer, Server
from server.test_accounts import new_name
from support.running import run_aside

Visit = Callable[..., Visitor]


def fill(page: Page, form: str, **fields: str) -> None:
    for name, value in fields.items():
        page.fill(f"#{form} [name={name}]", value)
    page.locator(f"#{form} .bar button").first.click()


def sign_in(visitor: Visitor, name: str, password: str = PASSWORD) -> None:
    visitor.open("/sign-in")
    fill(visitor.page, "sign-in", name=name, password=password)
    visitor.page.wait_for_url(f"{visitor.server.url}/")


@pytest.mark.soak
def test_a_guest_signs_up_and_takes_the_games_along(visit: Visit) -> None:
    visitor, name = visit(), new_name()
    page = visitor.page
    game = visitor.server.make_for_persons("skew")
    visitor.sit(game)
    path = f"/g/{game.id}"
    expect(page.locator("#me")).to_have_text("Sign in")
    page.locator("#me").click()
    page.get_by_role("link", name="Make one").click()
    visitor.pardon(422)
    fill(page, "sign-up", name="Level 3", password=PASSWORD)
    expect(page.locator("#sign-up .message")).to_contain_text("engines")
    fill(page, "sign-up", name=name, password=PASSWORD)
    expect(page.locator("#codes li")).to_have_count(10)
    expect(page.locator("#welcome-title")).to_be_focused()
    page.get_by_role("link", name="Done").click()
    expect(page.locator("#me")).to_have_text(name)
    # The game is the account's, in a browser that has never seen it.
    other = visit()
    sign_in(other, name)
    expect(other.page.locator("#me")).to_have_text(name)
    other.open("/yours")
    other.page.locator(f"#yours a[href='{path}']").click()
    expect(other.page.locator("#words")).to_contain_text("to move")
    other.page.locator("#typed").fill("a1-e")
    other.page.locator("#type button").click()
    expect(other.page.locator("#moves li")).to_have_count(1)
    # Whoever signs out leaves no seat behind.
    visitor.open("/account")
    page.locator("#sign-out").click()
    page.wait_for_url(f"{visitor.server.url}/")
    expect(page.locator("#me")).to_have_text("Sign in")
    visitor.open(path)
    expect(page.locator("#type")).to_be_hidden()
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.length == 19)") == []


def test_an_account_is_kept_in_order(visit: Visit, server: Server) -> None:
    ann, bob = server.sign_up(new_name()), server.sign_up(new_name("Bob"))
    visitor = visit()
    page = visitor.page
    sign_in(visitor, ann.name)
    page.locator("#me").click()
    expect(page.locator("#sessions li")).to_have_count(2)
    page.locator("#sessions button").click()
    expect(page.locator("#sessions li")).to_have_count(1)
    assert ann.client.get("/api/me").json()["person"] is None
    visitor.pardon(403)
    fill(page, "new-codes", password=PASSWORD.upper())
    expect(page.locator("#new-codes .message")).to_contain_text("not your password")
    fill(page, "new-codes", password=PASSWORD)
    expect(page.locator("#codes li")).to_have_count(10)
    code = page.locator("#codes li").first.inner_text()
    fill(page, "new-password", password=PASSWORD, new="another good password")
    expect(page.locator("#new-password .message")).to_contain_text("changed")
    expect(page.locator("#vacation-left")).to_have_text("21")
    fill(page, "take-vacation", days="3")
    expect(page.locator("#on-vacation")).to_contain_text("until")
    expect(page.locator("#vacation-left")).to_have_text("18")
    page.locator("#end-vacation").click()
    expect(page.locator("#take-vacation")).to_be_visible()
    expect(page.locator("#vacation-left")).to_have_text("20")  # a day that has begun counts
    # Somebody else's page.
    visitor.open(f"/people/{bob.name}")
    page.get_by_role("button", name="Follow").click()
    expect(page.get_by_role("button", name="Following")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Report").click()
    page.locator("#report textarea").fill("Was rude.")
    page.locator("#report-form .primary").click()
    expect(page.locator("#message")).to_contain_text("Moderators")
    # Forgotten, and back by a code.
    other = visit()
    other.open("/sign-in")
    other.page.get_by_text("I have forgotten my password").click()
    fill(other.page, "recover", name=ann.name, code=code, password=PASSWORD)
    other.page.wait_for_url(f"{server.url}/")
    expect(other.page.locator("#me")).to_have_text(ann.name)
    visitor.open("/account")
    page.wait_for_url("**/sign-in")
    expect(page.locator("#me")).to_have_text("Sign in")
    # And gone for good.
    other.open("/account")
    other.page.get_by_text("Delete my account").first.click()
    fill(other.page, "delete-account", password=PASSWORD)
    other.page.wait_for_url(f"{server.url}/")
    assert server.client.get(f"/api/people/{ann.name}").status_code == 404


def test_those_who_watch_talk_among_themselves(visit: Visit, server: Server) -> None:
    ann, cy = server.sign_up(new_name()), server.sign_up(new_name("Cy"))
    game = server.make_for_persons("skew")
    ann.post(game, "claim", game.secrets[0], name="")
    game.post("claim", 1, name="Bob")
    watcher, player = visit(), visit()
    sign_in(watcher, cy.name)
    watcher.open(f"/g/{game.id}")
    page = watcher.page
    expect(page.locator("#watchers")).to_contain_text(cy.name)
    page.locator("#gallery-text").fill("a strong opening")
    page.locator("#gallery-form button").click()
    expect(page.locator("#remarks li")).to_have_text(f"{cy.name} a strong opening")
    expect(page.locator(".seat .who a")).to_have_text(ann.name)
    player.keep(f"skerry:{game.id}", json.dumps([game.secrets[1]]))
    player.open(f"/g/{game.id}")
    expect(player.page.locator("#watchers")).to_contain_text(cy.name)
    expect(player.page.locator("#remarks li")).to_have_count(0)
    expect(player.page.locator("#gallery-form")).to_be_hidden()
    finish(game)
    expect(player.page.locator("#remarks li")).to_have_count(1)


@pytest.mark.soak
def test_a_moderator_decides_without_scripts(chromium: Browser, server: LocalServer) -> None:
    mona, troll = server.sign_up(new_name("Mona")), server.sign_up(new_name("Troll"))
    promotion = ["admin", "role", "--database", server.database, mona.name, "moderator"]
    assert run_aside(*promotion).exit_code == 0
    ann = server.sign_up(new_name())
    ask = f"/api/people/{troll.name}/report"
    assert ann.client.post(ask, json={"words": "Was rude."}).status_code == 204
    context = chromium.new_context(java_script_enabled=False)
    cookie = mona.client.cookies["skerry-session"]
    context.add_cookies([{"name": "skerry-session", "value": cookie, "url": server.url}])
    page = context.new_page()
    page.goto(f"{server.url}/moderation")
    report = page.locator("#complaints li", has_text=troll.name)
    report.get_by_role("link", name=troll.name).click()
    case = page.locator("#moderation")
    case.get_by_text("Close the account", exact=True).click()
    close = page.get_by_role("button", name=f"Close the account of {troll.name}")
    close.click()  # nothing happens without a reason
    expect(case).to_contain_text("Neither muted nor closed")
    case.locator("details[open] [name=reason]").fill("Rude to all.")
    close.click()
    expect(case).to_contain_text("Neither muted nor closed")
    case.get_by_label("I am sure").check()
    close.click()
    expect(case).to_contain_text("This account is closed")
    expect(case).to_contain_text("Rude to all.")
    assert troll.client.get("/api/me").json()["person"] is None
    case.get_by_text("Open the account again").click()
    case.locator("details[open] [name=reason]").fill("Said sorry.")
    page.get_by_role("button", name="Open it again").click()
    expect(case).to_contain_text("Neither muted nor closed")
    page.goto(f"{server.url}/moderation")
    report.locator("[name=verdict]").fill("Talked.")
    report.get_by_role("button").click()
    expect(report).to_have_count(0)
    expect(page.locator("#settled")).to_contain_text("Talked.")
    context.close()


def finish(game: Game) -> None:
    game.play()
    game.play()
    assert game.act("resign", 1).status_code == 200


DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def test_a_passkey_opens_an_account(chromium: Browser, server: Server) -> None:
    """Browsers have passkeys for names, and not for addresses such as 127.0.0.1."""
    ann = server.sign_up(new_name())
    url = server.url.replace("127.0.0.1", "localhost")
    context = chromium.new_context(service_workers="block")
    page = context.new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    device = context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    page.goto(f"{url}/sign-in")
    fill(page, "sign-in", name=ann.name, password=PASSWORD)
    page.wait_for_url(f"{url}/")
    page.goto(f"{url}/account")
    page.locator("#add-passkey").click()
    expect(page.locator("#passkeys li")).to_have_count(1)
    page.locator("#sign-out").click()
    page.wait_for_url(f"{url}/")
    page.goto(f"{url}/sign-in")
    page.locator("#by-passkey").click()
    page.wait_for_url(f"{url}/")
    expect(page.locator("#me")).to_have_text(ann.name)
    page.goto(f"{url}/account")
    page.locator("#passkeys button").click()
    expect(page.locator("#passkeys li")).to_have_count(0)
    context.close()
