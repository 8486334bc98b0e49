"""Mail addresses of people: confirmed by a link, and used to open an account that was locked.

Several accounts may have one address, so that nobody finds out by giving it whether somebody has.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sqlalchemy import delete, insert, select, update

from skerry.server.db import schema
from skerry.server.db.durations import DAY, HOUR
from skerry.server.db.engine import Database
from skerry.server.db.upsert import insert_into
from skerry.server.keeping.mail import Mail, read_mail_address
from skerry.server.keeping.outbox import Letter, post
from skerry.server.languages.choice import current_language, speaking
from skerry.server.people.letters import write_confirmation, write_farewell, write_recovery
from skerry.server.people.recovery import conceal_code, new_code
from skerry.server.web.errors import NotFound, Refusal
from skerry.server.web.secrets import Signed, conceal, new_secret
from skerry.server.web.text import fold, read_name

LIFETIME = HOUR
SPACING = HOUR // 12  # between two mails that somebody can have sent to an address
MOST = 5  # accounts with one address that are told how to be opened

accounts, recoveries = schema.accounts, schema.recoveries
confirmations, mailing = schema.confirmations, schema.mailing


@dataclass
class Addresses:
    """The addresses of people; ``site`` is where links in mails lead."""

    database: Database
    mail: Mail
    site: str
    now: Callable[[], int]

    async def show(self, person: Signed) -> dict[str, Any]:
        """The address of somebody, one that waits to be confirmed, and whether turns are told."""
        waits = select(confirmations.c.address).where(
            confirmations.c.account == person.id, confirmations.c.until > self.now()
        )
        turns = select(mailing.c.turns).where(mailing.c.account == person.id)
        async with self.database.connect() as connection:
            own = select(accounts.c.email).where(accounts.c.id == person.id)
            return {
                "possible": self.mail.is_configured,
                "address": await connection.scalar(own),
                "waiting": await connection.scalar(waits.limit(1)),
                "turns": bool(await connection.scalar(turns)),
            }

    async def ask(self, person: Signed, text: str) -> None:
        """Send a link to an address, which counts as soon as it was followed."""
        self.mail.check()
        address, code, now = read_mail_address(text), new_secret(), self.now()
        link = f"{self.site}/mail/confirm/{code}"
        words = write_confirmation(person.name, self.site, link)
        async with self.database.transact() as connection:
            mine = confirmations.c.account == person.id
            soon = confirmations.c.until > now + DAY - SPACING
            if await connection.scalar(select(confirmations.c.code).where(mine, soon)):
                raise Refusal("a mail is on its way; look for it, or try again in five minutes")
            await connection.execute(delete(confirmations).where(mine))
            row = {"code": conceal(code), "account": person.id, "address": address}
            await connection.execute(insert(confirmations).values(**row, until=now + DAY))
            letter = Letter(person.id, address, *words)
            await post(connection, letter, now, DAY)

    async def confirm(self, code: str) -> str:
        """Take an address whose link was followed; the address."""
        now = self.now()
        async with self.database.transact() as connection:
            used = delete(confirmations).where(confirmations.c.code == conceal(code))
            row = (await connection.execute(used.returning(*confirmations.c))).first()
            if row is None or row.until <= now:
                raise NotFound("this link was used before, or is too old; ask for another mail")
            own = accounts.c.id == row.account
            account = (await connection.execute(select(accounts).where(own))).one()
            place = update(accounts).where(own).values(email=row.address)
            await connection.execute(place)
            first = {"account": row.account, "stop": new_secret(), "turns": True, "told": 0}
            adding = insert_into(connection, mailing).values(**first)
            await connection.execute(adding.on_conflict_do_nothing())
            if account.email not in (None, row.address):
                with speaking(account.language or current_language()):
                    words = write_farewell(account.name, self.site)
                letter = Letter(account.id, account.email, *words)
                await post(connection, letter, now, DAY)
        return str(row.address)

    async def remove(self, person: Signed) -> None:
        """Forget the address of somebody, and what waits to be sent there."""
        async with self.database.transact() as connection:
            own = update(accounts).where(accounts.c.id == person.id)
            await connection.execute(own.values(email=None))
            for table in (confirmations, mailing, schema.outbox):
                await connection.execute(delete(table).where(table.c.account == person.id))

    async def tell_turns(self, person: Signed, wanted: bool) -> None:
        """Send digests of turns from now on, or none."""
        place = update(mailing).where(mailing.c.account == person.id)
        async with self.database.transact() as connection:
            changed = await connection.execute(place.values(turns=wanted))
            if not changed.rowcount:
                raise Refusal("you have no mail address yet; give one and confirm it first")

    async def stop(self, code: str) -> None:
        """Send no more digests to whoever has the mail with this code."""
        async with self.database.transact() as connection:
            place = update(mailing).where(mailing.c.stop == code)
            if not (await connection.execute(place.values(turns=False))).rowcount:
                raise NotFound("this link stops nothing; the address may be gone already")

    async def send_recovery(self, who: str) -> None:
        """Send links that open accounts to their address. Nobody is told whether there is one."""
        name = read_name(who)
        given = accounts.c.email == name if "@" in name else accounts.c.folded == fold(name)
        query = select(*(accounts.c[name] for name in ("id", "name", "email", "language")))
        query = query.where(given, accounts.c.email.is_not(None), accounts.c.closed.is_(None))
        now = self.now()
        async with self.database.transact() as connection:
            for row in (await connection.execute(query.limit(MOST))).all():
                mine = (recoveries.c.account == row.id, recoveries.c.until.is_not(None))
                soon = recoveries.c.until > now + HOUR - SPACING
                if await connection.scalar(select(recoveries.c.code).where(*mine, soon)):
                    continue
                code = new_code()
                await connection.execute(delete(recoveries).where(*mine))
                kept = {"account": row.id, "code": conceal_code(row.id, code), "until": now + HOUR}
                await connection.execute(insert(recoveries).values(**kept))
                link = f"{self.site}/sign-in#{quote(row.name, safe='')}:{code}"
                with speaking(row.language or current_language()):
                    words = write_recovery(row.name, self.site, link)
                letter = Letter(row.id, row.email, *words)
                await post(connection, letter, now, LIFETIME)
