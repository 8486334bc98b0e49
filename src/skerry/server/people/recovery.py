"""Recovery codes: each opens an account once, for whoever has forgotten the password."""

import secrets
from collections.abc import Callable

from sqlalchemy import delete, func, insert, or_, select

from skerry.core.texts import N_
from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.people.accounts import Accounts
from skerry.server.people.hashing import check_password
from skerry.server.web.errors import NotFound, Unauthorised
from skerry.server.web.secrets import Signed, conceal

CODES = 10
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that could be taken for another
GROUPS, GROUP = 4, 4  # 79 bits, so that one hash is enough
WRONG = N_("the name or the code is wrong, or the code was used before")

recoveries = schema.recoveries


def new_code() -> str:
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))


def conceal_code(account: str, code: str) -> str:
    letters = "".join(letter for letter in code.lower() if letter in LETTERS)
    return conceal(f"{account}:{letters}")


class Recovery:
    """Makes codes, and takes them in the place of passwords."""

    def __init__(self, database: Database, accounts: Accounts, now: Callable[[], int]) -> None:
        self._database = database
        self._accounts = accounts
        self._now = now

    async def renew(self, person: Signed) -> list[str]:
        """New codes for an account, told this once; those from before mean nothing any more."""
        codes = [new_code() for _ in range(CODES)]
        async with self._database.transact() as connection:
            await connection.execute(delete(recoveries).where(recoveries.c.account == person.id))
            await connection.execute(
                insert(recoveries),
                [{"account": person.id, "code": conceal_code(person.id, code)} for code in codes],
            )
        return codes

    async def count(self, person: Signed) -> int:
        """How many codes are left."""
        async with self._database.connect() as connection:
            own = (recoveries.c.account == person.id, recoveries.c.until.is_(None))
            return await connection.scalar(select(func.count()).where(*own)) or 0

    async def recover(
        self, name: str, code: str, password: str, agent: str = ""
    ) -> tuple[Signed, str]:
        """Use a code up: the account has another password, and nobody else is signed in to it.

        Of two who use one code at once, one is too late. Codes that were mailed count for an hour.
        """
        try:
            person = await self._accounts.find_named(name)
        except NotFound:
            raise Unauthorised(WRONG) from None
        check_password(password, person.name)
        async with self._database.transact() as connection:
            used = delete(recoveries).where(
                recoveries.c.account == person.id,
                recoveries.c.code == conceal_code(person.id, code),
                or_(recoveries.c.until.is_(None), recoveries.c.until > self._now()),
            )
            if not (await connection.execute(used)).rowcount:
                raise Unauthorised(WRONG)
        await self._accounts.change_password(person, password)
        return await self._accounts.open_session(person.id, agent)
