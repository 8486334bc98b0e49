"""Whole games in a real browser: by mouse, keyboard and touch, at one screen and online."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

from browser.visiting import Visitor
from server.serving import SEATS, TINY, Game, LocalServer
from support.repeating import some_of

Visit = Callable[..., Visitor]
GAMES = ("skew", "skirt", "x", "skaane")
WHOLE = [(game, by) for game in GAMES for by in ("mouse", "keyboard", "touch")]


@pytest.mark.soak
@pytest.mark.parametrize(("game", "by"), WHOLE)
def test_a_whole_game_at_one_screen(visit: Visit, game: str, by: str) -> None:
    visitor = visit(has_touch=by == "touch")
    visitor.begin(game, "here")
    chooser = Random(f"{game} {by}")
    while (seen := visitor.look())["to_move"] is not None:
        expect(visitor.words()).to_contain_text("to move")
        visitor.play(chooser.choice(seen["legal"])["path"], by)
    reason = visitor.look()["outcome"]["reason"]
    expect(visitor.words()).to_have_text(reason, ignore_case=True)
    expect(visitor.page.locator("#rematch")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "plies"), some_of([("skew", 2), ("skew", 99), ("skaane", 99)], [("skew", 2)])
)
def test_a_whole_game_by_keyboard_alone(visit: Visit, game: str, plies: int) -> None:
    """From the start page to the rematch, without a pointer or a script that moves the focus; after
    so many plies the others are made elsewhere."""
    visitor = visit()
    visitor.pardon(422)  # options that are typed one after the other may not go together yet
    visitor.open()
    press, card = visitor.page.keyboard.press, f"article.card:has(#{game})"
    visitor.tab_to(f"{card} summary")
    press("Enter")
    for name, value in TINY[game].items():
        visitor.tab_to(f"{card} [data-option={name}]")
        press("Control+a")
        visitor.page.keyboard.type(str(value))
    visitor.tab_to(f"{card} button[value=here]", "Shift+Tab")
    press("Enter")
    visitor.page.wait_for_url("**/g/*")
    chooser, ply = Random(game), 0
    while (seen := visitor.look())["to_move"] is not None and ply < plies:
        expect(visitor.page.locator("#board.mine")).to_have_count(1)
        for part in chooser.choice(seen["legal"])["path"]:
            if part[-1].isdigit():
                visitor.tab_to("#board", "Shift+Tab" if ply else "Tab")
                visitor.walk_to(part)
            else:
                visitor.tab_to(f"#choices [data-part={part}]")
            press("Enter")
        ply += 1
        visitor.expect_ply(ply)
    held = visitor.page.evaluate(f"JSON.parse(localStorage['skerry:{visitor.id}'])")
    while seen["to_move"] is not None:
        seen = Game(visitor.server, visitor.id, held).play()
    expect(visitor.words()).to_have_text(seen["outcome"]["reason"], ignore_case=True)
    visitor.tab_to("#rematch")
    first = visitor.page.url
    press("Enter")
    expect(visitor.page).not_to_have_url(first)


@pytest.mark.parametrize("game", some_of(GAMES, ["x"]))
def test_a_whole_game_against_engines(visit: Visit, game: str) -> None:
    visitor = visit()
    visitor.begin(game, "engine", level="1")
    chooser = Random(game)
    while (seen := visitor.look())["to_move"] is not None:
        if seen["to_move"] == 0:
            visitor.play(chooser.choice(seen["legal"])["path"])
        else:
            expect(visitor.page.locator("#moves li")).not_to_have_count(seen["ply"])
    winner = visitor.look()["outcome"]["winner"]
    said = {0: "You won", None: "draw"}.get(winner, "You lost")
    expect(visitor.words()).to_contain_text(said, ignore_case=True)


@pytest.fixture
def two(visit: Visit) -> tuple[Visitor, Visitor]:
    """Two at a table of Skew, each with a browser of their own."""
    host, guest = visit(), visit()
    game = host.server.make_for_persons("skew")
    for seat, somebody in enumerate((host, guest)):
        somebody.open(f"/g/{game.id}#s={game.secrets[seat]}")
    expect(host.page.locator("#seats .note", has_text="here")).to_have_count(1)
    return host, guest


def test_moves_can_be_typed_and_wrong_ones_are_explained(visit: Visit) -> None:
    visitor = visit()
    visitor.sit(visitor.server.make_for_persons("skew"))
    field = visitor.page.locator("#typed")
    field.fill("a1-ne")
    field.press("Enter")
    visitor.expect_ply(1)
    visitor.pardon(422)
    field.fill("a1-ne")
    field.press("Enter")
    expect(visitor.page.locator("#message")).to_contain_text("already holds a peg")


def test_a_pawn_is_dragged(visit: Visit) -> None:
    visitor = visit()
    position = "2/1k/G1/2 w 0"
    game = visitor.server.make("skaane", seats=["person", "level:1"], position=position)
    visitor.open(f"/g/{game.id}#s={game.secrets[0]}")
    visitor.drag("a2", "a3")
    expect(visitor.page.locator("#moves li").first).to_have_text("a2-a3")


def test_a_move_is_shown_before_it_is_confirmed(visit: Visit) -> None:
    visitor = visit()
    visitor.sit(visitor.server.make_for_persons("skew"))
    visitor.page.locator("#confirming").check()
    visitor.point("a1")
    visitor.page.locator("#board [data-way=e]").click()
    expect(visitor.page.locator("#confirm")).to_be_visible()
    expect(visitor.page.locator("#piece-a1")).to_have_count(1)
    assert visitor.look()["ply"] == 0
    visitor.page.locator("#cancel").click()
    expect(visitor.page.locator("#piece-a1")).to_have_count(0)
    visitor.point("a1")
    visitor.page.locator("#board [data-way=e]").click()
    visitor.page.locator("#confirm").click()
    visitor.expect_ply(1)


def test_taking_back_from_an_engine(visit: Visit) -> None:
    visitor = visit()
    visitor.sit(visitor.server.make("skew", seats=["person", "level:1"]))
    visitor.play(visitor.look()["legal"][0]["path"])
    expect(visitor.page.locator("#moves li")).to_have_count(2)
    visitor.page.locator("#takeback").click()
    visitor.expect_ply(0)
    expect(visitor.words()).to_contain_text("Your turn")


@pytest.mark.soak
def test_looking_back_and_returning(visit: Visit) -> None:
    visitor = visit()
    game = visitor.server.make_for_persons("x")
    for _ in range(2):
        game.play()
    visitor.sit(game)
    visitor.page.get_by_label("To the start").click()
    expect(visitor.page.locator("#board .piece")).to_have_count(0)
    expect(visitor.page.locator("#back-to-game")).to_be_visible()
    visitor.page.get_by_label("One on").click()
    expect(visitor.page.locator("#board .piece")).to_have_count(1)
    visitor.page.locator("#back-to-game").click()
    expect(visitor.page.locator("#board .piece")).to_have_count(2)


@pytest.mark.parametrize("game", some_of(["skew", "x"], ["skew"]))
def test_online_with_a_dropped_connection(visit: Visit, game: str) -> None:
    """Every seat by its own browser; one of them loses its connection and comes back."""
    host = visit()
    host.begin(game, "link")
    links = host.page.locator("#links input")
    expect(links).to_have_count(SEATS[game] - 1)
    people = [host]
    for link in [field.input_value() for field in links.all()]:
        guest = visit()
        guest.page.goto(link)
        expect(guest.page.locator("#seats .note", has_text="you")).to_have_count(1)
        assert "#s=" not in guest.page.url, "the secret leaves the address bar"
        people.append(guest)
    stranger = visit()
    stranger.open(f"/g/{host.id}")
    expect(links).to_have_count(0)  # everybody has come
    for ply in range(2):
        people[ply].play(host.look()["legal"][0]["path"])
        for somebody in [*people, stranger]:
            somebody.expect_ply(ply + 1)
    people[-1].context.set_offline(True)
    mover = people[host.look()["to_move"]]
    if mover is not people[-1]:
        mover.play(host.look()["legal"][0]["path"])
    people[-1].context.set_offline(False)
    people[-1].expect_ply(host.look()["ply"])
    expect(stranger.page.locator("#type")).to_be_hidden()
    expect(stranger.page.locator("#resign")).to_be_hidden()


@pytest.mark.soak
def test_a_server_that_is_back_is_complained_of_no_longer(visit: Visit, tmp_path: Path) -> None:
    """The fault: the message that it cannot be reached stayed."""
    host = visit()
    host.pardoned += ("ERR_CONNECTION_REFUSED",)
    server = LocalServer(tmp_path)
    with server:
        game = server.make_for_persons()
        host.page.goto(f"{server.url}/g/{game.id}#s={game.secrets[0]}")
        expect(host.page.locator("#board.mine")).to_have_count(1)
        port = int(server.url.rpartition(":")[2])
    host.page.locator("#typed").fill("a1-e")
    host.page.locator("#type button").click()
    message = host.page.locator("#message")
    expect(message).to_contain_text("The server cannot be reached.")
    expect(host.page.locator("#connection")).to_contain_text("Connection lost")
    with LocalServer(tmp_path, port=port):
        expect(host.page.locator("#connection")).to_be_empty(timeout=30_000)
        expect(message).to_be_empty()
        host.page.locator("#type button").click()
        host.expect_ply(1)


def test_taking_back_online_needs_consent(two: tuple[Visitor, Visitor]) -> None:
    host, guest = two
    host.play(host.look()["legal"][0]["path"])
    guest.expect_ply(1)
    host.page.get_by_role("button", name="Ask to take back").click()
    guest.page.locator("#takeback-asked").get_by_text("Accept").click()
    for somebody in (host, guest):
        somebody.expect_ply(0)


@pytest.mark.soak
def test_an_unfinished_turn_is_undone_without_asking(visit: Visit) -> None:
    host, guest = visit(), visit()
    game = host.server.make_for_persons("skirt")
    for seat, somebody in enumerate((host, guest)):
        somebody.open(f"/g/{game.id}#s={game.secrets[seat]}")
    host.play(["a1"])
    guest.play(["c2"])  # an outer hex: an inner one is due
    expect(guest.page.locator("#takeback")).to_have_text("Undo")
    guest.page.locator("#takeback").click()
    for somebody in (host, guest):
        somebody.expect_ply(1)


@pytest.mark.soak
@pytest.mark.parametrize("seat", some_of(["0", "1"], ["1"]))
def test_a_seat_is_given_to_somebody_else(visit: Visit, seat: str) -> None:
    host, first, second = visit(), visit(), visit()
    host.begin("skew", "link", seat=seat)
    first.page.goto(host.link())
    expect(first.page.locator("#seats .note", has_text="you")).to_have_count(1)
    host.page.get_by_role("button", name="New link").click()
    second.page.goto(host.link())
    expect(second.page.locator("#seats .note", has_text="you")).to_have_count(1)
    for player in (host, second) if seat == "0" else (second, host):
        player.play(host.look()["legal"][0]["path"])
    first.pardon(401)  # for the old secret
    first.page.reload()
    expect(first.page.locator("#seats .note", has_text="you")).to_have_count(0)


def test_a_draw_is_offered_and_taken(two: tuple[Visitor, Visitor]) -> None:
    host, guest = two
    host.page.locator("#offer-draw").click()
    guest.page.locator("#draw-asked").get_by_text("Accept").click()
    for somebody in (host, guest):
        expect(somebody.words()).to_contain_text("draw", ignore_case=True)


def test_resigning_and_a_rematch_with_seats_rotated(visit: Visit) -> None:
    visitor = visit()
    visitor.sit(visitor.server.make("skew", seats=["person", "level:1"]))
    first = visitor.id
    visitor.page.locator("#resign").click()
    expect(visitor.words()).to_contain_text("resign")
    visitor.page.locator("#rematch").click()
    expect(visitor.page).not_to_have_url(f"{visitor.server.url}/g/{first}")
    kinds = [seat["kind"] for seat in visitor.look()["seats"]]
    assert kinds == ["level:1", "person"]
    expect(visitor.page.locator("#seats .note", has_text="you")).to_have_count(1)


def test_talking_to_each_other_without_markup(two: tuple[Visitor, Visitor]) -> None:
    host, guest = two
    guest.page.locator("#name").fill("<b>Ann</b>")
    guest.page.locator("#name-form button").click()
    expect(host.page.locator("#seats .who", has_text="<b>Ann</b>")).to_have_count(1)
    guest.page.locator("#chat-text").fill("<img src=x onerror=alert(1)>")
    said: list[str] = []
    guest.page.on("request", lambda asked: "/chat?" in asked.url and said.append(asked.url))
    guest.page.locator("#chat-form button").dblclick()  # as impatient people do
    line = host.page.locator("#chat li")
    expect(line).to_have_text("<b>Ann</b> <img src=x onerror=alert(1)>")
    guest.page.locator("#chat-text").fill("hello")
    guest.page.locator("#chat-text").press("Enter")
    expect(line).to_have_count(2)
    expect(guest.page.locator("#chat-text")).to_be_focused()
    assert len(said) == 2


@pytest.mark.soak
def test_a_flag_falls(visit: Visit) -> None:
    visitor = visit()
    game = visitor.server.make_for_persons("skew", clock={"kind": "move", "seconds": 1})
    for _ in range(2):  # nobody loses on time before everybody has moved
        game.play()
    visitor.open(f"/g/{game.id}#s={game.secrets[0]}")
    expect(visitor.words()).to_contain_text("time", timeout=15_000)
