"""Mail by SMTP, if a server was named that takes it.

A mail is handed over in a thread, once; ``outbox`` keeps what was not taken and tries again.
"""

import asyncio
import ipaddress
import re
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

from skerry.server.settings import Settings
from skerry.server.web.errors import Refusal

PATIENCE = 15.0  # seconds for each step of a conversation with the mail server
AT_ONCE = 2  # conversations
LONGEST_ADDRESS = 254
# Plain addresses, as nearly everybody has: others would need a server that takes SMTPUTF8.
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+")
WRITING = SMTP.clone(max_line_length=998)  # or long addresses in headers would be encoded
TEMPORARY = range(400, 500)  # codes that say to try again


class NotTaken(Exception):
    """A mail that was not taken now, and may be later."""


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
            content = message.as_bytes(policy=WRITING)
            connection.sendmail(message["From"], [message["To"]], content)


class Mail:
    """Sends mail, if the settings say where to."""

    def __init__(self, settings: Settings) -> None:
        self._server = MailServer.read(settings.mail_server) if settings.mail_server else None
        self._sender = settings.mail_from
        self._threads = ThreadPoolExecutor(AT_ONCE, "mail")

    @property
    def is_configured(self) -> bool:
        return self._server is not None

    def check(self) -> MailServer:
        """The server that takes mail; Refusal if there is none."""
        if self._server is None:
            raise Refusal("this server sends no mail; whoever runs it can set --mail-server")
        return self._server

    async def hand_over(self, to: str, subject: str, text: str, stop: str = "") -> None:
        """Have the mail server take a mail; ``stop`` is the address that stops such mails."""
        server = self.check()
        message = self._write(read_mail_address(to), subject, text)
        if stop:  # RFC 8058: mail programs have a button for it
            message["List-Unsubscribe"] = f"<{stop}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._threads, server.take, message)
        except (OSError, smtplib.SMTPException) as error:
            raise (NotTaken if _is_temporary(error) else Undeliverable)(str(error)) from error

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
        self._threads.shutdown(wait=False, cancel_futures=True)


def _is_temporary(error: Exception) -> bool:
    """Whether trying again may help."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code in TEMPORARY for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPResponseException):
        return error.smtp_code in TEMPORARY
    is_gone = isinstance(error, smtplib.SMTPServerDisconnected)
    return is_gone or (isinstance(error, OSError) and not isinstance(error, smtplib.SMTPException))
