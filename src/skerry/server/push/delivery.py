"""A message on its way to a push service: one POST, RFC 8030, that nobody waits for.

Plain streams and no HTTP library: the connection has to go to the address that was checked, follows
no redirect, and of the answer only its head is read.
"""

import asyncio
import ssl
from dataclasses import dataclass
from functools import cache

from skerry.server.push.address import Allowed, find_address, read_endpoint

PATIENCE = 10.0  # seconds for all of it
LARGEST_HEAD = 16_384  # bytes of an answer
HEAD_END = b"\r\n\r\n"


@dataclass(frozen=True)
class Receipt:
    """What a push service answers; ``wait`` is for how many seconds it wants to be left alone."""

    status: int
    wait: int = 0

    @property
    def is_taken(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """Whether there is no such browser any more."""
        return self.status in (404, 410)

    @property
    def is_final(self) -> bool:
        """Whether asking again would bring the same."""
        return self.status < 500 and self.status != 429


async def post(endpoint: str, headers: dict[str, str], body: bytes, allowed: Allowed) -> Receipt:
    """Send a message; OSError, which timeouts are as well, if the service cannot be reached."""
    place = read_endpoint(endpoint, allowed)
    lines = [f"POST {place.target} HTTP/1.1"]
    own = {"Host": place.origin.partition("://")[2], "Connection": "close"}
    fields = own | headers | {"Content-Length": str(len(body))}
    lines += [f"{name}: {value}" for name, value in fields.items()]
    async with asyncio.timeout(PATIENCE):
        address = await find_address(place, allowed)
        reader, writer = await asyncio.open_connection(
            address,
            place.port,
            limit=LARGEST_HEAD,
            ssl=_trust() if place.is_secure else None,
            server_hostname=place.host if place.is_secure else None,
        )
        try:
            writer.write("\r\n".join(lines).encode() + HEAD_END + body)
            await writer.drain()
            head = await reader.readuntil(HEAD_END)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            raise ConnectionError("the push service did not answer in HTTP") from error
        finally:
            writer.close()
    return read_head(head)


def read_head(head: bytes) -> Receipt:
    """The head of an answer."""
    first, *rest = head.decode("latin-1").split("\r\n")
    version, _, status = first.partition(" ")
    if not version.startswith("HTTP/1.") or not status[:3].isdecimal():
        raise ConnectionError("the push service did not answer in HTTP")
    fields = dict(line.lower().split(":", 1) for line in rest if ":" in line)
    wait = fields.get("retry-after", "").strip()
    return Receipt(int(status[:3]), int(wait) if wait.isdecimal() and len(wait) < 7 else 0)


@cache
def _trust() -> ssl.SSLContext:
    return ssl.create_default_context()
