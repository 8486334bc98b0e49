"""A push service on loopback, and browsers that subscribe at it, written from the RFCs alone."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from server.serving import Game, Host

PATIENCE = 60  # seconds


def write(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def read(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass(frozen=True)
class Parcel:
    """What a push service was sent."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """Takes whatever is sent to it; ``answers`` are the statuses of the next ones, else 201."""

    def __init__(self) -> None:
        self.parcels: Queue[Parcel] = Queue()
        self.answers: deque[int] = deque()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                status = service.answers.popleft() if service.answers else 201
                self.send_response(status)
                self.end_headers()
                service.parcels.put(Parcel(self.path, headers, body))

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def running(self) -> Iterator["PushService"]:
        thread = Thread(target=self._server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()

    def receive(self) -> Parcel:
        return self.parcels.get(timeout=PATIENCE)


@dataclass
class Browser:
    """A browser with keys of its own, known at a push service by a path."""

    origin: str
    path: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = b"sixteen of bytes"

    @cached_property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def endpoint(self) -> str:
        return f"{self.origin}{self.path}"

    @property
    def subscription(self) -> dict[str, Any]:
        keys = {"p256dh": write(self.point), "auth": write(self.auth)}
        return {"endpoint": self.endpoint, "keys": keys}

    def subscribe(
        self, host: Host, *games: tuple[Game, int], replaces: dict[str, Any] | None = None
    ) -> httpx.Response:
        """Ask to be told about seats of games."""
        held = [{"id": game.id, "secrets": [game.secrets[seat]]} for game, seat in games]
        body = {**self.subscription, "games": held, "replaces": replaces}
        return host.client.put("/api/push", json=body)

    def open(self, parcel: Parcel) -> dict[str, Any]:
        """What a message says."""
        return dict(json.loads(self.decrypt(parcel.body)))

    def decrypt(self, body: bytes) -> bytes:
        """RFC 8188, section 2, with the keys of RFC 8291, section 3.4, step by step."""
        salt, rest = body[:16], body[16:]
        size, length = int.from_bytes(rest[:4], "big"), rest[4]
        sender, ciphertext = rest[5 : 5 + length], rest[5 + length :]
        assert len(ciphertext) <= size
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        agreed = self.key.exchange(ec.ECDH(), point)
        info = b"WebPush: info\x00" + self.point + sender
        material = _hmac(_hmac(self.auth, agreed), info + b"\x01")
        mixed = _hmac(salt, material)
        key = HKDFExpand(SHA256(), 16, b"Content-Encoding: aes128gcm\x00").derive(mixed)
        nonce = HKDFExpand(SHA256(), 12, b"Content-Encoding: nonce\x00").derive(mixed)
        padded = AESGCM(key).decrypt(nonce, ciphertext, None).rstrip(b"\x00")
        assert padded[-1:] == b"\x02"
        return padded[:-1]


def _hmac(key: bytes, message: bytes) -> bytes:
    found = HMAC(key, SHA256())
    found.update(message)
    return found.finalize()


def check_signature(header: str) -> dict[str, Any]:
    """The claims of a VAPID header, RFC 8292, whose signature is that of its key."""
    scheme, _, rest = header.partition(" ")
    assert scheme == "vapid"
    fields = dict(part.strip().split("=", 1) for part in rest.split(","))
    signed, _, signature = fields["t"].rpartition(".")
    head, claims = (json.loads(read(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    r, s = (int.from_bytes(half, "big") for half in (read(signature)[:32], read(signature)[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), read(fields["k"]))
    key.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(SHA256()))
    return {**claims, "key": fields["k"]}
