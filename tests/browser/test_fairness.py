"""Fairness at the table, as two or three people meet it, each with a browser of their own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser.visiting import Visitor
from server.serving import Game, LocalServer
from skerry.server.play import table

Visit = Callable[..., Visitor]


def sit(visitor: Visitor, game: Game, seat: int) -> Visitor:
    """Open the link of a seat."""
    visitor.open(f"/g/{game.id}#s={game.secrets[seat]}")
    expect(visitor.page.locator("#seats .note", has_text="you")).to_have_count(1)
    return visitor


@pytest.mark.soak
def test_a_clock_waits_for_whoever_was_invited(visit: Visit) -> None:
    """The fault: time ran against somebody who had not opened the link yet."""
    host, guest = visit(), visit()
    game = host.server.make_for_persons(clock={"kind": "total", "seconds": 60})
    sit(host, game, 0).play(host.look()["legal"][0]["path"])
    assert host.look()["clock"]["running"] is None
    sit(guest, game, 1)
    seen = host.look()
    assert seen["clock"]["running"] == 1
    assert seen["clock"]["remaining"] == [60_000, 60_000]
    guest.play(guest.look()["legal"][0]["path"])
    expect(guest.page.locator("#seats time").nth(1)).to_have_text("1:00")


@pytest.mark.soak
def test_whoever_never_came_has_lost_nothing(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody has opened the link, and is gone before their first move."""
    monkeypatch.setattr(table, "GRACE", 0)
    with LocalServer(tmp_path) as server:
        game = server.make_for_persons(clock={"kind": "total", "seconds": 1})
        assert game.post("claim", 1, name="Bob").status_code == 200
        host = Visitor(chromium.new_context(), server)
        sit(host, game, 0).play(host.look()["legal"][0]["path"])
        expect(host.words()).to_have_text("Second did not move in time: no result")
        host.open("/archive")
        expect(host.page.locator(f"a[href*='{game.id}']")).to_have_count(0)
        host.context.close()
        assert host.complaints == []


@pytest.mark.soak
def test_a_takeback_gives_no_time_back(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fault: a takeback refunded the time that the move had cost."""
    monkeypatch.setattr(table, "GRACE", 0)
    with LocalServer(tmp_path) as server:
        game = server.make_for_persons(clock={"kind": "total", "seconds": 600})
        contexts = [chromium.new_context() for _ in range(2)]
        host, guest = (Visitor(context, server) for context in contexts)
        for seat, somebody in enumerate((host, guest)):
            sit(somebody, game, seat)
        for somebody in (host, guest, host):
            somebody.play(somebody.look()["legal"][0]["path"])
        spent = game.look()["clock"]["remaining"]
        assert max(spent) < 600_000
        host.page.locator("#takeback").click()
        guest.page.locator("#takeback-asked").get_by_text("Accept").click()
        host.expect_ply(2)
        after = game.look()["clock"]["remaining"]
        assert all(now <= before for now, before in zip(after, spent, strict=True))
        for context in contexts:
            context.close()
        assert host.complaints == guest.complaints == []


@pytest.mark.soak
def test_a_game_is_called_off_until_both_have_moved(visit: Visit) -> None:
    """The fault: nobody could leave a game that had hardly begun without losing it."""
    host, guest = visit(), visit()
    game = host.server.make_for_persons()
    sit(host, game, 0).play(host.look()["legal"][0]["path"])
    sit(guest, game, 1)
    expect(host.page.locator("#abort")).to_be_visible()
    guest.page.locator("#abort").click()
    for somebody in (host, guest):
        expect(somebody.words()).to_have_text("Second called the game off")
        expect(somebody.page.locator("#abort")).to_be_hidden()
    guest.page.locator("#rematch").click()
    expect(guest.page.locator("#offers")).to_contain_text("You want a rematch.")
    expect(host.page.locator("#offers")).to_have_text("Second wants a rematch.")
    host.page.locator("#rematch").click()
    for somebody in (host, guest):  # whoever asked first is led there too
        expect(somebody.page).not_to_have_url(f"{guest.server.url}/g/{game.id}")
        expect(somebody.page.locator("#seats .note", has_text="you")).to_have_count(1)


def test_a_game_that_counts_cannot_be_called_off(visit: Visit) -> None:
    host = visit()
    game = host.server.make_for_persons()
    for _ in range(2):
        game.play()
    sit(host, game, 0)
    expect(host.page.locator("#resign")).to_be_visible()
    expect(host.page.locator("#abort")).to_be_hidden()


@pytest.mark.soak
def test_of_three_the_others_play_on(visit: Visit) -> None:
    """The fault: one resignation of three ended the game for all."""
    people = [visit() for _ in range(3)]
    game = people[0].server.make_for_persons("x", options={"size": 3})
    for seat, somebody in enumerate(people):
        sit(somebody, game, seat)
    for somebody in people:
        somebody.play(somebody.look()["legal"][0]["path"])
    people[0].expect_ply(3)
    people[0].page.locator("#resign").click()
    for somebody in people:
        expect(somebody.page.locator("#seats .who", has_text="Level 3 for Guest")).to_have_count(1)
        somebody.expect_ply(4)  # the engine has moved
    expect(people[0].page.locator("#resign")).to_be_hidden()
    people[1].play(people[1].look()["legal"][0]["path"])
    people[2].expect_ply(5)


@pytest.mark.soak
def test_a_win_is_claimed_when_the_other_has_gone(chromium: Browser, tmp_path: Path) -> None:
    """The fault: whoever was left alone had to wait for ever."""
    with LocalServer(tmp_path, away=1) as server:
        game = server.make_for_persons(clock={"kind": "total", "seconds": 600})
        contexts = [chromium.new_context() for _ in range(2)]
        host, guest = (Visitor(context, server) for context in contexts)
        for seat, somebody in enumerate((host, guest)):
            sit(somebody, game, seat)
        for somebody in (host, guest, host):
            somebody.play(somebody.look()["legal"][0]["path"])
        claim = host.page.locator("#claim")
        expect(claim).to_be_hidden()
        contexts[1].close()
        expect(claim).to_have_text("Claim the win")
        claim.click()
        expect(host.words()).to_have_text("You won: Second left")
        expect(claim).to_be_hidden()
        contexts[0].close()
        assert host.complaints == []


def test_ones_own_invitation_does_not_take_both_seats(visit: Visit) -> None:
    """The fault: it took both seats, and there was no way left to invite anybody."""
    host, guest = visit(), visit()
    host.begin("skew", "link")
    link = host.link()
    host.open("/")
    host.page.goto(link)
    question = host.page.locator("#own-invitation")
    expect(question).to_contain_text("This is the invitation that you made.")
    host.page.get_by_role("button", name="No, it is for somebody else").click()
    expect(question).to_be_hidden()
    assert host.link() == link
    guest.page.goto(link)
    expect(guest.page.locator("#seats .note", has_text="you")).to_have_count(1)
    expect(guest.page.locator("#own-invitation")).to_be_hidden()
    expect(host.page.locator("#seats .note", has_text="you")).to_have_count(1)


@pytest.mark.soak
def test_both_sides_on_this_screen_if_that_is_meant(visit: Visit) -> None:
    host = visit()
    host.begin("skew", "link")
    link = host.link()
    host.open("/")
    host.page.goto(link)
    host.page.locator("#sit-here").click()
    expect(host.page.locator("#seats .note", has_text="you")).to_have_count(2)
    for _ in range(2):
        host.play(host.look()["legal"][0]["path"])


@pytest.mark.soak
def test_a_guest_who_plays_keeps_the_seat(visit: Visit) -> None:
    host, guest = visit(), visit()
    host.begin("skew", "link")
    guest.page.goto(host.link())
    renewal = host.page.get_by_role("button", name="New link for Second")
    expect(renewal).to_be_visible()
    for somebody in (host, guest):
        somebody.play(host.look()["legal"][0]["path"])
    host.expect_ply(2)
    expect(renewal).to_have_count(0)


@pytest.mark.soak
def test_a_refusal_is_told(visit: Visit) -> None:
    """The fault: there was no word of it, and no limit to asking again."""
    host, guest = visit(), visit()
    game = host.server.make_for_persons()
    sit(host, game, 0)
    sit(guest, game, 1)
    host.page.locator("#offer-draw").click()
    note = host.page.locator("#offers")
    expect(note).to_have_text("You have offered a draw.")
    guest.page.locator("#draw-asked").get_by_text("Decline").click()
    expect(note).to_have_text("Second declined the draw.")
    expect(host.page.locator("#offer-draw")).to_be_disabled()
    host.play(host.look()["legal"][0]["path"])
    expect(note).to_be_empty()
    expect(host.page.locator("#offer-draw")).to_be_enabled()


@pytest.mark.soak
def test_spectators_do_not_read_what_players_say(visit: Visit) -> None:
    """The fault: they read the players' chat."""
    host, stranger = visit(), visit()
    game = host.server.make_for_persons()
    sit(host, game, 0)
    stranger.open(f"/g/{game.id}")
    host.page.locator("#chat-text").fill("I have a plan")
    host.page.locator("#chat-form button").click()
    expect(host.page.locator("#chat li")).to_have_count(1)
    host.play(host.look()["legal"][0]["path"])
    stranger.expect_ply(1)
    expect(stranger.page.locator("#chat li")).to_have_count(0)


def test_the_swap_rule_is_chosen_and_explained_to_everybody(visit: Visit) -> None:
    host, guest, stranger = visit(), visit(), visit()
    host.open()
    card = host.page.locator("article.card:has(#skirt)")
    card.locator("summary").click()
    card.get_by_label("Swap rule: the second player may change sides").check()
    card.get_by_role("button", name="Send a link").click()
    host.page.wait_for_url("**/g/*")
    guest.page.goto(host.link())
    stranger.open(f"/g/{host.id}")
    notes = [somebody.page.locator("#note") for somebody in (host, guest, stranger)]
    before = "Swap rule: after the first turn {} may change sides."
    expect(notes[0]).to_have_text(before.format("the other player"))
    expect(notes[1]).to_have_text(before.format("you"))
    host.play(host.look()["legal"][0]["path"])
    offer = "Swap rule: {} may take over White and the move just made."
    for note, who in zip(notes, ("Black", "you", "Black"), strict=True):
        expect(note).to_have_text(offer.format(who))
    expect(guest.words()).to_contain_text("Your turn: swap seats, or put a piece")
    expect(stranger.page.locator("#swap")).to_be_hidden()
    guest.page.locator("#swap").click()
    expect(notes[0]).to_have_text("The seats were swapped: you play Black now.")
    expect(notes[1]).to_have_text("The seats were swapped: you play White now.")
    expect(notes[2]).to_have_text("The seats were swapped.")
    host.play(host.look()["legal"][0]["path"])
    for note in notes:
        expect(note).to_be_empty()


@pytest.mark.soak
def test_seats_are_swapped_after_the_first_move(visit: Visit) -> None:
    host, guest = visit(), visit()
    game = host.server.make_for_persons(swap=True)
    sit(host, game, 0)
    sit(guest, game, 1)
    host.play(host.look()["legal"][0]["path"])
    expect(host.page.locator("#swap")).to_be_hidden()
    guest.page.locator("#swap").click()
    expect(guest.page.locator("#swap")).to_be_hidden()
    host.play(host.look()["legal"][0]["path"])  # the second seat is the host's now
    guest.play(guest.look()["legal"][0]["path"])
    assert [move["seat"] for move in host.look()["moves"]] == [0, 1, 0]
