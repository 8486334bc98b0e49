"""Who we are to push services: a token signed by a key of our own, RFC 8292.

No account is needed anywhere: a browser subscribes for the public half of the key, and its push
service then takes messages from whoever has the private half.
"""

import json
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from skerry.server.push.encryption import CURVE, decode, encode, write_point

VALID_FOR = 12 * 3600  # seconds; push services refuse more than a day
HALF = 32  # bytes, of a signature and of a private key


@dataclass(frozen=True)
class Signer:
    """The key by which push services know us."""

    key: ec.EllipticCurvePrivateKey

    @classmethod
    def read(cls, text: str) -> "Signer":
        """The signer that ``write`` wrote down."""
        return cls(ec.derive_private_key(int.from_bytes(decode(text), "big"), CURVE))

    @classmethod
    def make(cls) -> "Signer":
        return cls(ec.generate_private_key(CURVE))

    def write(self) -> str:
        return encode(self.key.private_numbers().private_value.to_bytes(HALF, "big"))

    @property
    def public(self) -> str:
        """What browsers subscribe for."""
        return encode(write_point(self.key))

    def sign(self, service: str, contact: str, now: int) -> str:
        """The header ``Authorization`` for a push service at the time ``now``, in seconds.

        ``contact`` is where its operators find whoever runs this server.
        """
        claims: dict[str, str | int] = {"aud": service, "exp": now + VALID_FOR}
        if contact.startswith(("https:", "mailto:")):  # no other counts as one
            claims["sub"] = contact
        parts = ({"typ": "JWT", "alg": "ES256"}, claims)
        text = ".".join(encode(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
        r, s = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(SHA256())))
        signature = encode(r.to_bytes(HALF, "big") + s.to_bytes(HALF, "big"))
        return f"vapid t={text}.{signature}, k={self.public}"
