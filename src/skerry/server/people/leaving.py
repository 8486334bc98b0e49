"""Everything about somebody, to be taken along or deleted."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.db.renown import forget_ratings, rename_entrant, write_entrant
from skerry.server.play.deeds import abort, resign
from skerry.server.play.rows import list_plies, list_seats
from skerry.server.play.service import Service
from skerry.server.play.store import Store
from skerry.server.web.entrants import DELETED
from skerry.server.web.errors import Refusal, Stale
from skerry.server.web.secrets import Credentials, Signed

BATCH = 50  # games
HIDDEN = (
    "password",
    "folded",
    "skeleton",
    "token",
    "key",
    "code",
    "stop",
)  # of no use to anybody else

games, seats, chat, accounts = schema.games, schema.seats, schema.chat, schema.accounts
OWNED = {
    "account": (accounts, accounts.c.id),
    "sessions": (schema.sessions, schema.sessions.c.account),
    "passkeys": (schema.passkeys, schema.passkeys.c.account),
    "ties": (schema.ties, schema.ties.c.account),
    "complaints": (schema.complaints, schema.complaints.c.author),
    "mailing": (schema.mailing, schema.mailing.c.account),
    "chat": (chat, chat.c.account),
    "ratings": (schema.ratings, schema.ratings.c.entrant),
    "changes": (schema.changes, schema.changes.c.entrant),
}


@dataclass
class Leaving:
    """Hands out and deletes what is kept of people."""

    database: Database
    store: Store
    service: Service
    now: Callable[[], int]

    async def write(self, person: Signed) -> AsyncIterator[str]:
        """All that is known of somebody as one JSON object, piece by piece."""
        yield "{"
        for what, (table, column) in OWNED.items():
            key = write_entrant(person.id) if column.name == "entrant" else person.id
            async with self.database.connect() as connection:
                rows = await connection.execute(select(table).where(column == key))
                found = [_show(row) for row in rows]
            yield f"{json.dumps(what)}: {json.dumps(found, ensure_ascii=False)},\n"
        yield '"games": ['
        joint, last = "", ""
        while True:
            page, last = await self._list_games(person, last)
            for game in page:
                yield joint + json.dumps(game, ensure_ascii=False)
                joint = ",\n"
            if not last:
                break
        yield "]}\n"

    async def _list_games(self, person: Signed, after: str) -> tuple[list[dict[str, Any]], str]:
        """Some games of somebody, and where to go on."""
        mine = select(seats.c.game).where(seats.c.account == person.id)
        query = select(games).where(games.c.id.in_(mine), games.c.id > after)
        async with self.database.connect() as connection:
            rows = (await connection.execute(query.order_by(games.c.id).limit(BATCH))).all()
            ids = [row.id for row in rows]
            sitting, made = await list_seats(connection, ids), await list_plies(connection, ids)
        found = [
            {
                "id": row.id,
                "url": f"/g/{row.id}",
                "record": f"/api/games/{row.id}/record",
                **{n: getattr(row, n) for n in ("game", "options", "created", "finished")},
                "result": row.result,
                "seats": [
                    {"name": seat.name, "kind": seat.kind, "you": seat.account == person.id}
                    for seat in sitting[row.id]
                ],
                "plies": [{"action": ply.action, "at": ply.at} for ply in made[row.id]],
            }
            for row in rows
        ]
        return found, ids[-1] if len(ids) == BATCH else ""

    async def delete(self, person: Signed) -> None:
        """Delete an account. Its games stay as those of a deleted player; what goes on is resigned.

        Nobody is signed in from the first moment on, so that nothing new begins.
        """
        async with self.database.transact() as connection:
            own = update(accounts).where(accounts.c.id == person.id)
            await connection.execute(own.values(closed=self.now()))
        while True:
            await self._resign_all(person)
            while await self.store.disown(person.id):
                pass
            with suppress(IntegrityError):  # something had begun just before
                async with self.database.transact() as connection:
                    await forget_ratings(connection, person.id)
                    await self._forget_account(connection, person)
                return

    async def _forget_account(self, connection: AsyncConnection, person: Signed) -> None:
        """Delete an account and those that have become it; tournaments stay, without the names."""
        own = or_(accounts.c.id == person.id, accounts.c.merged == person.id)
        for id in (await connection.scalars(select(accounts.c.id).where(own))).all():
            await rename_entrant(connection, id, DELETED)
        await connection.execute(delete(accounts).where(own))

    async def _resign_all(self, person: Signed) -> None:
        shown = Credentials(person=person)
        while ids := await self.store.list_owned(person.id):
            for id in ids:
                with suppress(Stale):  # somebody has moved: once more
                    table, held = await self.service.enter(id, shown)
                    may_abort = table.is_open and not table.is_waiting and table.event is None
                    give_up = abort if may_abort else resign
                    with suppress(Refusal):
                        await self.store.replace(table, give_up(table, held, self.now()))


def _show(row: Any) -> dict[str, Any]:
    return {name: value for name, value in row._mapping.items() if name not in HIDDEN}
