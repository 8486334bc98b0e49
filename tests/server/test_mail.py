"""Mail: handed to a real server on loopback, tried again where that helps, and never waited for;
addresses that are confirmed, passwords that are replaced, and turns that are told by it."""

import asyncio
import re
from collections.abc import Iterator
from email.header import decode_header, make_header
from pathlib import Path

import pytest
from sqlalchemy import select

from server.mailing import Postbox, read_text
from server.serving import PASSWORD, LocalServer
from server.storing import open_database
from skerry.core.errors import OptionsError
from skerry.server.correspondence import digests
from skerry.server.db.durations import HOUR
from skerry.server.db.engine import Database
from skerry.server.db.knowing import outbox as kept_mails
from skerry.server.keeping import mail, outbox
from skerry.server.keeping.mail import Mail, MailServer, NotTaken, Undeliverable, read_mail_address
from skerry.server.keeping.outbox import Letter, Outbox, post
from skerry.server.people import addresses
from skerry.server.people.accounts import Accounts
from skerry.server.people.hashing import Hasher
from skerry.server.settings import Settings
from skerry.server.web.errors import Refusal

SITE = "http://games.example"


def deliver(address: str, subject: str = "Hello", text: str = "There\n") -> None:
    async def run() -> None:
        sender = Mail(Settings(mail_server=address, mail_from="club@games.example"))
        try:
            await sender.hand_over("ann@example.org", subject, text)
        finally:
            await sender.close()

    asyncio.run(run())


def test_a_mail_arrives_as_it_was_written() -> None:
    postbox = Postbox("pass:word@")
    subject = "It is your turn, Änn\r\nBcc: everybody@example.org"
    text = "Zwölf Boxkämpfer\n.\nFrom here on.\n" + "x" * 2000
    with postbox.listening() as port:
        address = f"smtp://club:pass%3Aword%40@127.0.0.1:{port}"
        deliver(address, subject, text)
        recipients, message = postbox.mails.get(timeout=30)
        with pytest.raises(Undeliverable):
            deliver(f"smtp://club:wrong@127.0.0.1:{port}")
    assert recipients == ["ann@example.org"]
    assert message["To"] == "ann@example.org"
    assert message["From"] == "club@games.example"
    assert message["Bcc"] is None
    assert str(make_header(decode_header(message["Subject"]))) == " ".join(subject.split())
    assert read_text(message).replace("\r\n", "\n") == text + "\n"
    assert postbox.mails.empty()


def test_a_server_that_is_not_there_or_says_nothing_may_take_it_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mail, "PATIENCE", 0.2)

    async def run() -> None:
        async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()

        server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
        place = f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        sender = Mail(Settings(mail_server=place, mail_from="club@games.example"))
        async with server:
            with pytest.raises(NotTaken):
                await sender.hand_over("ann@example.org", "Hello", "There")
        with pytest.raises(NotTaken):
            await sender.hand_over("ann@example.org", "Hello", "There")
        await sender.close()

    asyncio.run(run())


def test_passwords_go_to_nobody_without_tls() -> None:
    server = MailServer.read("smtp://user:secret@mail.example")
    assert (server.port, server.is_secure, server.is_here) == (587, False, False)
    assert MailServer.read("smtps://mail.example").port == 465
    assert MailServer.read("smtp://[::1]:25").is_here


@pytest.mark.parametrize(
    "chosen",
    [
        {"mail_server": "mail.example"},
        {"mail_server": "smtp://user:p@ss@mail.example"},
        {"mail_server": "smtp://user:p%C3%A4ss@mail.example"},
        {"mail_server": "smtp://mail.example", "public_address": ""},
        {"mail_server": "smtp://mail.example", "mail_from": ""},
        {"mail_server": "smtp://mail.example", "mail_from": "Club <club@games.example>"},
    ],
)
def test_settings_that_cannot_work_are_told_without_the_password(chosen: dict[str, str]) -> None:
    with pytest.raises(OptionsError, match="--mail-") as error:
        Settings(**{"mail_from": "club@games.example", "public_address": SITE} | chosen).check()  # type: ignore[arg-type]
    assert "p@ss" not in str(error.value)


def test_without_a_server_there_is_no_mail() -> None:
    sender = Mail(Settings())
    assert not sender.is_configured
    with pytest.raises(Refusal, match="--mail-server"):
        asyncio.run(sender.hand_over("ann@example.org", "Hello", "There"))
    for address in ("ann", "a@b@c", "ann@example.org\nBcc: bob", "änn@example.org", "a" * 300):
        with pytest.raises(Refusal):
            read_mail_address(address)


# What is sent by mail


@pytest.fixture
def postbox(monkeypatch: pytest.MonkeyPatch) -> Postbox:
    monkeypatch.setattr(outbox, "ROUND", 0.02)
    monkeypatch.setattr(outbox, "PAUSES", (0,))
    monkeypatch.setattr(addresses, "SPACING", 0)
    monkeypatch.setattr(digests, "ROUND", 0.02)
    monkeypatch.setattr(digests, "PATIENCE", 0)
    return Postbox()


@pytest.fixture
def club(postbox: Postbox, tmp_path: Path) -> Iterator[LocalServer]:
    """A server that sends mail."""
    with postbox.listening() as port:
        place = f"smtp://127.0.0.1:{port}"
        sending = {"mail_server": place, "mail_from": "club@games.example", "public_address": SITE}
        with LocalServer(tmp_path, **sending) as running:
            yield running


def read_next(postbox: Postbox, address: str = "ann@example.org") -> str:
    recipients, message = postbox.mails.get(timeout=30)
    assert recipients == [address]
    return read_text(message)


def find_path(text: str, start: str) -> str:
    found = re.search(rf"{SITE}({start}\S+)", text)
    assert found is not None, text
    return found[1]


def test_an_address_opens_an_account_whose_password_is_lost(
    club: LocalServer, postbox: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, stranger = club.sign_up("Ann"), club.new_client()
    given = {"address": "ann@example.org", "password": PASSWORD}
    wrong = ann.client.put("/api/account/mail", json={**given, "password": "not this one"})
    assert wrong.status_code == 403
    postbox.refusals = ["451 not now", "hang up"]  # it is tried again
    assert ann.client.put("/api/account/mail", json=given).json()["waiting"] == given["address"]
    link = find_path(read_next(postbox), "/mail/confirm/")
    assert "Yes, confirm it" in stranger.get(link).text  # looking alone does nothing
    assert ann.client.get("/api/account/mail").json()["address"] is None
    assert "ann@example.org is confirmed" in stranger.post(link).text
    assert stranger.post(link).status_code == 404
    assert ann.client.get("/api/account/mail").json() == {
        "possible": True, "address": "ann@example.org", "waiting": None, "turns": True
    }  # fmt: skip
    assert "ann@example.org" in ann.client.get("/account").text

    # The same answer for all, and a mail for Ann alone.
    codes = []
    for who in ("Nobody", "nobody@example.org", "ann", "ann@example.org"):
        answer = stranger.post("/api/sessions/recovery/mail", json={"name": who})
        assert (answer.status_code, answer.content) == (204, b"")
        if who.startswith("ann"):  # mails that wait together may be sent in any order
            codes.append(find_path(read_next(postbox), "/sign-in#Ann:").partition(":")[2])
    old, new = codes
    used = {"name": "Ann", "password": "another long sentence"}
    for code, status in ((old, 401), (new, 201), (new, 401)):  # each once, and the last alone
        answer = club.new_client().post("/api/sessions/recovery", json={**used, "code": code})
        assert answer.status_code == status
    assert ann.client.get("/api/me").json()["person"] is None
    monkeypatch.setattr(addresses, "HOUR", 1)  # a millisecond
    monkeypatch.setattr(addresses, "LIFETIME", 60_000)
    stranger.post("/api/sessions/recovery/mail", json={"name": "ann"})
    late = find_path(read_next(postbox), "/sign-in#Ann:").partition(":")[2]
    answer = stranger.post("/api/sessions/recovery", json={**used, "code": late})
    assert answer.status_code == 401
    assert postbox.mails.empty()


def test_turns_that_wait_are_told_by_mail_until_that_is_stopped(
    club: LocalServer, postbox: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = club.sign_up("Ann"), club.sign_up("Bob")
    ann.client.put("/api/account/mail", json={"address": "ann@example.org", "password": PASSWORD})
    clock = {"kind": "days", "days": 2}
    game = bob.make("skew", seats=["person", "person"], clock=clock)
    link = next(filter(None, reversed(game.secrets)))
    assert ann.post(game, "claim", link, name="").status_code == 200
    if ann.look(game)["to_move"] not in ann.look(game)["yours"]:
        assert bob.play(game).status_code == 200
    club.new_client().post(find_path(read_next(postbox), "/mail/confirm/"))
    _, message = postbox.mails.get(timeout=30)
    text = read_text(message)
    assert "a game waits for you" in text
    assert f"{SITE}/g/{game.id}" in text
    # Not once more for this turn, nor soon for the next.
    assert ann.play(game).status_code == 200
    assert bob.play(game).status_code == 200
    stop = find_path(text, "/mail/stop/")
    assert message["List-Unsubscribe"].strip() == f"<{SITE}{stop}>"
    assert "Stop them" in club.new_client().get(stop).text
    assert club.new_client().post(stop).status_code == 200
    assert not ann.client.get("/api/account/mail").json()["turns"]
    monkeypatch.setattr(digests, "SPACING", 0)
    ann.client.patch("/api/account/mail", json={"turns": True})
    assert f"/g/{game.id}" in read_next(postbox)
    assert ann.client.delete("/api/account/mail").status_code == 204
    assert ann.client.patch("/api/account/mail", json={"turns": True}).status_code == 422
    assert postbox.mails.empty()


def test_mails_are_in_the_language_of_whoever_reads_them(
    club: LocalServer, postbox: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digests, "SPACING", 0)
    given = {"address": "ann@example.org", "password": PASSWORD}
    ann, bob = club.sign_up("Ann", language="ja"), club.sign_up("Bob")
    assert ann.client.put("/api/account/mail", json=given).status_code == 200
    asked = read_next(postbox)
    assert "Ann 様" in asked
    club.new_client().post(find_path(asked, "/mail/confirm/"))
    # Whoever asks for the link may be anybody: the account says which language is meant.
    club.new_client().post("/api/sessions/recovery/mail", json={"name": "ann"})
    assert "新しいパスワード" in read_next(postbox)
    # Chosen by hand, which counts from then on.
    assert ann.client.post("/language/de").status_code == 303
    game = bob.make("skew", seats=["person", "person"], clock={"kind": "days", "days": 2})
    link = next(filter(None, reversed(game.secrets)))
    assert ann.post(game, "claim", link, name="").status_code == 200
    if ann.look(game)["to_move"] not in ann.look(game)["yours"]:
        assert bob.play(game).status_code == 200
    _, message = postbox.mails.get(timeout=30)
    assert str(make_header(decode_header(message["Subject"]))) == "Du bist am Zug"
    told = read_text(message)
    for words in ("Hallo Ann,", "eine Partie wartet auf dich.", "Gegen Bob, noch "):
        assert words in told
    moved = ann.client.put("/api/account/mail", json={**given, "address": "new@example.org"})
    assert moved.status_code == 200
    link = find_path(read_next(postbox, "new@example.org"), "/mail/confirm/")
    club.new_client().post(link)
    assert "hat von jetzt an eine andere Mailadresse" in read_next(postbox)
    assert ann.client.get("/api/account/download").json()["account"][0]["language"] == "de"


async def count_kept(database: Database) -> int:
    async with database.connect() as connection:
        return len((await connection.execute(select(kept_mails.c.id))).all())


def test_two_workers_send_a_mail_once_and_a_restart_loses_none(
    database: str, postbox: Postbox
) -> None:
    """A third one has claimed a mail and died; its claim runs out."""
    clock = [1_000_000]

    async def run(port: int) -> None:
        place = f"smtp://127.0.0.1:{port}"
        sender = Mail(Settings(mail_server=place, mail_from="club@games.example"))
        async with open_database(database) as first, open_database(database) as second:
            workers = [Outbox(one, sender, lambda: clock[0]) for one in (first, second)]
            ann, _ = await Accounts(first, Hasher(), lambda: 0).register("Ann", PASSWORD)
            async with first.transact() as connection:
                for number in range(6):
                    letter = Letter(ann.id, "ann@example.org", str(number), "There")
                    await post(connection, letter, clock[0], HOUR)
            lost, *_ = await workers[0]._list_due()
            assert await workers[0]._claim(lost)
            tasks = [asyncio.create_task(worker.watch()) for worker in workers]
            sent = [await asyncio.to_thread(postbox.mails.get, timeout=30) for _ in range(5)]
            assert lost.subject not in {message["Subject"] for _, message in sent}
            while await count_kept(first) > 1:  # until it is noted that the others were sent
                await asyncio.sleep(0.01)
            clock[0] += outbox.CLAIMED
            _, message = await asyncio.to_thread(postbox.mails.get, timeout=30)
            assert message["Subject"] == lost.subject
            while await workers[0]._list_due():
                await asyncio.sleep(0.01)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        await sender.close()

    with postbox.listening() as port:
        asyncio.run(run(port))
    assert postbox.mails.empty()


def test_without_mail_nobody_is_asked_for_an_address(tmp_path: Path) -> None:
    with LocalServer(tmp_path) as plain:
        ann = plain.sign_up("Ann")
        given = {"address": "ann@example.org", "password": PASSWORD}
        assert "--mail-server" in ann.client.put("/api/account/mail", json=given).json()["error"]
        assert plain.client.post("/api/sessions/recovery/mail", json={"name": "a"}).is_error
        assert 'id="mail"' not in ann.client.get("/account").text
        assert "mail-link" not in plain.client.get("/sign-in").text
