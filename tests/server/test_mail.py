"""Mail: handed to a real server on loopback, tried again where that helps, and never waited for."""

import asyncio
from email.header import decode_header, make_header

import pytest

from server.mailing import Postbox, read_text
from skerry.core.errors import OptionsError
from skerry.server.keeping import mail
from skerry.server.keeping.mail import Mail, MailServer, read_mail_address
from skerry.server.settings import Settings
from skerry.server.web.errors import Busy, Refusal


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "PAUSES", (0.0, 0.0))


def deliver(address: str, subject: str = "Hello", text: str = "There\n") -> bool:
    async def run() -> bool:
        sender = Mail(Settings(mail_server=address, mail_from="club@games.example"))
        try:
            return await sender.deliver("ann@example.org", subject, text)
        finally:
            await sender.close()

    return asyncio.run(run())


def test_a_mail_arrives_as_it_was_written() -> None:
    postbox = Postbox("pass:word@")
    subject = "It is your turn, Änn\r\nBcc: everybody@example.org"
    text = "Zwölf Boxkämpfer\n.\nFrom here on.\n" + "x" * 2000
    with postbox.listening() as port:
        address = f"smtp://club:pass%3Aword%40@127.0.0.1:{port}"
        assert deliver(address, subject, text)
        recipients, message = postbox.mails.get(timeout=30)
        assert not deliver(f"smtp://club:wrong@127.0.0.1:{port}")
    assert recipients == ["ann@example.org"]
    assert message["To"] == "ann@example.org"
    assert message["From"] == "club@games.example"
    assert message["Bcc"] is None
    assert str(make_header(decode_header(message["Subject"]))) == " ".join(subject.split())
    assert read_text(message).replace("\r\n", "\n") == text + "\n"
    assert postbox.mails.empty()


@pytest.mark.parametrize(
    ("refusals", "is_taken", "attempts"),
    [
        (["451 not now"], True, 2),
        (["hang up", "421 busy"], True, 3),
        (["451 not now"] * 3, False, 3),
        (["550 no such person"], False, 1),
    ],
)
def test_it_is_tried_again_only_where_that_may_help(
    refusals: list[str], is_taken: bool, attempts: int
) -> None:
    postbox = Postbox()
    postbox.refusals = list(refusals)
    with postbox.listening() as port:
        assert deliver(f"smtp://127.0.0.1:{port}") is is_taken
    assert postbox.attempts == attempts
    assert postbox.mails.qsize() == is_taken


def test_a_server_that_is_not_there_or_says_nothing_keeps_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mail, "PATIENCE", 0.2)
    monkeypatch.setattr(mail, "MOST_WAITING", 3)

    async def run() -> None:
        async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()

        server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server:
            place = f"smtp://127.0.0.1:{port}"
            sender = Mail(Settings(mail_server=place, mail_from="club@games.example"))
            for _ in range(3):
                await sender.send("ann@example.org", "Hello", "There")
            with pytest.raises(Busy):
                await sender.send("ann@example.org", "Hello", "There")
            assert not await sender.deliver("ann@example.org", "Hello", "There")
            await sender.close()
        nobody = Mail(Settings(mail_server=place, mail_from="club@games.example"))
        assert not await nobody.deliver("ann@example.org", "Hello", "There")
        await nobody.close()

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
        {"mail_server": "smtp://mail.example", "mail_from": ""},
        {"mail_server": "smtp://mail.example", "mail_from": "Club <club@games.example>"},
    ],
)
def test_settings_that_cannot_work_are_told_without_the_password(chosen: dict[str, str]) -> None:
    with pytest.raises(OptionsError, match="--mail-") as error:
        Settings(**{"mail_from": "club@games.example"} | chosen).check()  # type: ignore[arg-type]
    assert "p@ss" not in str(error.value)


def test_without_a_server_there_is_no_mail() -> None:
    sender = Mail(Settings())
    assert not sender.is_configured
    with pytest.raises(Refusal, match="--mail-server"):
        asyncio.run(sender.deliver("ann@example.org", "Hello", "There"))
    for address in ("ann", "a@b@c", "ann@example.org\nBcc: bob", "änn@example.org", "a" * 300):
        with pytest.raises(Refusal):
            read_mail_address(address)
