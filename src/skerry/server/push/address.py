"""Where messages may be sent: browsers name their push service, so anybody can name any address.

A push service is on the public internet and speaks TLS. Names are looked up when a message is sent,
and the connection goes to the very address that was checked. Operators can allow other services.
"""

import asyncio
import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from skerry.server.web.errors import Refusal

LONGEST_ENDPOINT = 1000
TLS_PORT = 443
GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
Allowed = frozenset[str]  # origins that an operator trusts


class Unreachable(OSError):
    """A name that leads to no address to which messages may be sent."""


@dataclass(frozen=True)
class Endpoint:
    """The address of one browser at its push service."""

    scheme: str
    host: str
    port: int
    origin: str
    target: str  # path and query

    @property
    def is_secure(self) -> bool:
        return self.scheme == "https"


def read_endpoint(text: str, allowed: Allowed) -> Endpoint:
    """The parts of an endpoint; a refusal if it may not be sent to."""
    if len(text) > LONGEST_ENDPOINT or not text.isascii() or not text.isprintable() or " " in text:
        raise Refusal(f"an endpoint is an address of at most {LONGEST_ENDPOINT} plain characters")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Refusal("the endpoint is no address") from None
    origin = f"{parts.scheme}://{parts.netloc}"
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    if origin in allowed:
        usual = TLS_PORT if parts.scheme == "https" else 80
        return Endpoint(parts.scheme, host, port or usual, origin, target)
    named = "." in host and not _is_number(host) and "@" not in parts.netloc
    if parts.scheme != "https" or not named or port not in (None, TLS_PORT):
        raise Refusal("the endpoint must be that of a push service: https:// and a name")
    return Endpoint("https", host, TLS_PORT, f"https://{host}", target)


async def find_address(endpoint: Endpoint, allowed: Allowed) -> str:
    """The address to connect to; Unreachable if there is none on the public internet."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM)
    addresses = [str(place[0]) for *_, place in found]
    if endpoint.origin not in allowed and not all(map(is_public, addresses)):
        raise Unreachable(f"{endpoint.host} is not on the public internet")
    if not addresses:
        raise Unreachable(f"{endpoint.host} has no address")
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an address belongs to the public internet, in whichever way it is written."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        elif found.sixtofour is not None or found.teredo is not None:
            return False  # they carry an address of the older kind
        elif found not in GLOBAL_UNICAST:
            return False
    return found.is_global and not found.is_multicast


def _is_number(host: str) -> bool:
    """Whether a host is an address, in any of the forms that resolvers take: 127.1, 0x7f000001."""
    return ":" in host or host.rpartition(".")[2][:1].isdigit()
