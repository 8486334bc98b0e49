"""The bots there are: programs of others that play here, known by tokens.

A bot has a row of its own with the hash of its token. On its seats it is known by a secret made of
the token and a salt that only we have, so that it plays as everybody else does; once the bot has
left, the salt is gone and nothing opens these seats.
"""

from collections.abc import Callable
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from skerry.games import GAMES, kind
from skerry.server.db import schema
from skerry.server.db.engine import Database
from skerry.server.db.naming import check_engine_name, claim_name
from skerry.server.db.notify import notify
from skerry.server.play.rows import list_seats
from skerry.server.play.table import BOT, OPEN, Seat
from skerry.server.play.views import list_sitting
from skerry.server.web.errors import Refusal, Taken
from skerry.server.web.secrets import conceal, new_secret, seat_secret
from skerry.server.web.text import fold, read_name, skeleton

MOST_OPEN = 100
LEFT = "left"  # the kind of message that tells workers of a bot's leave

games, seats, bots = schema.games, schema.seats, schema.bots


@dataclass(frozen=True)
class Bot:
    """A bot that has shown its token; ``secret`` is that of its seats."""

    name: str
    secret: str
    created: int

    @property
    def seat(self) -> Seat:
        return Seat(BOT, self.name, conceal(self.secret), claimed=True)


class BotRegistry:
    """All bots, and the games that they sit at or could join."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def register(self, name: str) -> tuple[str, str]:
        """A new bot: its name, and the token that is told this once."""
        called, token = read_name(name), new_secret()
        if not called:
            raise Refusal("a bot needs a name")
        check_engine_name(called)
        try:
            async with self._database.transact() as connection:
                await claim_name(connection, called)
                await connection.execute(
                    insert(bots).values(
                        folded=fold(called),
                        skeleton=skeleton(called),
                        name=called,
                        token=conceal(token),
                        salt=new_secret(),
                        created=self._now(),
                    )
                )
        except IntegrityError:
            raise Taken(f"there is or was a bot called {called}; choose another name") from None
        return called, token

    async def find(self, token: str) -> Bot | None:
        """The bot that has this token."""
        hashed = conceal(token)
        async with self._database.connect() as connection:
            row = (await connection.execute(select(bots).where(bots.c.token == hashed))).first()
        if row is None or not compare_digest(row.token, hashed):
            return None
        return Bot(row.name, seat_secret(token, row.salt), row.created)

    async def find_named(self, name: str) -> str | None:
        """The name of a bot that has not left, as it writes it."""
        query = select(bots.c.name).where(bots.c.folded == fold(name), bots.c.token.is_not(None))
        async with self._database.connect() as connection:
            found: str | None = await connection.scalar(query)
            return found

    async def open_seats(self, token: str) -> str | None:
        """The secret of the seats that a token opens."""
        bot = await self.find(token)
        return None if bot is None else bot.secret

    async def stays(self, bot: Bot) -> bool:
        """Whether a bot has not left meanwhile."""
        async with self._database.connect() as connection:
            query = select(bots.c.token).where(bots.c.folded == fold(bot.name))
            return await connection.scalar(query) is not None

    async def remove(self, bot: Bot) -> None:
        """Forget the token and the salt of a bot; other workers hear that it has left."""
        async with self._database.transact() as connection:
            row = update(bots).where(bots.c.folded == fold(bot.name))
            await connection.execute(row.values(token=None, salt=""))
            await notify(connection, LEFT, bot.name)

    async def list_games(self, bot: Bot) -> list[str]:
        """The games of a bot that go on."""
        async with self._database.connect() as connection:
            found = await connection.scalars(
                select(games.c.id)
                .join(seats, seats.c.game == games.c.id)
                .where(seats.c.folded == fold(bot.name), seats.c.kind == BOT, games.c.playing)
                .order_by(games.c.created)
            )
            return list(found.all())

    async def list_open(self) -> list[dict[str, Any]]:
        """Public games in which a seat waits for a bot, the newest first."""
        waiting = select(seats.c.game).where(seats.c.kind == OPEN)
        query = (
            select(games.c.id, games.c.game, games.c.options, games.c.clock, games.c.rated)
            .where(games.c.id.in_(waiting), games.c.playing, games.c.public)
            .order_by(games.c.created.desc())
            .limit(MOST_OPEN)
        )
        async with self._database.connect() as connection:
            found = (await connection.execute(query)).all()
            sitting = await list_seats(connection, [row.id for row in found])
        return [
            {
                "id": row.id,
                "game": row.game,
                "options": row.options,
                "clock": row.clock,
                "rated": row.rated,
                "seats": list_sitting(kind(row.game), sitting[row.id]),
                "open": [seat.seat for seat in sitting[row.id] if seat.kind == OPEN],
            }
            for row in found
            if row.game in GAMES
        ]
