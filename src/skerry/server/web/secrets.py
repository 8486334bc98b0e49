"""What only some may know: ids that cannot be guessed, and the secrets of seats."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

ID_BYTES = 9  # twelve letters, one chance in 10**21 to guess a game
SECRET_BYTES = 24
MOST_SHOWN = 16  # secrets in one request
Secrets = tuple[str, ...]


@dataclass(frozen=True)
class Signed:
    """Somebody who is signed in to an account, by a session; ``muted`` is until when they are.

    Whoever is only looked up has no session, and may have an account that is closed.
    """

    id: str
    name: str
    role: str
    session: str = ""
    muted: int = 0
    is_closed: bool = False


@dataclass(frozen=True)
class Credentials:
    """All that somebody can show: the secrets of seats, and who they are if they are signed in."""

    secrets: Secrets = ()
    person: Signed | None = None

    def with_secrets(self, *more: str) -> "Credentials":
        return Credentials((*more, *self.secrets), self.person)


def new_id() -> str:
    return secrets.token_urlsafe(ID_BYTES)


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def conceal(secret: str) -> str:
    """What is kept of a secret. It is random and long, so that one hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def seat_secret(token: str, salt: str) -> str:
    """The secret of a bot's seats. Only we have the salt, so it is worth nothing once that is gone;
    and only the bot has the token, so the database does not tell it either.
    """
    return hmac.new(salt.encode(), token.encode("utf-8", "surrogatepass"), "sha256").hexdigest()


def opens(shown: Secrets, kept: str | None) -> bool:
    """Whether one of these secrets is the one of which a hash is kept.

    All are compared, without telling by time how close they are.
    """
    found = False
    for secret in shown[:MOST_SHOWN]:
        found |= hmac.compare_digest(conceal(secret), kept or "")
    return found


def read_header(value: str | None) -> Secrets:
    """The secrets of an ``X-Seat`` header, as many of them as are looked at."""
    parts = (value or "").split(",", MOST_SHOWN)[:MOST_SHOWN]
    return tuple(part.strip() for part in parts if part.strip())
