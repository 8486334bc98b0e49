"""The office: what those do about people who run a club, each deed with its note in the audit log.

The same deeds serve ``skerry admin``, which works on the database of a running server, and the API.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db import schema
from skerry.server.db.durations import DAY
from skerry.server.db.engine import Database
from skerry.server.db.naming import claim_name
from skerry.server.db.outside import tell_server
from skerry.server.db.renown import find_common_tournament, rename_entrant
from skerry.server.keeping.audit import write_note
from skerry.server.moderation.merging import find_common_game, move_all, note_merger
from skerry.server.people.accounts import ADMIN, MEMBER, MODERATOR, Accounts, outranks
from skerry.server.people.recovery import conceal_code, new_code
from skerry.server.play.rows import close_links
from skerry.server.web.entrants import PERSON, Entrant
from skerry.server.web.errors import Forbidden, NotFound, Refusal, Taken
from skerry.server.web.text import fold, skeleton, tidy

ROLES = (MEMBER, MODERATOR, ADMIN)
LONGEST_MUTE = 3650  # days
LONGEST_REASON = 1000  # letters
SHOWN = ("id", "name", "role", "email", "created", "seen", "closed", "muted")

accounts, games, seats, sessions = schema.accounts, schema.games, schema.seats, schema.sessions
recoveries = schema.recoveries


@dataclass
class Office:
    """Deeds about people. ``actor`` of each is who does it, as the audit log names them, and
    ``reason`` is why, for those who read that log."""

    database: Database
    accounts: Accounts
    now: Callable[[], int]

    async def list(self, search: str, limit: int, after: str = "") -> list[dict[str, Any]]:
        """People whose names have something in them, by name; ``after`` is where to go on."""
        query = select(*(accounts.c[name] for name in SHOWN)).order_by(accounts.c.folded)
        query = query.where(
            accounts.c.folded.contains(fold(search), autoescape=True),
            accounts.c.folded > fold(after),
        )
        async with self.database.connect() as connection:
            return [dict(row._mapping) for row in await connection.execute(query.limit(limit))]

    async def show(self, name: str) -> dict[str, Any]:
        """All that there is to know about somebody at a glance."""
        async with self.database.connect() as connection:
            row = await _find(connection, name)
            mine = select(func.count(seats.c.game.distinct())).where(seats.c.account == row.id)
            going = mine.join(games, games.c.id == seats.c.game).where(games.c.playing)
            open_sessions = select(func.count()).where(sessions.c.account == row.id)
            counts = {
                "games": await connection.scalar(mine),
                "playing": await connection.scalar(going),
                "sessions": await connection.scalar(open_sessions),
            }
        return {name: getattr(row, name) for name in SHOWN} | counts

    @asynccontextmanager
    async def _deed(
        self, actor: str, deed: str, name: str, **details: Any
    ) -> AsyncIterator[tuple[AsyncConnection, Row[Any]]]:
        """Do something about somebody, with a note; a server that runs forgets what it knew."""
        async with self.database.transact() as connection:
            row = await _find(connection, name)
            await _check_rank(connection, actor, row)
            yield connection, row
            about = str(Entrant(PERSON, row.id))
            if "reason" in details:
                details["reason"] = tidy(details["reason"], LONGEST_REASON)
            details = {name: value for name, value in details.items() if value != ""}
            await write_note(connection, self.now(), actor, deed, about, name=row.name, **details)
            await tell_server(connection)

    async def set_role(self, actor: str, name: str, role: str) -> None:
        if role not in ROLES:
            raise Refusal(f"a role is {', '.join(ROLES[:-1])} or {ROLES[-1]}")
        async with self._deed(actor, "role", name, role=role) as (connection, row):
            await _change(connection, row.id, role=role)

    async def mute(self, actor: str, name: str, days: int, reason: str = "") -> None:
        """Keep somebody from chatting for so many days; 0 lets them again."""
        if not 0 <= days <= LONGEST_MUTE:
            raise Refusal(f"somebody is muted for 0 to {LONGEST_MUTE} days")
        until = self.now() + days * DAY if days else None
        deed = "mute" if days else "unmute"
        async with self._deed(actor, deed, name, days=days, reason=reason) as (connection, row):
            await _change(connection, row.id, muted=until)

    async def close(self, actor: str, name: str, reason: str = "") -> None:
        """Close an account: nobody is signed in to it or has its seats, and nobody can be. Its
        games stay."""
        async with self._deed(actor, "close", name, reason=reason) as (connection, row):
            if row.closed is not None:
                raise Refusal(f"the account of {row.name} is closed already")
            await _change(connection, row.id, closed=self.now())
            await connection.execute(delete(sessions).where(sessions.c.account == row.id))
            await close_links(connection, row.id)

    async def reopen(self, actor: str, name: str, reason: str = "") -> None:
        async with self._deed(actor, "reopen", name, reason=reason) as (connection, row):
            if row.closed is None:
                raise Refusal(f"the account of {row.name} is not closed")
            await _change(connection, row.id, closed=None, merged=None)

    async def rename(self, actor: str, name: str, wanted: str) -> str:
        """Give somebody another name, in all their games as well; the name as it is then."""
        called = self.accounts.check_name(wanted)
        try:
            async with self._deed(actor, "rename", name, to=called) as (connection, row):
                if skeleton(called) != skeleton(row.name):
                    await claim_name(connection, called)
                look = {"folded": fold(called), "skeleton": skeleton(called)}
                await _change(connection, row.id, name=called, **look)
                await _rename_seats(connection, row.id, called)
        except IntegrityError:
            raise Taken(f"somebody is called {called} already; choose another name") from None
        return called

    async def reset(self, actor: str, name: str) -> str:
        """A code that opens an account once, for whoever has lost all else; those before are void.

        It comes back as the address of the page where it is used.
        """
        code = new_code()
        async with self._deed(actor, "reset", name) as (connection, row):
            await connection.execute(delete(recoveries).where(recoveries.c.account == row.id))
            hashed = conceal_code(row.id, code)
            await connection.execute(insert(recoveries).values(account=row.id, code=hashed))
        return f"/sign-in#{quote(row.name, safe='')}:{code}"

    async def merge(self, actor: str, name: str, into: str) -> None:
        """Make two accounts one: games, chat and ties of the first go to the second, and the first
        is closed. Its name stays taken, and leads to the second from then on.
        """
        async with self._deed(actor, "merge", name, into=into) as (connection, row):
            other = await _find(connection, into)
            if other.id == row.id:
                raise Refusal("these are one account already; name two")
            common = await find_common_game(connection, row.id, other.id)
            if common is not None:
                raise Refusal(f"the two play each other in {common}; let that game end first")
            title = await find_common_tournament(connection, row.id, other.id)
            if title is not None:
                raise Refusal(f"both take part in the tournament {title}; let it end first")
            await move_all(connection, row.id, other.id)
            await _change(connection, row.id, closed=row.closed or self.now())
            await note_merger(connection, row.id, other.id)
            await _rename_seats(connection, other.id, other.name)


async def _find(connection: AsyncConnection, name: str) -> Row[Any]:
    """The account of that name; with @ before it, that id."""
    is_it = accounts.c.id == name[1:] if name.startswith("@") else accounts.c.folded == fold(name)
    row = (await connection.execute(select(accounts).where(is_it).with_for_update())).first()
    if row is None:
        raise NotFound(f"nobody here is called {name}")
    return row


async def _check_rank(connection: AsyncConnection, actor: str, about: Row[Any]) -> None:
    """See that somebody may decide about another, and nobody about themselves.

    Whoever has the database, as commands have, may do anything.
    """
    kind, _, id = actor.partition(":")
    if kind != PERSON:
        return
    if id == about.id:
        raise Refusal("this is your own account; ask somebody else who runs the club")
    role = await connection.scalar(select(accounts.c.role).where(accounts.c.id == id))
    if not outranks(role or MEMBER, about.role):
        raise Forbidden("moderators decide about members only; ask an admin")


async def _change(connection: AsyncConnection, account: str, **values: Any) -> None:
    place = update(accounts).where(accounts.c.id == account)
    await connection.execute(place.values(**values))


async def _rename_seats(connection: AsyncConnection, account: str, name: str) -> None:
    """Let the seats of an account bear its name, and whatever else mentions it."""
    own = seats.c.account == account
    values = {"name": name, "folded": fold(name)}
    await connection.execute(update(seats).where(own).values(**values))
    await rename_entrant(connection, account, name)
    mine = games.c.id.in_(select(seats.c.game).where(own))
    await connection.execute(update(games).where(mine).values(revision=games.c.revision + 1))
