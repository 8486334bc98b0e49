"""Studies that nobody has kept yet: of a game on this server, or of any position."""

from skerry.records import Record
from skerry.server.play.flags import Deadlines
from skerry.server.play.table import record
from skerry.server.web.errors import Forbidden, Refusal
from skerry.server.web.limits import Pay, price_of
from skerry.server.workers.warm import Key, name_game


class Drafts:
    """Finds what studies are made of."""

    def __init__(self, deadlines: Deadlines) -> None:
        self._deadlines = deadlines

    async def find_record(self, id: str, pay: Pay) -> Record:
        """A game on this server, as it stands; long ones cost more."""
        table = await self._deadlines.find(id)
        if table.rated and not table.is_over:
            raise Forbidden("a rated game is played without help; analyse it when it is over")
        pay(3 * price_of(len(table.plies)))
        return record(table)

    def name_game(self, name: str | None, options: dict[str, int]) -> Key:
        """The game that a position is of."""
        if name is None:
            raise Refusal(
                "say what to study: from a game's id, a record, or a game with a position"
            )
        return name_game(name, options)
