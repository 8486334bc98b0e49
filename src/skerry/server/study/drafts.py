"""Studies that nobody has kept yet: of a game on this server, or of any position."""

from skerry.core.game import Game
from skerry.records import Record
from skerry.records.tree import find_start
from skerry.server.play.flags import Deadlines
from skerry.server.play.table import record
from skerry.server.study.model import Study, study_of
from skerry.server.web.errors import Refusal
from skerry.server.workers.warm import Rulebook


class Drafts:
    """Makes studies, and finds the games that they are of."""

    def __init__(self, rulebook: Rulebook, deadlines: Deadlines) -> None:
        self._rulebook = rulebook
        self._deadlines = deadlines

    async def game_of(self, study: Study) -> Game:
        """The game that a study is of."""
        return await self._rulebook.game(study.frame["game"], study.frame["options"])

    async def from_game(self, id: str, title: str = "") -> Study:
        """A study of a game on this server, as it stands."""
        return study_of(record(await self._deadlines.find(id)), title)

    async def from_position(
        self,
        name: str | None,
        options: dict[str, int],
        position: str | None = None,
        seed: int | None = None,
        title: str = "",
    ) -> Study:
        """A study of a position, by default the first of a game."""
        if name is None:
            raise Refusal(
                "say what to study: from a game's id, a record, or a game with a position"
            )
        game = await self._rulebook.game(name, options)
        if seed is None and position is None and game.has_chance:
            seed = 0
        return study_of(Record(find_start(game, seed, position), seed=seed), title)
