"""What bots can do beyond moving: begin games, join them, and leave."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from skerry.server.bots.events import BotEvents
from skerry.server.bots.registry import Bot, BotRegistry
from skerry.server.play.creation import Creation, Wish
from skerry.server.play.deeds import join, resign
from skerry.server.play.flags import Deadlines
from skerry.server.play.service import Service
from skerry.server.play.store import Store
from skerry.server.play.table import Table
from skerry.server.web.errors import Refusal, Stale
from skerry.server.web.secrets import Credentials


@dataclass
class BotService:
    """Deeds of bots. A bot that leaves at the same time begins and joins nothing any more."""

    registry: BotRegistry
    events: BotEvents
    store: Store
    deadlines: Deadlines
    creation: Creation
    service: Service
    now: Callable[[], int]

    async def create(self, bot: Bot, wish: Wish, visitor: str) -> tuple[Table, list[str | None]]:
        """A new game with a seat for the bot."""
        made = await self.creation.create(replace(wish, guest=bot.seat), visitor)
        await self._check_out(bot)
        return made

    async def join(self, id: str, bot: Bot, number: int, visitor: str) -> Table:
        """Let a bot sit down on an open seat; of two at once, one is too late."""
        table = await self.deadlines.find(id)
        after = join(table, number, bot.seat, self.now())
        table = await self.store.replace(table, after, visitor=visitor)
        await self._check_out(bot)
        return table

    async def leave(self, bot: Bot) -> None:
        """Let a bot leave: its games are resigned, and its token opens nothing any more."""
        await self._resign_all(bot)
        await self.registry.remove(bot)
        await self._resign_all(bot)  # what it began or joined meanwhile
        self.events.dismiss(bot.name)

    async def _check_out(self, bot: Bot) -> None:
        """Resign what a bot has begun or joined while it was leaving."""
        if not await self.registry.stays(bot):
            await self._resign_all(bot)

    async def _resign_all(self, bot: Bot) -> None:
        for id in await self.registry.list_games(bot):
            with suppress(Refusal):  # it may be over by now
                await self._resign(id, bot)

    async def _resign(self, id: str, bot: Bot) -> None:
        """Resign for a bot, however quickly others move."""
        while True:
            table, held = await self.service.enter(id, Credentials((bot.secret,)))
            with suppress(Stale):
                await self.store.replace(table, resign(table, held, self.now()))
                return
