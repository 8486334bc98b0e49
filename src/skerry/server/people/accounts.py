"""The accounts there are, and the sessions in which people are signed in to them."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.core.texts import N_
from skerry.server.db import schema
from skerry.server.db.durations import DAY, HOUR
from skerry.server.db.engine import Database
from skerry.server.db.naming import check_engine_name, claim_name, select_named
from skerry.server.keeping.invitations import UNINVITED, Invitations
from skerry.server.languages.choice import current_language
from skerry.server.people.hashing import Hasher, check_password
from skerry.server.play.creation import NOBODY
from skerry.server.web.entrants import BOT, DELETED, PERSON, Entrant
from skerry.server.web.errors import Forbidden, NotFound, Refusal, Taken, Unauthorised
from skerry.server.web.secrets import Signed, conceal, new_id, new_secret
from skerry.server.web.text import fold, read_name, skeleton, tidy

MEMBER, MODERATOR, ADMIN = "member", "moderator", "admin"
SHORTEST, LONGEST = 2, 30
# Letters and digits of any script, and few signs: names stand in addresses and sentences.
NAME = re.compile(r"[^\W_]([\w .'-]*[^\W_])?\.?")
RESERVED = frozenset(map(skeleton, (NOBODY, DELETED, "skerry", MODERATOR, ADMIN, "person", BOT)))
SESSION_LIFE = 90 * DAY  # without a visit after which a session is over
NOTED = HOUR  # how often it is noted that somebody was here
MOST_SESSIONS = 50  # of an account; the oldest makes room
AGENT_LENGTH = 200
WRONG = N_("the name or the password is wrong")

accounts, sessions, bots = schema.accounts, schema.sessions, schema.bots


class Accounts:
    """Signs people up, in and out. A session is known by a token, of which a hash is kept."""

    def __init__(
        self,
        database: Database,
        hasher: Hasher,
        now: Callable[[], int],
        engines: Collection[str] = (),
    ) -> None:
        """``engines`` are names that belong to engines besides levels."""
        self._database = database
        self._hasher = hasher
        self._invitations = Invitations(database, now)
        self._now = now
        self._engines = engines

    async def close(self) -> None:
        await self._hasher.close()

    async def need_invitations(self) -> bool:
        """Whether nobody makes an account without an invitation."""
        return await self._invitations.are_needed()

    async def register(
        self, name: str, password: str, agent: str = "", invitation: str | None = None
    ) -> tuple[Signed, str]:
        """A new account, and the token of a session in it. Of two with one name one is too late."""
        called = self.check_name(name)
        check_password(password, called)
        async with self._database.connect() as connection:
            await claim_name(connection, called)  # before the work of hashing
        if not invitation and await self._invitations.are_needed():
            raise Forbidden(UNINVITED)
        hashed = await self._hasher.hash(password)
        person = Signed(new_id(), called, MEMBER)
        now = self._now()
        try:
            async with self._database.transact() as connection:
                await claim_name(connection, called)
                await self._invitations.admit(connection, invitation)
                await connection.execute(
                    insert(accounts).values(
                        id=person.id,
                        name=called,
                        folded=fold(called),
                        skeleton=skeleton(called),
                        password=hashed,
                        role=MEMBER,
                        created=now,
                        seen=now,
                        language=current_language(),
                    )
                )
                token = await self._open(connection, person.id, agent)
        except IntegrityError:
            raise Taken(f"somebody is called {called} already; choose another name") from None
        return person, token

    def check_name(self, name: str) -> str:
        """The name that somebody wants, tidied up."""
        called = read_name(name)
        if not SHORTEST <= len(called) <= LONGEST:
            raise Refusal(f"a name has {SHORTEST} to {LONGEST} characters")
        if not NAME.fullmatch(called):
            raise Refusal(
                "a name is made of letters, digits, spaces and . - _ ' and begins with a letter or "
                "a digit"
            )
        check_engine_name(called, self._engines)
        if skeleton(called) in RESERVED:
            raise Refusal("nobody can be called that here; choose another name")
        return called

    async def sign_in(self, name: str, password: str, agent: str = "") -> tuple[Signed, str]:
        """Somebody who knows the password, and the token of their new session."""
        async with self._database.connect() as connection:
            query = select(accounts).where(accounts.c.folded == fold(read_name(name)))
            row = (await connection.execute(query)).first()
        is_right = await self._hasher.verify(password, None if row is None else row.password)
        if row is None or not is_right:
            raise Unauthorised(WRONG)
        return await self.open_session(row.id, agent)

    async def open_session(self, account: str, agent: str = "") -> tuple[Signed, str]:
        """A new session of an account, for somebody who has shown that it is theirs."""
        async with self._database.transact() as connection:
            query = select(accounts).where(accounts.c.id == account)
            row = (await connection.execute(query)).first()
            if row is None:
                raise Unauthorised(WRONG)
            if row.closed is not None:
                raise Forbidden("this account was closed; ask whoever runs this server")
            if row.language is None:  # from before we knew
                await _change(connection, account, language=current_language())
            token = await self._open(connection, account, agent)
        return _sign(row, ""), token

    async def _open(self, connection: AsyncConnection, account: str, agent: str) -> str:
        token, now = new_secret(), self._now()
        kept = (
            select(sessions.c.id)
            .where(sessions.c.account == account, sessions.c.seen > now - SESSION_LIFE)
            .order_by(sessions.c.seen.desc())
            .limit(MOST_SESSIONS - 1)
        )
        others = list((await connection.scalars(kept)).all())
        await connection.execute(
            delete(sessions).where(sessions.c.account == account, sessions.c.id.not_in(others))
        )
        await connection.execute(
            insert(sessions).values(
                id=new_id(),
                token=conceal(token),
                account=account,
                created=now,
                seen=now,
                agent=tidy(agent, AGENT_LENGTH),
            )
        )
        return token

    async def identify(self, token: str) -> Signed | None:
        """Who is signed in by the token of a session; None if it is over."""
        now = self._now()
        query = (
            select(accounts, sessions.c.id.label("session"), sessions.c.seen.label("visited"))
            .join(sessions, sessions.c.account == accounts.c.id)
            .where(
                sessions.c.token == conceal(token),
                sessions.c.seen > now - SESSION_LIFE,
                accounts.c.closed.is_(None),
            )
        )
        async with self._database.connect() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return None
        if row.visited < now - NOTED:
            async with self._database.transact() as connection:
                for table, id in ((sessions, row.session), (accounts, row.id)):
                    await connection.execute(update(table).where(table.c.id == id).values(seen=now))
        return _sign(row, row.session)

    async def check_owner(self, person: Signed, password: str) -> None:
        """See that whoever is signed in knows the password too: some things are for nobody who
        merely found a browser open."""
        async with self._database.connect() as connection:
            query = select(accounts.c.password).where(accounts.c.id == person.id)
            kept = await connection.scalar(query)
        if not await self._hasher.verify(password, kept):
            raise Forbidden("this is not your password; try again")

    async def change_password(self, person: Signed, password: str) -> None:
        """Give an account another password; whoever was signed in elsewhere is not any more."""
        check_password(password, person.name)
        hashed = await self._hasher.hash(password)
        async with self._database.transact() as connection:
            await _change(connection, person.id, password=hashed)
            others = delete(sessions).where(
                sessions.c.account == person.id, sessions.c.id != person.session
            )
            await connection.execute(others)

    async def choose_language(self, person: Signed, language: str) -> None:
        """Write to somebody in a language from now on."""
        async with self._database.transact() as connection:
            await _change(connection, person.id, language=language)

    async def find_created(self, person: Signed) -> int:
        """When an account was made."""
        async with self._database.connect() as connection:
            query = select(accounts.c.created).where(accounts.c.id == person.id)
            return int(await connection.scalar(query) or 0)

    async def find_named(self, name: str, even_closed: bool = False) -> Signed:
        """Somebody by their name, or by that of an account that was merged with theirs."""
        async with self._database.connect() as connection:
            query = select_named(fold(read_name(name)))
            row = (await connection.execute(query)).first()
        if row is None or (row.closed is not None and not even_closed):
            raise NotFound("nobody here is called that; check the name")
        return _sign(row, "")

    async def list_sessions(self, person: Signed) -> list[dict[str, Any]]:
        """The browsers in which somebody is signed in, those used last first."""
        query = (
            select(sessions.c.id, sessions.c.created, sessions.c.seen, sessions.c.agent)
            .where(sessions.c.account == person.id, sessions.c.seen > self._now() - SESSION_LIFE)
            .order_by(sessions.c.seen.desc(), sessions.c.id)
        )
        async with self._database.connect() as connection:
            rows = (await connection.execute(query)).all()
        return [{**row._mapping, "current": row.id == person.session} for row in rows]

    async def sign_out(self, person: Signed, session: str) -> None:
        """End a session of somebody: it opens nothing from now on."""
        async with self._database.transact() as connection:
            place = delete(sessions).where(
                sessions.c.id == session, sessions.c.account == person.id
            )
            if not (await connection.execute(place)).rowcount:
                raise NotFound("you have no such session; it may be over already")

    async def resolve(self, entrant: Entrant) -> Entrant:
        """Whoever an entrant is now: a person whose account was merged is the other one."""
        if entrant.kind != PERSON:
            return entrant
        query = select(accounts.c.merged).where(accounts.c.id == entrant.key)
        async with self._database.connect() as connection:
            merged = await connection.scalar(query)
        return entrant if merged is None else Entrant(PERSON, merged)

    async def name_entrants(self, entrants: Iterable[Entrant]) -> Mapping[Entrant, str]:
        """What each of them is called, or whoever they have become."""
        asked = set(entrants)
        found: dict[str, str] = {}
        was, now = accounts.alias(), accounts
        merged = was.join(now, now.c.id == func.coalesce(was.c.merged, was.c.id))
        queries = {
            PERSON: (was.c.id, select(was.c.id, now.c.name).select_from(merged)),
            BOT: (bots.c.folded, select(bots.c.folded, bots.c.name)),
        }
        async with self._database.connect() as connection:
            for kind, (column, query) in queries.items():
                keys = [entrant.key for entrant in asked if entrant.kind == kind]
                if keys:
                    for known, name in await connection.execute(query.where(column.in_(keys))):
                        found[f"{kind}:{known}"] = name
        return {each: found.get(str(each)) or _name_unknown(each) for each in asked}


async def _change(connection: AsyncConnection, account: str, **values: Any) -> None:
    await connection.execute(update(accounts).where(accounts.c.id == account).values(**values))


def outranks(role: str, other: str) -> bool:
    """Whether those of a role decide about others: moderators about members, admins about all."""
    return role == ADMIN or (role, other) == (MODERATOR, MEMBER)


def _sign(row: Row[Any], session: str) -> Signed:
    return Signed(row.id, row.name, row.role, session, row.muted or 0, row.closed is not None)


def _name_unknown(entrant: Entrant) -> str:
    if entrant.kind == PERSON:
        return DELETED
    return entrant.key if entrant.kind == BOT else f"Level {entrant.key}"
