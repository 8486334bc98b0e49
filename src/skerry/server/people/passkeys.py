"""Passkeys: keys that devices keep, and sign with in the place of a password (WebAuthn)."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import webauthn
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    options_to_json,
    parse_client_data_json,
)
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from skerry.core.texts import N_
from skerry.server.db import schema
from skerry.server.db.durations import MINUTE
from skerry.server.db.engine import Database
from skerry.server.people.accounts import Accounts
from skerry.server.web.errors import NotFound, Refusal, Taken, Unauthorised
from skerry.server.web.secrets import Signed
from skerry.server.web.text import tidy

MOST_KEYS = 20  # of an account
PATIENCE = 5 * MINUTE  # in which a device has to answer
NAME_LENGTH = 40
LATE = N_("this took too long, or was answered before; try again")

passkeys, nonces = schema.passkeys, schema.nonces
Json = dict[str, Any]
Found = TypeVar("Found")


@dataclass(frozen=True)
class RelyingParty:
    """Who passkeys are for: this site, as browsers call it."""

    origin: str

    @property
    def domain(self) -> str:
        return self.origin.partition("://")[2].partition(":")[0]

    def expect(self, challenge: bytes) -> dict[str, Any]:
        """What a device has to have signed, as those who verify it call it."""
        return {
            "expected_challenge": challenge,
            "expected_rp_id": self.domain,
            "expected_origin": self.origin,
        }


class Passkeys:
    """The passkeys of accounts. A challenge is kept until it is answered, once, by any worker."""

    def __init__(self, database: Database, accounts: Accounts, now: Callable[[], int]) -> None:
        self._database = database
        self._accounts = accounts
        self._now = now

    async def offer(self, person: Signed, party: RelyingParty) -> Json:
        """What a browser needs to make a passkey."""
        async with self._database.connect() as connection:
            own = select(passkeys.c.credential).where(passkeys.c.account == person.id)
            known = list((await connection.scalars(own)).all())
        if len(known) >= MOST_KEYS:
            raise Refusal(f"an account has at most {MOST_KEYS} passkeys; delete one first")
        options = webauthn.generate_registration_options(
            rp_id=party.domain,
            rp_name="skerry",
            user_id=person.id.encode(),
            user_name=person.name,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
            exclude_credentials=[
                PublicKeyCredentialDescriptor(base64url_to_bytes(one)) for one in known
            ],
        )
        await self._remember(options.challenge, person.id)
        return dict(json.loads(options_to_json(options)))

    async def add(self, person: Signed, party: RelyingParty, credential: Json, name: str) -> None:
        """Keep a passkey that a browser has made."""
        challenge = await self._recall(credential, person.id)
        verified = _try(
            lambda: webauthn.verify_registration_response(
                credential=credential, **party.expect(challenge)
            )
        )
        try:
            async with self._database.transact() as connection:
                own = select(func.count()).where(passkeys.c.account == person.id)
                if (await connection.scalar(own) or 0) >= MOST_KEYS:
                    raise Refusal(f"an account has at most {MOST_KEYS} passkeys")
                await connection.execute(
                    insert(passkeys).values(
                        id=_hash(verified.credential_id),
                        account=person.id,
                        credential=bytes_to_base64url(verified.credential_id),
                        key=bytes_to_base64url(verified.credential_public_key),
                        signed=verified.sign_count,
                        name=tidy(name, NAME_LENGTH) or "Passkey",
                        created=self._now(),
                    )
                )
        except IntegrityError:
            raise Taken("this passkey is known already") from None

    async def ask(self, party: RelyingParty) -> Json:
        """What a browser needs to sign in by a passkey, whosever it is."""
        options = webauthn.generate_authentication_options(rp_id=party.domain)
        await self._remember(options.challenge, None)
        return dict(json.loads(options_to_json(options)))

    async def sign_in(
        self, party: RelyingParty, credential: Json, agent: str
    ) -> tuple[Signed, str]:
        """Somebody whose device has signed, and the token of their new session."""
        challenge = await self._recall(credential, None)
        raw = _try(lambda: base64url_to_bytes(str(credential["rawId"])))
        async with self._database.connect() as connection:
            query = select(passkeys).where(passkeys.c.id == _hash(raw))
            row = (await connection.execute(query)).first()
        if row is None:
            raise Unauthorised("nobody here has this passkey; sign in with your password")
        verified = _try(
            lambda: webauthn.verify_authentication_response(
                credential=credential,
                **party.expect(challenge),
                credential_public_key=base64url_to_bytes(row.key),
                credential_current_sign_count=row.signed,
            )
        )
        async with self._database.transact() as connection:
            used = update(passkeys).where(passkeys.c.id == row.id)
            await connection.execute(used.values(signed=verified.new_sign_count, used=self._now()))
        return await self._accounts.open_session(row.account, agent)

    async def list(self, person: Signed) -> list[Json]:
        """The passkeys of an account."""
        columns = (passkeys.c.id, passkeys.c.name, passkeys.c.created, passkeys.c.used)
        query = select(*columns).where(passkeys.c.account == person.id)
        async with self._database.connect() as connection:
            rows = await connection.execute(query.order_by(passkeys.c.created))
            return [dict(row._mapping) for row in rows]

    async def remove(self, person: Signed, id: str) -> None:
        async with self._database.transact() as connection:
            place = delete(passkeys).where(passkeys.c.id == id, passkeys.c.account == person.id)
            if not (await connection.execute(place)).rowcount:
                raise NotFound("you have no such passkey; it may be gone already")

    async def _remember(self, challenge: bytes, account: str | None) -> None:
        now = self._now()
        async with self._database.transact() as connection:
            await connection.execute(delete(nonces).where(nonces.c.until < now))
            await connection.execute(
                insert(nonces).values(nonce=_hash(challenge), account=account, until=now + PATIENCE)
            )

    async def _recall(self, credential: Json, account: str | None) -> bytes:
        """The challenge that was answered, which nobody can answer again."""
        said = _try(
            lambda: (
                parse_client_data_json(
                    base64url_to_bytes(credential["response"]["clientDataJSON"])
                ).challenge
            )
        )
        async with self._database.transact() as connection:
            place = delete(nonces).where(
                nonces.c.nonce == _hash(said),
                nonces.c.account.is_not_distinct_from(account),
                nonces.c.until >= self._now(),
            )
            if not (await connection.execute(place)).rowcount:
                raise Unauthorised(LATE)
        return said


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _try(read: Callable[[], Found]) -> Found:
    """What a browser has sent, which may be anything: whatever is wrong with it is one refusal."""
    try:
        return read()
    except Exception as error:
        raise Unauthorised("this passkey could not be verified; try again") from error
