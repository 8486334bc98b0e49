"""Messages that only one browser can read: RFC 8291, which is aes128gcm of RFC 8188 with its keys.

A browser makes a pair of keys and a secret. For every message the sender makes a pair of its own,
and what both pairs agree on, mixed with the secret, encrypts it; the push service sees neither.
"""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
POINT_LENGTH, SECRET_LENGTH, SALT_LENGTH = 65, 16, 16
RECORD = 4096  # bytes, as many as every push service takes
LAST = b"\x02"  # ends the last record, which is the only one
LONGEST = RECORD - POINT_LENGTH - SALT_LENGTH - 5 - 16 - len(LAST)  # header and tag are in it, too


@dataclass(frozen=True)
class Addressee:
    """The keys of whoever may read: a point on the curve, and a secret."""

    point: bytes
    secret: bytes

    @classmethod
    def read(cls, p256dh: str, auth: str) -> "Addressee":
        """The keys as browsers write them; ValueError if they are none."""
        point, secret = decode(p256dh), decode(auth)
        if len(point) != POINT_LENGTH or len(secret) != SECRET_LENGTH:
            raise ValueError("keys have 65 and 16 bytes")
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)  # it is on the curve
        return cls(point, secret)


def encode(content: bytes) -> str:
    """Bytes as base64 for addresses, without padding."""
    return urlsafe_b64encode(content).decode().rstrip("=")


def decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def write_point(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public half of a key."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encrypt(
    content: bytes,
    addressee: Addressee,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """A message for an addressee. Key and salt are new each time, but for tests."""
    if len(content) > LONGEST:
        raise ValueError(f"a message has at most {LONGEST} bytes")
    key = key or ec.generate_private_key(CURVE)
    salt = salt or os.urandom(SALT_LENGTH)
    own = write_point(key)
    point = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, addressee.point)
    agreed = key.exchange(ec.ECDH(), point)
    mixed = _derive(addressee.secret, agreed, b"WebPush: info\0" + addressee.point + own, 32)
    content_key = _derive(salt, mixed, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(salt, mixed, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD.to_bytes(4, "big") + bytes([len(own)]) + own
    return header + AESGCM(content_key).encrypt(nonce, content + LAST, None)


def _derive(salt: bytes, material: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(material)
