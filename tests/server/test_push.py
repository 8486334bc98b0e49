"""Whoever does not look is told: messages on their way to a real push service on loopback."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from server.lobbying import Guest
from server.pushing import Browser, PushService, check_signature, read, write
from server.serving import PASSWORD, Game, Host, LocalServer, Server
from server.test_live import watch
from server.test_metrics import read as read_metrics
from skerry.server.push import messenger
from skerry.server.push.address import Endpoint, Unreachable, find_address, is_public, read_endpoint
from skerry.server.push.delivery import Receipt, read_head
from skerry.server.push.encryption import LONGEST, Addressee, encrypt
from skerry.server.push.notices import write_left
from skerry.server.push.vapid import Signer
from skerry.server.web.errors import Refusal
from skerry.server.web.secrets import new_secret

DAYS = {"kind": "days", "days": 3}


# --- what a message is made of


def test_encryption_is_that_of_the_rfc() -> None:
    """The example of RFC 8291, section 5 and appendix A."""
    point = (
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )
    private = int.from_bytes(read("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    sent = encrypt(
        b"When I grow up, I want to be a watermelon",
        Addressee.read(point, "BTBZMqHH6r4Tts7J_aSIgg"),
        ec.derive_private_key(private, ec.SECP256R1()),
        read("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert write(sent) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY"
        "WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexS"
        "gSxsj_Qulcy4a-fN"
    )


def test_only_the_browser_reads_a_message() -> None:
    browser, other = Browser("https://push.example", "/a"), Browser("https://push.example", "/b")
    addressee = Addressee(browser.point, browser.auth)
    longest = bytes(range(1, 251)) * 16
    for content in (b"", b"hello", longest[:LONGEST]):
        sent = encrypt(content, addressee)
        assert sent != encrypt(content, addressee)
        assert len(sent) <= 4096
        assert browser.decrypt(sent) == content
        with pytest.raises(InvalidTag):
            other.decrypt(sent)
    with pytest.raises(ValueError, match="at most"):
        encrypt(longest, addressee)


@pytest.mark.parametrize("length", [0, 64, 66])
def test_keys_that_are_none_are_refused(length: int) -> None:
    with pytest.raises(ValueError, match="65 and 16 bytes"):
        Addressee.read(write(b"\x04" * length), write(b"s" * 16))
    with pytest.raises(ValueError, match="Invalid EC key"):
        Addressee.read(write(b"\x04" + b"\x01" * 64), write(b"s" * 16))  # not on the curve


def test_a_signature_is_checked_by_its_key() -> None:
    signer = Signer.read(Signer.make().write())
    claims = check_signature(signer.sign("https://push.example", "mailto:a@b.example", 1000))
    assert claims == {
        "aud": "https://push.example",
        "exp": 1000 + 12 * 3600,
        "sub": "mailto:a@b.example",
        "key": signer.public,
    }
    assert "sub" not in check_signature(signer.sign("https://push.example", "http://here", 1))
    stranger = Signer.make().sign("https://push.example", "", 1).partition(" k=")[0]
    with pytest.raises(InvalidSignature):
        check_signature(f"{stranger} k={signer.public}")


# --- where it may go


@pytest.mark.parametrize(
    "address",
    [
        "http://push.example/a",
        "https://127.0.0.1/a",
        "https://127.1/a",
        "https://0x7f000001/a",
        "https://2130706433/a",
        "https://[::1]/a",
        "https://localhost/a",
        "https://push.example:8443/a",
        "https://user@push.example/a",
        "https://push.example/a b",
        "https://push.example/a\r\nHost: other",
        "https://push.example/é",
        "https://",
        "https://[broken/",
        "ftp://push.example/",
        "https://push.example/" + "a" * 1000,
    ],
)
def test_an_endpoint_is_that_of_a_push_service(address: str) -> None:
    with pytest.raises(Refusal):
        read_endpoint(address, frozenset())


def test_an_endpoint_is_taken_apart() -> None:
    found = read_endpoint("https://push.example/a/b?c=d#e", frozenset())
    assert found == Endpoint("https", "push.example", 443, "https://push.example", "/a/b?c=d")
    near = frozenset({"http://127.0.0.1:9"})
    assert read_endpoint("http://127.0.0.1:9/a", near).port == 9
    with pytest.raises(Refusal):
        read_endpoint("http://127.0.0.1:10/a", near)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.0.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),  # noqa: S104
        ("224.0.0.1", False),
        ("::1", False),
        ("::ffff:127.0.0.1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::1", False),
    ],
)
def test_what_is_public(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_a_name_that_leads_home_is_not_followed() -> None:
    """Whoever owns a name decides where it leads, and may decide so after it was checked."""
    home = Endpoint("https", "localhost", 443, "https://localhost", "/")
    with pytest.raises(Unreachable, match="not on the public internet"):
        asyncio.run(find_address(home, frozenset()))
    assert asyncio.run(find_address(home, frozenset({home.origin}))) in ("127.0.0.1", "::1")


def test_answers_of_push_services() -> None:
    assert read_head(b"HTTP/1.1 201 Created\r\nTTL: 3\r\n\r\n") == Receipt(201)
    busy = read_head(b"HTTP/1.1 429 Slow\r\nRetry-After: 17\r\n\r\n")
    assert (busy, busy.is_final) == (Receipt(429, 17), False)
    assert read_head(b"HTTP/1.0 503\r\nretry-after: Fri, 31 Dec\r\n\r\n") == Receipt(503)
    for status in (404, 410):
        assert Receipt(status).is_gone
        assert Receipt(status).is_final
    with pytest.raises(ConnectionError):
        read_head(b"SSH-2.0-x\r\n\r\n")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (59, "less than a minute left"),
        (60, "1 minute left"),
        (3599, "59 minutes left"),
        (7200, "2 hours left"),
        (86_400, "1 day left"),
        (86_400 * 3 - 1, "2 days left"),
    ],
)
def test_time_is_told_in_its_largest_unit(seconds: int, words: str) -> None:
    assert write_left(seconds) == words


# --- who is told


@pytest.fixture
def service() -> Iterator[PushService]:
    with PushService().running() as found:
        yield found


@pytest.fixture
def host(
    service: PushService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LocalServer]:
    monkeypatch.setattr(messenger, "DELAY", 0.1)
    monkeypatch.setattr(messenger, "PAUSES", (0.1, 0.1))
    contact = "mailto:host@example.org"
    with LocalServer(tmp_path, push_services=service.origin, contact=contact) as running:
        yield running


def begin(host: Host, game: str = "skew") -> Game:
    """A game by days of two persons who have come."""
    made = host.make_for_persons(game, clock=DAYS, names=["Ann", "Bob"])
    for seat, name in enumerate(("Ann", "Bob")):
        assert made.post("claim", seat, name=name).status_code == 200
    return made


def test_somebody_who_is_away_is_told(host: LocalServer, service: PushService) -> None:
    game, browser = begin(host), Browser(service.origin, "/wpush/v2/bob")
    assert browser.subscribe(host, (game, 1)).json() == {"seats": 1}
    game.play()
    parcel = service.receive()
    assert browser.open(parcel) == {
        "title": "Your turn in Skew",
        "body": "Against Ann, 3 days left",
        "path": f"/g/{game.id}",
    }
    assert parcel.path == browser.path
    assert parcel.headers["content-encoding"] == "aes128gcm"
    assert parcel.headers["topic"] == game.id
    assert parcel.headers["urgency"] == "normal"
    assert 2 * 86_400 < int(parcel.headers["ttl"]) <= 3 * 86_400
    claims = check_signature(parcel.headers["authorization"])
    assert (claims["aud"], claims["sub"]) == (service.origin, "mailto:host@example.org")
    assert claims["key"] == host.client.get("/api/push").json()["key"]
    assert abs(claims["exp"] - time.time()) < 86_400


def test_each_browser_is_told_in_its_language(host: LocalServer, service: PushService) -> None:
    game = begin(host)
    browsers = {
        language: Browser(service.origin, f"/wpush/v2/{language}") for language in ("de", "ja")
    }
    for language, browser in browsers.items():
        with host.new_client() as client:
            held = [{"id": game.id, "secrets": [game.secrets[1]]}]
            body = {**browser.subscription, "games": held}
            headers = {"accept-language": language}
            assert client.put("/api/push", json=body, headers=headers).status_code == 200

    def hear() -> dict[str, tuple[str, str]]:
        told = {}
        for _ in browsers:
            parcel = service.receive()
            language = parcel.path.rpartition("/")[2]
            said = browsers[language].open(parcel)
            told[language] = (said["title"], said["body"])
        return told

    game.play()
    assert hear() == {
        "de": ("Du bist am Zug in Skew", "Gegen Ann, noch 3 Tage"),
        "ja": ("Skew\uff1aあなたの手番です", "相手\uff1aAnn、残り3日"),
    }
    game.play()
    assert game.act("resign", 0).status_code == 200
    told = hear()
    assert told["de"] == (
        "Du hast deine Partie Skew gewonnen",
        "Gegen Ann: Erster hat aufgegeben: Zweiter gewinnt",
    )
    assert told["ja"][0] == "Skewの対局に勝ちました"
    assert "Ann" in told["ja"][1]
    assert "First" not in told["ja"][1]


def test_seats_of_an_account_alone_are_told_where_it_is_signed_in(
    host: LocalServer, service: PushService
) -> None:
    """As those of tournaments, which have no links; and no more once a session was ended."""
    ann, bob = (host.sign_up(f"{name} Pushed") for name in ("Ann", "Bob"))
    phone = Browser(service.origin, "/wpush/v2/phone")
    desk = Browser(service.origin, "/wpush/v2/desk")
    there = host.sign_in(bob.name)
    for browser, client in ((phone, there.client), (desk, bob.client)):
        body = {**browser.subscription, "games": []}
        assert client.put("/api/push", json=body).json() == {"seats": 0}
    game = begin(host)
    for seat, one in enumerate((ann, bob)):
        assert one.post(game, "claim", game.secrets[seat], name="").status_code == 200
    body = {"password": PASSWORD, "new": f"{PASSWORD}, another"}
    assert bob.client.put("/api/account/password", json=body).status_code == 204
    assert ann.play(game).status_code == 200
    told = service.receive()
    assert (told.path, desk.open(told)["body"]) == (desk.path, "Against Ann Pushed, 3 days left")
    for one in (bob, ann):
        assert one.play(game).status_code == 200
    assert service.receive().path == desk.path  # and nothing came to the other meanwhile


def test_who_waits_in_the_lobby_is_told_when_the_game_begins(
    host: LocalServer, service: PushService
) -> None:
    """By the secret of the challenge, which will open their seat."""
    ann, browser = Guest(host, "Ann"), Browser(service.origin, "/wpush/v2/ann")
    made = ann.challenge(clock=DAYS, seat=0)
    waiting = Game(host, made["id"], [ann.secret])
    assert browser.subscribe(host, (waiting, 0)).json() == {"seats": 1}
    stranger = Game(host, made["id"], [new_secret()])
    assert browser.subscribe(host, (stranger, 0)).json() == {"seats": 0}
    begun = Guest(host, "Bob").join(made["id"]).json()["challenge"]
    told = browser.open(service.receive())
    assert (told["path"], told["body"]) == (begun["url"], "Against Bob, 3 days left")


def test_push_services_are_told_where_the_site_is(
    service: PushService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messenger, "DELAY", 0.1)
    site = "https://games.example"
    with LocalServer(tmp_path, push_services=service.origin, public_address=site) as host:
        game = begin(host)
        Browser(service.origin, "/bob").subscribe(host, (game, 1))
        game.play()
        assert check_signature(service.receive().headers["authorization"])["sub"] == site


def test_each_turn_is_told_once(host: LocalServer, service: PushService) -> None:
    game, browser = begin(host), Browser(service.origin, "/bob")
    browser.subscribe(host, (game, 1))
    game.play()
    service.receive()
    assert game.act("offer-draw", 0).status_code == 200  # changes the game, but not the turn
    game.play()  # Bob
    game.play()  # Ann, so that it is Bob's turn again
    assert browser.open(service.receive())["title"] == "Your turn in Skew"
    assert game.act("resign", 0).status_code == 200
    ended = browser.open(service.receive())
    assert ended["title"] == "You won your game of Skew"
    assert ended["body"].startswith("Against Ann: ")
    assert service.parcels.empty()
    assert (
        read_metrics(host.client.get("/metrics").text)["skerry_pushes_total", (("result", "sent"),)]
        == 3
    )


def test_nobody_is_told_of_their_own_move(host: LocalServer, service: PushService) -> None:
    browser, both, one = Browser(service.origin, "/ann"), host.make_for_persons(), begin(host)
    assert browser.subscribe(host, (both, 0), (both, 1), (one, 1)).json() == {"seats": 3}
    both.post("claim", 0, 1, name="Ann")
    assert browser.open(service.receive())["path"] == f"/g/{both.id}"  # it begins
    both.play()
    one.play()
    assert browser.open(service.receive())["path"] == f"/g/{one.id}"
    assert service.parcels.empty()


def test_nobody_is_told_who_looks(host: LocalServer, service: PushService) -> None:
    game, hidden = begin(host), begin(host)
    browser = Browser(service.origin, "/bob")
    browser.subscribe(host, (game, 1), (hidden, 1))

    async def look() -> None:
        async with watch(game, 1) as seen, watch(hidden, 1) as behind:
            for watcher in (seen, behind):
                await watcher.until(lambda g: g["seats"][1]["online"])
            await behind.send(type="hello", secrets=[hidden.secrets[1]], hidden=True)
            await behind.until(lambda g: g["seats"][1]["online"])  # it has been heard
            await asyncio.to_thread(game.play)
            await asyncio.to_thread(hidden.play)
            parcel = await asyncio.to_thread(service.receive)
            assert browser.open(parcel)["path"] == f"/g/{hidden.id}"

    asyncio.run(look())
    assert service.parcels.empty()


def test_engines_answers_are_told(host: LocalServer, service: PushService) -> None:
    game, browser = host.make("skew", seats=["person", "random"]), Browser(service.origin, "/ann")
    browser.subscribe(host, (game, 0))
    game.play()
    assert browser.open(service.receive())["body"] == "Against Random"


def test_a_browser_that_is_gone_is_forgotten(host: LocalServer, service: PushService) -> None:
    game, gone, there = (
        begin(host),
        Browser(service.origin, "/gone"),
        Browser(service.origin, "/there"),
    )
    service.answers.append(410)
    gone.subscribe(host, (game, 1))
    game.play()
    assert service.receive().path == "/gone"
    there.subscribe(host, (game, 1))
    game.play()
    game.play()
    assert service.receive().path == "/there"
    assert service.parcels.empty()


def test_a_push_service_in_trouble_is_asked_again(host: LocalServer, service: PushService) -> None:
    game, browser = begin(host), Browser(service.origin, "/bob")
    browser.subscribe(host, (game, 1))
    service.answers += [503, 429, 201]
    game.play()
    said = [browser.open(service.receive()) for _ in range(3)]
    assert said[0] == said[1] == said[2]
    service.answers += [400]  # asking again would bring the same
    game.play()
    game.play()
    service.receive()
    game.play()
    game.play()
    service.receive()
    assert service.parcels.empty()


def restart(host: LocalServer) -> None:
    """The same database and the same address, by another process of the app."""
    host.stop()
    host.start()


@pytest.fixture
def patient(
    service: PushService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LocalServer]:
    """A server that waits for so long before it tries again that it is stopped meanwhile."""
    monkeypatch.setattr(messenger, "DELAY", 0.1)
    monkeypatch.setattr(messenger, "PAUSES", (3600.0,))
    monkeypatch.setattr(messenger, "LONGEST_PAUSE", 3600.0)
    with LocalServer(tmp_path, push_services=service.origin) as running:
        yield running


def test_what_waits_when_the_server_stops_is_sent_by_the_next(
    patient: LocalServer, service: PushService
) -> None:
    game, browser = begin(patient), Browser(service.origin, "/bob")
    browser.subscribe(patient, (game, 1))
    service.answers += [503, 503]
    game.play()
    said = browser.open(service.receive())
    for _ in range(2):  # the push service is still in trouble after the first
        restart(patient)
        assert browser.open(service.receive()) == said
    # Now it has arrived, and nobody is told again.
    restart(patient)
    game.play()
    game.play()
    fresh = browser.open(service.receive())
    assert fresh["title"] == "Your turn in Skew"
    assert service.parcels.empty()


def test_a_turn_in_the_last_moment_is_told_by_the_next(
    patient: LocalServer, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever makes a move does not wait for it to be told, nor does whoever stops the server."""
    monkeypatch.setattr(messenger, "DELAY", 3600.0)
    game, browser = begin(patient), Browser(service.origin, "/bob")
    browser.subscribe(patient, (game, 1))
    game.play()
    patient.stop()
    assert service.parcels.empty()
    monkeypatch.setattr(messenger, "DELAY", 0.1)
    patient.start()
    assert browser.open(service.receive())["path"] == f"/g/{game.id}"


def test_what_is_no_news_after_a_restart_is_dropped(
    patient: LocalServer, service: PushService
) -> None:
    answered, ended = begin(patient), begin(patient)
    bob = Browser(service.origin, "/bob")
    bob.subscribe(patient, (answered, 1), (ended, 1))
    service.answers += [503, 503]
    for game in (answered, ended):
        game.play()
        service.receive()
    answered.play()  # by Bob, who has seen it himself
    patient.stop()
    connection = sqlite3.connect(patient.database)
    with connection:  # nobody has started the server for a month
        late = "UPDATE told SET until = 1 WHERE told LIKE ?"
        assert connection.execute(late, (f"{ended.id} %",)).rowcount == 1
    connection.close()
    patient.start()
    ann = Browser(service.origin, "/ann")
    ann.subscribe(patient, (ended, 0))
    assert ended.act("resign", 1).status_code == 200
    browsers, told = {"/ann": ann, "/bob": bob}, {}
    for parcel in (service.receive(), service.receive()):
        told[parcel.path] = browsers[parcel.path].open(parcel)["title"]
    assert told == {
        "/ann": "You won your game of Skew",
        "/bob": "You lost your game of Skew",  # and nothing of what waited
    }
    assert service.parcels.empty()
    patient.stop()
    connection = sqlite3.connect(patient.database)
    assert connection.execute("SELECT * FROM told WHERE until IS NOT NULL").fetchall() == []
    connection.close()
    patient.start()


@pytest.mark.soak
def test_a_message_outlasts_a_power_failure(tmp_path: Path) -> None:
    with PushService().running() as service:
        flags = ["--push-services", service.origin]
        server = Server(str(tmp_path / "skerry.db"), tmp_path / "log", flags)
        with server:
            game, browser = begin(server), Browser(service.origin, "/bob")
            browser.subscribe(server, (game, 1))
            service.answers += [503]
            game.play()
            said = browser.open(service.receive())
            server.kill()
            server.start()
            assert browser.open(service.receive()) == said


def test_a_subscription_goes_on_by_another(host: LocalServer, service: PushService) -> None:
    """As when a push service gives a browser another address, while no page is open."""
    first, second = begin(host), begin(host)
    old, new = (
        Browser(service.origin, "/old"),
        Browser(service.origin, "/new", auth=b"another secret!!"),
    )
    old.subscribe(host, (first, 1), (second, 1))
    first.play()
    service.receive()
    new.subscribe(host, (second, 1))  # a page was quicker with this one
    assert new.subscribe(host, replaces=old.subscription).status_code == 200
    assert first.act("offer-draw", 0).status_code == 200  # what was told before is not told anew
    second.play()
    assert new.open(service.receive())["path"] == f"/g/{second.id}"
    first.play()
    first.play()
    assert new.open(service.receive())["path"] == f"/g/{first.id}"
    assert service.parcels.empty()


def test_nobody_takes_over_the_subscription_of_another(
    host: LocalServer, service: PushService
) -> None:
    game, bob = begin(host), Browser(service.origin, "/bob")
    thief = Browser(service.origin, "/thief", auth=b"a wrong secret!!")
    bob.subscribe(host, (game, 1))
    known = {**thief.subscription, "endpoint": bob.endpoint}  # which others may have seen
    assert thief.subscribe(host, replaces=known).json() == {"seats": 0}
    game.play()
    assert service.receive().path == "/bob"
    assert service.parcels.empty()


def test_what_waits_goes_to_the_subscription_that_came_after(
    patient: LocalServer, service: PushService
) -> None:
    game = begin(patient)
    old, new = Browser(service.origin, "/old"), Browser(service.origin, "/new")
    old.subscribe(patient, (game, 1))
    service.answers += [503]
    game.play()
    service.receive()
    new.subscribe(patient, replaces=old.subscription)
    restart(patient)
    assert new.open(service.receive())["path"] == f"/g/{game.id}"


def test_whoever_unsubscribes_hears_no_more(host: LocalServer, service: PushService) -> None:
    game, bob, also = begin(host), Browser(service.origin, "/bob"), Browser(service.origin, "/also")
    for browser in (bob, also):
        browser.subscribe(host, (game, 1))
    left = host.client.post("/api/push/forget", json={"endpoint": bob.endpoint})
    assert left.status_code == 204
    game.play()
    assert service.receive().path == "/also"
    assert service.parcels.empty()


def test_secrets_decide_who_is_told(host: LocalServer, service: PushService) -> None:
    game, ann, bob = begin(host), Browser(service.origin, "/ann"), Browser(service.origin, "/bob")
    ann.subscribe(host, (game, 0))
    bob.subscribe(host, (game, 1))
    stranger = Game(host, game.id, ["wrong", None])
    assert Browser(service.origin, "/x").subscribe(host, (stranger, 0)).json() == {"seats": 0}
    fresh = game.post("revoke", 0, seat=1).json()["secret"]  # Bob's seat is somebody else's now
    game.play()
    assert game.act("resign", 0).status_code == 200
    while "lost" not in ann.open(service.receive())["title"]:  # only Ann can read what there is
        pass  # a slow machine tells her of her turn before
    address = game.act("rematch", 0).json()["rematch"]
    # Seats rotate and secrets stay, so Ann is second now, and is told there as well.
    rematch = Game(host, address.removeprefix("/g/"), [fresh, game.secrets[0]])
    rematch.play()
    assert ann.open(service.receive())["path"] == address
    assert service.parcels.empty()


def test_the_key_outlasts_a_restart(tmp_path: Path) -> None:
    def ask() -> str:
        with LocalServer(tmp_path) as host:
            return str(host.client.get("/api/push").json()["key"])

    first = ask()
    assert len(read(first)) == 65
    assert ask() == first


# --- how much is kept


def test_what_is_no_subscription_is_refused(host: LocalServer, service: PushService) -> None:
    browser = Browser(service.origin, "/a")
    good = {
        "endpoint": browser.endpoint,
        "keys": {"p256dh": write(browser.point), "auth": write(browser.auth)},
        "games": [],
    }
    assert host.client.put("/api/push", json=good).status_code == 200
    game = {"id": "a", "secrets": ["b"]}
    for bad in (
        {"endpoint": "https://10.0.0.1/a"},
        {"endpoint": "http://127.0.0.1:1/a"},
        {"keys": {"p256dh": "AAAA", "auth": write(browser.auth)}},
        {"keys": {"p256dh": "é" * 87, "auth": write(browser.auth)}},
        {"games": [game] * 51},
        {"games": [{"id": "a", "secrets": ["b"] * 17}]},
    ):
        assert host.client.put("/api/push", json=good | bad).status_code == 422, bad


def test_new_browsers_are_limited_by_day(tmp_path: Path) -> None:
    service = "http://127.0.0.1:9"
    chosen = {"push_services": service, "subscriptions": 2}
    with LocalServer(tmp_path, **chosen) as host:
        paths = ["/a", "/b", "/a", "/c", "/b"]
        statuses = [Browser(service, path).subscribe(host).status_code for path in paths]
        assert statuses == [200, 200, 200, 429, 200]
        # Whoever replaces one is not new, if it is their own.
        known, other = Browser(service, "/a"), Browser(service, "/d")
        wrong = {**Browser(service, "/a", auth=b"a wrong secret!!").subscription}
        assert other.subscribe(host, replaces=wrong).status_code == 429
        assert other.subscribe(host, replaces=known.subscription).status_code == 200
