"""Where studies are kept."""

from typing import Any

from sqlalchemy import insert, select, update

from skerry.server.db.engine import Database
from skerry.server.db.schema import studies
from skerry.server.study.model import Json, Study
from skerry.server.web.errors import NotFound, Stale


class Shelf:
    """The studies of the database; of two changes to the same version one is refused."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, study: Study) -> None:
        async with self._database.transact() as connection:
            await connection.execute(insert(studies).values(**vars(study)))

    async def find(self, id: str) -> Study:
        async with self._database.connect() as connection:
            row: Any = (await connection.execute(select(studies).where(studies.c.id == id))).first()
        if row is None:
            raise NotFound("there is no such study; check the address")
        return Study(**row._asdict())

    async def replace(self, before: Study, after: Study) -> None:
        """Put a study in the place of the one it was made from."""
        wanted = (studies.c.id == before.id) & (studies.c.version == before.version)
        changed = {key: said for key, said in vars(after).items() if key != "review"}
        async with self._database.transact() as connection:
            done = await connection.execute(update(studies).where(wanted).values(**changed))
            if not done.rowcount:
                raise Stale("the study has been changed elsewhere; look at it again")

    async def keep_review(self, id: str, review: Json) -> None:
        """What the engine thinks of a game is nobody's change."""
        async with self._database.transact() as connection:
            await connection.execute(
                update(studies).where(studies.c.id == id).values(review=review)
            )
