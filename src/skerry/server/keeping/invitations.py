"""Invitations: on a server that is for members alone, a code opens the door to a new account."""

from collections.abc import Callable

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.core.texts import N_
from skerry.server.db.durations import DAY
from skerry.server.db.engine import Database
from skerry.server.db.office import invitations
from skerry.server.db.schema import keys
from skerry.server.keeping.audit import SERVER, write_note
from skerry.server.web.errors import Forbidden
from skerry.server.web.secrets import conceal, new_secret

INVITE_ONLY = "invite-only"  # the name of the row that is there if nobody comes without a code
UNINVITED = N_(
    "this server is for those who are invited; ask a member of the club for an invitation"
)


class Invitations:
    """Makes codes, each good for some accounts, and takes them."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def are_needed(self) -> bool:
        async with self._database.connect() as connection:
            return await _are_needed(connection)

    async def admit(self, connection: AsyncConnection, code: str | None) -> None:
        """Let somebody in who makes an account in this transaction: a code is used up by that.

        Forbidden if one is needed and this is none; where none is needed, all are let in.
        """
        if not await _are_needed(connection):
            return
        valid = or_(invitations.c.until.is_(None), invitations.c.until > self._now())
        place = update(invitations).where(
            invitations.c.code == conceal(code or ""), invitations.c.uses > 0, valid
        )
        used = await connection.execute(place.values(uses=invitations.c.uses - 1))
        if not used.rowcount:
            raise Forbidden(UNINVITED if not code else f"this invitation is used up; {UNINVITED}")

    async def demand(self, actor: str, needed: bool) -> None:
        """Let nobody in without an invitation from now on, or everybody."""
        async with self._database.transact() as connection:
            await connection.execute(delete(keys).where(keys.c.name == INVITE_ONLY))
            if needed:
                await connection.execute(insert(keys).values(name=INVITE_ONLY, value="on"))
            await write_note(connection, self._now(), actor, "invite-only", SERVER, on=needed)

    async def invite(self, actor: str, uses: int, days: int | None) -> str:
        """A new code for so many accounts, told this once."""
        code, now = new_secret(), self._now()
        until = None if days is None else now + days * DAY
        row = {"code": conceal(code), "uses": uses, "made": now, "until": until}
        async with self._database.transact() as connection:
            await connection.execute(insert(invitations).values(**row))
            await write_note(connection, now, actor, "invite", SERVER, uses=uses, days=days)
        return code


async def _are_needed(connection: AsyncConnection) -> bool:
    query = select(keys.c.name).where(keys.c.name == INVITE_ONLY)
    return await connection.scalar(query) is not None
