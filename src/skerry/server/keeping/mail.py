"""Mail by SMTP, if a server was named that takes it.

Nobody waits for a mail server: what is sent goes to a thread, is tried a few times, and is given
up.
"""

import asyncio
import ipaddress
import logging
import re
import smtplib
import ssl
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

from skerry.server.settings import Settings
from skerry.server.web.errors import Busy, Refusal
from skerry.server.web.logs import log

PATIENCE = 15.0  # seconds for each step of a conversation with the mail server
PAUSES: Sequence[float] = (10.0, 120.0)  # seconds before a mail is tried again
MOST_WAITING = 200  # mails that have yet to be taken
AT_ONCE = 2  # conversations
LONGEST_ADDRESS = 254
# Plain addresses, as nearly everybody has: others would need a server that takes SMTPUTF8.
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+")
TEMPORARY = range(400, 500)  # codes that say to try again


class Undeliverable(Exception):
    """A mail that no further attempt would deliver."""


def read_mail_address(text: str) -> str:
    """An address that mail can be sent to; Refusal if it is none."""
    address = text.strip()
    if len(address) > LONGEST_ADDRESS or not ADDRESS.fullmatch(address):
        raise Refusal("this is no mail address; write it like ann@example.org")
    return address


@dataclass(frozen=True)
class MailServer:
    """Where mail is handed over, and as whom."""

    host: str
    port: int
    is_secure: bool  # from the first byte; otherwise by STARTTLS
    user: str
    password: str

    @classmethod
    def read(cls, address: str) -> "MailServer":
        """The server that the settings name, which have checked it."""
        parts = urlsplit(address)
        is_secure = parts.scheme == "smtps"
        port = parts.port or (465 if is_secure else 587)
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        return cls(parts.hostname or "", port, is_secure, user, password)

    @property
    def is_here(self) -> bool:
        """Whether it runs on this machine, so that nobody can listen on the way."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def take(self, message: EmailMessage) -> None:
        """Hand a mail over, in this thread; OSError or SMTPException if it is not taken."""
        trust = ssl.create_default_context()
        connection = (
            smtplib.SMTP_SSL(self.host, self.port, timeout=PATIENCE, context=trust)
            if self.is_secure
            else smtplib.SMTP(self.host, self.port, timeout=PATIENCE)
        )
        with connection:
            connection.ehlo()
            if not self.is_secure and not self.is_here:
                if connection.has_extn("starttls"):
                    connection.starttls(context=trust)
                elif self.user:
                    raise Undeliverable("the mail server offers no TLS, so it gets no password")
            if self.user:
                connection.login(self.user, self.password)
            content = message.as_bytes(policy=SMTP)
            connection.sendmail(message["From"], [message["To"]], content)


class Mail:
    """Sends mail, if the settings say where to."""

    def __init__(self, settings: Settings) -> None:
        self._server = MailServer.read(settings.mail_server) if settings.mail_server else None
        self._sender = settings.mail_from
        self._threads = ThreadPoolExecutor(AT_ONCE, "mail")
        self._tasks: set[asyncio.Task[bool]] = set()

    @property
    def is_configured(self) -> bool:
        return self._server is not None

    async def send(self, to: str, subject: str, text: str) -> None:
        """Send a mail without waiting for it to be taken, which may be never."""
        if len(self._tasks) >= MOST_WAITING:
            raise Busy("too many mails wait to be sent; try again in a few minutes")
        task = asyncio.create_task(self.deliver(to, subject, text))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def deliver(self, to: str, subject: str, text: str) -> bool:
        """Send a mail, with a few attempts; whether the mail server has taken it."""
        if self._server is None:
            raise Refusal("this server sends no mail; whoever runs it can set --mail-server")
        message = self._write(read_mail_address(to), subject, text)
        loop = asyncio.get_running_loop()
        for pause in (*PAUSES, None):
            try:
                await loop.run_in_executor(self._threads, self._server.take, message)
                return True
            except (OSError, smtplib.SMTPException, Undeliverable) as error:
                is_over = pause is None or not _is_temporary(error)
                level = logging.ERROR if is_over else logging.WARNING
                log("a mail was not taken", level=level, reason=str(error), again=not is_over)
                if pause is None or is_over:
                    return False
            await asyncio.sleep(pause)
        return False

    def _write(self, to: str, subject: str, text: str) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self._sender
        message["To"] = to
        message["Subject"] = " ".join(subject.split())
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid("skerry", self._sender.rpartition("@")[2].rstrip(">"))
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        return message

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)


def _is_temporary(error: Exception) -> bool:
    """Whether trying again may help."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code in TEMPORARY for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPResponseException):
        return error.smtp_code in TEMPORARY
    is_gone = isinstance(error, smtplib.SMTPServerDisconnected)
    return is_gone or (isinstance(error, OSError) and not isinstance(error, smtplib.SMTPException))
