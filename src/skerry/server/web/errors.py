"""Why a request is refused; each message tells a person what to do next."""

from typing import ClassVar

from skerry.core.errors import SkerryError
from skerry.core.texts import N_


class Refusal(SkerryError):
    """A request that cannot be done as it is; ``status`` is its HTTP status.

    ``wait`` are the seconds after which it may be tried again, where that helps.
    """

    status: ClassVar[int] = 422
    wait: int | None = None


class Unauthorised(Refusal):
    """Nobody at the table has the secret that was shown."""

    status = 401


class Forbidden(Refusal):
    """The seat is known, but this is not for it to do."""

    status = 403


class NotFound(Refusal):
    """There is no such thing here."""

    status = 404


class Stale(Refusal):
    """The table has changed since the visitor saw it."""

    status = 409


class Taken(Refusal):
    """Somebody has it already."""

    status = 409


class TooMany(Refusal):
    """A visitor asks for more than a fair share."""

    status = 429

    def __init__(self, message: str, wait: int = 2) -> None:
        super().__init__(message)
        self.wait = wait


class Busy(Refusal):
    """The server has too much to do just now."""

    status = 503
    wait = 3


class Away(Refusal):
    """The database does not answer, or does not keep what it is given."""

    status = 503
    wait = 5

    def __init__(
        self, why: str = N_("the database cannot be reached right now; try again in a moment")
    ) -> None:
        super().__init__(why)
